"""Collectives: published times of all-reduce, all-gather, reduce-scatter and all-to-all against the product's [M-comm]."""
import scoring

LEVELS = {"from 1 MiB": (0.08, 0.25), "below 1 MiB": (0.20, None)}


def request(row):
    """The row as a question to the core."""
    hardware = {"instance": row["instance"]} if row["instance"] else {"gpu": row["gpu"], "gpus_per_node": int(row["gpus_per_node"])}
    hardware["nodes"] = int(row["nodes"])
    if row["scale_up_GBps"]:
        hardware["scale_up_GBps"] = float(row["scale_up_GBps"])
    if row["network_gbps_per_node"] and not row["instance"]:
        hardware["scale_out_gbps_per_node"] = float(row["network_gbps_per_node"])
    out = {"op": "collective", "scenario": {"hardware": hardware}, "kind": row["kind"].replace("_", "-"), "ranks": int(row["ranks"]),
           "bytes": int(row["message_bytes"]), "engine_kernel": bool(row["engine"]), "eager": row["eager"] == "1"}
    if row["ranks_per_node"] and row["ranks_per_node"] != row["gpus_per_node"]:
        out["ranks_per_node"] = int(row["ranks_per_node"])
    return out


def entry(row, answer):
    size = int(row["message_bytes"] or 0)
    out = {"id": row["id"], "quantity": "from 1 MiB" if size >= 1 << 20 else "below 1 MiB", "group": row["group"], "measured": float(row["time_us"] or 0) * 1e-6,
           "predicted": None, "low": None, "high": None, "source": row["source"], "note": f"{row['kind']} {row['gpu']} x{row['ranks']} {size} B {row['note'] or ''}".strip(),
           "excluded_reason": row["excluded"] or ""}
    if answer and "error" in answer:
        out["note"] += " refused: " + answer["error"]["message"]
    elif answer:
        out["predicted"], (out["low"], out["high"]) = answer["time_s"], answer["range"]["time_s"]
    return out


def run(cli):
    rows = scoring.read_rows("collectives")
    asked = [r for r in rows if not r["excluded"]]
    answers = dict(zip((r["id"] for r in asked), cli.call([request(r) for r in asked])))
    return [entry(r, answers.get(r["id"])) for r in rows]
