/** The worker's side of web/thread.ts: the first message is the compiled module, every further one a request. */
import { openCore } from "./core/loader.ts";
import type { Reply } from "./thread.ts";

const reply = (message: Reply): void => postMessage(message);

addEventListener("message", (first: MessageEvent<WebAssembly.Module>) => {
  const core = openCore(first.data);
  addEventListener("message", (event: MessageEvent<string>) => {
    try {
      reply({ answer: core.call(event.data) });
    } catch (cause) {
      reply({ fault: String(cause) });
    }
  });
}, { once: true });
