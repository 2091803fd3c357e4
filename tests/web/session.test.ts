import assert from "node:assert/strict";
import { test } from "node:test";
import { askIn } from "../../web/ask.ts";
import { remembering } from "../../web/remember.ts";
import { grant, type Wish } from "../../web/session.ts";
import { fixtureCore } from "./fixtures/core.ts";

const ask = askIn(fixtureCore(), "en", "2026-12-01");
const start = () => {
  const answer = ask.view({ scenario: {} });
  assert.ok(answer.ok);
  return answer.value;
};
const wish = (id: string, text: string): [string, Wish] => {
  const control = start().controls.find((each) => each.id === id);
  assert.ok(control);
  return [control.pointer, { control, text }];
};

test("a wish that the core accepts becomes part of the scenario and of the link", () => {
  const { view, refused } = grant(ask, start(), new Map([wish("task", "lora")]));
  assert.deepEqual(view.scenario, { "/task": "lora" });
  assert.match(view.link, /lora/);
  assert.equal(refused.size, 0);
});

test("a wish that the core refuses leaves the last good view and carries the core's sentence", () => {
  const before = start();
  const { view, refused } = grant(ask, before, new Map([wish("context", "-5")]));
  assert.equal(view, before);
  assert.match(refused.get("/workload/context")?.problem?.message ?? "", /must be a whole number/);
});

test("a refused wish does not keep the others from being granted", () => {
  const { view, refused } = grant(ask, start(), new Map([wish("context", "oops"), wish("task", "qlora")]));
  assert.deepEqual(view.scenario, { "/task": "qlora" });
  assert.deepEqual([...refused.keys()], ["/workload/context"]);
});

test("the same view is computed once", () => {
  let calls = 0;
  const core = fixtureCore();
  const counting = remembering(askIn({ call: (request) => { ++calls; return core.call(request); } }, "en", "2026-12-01"));
  const first = counting.view({ scenario: { "/task": "lora" } });
  assert.ok(first.ok);
  counting.view({ scenario: first.value.scenario });
  counting.view({ scenario: { "/task": "lora" } });
  assert.equal(calls, 1);
});

test("a refused view is asked again, for the core may answer next time", () => {
  let calls = 0;
  const failing = remembering(askIn({ call: () => { ++calls; throw new Error("stopped"); } }, "en", "2026-12-01"));
  failing.view({ scenario: {} });
  failing.view({ scenario: {} });
  assert.equal(calls, 2);
});
