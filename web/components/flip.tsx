/** A yes or no. */
import type { InputProps } from "./field.tsx";

export function Flip({ control, text, id, invalid, describedBy, onText, onLeave }: InputProps) {
  return (
    <span class="flip">
      <input
        id={id} type="checkbox" checked={text === "true"} aria-label={control.label} aria-invalid={invalid} aria-describedby={describedBy}
        onChange={(event) => { onLeave(); onText(String(event.currentTarget.checked)); }}
      />
    </span>
  );
}
