/** From the address to a view, whatever the address holds: what cannot be used is named and left out, the rest opens. */
import { superseded, type Ask } from "./ask.ts";
import type { Answer, Problem, Scenario, View } from "./protocol.ts";

export interface Opened {
  view: Answer<View>;
  /** What of the link could not be used, one sentence each. */
  refused: string[];
}

/** A hostile link could hold any number of bad fields; after so many the defaults open. */
const most_refusals = 12;

export async function openLink(ask: Ask, hash: string): Promise<Opened> {
  if (hash === "" || hash === "#") return { view: await ask.view({ scenario: {} }), refused: [] };
  const decoded = await ask.decode(hash);
  if (!decoded.ok) return { view: await ask.view({ scenario: {} }), refused: [decoded.problem.message] };
  const refused = (decoded.value.notes ?? []).filter((note) => note.severity !== "info").map((note) => note.text);
  return openRest(ask, decoded.value.scenario, refused);
}

/** Takes out one refused field after the other until the core answers. */
async function openRest(ask: Ask, scenario: Scenario, refused: string[]): Promise<Opened> {
  for (let tries = 0; tries < most_refusals; ++tries) {
    const view = await ask.view({ scenario });
    if (view.ok || view.problem.code === superseded) return { view, refused };
    refused.push(view.problem.message);
    const rest = await without(ask, scenario, view.problem);
    if (!rest) break;
    scenario = rest;
  }
  return { view: await ask.view({ scenario: {} }), refused };
}

/** The problem may lie deeper than what can be set ("/model/id" is part of "/model"): then the whole is taken out. */
async function without(ask: Ask, scenario: Scenario, problem: Problem): Promise<Scenario | undefined> {
  for (let pointer = problem.pointer; pointer !== ""; pointer = pointer.slice(0, pointer.lastIndexOf("/"))) {
    const rest = await ask.set(scenario, pointer, null);
    if (rest.ok && JSON.stringify(rest.value.scenario) !== JSON.stringify(scenario)) return rest.value.scenario;
  }
  return undefined;
}

/** A row's link fixes machine and layout: such a scenario is one plan, and the page opens it in full. */
export const isPlan = (scenario: Scenario): boolean => "model" in scenario && "hardware" in scenario && "layout" in scenario;
