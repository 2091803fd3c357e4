"""Rows of tests/truth/serving_speed.csv as scenarios: what was run, what was measured, and which number of the answer to hold against it."""
import csv
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROWS = ROOT / "tests/truth/serving_speed.csv"
HELD_OUT = ROOT / "tests/truth/serving_held_out.csv"  # the same columns; no fit reads it

SOFTWARE = {"vLLM": "vllm", "SGLang": "sglang", "TensorRT-LLM": "tensorrt-llm", "LMDeploy TurboMind": "lmdeploy", "llama.cpp (CUDA)": "llama.cpp",
            "llama.cpp (ROCm)": "llama.cpp", "llama.cpp (Metal)": "llama.cpp", "llama.cpp (SYCL)": "llama.cpp"}

GPU = {
    "H100 SXM 80GB": "nvidia-h100-sxm-80gb", "B200 180GB": "nvidia-b200-sxm-180gb", "H200 SXM 141GB": "nvidia-h200-sxm-141gb",
    "MI300X": "amd-mi300x-192gb", "A100 40GB (variant not stated)": "nvidia-a100-sxm4-40gb", "A100 SXM 80GB": "nvidia-a100-sxm4-80gb",
    "MI250": "amd-mi250-gcd-64gb",  # "1 GPU" of these rows is one of the card's two dies
    "RTX 4090": "nvidia-rtx4090-24gb", "L40S": "nvidia-l40s", "RTX 3090": "nvidia-rtx3090-24gb", "GB200 186GB": "nvidia-gb200-186gb",
    "RTX PRO 6000 Blackwell Server": "nvidia-rtxpro6000-bse-96gb", "B300 SXM 288GB": "nvidia-b300-sxm-270gb",
    "A100 PCIe 80GB": "nvidia-a100-pcie-80gb", "Intel Max 1550": "intel-max1550-128gb", "RTX 6000 Ada": "nvidia-rtx6000ada-48gb",
    "RTX 4000 Ada": "nvidia-rtx4000ada-20gb", "RTX 5000 Ada": "nvidia-rtx5000ada-32gb", "A10G": "nvidia-a10g",
    "M1 Max 32-Core GPU 64GB": "apple-m1-max", "M2 Ultra 76-Core GPU 192GB": "apple-m2-ultra", "M3 Max 40-Core GPU 64GB": "apple-m3-max",
    "Gaudi2": "intel-gaudi2-96gb", "RTX 3090 Ti": "nvidia-rtx3090ti-24gb", "Tesla P40": "nvidia-p40", "RTX 4080 16GB": "nvidia-rtx4080-16gb",
    "RTX 4070 Ti 12GB": "nvidia-rtx4070ti-12gb", "Tesla T4": "nvidia-t4", "RTX 3070 8GB": "nvidia-rtx3070-8gb", "RTX 3080 10GB": "nvidia-rtx3080-10gb",
    "RTX 3080 Ti 12GB": "nvidia-rtx3080ti-12gb", "V100 PCIe 32GB": "nvidia-v100-pcie-32gb", "GB10 (DGX Spark)": "nvidia-gb10-dgx-spark",
    "Arc Pro B60": "intel-arc-pro-b60-24gb", "H800": "nvidia-h800-sxm-80gb", "H20": "nvidia-h20-96gb", "RX 7900 XTX": "amd-rx7900xtx-24gb",
    "RTX 5090": "nvidia-rtx5090-32gb", "MI325X": "amd-mi325x-256gb", "MI355X": "amd-mi355x-288gb", "GB300": "nvidia-gb300-288gb",
    "Ryzen AI Max+ 395": "amd-strix-halo-128gb"}

