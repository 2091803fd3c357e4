/** The core's operations as typed functions. Bad input and a stopped core both come back as a Problem; nothing here throws. */
import { Superseded, type AsyncCore } from "./async-core.ts";
import type { Answer, Detail, FieldValue, Inspected, Language, Need, Note, Scenario, Strings, View } from "./protocol.ts";

/** The day that ages of prices count from; the core has no clock. */
export const today = (at: Date): string =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, "0")).join("-");

export type Later<T> = Promise<Answer<T>>;
export type ViewOf = { scenario: Scenario } | { link: string };

export interface Ask {
  strings(): Later<{ strings: Strings }>;
  /** The newest view is the one that counts: an older one that is still being computed is given up (`superseded`). */
  view(of: ViewOf): Later<View>;
  detail(link: string): Later<Detail>;
  set(scenario: Scenario, pointer: string, value: FieldValue): Later<{ scenario: Scenario; link: string }>;
  decode(link: string): Later<{ scenario: Scenario; notes?: Note[] }>;
  /** A model of the catalog, a JSON text, or the first bytes of files; the answer may be that more of a file is needed. */
  inspect(what: { id: string } | { text: string } | { files: FilePiece[] }): Later<Inspected | Need>;
  table(of: ViewOf, table: string, format: ExportFormat): Later<{ text: string }>;
}

/** Bytes of a file in order, with the state that the core gave for what came before. */
export interface FilePiece { name: string; base64: string; file_bytes: number; state: unknown }

export type ExportFormat = "csv" | "markdown" | "json";

/** Problems of the page's own, beside the core's: what they say is looked up where they are shown. */
export const coreStopped = "core-stopped";
export const superseded = "superseded";

interface Tier { id: string }

/** A table as data is its tier of the answer "tiers", raw figures and all. */
function tierAsJson(answer: Answer<{ tiers: Tier[] }>, id: string): Answer<{ text: string }> {
  if (!answer.ok) return answer;
  const tier = answer.value.tiers.find((each) => each.id === id);
  return { ok: true, value: { text: `${JSON.stringify(tier, null, 2)}\n` } };
}

/** The steps towards a new view. When one of them is asked, a view that is still being computed is no longer wanted. */
const steps: ReadonlySet<string> = new Set(["view", "set", "decode"]);

export function askIn(core: AsyncCore, lang: Language, now: string): Ask {
  const ask = async <T>(op: string, fields: object): Later<T> => {
    try {
      const answer = JSON.parse(await core.call(JSON.stringify({ op, lang, now, ...fields }), { replaceable: op === "view", replaces: steps.has(op) }));
      return answer.error ? { ok: false, problem: answer.error } : { ok: true, value: answer };
    } catch (cause) {
      const code = cause instanceof Superseded ? superseded : coreStopped;
      return { ok: false, problem: { pointer: "", code, message: String(cause) } };
    }
  };
  return {
    strings: () => ask("strings", {}),
    view: (of) => ask("view", of),
    detail: (link) => ask("detail", { link }),
    set: (scenario, pointer, value) => ask("set", { scenario, pointer, value }),
    decode: (link) => ask("decode", { link }),
    inspect: (what) => ask("inspect_view", what),
    table: async (of, table, format) => (format === "json" ? tierAsJson(await ask("tiers", of), table) : ask("export", { ...of, table, format })),
  };
}
