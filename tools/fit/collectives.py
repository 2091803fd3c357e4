#!/usr/bin/env python3
"""Writes assets/calibration/collectives.json: latencies and rate shares of links and networks, fitted on tests/truth/collectives.csv [M-comm].

Robust (absolute log errors, tables weigh 1/√rows), pulled towards START where rows are few, cross-validated by leaving out one GPU at a time.

  tools/fit/collectives.py [--cli build/dev/native/cli/gpuplan] [--rounds 40] [--no-cross-validation]
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

truth = compass.module(ROOT / "tools/truth/collectives.py")

TARGET = ROOT / "assets/calibration/collectives.json"
SOURCE = "tests/truth/collectives.csv"
LINKS = ("nvlink3", "nvlink4", "nvlink5", "bridge", "direct", "pcie_host", "pcie_peer", "pcie_oneccl")
PATTERNS = ("all_reduce", "gather_scatter", "all_to_all", "send_recv")
NETS = ("infiniband", "roce", "efa", "tcp")
UNITS = {"base": "s", "hop": "s", "step": "s", "rank": "s", "eager_floor": "s", "knee": "B", "ranks": "ranks", "nics_per_collective": "NICs", "peer_rate_min": "B/s"}
BOUNDS = {"slow": (0.001, 1.0), "fast": (0.01, 1.3), "share": (0.2, 1.3), "few": (-6.0, 1.6), "knee": (1e3, 1e9), "settle": (1.0, 60.0), "scatter": (0.2, 5.0),
          "crowd": (1e-9, 5.0), "base": (1e-7, 1e-3), "hop": (1e-8, 1e-4), "rank": (1e-8, 1e-4), "one_shot": (0.01, 4.0), "two_shot": (0.01, 4.0), "second": (0.5, 20.0)}


def start():
    """Where the fit starts and what it is pulled to: round figures of the hardware, or a single published measurement."""
    out = {}
    for link in LINKS:
        pcie = link.startswith("pcie")
        for pattern in PATTERNS:
            curve = dict(base=6e-6, hop=1.2e-6, slow=0.4, knee=8e6, settle=2.0, fast=0.8, few=0.5, crowd=1e-9)
            if pcie:
                curve.update(base=4e-6, hop=2e-6, slow=0.6, knee=1e6, settle=1.5, fast=0.6, few=1e-3)
            if link == "pcie_host":
                curve.update(crowd=0.5)
            if link == "pcie_oneccl" and pattern == "gather_scatter":
                curve.update(crowd=0.1)
            if link == "direct":
                curve.update(few=1e-3, slow=0.5, fast=0.72, knee=1e6, base=15e-6)
            if pattern == "send_recv":
                curve.update(hop=1e-8)
            if pattern == "gather_scatter":
                curve.update(scatter=1.0)
            out.update({f"comm.{link}.{pattern}.{k}": v for k, v in curve.items()})
        out.update({f"comm.{link}.switch.base": 30e-6, f"comm.{link}.switch.share": 1.0, f"comm.{link}.switch.ranks": 5.0 if link == "nvlink4" else 6.0})
        engine = dict(base=4e-6, hop=0.2e-6, one_shot=0.4, two_shot=0.8, second=1.5)
        if pcie:
            engine.update(base=2e-6, hop=3.5e-6)
        out.update({f"comm.{link}.engine.{k}": v for k, v in engine.items()})
    for net in NETS:
        curve = dict(base=15e-6, step=20e-6, slow=0.3, settle=2.0, rank=3e-6, fast=0.95)
        if net == "tcp":
            curve.update(base=60e-6, step=40e-6, fast=0.7)
        if net == "efa":
            curve.update(base=10e-6, step=100e-6)
        out.update({f"comm.{net}.{k}": v for k, v in curve.items()})
    out.update({"comm.eager_floor": 45e-6, "comm.peer_rate_min": 40e9, "comm.nics_per_collective": 8.0, "comm.no_peer_share": 0.66})
    for regime in ("large", "small", "network"):
        out.update({f"comm.range.{regime}.low": 0.7, f"comm.range.{regime}.high": 1.4})
    return out


def write(values, entries=None):
    entries = entries or {}
    lines = [f"  {json.dumps(k)}: {json.dumps({'value': float(f'{values[k]:.4g}'), 'unit': UNITS.get(k.split('.')[-1], 'ratio'), **entries.get(k, {})})}" for k in sorted(values)]
    return "{\n" + ",\n".join(lines) + "\n}\n"


class Fit:
    def __init__(self, cli):
        self.cli, self.prior = cli, start()
        self.rows = [r for r in scoring.read_rows("collectives") if not r["excluded"]]
        self.requests = [truth.request(r) for r in self.rows]
        self.measured = [float(r["time_us"]) * 1e-6 for r in self.rows]
        self.group = [rows_of.group(r) for r in self.rows]
        self.weight = compass.weights([r["group"] for r in self.rows])
        self.file = tempfile.NamedTemporaryFile("w", suffix=".json")

    def predict(self, values):
        self.file.seek(0)
        self.file.truncate()
        self.file.write(write(values))
        self.file.flush()
        answers = scoring.Cli(self.cli, self.file.name).call(self.requests)
        return [a["time_s"] for a in answers]

    def names(self, group):
        """Coefficients that the rows of a group tell."""
        link, _, pattern = group.partition(".")
        if link == "net":
            return [k for k in self.prior if k.startswith(f"comm.{pattern}.")]
        names = [k for k in self.prior if k.startswith(f"comm.{link}.{pattern}.")]
        if pattern == "all_reduce" and link in ("nvlink4", "nvlink5"):
            names += [f"comm.{link}.switch.base", f"comm.{link}.switch.share"]
        return [k for k in names if not (k.endswith(".crowd") and link != "pcie_host" and group != "pcie_oneccl.gather_scatter")]

    def losses(self, chosen, values):
        predicted, sums, weights, out = self.predict(values), {}, {}, {}
        for i in chosen:
            e = min(1.0, abs(math.log(predicted[i] / self.measured[i])))
            g = self.group[i]
            sums[g] = sums.get(g, 0.0) + self.weight[i] * (e + 0.3 * e * e)
            weights[g] = weights.get(g, 0.0) + self.weight[i]
        count = {g: sum(1 for i in chosen if self.group[i] == g) for g in sums}
        for g in sums:
            pull = sum(distance(values[k], self.prior[k], k) for k in self.names(g))
            out[g] = sums[g] / weights[g] + 0.012 * pull / max(8, count[g]) ** 0.5
        return out

    def fit(self, chosen, rounds):
        groups = {g: self.names(g) for g in sorted({self.group[i] for i in chosen})}
        values, _ = compass.search(self.prior, groups, lambda v: self.losses(chosen, v), rounds, additive=("few",), bounds=BOUNDS, first_step=0.5)
        return values


def distance(value, prior, name):
    return abs(value - prior) if name.endswith(".few") or value <= 0.0 or prior <= 0.0 else abs(math.log(value / prior))


def regime(row):
    if int(row["nodes"]) > 1 and "NVL72 domain" not in (row["network"] or ""):
        return "network"
    return "large" if int(row["message_bytes"]) >= 1 << 20 else "small"


def ranges(fit, ratios):
    """Measured ÷ predicted between which nine in ten rows of a regime lie, each source weighing the same as in the fit."""
    out = {}
    for name in ("large", "small", "network"):
        mine = [(ratios[i], fit.weight[i]) for i, r in enumerate(fit.rows) if regime(r) == name]
        out[f"comm.range.{name}.low"], out[f"comm.range.{name}.high"] = rows_of.weighted_quantile(mine, 0.05), rows_of.weighted_quantile(mine, 0.95)
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", default=str(ROOT / "build/dev/native/cli/gpuplan"))
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--no-cross-validation", action="store_true")
    options = parser.parse_args()
    fit = Fit(options.cli)
    everything = list(range(len(fit.rows)))
    values = fit.fit(everything, options.rounds)
    fitted = fit.predict(values)
    unseen = list(fitted)
    if not options.no_cross_validation:
        for gpu in sorted({r["gpu"] for r in fit.rows}):
            inside = [i for i in everything if fit.rows[i]["gpu"] != gpu]
            guess = fit.predict(fit.fit(inside, max(8, options.rounds // 2)))
            for i in everything:
                if fit.rows[i]["gpu"] == gpu:
                    unseen[i] = guess[i]
    entries = {}
    for g in sorted(set(fit.group)):
        mine = [i for i in everything if fit.group[i] == g]
        error = lambda predicted: round(scoring.percentile([abs(predicted[i] / fit.measured[i] - 1.0) for i in mine], 0.5), 4)
        for k in fit.names(g):
            entries[k] = {"source": SOURCE, "rows": len(mine), "median_error": error(fitted), "cross_validated_error": error(unseen)}
    for k in values:
        entries.setdefault(k, {"source": "start value: no row of ours tells it", "rows": 0})
    values.update(ranges(fit, [m / p for m, p in zip(fit.measured, fitted)]))
    TARGET.write_text(write(values, entries))
    for label, predicted in (("fitted", fitted), ("GPU left out", unseen)):
        for name, test in (("from 1 MiB", lambda r: int(r["message_bytes"]) >= 1 << 20), ("below 1 MiB", lambda r: int(r["message_bytes"]) < 1 << 20)):
            errors = [abs(predicted[i] / fit.measured[i] - 1.0) for i in everything if test(fit.rows[i])]
            print(f"{label:<14} {name:<12} rows {len(errors):4d} median {scoring.percentile(errors, 0.5):.3f} p90 {scoring.percentile(errors, 0.9):.3f}")


if __name__ == "__main__":
    main()
