"""What fits share: least squares of log ratios through the core itself, with priors, and cross-validation over groups left out."""
import json
import math
import os
import tempfile

import numpy
from scipy.optimize import least_squares


class Model:
    """Predictions of the core as a function of some coefficients; `rows` are (scenario, pick, measured, weight). `base` holds every coefficient that
    is not fitted here, so that a fit does not depend on what is shipped."""

    def __init__(self, cli, rows, base):
        self.cli, self.rows, self.base = cli, rows, base

    def predict(self, values):
        """One number per row; `values` maps coefficient names to numbers."""
        with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as f:
            json.dump({name: {"value": value, "unit": ""} for name, value in {**self.base, **values}.items()}, f)
        try:
            answers = type(self.cli)(self.cli.path, f.name).estimate([row[0] for row in self.rows])
        finally:
            os.unlink(f.name)
        return [None if "error" in a else row[1](a) for row, a in zip(self.rows, answers)]


def residuals(predicted, rows):
    """Weighted log ratios; a refusal counts as nothing."""
    return [row[3] * math.log(max(p, 1.0) / row[2]) if p is not None else 0.0 for p, row in zip(predicted, rows)]


def fit(model, terms):
    """`terms`: {name: (start, low, high, spread)}; spread is the prior's standard deviation, relative to the start (0 = free).
    Returns {name: value}. Coefficients are fitted as shares of their scale, so that bytes and pure numbers weigh alike."""
    names = list(terms)
    scale = numpy.array([max(abs(terms[n][0]), 1e-9) for n in names])

    def error(x):
        values = {n: float(v * s) for n, v, s in zip(names, x, scale)}
        prior = [(x[i] - terms[n][0] / scale[i]) / terms[n][3] * 0.05 for i, n in enumerate(names) if terms[n][3]]
        return numpy.array(residuals(model.predict(values), model.rows) + prior)

    low = numpy.array([terms[n][1] for n in names]) / scale
    high = numpy.array([terms[n][2] for n in names]) / scale
    start = numpy.clip(numpy.array([terms[n][0] for n in names]) / scale, low + 1e-9, high - 1e-9)
    done = least_squares(error, start, bounds=(low, high), loss="soft_l1", f_scale=0.1, diff_step=0.02, max_nfev=30)
    return {n: float(v * s) for n, v, s in zip(names, done.x, scale)}


def cross_validated(cli, rows, terms, groups, base):
    """Signed relative errors of each row, predicted by coefficients fitted without its group."""
    errors = [None] * len(rows)
    for group in sorted(set(groups)):
        kept = [r for r, g in zip(rows, groups) if g != group]
        if not kept:
            continue
        values = fit(Model(cli, kept, base), terms)
        held = [(i, r) for i, (r, g) in enumerate(zip(rows, groups)) if g == group]
        for (i, r), p in zip(held, Model(cli, [r for _, r in held], base).predict(values)):
            errors[i] = None if p is None else (p - r[2]) / r[2]
    return errors
