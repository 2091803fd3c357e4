import assert from "node:assert/strict";
import { test } from "node:test";
import { askIn, coreStopped, today } from "../../web/ask.ts";
import { isPlan, openLink } from "../../web/link.ts";
import { coreOnThisThread } from "../../web/async-core.ts";
import { fixtureCore } from "./fixtures/core.ts";

const ask = askIn(coreOnThisThread(fixtureCore()), "en", "2026-12-01");

test("no fragment opens the defaults, without a word", async () => {
  const opened = await openLink(ask, "");
  assert.ok(opened.view.ok);
  assert.deepEqual(opened.refused, []);
});

test("a good link opens what it says", async () => {
  const opened = await openLink(ask, `#v1?/task=${encodeURIComponent('"lora"')}`);
  assert.ok(opened.view.ok);
  assert.deepEqual(opened.view.value.scenario, { "/task": "lora" });
  assert.deepEqual(opened.refused, []);
});

test("a field that is refused is named and left out; the rest of the link opens", async () => {
  const opened = await openLink(ask, `#v1?/task=${encodeURIComponent('"lora"')}&/workload/context=-5`);
  assert.ok(opened.view.ok);
  assert.deepEqual(opened.view.value.scenario, { "/task": "lora" });
  assert.equal(opened.refused.length, 1);
  assert.match(opened.refused[0] ?? "", /context must be a whole number/);
});

test("a link that cannot be read at all opens the defaults and says why", async () => {
  const opened = await openLink(ask, "#v1?%E0%A4%A");
  assert.ok(opened.view.ok);
  assert.deepEqual(opened.view.value.scenario, {});
  assert.equal(opened.refused.length, 1);
});

test("a core that stops is a problem of its own kind, not an exception", async () => {
  const stopped = askIn({ call: async () => { throw new Error("unreachable"); } }, "en", "2026-12-01");
  const answer = await stopped.view({ scenario: {} });
  assert.ok(!answer.ok);
  assert.equal(answer.problem.code, coreStopped);
});

test("a plan is a scenario with model, machine and layout", async () => {
  assert.ok(isPlan({ model: {}, hardware: {}, layout: {} }));
  assert.ok(!isPlan({ model: {}, task: "lora" }));
});

test("the day is the person's own, as YYYY-MM-DD", async () => {
  assert.equal(today(new Date(2026, 0, 5, 23, 59)), "2026-01-05");
});
