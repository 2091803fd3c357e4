/**
 * What the page knows: the address (hash and open row) and the wishes that have not become part of it yet. All else is derived.
 *
 *   a control ──► wishes ──next frame──► core "set", "view" ──accepted──► address ──► view, tables
 *                   ▲                          │ refused: the wish stays, its problem is shown at the control
 */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Ask } from "./ask.ts";
import { fieldValue } from "./field.ts";
import { openLink, type Opened } from "./link.ts";
import type { Answer, Control, Problem, Scenario, View } from "./protocol.ts";

export interface Wish { control: Control; text: string; problem?: Problem }
export type Wishes = ReadonlyMap<string, Wish>;

interface Address { hash: string; row: string | null }

export interface Session {
  opened: Opened;
  /** The last answer that was good; none only if the core never answered. */
  view: View | undefined;
  wishes: Wishes;
  row: string | null;
  change(control: Control, text: string): void;
  /** A control was left: the next change is a new step of the history. */
  settle(): void;
  toggleRow(row: string): void;
  open(hash: string): void;
}

const readAddress = (): Address => ({ hash: location.hash, row: (history.state as { row?: string } | null)?.row ?? null });

export function attempt(ask: Ask, scenario: Scenario, wish: Wish): Answer<View> {
  const set = ask.set(scenario, wish.control.pointer, fieldValue(wish.control, wish.text));
  return set.ok ? ask.view({ scenario: set.value.scenario }) : set;
}

/** Tries every wish in turn upon what the earlier ones left; gives the view that came of it and the wishes that were refused. */
export function grant(ask: Ask, view: View, wishes: Wishes): { view: View; refused: Wishes } {
  const refused = new Map<string, Wish>();
  for (const [pointer, wish] of wishes) {
    const answer = attempt(ask, view.scenario, wish);
    if (answer.ok) view = answer.value;
    else refused.set(pointer, { ...wish, problem: answer.problem });
  }
  return { view, refused };
}

export function useSession(ask: Ask): Session {
  const [address, setAddress] = useState(readAddress);
  const [wishes, setWishes] = useState<Wishes>(new Map());
  const opened = useMemo(() => openLink(ask, address.hash), [ask, address.hash]);
  const lastGood = useRef<View | undefined>(undefined);
  if (opened.view.ok) lastGood.current = opened.view.value;
  const view = lastGood.current;
  const settled = useRef(true);
  const later = useAfterPaint();

  const go = (next: Address, how: "push" | "replace"): void => {
    const state = { row: next.row };
    if (how === "push") history.pushState(state, "", next.hash || location.pathname + location.search);
    else history.replaceState(state, "", next.hash || location.pathname + location.search);
    setAddress(next);
  };

  useEffect(() => {
    const arrive = (): void => {
      settled.current = true;
      setWishes(new Map());
      setAddress(readAddress());
    };
    addEventListener("popstate", arrive);
    return () => removeEventListener("popstate", arrive);
  }, []);

  // The address bar always holds the canonical link of what is shown; a link that was refused in part stays until something changes.
  useEffect(() => {
    if (view && opened.refused.length === 0 && address.hash !== "" && view.link !== address.hash) go({ ...address, hash: view.link }, "replace");
  }, [view, opened, address]);

  const run = (pending: Wishes): void => {
    if (!view) return;
    const result = grant(ask, view, pending);
    setWishes(result.refused);
    if (result.view.link === view.link) return;
    go({ hash: result.view.link, row: address.row }, settled.current ? "push" : "replace");
    settled.current = false;
  };
  // Another language: refused wishes get their sentence in it.
  useEffect(() => {
    if (wishes.size > 0) run(wishes);
  }, [ask]);

  return {
    opened, view, wishes, row: address.row,
    change(control, text) {
      const next = new Map(wishes).set(control.pointer, { ...wishes.get(control.pointer), control, text });
      setWishes(next);
      later(() => run(next));
    },
    settle() { settled.current = true; },
    toggleRow(row) { go({ hash: address.hash, row: row === address.row ? null : row }, "push"); },
    open(hash) {
      setWishes(new Map());
      go({ hash, row: null }, "push");
    },
  };
}

/** Runs the last of several tasks once the frame that shows the keystroke has been painted. */
function useAfterPaint(): (task: () => void) => void {
  const frame = useRef(0);
  return (task) => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => {
      frame.current = requestAnimationFrame(task);
    });
  };
}
