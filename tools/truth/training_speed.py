"""Training speed: published tokens per second and GPU against the step time that the product estimates [M-step]."""
import csv
import json
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROWS = ROOT / "tests/truth/training_speed.csv"


def rows():
    with open(ROWS, newline="") as f:
        return list(csv.DictReader(f))


def architecture(text):
    """The core's description of a plain decoder from '40x5120 heads 40/40 ffn 20480 gated vocab 50368'."""
    layers, hidden, heads, kv_heads, ffn, gated, vocab = re.fullmatch(
        r"(\d+)x(\d+) heads (\d+)/(\d+) ffn (\d+)( gated)? vocab (\d+)", text).groups()
    layer = {"mixer": {"kind": "full", "heads": int(heads), "kv_heads": int(kv_heads), "head_dim": int(hidden) // int(heads)},
             "mlp": {"kind": "dense", "gated": bool(gated), "intermediate": int(ffn)}}
    return {"id": text, "hidden": int(hidden), "vocab": int(vocab), "tied": not gated, "kinds": [layer], "order": [[0, int(layers)]]}


TARGETS = {"": "all-linear", "q,v": "qv", "q,k,v,o (attention)": "attention", "c_attn/DEFAULT(qkv)": ["q_proj", "k_proj", "v_proj"],
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
        workload["lora_targets"] = TARGETS.get(row["lora_targets"], "all-linear")
    hardware = {"gpu": row["gpu"], "gpus_per_node": int(row["gpus_per_node"]), "nodes": int(row["nodes"])}
    if row["network_gbps_per_node"] and int(row["nodes"]) > 1:
        hardware["scale_out_gbps_per_node"] = float(row["network_gbps_per_node"])
    layout = {k: int(row[k]) for k in ("tp", "pp", "dp", "cp", "ep", "virtual_stages", "zero")}
    layout.update(sequence_parallel=row["sequence_parallel"] == "1", offload=row["offload"], recompute=row["recompute"])
    return {"model": model, "task": row["task"], "software": row["software"], "numerics": numerics, "workload": workload, "hardware": hardware, "layout": layout}


def answers(cli, lines, calibration=None):
    """One answer per scenario, in order."""
    with tempfile.NamedTemporaryFile("w", suffix=".ndjson") as f:
        f.write("\n".join(json.dumps(line) for line in lines) + "\n")
        f.flush()
        command = [str(cli), "estimate", "--ndjson", f.name] + (["--calibration", str(calibration)] if calibration else [])
        out = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return [json.loads(line) for line in out.splitlines() if line.strip()]


def run(cli, calibration=None):
    """One entry per row; measured and predicted are tokens per second and GPU."""
    kept = [r for r in rows() if not r["excluded"]]
    result = []
    for row, answer in zip(kept, answers(cli, [scenario(r) for r in kept], calibration)):
        gpus = int(row["gpus_per_node"]) * int(row["nodes"])
        entry = {"id": row["id"], "group": row["group"] + " " + (row["model"] or row["architecture"]), "measured": float(row["tokens_per_s_per_gpu"]), "unit": "tokens/s/GPU",
                 "source": row["source"], "note": row["note"], "excluded_reason": ""}
        if "error" in answer:
            entry.update(predicted=None, low=None, high=None, excluded_reason=answer["error"]["message"])
        else:
            low, high = answer["range"]["tokens_per_s"]
            entry.update(predicted=answer["throughput"]["tokens_per_s_per_gpu"], low=low / gpus, high=high / gpus)
        result.append(entry)
    for row in rows():
        if row["excluded"]:
            result.append({"id": row["id"], "group": row["group"], "measured": float(row["tokens_per_s_per_gpu"] or 0), "predicted": None, "low": None, "high": None,
                           "unit": "tokens/s/GPU", "source": row["source"], "note": row["note"], "excluded_reason": row["excluded"]})
    return result
