"""Serving half of the memory fit: terms that engine logs print one by one are fitted on those terms, ranges on whole predictions.

The sampler's bytes per logit, graph bytes per layer and communicators are weighted medians of logged term ÷ what multiplies it, over models, so that
one model with many logs does not decide; cross-validated errors leave each model out.
"""
import inference_memory
import scoring
from scoring import GIB

MIB = 2.0 ** 20


def median_over_models(pairs):
    """`pairs`: (model, value). The median of the models' own medians, and the cross-validated errors of single values."""
    by_model = {}
    for model, value in pairs:
        by_model.setdefault(model, []).append(value)
    medians = {m: scoring.percentile(v, 0.5) for m, v in by_model.items()}
    whole = scoring.percentile(list(medians.values()), 0.5)
    errors = []
    for model, value in pairs:
        others = [v for m, v in medians.items() if m != model]
        if others and value:
            errors.append(abs(scoring.percentile(others, 0.5) - value) / abs(value))
    return whole, errors


def record(entries, name, pairs, what):
    if len({m for m, _ in pairs}) < 2:
        print(f"{name}: {len(pairs)} rows of one model, not fitted")
        return
    value, errors = median_over_models(pairs)
    entries[name].update(value=round(value) if value > 1e3 else round(value, 3), rows=len(pairs), source=f"tests/truth/inference_memory.csv: {what}",
                         error_models_left_out={"median": round(scoring.percentile(errors, 0.5), 4), "p90": round(scoring.percentile(errors, 0.9), 4)})
    print(name, len(pairs), round(value / MIB, 2) if value > 1e6 else round(value, 2), "models out", entries[name]["error_models_left_out"])


def sampler(rows, answers):
    """Rows whose activation peak the sampler decides, by the core's own account."""
    out = []
    for row, a in zip(rows, answers):
        if row["engine"] != "vllm" or not row["activation_gib"] or row["excluded"] or "non-driver" in (row["note"] or "") or a["memory"]["parts"]["logits"] == 0:
            continue
        inputs = next(t["inputs"] for t in a["explain"] if t["term"] == "logits")
        logits = inputs["rows"]["value"] * inputs["V"]["value"]
        if row["max_sequences"] or row["version"]:
            out.append((row["model"], float(row["activation_gib"]) * GIB / logits))
    return out


def graphs(rows, answers, coefficient):
    out = []
    for row, a in zip(rows, answers):
        if row["engine"] != "vllm" or row["excluded"] or not row["graphs_gib"] or float(row["graphs_gib"]) <= 0:
            continue
        term = next((t for t in a["explain"] if t["term"] == "cuda_graphs"), None)
        if term and coefficient in term["inputs"]:
            per_layer = term["inputs"][coefficient]["value"]
            out.append((row["model"], float(row["graphs_gib"]) * GIB / (term["value"] / per_layer)))
    return out


def beside(rows, wanted):
    """Non-torch memory that logs print, by number of ranks."""
    return [(row["model"] + str(row["tp"]), float(row["non_torch_gib"]) * GIB) for row in rows
            if row["engine"] == "vllm" and row["non_torch_gib"] and not (row["version"] or "").startswith("0.6.4") and wanted(int(row["tp"] or 1))]


def ranges(cli, entries, rows, answers):
    """Ends of the token range from measured ÷ predicted of engine pools, of the used range from the allocator peaks of transformers."""
    held = {r["id"] for r in scoring.read_rows("inference_memory") if r["held_out"] == "1"}
    table = [r for r in inference_memory.run(cli) if not r.get("excluded_reason") and r["predicted"] and r["id"] not in held]
    ratios = sorted(r["measured"] / r["predicted"] for r in table if r["quantity"] == "kv_tokens")
    low, high = scoring.percentile(ratios, 0.05), scoring.percentile(ratios, 0.95)
    for engine in ("vllm", "vllm2", "sglang", "trtllm", "lmdeploy", "fastdeploy"):
        source = "measured ÷ predicted tokens of pools, all engines"
        entries[f"{engine}.tokens_low"].update(value=round(min(low, 0.97), 3), rows=len(ratios), source=source)
        entries[f"{engine}.tokens_high"].update(value=round(max(high, 1.03), 3), rows=len(ratios), source=source)
    peaks = sorted(r["measured"] / r["predicted"] for r in table if r["quantity"] == "transformers_peak")
    entries["transformers.used_low"].update(value=round(scoring.percentile(peaks, 0.05), 3), rows=len(peaks), source="measured ÷ predicted allocator peaks")
    entries["transformers.used_high"].update(value=round(scoring.percentile(peaks, 0.95), 3), rows=len(peaks), source="measured ÷ predicted allocator peaks")
    print("tokens range", round(low, 3), round(high, 3), "transformers", entries["transformers.used_low"]["value"], entries["transformers.used_high"]["value"])


def fit(cli, entries):
    rows = scoring.read_rows("inference_memory")
    asked = [r for r in rows if r["model"] and r["held_out"] != "1"]
    answers = cli.estimate([inference_memory.scenario(r) for r in asked])
    pairs = [(r, a) for r, a in zip(asked, answers) if "error" not in a]
    good, told = [r for r, _ in pairs], [a for _, a in pairs]
    record(entries, "vllm.bytes_per_logit", sampler(good, told), "activation peak ÷ (sequences × vocabulary)")
    for coefficient in ("vllm.v0_graph_bytes_per_layer", "vllm.v1_graph_bytes_per_layer", "vllm.graph_bytes_per_layer"):
        record(entries, coefficient, graphs(good, told, coefficient), "graph memory ÷ layers")
    record(entries, "vllm.floor_bytes", beside(good, lambda tp: tp == 1), "non-torch memory at tp 1")
    ranges(cli, entries, good, told)
