/** A number: typed freely (the core says what is wrong with it), stepped by the arrow keys. */
import { useEffect, useState } from "preact/hooks";
import { stepped } from "../field.ts";
import type { InputProps } from "./field.tsx";

/** What is being typed stays as typed, also when it means the value that was there before ("" is the default); leaving the field tidies it. */
function useDraft(): [string | undefined, (draft: string | undefined) => void] {
  const [draft, setDraft] = useState<string | undefined>();
  useEffect(() => {
    const forget = (): void => setDraft(undefined);
    addEventListener("popstate", forget);
    return () => removeEventListener("popstate", forget);
  }, []);
  return [draft, setDraft];
}

export function Amount({ control, text, id, invalid, describedBy, onText, onLeave }: InputProps) {
  const [draft, setDraft] = useDraft();
  const shown = draft ?? text;
  const type = (next: string): void => { setDraft(next); onText(next); };
  const step = (event: KeyboardEvent): void => {
    const steps = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    if (steps === 0 || !control.step) return;
    event.preventDefault();
    type(stepped(control, shown, steps));
  };
  return (
    <span class="amount value" data-invalid={invalid}>
      <input
        id={id} value={shown} placeholder={control.default_value} inputMode={control.integer ? "numeric" : "decimal"} autocomplete="off" spellcheck={false}
        aria-label={control.label} aria-invalid={invalid} aria-describedby={describedBy}
        style={{ width: `${Math.max(shown.length, 2)}ch` }}
        onInput={(event) => type(event.currentTarget.value)} onKeyDown={step} onBlur={() => { setDraft(undefined); onLeave(); }}
      />
      {control.unit && <span class="unit">{control.unit}</span>}
    </span>
  );
}
