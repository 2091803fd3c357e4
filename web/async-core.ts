/** The core as the page asks it: later, because the answer may come from another thread. */
import type { Core } from "./core/loader.ts";

export interface Call {
  /** Another request may take its place while it runs: a search whose question has changed. */
  replaceable?: boolean;
  /** It asks something newer than what is running. */
  replaces?: boolean;
}

export interface AsyncCore {
  /** Rejects with Superseded when a newer request took its place, with another error when the core stopped. */
  call(request: string, how?: Call): Promise<string>;
}

export class Superseded extends Error {}

/** Pages opened as files may not start workers; there the core answers on the page's own thread. */
export const coreOnThisThread = (core: Core): AsyncCore => ({
  async call(request) {
    return core.call(request);
  },
});
