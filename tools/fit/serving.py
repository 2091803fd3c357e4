"""Writes assets/calibration/serving.json: kernel surfaces [M-time-operator], engine coefficients [M-time-serving] and ranges [M-range].

  python3 tools/fit/serving.py --cli build/dev/native/cli/gpuplan            fit all stages, write the file
  python3 tools/fit/serving.py --cli … --stage "vLLM V1"                     one stage from the values that are there

Same rows, same file. Every entry carries its rows and the cross-validated error of its stage, leaving out one GPU, model or engine at a time.
"""
import argparse
import collections
import json
import math
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/truth"))
sys.path.insert(0, str(ROOT / "tools/fit"))
import gauss_newton
import serving_fixed
import serving_rows
import serving_stages
import serving_surfaces

FIRST_TOKEN = 0.3  # weight of a time to first token beside a speed
ROUNDING = 1e-3  # of the log: the rows at both ends of a range lie inside it when its ends are rounded
TARGET = ROOT / "assets/calibration/serving.json"


class Rows:
    """The rows that can be scored, their scenarios, and the core's answers to them under given coefficients."""

    def __init__(self, cli):
        self.cli = cli
        kept = [r for r in serving_rows.load() if not serving_rows.reason_to_skip(r) and not r["prefill_engines"]]  # those are held out
        self.rows = {r["id"]: r for r in kept}
        self.lines = {r["id"]: json.dumps(serving_rows.scenario(r)) for r in kept}
        self.targets = {r["id"]: serving_rows.target(r) for r in kept}
        for row in kept:
            if first := serving_rows.first_token(row):
                extra = row["id"] + "/ttft"
                self.rows[extra], self.lines[extra], self.targets[extra] = row, self.lines[row["id"]], ("first_token", *first)

    def residuals(self, entries, ids):
        """log(predicted / measured) of each row."""
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump({name: {"value": e["value"], "unit": e.get("unit", "")} for name, e in entries.items()}, file)
            file.flush()
            done = subprocess.run([self.cli, "estimate", "--ndjson", "--calibration", file.name, "-"], input="".join(self.lines[i] + "\n" for i in ids),
                                  capture_output=True, text=True)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        if len(answers) != len(ids):
            sys.exit("serving fit: " + done.stderr[:300])
        out = {}
        for i, answer in zip(ids, answers):
            _, measured, read = self.targets[i]
            out[i] = 3.0 if "error" in answer else math.log(max(1e-9, read(answer)) / measured)
        return out

    def group(self, i):
        return self.rows[i]["engine"], self.rows[i]["gpu"], self.targets[i][0]


def fit_stage(data, entries, name, belongs, parameters, rounds):
    """Fits one stage in place; returns {row id: cross-validated residual}."""
    ids = [i for i, r in data.rows.items() if belongs(r, serving_rows.version(r))]
    sizes = collections.Counter(data.group(i) for i in ids)
    weights = {i: (FIRST_TOKEN if "/" in i else 1.0) / math.sqrt(sizes[data.group(i)]) for i in ids}

    def evaluate(values):
        return data.residuals({**entries, **{n: {"value": v} for n, v in values.items()}}, ids)

    problem = gauss_newton.Problem(parameters, weights, evaluate)
    values, residuals, columns = problem.minimise({n: entries[n]["value"] for n in parameters}, rounds)
    worst = {}
    errors = {}
    for kind in ("gpu", "model", "engine"):
        groups = collections.defaultdict(list)
        for i in ids:
            groups[data.rows[i][kind]].append(i)
        if len(groups) < 2:
            errors[kind] = None
            worst.update({i: x for i, x in residuals.items() if i not in worst})
            continue
        out = problem.left_out(values, residuals, columns, groups)
        errors[kind] = round(median([abs(math.expm1(x)) for i, x in out.items() if "/" not in i]), 4)
        for i, x in out.items():
            worst[i] = x if abs(x) > abs(worst.get(i, 0.0)) else worst[i]
    fitted = round(median([abs(math.expm1(x)) for i, x in residuals.items() if "/" not in i]), 4)
    for n, v in values.items():
        entries[n] = {"value": float(f"{v:.4g}"), "unit": serving_fixed.unit_of(n), "rows": len(ids), "fitted_on": name,
                      "median_error": fitted, "cross_validated": errors, "source": "tests/truth/serving_speed.csv"}
    left_out = "  ".join(f"{kind} {error:.3f}" for kind, error in errors.items() if error is not None)
    print(f"{name:40} {len(ids):5} rows  median {fitted:.3f}  left out: {left_out}", flush=True)
    return worst


