"""The coefficients of training that tools/fit/training.py fits: names, starts, bounds, and which rows each one touches."""
import math

# field: (unit, start, lowest, highest, sigma of the log). Starts are fused kernels at the surfaces' rates, or a known ratio.
FIELDS = {
    "wave": ("outputs", 6e5, 1e3, 1e7, 0.6), "compute": ("ratio", 1.05, 0.8, 4.0, 0.2), "fp8": ("ratio", 0.85, 0.4, 3.0, 0.3), "fp4": ("ratio", 1.0, 0.3, 4.0, 0.4), "fp8_gradient": ("ratio", 1.5, 1.0, 4.0, 0.3), "cast": ("ratio", 1.0, 0.1, 8.0, 0.5), "gather_layer": ("s", 2e-4, 1e-6, 2e-2, 0.8), "stream": ("ratio", 1.5, 0.4, 12.0, 0.6),
    "launch": ("s", 1.2e-5, 1e-7, 2e-3, 0.5), "contention": ("share", 0.2, 0.01, 1.0, 0.6), "step": ("s", 0.01, 1e-4, 0.6, 1.0), "attention": ("ratio", 1.1, 0.5, 4.0, 0.3),
    "attention_backward": ("ratio", 3.0, 2.5, 4.0, 0.1), "score_bytes": ("B/score", 12.0, 4.0, 30.0, 0.3), "loss_bytes": ("B/logit", 20.0, 6.0, 30.0, 0.2),
    "scan": ("ratio", 4.0, 0.5, 60.0, 0.8), "dequantize": ("ratio", 2.0, 0.5, 20.0, 0.6), "dequantize_packed": ("ratio", 4.0, 0.5, 20.0, 0.6),
    "tensor_exposed": ("share", 0.6, 0.02, 1.0, 0.5), "expert_exposed": ("share", 0.6, 0.02, 2.0, 0.5), "imbalance": ("ratio", 1.0, 1.0, 1.6, 0.1),
    "expert": ("ratio", 1.3, 0.6, 4.0, 0.3), "expert_stream": ("ratio", 2.0, 0.3, 12.0, 0.6), "expert_layer": ("s", 6e-4, 1e-6, 2e-2, 0.7),
    "cpu_adam": ("parameters/s", 2e9, 5e7, 2e10, 0.7), "pcie": ("share", 0.7, 0.1, 1.0, 0.3), "optimizer": ("share", 0.8, 0.05, 1.0, 0.3), "image_bytes": ("B/output", 40.0, 5.0, 200.0, 0.5), "energy": ("J/flop", 6.5e-13, 1e-14, 1e-11, 0.1),
    "range_low": ("ratio", 0.75, 0, 1, 1), "range_high": ("ratio", 1.35, 1, 9, 1), "expert_range_low": ("ratio", 0.6, 0, 1, 1), "expert_range_high": ("ratio", 1.6, 1, 9, 1),
}
# What a framework's rows can tell apart.
OWN = {
    "megatron": ("compute", "attention", "fp8", "fp4", "fp8_gradient", "cast", "stream", "launch", "contention", "tensor_exposed", "step", "scan", "expert", "expert_stream", "expert_layer", "expert_exposed"),
    "llm-foundry": ("compute", "attention", "stream", "contention"), "torchtitan": ("compute", "attention", "fp8", "stream", "contention", "tensor_exposed"),
    "deepspeed": ("compute", "attention", "stream", "launch", "gather_layer", "contention", "step", "cpu_adam"), "paddle": ("compute", "attention", "contention"),
    "transformers": ("compute", "attention", "stream", "launch", "step", "dequantize", "dequantize_packed", "contention"),
    "fsdp": ("compute", "stream", "launch", "gather_layer", "contention", "dequantize", "pcie", "image_bytes"), "unsloth": ("compute", "launch", "dequantize"), "ms-swift": (),
}
# What moves with the hardware whatever the framework, and what a framework's releases change.
BY_GENERATION = ("compute", "attention", "fp8")
MORE = ("train.other.wave", "train.megatron.hopper.tensor_exposed", "train.megatron.blackwell.tensor_exposed", "train.megatron.blackwell.step",
        "train.megatron.from_26_06.blackwell.expert", "train.megatron.from_26_06.blackwell.expert_stream", "train.megatron.from_26_06.blackwell.expert_layer")
