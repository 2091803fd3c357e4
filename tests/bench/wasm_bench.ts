/** The requests of requests.txt in core-full.wasm under Node: node --import tsx tests/bench/wasm_bench.ts [core-full.wasm] */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { instantiate, openCore } from "../../web/core/loader.ts";

const seconds = 2;
const file = process.argv[2] ?? join(import.meta.dirname, "../../build/wasm/web/core-full.wasm");
const core = openCore(new WebAssembly.Module(readFileSync(file)));

/** A name and a request per line, the same as the native benchmark's. */
const requests = readFileSync(join(import.meta.dirname, "requests.txt"), "utf8").trim().split("\n");

const start = performance.now();
core.call('{"op":"encode","scenario":{}}');
console.log(`wasm/first_call (reads the catalogs) ${(performance.now() - start).toFixed(1)} ms`);

/** Milliseconds of one call, sorted: as many as fit into the time. */
function times(request: string): number[] {
  const all: number[] = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end || all.length < 3; ) {
    const from = performance.now();
    core.call(request);
    all.push(performance.now() - from);
  }
  return all.sort((a, b) => a - b);
}

for (const line of requests) {
  const gap = line.indexOf(" ");
  const all = times(line.slice(gap + 1));
  const at = (share: number) => (all[Math.min(all.length - 1, Math.floor(all.length * share))] as number).toFixed(2);
  const evaluated = /"evaluated":(\d+)/.exec(core.call(line.slice(gap + 1)))?.[1] ?? "-";
  console.log(`wasm/${line.slice(0, gap).padEnd(32)} median ${at(0.5).padStart(9)} ms  p95 ${at(0.95).padStart(9)} ms  evaluated ${evaluated}`);
}

/** Layouts per second: memory, time and cost of each, from the module of tests/bench/bench_abi.cpp. */
const loops = process.argv[2] ? undefined : join(import.meta.dirname, "../../build/wasm/web/bench.wasm");
if (loops && existsSync(loops)) {
  const bench = instantiate<{ bench_choose(which: number): number; bench_evaluate(): number }>(new WebAssembly.Module(readFileSync(loops)));
  for (const [which, name] of ["serving_8b", "serving_moe", "full_finetune_70b", "classic_530b_5120_gpus"].entries()) {
    const layouts = bench.bench_choose(which);
    bench.bench_evaluate();
    const from = performance.now();
    let passes = 0;
    for (; performance.now() - from < seconds * 1000; ++passes) bench.bench_evaluate();
    const each = (performance.now() - from) / passes;
    console.log(`wasm/layouts/${name.padEnd(24)} ${each.toFixed(2).padStart(9)} ms for ${layouts} layouts: ${Math.round((layouts / each) * 1000)} per second`);
  }
}
