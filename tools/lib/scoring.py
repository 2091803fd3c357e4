"""What tools/score and tools/calibrate share: running the core over scenarios, errors of rows, tables of families."""
import collections
import csv
import importlib
import json
import math
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FAMILIES = ROOT / "tools/truth"
GIB = 2.0 ** 30


class Cli:
    """The gpuplan command, asked in batches; answers are remembered within a run."""

    def __init__(self, path, calibration=None):
        self.path = path
        self.extra = ["--calibration", calibration] if calibration else []

    def estimate(self, scenarios):
        """One answer (or {"error": …}) per scenario."""
        return self.ask(["estimate", "--ndjson", *self.extra, "-"], scenarios)

    def call(self, requests):
        """One answer (or {"error": …}) per request of the raw protocol."""
        return self.ask(["call", "--ndjson", *self.extra], requests)

    def ask(self, arguments, objects):
        if not objects:
            return []
        lines = "".join(json.dumps(o) + "\n" for o in objects)
        done = subprocess.run([self.path, *arguments], input=lines, capture_output=True, text=True)
        answers = [json.loads(line) for line in done.stdout.splitlines() if line.strip()]
        if len(answers) != len(objects):
            sys.exit(f"score: {len(answers)} answers for {len(objects)} questions: {done.stderr.strip()[:400]}")
        return answers


def families(names):
    """Modules of tools/truth that can run, all or those named."""
    found = sorted(p.stem for p in FAMILIES.glob("*.py") if "\ndef run(cli)" in p.read_text())
    unknown = set(names or []) - set(found)
    if unknown:
        sys.exit(f"score: no family {', '.join(sorted(unknown))}; there are {', '.join(found)}")
    return [importlib.import_module(name) for name in (names or found)]


def read_rows(name):
    """Rows of tests/truth/<name>.csv as dictionaries; empty cells are None."""
    with open(ROOT / f"tests/truth/{name}.csv", newline="", encoding="utf-8") as f:
        return [{k: (v if v != "" else None) for k, v in row.items()} for row in csv.DictReader(f)]


def percentile(values, share):
    """Linear interpolation between order statistics."""
    ordered = sorted(values)
    at = (len(ordered) - 1) * share
    below = math.floor(at)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (at - below)


def weights(rows):
    """One over the number of rows of the same group (a model, or a source), so that a much-measured one does not dominate."""
    counts = collections.Counter(r.get("group") or r["id"] for r in rows)
    return [1.0 / counts[r.get("group") or r["id"]] for r in rows]


def weighted_percentile(values, weight, share):
    """Smallest value that at least `share` of the weight does not exceed."""
    ordered = sorted(zip(values, weight))
    wanted = share * sum(weight) - 1e-12
    total = 0.0
    for value, w in ordered:
        total += w
        if total >= wanted:
            return value
    return ordered[-1][0]


def weighted_share(truths, weight):
    return sum(w for t, w in zip(truths, weight) if t) / sum(weight)


def error(row):
    """Absolute relative error; for a verdict 0 when right and 1 when wrong."""
    if row.get("kind") == "verdict":
        return 0.0 if row["measured"] == row["predicted"] else 1.0
    if row["predicted"] is None:
        return 1.0
    if row["measured"] == 0:
        return 0.0 if row["predicted"] == 0 else 1.0
    return abs(row["predicted"] - row["measured"]) / abs(row["measured"])


def score(family, cli):
    """One table per quantity of the family."""
    rows = family.run(cli)
    tables = []
    for quantity in dict.fromkeys(r["quantity"] for r in rows):
        mine = [r for r in rows if r["quantity"] == quantity]
        scored = [r for r in mine if not r.get("excluded_reason")]
        tables.append(summary(family, quantity, mine, scored))
    return tables


def summary(family, quantity, mine, scored):
    errors, weight = [error(r) for r in scored], weights(scored)
    ranged = [r for r in scored if r.get("low") is not None and r.get("high") is not None and r["predicted"] is not None]
    inside = [r["low"] <= r["measured"] <= r["high"] for r in ranged]
    return {
        "family": family.__name__, "quantity": quantity, "count": len(scored), "excluded": len(mine) - len(scored),
        "median": weighted_percentile(errors, weight, 0.5) if errors else None, "p90": weighted_percentile(errors, weight, 0.9) if errors else None,
        "right": weighted_share([e == 0.0 for e in errors], weight) if errors and scored[0].get("kind") == "verdict" else None,
        "inside": weighted_share(inside, weights(ranged)) if ranged else None,
        "level": family.LEVELS.get(quantity), "rows": sorted(mine, key=lambda r: -error(r) if not r.get("excluded_reason") else 1),
    }


def percent(value):
    return "" if value is None else f"{100 * value:.1f} %"


def print_tables(tables, worst, every_row):
    print(f"{'family':<20} {'quantity':<28} {'rows':>5} {'left out':>8} {'median':>8} {'p90':>8} {'in range':>9} {'level':>16}")
    for t in tables:
        level = t["level"] or ()
        wanted = " / ".join(percent(x) for x in level)
        shown = ("right " + percent(t["right"]), "") if t["right"] is not None else (percent(t["median"]), percent(t["p90"]))
        print(f"{t['family']:<20} {t['quantity']:<28} {t['count']:>5} {t['excluded']:>8} {shown[0]:>8} {shown[1]:>8} {percent(t['inside']):>9} {wanted:>16}")
        scored = [r for r in t["rows"] if not r.get("excluded_reason")]
        for r in t["rows"] if every_row else scored[:worst]:
            mark = f" LEFT OUT: {r['excluded_reason']}" if r.get("excluded_reason") else ""
            print(f"    {percent(error(r)):>9}  measured {r['measured']:<14.6g} predicted {r['predicted'] if r['predicted'] is None else format(r['predicted'], '.6g')}"
                  f"  {r['id']}  {r.get('note') or ''}  [{r['source']}]{mark}")


def as_data(tables):
    """For the page's Accuracy view: no rows that were left out of the score."""
    keys = ("id", "measured", "predicted", "low", "high", "source", "note")
    return {"families": [{**{k: v for k, v in t.items() if k != "rows"},
                          "worst": [{k: r.get(k) for k in keys} for r in t["rows"] if not r.get("excluded_reason")][:10]} for t in tables]}


def gate(tables, path):
    """1 when a figure is worse than what `path` holds: {"family/quantity": {"median": …, "p90": …, "right": …, "count": …}}."""
    gates = json.loads(path.read_text())
    failures = []
    for t in tables:
        name = f"{t['family']}/{t['quantity']}"
        for figure, allowed in gates.get(name, {}).items():
            got = t[figure]
            low_is_bad = figure in ("right", "inside", "count")
            if got is None or (got < allowed if low_is_bad else got > allowed):
                failures.append(f"{name}: {figure} is {got}, allowed {'at least' if low_is_bad else 'at most'} {allowed}")
    for failure in failures:
        print(f"score: {failure}", file=sys.stderr)
    return 1 if failures else 0
