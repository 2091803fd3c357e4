"""Peak memory of training runs: tests/truth/training_memory.csv.

What a row's peak counts depends on who measured it: an allocator's figure leaves out the driver context, and a figure of allocated (not
reserved) bytes leaves out fragmentation too. Sources that print "GB" without saying which are read as GiB.
"""
import copy
import functools
import json

import scoring
from scoring import GIB

LEVELS = {"peak_quality_A": (0.06, 0.18), "peak": (0.10, 0.25), "peak_unknown_length": (), "peak_other_framework": (), "fits": (0.03, 0.03)}
GPUS = {
    "A100-80GB": "nvidia-a100-sxm4-80gb", "A100/A800-80GB (doc default)": "nvidia-a100-sxm4-80gb", "A800-80GB": "nvidia-a800-sxm4-80gb", "A100-40GB": "nvidia-a100-sxm4-40gb",
    "A100-40GB?": "nvidia-a100-sxm4-40gb", "H100-80GB-SXM": "nvidia-h100-sxm-80gb", "H800-80GB": "nvidia-h800-sxm-80gb", "A10G-24GB": "nvidia-a10g",
    "A10-24GB": "nvidia-a10", "RTX3090-24GB": "nvidia-rtx3090-24gb", "RTX4090-24GB": "nvidia-rtx4090-24gb", "B200-180GB-SXM": "nvidia-b200-sxm-180gb",
    "V100-16GB": "nvidia-v100-sxm2-16gb", "A6000-48GB": "nvidia-a6000-48gb",
    "V100-32GB": "nvidia-v100-sxm2-32gb", "T4-16GB": "nvidia-t4", "H100-96GB-HBM2e-500W": "nvidia-gh200-96gb", "H200-141GB-SXM": "nvidia-h200-sxm-141gb",
}
ROOMY = "nvidia-b300-sxm-270gb"  # a peak does not depend on the card; a card with room lets the core choose the stated layout


def whole(text):
    return int(float(text)) if text else None


# A card that the catalog does not have, by its memory: Titan X (Pascal) as its driver reports it.
OTHER_CARDS = {"TitanX-12GB": {"memory_gib": 11.9, "bandwidth_GBps": 480, "tflops_fp32": 11}}


@functools.lru_cache(maxsize=None)
def catalog():
    entries = json.loads((scoring.ROOT / "assets/models.json").read_text())["models"]
    return {e["id"]: e for e in entries}


def cut_model(row, mixer):
    """The model with fewer layers, as benchmarks of layouts run it: one dense layer before experts, no prediction layers."""
    whole_model = catalog()[row["model"]]
    cut = {k: copy.deepcopy(v) for k, v in whole_model.items() if k not in ("id", "aliases", "mtp_layers", "mtp_params", "kind", "source", "date")}
    layers = int(row["layers"])
    cut["order"] = [[0, layers]] if len(cut["kinds"]) == 1 else [[0, 1], [1, layers - 1]]
    for kind in cut["kinds"]:
        kind["mixer"].update(mixer)
    return {"architecture": cut}


def merge(into, more):
    for key, value in more.items():
        if isinstance(value, dict):
            merge(into.setdefault(key, {}), value)
        else:
            into[key] = value


