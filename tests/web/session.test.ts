import assert from "node:assert/strict";
import { test } from "node:test";
import { askIn } from "../../web/ask.ts";
import { remembering } from "../../web/remember.ts";
import { grant, type Wish } from "../../web/session.ts";
import { coreOnThisThread } from "../../web/async-core.ts";
import { fixtureCore } from "./fixtures/core.ts";

const ask = askIn(coreOnThisThread(fixtureCore()), "en", "2026-12-01");
const start = async () => {
  const answer = await ask.view({ scenario: {} });
  assert.ok(answer.ok);
  return answer.value;
};
const wish = async (id: string, text: string): Promise<[string, Wish]> => {
  const control = (await start()).controls.find((each) => each.id === id);
  assert.ok(control);
  return [control.pointer, { control, text }];
};

test("a wish that the core accepts becomes part of the scenario and of the link", async () => {
  const { view, refused } = await grant(ask, await start(), new Map([await wish("task", "lora")]));
  assert.deepEqual(view.scenario, { "/task": "lora" });
  assert.match(view.link, /lora/);
  assert.equal(refused.size, 0);
});

test("a wish that the core refuses leaves the last good view and carries the core's sentence", async () => {
  const before = await start();
  const { view, refused } = await grant(ask, before, new Map([await wish("context", "-5")]));
  assert.equal(view, before);
  assert.match(refused.get("/workload/context")?.problem?.message ?? "", /must be a whole number/);
});

test("a refused wish does not keep the others from being granted", async () => {
  const { view, refused } = await grant(ask, await start(), new Map([await wish("context", "oops"), await wish("task", "qlora")]));
  assert.deepEqual(view.scenario, { "/task": "qlora" });
  assert.deepEqual([...refused.keys()], ["/workload/context"]);
});

test("the same view is computed once", async () => {
  let calls = 0;
  const core = fixtureCore();
  const counting = remembering(askIn({ call: async (request) => { ++calls; return core.call(request); } }, "en", "2026-12-01"));
  const first = await counting.view({ scenario: { "/task": "lora" } });
  assert.ok(first.ok);
  await counting.view({ scenario: first.value.scenario });
  await counting.view({ scenario: { "/task": "lora" } });
  assert.equal(calls, 1);
});

test("a refused view is asked again, for the core may answer next time", async () => {
  let calls = 0;
  const failing = remembering(askIn({ call: async () => { ++calls; throw new Error("stopped"); } }, "en", "2026-12-01"));
  await failing.view({ scenario: {} });
  await failing.view({ scenario: {} });
  assert.equal(calls, 2);
});
