/** A number: typed freely (the core says what is wrong with it), stepped by the arrow keys. */
import { stepped } from "../field.ts";
import type { InputProps } from "./field.tsx";

export function Amount({ control, text, id, invalid, describedBy, onText, onLeave }: InputProps) {
  const step = (event: KeyboardEvent): void => {
    const steps = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    if (steps === 0 || !control.step) return;
    event.preventDefault();
    onText(stepped(control, text, steps));
  };
  return (
    <span class="amount value" data-invalid={invalid}>
      <input
        id={id} value={text} placeholder={control.default_value} inputMode={control.integer ? "numeric" : "decimal"} autocomplete="off" spellcheck={false}
        aria-label={control.label} aria-invalid={invalid} aria-describedby={describedBy}
        style={{ width: `${Math.max(text.length, 2)}ch` }}
        onInput={(event) => onText(event.currentTarget.value)} onKeyDown={step} onBlur={onLeave}
      />
      {control.unit && <span class="unit">{control.unit}</span>}
    </span>
  );
}
