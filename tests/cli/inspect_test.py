"""gpuplan inspect on files: what it prints, what it finds beside a file, and hostile files within a fixed amount of memory."""
import json
import os
import pathlib
import resource
import struct
import subprocess
import sys
import tempfile
import time
import unittest

from command import CLI, Done

MEMORY = 600 << 20  # address space of one run; the largest file here claims far more


def text(value):
    return struct.pack("<Q", len(value)) + value


def entry(key, value):
    if isinstance(value, bytes):
        return text(key) + struct.pack("<I", 8) + text(value)
    if isinstance(value, list):
        return text(key) + struct.pack("<IIQ", 9, 8, len(value)) + b"".join(text(v) for v in value)
    return text(key) + struct.pack("<II", 4, value)


def tensor(name, shape, kind=1, offset=0):
    return text(name) + struct.pack("<I", len(shape)) + b"".join(struct.pack("<Q", n) for n in reversed(shape)) + struct.pack("<IQ", kind, offset)


def gguf(entries, tensors, counts=None, version=3):
    tensor_count, entry_count = counts or (len(tensors), len(entries))
    return b"GGUF" + struct.pack("<IQQ", version, tensor_count, entry_count) + b"".join(entries) + b"".join(tensors)


LLAMA = [entry(b"general.architecture", b"llama"), entry(b"llama.block_count", 2), entry(b"llama.embedding_length", 256), entry(b"llama.attention.head_count", 4),
         entry(b"llama.feed_forward_length", 512)]


def block(i):
    b = b"blk.%d." % i
    names = {b"attn_q": (256, 256), b"attn_k": (256, 256), b"attn_v": (256, 256), b"attn_output": (256, 256), b"ffn_up": (512, 256), b"ffn_down": (256, 512)}
    return [tensor(b + n + b".weight", s) for n, s in names.items()] + [tensor(b + b"attn_norm.weight", (256,), 0)]


EMBEDDING = [tensor(b"token_embd.weight", (1000, 256))]
WHOLE = EMBEDDING + block(0) + block(1)
PARAMETERS = 1000 * 256 + 2 * (4 * 256 * 256 + 2 * 512 * 256 + 256)


def safetensors(header, claimed=None):
    body = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(body) if claimed is None else claimed) + body


class Folder(unittest.TestCase):
    def setUp(self):
        self.held = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.held.name)
        self.addCleanup(self.held.cleanup)

    def write(self, name, data, size=1 << 24):
        path = self.path / name
        with open(path, "wb") as file:
            file.write(data)
            file.truncate(max(size, len(data)))
        return str(path)

    def inspect(self, *paths):
        done = Done("inspect", *paths, "--json")
        self.assertEqual(done.code, 0, done.err)
        return json.loads(done.out)


class Prints(Folder):
    def test_a_table_for_a_person_and_json_for_a_script(self):
        path = self.write("m.gguf", gguf(LLAMA, WHOLE))
        table = Done("inspect", path).out
        for said in ("2 × full attention", f"({PARAMETERS:,})", "Cache at 16 bits", "2.00 KiB", "fp16 (as given)", "q4_k_m"):
            self.assertIn(said, table)
        self.assertIn("参数", Done("inspect", path, "--lang", "zh").out)
        self.assertEqual(self.inspect(path)["parameters"]["total"], PARAMETERS)

    def test_40_gigabytes_open_at_once_and_a_long_tokenizer_is_passed_over(self):
        words = [b"token %d" % i for i in range(400000)]
        path = self.write("large.gguf", gguf(LLAMA + [entry(b"tokenizer.ggml.tokens", words), entry(b"tokenizer.ggml.merges", words)], WHOLE), 40 << 30)
        start = time.monotonic()
        self.assertEqual(self.inspect(path)["parameters"]["total"], PARAMETERS)
        self.assertLess(time.monotonic() - start, 2.0)


