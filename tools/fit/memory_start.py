"""Start values of the memory coefficients, with what they rest on before any fit, and the families that share them."""
GIB = 2.0 ** 30
MIB = 2.0 ** 20

# The calibration family of a training row: the same split as the rows of core/memory/recipes.cpp.
FAMILIES = {
    "train.swift2": lambda r: r["software"] == "ms-swift" and r["version"] == "2.6.0" and not sharded(r),
    "train.eager": lambda r: r["software"] in ("transformers", "ms-swift") and not sharded(r),
    "train.deepspeed": lambda r: r["software"] == "deepspeed" or sharded(r),
    "train.fused": lambda r: r["software"] == "unsloth",
    "train.titan": lambda r: r["software"] == "torchtitan" and not (r["version"] or "").startswith("0.0"),
    "train.torch": lambda r: r["software"] in ("torchtitan", "llm-foundry") and (r["software"] != "torchtitan" or (r["version"] or "").startswith("0.0")),
    "train.torchtune": lambda r: r["software"] == "torchtune" and "litgpt" not in r["origin"],
    "train.fsdp": lambda r: r["software"] == "fsdp",
    "train.megatron": lambda r: r["software"] == "megatron",
    "train.paddle": lambda r: r["software"] == "paddle",
}


def sharded(row):
    return row["software"] in ("transformers", "ms-swift") and (row["zero"] or "0") != "0" and int(row["gpus"]) > 1


ASSUMED = "start value, not fitted: no measurement of ours tells it apart"
START = {
    "reserve.context_bytes": (0.45 * GIB, "B", "driver contexts that logs show: 0.3 to 0.5 GiB"),
    "train.context_bytes": (0.6 * GIB, "B", "context with the libraries of training: 1.3 GiB before CUDA 11.7 (Hugging Face's page on BERT-large), 24 GB cards leave at most 0.9 beside 22 GB of an allocator"),
    "serve.image_tiles": (4.0, "1", "most tiles that the image processor of Llama 3.2 Vision cuts an image into"),
    "serve.classic_share": (0.15, "1", "widest input and output of ResNet-50 at 224 pixels against all its outputs; no measurement of ours tells it apart"),
    "serve.image_copies": (17.0, "1", "allocations of Llama 3.2 Vision at start in two logs (V135, V136): 42 to 46 kB per image token of width 1280"),
    "train.communicator_bytes": (0.6 * GIB, "B", ASSUMED),
    "train.peer_bytes": (0.05 * GIB, "B", ASSUMED),
    "train.host_factor": (1.5, "1", "buffer factor of DeepSpeed's own memory estimator"),
    "train.galore_rank": (128.0, "1", "default rank of the GaLore release (arXiv:2403.03507)"),
    "train.classic_copies": (2.0, "1", "a convolution's output for its norm, the activation's output for the next convolution"),
    "train.fused_loss_bytes_per_hidden": (6.0, "B", "Liger: logits of a chunk in 16 and 32 bits are as large as the hidden states"),
}
LOGITS = {"train.eager": 12.0, "train.swift2": 25.0, "train.deepspeed": 12.0, "train.fused": 12.0, "train.torch": 14.0, "train.titan": 6.0, "train.torchtune": 12.0,
          "train.fsdp": 18.0, "train.megatron": 8.0, "train.paddle": 14.0}
for family, logits in LOGITS.items():
    START[f"{family}.bytes_per_logit"] = (logits, "B", ASSUMED)
    START[f"{family}.floor_bytes"] = (1.0 * GIB, "B", ASSUMED)
    START[f"{family}.working_share"] = (0.3, "1", ASSUMED)
    START[f"{family}.fragmentation"] = (0.05, "1", ASSUMED)
    START[f"{family}.used_low"] = (0.8, "1", ASSUMED)
    START[f"{family}.used_high"] = (1.3, "1", ASSUMED)

START["train.swift2.fragmentation"] = (0.3, "1", "real lengths: each new longest sample leaves blocks that fit no other; fits best among 0.02, 0.3, 0.6, 1")
START["train.swift2.bytes_per_logit"] = (18.0, "B", ASSUMED)

SERVING = {"vllm": 39.0, "vllm2": 16.0, "sglang": 8.0, "trtllm": 8.0, "lmdeploy": 8.0, "fastdeploy": 12.0, "llamacpp": 4.0, "transformers": 6.0}
for engine, logits in SERVING.items():
    own = engine != "llamacpp"
    START[f"{engine}.bytes_per_logit"] = (logits, "B", ASSUMED)
    START[f"{engine}.prefill_factor"] = (1.07, "1", ASSUMED)
    START[f"{engine}.floor_bytes"] = (0.1 * GIB if own else 0.0, "B", ASSUMED)
    START[f"{engine}.communicator_bytes"] = (0.2 * GIB if own else 0.0, "B", ASSUMED)
    START[f"{engine}.peer_bytes"] = (0.05 * GIB if own else 0.0, "B", ASSUMED)
    START[f"{engine}.used_low"] = (0.92, "1", ASSUMED)
    START[f"{engine}.used_high"] = (1.1, "1", ASSUMED)
    START[f"{engine}.tokens_low"] = (0.93, "1", ASSUMED)
    START[f"{engine}.tokens_high"] = (1.07, "1", ASSUMED)
# Free memory before loading, as logs print it: 0.3 to 0.5 GiB below the total on one GPU, 2.1 to 2.7 GiB at eight.
START["sglang.communicator_bytes"] = (0.25 * GIB, "B", "free memory before loading at one and at eight GPUs")
START["sglang.peer_bytes"] = (0.25 * GIB, "B", "free memory before loading at one and at eight GPUs")
START["vllm.communicator_bytes"] = (0.42 * GIB, "B", "non-torch memory of logs at tp 2 to 8: 0.11 to 0.75 GiB")
START["vllm.peer_bytes"] = (0.0, "B", "non-torch memory of logs does not grow with tp")
START["transformers.floor_bytes"] = (0.03 * GIB, "B", "allocator peaks of small models")
START["sglang.floor_bytes"] = (0.0, "B", "what the pool leaves out is in the request table")
for engine in SERVING:
    START[f"{engine}.prefill_factor"] = (1.0, "1", "three copies of the residual stream and the inner width")
# A log of an engine built for 2048 sequences of 152k entries (N034): 5.76 GB of decoder and 2.66 GB of buffers.
START["trtllm.bytes_per_logit"] = (27.0, "B", "decoder and runtime buffers of an engine with the default batch of 2048 (N034)")
# Two logs of 0.19 (V159, V160) leave 1.2 GiB beside weights and cache: a sampler of 13 to 17 bytes per logit.
START["vllm2.bytes_per_logit"] = (16.0, "B", "two logs of vLLM 0.19 on an A100 with 256 sequences")
START["vllm2.floor_bytes"] = (0.13 * GIB, "B", "as before 0.15")
START["vllm2.communicator_bytes"] = START["vllm.communicator_bytes"]
START["vllm2.peer_bytes"] = START["vllm.peer_bytes"]
for name, value in (("vllm.v0_graph", 16), ("vllm.v1_graph", 40), ("vllm.graph", 16), ("sglang.graph", 30), ("trtllm.graph", 10), ("lmdeploy.graph", 10),
                    ("fastdeploy.graph", 30), ("llamacpp.graph", 0), ("transformers.graph", 0)):
    START[f"{name}_bytes_per_layer"] = (value * MIB, "B", ASSUMED)
