/** Seeded scenarios over all tasks: the same seed makes the same requests on every machine. */

export const tasks = ["inference", "pretraining", "full-finetune", "lora", "qlora", "dpo", "ppo", "grpo"] as const;
export type Task = (typeof tasks)[number];

/** What the catalogs hold, so that generated scenarios name things that exist. */
export interface Known {
  models: string[];
  gpus: string[];
  instances: string[];
}

export interface Request {
  op: string;
  now: string;
  scenario: Record<string, unknown>;
}

const software = {
  inference: ["vllm", "sglang", "tensorrt-llm", "lmdeploy", "llama.cpp", "transformers", "paddle"],
  training: ["deepspeed", "fsdp", "megatron", "paddle", "ms-swift", "transformers", "torchtune", "torchtitan", "unsloth", "llm-foundry"],
};
const weights = ["fp32", "bf16", "fp16", "fp8", "int8", "int4", "awq", "gptq-4bit", "gptq-8bit", "nf4", "nf4-double", "mxfp4", "nvfp4", "q4_0", "q4_k_m", "q8_0"];
const optimizers = ["adamw", "adamw-8bit", "paged-adamw-8bit", "adafactor", "lion", "sgd", "muon", "galore"];
const powers = [1, 1, 1, 2, 2, 4, 8, 16];

/** A small generator of pseudo-random numbers (mulberry32): numbers only, no clock. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export class Generator {
  private next: () => number;
  constructor(seed: number, private known: Known) {
    this.next = random(seed);
  }

  private pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.next() * from.length)] as T;
  }
  private chance(share: number): boolean {
    return this.next() < share;
  }
  private between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }
  /** A field in some of the scenarios; the others leave the choice to the core. */
  private sometimes<T>(share: number, name: string, value: () => T): Record<string, T> {
    return this.chance(share) ? { [name]: value() } : {};
  }

  scenario(task: Task): Record<string, unknown> {
    return {
      model: { id: this.pick(this.known.models) },
      task,
      ...this.sometimes(0.2, "software", () => this.pick(task === "inference" ? software.inference : software.training)),
      ...this.sometimes(0.35, "numerics", () => this.numerics(task)),
      workload: task === "inference" ? this.serving() : this.training(),
      hardware: this.hardware(),
      ...this.sometimes(0.25, "layout", () => this.layout(task)),
      ...this.sometimes(0.4, "policy", () => this.policy()),
    };
  }

  private numerics(task: Task) {
    if (task === "inference") return { weights: this.pick(weights), ...this.sometimes(0.4, "kv_cache", () => this.pick(["auto", "bf16", "fp8", "int8", "q8_0"])) };
    return { ...this.sometimes(0.7, "optimizer", () => this.pick(optimizers)), ...this.sometimes(0.3, "weights", () => this.pick(task === "qlora" ? ["nf4", "nf4-double"] : ["bf16", "fp16", "fp32"])) };
  }

  private serving() {
    return {
      context: this.pick([512, 1000, 2048, 4096, 8192, 32768]),
      concurrency: this.between(1, 300),
      input_tokens: this.between(1, 4000),
      output_tokens: this.between(1, 1000),
      ...this.sometimes(0.3, "prefix_hit_rate", () => this.next()),
      ...this.sometimes(0.3, "memory_utilization", () => 0.5 + 0.49 * this.next()),
      ...this.sometimes(0.2, "max_batched_tokens", () => this.between(256, 16384)),
      ...this.sometimes(0.2, "eager", () => true),
    };
  }

  private training() {
    return {
      sequence: this.pick([128, 512, 1000, 2048, 4096, 8192]),
      micro_batch: this.pick([1, 1, 1, 2, 4]),
      global_batch: this.pick([64, 256, 512, 1024]),
      tokens: this.pick([1e6, 1e9, 1.5e9, 1e12]),
      ...this.sometimes(0.3, "loss", () => this.pick(["auto", "plain", "chunked", "fused"])),
      ...this.sometimes(0.4, "lora_rank", () => this.pick([4, 8, 16, 64, 256])),
      ...this.sometimes(0.3, "lora_targets", () => this.pick(["all-linear", "attention", "qv"])),
    };
  }

  private hardware() {
    if (this.chance(0.4)) return { instance: this.pick(this.known.instances), ...this.sometimes(0.5, "nodes", () => this.pick(powers)) };
    return { gpu: this.pick(this.known.gpus), gpus_per_node: this.pick(powers.slice(0, 7)), nodes: this.pick(powers), ...this.sometimes(0.8, "scale_out_gbps_per_node", () => this.pick([100, 400, 3200])), ...this.sometimes(0.1, "memory_gib", () => 8 + 100 * this.next()) };
  }

  private layout(task: Task) {
    const training = task !== "inference";
    return {
      ...this.sometimes(0.7, "tp", () => this.pick(powers.slice(0, 7))),
      ...this.sometimes(0.3, "pp", () => this.pick(powers.slice(0, 6))),
      ...(training ? this.sometimes(0.6, "zero", () => this.between(0, 3)) : {}),
      ...(training ? this.sometimes(0.5, "recompute", () => this.pick(["none", "selective", "full"])) : {}),
      ...(training ? this.sometimes(0.2, "offload", () => this.pick(["none", "optimizer", "parameters"])) : {}),
    };
  }

  private policy() {
    return {
      headroom: this.next() * 0.4,
      objective: this.pick(["cost", "throughput", "latency"]),
      ...this.sometimes(0.3, "pricing", () => this.pick(["on-demand", "spot", "reserved"])),
      ...this.sometimes(0.3, "currency", () => this.pick(["USD", "CNY"])),
    };
  }

  /** A scenario with one thing wrong: its refusal must be the same sentence on both sides. */
  broken(task: Task): Record<string, unknown> {
    const scenario = this.scenario(task);
    const breakages: Array<() => unknown> = [
      () => (scenario["model"] = { id: `no-such-model-${this.between(1, 9)}` }),
      () => (scenario["hardware"] = { gpu: `${this.pick(this.known.gpus)}x` }),
      () => (scenario["workload"] = { context: this.pick([0, -1, 1.5, 1e300, "8192", null, [1]]) }),
      () => (scenario["surprise"] = { a: [this.next()] }),
      () => (scenario["task"] = "guess"),
      () => (scenario["policy"] = { headroom: this.pick([-0.1, 2, "much"]) }),
      () => delete scenario["model"],
    ];
    this.pick(breakages)();
    return scenario;
  }

  request(op: string, scenario: Record<string, unknown>): Request {
    return { op, now: "2026-12-01", scenario };
  }
}
