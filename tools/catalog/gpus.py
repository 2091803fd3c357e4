"""gpus.csv to assets/gpus.json: SI units, each figure with its kind, source and date."""
from fractions import Fraction

from . import figures, memory, tables

RATES = ("fp64", "fp32", "tf32", "fp16", "bf16", "fp8", "fp6", "fp4", "int8", "int4")
# Raw bytes per second of one PCIe lane, one direction: line rate x coding [M-pcie].
PCIE_LANE = {"1": 0.25e9, "2": 0.5e9, "3": 8e9 * 128 / 130 / 8, "4": 16e9 * 128 / 130 / 8, "5": 32e9 * 128 / 130 / 8, "6": 64e9 * 242 / 256 / 8}


def rate_column(rate):
    return rate + ("_tops" if rate.startswith("int") else "_tflops")


def rate_key(rate, what="dense"):
    return f"{rate}_{what}_{'ops' if rate.startswith('int') else 'flops'}_per_second"


# Figure key -> (column of gpus.csv, factor to SI, unit).
PLAIN = {
    "memory_advertised_bytes": ("memory_gb", 1e9, "B"),
    "memory_bandwidth_bytes_per_second": ("memory_bandwidth_GBps", 1e9, "B/s"),
    **{rate_key(rate): (rate_column(rate), 1e12, "ops/s" if rate.startswith("int") else "flop/s") for rate in RATES},
    "scale_up_bytes_per_second_per_gpu_each_way": ("scale_up_each_way_GBps", 1e9, "B/s"),
    "scale_up_bytes_per_second_per_gpu_bidirectional": ("scale_up_bidirectional_GBps", 1e9, "B/s"),
    "scale_up_max_gpus": ("scale_up_max_gpus", 1, "GPUs"),
    "tdp_watts": ("tdp_w", 1, "W"),
    "fp16_accumulate_dense_flops_per_second": ("fp16_fp16acc_tflops", 1e12, "flop/s"),
}
MEASURED = {"bf16_measured_matmul_flops_per_second": "measured_bf16_tflops", "fp8_measured_matmul_flops_per_second": "measured_fp8_tflops"}


def kind_of(column, row):
    if row["sources"] == "recalled" or column in row["assumed"].split():
        return "assumed"
    return "derived" if column in row["derived"].split() else "datasheet"


def pcie_each_way(row):
    """Raw bytes per second of the card's host link, one direction; None where the card has none of its own."""
    return PCIE_LANE[row["pcie_gen"]] * int(row["pcie_lanes"]) if row["pcie_gen"] and row["pcie_lanes"] else None


def figures_of(row, usable, date_of):
    """All figures of one row of gpus.csv, keyed."""
    made = {}

    def put(key, value, unit, kind, source=row["sources"]):
        made[key] = figures.make(key, value, unit, kind, source, date_of)

    for key, (column, factor, unit) in PLAIN.items():
        if row[column]:
            put(key, tables.number(row[column], factor), unit, kind_of(column, row))
    put("memory_usable_bytes", *_with_unit(usable.of(row)))
    if pcie_each_way(row):
        put("pcie_bytes_per_second_each_way", pcie_each_way(row), "B/s", "assumed" if "pcie" in row["assumed"].split() else "derived")
    for key, column in MEASURED.items():
        if row[column]:
            put(key, tables.number(row[column], 1e12), "flop/s", "measured", "mle-accelerators")
    made.update(sparse_figures(row, made, date_of))
    return made


def _with_unit(bytes_and_kind):
    value, kind = bytes_and_kind
    return value, "B", kind


def sparse_figures(row, made, date_of):
    """Structured-sparsity peaks [M-sparse]: never used for estimates, kept apart from the dense ones."""
    factor = int(row["sparsity"] or 1)
    kept = [rate for rate in ("tf32", "fp16", "bf16", "fp8", "int8") if rate_key(rate) in made and factor > 1]
    return {rate_key(rate, "sparse"): figures.make(rate_key(rate, "sparse"), made[rate_key(rate)]["value"] * factor,
                                                   made[rate_key(rate)]["unit"], "derived", "sparsity", date_of) for rate in kept}


def identity(row):
    """What names and places a GPU."""
    return {
        "id": row["id"], "name": row["name"], "vendor": row["vendor"], "aliases": [a for a in row["aliases"].split(";") if a],
        "architecture": row["architecture"], "compute_capability": row["compute_capability"], "form_factor": row["form_factor"],
        "year": int(row["year"]), "status": row["status"], "unified_memory": row["memory_kind"] in ("unified", "apple-unified"),
        "serves_only": row["serves_only"] == "yes",
        "memory_type": row["memory_type"], "memory_kind": row["memory_kind"], "scale_up": row["scale_up"], "scale_up_technology": row["scale_up_technology"],
        "sources": row["sources"], "notes": row["notes"],
    }


# What a share of a card does not scale: everything else is in proportion [M-vgpu].
UNSCALED = {"scale_up_max_gpus", "pcie_bytes_per_second_each_way"}


def share_entry(share, card):
    """A vGPU: a share of a card, with its memory, rates and bandwidth in proportion."""
    part = Fraction(share["share"])
    entry = {**card, "id": share["id"], "name": f"{card['name']} ({share['share']} of a card)", "aliases": [],
             "sources": "vgpu-share", "scale_up": "none", "card": card["id"], "share": float(part), "notes": "provider sells a share of the card"}
    for key, member in card.items():
        if tables.is_figure(member) and key.startswith("scale_up_bytes"):
            del entry[key]
        elif tables.is_figure(member) and key not in UNSCALED:
            entry[key] = {**member, "value": tables.tidy(member["value"] * float(part)), "kind": "assumed", "source": "vgpu-share"}
    return entry


def document():
    """The whole of assets/gpus.json."""
    usable, date_of = memory.UsableMemory(), figures.dates()
    entries = [{**identity(row), **figures_of(row, usable, date_of)} for row in tables.rows("gpus")]
    by_id = {entry["id"]: entry for entry in entries}
    entries += [share_entry(share, by_id[share["card"]]) for share in tables.rows("gpu_shares")]
    return {"version": 1, "gpus": entries}
