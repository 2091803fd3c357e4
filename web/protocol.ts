/** What the core answers (core/view/view.hpp); field names are the structs'. Empty texts, false and empty arrays may be left out. */

export type Language = "en" | "zh";
export type Strings = Readonly<Record<string, string>>;

/** A sparse scenario. The page carries it from answer to request and never looks inside, but for `isPlan`. */
export type Scenario = Readonly<Record<string, unknown>>;

export interface Option { value: string; label: string }

export interface Control {
  id: string;
  pointer: string;
  label: string;
  help?: string;
  unit?: string;
  kind: "choice" | "multiple" | "number" | "toggle";
  value: string;
  default_value?: string;
  options?: Option[];
  minimum?: number;
  maximum?: number;
  step?: number;
  integer?: boolean;
  in_line?: boolean;
}

export interface BarPart { id: string; label: string; text: string; fraction: number }

export interface Cell {
  text?: string;
  unit?: string;
  sub?: string;
  strong?: boolean;
  weak?: boolean;
  bar?: BarPart[];
  range?: [number, number];
}

export interface Column { id: string; label: string; help?: string; number?: boolean }
export interface Row { link: string; key: string; pareto?: boolean; cells: Cell[] }

export interface Table {
  id: string;
  title?: string;
  subtitle?: string;
  summary?: string;
  empty?: string;
  /** Of the model that the person named, not of a typical one. */
  chosen?: boolean;
  columns: Column[];
  rows: Row[];
}

export interface Note { code: string; severity: "info" | "warning" | "problem"; text: string }

export interface View {
  link: string;
  scenario: Scenario;
  controls: Control[];
  tables: Table[];
  notes?: Note[];
  data_line?: string;
}

export interface Figure { id: string; label: string; text: string; unit?: string; range?: string }

export interface ExplainLine {
  term: string;
  label?: string;
  formula?: string;
  value?: string;
  source?: string;
  section?: string;
  inputs?: Figure[];
}

export interface RankCell { node: number; gpu: number; tp: number; pp: number; dp: number; cp: number }

export interface Detail {
  link: string;
  title: string;
  subtitle?: string;
  verdict?: string;
  fits?: boolean;
  figures?: Figure[];
  memory?: BarPart[];
  memory_text?: string;
  memory_where?: string;
  time?: BarPart[];
  time_text?: string;
  messages?: Table;
  nodes?: number;
  gpus_per_node?: number;
  ranks?: RankCell[];
  ranks_left_out?: number;
  explain?: ExplainLine[];
  notes?: Note[];
}

/** What a brought model or profile puts into a scenario. */
export interface Use { pointer: "/model" | "/hardware/profile"; value: object }

/** What the core found in files, a text or an id. */
export interface Inspected {
  kind: string;
  title: string;
  subtitle: string;
  figures: Figure[];
  formats: { id: string; label: string; text: string; unit: string; fraction: number }[];
  notes: Note[];
  use: Use | null;
}

/** The core has to see more of a file: its first `bytes`. */
export interface Need { need: { file: number; bytes: number; from?: number; piece?: number; states?: unknown[] } }
export const isNeed = (answer: Inspected | Need): answer is Need => "need" in answer;

/** One clear sentence about one field, already in the asked language. */
export interface Problem { pointer: string; code: string; message: string; nearest?: string[] }

export type Answer<T> = { ok: true; value: T } | { ok: false; problem: Problem };

/** What may be written into a scenario's field; null means "choose for me". */
export type FieldValue = string | number | boolean | string[] | object | null;
