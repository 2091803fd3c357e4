"""What tools/fit/serving.py fits, on which rows, from where and within which bounds: {coefficient: (start, low, high, sigma of its log)}.

A stage holds coefficients that the same rows decide. Later stages see the values of earlier ones.
"""
E_ = "engine."
LLAMA = E_ + "llama.cpp.2024."
TRT_OLD = E_ + "tensorrt-llm.engine."
GRAPHICS = ("RTX", "L40S")


def plain_split(row):
    return row["tp"] == "1"


def llama_on(*gpus):
    return lambda row, version: row["engine"].startswith("llama.cpp") and version == "b4000" and plain_split(row) and row["gpu"] in gpus


def llama_generation(name, hop=(200, 5, 3000, 1.5)):
    """Host time and kernel efficiency of llama.cpp's 2024 builds on a generation that they were not tuned for."""
    head = LLAMA + name + "."
    return {head + "layer_us": (100, 5, 3000, 1), head + "bandwidth": (0.9, 0.02, 1.08, 0.5), head + "attention_decode": (0.5, 0.002, 1.3, 1.5),
            head + "prefill_flops": (0.9, 0.02, 1.9, 0.7), head + "hop_us": hop}


def modern(engine):
    head = E_ + engine + "."
    return {head + "layer_us": (30, 1, 300, 0.7), head + "tp_layer_us": (20, 1, 200, 0.7), head + "moe_layer_us": (30, 1, 300, 1),
            head + "step_us": (500, 30, 10000, 0.7), head + "sequence_us": (3, 0.2, 300, 1), head + "prefill_flops": (0.95, 0.3, 1.4, 0.3),
            head + "bandwidth": (0.95, 0.5, 1.2, 0.15), head + "attention_decode": (1, 0.2, 1.3, 0.3), head + "attention_prefill": (1, 0.3, 1.6, 0.3),
            head + "chunk": (8192, 1024, 16384, 0.5),
            head + "prompt_layer_us": (50, 1, 3000, 1.5), head + "request_us": (20000, 100, 400000, 1.5)}


def vllm_old_on(generation):
    head = E_ + f"vllm.v0.{generation}."
    return {head + "layer_us": (60, 2, 3000, 1), head + "tp_layer_us": (40, 1, 2000, 1), head + "bandwidth": (0.7, 0.02, 1.2, 0.7),
            head + "prefill_flops": (0.7, 0.02, 1.2, 0.7), head + "attention_decode": (0.6, 0.02, 1.3, 0.7), head + "moe_layer_us": (50, 1, 5000, 1.5)}


CDNA3 = ("MI300X", "MI325X")


def modern_on(engine, generation):
    """An engine of today on a generation for which its kernels were not written first."""
    head = E_ + f"{engine}.{generation}."
    return {head + "layer_us": (40, 1, 500, 0.7), head + "tp_layer_us": (30, 1, 300, 0.7), head + "moe_layer_us": (50, 1, 500, 1), head + "bandwidth": (0.8, 0.2, 1.2, 0.3),
            head + "prefill_flops": (0.7, 0.1, 1.4, 0.5), head + "attention_decode": (0.8, 0.1, 1.3, 0.5), head + "prompt_layer_us": (100, 1, 3000, 1.5)}


def is_modern(engine):
    left_out = ("Arc Pro B60", "GB10 (DGX Spark)") + CDNA3
    return lambda row, version: row["engine"] == engine and version in ("1.0.0", "0.19.0", "0.11.0", None) and row["gpu"] not in left_out


