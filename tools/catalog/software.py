"""software.csv to assets/software.json: what each engine and framework can do."""
from . import figures, tables

LISTS = ("tasks", "versions", "vendors", "weight_formats", "kv_formats", "optimizers", "compute_formats")
LIMITS = ("max_tp", "max_pp", "max_cp", "max_ep", "max_zero", "min_compute_capability")
FLAGS = ("serves", "trains", "attention_dp", "tensor_split", "layer_split", "offload")


def entry(row, date_of):
    made = {"id": row["id"], "name": row["name"]}
    made.update({key: row[key] == "yes" for key in FLAGS})
    made.update({key: row[key].split(";" if key == "vendors" else None) for key in LISTS})
    made.update({key: int(row[key] or 0) for key in LIMITS})
    return {**made, "kind": "datasheet", "source": row["sources"], "date": max(date_of[word] for word in row["sources"].split()),
            "notes": row["notes"]}


def document():
    """The whole of assets/software.json."""
    date_of = figures.dates()
    return {"version": 1, "software": [entry(row, date_of) for row in tables.rows("software")]}
