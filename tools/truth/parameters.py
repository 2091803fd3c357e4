"""Parameter counts of architectures against published ones: tests/truth/parameters.csv, one row per model of the catalog.

A published count is of the elements in a checkpoint; `extra_elements` are those that are no parameters (scales, buffers, a tied head stored twice),
with the reason beside them, and are taken off before comparing. `counts` says whether towers and prediction layers are in the published figure.
"""
import scoring

LEVELS = {"total": (0.0, 0.005), "total_rounded": (0.005, 0.02), "total_recalled": (0.0, 0.005)}
QUANTITIES = {"exact": "total", "rounded": "total_rounded", "recalled": "total_recalled"}


def run(cli):
    rows = scoring.read_rows("parameters")
    answers = cli.call([{"op": "inspect", "id": row["id"]} for row in rows])
    return [compared(row, answer) for row, answer in zip(rows, answers)]


def compared(row, answer):
    failed = answer.get("error")
    counted = None if failed else answer["parameters"]["text" if row["counts"] == "text" else "total"]
    note = failed["message"] if failed else row["extra_reason"] or row["note"]
    return {
        "id": row["id"], "quantity": QUANTITIES[row["evidence"]], "measured": float(row["published_elements"]) - float(row["extra_elements"] or 0),
        "predicted": None if failed else float(counted), "low": None, "high": None, "source": row["source"], "note": note, "excluded_reason": row["excluded"],
    }
