/** The core's operations as typed functions. Bad input and a stopped core both come back as a Problem; nothing here throws. */
import type { Core } from "./core/loader.ts";
import type { Answer, Detail, FieldValue, Language, Note, Scenario, Strings, View } from "./protocol.ts";

/** The day that ages of prices count from; the core has no clock. */
export const today = (at: Date): string =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, "0")).join("-");

export interface Ask {
  strings(): Answer<{ strings: Strings }>;
  view(of: { scenario: Scenario } | { link: string }): Answer<View>;
  detail(link: string): Answer<Detail>;
  set(scenario: Scenario, pointer: string, value: FieldValue): Answer<{ scenario: Scenario; link: string }>;
  decode(link: string): Answer<{ scenario: Scenario; notes?: Note[] }>;
  table(of: { scenario: Scenario }, table: string, format: ExportFormat): Answer<{ text: string }>;
}

interface Tier { id: string }

/** A table as data is its tier of the answer "tiers", raw figures and all. */
function tierAsJson(answer: Answer<{ tiers: Tier[] }>, id: string): Answer<{ text: string }> {
  if (!answer.ok) return answer;
  const tier = answer.value.tiers.find((each) => each.id === id);
  return { ok: true, value: { text: `${JSON.stringify(tier, null, 2)}\n` } };
}

export type ExportFormat = "csv" | "markdown" | "json";

/** `page.error.fault` is looked up by whoever shows the problem: without the core there may be no texts at all. */
export const coreStopped = "core-stopped";

export function askIn(core: Core, lang: Language, now: string): Ask {
  const ask = <T>(op: string, fields: object): Answer<T> => {
    try {
      const answer = JSON.parse(core.call(JSON.stringify({ op, lang, now, ...fields })));
      return answer.error ? { ok: false, problem: answer.error } : { ok: true, value: answer };
    } catch (cause) {
      return { ok: false, problem: { pointer: "", code: coreStopped, message: String(cause) } };
    }
  };
  return {
    strings: () => ask("strings", {}),
    view: (of) => ask("view", of),
    detail: (link) => ask("detail", { link }),
    set: (scenario, pointer, value) => ask("set", { scenario, pointer, value }),
    decode: (link) => ask("decode", { link }),
    table: (of, table, format) => (format === "json" ? tierAsJson(ask("tiers", of), table) : ask("export", { ...of, table, format })),
  };
}
