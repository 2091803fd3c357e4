"""Writes assets/calibration/serving.json: the surfaces of tools/fit/serving_surfaces.py and the coefficients of serving [M-time-serving]."""
import json
import pathlib

import serving_surfaces

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = ROOT / "assets/calibration/serving.json"
# Where a fit starts. What no measurement of ours can tell apart stays at its start and says so.
START = {
    "gemm.other.fp32": (0.80, 0.75, 0.2, 0.0, 3.0), "gemm.other.tf32": (0.80, 0.75, 0.2, 0.0, 3.0), "gemm.other.int8": (0.80, 0.60, 0.2, 0.0, 5.0),
    "gemm.other.w8a16": (0.80, 0.60, 0.3, 0.0, 3.0), "gemm.other.w4a16": (0.70, 0.55, 0.5, 0.0, 3.0),
    "gemm.other.gguf_half": (0.90, 0.50, 0.2, 0.0, 3.0), "gemm.other.gguf_blocks": (0.80, 0.35, 0.3, 0.0, 3.0),
}
FIELDS = (("bandwidth", "share"), ("flops", "share"), ("blend", "share"), ("ramp_rows", "rows"), ("fixed_us", "us"))
SINGLE = {
    "kernel.other.stream": (0.80, "share"), "kernel.other.attention_bandwidth": (0.70, "share"), "kernel.other.attention_flops": (0.50, "share"),
    "engine.other.layer_us": (30, "us"), "engine.other.tp_layer_us": (15, "us"), "engine.other.moe_layer_us": (20, "us"),
    "engine.other.step_us": (300, "us"), "engine.other.sequence_us": (2, "us"), "engine.other.hop_us": (20, "us"),
    "engine.other.prefill_flops": (1.0, "share"), "engine.other.bandwidth": (1.0, "share"), "engine.other.attention": (1.0, "share"),
    "engine.other.chunk": (8192, "tokens"), "engine.other.drafted": (3, "tokens"), "engine.other.sequences": (256, "sequences"),
    "engine.vllm.layer_us": (40, "us"), "engine.vllm.v0.step_us": (1500, "us"), "engine.vllm.v0.sequence_us": (30, "us"),
    "engine.sglang.layer_us": (10, "us"), "engine.sglang.tp_layer_us": (50, "us"),
    "engine.tensorrt-llm.layer_us": (25, "us"), "engine.tensorrt-llm.engine.layer_us": (15, "us"), "engine.tensorrt-llm.engine.step_us": (200, "us"),
    "engine.tensorrt-llm.sequences": (2048, "sequences"), "engine.llama.cpp.sequences": (1, "sequences"), "engine.llama.cpp.chunk": (512, "tokens"),
    "engine.llama.cpp.layer_us": (50, "us"), "engine.llama.cpp.2024.layer_us": (60, "us"), "engine.llama.cpp.2024.ampere.layer_us": (100, "us"),
    "engine.llama.cpp.2024.hopper.layer_us": (100, "us"), "engine.llama.cpp.tp_layer_us": (50, "us"),
    "serving.moe_imbalance": (1.2, "ratio"), "serving.sampler_bytes_per_logit": (8.0, "B"), "serving.host_memory_bandwidth_GBps": (60.0, "GB/s"),
    "serving.draft_share": (0.06, "share"),
    "range.serving.single_decode.low": (0.75, "ratio"), "range.serving.single_decode.high": (1.3, "ratio"),
    "range.serving.prefill.low": (0.7, "ratio"), "range.serving.prefill.high": (1.4, "ratio"),
    "range.serving.batch.low": (0.6, "ratio"), "range.serving.batch.high": (1.5, "ratio"),
    "range.serving.batch_moe.low": (0.5, "ratio"), "range.serving.batch_moe.high": (1.8, "ratio")}


def starting_values():
    out = {}
    for head, values in START.items():
        for (field, unit), value in zip(FIELDS, values):
            out[f"{head}.{field}"] = {"value": value, "unit": unit, "rows": 0, "source": "start value, not fitted yet"}
    for name, (value, unit) in SINGLE.items():
        out[name] = {"value": value, "unit": unit, "rows": 0, "source": "start value, not fitted yet"}
    return out


def write(entries):
    TARGET.write_text("{\n" + ",\n".join(f"  {json.dumps(n)}: {json.dumps(entries[n])}" for n in sorted(entries)) + "\n}\n")


if __name__ == "__main__":
    entries = starting_values()
    entries.update(serving_surfaces.fit())
    write(entries)