MODEL = {
    "Llama-3-8B": "meta-llama/Meta-Llama-3-8B", "Llama-3.1-8B": "meta-llama/Meta-Llama-3.1-8B", "Llama-3.1-8B-Instruct": "meta-llama/Meta-Llama-3.1-8B",
    "Llama-3-70B": "meta-llama/Meta-Llama-3-70B", "Llama-3.1-70B": "meta-llama/Meta-Llama-3.1-70B", "Llama-3.3-70B": "meta-llama/Llama-3.3-70B-Instruct",
    "Llama-3.1-405B": "meta-llama/Meta-Llama-3.1-405B", "Mixtral-8x7B": "mistralai/Mixtral-8x7B-v0.1", "Mixtral-8x22B": "mistralai/Mixtral-8x22B-v0.1",
    "Mistral-7B": "mistralai/Mistral-7B-v0.1", "Llama-2-7b": "meta-llama/Llama-2-7b-hf", "Llama-2-7B": "meta-llama/Llama-2-7b-hf",
    "Llama-2-13B": "meta-llama/Llama-2-13b-hf", "Llama-2-70b": "meta-llama/Llama-2-70b-hf", "Llama-2-70B": "meta-llama/Llama-2-70b-hf",
    "LLaMA-7B": "huggyllama/llama-7b", "Llama-7B": "huggyllama/llama-7b", "Llama-33B": "huggyllama/llama-30b", "gpt-oss-120b": "openai/gpt-oss-120b",
    "gpt-oss-20b": "openai/gpt-oss-20b", "Qwen2-7B": "Qwen/Qwen2-7B", "Qwen2-72B": "Qwen/Qwen2-72B", "DeepSeek-R1": "deepseek-ai/DeepSeek-R1",
    "DeepSeek-V3": "deepseek-ai/DeepSeek-V3", "DeepSeek-R1-NVFP4": "deepseek-ai/DeepSeek-R1", "DeepSeek-V3.1-NVFP4": "deepseek-ai/DeepSeek-V3",
    "MiniMax-M2.5": "MiniMaxAI/MiniMax-M2.5", "Qwen3-30B-A3B": "Qwen/Qwen3-30B-A3B", "Qwen3-235B-A22B-FP8": "Qwen/Qwen3-235B-A22B",
    "Qwen3-235B-A22B": "Qwen/Qwen3-235B-A22B", "Qwen3-32B": "Qwen/Qwen3-32B", "Qwen3-32B-NVFP4": "Qwen/Qwen3-32B", "Qwen3-8B": "Qwen/Qwen3-8B",
    "Llama-4-Maverick": "meta-llama/Llama-4-Maverick-17B-128E-Instruct", "Llama-4-Scout": "meta-llama/Llama-4-Scout-17B-16E-Instruct",
    "Qwen3.5-397B-A17B": "Qwen/Qwen3.5-397B-A17B", "Kimi-K2.5": "moonshotai/Kimi-K2.5", "CodeLlama-34B": "codellama/CodeLlama-34b-Instruct-hf",
    "Falcon-180B": "tiiuae/falcon-180B", "GPT-J-6B": "EleutherAI/gpt-j-6b", "GLM-5": "zai-org/GLM-5", "Llama-3.2-1B": "meta-llama/Llama-3.2-1B",
    "Nemotron-3-Super-120B-A12B": "nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-FP8", "ChatGLM-6B": "", "DeciLM-7B": "", "OpenLlama-3B": "openlm-research/open_llama_3b",
    "TinyLlama-1.1B": "TinyLlama/TinyLlama-1.1B-Chat-v1.0", "Gemma-3-1B": "google/gemma-3-1b-it", "InternLM-20B": "internlm/internlm2-chat-20b",
    "Qwen3.6-27B": "nvidia/Qwen3.6-27B-NVFP4", "Qwen3.6-35B-A3B": "nvidia/Qwen3.6-35B-A3B-NVFP4", "GLM-4.7-Flash": "zai-org/GLM-4.7-Flash",
    "Gemma-3-4B": "google/gemma-3-4b-it", "Gemma-4-26B-A4B": "google/gemma-4-26B-A4B"}


