/** Files for the core: of each only as many first bytes as its header needs, so that a file of any size opens at once. */
import type { Ask, Later } from "../ask.ts";
import { isNeed, type Inspected } from "../protocol.ts";

const first_bytes = 1 << 20;
/** Beyond this the core refuses a request; nothing that describes a model is larger. */
const most_bytes = 11 << 20;

const isText = (file: File): boolean => /\.(json|txt)$/i.test(file.name);

/** Base64 by the browser's own, off the page's thread. */
const base64 = (part: Blob): Promise<string> => new Promise((resolve, reject) => {
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
  reader.onerror = () => reject(reader.error ?? new Error("unreadable"));
  reader.readAsDataURL(part);
});

/** Shows the core more of a file until it has seen the header. What is too large or cannot be read comes back as a problem with that code. */
export async function inspectFiles(ask: Ask, files: readonly File[]): Later<Inspected> {
  const shown = files.map((file) => Math.min(file.size, isText(file) ? file.size : first_bytes));
  for (;;) {
    if (shown.reduce((sum, bytes) => sum + bytes, 0) > most_bytes) return problem("too-large");
    let parts;
    try {
      parts = await Promise.all(files.map(async (file, at) => ({ name: file.name, base64: await base64(file.slice(0, shown[at])), file_bytes: file.size })));
    } catch {
      return problem("unreadable");
    }
    const answer = await ask.inspect({ files: parts });
    if (!answer.ok) return answer;
    if (!isNeed(answer.value)) return { ok: true, value: answer.value };
    const { file, bytes } = answer.value.need;
    if (bytes <= (shown[file] ?? 0)) return problem("unreadable");
    shown[file] = Math.min(bytes, files[file]?.size ?? 0);
  }
}

const problem = (code: string): { ok: false; problem: { pointer: string; code: string; message: string } } => ({ ok: false, problem: { pointer: "", code, message: "" } });
