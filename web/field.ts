/** From what a person typed or picked to what goes into the scenario. Whether it is allowed is the core's to say. */
import type { Control, FieldValue } from "./protocol.ts";

export function fieldValue(control: Control, text: string): FieldValue {
  switch (control.kind) {
    case "toggle":
      return text === "true";
    case "multiple":
      return text === "" ? null : text.split(",");
    case "number":
      return number(text);
    case "choice":
      return (control.options ?? []).every((option) => typeof number(option.value) !== "string") ? number(text) : text === "" ? null : text;
  }
}

/** Empty means "choose for me"; what is not a number goes to the core as it is, so that the core says what is wrong with it. */
function number(text: string): FieldValue {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : trimmed;
}

/** The words that stand for a control's value: the label of the option, the labels of several, or the number itself. */
export function labels(control: Control, text: string): string[] {
  const chosen = control.kind === "multiple" ? text.split(",").filter((value) => value !== "") : [text];
  const label = (value: string): string => control.options?.find((option) => option.value === value)?.label ?? value;
  return chosen.map(label);
}

/** The arrow keys' next value: one step, kept within what the control allows. */
export function stepped(control: Control, text: string, steps: number): string {
  const from = Number(text.trim());
  if (!Number.isFinite(from) || !control.step) return text;
  const next = from + steps * control.step;
  const low = control.minimum ?? next;
  const high = control.maximum ?? next;
  return String(Math.min(Math.max(next, low), high));
}