def version(row):
    """The nearest version that the catalog knows: what matters is the era of the engine."""
    old = re.search(r"2023|2024", row["version"]) is not None
    if row["engine"] == "vLLM" and "2023" in row["version"]:
        return "0.2.2"
    if row["engine"] == "vLLM":
        return "0.6.6" if old else "0.11.0"
    if row["engine"] == "TensorRT-LLM":
        return "0.17.0" if old or row["version"] in ("0.5", "0.6.1", "0.17") else "0.19.0" if row["version"].startswith("0.") else "1.0.0"
    if row["engine"].startswith("llama.cpp"):
        return "b4000" if old else "b6000"
    return None


def weights(row):
    w = row["weights"]
    if row["model"].startswith("gpt-oss"):
        return "mxfp4"  # the only checkpoint there is; "fp8" in some rows is the type of the activations
    if w.startswith("gguf_"):
        w = w[5:].lower()
        return {"f16": "fp16", "bf16": "bf16"}.get(w, w)
    if w == "fp4" or w == "nvfp4":
        return "mxfp4" if row["model"].startswith("gpt-oss") else "nvfp4"
    if w == "int4":
        return "q4_k_m" if row["engine"].startswith("llama.cpp") else "awq" if row["version"] == "Nov 2023" else "int4"
    if w.startswith("int4 ("):
        return "int4"
    if w.startswith("bf16") or w == "fp16/bf16":
        return "bf16"
    return w if w in ("fp8", "fp16", "mxfp4", "int8") else None


def whole(text, otherwise=None):
    found = re.search(r"\d+", text or "")
    return int(found.group()) if found else otherwise


IMPOSSIBLE = {row: "more tokens per second than reading the weights once per step allows" for row in ("inf2209", "inf2327")}


def reason_to_skip(row):
    if row["excluded"] or row["id"] in IMPOSSIBLE:
        return row["excluded"] or IMPOSSIBLE[row["id"]]
    if not MODEL.get(row["model"]):
        return "model is not in the catalog"
    if row["gpu"] not in GPU:
        return "GPU is not in the catalog, or its variant is not stated"
    if weights(row) is None:
        return "weight format mixes types"
    if row["regime"] != "batch1_decode" and not row["input_tokens"]:
        return "prompt length not stated"
    if int(row["tp"]) > 8 and row["model"].startswith("DeepSeek"):
        return "a disaggregated system: its GPU count stands in the column of tensor parallelism (20 and 72 do not divide 128 heads)"
    if not row["prefill_engines"] and int(row["gpus"]) != int(row["tp"]) * int(row["pp"]) * int(row["attention_dp"]):
        return "layout not stated"
    return ""


# requests of an offline run by prompt and output length, as the TensorRT-LLM benchmark page lists them
REQUESTS = {(128, 128): 30000, (128, 2048): 3000, (128, 4096): 1500, (1000, 2000): 1500, (2048, 128): 3000, (2048, 2048): 1500, (5000, 500): 1500,
            (1000, 1000): 3000, (500, 2000): 3000, (20000, 2000): 1000, (1024, 1024): 3000, (8192, 1024): 1500, (1024, 8192): 1500,
            (32768, 1024): 1000, (1024, 32768): 1000}


def one_by_one(row):
    """llama-bench with a batch of one token: the rate counts prompt tokens too, and over several devices they overlap while generation cannot."""
    return row["regime"] == "batch1_decode" and "n_batch 1" in row["note"]


