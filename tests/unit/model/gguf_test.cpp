#include "core/model/files/file_model.hpp"
#include "core/model/files/header.hpp"
#include "core/model/ggml_types.hpp"
#include "core/model/gguf_mix.hpp"
#include "gguf_fixture.hpp"
#include "models_fixture.hpp"

using namespace gpuplan;

namespace {

void add(GgufWriter& w, const std::string& name, GgmlType type, std::uint64_t rows, std::uint64_t columns) {
  const double bytes = ggml_bytes(type, static_cast<double>(rows), static_cast<std::int64_t>(columns));
  w.tensor(name, static_cast<std::uint32_t>(type), rows == 1 ? std::vector<std::uint64_t>{columns} : std::vector<std::uint64_t>{rows, columns}, static_cast<std::uint64_t>(bytes));
}

/// A llama-like file whose tensors have the types that `mix` gives them.
GgufWriter llama_file(const Architecture& a, WeightFormat mix, int version, bool big_endian) {
  GgufWriter w(version, big_endian);
  const auto layers = static_cast<std::uint32_t>(a.layer_count());
  const Mixer& m = a.kinds[0].mixer;
  w.text("general.architecture", "llama");
  w.number("general.file_type", 15);
  w.number("llama.block_count", layers), w.number("llama.context_length", static_cast<std::uint32_t>(a.max_context));
  w.number("llama.embedding_length", static_cast<std::uint32_t>(a.hidden)), w.number("llama.feed_forward_length", static_cast<std::uint32_t>(a.kinds[0].mlp.intermediate));
  w.number("llama.attention.head_count", static_cast<std::uint32_t>(m.heads)), w.number("llama.attention.head_count_kv", static_cast<std::uint32_t>(m.kv_heads));
  w.real("llama.attention.layer_norm_rms_epsilon", 1e-5F);
  w.texts("tokenizer.ggml.tokens", {"<s>", "</s>", "a"});
  const auto type = [&](Role role, std::int64_t layer, std::int64_t columns) {
    Tensor t;
    t.role = role, t.layer_kind = layer < 0 ? -1 : 0;
    return mix_type(mix, mix_place(a, t, layer, a.layer_count()), columns);
  };
  const auto h = static_cast<std::uint64_t>(a.hidden), f = static_cast<std::uint64_t>(a.kinds[0].mlp.intermediate), kv = static_cast<std::uint64_t>(m.kv_heads * m.head_dim);
  add(w, "token_embd.weight", type(Role::token_embedding, -1, a.hidden), static_cast<std::uint64_t>(a.vocab), h);
  for (std::int64_t i = 0; i < a.layer_count(); ++i) {
    const std::string b = "blk." + std::to_string(i) + ".";
    add(w, b + "attn_norm.weight", GgmlType::f32, 1, h), add(w, b + "ffn_norm.weight", GgmlType::f32, 1, h);
    add(w, b + "attn_q.weight", type(Role::attn_q, i, a.hidden), h, h), add(w, b + "attn_output.weight", type(Role::attn_o, i, a.hidden), h, h);
    add(w, b + "attn_k.weight", type(Role::attn_k, i, a.hidden), kv, h), add(w, b + "attn_v.weight", type(Role::attn_v, i, a.hidden), kv, h);
    add(w, b + "ffn_gate.weight", type(Role::mlp_gate, i, a.hidden), f, h), add(w, b + "ffn_up.weight", type(Role::mlp_up, i, a.hidden), f, h);
    add(w, b + "ffn_down.weight", type(Role::mlp_down, i, static_cast<std::int64_t>(f)), h, f);
  }
  add(w, "output_norm.weight", GgmlType::f32, 1, h);
  add(w, "output.weight", type(Role::lm_head, -1, a.hidden), static_cast<std::uint64_t>(a.vocab), h);
  return w;
}

FileHeader header_of(GgufWriter& w) {
  const std::string bytes = w.header();
  const auto read = read_gguf_header(bytes, w.file_bytes());
  REQUIRE(read);
  REQUIRE(read->header);
  return *read->header;
}

std::string message_of(const std::string& bytes, std::uint64_t file_bytes) {
  const auto read = read_gguf_header(bytes, file_bytes);
  return read ? "" : read.problem().message;
}

}  // namespace

TEST_CASE("a Q4_K_M file of every version and byte order reads to the architecture and the exact bytes") {
  const Architecture& llama = model("Llama-3.1-8B");
  for (const int version : {1, 2, 3}) {
    for (const bool big_endian : {false, true}) {
      GgufWriter w = llama_file(llama, WeightFormat::q4_k_m, version, big_endian);
      const FileHeader header = header_of(w);
      CHECK(header.version == version);
      CHECK(header.big_endian == big_endian);
      const auto read = model_of_gguf({header}, "");
      REQUIRE(read);
      CHECK(count_parameters(read->architecture).total == 8030261248.0);
      CHECK(read->architecture.kinds[0].mixer.kv_heads == 8);
      CHECK(read->weights == WeightFormat::q4_k_m);
      CHECK(checkpoint_bytes(read->architecture, WeightFormat::q4_k_m) == header.bytes());
      CHECK(header.bytes() == checkpoint_bytes(llama, WeightFormat::q4_k_m));
    }
  }
}