class FindsTheRest(Folder):
    def split(self):
        first = gguf(LLAMA + [entry(b"split.count", 2)], EMBEDDING + block(0))
        second = gguf([entry(b"split.no", 1), entry(b"split.count", 2)], block(1))
        return self.write("m-00001-of-00002.gguf", first), self.write("m-00002-of-00002.gguf", second)

    def test_one_part_of_a_split_file_stands_for_all(self):
        for path in self.split():
            self.assertEqual(self.inspect(path)["parameters"]["total"], PARAMETERS)

    def test_a_part_alone_says_what_is_missing(self):
        first, second = self.split()
        pathlib.Path(second).unlink()
        self.assertIn("model-parts-missing", [a["code"] for a in self.inspect(first)["assumptions"]])

    def test_a_folder_of_one_gguf_model_with_its_projector(self):
        self.split()
        self.write("mmproj-m.gguf", gguf([entry(b"general.architecture", b"clip")], [tensor(b"v.blk.0.attn_q.weight", (64, 64))]))
        answer = self.inspect(str(self.path))
        self.assertEqual(answer["parameters"]["by_part"]["vision"], 64 * 64)
        self.assertEqual(answer["parameters"]["text"], PARAMETERS)

    def test_a_folder_of_several_gguf_models_asks_for_one(self):
        self.write("a-Q4_0.gguf", gguf(LLAMA, WHOLE))
        self.write("a-Q8_0.gguf", gguf(LLAMA, WHOLE))
        done = Done("inspect", str(self.path))
        self.assertEqual(done.code, 2)
        self.assertIn("a-Q4_0.gguf", done.err)

    def hub_folder(self):
        names = {"model.embed_tokens.weight": [1000, 256], "lm_head.weight": [1000, 256], "model.norm.weight": [256]}
        for p, rows, columns in (("self_attn.q_proj", 256, 256), ("self_attn.k_proj", 64, 256), ("self_attn.v_proj", 64, 256), ("self_attn.o_proj", 256, 256), ("mlp.gate_proj", 512, 256),
                                 ("mlp.up_proj", 512, 256), ("mlp.down_proj", 256, 512)):
            names[f"model.layers.0.{p}.weight"] = [rows, columns]
        names["model.layers.0.input_layernorm.weight"] = names["model.layers.0.post_attention_layernorm.weight"] = [256]
        parts, index = [{}, {}], {}
        for i, (name, shape) in enumerate(names.items()):
            bytes_ = 2 * shape[0] * (shape[1] if len(shape) > 1 else 1)
            parts[i % 2][name] = {"dtype": "BF16", "shape": shape, "data_offsets": [0, bytes_]}
            index[name] = f"model-0000{i % 2 + 1}-of-00002.safetensors"
        for i, part in enumerate(parts):
            self.write(f"model-0000{i + 1}-of-00002.safetensors", safetensors(part))
        (self.path / "model.safetensors.index.json").write_text(json.dumps({"metadata": {"total_size": 1}, "weight_map": index}))
        config = {"model_type": "llama", "hidden_size": 256, "num_hidden_layers": 1, "num_attention_heads": 4, "num_key_value_heads": 1, "intermediate_size": 512, "vocab_size": 1000,
                  "max_position_embeddings": 4096, "tie_word_embeddings": False}
        (self.path / "config.json").write_text(json.dumps(config))

    def test_a_folder_its_index_and_each_part_of_safetensors_give_the_same(self):
        self.hub_folder()
        whole = self.inspect(str(self.path))
        self.assertEqual((whole["architecture"]["max_context"], whole["file"]["parts"], whole["weights"]), (4096, 2, "bf16"))
        for name in ("model.safetensors.index.json", "model-00002-of-00002.safetensors"):
            self.assertEqual(self.inspect(str(self.path / name)), whole)

    def test_a_folder_with_nothing_to_read_says_so(self):
        done = Done("inspect", str(self.path))
        self.assertEqual(done.code, 2)
        self.assertIn("config.json", done.err)


def arrays(depth):
    return text(b"k") + struct.pack("<I", 9) + struct.pack("<IQ", 9, 1) * depth