def scenario(row):
    engine = SOFTWARE[row["engine"]]
    given, generated = whole(row["input_tokens"], 0), whole(row["output_tokens"], 256)
    concurrency = whole(row["concurrency"], 1)
    work = {"flash_attention": not (engine == "llama.cpp" and version(row) == "b4000")}
    if one_by_one(row):
        work["micro_batch_tokens"] = 1
    elif "n_batch=64" in row["note"]:
        work["micro_batch_tokens"] = 64
    elif found := re.search(r"micro-batch (\d+)", row["note"]):
        work["micro_batch_tokens"] = int(found.group(1))
    if found := re.search(r"context depth (\d+)", row["note"]):
        depth = int(found.group(1))
        given, work["prefix_hit_rate"] = given + depth, depth / (given + depth)
    if row["regime"] == "max_throughput":
        work["max_sequences"] = 2048
        concurrency = REQUESTS.get((given, generated), 3000)
    if engine == "llama.cpp":
        work["max_sequences"] = concurrency
    mean = float(row["mean_length_share"] or 1.0)  # lengths are drawn evenly from 0.8 to 1 of those named
    work.update(input_tokens=max(1, round(mean * given)), output_tokens=max(1, round(mean * generated)), concurrency=concurrency, context=given + generated + 16)
    if row["batched_tokens"]:
        work["max_batched_tokens"] = int(row["batched_tokens"])
    if row["memory_share"]:
        work["memory_utilization"] = float(row["memory_share"])
    kv = {"fp8": "fp8", "fp16": "fp16" if engine == "llama.cpp" else "bf16", "bf16": "bf16"}.get(row["kv"], "auto")
    tp, pp, attention = int(row["tp"]), int(row["pp"]), int(row["attention_dp"])
    gpus = int(row["gpus"])
    if row["gpu"] == "MI250" and engine == "llama.cpp":
        pp, gpus = 2 * pp, 2 * gpus  # layers are spread over both dies of each card
    per_node = gpus if gpus <= 8 else 8
    while gpus % per_node:
        per_node -= 1
    if row["prefill_engines"]:
        work["prefill_engines"] = int(row["prefill_engines"])
        attention = gpus // (tp * pp)
    layout = {"tp": tp, "pp": pp, "dp": attention, "cp": 1, "ep": int(row["ep"]), "attention_dp": attention > 1 and not row["prefill_engines"]}
    if engine == "llama.cpp" and gpus > 1:
        layout["split"] = "layer" if tp == 1 else "tensor"
    model = MODEL[row["model"]]
    if engine == "tensorrt-llm" and model == "mistralai/Mistral-7B-v0.1":
        model = "mistralai/Mistral-7B-Instruct-v0.2"  # the same shapes: its engines attend to everything where no window is asked for
    out = {"version": 1, "model": {"id": model}, "task": "inference", "software": engine,
           "numerics": {"weights": weights(row), "kv_cache": kv}, "workload": work,
           "hardware": {"gpu": GPU[row["gpu"]], "gpus_per_node": per_node, "nodes": gpus // per_node}, "layout": layout}
    if version(row):
        out["software_version"] = version(row)
    return out


def target(row):
    """(family, measured in tokens per second, reader of an answer of `estimate`)."""
    number = lambda key: float(row[key])
    if row["regime"] == "prefill_only":
        return "prefill", number("prefill_tokens_per_s"), lambda a: a["throughput"]["prefill_tokens_per_s"]
    if one_by_one(row):
        tokens = whole(row["input_tokens"], 0) + whole(row["output_tokens"], 0)
        return "decode", number("decode_tokens_per_s"), lambda a: tokens / a["time"]["total_s"]
    if row["regime"] == "batch1_decode" or (row["regime"] == "batch1_e2e" and row["includes_prefill"] == "0"):
        return "decode", number("decode_tokens_per_s"), lambda a: a["throughput"]["decode_tokens_per_s"]
    if row["regime"] == "batch1_e2e":
        return "decode", number("decode_tokens_per_s"), lambda a: a["throughput"]["tokens_per_s"]
    if row["regime"] == "serving_concurrency" and row["tpot_ms"]:
        return "disaggregated" if row["prefill_engines"] else "saturated", 1e3 / number("tpot_ms"), lambda a: 1.0 / a["time"]["tpot_s"]
    return "saturated", number("decode_tokens_per_s"), lambda a: a["throughput"]["tokens_per_s"]


def first_token(row):
    """(measured seconds, reader), or None where the row holds no time to first token under load."""
    if row["regime"] != "serving_concurrency" or not row["ttft_ms"] or not row["tpot_ms"]:
        return None
    return float(row["ttft_ms"]) * 1e-3, lambda a: a["time"]["ttft_s"]


def load(path=ROWS):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))
