"""Fits what training frameworks add to kernels and messages: assets/calibration/training.json from tests/truth/training_speed.csv [M-step-coefficients].

A time is the framework's coefficient × the hardware generation's (`train.generation.*`), so that frameworks and generations borrow from each other; robust
Gauss–Newton on logarithms, rows of one source and model weigh 1/√n, every coefficient is pulled towards its start. Cross-validated by leaving out each model,
then each generation (one Newton step away from the minimum without it); printed errors come from predictions of models left out, ranges from both."""
import json
import math
import pathlib
import tempfile

import compass
import gauss_newton
import scoring
import training_names as names_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = ROOT / "assets/calibration/training.json"
SOURCE = "tests/truth/training_speed.csv"
TAIL = 0.07  # of predictions beyond each end of a range: 93.6 % of fitted ones and 82 % of those of new models lie inside
LOST = 2.0  # log error of a row that the core refuses


class Data:
    """Rows, what they ask, what was measured; one evaluation asks the core about all of them."""

    def __init__(self, cli):
        truth = compass.module(ROOT / "tools/truth/training_speed.py")
        self.cli_path = cli.path
        self.rows = [r for r in scoring.read_rows("training_speed") if not r["excluded"]]
        self.scenarios = [truth.scenario(r) for r in self.rows]
        self.measured = [float(r["tokens_per_s_per_gpu"]) for r in self.rows]
        self.model = [r["model"] or r["architecture"] for r in self.rows]
        self.generation = [names_of.generation(r["gpu"]) for r in self.rows]
        self.weights = dict(enumerate(compass.weights([r["group"] + m for r, m in zip(self.rows, self.model)])))
        self.file = tempfile.NamedTemporaryFile("w", suffix=".json")

    def residuals(self, values):
        """{row: log(predicted ÷ measured)}"""
        self.file.seek(0)
        self.file.truncate()
        self.file.write(written(names_of.complete(values)))
        self.file.flush()
        answers = scoring.Cli(self.cli_path, self.file.name).estimate(self.scenarios)
        return {i: math.log(a["throughput"]["tokens_per_s_per_gpu"] / m) if "error" not in a else LOST for i, (a, m) in enumerate(zip(answers, self.measured))}


class Problem(gauss_newton.Problem):
    """Columns of names whose rows do not meet are taken in one evaluation."""

    def __init__(self, data, parameters):
        super().__init__(parameters, data.weights, data.residuals)
        self.rows_of = {n: {i for i, (r, g) in enumerate(zip(data.rows, data.generation)) if names_of.touches(n, r, g)} for n in parameters}

    def jacobian(self, values, residuals):
        columns, waiting = {}, list(self.names)
        while waiting:
            turn, taken = [], set()
            for name in waiting:
                if not taken & self.rows_of[name]:
                    turn.append(name)
                    taken |= self.rows_of[name]
            waiting = [n for n in waiting if n not in turn]
            moved = dict(values)
            for name in turn:
                moved[name] = values[name] * math.exp(gauss_newton.STEP)
            shifted = self.evaluate(moved)
            for name in turn:
                columns[name] = {i: (shifted[i] - residuals[i]) / gauss_newton.STEP if i in self.rows_of[name] else 0.0 for i in self.weights}
        return columns


def written(values, entries=None):
    entries = entries or {}
    line = lambda k: {"value": float(f"{values[k]:.4g}"), "unit": names_of.unit(k), **entries.get(k, {})}
    return "{\n" + ",\n".join(f"  {json.dumps(k)}: {json.dumps(line(k))}" for k in sorted(values)) + "\n}\n"


def error(residual):
    return abs(math.exp(residual) - 1.0)


def quantile(pairs, share):
    """Weighted, with the lower step: (value, weight) pairs."""
    return scoring.weighted_percentile([p[0] for p in pairs], [p[1] for p in pairs], share)


def ranges(data, tables):
    """Step time ÷ estimate between which nine in ten rows lie, of predictions fitted and with the row's model left out together: rows like ours and rows of
    new models. Dense and routed models apart, per framework where it has FEWEST rows."""
    out = {}
    cells = compass.weights([r["group"] + m for r, m in zip(data.rows, data.model)])
    for head in ["other"] + sorted({r["software"] for r in data.rows}):
        for prefix, test in (("range", lambda r: not names_of.routed(r)), ("expert_range", names_of.routed)):
            mine = [(math.exp(t[i]), cells[i] ** 2) for t in tables for i, r in enumerate(data.rows) if test(r) and head in ("other", r["software"])]
            if len(mine) >= 2 * names_of.FEWEST:
                name = f"train.{head}.{prefix}"
                out[name + "_low"], out[name + "_high"] = min(1.0, quantile(mine, TAIL)), max(1.0, quantile(mine, 1.0 - TAIL))
    return out


def macro(data, residuals):
    """Median and 90th percentile as tools/score weighs them: each source × model the same."""
    cells = compass.weights([r["group"] + m for r, m in zip(data.rows, data.model)])
    pairs = [(error(residuals[i]), cells[i] ** 2) for i in range(len(data.rows))]
    return quantile(pairs, 0.5), quantile(pairs, 0.9)


def groups(keys):
    out = {}
    for i, key in enumerate(keys):
        out.setdefault(key, set()).add(i)
    return out


def entries_of(data, problem, fitted, unseen):
    """Beside each value: rows that it touches, their median error fitted and with their model left out."""
    out = {}
    for name in problem.names:
        mine = sorted(problem.rows_of[name])
        out[name] = {"source": SOURCE, "rows": len(mine)}
        if mine:
            out[name].update(median_error=round(scoring.percentile([error(fitted[i]) for i in mine], 0.5), 4),
                             cross_validated_error=round(scoring.percentile([error(unseen[i]) for i in mine], 0.5), 4))
    return out


def fit(cli, check_only):
    data = Data(cli)
    parameters = names_of.parameters(data.rows, data.generation)
    problem = Problem(data, parameters)
    values, fitted, columns = problem.minimise({n: p[0] for n, p in parameters.items()}, rounds=10)
    unseen = problem.left_out(values, fitted, columns, groups(data.model))
    tables = {"fitted": fitted, "models left out": unseen, "generations left out": problem.left_out(values, fitted, columns, groups(data.generation))}
    for label, residuals in tables.items():
        e = [error(r) for r in residuals.values()]
        print(f"{label:<21} rows {len(e):4d} median {scoring.percentile(e, 0.5):.3f} p90 {scoring.percentile(e, 0.9):.3f}   source x model: median %.3f p90 %.3f" % macro(data, residuals))
    entries = entries_of(data, problem, fitted, unseen)
    spread = ranges(data, (fitted, unseen))
    whole = {**names_of.complete(values), **spread}
    for k in whole:
        entries.setdefault(k, {"source": SOURCE, "rows": len(data.rows)} if k in spread else names_of.origin(k, values))
    if not check_only:
        TARGET.write_text(written(whole, entries))
    return 0
