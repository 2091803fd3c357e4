"""Sizes of published quantised checkpoints against the sum over tensors: tests/truth/checkpoint_sizes.csv.

`unit` is GB or GiB of the file (or of the weights that an engine reports on one GPU), or bits per weight as llama.cpp prints them. Mixes are
computed from the architecture alone, by the rules of [M-weights]; no file is read.
"""
import scoring

LEVELS = {"gguf": (0.005, 0.02), "packed": (0.005, 0.02)}
BYTES_OF = {"GB": 1e9, "GiB": scoring.GIB}


def run(cli):
    rows = scoring.read_rows("checkpoint_sizes")
    answers = cli.call([{"op": "inspect", "id": row["model"]} for row in rows])
    return [compared(row, answer) for row, answer in zip(rows, answers)]


def predicted(row, answer):
    size = answer["weights_bytes"][row["weights"]]
    if row["unit"] != "bits" and row["weights"] in ("fp16", "bf16"):  # a GGUF file of 16 bits: towers and prediction layers lie elsewhere
        size = 2.0 * answer["parameters"]["text"]
    if row["unit"] == "bits":
        return 8.0 * size / answer["parameters"]["text"]
    return size / BYTES_OF[row["unit"]]


def compared(row, answer):
    failed = answer.get("error")
    packed = row["weights"] in ("awq", "gptq-4bit", "gptq-8bit", "nf4", "nf4-double", "fp8", "int8", "mxfp4", "nvfp4")
    return {
        "id": f"{row['id']} {row['model']} {row['weights']}", "quantity": "packed" if packed else "gguf", "measured": float(row["value"]),
        "predicted": None if failed else predicted(row, answer), "low": None, "high": None, "source": row["source"],
        "note": failed["message"] if failed else row["note"], "excluded_reason": row["excluded"],
    }
