"""Fits the coefficients of memory [M-memory] and writes assets/calibration/memory.json.

Training: per family of frameworks, bytes per logit, fixed floor and working share, through the core itself, on rows of quality A and B whose
sequence length is known. Serving: bytes per logit of the sampler, prefill factor, graphs, floors and communicators, on the terms of engine logs.
Ranges are the 5th and 95th percentile of measured ÷ predicted over the cross-validated predictions (each model left out in turn), widened where
there are few rows. What no measurement of ours can tell stays at its start value and says so.
"""
import json
import pathlib
import tempfile

import fitting
import scoring
import memory_serving
import training_memory
from memory_start import START, FAMILIES

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = ROOT / "assets/calibration/memory.json"
GIB = scoring.GIB
RANGE_SOURCE = {False: "residuals of the fit and with each model left out, together", True: "twice the residuals of the fit: fewer than four models"}


def training_rows():
    rows = [r for r in scoring.read_rows("training_memory") if not r["excluded"] and r["peak_gib"] and r["quality"] in "AB" and r["length_known"] == "1"]
    return rows


def as_model_row(row):
    return (training_memory.scenario(row), lambda a, row=row: training_memory.measured_part(row, a), float(row["peak_gib"]) * GIB,
            1.0 if row["quality"] == "A" else 0.5)


def family_of(row):
    """The calibration family that the core uses for a row: FAMILIES lists software and, where it matters, version."""
    for family, test in FAMILIES.items():
        if test(row):
            return family
    return None


def percent(errors):
    good = [abs(e) for e in errors if e is not None]
    return {"median": round(scoring.percentile(good, 0.5), 4), "p90": round(scoring.percentile(good, 0.9), 4)} if good else None


def range_of(errors, floor, widen=1.0):
    """Ends of the 90 % range as factors on a prediction: percentiles of measured ÷ predicted, at least ±floor, wider for few rows."""
    ratios = sorted(1.0 / (1.0 + e) for e in errors if e is not None and e > -0.95)
    if len(ratios) < 5:
        return 1.0 - 2.5 * floor, 1.0 + 3.0 * floor
    spare = widen * (1.0 + 2.0 / len(ratios))
    low = 1.0 - (1.0 - scoring.percentile(ratios, 0.04)) * spare
    high = 1.0 + (scoring.percentile(ratios, 0.96) - 1.0) * spare
    return min(low, 1.0 - floor), max(high, 1.0 + floor)


def fit_training(cli, entries):
    rows = training_rows()
    for family in FAMILIES:
        mine = [r for r in rows if family_of(r) == family]
        terms = {f"{family}.{name}": (entries[f"{family}.{name}"]["value"], low, high, 1.0) for name, low, high in
                 (("bytes_per_logit", 2.0, 40.0), ("floor_bytes", 0.0, 8.0 * GIB), ("working_share", 0.0, 3.0))}
        if len(mine) < 20:
            del terms[f"{family}.working_share"]  # too few rows to tell it from the logits: it stays at its start
        if len(mine) < 5:
            print(f"{family}: {len(mine)} rows, not fitted")
            continue
        model_rows = [as_model_row(r) for r in mine]
        base = {name: entry["value"] for name, entry in entries.items()}
        values = fitting.fit(fitting.Model(cli, model_rows, base), terms)
        predicted = fitting.Model(cli, model_rows, base).predict(values)
        fitted = [None if p is None else (p - r[2]) / r[2] for p, r in zip(predicted, model_rows)]
        by_model = fitting.cross_validated(cli, model_rows, terms, [r["model"] for r in mine], base)
        by_gpu = fitting.cross_validated(cli, model_rows, terms, [r["gpu"] for r in mine], base) if len({r["gpu"] for r in mine}) > 1 else None
        evidence = {"rows": len(mine), "error": percent(fitted), "error_models_left_out": percent(by_model),
                    "error_gpus_left_out": percent(by_gpu) if by_gpu else None, "fitted_on": sorted(r["id"] for r in mine),
                    "source": "tests/truth/training_memory.csv"}
        for name, value in values.items():
            entries[name].update(value=round(value, 3) if value < 1e4 else round(value), **evidence)
        # Fewer than four models left out one by one say nothing about a fifth: the spread of the fit itself, doubled, stands in.
        few = len({r["model"] for r in mine}) < 4
        low, high = range_of(fitted, 0.06, 2.0) if few else range_of(fitted + by_model, 0.04)
        entries[f"{family}.used_low"].update(value=round(low, 3), rows=len(mine), source=RANGE_SOURCE[few])
        entries[f"{family}.used_high"].update(value=round(high, 3), rows=len(mine), source=RANGE_SOURCE[few])
        print(family, len(mine), {k.split(".")[-1]: round(v / GIB, 2) if v > 1e6 else round(v, 2) for k, v in values.items()},
              "fit", percent(fitted), "models out", percent(by_model), "gpus out", percent(by_gpu) if by_gpu else "-", "range", round(low, 2), round(high, 2))


def write(entries):
    lines = (f"  {json.dumps(name)}: {json.dumps(entries[name])}" for name in sorted(entries))
    TARGET.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def fit(cli, check_only):
    entries = {name: {"value": value, "unit": unit, "rows": 0, "source": source} for name, (value, unit, source) in START.items()}
    fit_training(cli, entries)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as f:
        json.dump({name: {"value": entry["value"], "unit": entry["unit"]} for name, entry in entries.items()}, f)
        f.flush()
        memory_serving.fit(scoring.Cli(cli.path, f.name), entries)
    if not check_only:
        write(entries)
    return 0
