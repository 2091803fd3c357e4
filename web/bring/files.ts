/**
 * Files for the core: of each only what its header needs, so that a file of any size opens at once.
 *
 *   first megabyte ──► core ──need: file, from, piece, states──► next piece with the states ──► … ──► what was found
 */
import type { Ask, FilePiece, Later } from "../ask.ts";
import { isNeed, type Inspected } from "../protocol.ts";

const first_bytes = 1 << 20;
/** Beyond this the core refuses a request; no JSON that describes a model is larger. */
const most_bytes = 11 << 20;

const isText = (file: File): boolean => /\.(json|txt)$/i.test(file.name);
const ends = (code: string): { ok: false; problem: { pointer: string; code: string; message: string } } => ({ ok: false, problem: { pointer: "", code, message: "" } });

/** Base64 by the browser's own, off the page's thread. */
const base64 = (part: Blob): Promise<string> => new Promise((resolve, reject) => {
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
  reader.onerror = () => reject(reader.error ?? new Error("unreadable"));
  reader.readAsDataURL(part);
});

/** Shows the core one piece after the other until it has seen the headers. What is too large or cannot be read is a problem with that code. */
export async function inspectFiles(ask: Ask, files: readonly File[]): Later<Inspected> {
  let slices = files.map((file) => file.slice(0, isText(file) ? file.size : first_bytes));
  let states: readonly unknown[] = [];
  for (let read = 0; ;) {
    if (slices.reduce((sum, slice) => sum + slice.size, 0) > most_bytes) return ends("too-large");
    let given: FilePiece[];
    try {
      given = await Promise.all(files.map(async (file, at) => ({ name: file.name, base64: await base64(slices[at] ?? new Blob()), file_bytes: file.size, state: states[at] ?? null })));
    } catch {
      return ends("unreadable");
    }
    const answer = await ask.inspect({ files: given });
    if (!answer.ok) return answer;
    if (!isNeed(answer.value)) return { ok: true, value: answer.value };
    const { file, bytes, from, piece, states: next } = answer.value.need;
    // A header that goes on is read from where it stopped; without a state, from its start once more.
    const slice = from !== undefined && piece !== undefined ? files[file]?.slice(from, from + piece) : files[file]?.slice(0, bytes);
    if (!slice || slice.size === 0 || (from === undefined && slice.size <= (slices[file]?.size ?? 0)) || ++read > 10_000) return ends("unreadable");
    states = next ?? [];
    slices = slices.map((old, at) => (at === file ? slice : states[at] ? new Blob() : old));
  }
}
