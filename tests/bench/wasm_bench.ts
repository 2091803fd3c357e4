/** The protocol's requests of estimate_bench.cpp in core.wasm under Node: node --import tsx tests/bench/wasm_bench.ts [core.wasm] */
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { openCore } from "../../web/core/loader.ts";

const seconds = 2;
const file = process.argv[2] ?? join(import.meta.dirname, "../../build/wasm/web/core.wasm");
const core = openCore(new WebAssembly.Module(readFileSync(file)));

const tiers = (task: string) => JSON.stringify({ op: "tiers", now: "2026-12-01", scenario: { task } });
const hardware = { gpu: "nvidia-l4", gpus_per_node: 1, nodes: 1 };
const estimate = JSON.stringify({ op: "estimate", now: "2026-12-01", scenario: { model: { id: "meta-llama/Llama-3.1-8B" }, task: "inference", hardware } });

const start = performance.now();
core.call('{"op":"encode","scenario":{}}');
console.log(`wasm/first_call (reads the catalogs) ${(performance.now() - start).toFixed(1)} ms`);

/** Milliseconds of one call: the median of as many as fit into the time. */
function time(request: string): number {
  const times: number[] = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end || times.length < 3; ) {
    const from = performance.now();
    core.call(request);
    times.push(performance.now() - from);
  }
  return times.sort((a, b) => a - b)[times.length >> 1] as number;
}

for (const task of ["inference", "qlora", "full-finetune", "pretraining"]) console.log(`wasm/tiers_${task} ${time(tiers(task)).toFixed(1)} ms`);
console.log(`wasm/estimate ${(time(estimate) * 1000).toFixed(0)} us`);
