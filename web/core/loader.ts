/**
 * The seam to the C++ core (core/api/abi.hpp): text of JSON in, text of JSON out. The same file runs in the browser and in Node.
 *
 *   call(request) ── UTF-8 ──► memory of the instance ── gpuplan_call ──► UTF-8 ── string
 *
 * A trap (a fault of ours) costs the instance, not the page: it is thrown away, CoreFault tells which request did it, and the next call
 * starts a fresh one.
 */

/** The core stopped inside this request; the next call works again. */
export class CoreFault extends Error {
  constructor(readonly request: string, cause: unknown) {
    super(`the core stopped: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = "CoreFault";
  }
}

export interface Core {
  /** One request of the protocol (api.md). Throws CoreFault when the core stops; bad input is an answer, not a throw. */
  call(request: string): string;
}

interface Exports {
  memory: WebAssembly.Memory;
  _initialize?(): void;
  gpuplan_allocate(size: number): number;
  gpuplan_free(bytes: number): void;
  gpuplan_call(request: number, size: number): number;
  gpuplan_response(): number;
}

/** The core does no input or output: each import of the C library answers "not supported", and an exit is a fault. */
export function instantiate<E extends { _initialize?(): void } = Exports>(module: WebAssembly.Module): E {
  const imports: Record<string, Record<string, () => number>> = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = () => {
      if (name === "proc_exit") throw new Error("exit");
      return notSupported;
    };
  }
  const exports = new WebAssembly.Instance(module, imports).exports as unknown as E;
  exports._initialize?.();
  return exports;
}
const notSupported = 58; // errno of WASI

function exchange(core: Exports, request: string): string {
  const bytes = new TextEncoder().encode(request);
  const at = core.gpuplan_allocate(bytes.length);
  if (at === 0) throw new Error("out of memory");
  new Uint8Array(core.memory.buffer, at, bytes.length).set(bytes);
  const length = core.gpuplan_call(at, bytes.length);
  core.gpuplan_free(at);
  return new TextDecoder().decode(new Uint8Array(core.memory.buffer, core.gpuplan_response(), length));
}

/** A core over a compiled module: `openCore(await WebAssembly.compile(bytes))`. */
export function openCore(module: WebAssembly.Module): Core {
  let exports: Exports | undefined;
  return {
    call(request) {
      try {
        exports ??= instantiate(module);
        return exchange(exports, request);
      } catch (cause) {
        exports = undefined;
        throw new CoreFault(request, cause);
      }
    },
  };
}
