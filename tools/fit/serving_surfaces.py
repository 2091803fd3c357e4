"""Fits the matrix-product surfaces per hardware generation from tests/truth/serving_gemm.csv [M-time-operator].

The rows are medians over layer shapes with N*K >= 16M; shares of peak and of bandwidth at the largest M give the mean shape back:
flops / bytes = 1 / (1/N + 1/K + 1/M) in 16 bits, so N = K = 7000 stands for them. Standard library only; same rows, same file.
"""
import csv
import math
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHAPE = 7000.0
# datasheet figures that the shares in the rows refer to: bandwidth B/s, 16-bit, fp8, fp4 FLOP/s, generation
GPUS = {
    "A100 SXM 80GB": (2039e9, 312e12, 312e12, 312e12, "ampere"),
    "H100 SXM 80GB": (3350e9, 989e12, 1979e12, 1979e12, "hopper"),
    "H200 SXM 141GB": (4800e9, 989e12, 1979e12, 1979e12, "hopper"),
    "B200 180GB": (8000e9, 2250e12, 4500e12, 9000e12, "blackwell"),
    "B300 SXM 288GB": (8000e9, 2250e12, 4500e12, 14000e12, "blackwell"),
    "GB200 186GB": (8000e9, 2500e12, 5000e12, 10000e12, "blackwell"),
    "L40S": (864e9, 362e12, 733e12, 733e12, "ada"),
    "RTX PRO 6000 Blackwell Server": (1597e9, 468e12, 936e12, 1871e12, "blackwell_gddr"),
    "Arc Pro B60": (456e9, 98.3e12, 98.3e12, 98.3e12, "xe"),
}
KERNELS = {"bfloat16": ("half", 1, 2.0, 3.0), "fp8": ("fp8", 2, 1.0, 5.0), "fp8_block": ("fp8_block", 2, 1.0, 5.0),
           "nvfp4": ("fp4", 3, 0.5625, 5.0)}  # name, index of the peak, bytes per weight, fixed time in us
FIELDS = ("bandwidth", "flops", "blend", "ramp_rows")
START = (0.75, 0.7, 0.3, 20.0)
LOW = (0.02, 0.1, 0.0, 0.0)
HIGH = (0.95, 1.0, 1.0, 2000.0)


def predicted(coefficients, gpu, kernel, m):
    bandwidth, flops, blend, ramp = coefficients
    spec = GPUS[gpu]
    _, peak, weight, fixed = KERNELS[kernel]
    padded = math.ceil(m / 16) * 16
    compute = 2 * SHAPE * SHAPE * (padded + ramp) / (spec[peak] * flops)
    memory = (SHAPE * SHAPE * weight + 2 * m * SHAPE * 2.0) / (spec[0] * bandwidth)
    longer, shorter = max(compute, memory), min(compute, memory)
    return longer + blend * shorter * shorter / longer + fixed * 1e-6


def measured(row):
    """Seconds, from the share of peak (large M) or of bandwidth (small M, where the share of peak has too few digits)."""
    m = float(row["M_tokens"])
    spec = GPUS[row["gpu"]]
    _, peak, weight, _ = KERNELS[row["dtype"]]
    if m <= 64:
        return (SHAPE * SHAPE * weight + 2 * m * SHAPE * 2.0) / (float(row["median_fraction_of_peak_mem_bw"]) * spec[0])
    return 2 * m * SHAPE * SHAPE / (float(row["median_fraction_of_peak_flops"]) * spec[peak])


def error(coefficients, rows):
    return sum(math.log(predicted(coefficients, r["gpu"], r["dtype"], float(r["M_tokens"])) / measured(r)) ** 2 for r in rows)


def descend(rows):
    """Coordinate search with shrinking steps; deterministic."""
    at, step = list(START), [0.4] * 4
    best = error(at, rows)
    for _ in range(400):
        for i in range(4):
            for sign in (1.0, -1.0):
                trial = list(at)
                trial[i] = min(HIGH[i], max(LOW[i], at[i] * (1 + sign * step[i]) + (0.02 * sign * step[i])))
                value = error(trial, rows)
                if value < best - 1e-12:
                    at, best = trial, value
                    break
            else:
                step[i] *= 0.7
        if max(step) < 1e-4:
            break
    return at, math.sqrt(best / len(rows))


def fit():
    """{coefficient name: entry} for every generation and kernel that was measured, and "other" from all of them."""
    with open(ROOT / "tests/truth/serving_gemm.csv", newline="") as file:
        rows = [r for r in csv.DictReader(file) if float(r["M_tokens"]) > 1 or r["dtype"] == "bfloat16"]
    out = {}
    generations = sorted({g[4] for g in GPUS.values()}) + ["other"]
    for generation in generations:
        for dtype, (kernel, _, _, fixed) in KERNELS.items():
            mine = [r for r in rows if r["dtype"] == dtype and generation in (GPUS[r["gpu"]][4], "other")]
            if not mine:
                continue
            values, rms = descend(mine)
            for field, value in zip(FIELDS, values):
                out[f"gemm.{generation}.{kernel}.{field}"] = {
                    "value": float(f"{value:.4g}"), "unit": "rows" if field == "ramp_rows" else "share", "rows": len(mine),
                    "rms_log_error": round(rms, 4), "source": "tests/truth/serving_gemm.csv"}
            if generation == "other":
                out[f"gemm.other.{kernel}.fixed_us"] = {"value": fixed, "unit": "us", "rows": 0,
                                                        "source": "launch, ramp-up and drain of one kernel; 8-bit and 4-bit stacks quantise activations first"}
    return out


if __name__ == "__main__":
    for name, entry in fit().items():
        print(f"{name:44} {entry['value']:8.4g}  rms {entry.get('rms_log_error', 0):.3f}  n={entry['rows']}")
