import assert from "node:assert/strict";
import { test } from "node:test";
import type { AsyncCore } from "../../web/async-core.ts";
import { growing } from "../../web/growing.ts";

const refusal = '{"error":{"code":"elsewhere","message":"","nearest":[],"pointer":""}}';

/** A core that answers with its name, and refuses what holds "inspect". */
function named(name: string, refuses = false): AsyncCore & { asked: string[] } {
  const asked: string[] = [];
  return { asked, async call(request) { asked.push(request); return refuses && request.includes("inspect") ? refusal : name; } };
}

test("the small core answers until it refers to the full one, which then answers everything", async () => {
  const small = named("small", true), full = named("full");
  let fetched = 0;
  const core = growing(small, async () => { ++fetched; return full; });
  assert.equal(await core.call("view"), "small");
  assert.equal(await core.call("inspect"), "full");
  assert.equal(await core.call("view"), "full");
  assert.deepEqual([fetched, small.asked, full.asked], [1, ["view", "inspect"], ["inspect", "view"]]);
});

test("two requests at once fetch it once", async () => {
  let fetched = 0;
  const core = growing(named("small", true), async () => { ++fetched; return named("full"); });
  assert.deepEqual(await Promise.all([core.call("inspect 1"), core.call("inspect 2")]), ["full", "full"]);
  assert.equal(fetched, 1);
});

test("without a network the refusal stands, and the next request tries again", async (t) => {
  t.mock.method(console, "error", () => undefined);
  let online = false;
  const core = growing(named("small", true), async () => { if (!online) throw new TypeError("offline"); return named("full"); });
  assert.equal(await core.call("inspect"), refusal);
  assert.equal(await core.call("view"), "small");
  online = true;
  assert.equal(await core.call("inspect"), "full");
});
