import { render } from "preact";
import { App } from "./app.tsx";
import { askIn, today } from "./ask.ts";
import { makeInstallable } from "./install.ts";
import { openPageCore } from "./open.ts";

async function start(): Promise<void> {
  const root = document.getElementById("page");
  const failed = document.getElementById("load-failed");
  if (!root) return;
  try {
    const core = await openPageCore();
    const texts = await askIn(core, "en", today(new Date())).strings();
    if (!texts.ok) throw new Error(texts.problem.message);
    root.replaceChildren();
    render(<App core={core} />, root);
    makeInstallable();
  } catch (cause) {
    // Without the core there are no texts: this one stands in index.html, in both languages.
    if (failed) failed.hidden = false;
    console.error(cause);
  }
}

void start();
