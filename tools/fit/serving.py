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
SINGLE = {"kernel.other.stream": (0.80, "share"), "kernel.other.attention_bandwidth": (0.70, "share"), "kernel.other.attention_flops": (0.50, "share")}


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
