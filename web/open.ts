/** Brings the core in: over the network where there is one, from the copy beside the page where it is opened as a file. */
import type { AsyncCore } from "./async-core.ts";
import { growing } from "./growing.ts";
import { coreOf } from "./thread.ts";
import wasm from "core.wasm?url";
import fullWasm from "core-full.wasm?url";

declare global {
  /** Set by core.embedded.js, which the build writes for pages opened as files: the module in base64. */
  var gpuplanCore: string | undefined;
}

export async function openPageCore(): Promise<AsyncCore> {
  if (location.protocol === "file:") return coreOf(await WebAssembly.compile(await embedded()));
  return growing(coreOf(await compile(fetch(wasm))), async () => coreOf(await compile(fetch(fullWasm))));
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