STAGES = [
    ("llama.cpp on graphics cards", lambda row, version: row["engine"] == "llama.cpp (CUDA)" and version == "b4000" and plain_split(row) and row["gpu"].startswith(GRAPHICS), {
        "gemm.other.gguf_half.bandwidth": (0.92, 0.5, 1, 0.2), "gemm.other.gguf_blocks.bandwidth": (0.92, 0.5, 1, 0.2),
        "gemm.ada.gguf_half.flops": (0.54, 0.1, 1, 0.5), "gemm.ampere_gddr.gguf_half.flops": (0.5, 0.1, 1, 0.5),
        "gemm.ada.gguf_blocks.flops": (0.3, 0.05, 1, 0.5), "gemm.ampere_gddr.gguf_blocks.flops": (0.3, 0.05, 1, 0.5),
        "gemm.other.gguf_half.ramp_rows": (40, 1, 500, 1), "gemm.other.gguf_blocks.ramp_rows": (20, 1, 500, 1),
        LLAMA + "layer_us": (52, 5, 500, 0.5), E_ + "llama.cpp.attention_decode": (0.7, 0.02, 1.3, 0.5),
        E_ + "llama.cpp.attention_prefill": (1, 0.1, 1.5, 0.5), "serving.score_bytes": (16, 4, 40, 0.3), E_ + "llama.cpp.step_us": (200, 50, 3000, 1),
        E_ + "llama.cpp.hop_us": (200, 5, 2000, 1), E_ + "llama.cpp.queued": (3, 1, 8, 0.3)}),
    ("llama.cpp on A100", llama_on("A100 PCIe 80GB", "A100 SXM 80GB", "A100 40GB (variant not stated)"), llama_generation("ampere")),
    ("llama.cpp on H100", llama_on("H100 SXM 80GB"), llama_generation("hopper")),
    ("llama.cpp on MI250", llama_on("MI250"), llama_generation("cdna2")),
    ("llama.cpp on MI300X", llama_on("MI300X"), llama_generation("cdna3")),
    ("llama.cpp, mixtures of experts", lambda row, version: row["engine"].startswith("llama.cpp") and "Mixtral" in row["model"], {
        LLAMA + "moe_layer_us": (100, 5, 2000, 1)}),
    ("llama.cpp on Max 1550", llama_on("Intel Max 1550"), llama_generation("xe", (60000, 5, 900000, 2))),
    ("llama.cpp on Apple", llama_on("M1 Max 32-Core GPU 64GB", "M2 Ultra 76-Core GPU 192GB", "M3 Max 40-Core GPU 64GB"), {
        LLAMA + "apple.layer_us": (100, 5, 3000, 1), LLAMA + "apple.bandwidth": (0.95, 0.3, 1.08, 0.3), LLAMA + "apple.attention_decode": (0.5, 0.02, 1.3, 1),
        "gemm.apple.gguf_half.flops": (0.8, 0.1, 1, 0.5), "gemm.apple.gguf_blocks.flops": (0.7, 0.1, 1, 0.5),
        "gemm.apple.gguf_blocks.bandwidth": (0.8, 0.3, 1, 0.2), "gemm.apple.gguf_blocks.narrow_ops": (20, 1, 60, 0.7)}),
    ("llama.cpp split by rows", lambda row, version: row["engine"].startswith("llama.cpp") and not plain_split(row), {
        LLAMA + "peer_layer_us": (120, 5, 1000, 1), LLAMA + "tp_layer_us": (50, 5, 1000, 1)}),
    ("llama.cpp on P40", llama_on("Tesla P40"), {
        "gemm.pascal.gguf_blocks.flops": (0.3, 0.05, 1, 0.5), "gemm.pascal.gguf_blocks.bandwidth": (0.7, 0.3, 1, 0.5), LLAMA + "low_bit_ops": (40, 1, 100, 0.7)}),
    ("llama.cpp since 2025", lambda row, version: row["engine"].startswith("llama.cpp") and version == "b6000", {
        E_ + "llama.cpp.layer_us": (40, 2, 300, 0.7), "gemm.volta.gguf_half.flops": (0.5, 0.1, 1, 0.5), E_ + "llama.cpp.turing.bandwidth": (0.8, 0.2, 1, 0.5)}),
    ("vLLM V0, TensorRT engines, LMDeploy", lambda row, version: row["engine"] in ("vLLM", "TensorRT-LLM", "LMDeploy TurboMind") and version in ("0.6.6", "0.17.0", None)
     and row["gpu"][:4] in ("A100", "H100", "H200", "L40S"), {
        "gemm.ampere.half.bandwidth": (0.8, 0.65, 0.95, 0.1), "gemm.hopper.half.bandwidth": (0.82, 0.65, 0.95, 0.1),
        "gemm.hopper.fp8.bandwidth": (0.78, 0.5, 0.95, 0.15), "gemm.hopper.fp8.flops": (0.62, 0.4, 0.9, 0.1),
        "gemm.hopper.half.flops": (0.8, 0.6, 0.95, 0.1), "gemm.ampere.half.flops": (0.88, 0.7, 0.95, 0.05), "gemm.ada.fp8.flops": (0.5, 0.3, 0.8, 0.15),
        E_ + "vllm.v0.layer_us": (30, 2, 300, 0.7), E_ + "vllm.v0.tp_layer_us": (20, 1, 200, 0.7), E_ + "vllm.v0.step_us": (1500, 100, 10000, 0.7),
        E_ + "vllm.v0.sequence_us": (30, 1, 300, 0.7), E_ + "vllm.v0.prefill_flops": (0.9, 0.3, 1.2, 0.2), E_ + "vllm.v0.attention_decode": (0.9, 0.2, 1.3, 0.3),
        TRT_OLD + "layer_us": (25, 1, 300, 0.7), TRT_OLD + "tp_layer_us": (15, 1, 200, 0.7), TRT_OLD + "step_us": (300, 30, 5000, 0.7),
        TRT_OLD + "sequence_us": (3, 0.2, 300, 1), TRT_OLD + "prefill_flops": (0.95, 0.3, 1.2, 0.2), TRT_OLD + "attention_decode": (1, 0.2, 1.3, 0.3),
        TRT_OLD + "attention_prefill": (1, 0.3, 1.6, 0.3), TRT_OLD + "moe_layer_us": (20, 1, 300, 1), TRT_OLD + "prompt_layer_us": (50, 1, 1000, 1), E_ + "lmdeploy.layer_us": (20, 1, 300, 0.7),
        E_ + "lmdeploy.step_us": (300, 30, 5000, 0.7), E_ + "lmdeploy.prefill_flops": (0.8, 0.3, 1.2, 0.2),
        "serving.sampler_bytes_per_logit": (8, 2, 40, 0.5)}),
    ("vLLM V0 on MI300X", lambda row, version: row["engine"] == "vLLM" and version == "0.6.6" and row["gpu"] == "MI300X", vllm_old_on("cdna3")),
    ("vLLM V0 on MI250", lambda row, version: row["engine"] == "vLLM" and version == "0.6.6" and row["gpu"] == "MI250", vllm_old_on("cdna2")),
    ("vLLM V0 on Max 1550", lambda row, version: row["engine"] == "vLLM" and version == "0.6.6" and row["gpu"] == "Intel Max 1550", vllm_old_on("xe")),
    ("vLLM of 2023", lambda row, version: row["engine"] == "vLLM" and version == "0.2.2", {
        E_ + "vllm.2023.layer_us": (60, 2, 500, 1), E_ + "vllm.2023.peer_layer_us": (90, 2, 500, 1), E_ + "vllm.2023.step_us": (2000, 100, 10000, 1)}),
    ("TensorRT-LLM since 1.0", is_modern("TensorRT-LLM"), {
        **modern("tensorrt-llm"), "gemm.hopper.w4a16.bandwidth": (0.7, 0.3, 0.95, 0.3), "gemm.hopper.w4a16.flops": (0.55, 0.2, 0.9, 0.3),
        "gemm.blackwell.w4a16.bandwidth": (0.7, 0.3, 1, 0.3), "gemm.blackwell.w4a16.flops": (0.55, 0.2, 1, 0.3),  # MXFP4 on units of its own
        "gemm.blackwell.fp4.bandwidth": (0.86, 0.4, 1, 0.2), "gemm.blackwell.fp4.flops": (0.4, 0.2, 0.9, 0.2),
        "gemm.blackwell.fp8.bandwidth": (0.73, 0.4, 1, 0.2), "gemm.blackwell.fp8.flops": (0.48, 0.3, 0.9, 0.2),
        "serving.moe_imbalance": (1.2, 1, 2, 0.2), "serving.misaligned_prompts": (0.1, 0.01, 0.6, 0.7), "serving.burst": (0.1, 0.001, 1, 1)}),
    ("vLLM V1", is_modern("vLLM"), modern("vllm")),
    ("SGLang", is_modern("SGLang"), modern("sglang")),
    ("SGLang on MI300X and MI325X", lambda row, version: row["engine"] == "SGLang" and row["gpu"] in CDNA3, modern_on("sglang", "cdna3")),
]
