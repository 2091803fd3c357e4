/**
 * What the page knows: the address (hash and open row), the last answer for it, and the wishes that have not become part of it yet.
 *
 *   a control ──► wishes ──next frame──► core "set", "view" ──accepted──► address and answer ──► tables
 *                   ▲                          │ refused: the wish stays, its problem is shown at the control
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { superseded, type Ask, type Later } from "./ask.ts";
import { fieldValue } from "./field.ts";
import { openLink, type Opened } from "./link.ts";
import type { Control, Problem, Scenario, View } from "./protocol.ts";

export interface Wish { control: Control; text: string; problem?: Problem }
export type Wishes = ReadonlyMap<string, Wish>;

interface Address { hash: string; row: string | null }
/** An answer with the question that it belongs to. */
interface Shown { ask: Ask; hash: string; opened: Opened }

export interface Session {
  opened: Opened | undefined;
  /** The last answer that was good; none before the first one. */
  view: View | undefined;
  /** The core is at work on what was asked last. */
  busy: boolean;
  wishes: Wishes;
  row: string | null;
  change(control: Control, text: string): void;
  /** A control was left: the next change is a new step of the history. */
  settle(): void;
  toggleRow(row: string): void;
  open(hash: string): void;
}

const readAddress = (): Address => ({ hash: location.hash, row: (history.state as { row?: string } | null)?.row ?? null });

export async function attempt(ask: Ask, scenario: Scenario, wish: Wish): Later<View> {
  const set = await ask.set(scenario, wish.control.pointer, fieldValue(wish.control, wish.text));
  return set.ok ? ask.view({ scenario: set.value.scenario }) : set;
}

/** Tries every wish in turn upon what the earlier ones left; gives the view that came of it and the wishes that were refused. */
export async function grant(ask: Ask, view: View, wishes: Wishes): Promise<{ view: View; refused: Wishes; given_up: boolean }> {
  const refused = new Map<string, Wish>();
  for (const [pointer, wish] of wishes) {
    const answer = await attempt(ask, view.scenario, wish);
    if (answer.ok) view = answer.value;
    else if (answer.problem.code === superseded) return { view, refused: wishes, given_up: true };
    else refused.set(pointer, { ...wish, problem: answer.problem });
  }
  return { view, refused, given_up: false };
}

type Go = (next: Address, how: "push" | "replace") => void;

/** The address bar and the way to change it; `arrived` hears of Back and Forward. */
function useAddress(arrived: () => void): [Address, Go] {
  const [address, setAddress] = useState(readAddress);
  const go: Go = (next, how) => {
    const place = next.hash || location.pathname + location.search;
    if (how === "push") history.pushState({ row: next.row }, "", place);
    else history.replaceState({ row: next.row }, "", place);
    setAddress(next);
  };
  useEffect(() => {
    const arrive = (): void => {
      arrived();
      setAddress(readAddress());
    };
    addEventListener("popstate", arrive);
    return () => removeEventListener("popstate", arrive);
  }, []);
  return [address, go];
}

interface Opening { shown: Shown | undefined; isCurrent: boolean; show(next: Shown): void; /** Opens the address once more. */ again(): void }

/** Opens each address, or the same one in another language. The address bar then holds the canonical link, unless part of it was refused. */
function useOpening(ask: Ask, address: Address, go: Go): Opening {
  const [shown, setShown] = useState<Shown | undefined>();
  const [repeats, setRepeats] = useState(0);
  const turns = useRef(0);
  const isCurrent = shown?.ask === ask && shown.hash === address.hash;
  useEffect(() => {
    if (isCurrent) return;
    const turn = ++turns.current;
    void openLink(ask, address.hash).then((opened) => {
      const given_up = !opened.view.ok && opened.view.problem.code === superseded;
      if (turn !== turns.current || given_up) return;
      const canonical = opened.view.ok && opened.refused.length === 0 && address.hash !== "" ? opened.view.value.link : address.hash;
      setShown({ ask, hash: canonical, opened });
      if (canonical !== address.hash) go({ ...address, hash: canonical }, "replace");
    });
  }, [ask, address.hash, repeats]);
  const show = (next: Shown): void => {
    ++turns.current;
    setShown(next);
  };
  return { shown, isCurrent, show, again: () => setRepeats((n) => n + 1) };
}

export function useSession(ask: Ask): Session {
  const [wishes, setWishes] = useState<Wishes>(new Map());
  const [working, setWorking] = useState(false);
  const settled = useRef(true);
  const turns = useRef(0);
  const later = useAfterPaint();
  const forget = (): void => {
    ++turns.current;
    setWorking(false);
    setWishes(new Map());
  };
  const [address, go] = useAddress(() => {
    settled.current = true;
    forget();
  });
  const { shown, isCurrent, show, again } = useOpening(ask, address, go);
  const lastGood = useRef<View | undefined>(undefined);
  if (shown?.opened.view.ok) lastGood.current = shown.opened.view.value;
  const view = lastGood.current;

  const run = async (pending: Wishes): Promise<void> => {
    if (!view) return;
    const turn = ++turns.current;
    setWorking(true);
    const result = await grant(ask, view, pending);
    if (turn !== turns.current || result.given_up) return;
    setWorking(false);
    setWishes(result.refused);
    // Nothing new came of it; what it may have interrupted is asked again.
    if (result.view.link === view.link) return again();
    show({ ask, hash: result.view.link, opened: { view: { ok: true, value: result.view }, refused: [] } });
    go({ hash: result.view.link, row: readAddress().row }, settled.current ? "push" : "replace");
    settled.current = false;
  };
  // Another language: refused wishes get their sentence in it.
  useEffect(() => {
    if (isCurrent && wishes.size > 0) void run(wishes);
  }, [shown?.ask]);

  return {
    opened: shown?.opened, view, wishes, row: address.row, busy: working || !isCurrent,
    change(control, text) {
      const next = new Map(wishes).set(control.pointer, { ...wishes.get(control.pointer), control, text });
      setWishes(next);
      later(() => void run(next));
    },
    settle() { settled.current = true; },
    toggleRow(row) { go({ hash: address.hash, row: row === address.row ? null : row }, "push"); },
    open(hash) {
      forget();
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
