#!/usr/bin/env python3
"""Writes assets/calibration/training.json: what training frameworks add to kernels and messages, fitted on tests/truth/training_speed.csv [M-step-coefficients].

Each framework is a group of its own; robust (absolute log errors, a source's rows of one model weigh 1/√rows), pulled towards START where rows are few,
cross-validated by leaving out one model, then one GPU at a time.

  tools/fit/training.py [--cli build/dev/native/cli/gpuplan] [--rounds 18] [--no-cross-validation]
"""
import argparse
import json
import math
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
for folder in ("tools/lib", "tools/fit"):
    sys.path.insert(0, str(ROOT / folder))
import collectives_rows as rows_of
import compass
import scoring

truth = compass.module(ROOT / "tools/truth/training_speed.py")

TARGET = ROOT / "assets/calibration/training.json"
SOURCE = "tests/truth/training_speed.csv"
# field: (unit, start, lowest, highest). Starts are fused kernels at the surfaces' rates, or a known ratio (backward of fused attention does 2.5 times the flops).
FIELDS = {
    "compute": ("ratio", 1.05, 1.0, 4.0), "fp8": ("ratio", 0.85, 0.4, 2.0), "fp8_gradient": ("ratio", 1.3, 1.0, 2.5), "stream": ("ratio", 1.3, 0.5, 12.0), "launch": ("s", 1.2e-5, 1e-7, 2e-3),
    "contention": ("share", 0.15, 0.001, 1.0), "step": ("s", 0.005, 1e-4, 0.3), "attention": ("ratio", 1.0, 0.6, 3.0), "attention_backward": ("ratio", 3.0, 2.5, 4.0),
    "score_bytes": ("B/score", 12.0, 4.0, 30.0), "loss_bytes": ("B/logit", 20.0, 6.0, 30.0), "dequantize": ("ratio", 1.3, 0.5, 20.0),
    "tensor_exposed": ("share", 0.8, 0.02, 1.0), "expert_exposed": ("share", 0.8, 0.02, 2.0), "imbalance": ("ratio", 1.0, 1.0, 1.6), "expert": ("ratio", 1.2, 0.8, 4.0),
    "expert_layer": ("s", 3e-4, 1e-6, 2e-2), "expert_launch": ("s", 0.0, 0.0, 1e-2), "cpu_adam": ("parameters/s", 2e9, 5e7, 2e10), "pcie": ("share", 0.7, 0.1, 1.0),
    "optimizer": ("share", 0.8, 0.05, 1.0), "range_low": ("ratio", 0.75, 0, 1), "range_high": ("ratio", 1.35, 1, 9), "expert_range_low": ("ratio", 0.6, 0, 1),
    "expert_range_high": ("ratio", 1.6, 1, 9),
}
BOUNDS = {k: v[2:] for k, v in FIELDS.items()}
# What a framework's rows can tell apart: fields of its own, and fields per hardware generation with at least FEWEST rows.
OWN = {
    "llm-foundry": ("stream", "contention"), "torchtitan": ("fp8", "stream", "contention", "tensor_exposed"), "paddle": ("contention",), "unsloth": ("launch",), "ms-swift": (),
    "megatron": ("fp8_gradient", "stream", "launch", "expert_exposed", "expert", "expert_layer", "contention", "loss_bytes"),
    "deepspeed": ("stream", "launch", "contention", "step", "expert_launch", "tensor_exposed"),
    "transformers": ("stream", "launch", "step", "dequantize", "contention"), "fsdp": ("stream", "launch", "contention", "dequantize", "step", "pcie", "cpu_adam"),
}
BY_GENERATION = ("compute", "attention")
POOLED = ("compute", "attention", "fp8")  # what frameworks or generations without rows get a mean of
MORE_BY_GENERATION = {"megatron": ("tensor_exposed", "fp8")}  # newer releases hide these messages; the generation stands for the release
FEWEST = 4
OTHER_START = {"train.transformers.launch": 1.2e-4, "train.ms-swift.launch": 1.2e-4, "train.deepspeed.launch": 1.2e-4, "train.deepspeed.expert_launch": 1e-3, "train.fsdp.launch": 5e-5}
GENERATIONS = {"nvidia-a100": "ampere", "nvidia-a800": "ampere", "nvidia-h": "hopper", "nvidia-gb": "blackwell", "nvidia-b": "blackwell", "nvidia-l40": "ada", "nvidia-rtx4": "ada",
               "nvidia-rtx3": "ampere_gddr", "nvidia-a10": "ampere_gddr", "amd-mi3": "cdna3", "nvidia-v100": "volta"}