HOSTILE = {
    "nothing.gguf": b"",
    "three.gguf": b"GGU",
    "magic.gguf": b"GGUF",
    "version.gguf": gguf([], [], version=77),
    "entries.gguf": gguf(LLAMA, [], counts=(1, 10**9)),
    "tensors.gguf": gguf(LLAMA, [], counts=(2**63, 5)),
    "key.gguf": gguf([struct.pack("<Q", 2**62) + b"k"], []),
    "text.gguf": gguf([text(b"k") + struct.pack("<IQ", 8, 2**61)], []),
    "array.gguf": gguf([text(b"k") + struct.pack("<IIQ", 9, 4, 2**60)], []),
    "strings.gguf": gguf([text(b"k") + struct.pack("<IIQ", 9, 8, 2**40)], []),
    "deep.gguf": gguf([arrays(10000)], []),
    "kind.gguf": gguf([text(b"k") + struct.pack("<I", 99)], []),
    "dimension.gguf": gguf(LLAMA, [tensor(b"token_embd.weight", (2**63, 256))]),
    "dimensions.gguf": gguf(LLAMA, [tensor(b"token_embd.weight", (1,) * 9)]),
    "product.gguf": gguf(LLAMA, [tensor(b"token_embd.weight", (2**40, 2**40))]),
    "type.gguf": gguf(LLAMA, [tensor(b"token_embd.weight", (1000, 256), 4000)]),
    "row.gguf": gguf(LLAMA, [tensor(b"token_embd.weight", (1000, 100), 12)]),
    "offset.gguf": gguf(LLAMA, [tensor(b"token_embd.weight", (1000, 256), 1, 2**62)]),
    "layers.gguf": gguf([LLAMA[0], entry(b"llama.block_count", 4000000000)] + LLAMA[2:], WHOLE),
    "heads.gguf": gguf(LLAMA[:3] + [entry(b"llama.attention.head_count", 0)] + LLAMA[4:], WHOLE),
    "names.gguf": gguf([entry(b"general.architecture", b"\xff\xfe\x80")] + LLAMA[1:], WHOLE),
    "empty.gguf": gguf([], []),
    "nothing.safetensors": b"",
    "short.safetensors": b"\x01\x02",
    "length.safetensors": safetensors(b"{}", 2**63),
    "cut.safetensors": safetensors(b"{", 99_000_000),
    "nested.safetensors": safetensors(b'{"a":' * 1_000_000),
    "list.safetensors": safetensors([1, 2]),
    "utf8.safetensors": safetensors(b'{"\xff\xfe": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}'),
    "shape.safetensors": safetensors({"a": {"dtype": "F32", "shape": [2**62, 2**62], "data_offsets": [0, 4]}}),
    "minus.safetensors": safetensors({"a": {"dtype": "F32", "shape": [-1], "data_offsets": [0, 4]}}),
    "beyond.safetensors": safetensors({"a": {"dtype": "F32", "shape": [2**40], "data_offsets": [0, 2**42]}}),
    "offsets.safetensors": safetensors({"a": {"dtype": "F32", "shape": [1], "data_offsets": [8, 4]}}),
    "config.json": b'{"model_type": "llama", "hidden_size": "4096"}',
    "zero.json": b'{"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 0, "intermediate_size": 1, "vocab_size": 1}',
    "uneven.json": b'{"model_type": "llama", "hidden_size": 65, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 1, "vocab_size": 1}',
    "layers.json": b'{"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 99999999, "num_attention_heads": 4, "intermediate_size": 1, "vocab_size": 1}',
    "null.json": b"null",
    "deep.json": b"[" * 1_000_000,
    "half.json": b'{"model_type": "lla',
    "latin.json": b'{"model_type": "\xe9\xff"}',
}


def limited():
    if "GPUPLAN_SANITIZED" not in os.environ:  # a sanitizer reserves terabytes of addresses
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


class Hostile(Folder):
    def test_each_file_gets_one_sentence_in_little_memory_and_time(self):
        for name, data in HOSTILE.items():
            with self.subTest(name):
                path = self.write(name, data, 0 if name.startswith("nothing") or name.endswith(".json") else len(data) + 100_000)
                start = time.monotonic()
                done = subprocess.run([CLI, "inspect", path], capture_output=True, preexec_fn=limited, timeout=60)
                error = done.stderr.decode()
                self.assertEqual((done.returncode, done.stdout), (2, b""), error[:300])
                self.assertEqual(len(error.splitlines()), 1, error[:300])
                self.assertIn(name, error)
                self.assertLess(len(error), 1000)
                self.assertLess(time.monotonic() - start, 5.0)

    def test_a_file_cut_anywhere_is_refused(self):
        whole = gguf(LLAMA, WHOLE)
        for length in list(range(0, len(whole), 97)) + [len(whole) - 1, len(whole) + 10]:
            done = Done("inspect", self.write("cut.gguf", whole[:length], 0))
            self.assertEqual((done.code, done.out), (2, ""), length)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
