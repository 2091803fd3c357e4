/** config.json of a public model, fetched only when a person asks for it, from the host that the button names. */

export interface Hub { id: string; host: string; address(model: string): string }

const path = (model: string): string => model.split("/").map(encodeURIComponent).join("/");

/** index.html lets the page connect to these hosts and to no others. */
export const hubs: readonly Hub[] = [
  { id: "huggingface", host: "huggingface.co", address: (model) => `https://huggingface.co/${path(model)}/raw/main/config.json` },
  { id: "modelscope", host: "modelscope.cn", address: (model) => `https://modelscope.cn/models/${path(model)}/resolve/master/config.json` },
  { id: "hf-mirror", host: "hf-mirror.com", address: (model) => `https://hf-mirror.com/${path(model)}/raw/main/config.json` },
];

const most_characters = 1 << 20;

/** The text, or why there is none: a key below "page.bring.error." */
export type Fetched = { text: string } | { failed: "missing" | "gated" | "unreachable" | "refused" | "too-large"; status?: number };

/** An id as the hubs have it: organisation/model. */
export const isId = (id: string): boolean => /^[\w.-]{1,96}\/[\w.-]{1,96}$/.test(id);

export async function fetchConfig(hub: Hub, model: string): Promise<Fetched> {
  let answer: Response;
  try {
    answer = await fetch(hub.address(model), { credentials: "omit", referrerPolicy: "no-referrer", signal: AbortSignal.timeout(20_000) });
  } catch {
    return { failed: "unreachable" };
  }
  if (answer.status === 404) return { failed: "missing" };
  if (answer.status === 401 || answer.status === 403) return { failed: "gated" };
  if (!answer.ok) return { failed: "refused", status: answer.status };
  const text = await answer.text().catch(() => undefined);
  if (text === undefined) return { failed: "unreachable" };
  return text.length > most_characters ? { failed: "too-large" } : { text };
}