# Routing waits for token counts on the host, milliseconds a layer unless a graph holds it: from a start of microseconds the fit never sees that some rows are bound by it.
STARTS = {"train.megatron.expert_layer": 3e-3, "train.transformers.launch": 1.0e-4, "train.ms-swift.launch": 1.0e-4, "train.deepspeed.launch": 1.0e-4, "train.transformers.stream": 5.0, "train.fsdp.launch": 5e-5, "train.unsloth.launch": 4e-5}
# Generations without rows whose products are known from elsewhere: MI210's best fp16 product reaches 0.67 of peak (LLMCompass), the general surface 0.80.
HARDWARE = {"train.generation.cdna2.compute": 1.2}
FEWEST = 12  # rows of a range of one's own
GENERATION_SIGMA = 0.15
GENERATIONS = {"nvidia-a100": "ampere", "nvidia-a800": "ampere", "nvidia-h": "hopper", "nvidia-gh": "hopper", "nvidia-gb": "blackwell", "nvidia-b": "blackwell", "nvidia-l40": "ada",
               "nvidia-rtx4": "ada", "nvidia-rtx3": "ampere_gddr", "nvidia-a10": "ampere_gddr", "nvidia-a6000": "ampere_gddr", "nvidia-t4": "turing", "nvidia-v100": "volta",
               "amd-mi2": "cdna2", "amd-mi3": "cdna3", "amd-mi355": "cdna4", "intel-gaudi": "gaudi", "huawei": "other"}


def generation(gpu):
    return GENERATIONS[max((k for k in GENERATIONS if gpu.startswith(k) and not (k == "nvidia-a10" and gpu.startswith("nvidia-a100"))), key=len)]


def routed(row):
    """Whether the row's model has routed experts: their rows scatter more."""
    text = (row["model"] or "") + (row["architecture"] or "")
    return any(k in text for k in ("DeepSeek", "gpt-oss", "A3B", "A22B", "A12B", "A55B", "Kimi", "Mixtral"))


def field(name):
    return name.split(".")[-1]


def unit(name):
    return FIELDS[field(name)][0]


def era(row):
    """As core/compute/training_behaviour.cpp tells releases apart."""
    version = row.get("software_version") or ""
    if row["software"] != "megatron" or not version or version.startswith("0."):
        return ""
    return "from_26_06" if version >= "26.05" else "until_26_04"


def touches(name, row, generation):
    """Whether the row's time can depend on the coefficient."""
    parts = name.split(".")
    if parts[1] == "generation":
        return parts[2] == generation
    if parts[1] == "other":
        return True
    if parts[1] != row["software"]:
        return False
    if len(parts) == 5:
        return parts[2] == era(row) and parts[3] == generation
    return len(parts) == 3 or parts[2] == generation


def parameters(rows, generations):
    """{name: (start, lowest, highest, sigma)} of what these rows can tell."""
    out = {}
    frameworks = {r["software"] for r in rows}
    for software in sorted(frameworks):
        for name in [f"train.{software}.{f}" for f in OWN[software]]:
            _, start, low, high, sigma = FIELDS[field(name)]
            out[name] = (STARTS.get(name, start), low, high, sigma)
    for name in MORE:
        _, start, low, high, sigma = FIELDS[field(name)]
        out[name] = (start, low, high, sigma)
    dense = {g for r, g in zip(rows, generations) if not routed(r)}
    for g in sorted(dense):  # routed rows alone scatter too much to tell a generation
        for f in BY_GENERATION if g in ("hopper", "blackwell", "cdna3", "cdna4") else BY_GENERATION[:2]:
            out[f"train.generation.{g}.{f}"] = (1.0, 0.4, 3.0, GENERATION_SIGMA)
    return out


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def complete(values):
    """All names that the core looks up: fitted ones, means over frameworks for those without rows, start values for the rest."""
    out = {**{f"train.other.{k}": v[1] for k, v in FIELDS.items()}, **STARTS, **HARDWARE, **values}
    for f in ("compute", "attention", "fp8", "stream", "contention"):
        mine = [v for k, v in values.items() if k.count(".") == 2 and field(k) == f]
        if mine:
            out[f"train.other.{f}"] = mean(mine)
    for f in ("expert", "expert_stream", "expert_layer"):  # a release that nobody names: halfway between the old and the new ones; Hopper has only the old kernels
        old, new = values.get(f"train.megatron.{f}"), values.get(f"train.megatron.from_26_06.blackwell.{f}")
        if old and new:
            out.update({f"train.megatron.{where}.{f}": old for where in ("until_26_04", "from_26_06", "hopper")})
            out[f"train.megatron.{f}"] = mean([old, new])
    for f in ("expert", "expert_stream", "expert_layer", "scan", "expert_exposed"):
        if f"train.megatron.{f}" in values:
            out[f"train.other.{f}"] = out[f"train.megatron.{f}"]
    return out


def origin(name, values):
    """Where a value comes from that was not fitted itself."""
    if name in HARDWARE:
        return {"source": "achieved products of one card of the generation", "rows": 0}
    if name in STARTS or (name.startswith("train.other.") and not any(field(k) == field(name) for k in values)):
        return {"source": "start value: no row of ours tells it", "rows": 0}
    return {"source": "mean of those fitted", "rows": 0}
