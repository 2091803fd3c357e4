/** A number: typed freely (the core says what is wrong with it), stepped by the arrow keys. */
import { useEffect, useState } from "preact/hooks";
import { stepped } from "../field.ts";
import { useSay } from "../texts.ts";
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

/** "1,000,000,000", as the tables write it, where nobody is typing. */
const grouped = (text: string): string => (/^\d{5,}$/.test(text) ? text.replace(/\B(?=(\d{3})+$)/g, ",") : text);

/** In digits; a comma takes half of one. */
const width = (text: string): number => Math.max(text.length - (text.split(",").length - 1) / 2, 2);

export function Amount({ control, text, id, invalid, describedBy, onText, onLeave }: InputProps) {
  const say = useSay();
  const [draft, setDraft] = useDraft();
  const [typing, setTyping] = useState(false);
  const shown = draft ?? (typing ? text : grouped(text));
  const placeholder = control.default_value || say("page.multiple.any");
  const type = (next: string): void => { setDraft(next); onText(next); };
  const step = (event: KeyboardEvent): void => {
    const steps = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    if (steps === 0 || !control.step) return;
    event.preventDefault();
    type(stepped(control, draft ?? text, steps));
  };
  return (
    <span class="amount value" data-invalid={invalid}>
      <input
        id={id} value={shown} placeholder={placeholder} inputMode={control.integer ? "numeric" : "decimal"} autocomplete="off" spellcheck={false}
        aria-label={control.label} aria-invalid={invalid} aria-describedby={describedBy}
        style={{ width: `${width(shown || placeholder)}ch` }}
        onInput={(event) => type(event.currentTarget.value)} onKeyDown={step} onFocus={() => setTyping(true)} onBlur={() => { setTyping(false); setDraft(undefined); onLeave(); }}
      />
      {control.unit && <span class="unit">{control.unit}</span>}
    </span>
  );
}
