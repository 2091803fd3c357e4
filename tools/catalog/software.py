"""software.csv and software_formats.csv to assets/software.json: what each engine and framework can do, and where each format runs."""
from . import figures, tables

LISTS = ("tasks", "versions", "vendors", "weight_formats", "kv_formats", "optimizers")
LIMITS = ("max_tp", "max_pp", "max_cp", "max_ep", "max_zero", "max_zero_pp", "min_compute_capability")
FLAGS = ("serves", "trains", "attention_dp", "tensor_split", "layer_split", "offload")


def listed(row, key):
    """Vendors have spaces in their names, formats and versions do not."""
    return [word for word in row[key].split(";" if key == "vendors" else None) if word]


def formats_of(rows):
    """Where quantized formats load (vendors; NVIDIA from a compute capability on) and from where on the matmul runs in the format itself."""
    return [{"formats": row["formats"].split(), "vendors": listed(row, "vendors"), "min_compute_capability": int(row["min_compute_capability"] or 0),
             "computes_from": int(row["computes_from"] or 0), "source": row["sources"]} for row in rows]


def entry(row, format_rows, date_of):
    made = {"id": row["id"], "name": row["name"]}
    made.update({key: row[key] == "yes" for key in FLAGS})
    made.update({key: listed(row, key) for key in LISTS})
    made.update({key: int(row[key] or 0) for key in LIMITS})
    made["formats"] = formats_of(format_rows)
    # Fields of general knowledge that no listed source was read for; "all" = the whole row.
    made["assumed"] = row["assumed"].split()
    return {**made, "kind": "assumed" if row["assumed"] == "all" else "datasheet", "source": row["sources"], "date": max(date_of[word] for word in row["sources"].split()),
            "notes": row["notes"]}


def document():
    """The whole of assets/software.json."""
    date_of, formats = figures.dates(), tables.rows("software_formats")
    entries = [entry(row, [each for each in formats if each["software"] == row["id"]], date_of) for row in tables.rows("software")]
    return {"version": 1, "software": entries}