TEST_CASE("weights in another format than the file's are estimated by that format") {
  GgufWriter w = llama_file(model("Llama-3.1-8B"), WeightFormat::q4_k_m, 3, false);
  const auto read = model_of_gguf({header_of(w)}, "");
  REQUIRE(read);
  CHECK(checkpoint_bytes(read->architecture, WeightFormat::bf16) == 2.0 * 8030261248.0);
}

TEST_CASE("a tensor of every ggml type has the bytes of its blocks") {
  for (int i = 0; i < ggml_type_count(); ++i) {
    const GgmlBlock& block = ggml_type_at(i);
    GgufWriter w;
    add(w, "t", block.type, 3, 512);
    const FileHeader header = header_of(w);
    CHECK(header.tensors[0].type == block.name);
    CHECK(header.bytes() == 3.0 * 512.0 / static_cast<double>(block.elements) * static_cast<double>(block.bytes));
  }
}

TEST_CASE("a header that goes on behind the given bytes says how many it needs") {
  GgufWriter w = llama_file(model("Llama-3.1-8B"), WeightFormat::q8_0, 3, false);
  const std::string whole = w.header();
  std::uint64_t given = 16;
  int rounds = 0;
  for (; rounds < 10000; ++rounds) {
    const auto read = read_gguf_header(std::string_view(whole).substr(0, static_cast<std::size_t>(given)), w.file_bytes());
    REQUIRE(read);
    if (read->header) break;
    REQUIRE(read->needed_bytes > given);
    given = std::min<std::uint64_t>(std::max(read->needed_bytes, 2 * given), whole.size());
  }
  CHECK(rounds < 30);
}

TEST_CASE("parts of a split file add up") {
  const Architecture& llama = model("Llama-3.1-8B");
  GgufWriter whole = llama_file(llama, WeightFormat::q8_0, 3, false);
  FileHeader first = header_of(whole), second;
  second.format = "gguf";
  const std::size_t half = first.tensors.size() / 2;
  second.tensors.assign(first.tensors.begin() + static_cast<std::ptrdiff_t>(half), first.tensors.end());
  first.tensors.resize(half);
  const auto both = model_of_gguf({first, second}, "");
  REQUIRE(both);
  CHECK(count_parameters(both->architecture).total == 8030261248.0);
  const auto one = model_of_gguf({first}, "");
  REQUIRE(one);
  REQUIRE_FALSE(one->assumptions.empty());
  CHECK(one->assumptions[0].code == "model-parts-missing");
}

TEST_CASE("lying GGUF headers are refused in one sentence and cost no memory") {
  GgufWriter w;
  w.number("general.alignment", 32);
  const std::string good = w.header();
  const auto with_count = [&](std::size_t at, std::uint64_t count) {
    std::string bytes = good;
    for (int i = 0; i < 8; ++i) bytes[at + static_cast<std::size_t>(i)] = static_cast<char>(count >> 8 * i);
    return bytes;
  };
  CHECK(message_of(with_count(8, std::uint64_t{1} << 63), 1000) != "");
  CHECK(message_of(with_count(16, 1000000000), 1000) != "");
  CHECK(message_of(std::string("GGUF\x09\0\0\0", 8), 1000).find("version 9") != std::string::npos);
  CHECK(message_of("ggml", 1000) != "");
  CHECK(message_of(good.substr(0, good.size() - 2), good.size() - 2).find("cut off") != std::string::npos);
}

TEST_CASE("tensors that cannot be are refused") {
  const auto with_tensor = [](std::uint32_t type, std::vector<std::uint64_t> shape, std::uint64_t file_bytes) {
    GgufWriter w;
    w.tensor("t", type, shape, 32);
    return message_of(w.header(), file_bytes);
  };
  CHECK(with_tensor(0, {std::uint64_t{1} << 63}, 10000).find("dimension") != std::string::npos);
  CHECK(with_tensor(0, {1, 1, 1, 1, 1}, 10000).find("dimensions") != std::string::npos);
  CHECK(with_tensor(9999, {32}, 10000).find("unknown type") != std::string::npos);
  CHECK(with_tensor(12, {4, 100}, 10000).find("do not divide") != std::string::npos);
  CHECK(with_tensor(0, {1u << 30, 1u << 30}, 10000).find("elements") != std::string::npos);
  CHECK(with_tensor(0, {100000}, 10000).find("beyond the end") != std::string::npos);
}

TEST_CASE("arrays nested without end are refused") {
  std::string bytes("GGUF\x03\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0k\x09\0\0\0", 37);
  for (int i = 0; i < 1000; ++i) bytes += std::string("\x09\0\0\0\x01\0\0\0\0\0\0\0", 12);
  CHECK(message_of(bytes, 1000000).find("nests arrays") != std::string::npos);
}