def median(values):
    ordered = sorted(values)
    return ordered[len(ordered) // 2] if ordered else 0.0


def central(values, tail):
    """The two residuals between which all but `tail` on each side lie; every group weighs the same."""
    sizes = collections.Counter(group for _, group in values)
    ends = []
    for share in (tail, 1.0 - tail):
        reached = 0.0
        for value, group in sorted(values):
            reached += 1.0 / sizes[group]
            if reached >= share * len(sizes):
                break
        ends.append(value)
    return ends


def fit_ranges(data, entries, residuals):
    """The central 90 % of measured / predicted per kind of estimate, every engine x GPU weighing the same. An engine with enough rows has its own; the
    range of the kind holds for the others, so it is the wider of all rows' and of theirs."""
    kinds, others = collections.defaultdict(list), collections.defaultdict(list)
    for i, x in residuals.items():
        if "/" not in i:
            for key in serving_fixed.range_keys(data.rows[i], data.targets[i][0]):
                kinds[key].append((-x, data.group(i)))
    own = {key for key, values in kinds.items() if key.count(".") > 2 and len(values) >= 30}
    for i, x in residuals.items():
        wide, narrow = serving_fixed.range_keys(data.rows[i], data.targets[i][0])
        if "/" not in i and narrow not in own:
            others[wide].append((-x, data.group(i)))
    for key, values in sorted(kinds.items()):
        if key.count(".") > 2 and key not in own:
            continue
        tail = 0.048 if ".batch" in key else 0.058  # rows of small groups come in lumps; these leave 88 to 93 % inside
        low, high = central(values, tail)
        if key in others:
            low, high = min(low, central(others[key], tail)[0]), max(high, central(others[key], tail)[1])
        for side, value in (("low", low - ROUNDING), ("high", high + ROUNDING)):
            entries[f"{key}.{side}"] = {"value": float(f"{math.exp(value):.4g}"), "unit": "ratio", "rows": len(values), "source": "tests/truth/serving_speed.csv"}


def write(entries):
    TARGET.write_text("{\n" + ",\n".join(f"  {json.dumps(n)}: {json.dumps(entries[n], ensure_ascii=False)}" for n in sorted(entries)) + "\n}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", default=str(ROOT / "build/dev/native/cli/gpuplan"))
    parser.add_argument("--stage", action="append", help="only this stage (may be given again)")
    parser.add_argument("--rounds", type=int, default=8)
    options = parser.parse_args()
    data = Rows(options.cli)
    entries = {**serving_fixed.entries(), **serving_surfaces.fit(), **serving_fixed.starts(serving_stages.STAGES)}
    if TARGET.exists():
        named = {n for _, _, parameters in serving_stages.STAGES for n in parameters}
        entries.update({n: e for n, e in json.loads(TARGET.read_text()).items() if n in named and "fitted_on" in e})
    for name, belongs, parameters in serving_stages.STAGES:
        if not options.stage or name in options.stage:
            fit_stage(data, entries, name, belongs, parameters, options.rounds)
    fit_ranges(data, entries, data.residuals(entries, list(data.rows)))
    write(entries)


if __name__ == "__main__":
    main()
