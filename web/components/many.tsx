/** Several of a list: the words show what is chosen, a panel below them holds the boxes. Escape, or a click elsewhere, closes it. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { labels } from "../field.ts";
import { useSay, type Say } from "../texts.ts";
import { Chevron } from "./icons.tsx";
import type { InputProps } from "./field.tsx";

/** A list longer than this is easier to search than to read. */
const worth_filtering = 12;

/** "any cloud" where the page has such words for the control, "any" elsewhere. */
function any(say: Say, control: string): string {
  const key = `page.any.${control}`;
  const words = say(key);
  return words === key ? say("page.multiple.any") : words;
}

function summary(say: Say, control: string, chosen: string[]): string {
  const [first, ...rest] = chosen;
  if (first === undefined) return any(say, control);
  return rest.length === 0 ? first : say("page.multiple.more", { first, count: rest.length });
}

/** Closes on Escape (focus goes back to the button) and on anything that happens outside. */
function useDismiss(open: boolean, close: () => void) {
  const root = useRef<HTMLSpanElement>(null);
  // Before the panel is seen: who opens it by key may close it by the next one.
  useLayoutEffect(() => {
    if (!open) return;
    const outside = (event: Event): void => {
      if (!root.current?.contains(event.target as Node)) close();
    };
    const escape = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      close();
      root.current?.querySelector("button")?.focus();
    };
    addEventListener("pointerdown", outside);
    addEventListener("focusin", outside);
    addEventListener("keydown", escape);
    return () => {
      removeEventListener("pointerdown", outside);
      removeEventListener("focusin", outside);
      removeEventListener("keydown", escape);
    };
  }, [open]);
  return root;
}

export function Many(props: InputProps) {
  const { control, text, id, invalid, describedBy, onLeave } = props;
  const say = useSay();
  const [open, setOpen] = useState(false);
  const root = useDismiss(open, () => { setOpen(false); onLeave(); });
  const shown = summary(say, control.id, labels(control, text));
  return (
    <span class="many value" data-invalid={invalid} ref={root}>
      <button
        id={id} type="button" class="shown" aria-expanded={open} aria-controls={`${id}-list`} aria-describedby={describedBy}
        aria-label={`${control.label}: ${shown}`} onClick={() => setOpen(!open)}
      >
        {shown}<Chevron />
      </button>
      {open && <Boxes {...props} />}
    </span>
  );
}

function Boxes({ control, text, id, onText }: InputProps) {
  const say = useSay();
  const panel = useRef<HTMLSpanElement>(null);
  // The panel opens towards the side of the window that has room.
  useLayoutEffect(() => {
    const box = panel.current?.getBoundingClientRect();
    panel.current?.classList.toggle("to-left", box !== undefined && box.right > innerWidth);
  }, []);
  const [filter, setFilter] = useState("");
  const chosen = new Set(text.split(",").filter((value) => value !== ""));
  const options = control.options ?? [];
  const flip = (value: string, on: boolean): void => {
    const next = options.map((option) => option.value).filter((other) => (other === value ? on : chosen.has(other)));
    onText(next.join(","));
  };
  return (
    <span class="boxes" ref={panel} id={`${id}-list`} role="group" aria-label={control.label}>
      <span class="boxes-head">
        {options.length > worth_filtering && (
          <input type="search" placeholder={say("page.multiple.filter")} aria-label={say("page.multiple.filter")} value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)} />
        )}
        <button type="button" class="plain" disabled={chosen.size === 0} onClick={() => onText("")}>{say("page.multiple.clear")}</button>
      </span>
      <span class="boxes-list">
        {options.filter((option) => option.label.toLowerCase().includes(filter.toLowerCase())).map((option) => (
          <label key={option.value} class="box">
            <input type="checkbox" checked={chosen.has(option.value)} onChange={(event) => flip(option.value, event.currentTarget.checked)} />
            <span>{option.label}</span>
          </label>
        ))}
      </span>
    </span>
  );
}
