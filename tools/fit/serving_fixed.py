"""Coefficients of serving that no row of ours decides, with where they come from, and the names and units of the others."""

FIELDS = (("bandwidth", "share"), ("flops", "share"), ("blend", "share"), ("ramp_rows", "rows"), ("fixed_us", "us"))
ASSUMED = "assumed; no row decides it"
# kernels without a table of their own: shares of bandwidth and peak, blend, ramp, fixed time
KERNELS = {
    "fp32": (0.80, 0.75, 0.2, 0.0, 3.0), "tf32": (0.80, 0.75, 0.2, 0.0, 3.0), "int8": (0.80, 0.60, 0.2, 0.0, 5.0), "w8a16": (0.80, 0.60, 0.3, 0.0, 3.0),
    "w4a16": (0.70, 0.55, 0.5, 0.0, 3.0), "gguf_half": (0.92, 0.50, 0.2, 40.0, 0.5), "gguf_blocks": (0.92, 0.30, 0.3, 20.0, 0.5)}
PLAIN = {
    "kernel.other.stream": (0.80, "share", "gpu-benches triad on ten GPUs: 0.74 to 0.95"),
    "kernel.other.attention_bandwidth": (0.70, "share", ASSUMED), "kernel.other.attention_flops": (0.50, "share", ASSUMED),
    "engine.other.layer_us": (30, "us", ASSUMED), "engine.other.tp_layer_us": (15, "us", ASSUMED), "engine.other.moe_layer_us": (30, "us", ASSUMED),
    "engine.other.peer_layer_us": (0, "us", ASSUMED), "engine.other.step_us": (300, "us", ASSUMED), "engine.other.prompt_layer_us": (50, "us", ASSUMED), "engine.other.request_us": (20000, "us", ASSUMED),
    "engine.llama.cpp.prompt_layer_us": (0, "us", "launches kernel by kernel in every pass: in layer_us"), "engine.llama.cpp.request_us": (0, "us", "measured without a server"),
    "engine.vllm.v0.request_us": (0, "us", "measured offline"), "engine.vllm.2023.request_us": (0, "us", "measured offline"),
    "engine.tensorrt-llm.engine.request_us": (0, "us", "measured offline"), "engine.lmdeploy.request_us": (0, "us", "measured offline"),
    "engine.other.sequence_us": (3, "us", ASSUMED),
    "engine.other.hop_us": (200, "us", ASSUMED), "engine.other.prefill_flops": (0.95, "share", ASSUMED), "engine.other.bandwidth": (1.0, "share", ASSUMED),
    "engine.other.attention_decode": (1.0, "share", ASSUMED), "engine.other.attention_prefill": (1.0, "share", ASSUMED),
    "engine.other.queued": (1, "passes", ASSUMED), "engine.other.chunk": (8192, "tokens", "default token budget of one pass of current engines"),
    "engine.other.drafted": (3, "tokens", "usual depth of multi-token prediction and EAGLE"), "engine.other.sequences": (256, "sequences", "vLLM default"),
    "engine.other.reserved_output": (0.5, "share", "cache grows with the output; sequences are at all stages of it"),
    "engine.vllm.sequences": (1024, "sequences", "V1 default on data-centre cards"), "engine.sglang.sequences": (4096, "sequences", "bounded by the cache"),
    "engine.tensorrt-llm.sequences": (2048, "sequences", "trtllm-bench default batch"),
    "engine.tensorrt-llm.reserved_output": (1.0, "share", "scheduler policy guaranteed-no-evict holds the whole output"),
    "engine.llama.cpp.sequences": (1, "sequences", "llama-server default"), "engine.llama.cpp.chunk": (512, "tokens", "default n_ubatch"),
    "engine.other.low_bit_ops": (0.0, "operations", ASSUMED),
    "engine.llama.cpp.volta.dequantise_rows": (32, "rows", "no int8 matrix units: wider products expand to 16 bits (ggml-cuda)"),
    "serving.host_memory_bandwidth_GBps": (60.0, "GB/s", "two channels of DDR5"), "serving.draft_share": (0.06, "share", ASSUMED)}
for generation in ("turing", "ampere", "ampere_gddr", "ada", "hopper"):
    PLAIN[f"engine.llama.cpp.2024.{generation}.dequantise_rows"] = (32, "rows", "MMQ_MAX_BATCH_SIZE of builds before June 2024 (ggml-cuda)")

UNITS = (("_us", "us"), ("_rows", "rows"), ("_bytes", "B"), ("_per_logit", "B"), ("chunk", "tokens"), ("queued", "passes"), ("imbalance", "ratio"), ("_ops", "operations"))


def unit_of(name):
    for tail, unit in UNITS:
        if name.endswith(tail):
            return unit
    return "share"


def entries():
    out = {}
    for kernel, values in KERNELS.items():
        for (field, unit), value in zip(FIELDS, values):
            out[f"gemm.other.{kernel}.{field}"] = {"value": value, "unit": unit, "rows": 0, "source": ASSUMED}
    for name, (value, unit, source) in PLAIN.items():
        out[name] = {"value": value, "unit": unit, "rows": 0, "source": source}
    return out


def starts(stages):
    """Fitted coefficients where their fit starts."""
    return {name: {"value": p[0], "unit": unit_of(name), "rows": 0, "source": "start of its fit"} for _, _, parameters in stages for name, p in parameters.items()}


SOFTWARE = {"vLLM": "vllm", "SGLang": "sglang", "TensorRT-LLM": "tensorrt-llm"}
MOE = ("Mixtral", "Qwen3-30B", "Qwen3-235B", "Qwen3.5-397B", "DeepSeek", "gpt-oss", "MiniMax", "Llama-4", "Kimi", "GLM-5", "Nemotron-3")


def range_keys(row, family):
    """The kinds whose width this row informs, widest first."""
    single = (row["concurrency"] or "2") == "1" and row["regime"] != "max_throughput"
    kind = "prefill" if family == "prefill" else "single_decode" if single else "batch_moe" if row["model"].startswith(MOE) else "batch"
    engine = SOFTWARE.get(row["engine"], row["engine"].split(" ")[0].lower())
    return [f"range.serving.{kind}", f"range.serving.{kind}.{engine}"]
