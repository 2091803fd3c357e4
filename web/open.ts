/** Brings the core in: over the network where there is one, from the copy beside the page where it is opened as a file. */
import { openCore, type Core } from "./core/loader.ts";
import wasm from "core.wasm?url";
import fullWasm from "core-full.wasm?url";

declare global {
  /** Set by core.embedded.js, which the build writes for pages opened as files: the module in base64. */
  var gpuplanCore: string | undefined;
}

/**
 * The first load is the small core, which reads no models and profiles that a person brings. When a request needs that, `replaced` gets the
 * full core as soon as it is here; until then the answer is the small one's refusal.
 */
export async function openPageCore(replaced: (full: Core) => void): Promise<Core> {
  if (location.protocol === "file:") return openCore(await WebAssembly.compile(await embedded()));
  const small = openCore(await compile(fetch(wasm)));
  const fetchFull = (): void => void compile(fetch(fullWasm)).then((module) => replaced(openCore(module)), console.error);
  return watched(small, fetchFull);
}

/** Calls `elsewhere` the first time that the small core refers to the full one. */
export function watched(small: Core, elsewhere: () => void): Core {
  let referred = false;
  return {
    call(request) {
      const answer = small.call(request);
      if (!referred && answer.startsWith('{"error":{"code":"elsewhere"')) {
        referred = true;
        elsewhere();
      }
      return answer;
    },
  };
}

/** Some servers do not know the type of .wasm files; those are compiled from their bytes. */
async function compile(response: Promise<Response>): Promise<WebAssembly.Module> {
  const answer = await response;
  if (!answer.ok) throw new Error(`${answer.status} ${answer.url}`);
  const streaming = answer.headers.get("content-type") === "application/wasm";
  return streaming ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}

/** A file may not fetch its neighbours, but it may run their scripts. */
async function embedded(): Promise<Uint8Array<ArrayBuffer>> {
  await new Promise<void>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = "./core.embedded.js";
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(script.src));
    document.head.append(script);
  });
  return Uint8Array.from(atob(globalThis.gpuplanCore ?? ""), (letter) => letter.charCodeAt(0));
}
