/** Native and WebAssembly answers are the same bytes: the command line and core.wasm answer the same generated requests. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { openCore } from "../../web/core/loader.ts";
import { Generator, tasks, type Known, type Request } from "./scenarios.ts";

const root = join(import.meta.dirname, "../..");
const cli = process.env["GPUPLAN_CLI"] ?? join(root, "build/dev/native/cli/gpuplan");
const wasm = process.env["GPUPLAN_WASM"] ?? join(root, "build/wasm/web/core.wasm");
const perTask = Number(process.env["GPUPLAN_PARITY_PER_TASK"] ?? 400);

const open = (file: string) => openCore(new WebAssembly.Module(readFileSync(file)));
const core = open(wasm);
const fullCore = open(wasm.replace(/core\.wasm$/, "core-full.wasm"));

/** As the page asks: first the small core, the full one where it refers to it. */
const asked = {
  call(line: string): string {
    const answer = core.call(line);
    return answer.startsWith('{"error":{"code":"elsewhere"') ? fullCore.call(line) : answer;
  },
};

/** One line of the command line's answer per request. */
function native(lines: string[]): string[] {
  const run = spawnSync(cli, ["call", "--ndjson"], { input: lines.join("\n") + "\n", maxBuffer: 1 << 30 });
  assert.equal(run.error, undefined, `${cli} does not run: ${run.error?.message}`);
  return run.stdout.toString().split("\n").slice(0, -1);
}

/** Asserts that each line has one answer, the same bytes on both sides, and returns the answers. */
function sameBytes(lines: string[], module: { call(line: string): string } = asked): string[] {
  const answers = native(lines);
  assert.equal(answers.length, lines.length, "one answer per line");
  lines.forEach((line, i) => {
    const other = module.call(line);
    if (answers[i] !== other) assert.fail(`${difference(answers[i] ?? "", other)}\nrequest: ${line}`);
  });
  return answers;
}

function difference(a: string, b: string): string {
  let at = 0;
  while (a[at] === b[at]) at++;
  return `differs at ${at}:\n  native …${a.slice(Math.max(0, at - 60), at + 60)}\n  wasm   …${b.slice(Math.max(0, at - 60), at + 60)}`;
}

/** Ids of one list of the catalog. */
function idsOf(what: string): string[] {
  const answer = JSON.parse(fullCore.call(JSON.stringify({ op: "catalog", what }))) as Record<string, Array<{ id: string }>>;
  assert.ok(answer[what]?.length, `the catalog lists ${what}`);
  return answer[what].map((entry) => entry.id);
}

const known: Known = { models: idsOf("models"), gpus: idsOf("gpus"), instances: idsOf("instances") };
const text = (requests: Request[]) => requests.map((request) => JSON.stringify(request));
const isError = (answer: string) => answer.startsWith('{"error"');

tasks.forEach((task, seed) => {
  test(`${task}: ${perTask} estimates are the same bytes`, () => {
    const generator = new Generator(1000 + seed, known);
    const answers = sameBytes(text(Array.from({ length: perTask }, () => generator.request("estimate", generator.scenario(task)))));
    const answered = answers.filter((answer) => !isError(answer)).length;
    assert.ok(answered >= perTask * 0.3, `only ${answered} of ${perTask} scenarios were answered: the generator no longer makes valid ones`);
  });
});

test("refusals are the same bytes", () => {
  const generator = new Generator(2000, known);
  const answers = sameBytes(text(tasks.flatMap((task) => Array.from({ length: 30 }, () => generator.request("estimate", generator.broken(task))))));
  assert.ok(answers.every(isError), "every broken scenario is refused");
});

test("searches, tables and links are the same bytes", () => {
  const generator = new Generator(3000, known);
  const requests = tasks.flatMap((task) => ["tiers", "plan", "encode", "view"].map((op) => generator.request(op, generator.scenario(task))));
  sameBytes(text(requests));
});

test("text that is no request gets the same answer", () => {
  const lines = ["{", "[]", "null", '"', "{}", '{"op":7}', '{"op":"guess"}', "[".repeat(100_000), '{"op":"estimate","scenario":{"model":{"id":"\\ud800"}}}', '{"op":"decode","link":"#v1?m=%zz"}'];
  sameBytes(lines);
});

test("what a person brings is read by the full core with the same bytes, and referred to it by the small one", () => {
  const config = {
    architectures: ["LlamaForCausalLM"], model_type: "llama", hidden_size: 2048, intermediate_size: 5632, num_hidden_layers: 22, num_attention_heads: 32,
    num_key_value_heads: 4, vocab_size: 32000, max_position_embeddings: 2048, torch_dtype: "bfloat16",
  };
  const scenario = { model: { hf_config: config }, task: "inference", hardware: { gpu: "nvidia-l4", gpus_per_node: 1, nodes: 1 } };
  const lines = [{ op: "estimate", scenario }, { op: "view", scenario }, { op: "inspect", text: JSON.stringify(config) }, { op: "encode", scenario }].map((request) => JSON.stringify(request));
  assert.ok(!sameBytes(lines, fullCore).some(isError), "the full core answers");
  assert.ok(core.call(lines[0] ?? "").startsWith('{"error":{"code":"elsewhere"'), "the small core refers to it");
});
