/**
 * The core off the page's own thread: a search may take a while, and keys must not wait for it.
 *
 *   ask ──request──► queue ──one at a time──► worker (web/worker.ts) ──answer──► ask
 *
 * A request that replaces the running one (the person has typed on) stops the worker and starts another with the same compiled module.
 */
import { coreOnThisThread, Superseded, type AsyncCore } from "./async-core.ts";
import { openCore } from "./core/loader.ts";
import workerAddress from "./worker.ts?worker&url";

interface Job { request: string; replaceable: boolean; resolve(answer: string): void; reject(cause: Error): void }
export type Reply = { answer: string } | { fault: string };

/** Starting a worker anew takes about as long as a short search: those are waited for. */
const worth_stopping_ms = 300;

export function coreInWorker(module: WebAssembly.Module): AsyncCore {
  const waiting: Job[] = [];
  let running: { job: Job; since: number; worker: Worker } | undefined;
  let idle: Worker | undefined;

  const start = (): Worker => {
    const worker = new Worker(workerAddress);
    worker.postMessage(module);
    return worker;
  };
  const next = (): void => {
    const job = running ? undefined : waiting.shift();
    if (!job) return;
    const worker = idle ?? start();
    idle = undefined;
    running = { job, since: performance.now(), worker };
    worker.onmessage = (event: MessageEvent<Reply>) => {
      running = undefined;
      idle = worker;
      if ("answer" in event.data) job.resolve(event.data.answer);
      else job.reject(new Error(event.data.fault));
      next();
    };
    worker.postMessage(job.request);
  };
  const supersede = (): void => {
    for (const job of waiting.filter((each) => each.replaceable)) {
      waiting.splice(waiting.indexOf(job), 1);
      job.reject(new Superseded());
    }
    if (!running?.job.replaceable || performance.now() - running.since < worth_stopping_ms) return;
    running.worker.terminate();
    running.job.reject(new Superseded());
    running = undefined;
  };
  return {
    call: (request, { replaceable = false, replaces = false } = {}) => new Promise((resolve, reject) => {
      if (replaces) supersede();
      waiting.push({ request, replaceable, resolve, reject });
      next();
    }),
  };
}

export const coreOf = (module: WebAssembly.Module): AsyncCore =>
  location.protocol === "file:" ? coreOnThisThread(openCore(module)) : coreInWorker(module);
