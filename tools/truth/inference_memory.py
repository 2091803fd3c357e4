"""Memory of serving engines against their own logs: tests/truth/inference_memory.csv, one row per log.

Scored with the settings that the log shows; what it does not show takes the engine's default of that version. A quantity is scored only where
the log holds what decides it (tokens of a pool: the card's memory and the share).
"""
import json

import scoring
from scoring import GIB

MIB = 2.0 ** 20
LEVELS = {
    "weights": (0.005, 0.02), "kv_bytes_per_token": (0.0, 0.01), "kv_tokens": (0.02, 0.08), "activation_peak": (0.10, 0.30),
    "llamacpp_model_buffer": (0.001, 0.01), "llamacpp_kv_buffer": (0.001, 0.01), "llamacpp_compute_buffer": (0.03, 0.15),
    "transformers_peak": (0.06, 0.18), "fits": (0.03, 0.03),
}
LEVELS.update({quantity + ", held out": level for quantity, level in list(LEVELS.items())})
MODELS = {}
ANY_GPU = "nvidia-b300-sxm-270gb"  # buffers and weights do not depend on the card


def longest(model):
    """The model's own longest context: what an engine takes when no length is set."""
    if not MODELS:
        MODELS.update((m["id"], m.get("max_context") or 2048) for m in json.loads((scoring.ROOT / "assets/models.json").read_text())["models"])
    return MODELS.get(model, 2048)


def number(text):
    return float(text) if text else None


def whole(text):
    return int(float(text)) if text else None


