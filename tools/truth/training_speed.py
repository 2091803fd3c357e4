"""Training speed: published tokens per second and GPU against the step time that the product estimates [M-step]."""
import json
import re

import scoring

LEVELS = {"tokens per s and GPU": (0.07, 0.20)}


def shortened(text):
    """A catalog model with other layer counts, kind by kind: 'deepseek-ai/DeepSeek-V3 layers 1+3'."""
    name, counts = text.split(" layers ")
    model = next(m for m in json.loads((scoring.ROOT / "assets/models.json").read_text())["models"] if m["id"] == name)
    keep = ("hidden", "vocab", "tied", "kinds", "learned_positions", "norm")
    return {"id": text, **{k: model[k] for k in keep if k in model}, "order": [[i, int(n)] for i, n in enumerate(counts.split("+"))]}


def architecture(text):
    """The core's description of a plain decoder from '40x5120 heads 40/40 ffn 20480 gated vocab 50368', or of a shortened model."""
    if " layers " in text:
        return shortened(text)
    layers, hidden, heads, kv_heads, ffn, gated, vocab = re.fullmatch(
        r"(\d+)x(\d+) heads (\d+)/(\d+) ffn (\d+)( gated)? vocab (\d+)", text).groups()
    layer = {"mixer": {"kind": "full", "heads": int(heads), "kv_heads": int(kv_heads), "head_dim": int(hidden) // int(heads)},
             "mlp": {"kind": "dense", "gated": bool(gated), "intermediate": int(ffn)}}
    return {"id": text, "hidden": int(hidden), "vocab": int(vocab), "tied": not gated, "kinds": [layer], "order": [[0, int(layers)]]}


TARGETS = {None: "all-linear", "q,v": "qv", "q,k,v,o (attention)": "attention", "c_attn/DEFAULT(qkv)": ["q_proj", "k_proj", "v_proj"],
           "DEFAULT(qkv)": ["q_proj", "k_proj", "v_proj"], "c_attn": ["q_proj", "k_proj", "v_proj"]}


def scenario(row):
    """What the row ran, in the words of the protocol."""
    model = {"id": row["model"]} if row["model"] else {"architecture": architecture(row["architecture"])}
    numerics = {"activations": row["activations"]}
    if row["weights"]:
        numerics["weights"] = row["weights"]
    sequence = int(row["sequence"])
    workload = {"sequence": sequence, "context": sequence, "micro_batch": int(row["micro_batch"]), "global_batch": int(row["global_batch"]),
                "flash_attention": row["flash_attention"] != "no"}
    if row["lora_rank"]:
        workload["lora_rank"] = int(row["lora_rank"])
    if row["task"] in ("lora", "qlora"):
        workload["lora_targets"] = TARGETS.get(row["lora_targets"], "all-linear")
    hardware = {"instance": row["instance"]} if row["instance"] else {"gpu": row["gpu"], "gpus_per_node": int(row["gpus_per_node"])}
    hardware["nodes"] = int(row["nodes"])
    if row["network_gbps_per_node"] and int(row["nodes"]) > 1:
        hardware["scale_out_gbps_per_node"] = float(row["network_gbps_per_node"])
    if row["scale_up_GBps"]:
        hardware["scale_up_GBps"] = float(row["scale_up_GBps"])
    layout = {k: int(row[k]) for k in ("tp", "pp", "dp", "cp", "ep", "virtual_stages", "zero")}
    if row["shard_group"]:
        layout["shard_group"] = int(row["shard_group"])
    layout.update(sequence_parallel=row["sequence_parallel"] == "1", offload=row["offload"], recompute=row["recompute"])
    software = {"software": row["software"]}
    if row["software_version"]:
        software["software_version"] = row["software_version"]
    return {"model": model, "task": row["task"], **software, "numerics": numerics, "workload": workload, "hardware": hardware, "layout": layout}


def entry(row, answer):
    out = {"id": row["id"], "quantity": "tokens per s and GPU", "group": row["group"] + " " + (row["model"] or row["architecture"] or ""),
           "measured": float(row["tokens_per_s_per_gpu"] or 0), "predicted": None, "low": None, "high": None, "source": row["source"], "note": row["note"] or "",
           "excluded_reason": row["excluded"] or ""}
    if answer and "error" in answer:
        out["note"] += " refused: " + answer["error"]["message"]
    elif answer:
        gpus = int(row["gpus_per_node"]) * int(row["nodes"])
        out["predicted"] = answer["throughput"]["tokens_per_s_per_gpu"]
        out["low"], out["high"] = (x / gpus for x in answer["range"]["tokens_per_s"])
    return out


def run(cli):
    rows = scoring.read_rows("training_speed")
    asked = [r for r in rows if not r["excluded"]]
    answers = dict(zip((r["id"] for r in asked), cli.estimate([scenario(r) for r in asked])))
    return [entry(r, answers.get(r["id"])) for r in rows]