def scenario(row):
    gpus = whole(row["gpus"]) or 1
    per_node = next(n for n in (8, 7, 6, 5, 4, 3, 2, 1) if gpus % n == 0)
    s = {"model": {"id": row["model"]}, "task": row["task"], "software": row["software"], "numerics": {"optimizer": row["optimizer"]},
         "workload": {}, "hardware": {"gpu": GPUS.get(row["gpu"], ROOMY), "gpus_per_node": per_node, "nodes": max(1, gpus // per_node)}, "layout": {}}
    extra = json.loads(row["extra"] or "{}")
    if row["layers"]:
        s["model"] = cut_model(row, extra.pop("mixer", {}))
    if row["gpu"] in OTHER_CARDS:
        s["hardware"]["gpu_spec"] = OTHER_CARDS[row["gpu"]]
        del s["hardware"]["gpu"]
    if row["version"]:
        s["software_version"] = row["version"]
    if row["weights"] and row["task"] in ("qlora", "lora"):
        s["numerics"]["weights"] = row["weights"]
    elif row["dtype"] == "fp8":
        s["numerics"]["activations"] = "fp8"
    elif row["dtype"] == "fp32":
        s["numerics"]["activations"] = "fp32"
    elif row["dtype"] == "amp":
        s["numerics"]["master_weights"] = "fp32"
    w = s["workload"]
    cp = whole(row["cp"]) or 1
    w["sequence"] = -(-whole(row["sequence"]) // cp) * cp  # ranks of a context-parallel group pad to equal shares
    micro = whole(row["micro_batch"]) or 1
    w["micro_batch"] = micro
    w["flash_attention"] = row["flash"] == "1"
    if row["rank"]:
        w["lora_rank"] = whole(row["rank"])
    if row["targets"]:
        w["lora_targets"] = row["targets"].split() if " " in row["targets"] or row["targets"].endswith("_proj") else row["targets"]
    if row["trainable"]:
        w["trainable"] = [row["trainable"]]
    if row["loss"]:
        w["loss"] = row["loss"]
    layout = s["layout"]
    if row["split"] == "layer":
        layout.update(split="layer", tp=1, pp=gpus, dp=1, cp=1)
    else:
        tp, pp, cp = (whole(row[k]) or 1 for k in ("tp", "pp", "cp"))
        layout.update(tp=tp, pp=pp, cp=cp, dp=whole(row["dp"]) or max(1, gpus // (tp * pp * cp)))
    layout["zero"] = int(row["zero"] or 0) if layout["dp"] * layout["cp"] > 1 else 0
    if row["virtual_stages"]:
        layout["virtual_stages"] = int(row["virtual_stages"])
    if row["sequence_parallel"]:
        layout["sequence_parallel"] = row["sequence_parallel"] == "1"
    layout["offload"] = row["offload"] or "none"
    layout["recompute"] = row["recompute"] or "full"
    if row["ep"]:
        layout["ep"] = int(row["ep"])
    w["global_batch"] = micro * layout["dp"] * (whole(row["accumulation"]) or 1)
    merge(s, extra)
    return s


@functools.lru_cache(maxsize=None)
def communicators(gpus):
    """Buffers that NCCL allocates itself, out of sight of the framework's allocator [M-memory-reserve]."""
    values = json.loads((scoring.ROOT / "assets/calibration/memory.json").read_text())
    peers = min(gpus - 1, 7)
    return values["train.communicator_bytes"]["value"] + values["train.peer_bytes"]["value"] * peers if gpus > 1 else 0.0


def measured_part(row, answer):
    """The core's figure for what the row counted."""
    parts = answer["memory"]["parts"]
    used = answer["memory"]["used_bytes"]
    kind = (row["memory_kind"] or "").lower()
    if any(word in kind for word in ("torch", "reserved", "allocat")):
        used -= parts["context"] + communicators(whole(row["gpus"]) or 1)
        if "reserved" not in kind or "not said" in kind:
            used -= parts["fragmentation"]
    return used


def note(row):
    words = [row["model_as_published"], row["task_as_published"], row["weights"], row["software_as_published"], f"{row['gpus']} GPU", f"zero{row['zero'] or 0}", row["offload"],
             f"mb{row['micro_batch'] or 1}", f"s{row['sequence']}", f"rc={row['recompute']}", row["quality"], (row["note"] or "")[:40]]
    return " ".join(w for w in words if w)


def run(cli):
    rows = scoring.read_rows("training_memory")
    usable = [r for r in rows if not r["excluded"]]
    answers = dict(zip((r["id"] for r in usable), cli.estimate([scenario(r) for r in usable])))
    out = []
    for row in rows:
        answer = answers.get(row["id"])
        refused = answer and answer.get("error")
        base = {"id": row["id"], "source": row["source"], "group": f"{row['origin']} {row['model']}", "excluded_reason": row["excluded"],
                "note": note(row) + (" REFUSED: " + refused["message"][:160] if refused else "")}
        good = answer and not refused
        other = row["origin"].startswith(("litgpt", "bert-readme"))  # not in the catalog: scored as the framework that is most like it, apart
        if row["peak_gib"]:
            predicted = measured_part(row, answer) if good else None
            scale = predicted / answer["memory"]["used_bytes"] if good else 1.0
            peak = {**base, "measured": float(row["peak_gib"]) * GIB, "predicted": predicted,
                    "low": answer["range"]["used_bytes"][0] * scale if good else None, "high": answer["range"]["used_bytes"][1] * scale if good else None}
            # Scripts that name the longest length allowed, not the longest that occurred, tell how much fits, not what a length costs.
            out.append({**peak, "quantity": "peak_unknown_length" if row["length_known"] != "1" else "peak_other_framework" if other else "peak"})
            if row["quality"] == "A" and not other:
                out.append({**peak, "quantity": "peak_quality_A"})
        if (row["gpu"] in GPUS or row["gpu"] in OTHER_CARDS) and (row["oom"] or row["peak_gib"]):
            unclear = row["excluded"] or ("the longest sample is not known" if row["length_known"] != "1" else "framework that the catalog does not have" if other else None)
            out.append({**base, "quantity": "fits", "kind": "verdict", "excluded_reason": unclear, "measured": row["oom"] != "1", "predicted": bool(answer["fits"]) if good else None})
    return out