def scenario(row):
    """The scenario that the log describes."""
    gpus = whole(row["gpus"]) or 1
    s = {"model": {"id": row["model"]}, "task": "inference", "software": row["engine"], "numerics": {}, "workload": {}, "hardware": {}, "layout": {}}
    if row["version"]:
        s["software_version"] = row["version"]
    if row["weights"]:
        s["numerics"]["weights"] = row["weights"]
    if row["kv_cache"] in ("fp8", "q8_0", "q4_0", "fp32", "bf16", "fp16"):
        s["numerics"]["kv_cache"] = row["kv_cache"]
    w = s["workload"]
    context = whole(row["context"]) or longest(row["model"])
    w.update(context=context, concurrency=1, input_tokens=max(1, context // 2), output_tokens=1)
    for key, column in (("max_sequences", "max_sequences"), ("max_batched_tokens", "max_batched_tokens"), ("micro_batch_tokens", "ubatch")):
        if row[column]:
            w[key] = whole(row[column])
    if row["utilization"]:
        w["memory_utilization"] = min(1.0, float(row["utilization"]))
    if row["eager"]:
        w["eager"] = row["eager"] == "1"
    if row["engine"] == "llama.cpp":
        w["flash_attention"] = row["flash"] == "1"
    if row["engine"] == "transformers":
        tokens = whole(row["input_tokens"]) or 1
        w.update(context=tokens + 2048, input_tokens=tokens, output_tokens=2048)
    hardware = s["hardware"]
    hardware["gpu"] = row["gpu"] or ANY_GPU
    if row["memory_gib"]:
        hardware["memory_gib"] = float(row["memory_gib"])
    tp, pp = whole(row["tp"]) or gpus, whole(row["pp"]) or 1
    if row["engine"] in ("llama.cpp", "transformers"):
        tp, pp = 1, gpus
        s["layout"]["split"] = "layer" if gpus > 1 else "tensor"
    s["layout"].update(tp=tp, pp=pp, dp=1, cp=1)
    hardware.update(gpus_per_node=tp * pp, nodes=1)  # where the ranks sit does not change what they hold
    return s


def gpu_layers(row):
    """(layers on the GPU, layers in all) from "33/33"; None when not said."""
    text = row["gpu_layers"] or ""
    if text == "all":
        return "all"
    if "/" in text:
        on, all_layers = text.split("/")
        return int(on), int(all_layers)
    return None


# Bytes and tokens of one log that do not belong together.
UNLIKE = {"N016": "the bytes are those of one rank, the tokens those of the rank with least memory",
          "V076": "the tokens of a hybrid model in a log without version: releases count its state pages differently"}


class Row:
    """A log with the core's answer."""

    def __init__(self, row, answer):
        self.row, self.answer, self.rows = row, answer, []

    def add(self, quantity, measured, pick, low=None, high=None, excluded=None, kind=None):
        a = self.answer
        refused = a.get("error")
        predicted = None if refused else pick(a)
        note = f"{self.row['model_as_published']} {self.row['weights'] or ''} {self.row['engine']} {self.row['version'] or ''}"
        if refused:
            note += " REFUSED: " + refused["message"][:160]
        if self.row["held_out"] == "1":
            quantity += ", held out"  # logs that no fit has used say what the others cannot: how far off an unseen one is
        self.rows.append({"id": self.row["id"], "quantity": quantity, "measured": measured, "predicted": predicted,
                          "low": None if refused or not low else low(a), "high": None if refused or not high else high(a), "kind": kind, "group": self.row["model"],
                          "source": self.row["source"], "note": note, "excluded_reason": excluded or self.row["excluded"]})


def parts(a):
    return a["memory"]["parts"]


def loaded(a):
    """What an engine holds after loading: the weights and the table of rotations, which the answer counts as workspace."""
    table = sum(t["inputs"].get("rotation table", {}).get("value", 0.0) for t in a.get("explain", []) if t["term"] == "workspace")
    return parts(a)["weights"] + table


def unversioned(row):
    """Why a log's pool and peak are no measure: vLLM's rules change by version, and one taken from the log's date is a guess."""
    return "engine version is not in the log" if row["engine"] == "vllm" and (not row["version"] or row["version_assumed"] == "1") else None


def engine_rows(r):
    """vLLM, SGLang, TensorRT-LLM."""
    row = r.row
    weights, kv_gib, tokens = number(row["weights_gib"]), number(row["kv_gib"]), number(row["kv_tokens"])
    no_format = None if row["weights"] else "format of the weights is not clear"
    if weights and row["engine"] != "sglang":
        r.add("weights", weights * GIB, loaded, excluded=no_format)
    if kv_gib and tokens and kv_gib > 0 and row["engine"] != "sglang":
        # With windows or states a log's tokens are requests × context: both sides divide the pool by them.
        r.add("kv_bytes_per_token", kv_gib * GIB / tokens, lambda a: a["kv"]["capacity_bytes"] / a["kv"]["capacity_tokens"] if a["kv"]["capacity_tokens"] else a["kv"]["bytes_per_token"],
              excluded=UNLIKE.get(row["id"]))
    if kv_gib and kv_gib > 0 and row["engine"] == "vllm" and (row["memory_gib"] or row["gpu"]) and row["utilization"] and not tokens:
        r.add("kv_tokens", kv_gib * GIB, lambda a: a["kv"]["capacity_bytes"],
              excluded=no_format or unversioned(row))  # a log that prints bytes alone
    if tokens:
        known = row["gpu"] and row["utilization"]
        unclear = unversioned(row) or (None if known else "memory or share of the card is not in the log")
        r.add("kv_tokens", tokens, lambda a: a["kv"]["capacity_tokens"], lambda a: a["range"]["capacity_tokens"][0],
              lambda a: a["range"]["capacity_tokens"][1], excluded=no_format or unclear)
    activation = number(row["activation_gib"])
    if activation and row["engine"] == "vllm":
        other = "a rank that does not run the sampler; the pool follows the one that does" if "non-driver" in (row["note"] or "") else unversioned(row)
        r.add("activation_peak", activation * GIB, lambda a: parts(a)["activations"] + parts(a)["logits"], excluded=other)


def llama_rows(r):
    row = r.row
    layers = gpu_layers(row)
    whole_model = layers == "all" or (layers and layers[0] >= layers[1])
    unknown = None if row["weights"] else "a mix of types that GGUF readers other than ik_llama.cpp do not know"
    on_gpu, host = number(row["model_mib"]), number(row["host_mib"])
    if on_gpu and whole_model and row["weights"]:
        override = "experts kept in host memory by an override" if host and host > 1.2 * on_gpu else None
        if row["variant"] == "ik_llama.cpp" and not override and host and host > 2000:
            override = "experts kept in host memory by an override"
        devices = int(row["gpus"] or 1)
        total = on_gpu * MIB
        if devices == 1:
            r.add("llamacpp_model_buffer", total, lambda a: parts(a)["weights"], excluded=unknown or override)
    kv = number(row["kv_mib"])
    if kv and int(row["gpus"] or 1) == 1 and row["kv_cache"] in ("fp16", "q8_0", "fp32", "bf16"):
        old = "ik_llama.cpp caches MLA in its own ways" if row["variant"] == "ik_llama.cpp" else None
        r.add("llamacpp_kv_buffer", kv * MIB, lambda a: parts(a)["kv_cache"] + parts(a)["state_cache"], excluded=old)
    compute = number(row["compute_mib"])
    if compute and whole_model and int(row["gpus"] or 1) == 1 and row["ubatch"]:
        other = "ik_llama.cpp has its own graphs" if row["variant"] == "ik_llama.cpp" else None
        r.add("llamacpp_compute_buffer", compute * MIB, lambda a: parts(a)["workspace"], excluded=other)


def transformers_rows(r):
    total = number(r.row["total_mib"])
    if total and r.row["input_tokens"]:
        gpus = int(r.row["gpus"] or 1)
        shared = "sum over several GPUs" if gpus > 1 else None
        def without_context(used, a):
            return used * (1.0 - parts(a)["context"] / a["memory"]["used_bytes"])  # an allocator does not see the driver context
        r.add("transformers_peak", total * MIB, lambda a: a["memory"]["used_bytes"] - parts(a)["context"],
              lambda a: without_context(a["range"]["used_bytes"][0], a), lambda a: without_context(a["range"]["used_bytes"][1], a), excluded=shared)


def verdict(r):
    row = r.row
    if row["outcome"] not in ("fits", "oom", "no-room") or not row["gpu"] or not row["weights"]:
        return
    if row["engine"] == "llama.cpp" and gpu_layers(row) != "all":
        return
    if row["engine"] == "transformers":
        return
    late = "the engine had allocated its cache; it ran out later" if row["outcome"] == "oom" and row["kv_tokens"] else None
    r.add("fits", row["outcome"] == "fits", lambda a: bool(a["fits"]), kind="verdict", excluded=late)


def run(cli):
    rows = scoring.read_rows("inference_memory")
    answers = cli.estimate([scenario(r) for r in rows])
    out = []
    for row, answer in zip(rows, answers):
        r = Row(row, answer)
        {"llama.cpp": llama_rows, "transformers": transformers_rows}.get(row["engine"], engine_rows)(r)
        verdict(r)
        out += r.rows
    return out