def generation(gpu):
    return GENERATIONS[max((k for k in GENERATIONS if gpu.startswith(k)), key=len)]


def routed(row):
    """Whether the row's model has routed experts: their rows scatter more."""
    return any(k in (row["model"] or "") for k in ("DeepSeek", "gpt-oss", "A3B", "A22B", "A12B", "A55B", "Kimi"))


def write(values, entries=None):
    entries = entries or {}
    lines = []
    for k in sorted(values):
        unit = FIELDS[k.split(".")[-1]][0]
        lines.append(f"  {json.dumps(k)}: {json.dumps({'value': float(f'{values[k]:.4g}'), 'unit': unit, **entries.get(k, {})})}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def pooled(values):
    """Adds what holds for hardware or frameworks without rows: geometric means over a framework's generations, and over frameworks."""
    out, over_generations, over_frameworks = dict(values), {}, {}
    for k, v in values.items():
        parts = k.split(".")
        if len(parts) == 4:
            over_generations.setdefault((parts[1], parts[3]), []).append(v)
    mean = lambda v: math.exp(sum(map(math.log, v)) / len(v))
    for (software, field), v in over_generations.items():
        out[f"train.{software}.{field}"] = mean(v)
    for k, v in out.items():
        parts = k.split(".")
        if len(parts) == 3 and parts[1] != "other" and parts[2] in POOLED:
            over_frameworks.setdefault(parts[2], []).append(v)
    for field, v in over_frameworks.items():
        out[f"train.other.{field}"] = mean(v)
    return out


class Fit:
    def __init__(self, cli):
        self.cli = cli
        self.rows = [r for r in scoring.read_rows("training_speed") if not r["excluded"]]
        self.scenarios = [truth.scenario(r) for r in self.rows]
        self.measured = [float(r["tokens_per_s_per_gpu"]) for r in self.rows]
        self.model = [r["model"] or r["architecture"] for r in self.rows]
        self.weight = compass.weights([r["group"] + m for r, m in zip(self.rows, self.model)])
        self.file = tempfile.NamedTemporaryFile("w", suffix=".json")
        self.shipped = [k for k in json.loads(TARGET.read_text()) if k.split(".")[-1] in FIELDS]
        self.prior = {f"train.other.{k}": v[1] for k, v in FIELDS.items()}
        self.groups = {}
        for software in sorted({r["software"] for r in self.rows}):
            mine = [generation(r["gpu"]) for r in self.rows if r["software"] == software]
            names = [f"train.{software}.{f}" for f in OWN[software]]
            enough = [g for g in sorted(set(mine)) if mine.count(g) >= FEWEST]
            heads = [f"{software}.{g}" for g in enough] if len(enough) > 1 else [software] * len(enough)
            names += [f"train.{head}.{f}" for head in heads for f in BY_GENERATION + MORE_BY_GENERATION.get(software, ())]
            if not names:
                continue
            self.groups[software] = names
            self.prior.update({k: OTHER_START.get(k, FIELDS[k.split(".")[-1]][1]) for k in names})
        self.prior.update(OTHER_START)

    def predict(self, values):
        self.file.seek(0)
        self.file.truncate()
        self.file.write(write(self.masking(pooled(values))))
        self.file.flush()
        answers = scoring.Cli(self.cli, self.file.name).estimate(self.scenarios)
        return [a["throughput"]["tokens_per_s_per_gpu"] if "error" not in a else None for a in answers]

    def masking(self, values):
        """The command carries the last fit; its names that this fit does not use get what they would hide."""
        out = dict(values)
        for k in self.shipped:
            if k not in out:
                field, software = k.split(".")[-1], k.split(".")[1]
                out[k] = values.get(f"train.{software}.{field}", values[f"train.other.{field}"])
        return out

    def losses(self, chosen, values):
        predicted, sums, weights, count = self.predict(values), {}, {}, {}
        for i in chosen:
            if predicted[i] is None:
                continue
            e, g = min(1.2, abs(math.log(predicted[i] / self.measured[i]))), self.rows[i]["software"]
            sums[g] = sums.get(g, 0.0) + self.weight[i] * (e + 0.4 * e * e)
            weights[g] = weights.get(g, 0.0) + self.weight[i]
            count[g] = count.get(g, 0) + 1
        out = {}
        for g in sums:
            pull = sum(abs(math.log(values[k] / self.prior[k])) for k in self.groups.get(g, ()))
            out[g] = sums[g] / weights[g] + 0.02 * pull / max(4, count[g])
        return out

    def fit(self, chosen, rounds):
        present = {self.rows[i]["software"] for i in chosen}
        groups = {g: names for g, names in self.groups.items() if g in present}
        values, _ = compass.search(self.prior, groups, lambda v: self.losses(chosen, v), rounds, bounds=BOUNDS)
        return values


def left_out(fit, key, rounds, predicted):
    """Predictions of each row by a fit that has seen no row with the same key; only fits whose framework has other rows are asked."""
    out = list(predicted)
    for value in sorted(set(key)):
        inside = [i for i in range(len(key)) if key[i] != value]
        guess = fit.predict(fit.fit(inside, rounds))
        for i in range(len(key)):
            if key[i] == value:
                out[i] = guess[i]
    return out


def errors(fit, predicted, chosen):
    return [abs(predicted[i] / fit.measured[i] - 1.0) for i in chosen if predicted[i] is not None]


def ranges(fit, predicted):
    """Step time ÷ estimate between which nine in ten rows lie: dense and routed models apart, per framework where it has 12 rows."""
    out = {}
    for head in [""] + sorted(fit.groups):
        for prefix, test in (("range", lambda r: not routed(r)), ("expert_range", routed)):
            mine = [(predicted[i] / fit.measured[i], fit.weight[i]) for i, r in enumerate(fit.rows)
                    if predicted[i] is not None and test(r) and (not head or r["software"] == head)]
            if len(mine) >= 12:
                name = f"train.{head or 'other'}.{prefix}"
                out[name + "_low"], out[name + "_high"] = rows_of.weighted_quantile(mine, 0.05), rows_of.weighted_quantile(mine, 0.95)
    return out


def macro(fit, predicted):
    """Median and 90th percentile of absolute errors, each averaged over source × model."""
    cells = {}
    for i, r in enumerate(fit.rows):
        if predicted[i] is not None:
            cells.setdefault((r["group"], fit.model[i]), []).append(abs(predicted[i] / fit.measured[i] - 1.0))
    mean = lambda share: sum(scoring.percentile(v, share) for v in cells.values()) / len(cells)
    return mean(0.5), mean(0.9)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", default=str(ROOT / "build/dev/native/cli/gpuplan"))
    parser.add_argument("--rounds", type=int, default=18)
    parser.add_argument("--no-cross-validation", action="store_true")
    options = parser.parse_args()
    fit = Fit(options.cli)
    everything = list(range(len(fit.rows)))
    values = fit.fit(everything, options.rounds)
    fitted = fit.predict(values)
    tables = {"fitted": fitted}
    if not options.no_cross_validation:
        fold = [sorted(set(fit.model)).index(m) % 4 for m in fit.model]
        tables["models left out"] = left_out(fit, fold, max(6, options.rounds // 2), fitted)
        tables["GPUs left out"] = left_out(fit, [generation(r["gpu"]) for r in fit.rows], max(6, options.rounds // 2), fitted)
    unseen = tables.get("models left out", fitted)
    entries = {}
    for g, names in fit.groups.items():
        mine = [i for i in everything if fit.rows[i]["software"] == g]
        for k in names:
            entries[k] = {"source": SOURCE, "rows": len(mine), "median_error": round(scoring.percentile(errors(fit, fitted, mine), 0.5), 4),
                          "cross_validated_error": round(scoring.percentile(errors(fit, unseen, mine), 0.5), 4)}
    spread = ranges(fit, fitted)
    entries.update({k: {"source": SOURCE, "rows": len(everything)} for k in spread})
    values.update(spread)
    pooled_names = set(pooled(values)) - set(values) | {f"train.other.{f}" for f in POOLED}
    values = pooled(values)
    for k in values:
        entries.setdefault(k, {"source": "mean of those fitted" if k in pooled_names else "start value: no row of ours tells it", "rows": 0})
    TARGET.write_text(write(values, entries))
    for label, predicted in tables.items():
        e = errors(fit, predicted, everything)
        print(f"{label:<16} rows {len(e):4d} median {scoring.percentile(e, 0.5):.3f} p90 {scoring.percentile(e, 0.9):.3f}   mean over source x model: median %.3f p90 %.3f" % macro(fit, predicted))


if __name__ == "__main__":
    main()
