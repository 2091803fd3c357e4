/** A choice: the platform's own list, laid invisibly over the words it changes, so that it takes no more room than they do. */
import { labels } from "../field.ts";
import { Chevron } from "./icons.tsx";
import type { InputProps } from "./field.tsx";

export function Pick({ control, text, id, invalid, describedBy, onText, onLeave }: InputProps) {
  const known = (control.options ?? []).some((option) => option.value === text);
  return (
    <span class="pick value" data-invalid={invalid}>
      <span class="shown" aria-hidden="true">{labels(control, text)[0]}</span>
      <Chevron />
      <select
        id={id} value={text} aria-label={control.label} aria-invalid={invalid} aria-describedby={describedBy}
        onChange={(event) => { onLeave(); onText(event.currentTarget.value); }}
      >
        {!known && <option value={text}>{text}</option>}
        {(control.options ?? []).map((option) => <option key={option.value} value={option.value}>{option.label}</option>)}
      </select>
    </span>
  );
}
