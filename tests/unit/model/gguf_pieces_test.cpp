/// A GGUF header read in pieces: the same header whatever the pieces, little memory whatever the tokenizer.
#include <nlohmann/json.hpp>

#include "core/api/inspect.hpp"
#include "core/model/files/file_model.hpp"
#include "core/model/files/gguf_header.hpp"
#include "core/model/ggml_types.hpp"
#include "core/model/tensors.hpp"
#include "core/scenario/base64.hpp"
#include "gguf_fixture.hpp"
#include "models_fixture.hpp"

using namespace gpuplan;
using nlohmann::json;

namespace {

/// A small model whose tokenizer takes most of the header.
GgufWriter with_tokenizer(std::size_t tokens) {
  GgufWriter w;
  w.text("general.architecture", "llama");
  w.number("llama.block_count", 1), w.number("llama.embedding_length", 256), w.number("llama.attention.head_count", 4), w.number("llama.feed_forward_length", 512);
  std::vector<std::string> words;
  for (std::size_t i = 0; i < tokens; ++i) words.push_back("token number " + std::to_string(i));
  w.texts("tokenizer.ggml.tokens", words);
  w.text("tokenizer.chat_template", std::string(20000, '{'));
  const auto add = [&](const std::string& name, std::vector<std::uint64_t> shape) {
    std::uint64_t elements = 1;
    for (const std::uint64_t s : shape) elements *= s;
    w.tensor(name, static_cast<std::uint32_t>(GgmlType::f16), shape, 2 * elements);
  };
  add("token_embd.weight", {100, 256});
  for (const char* name : {"attn_q", "attn_k", "attn_v", "attn_output"}) add("blk.0." + std::string(name) + ".weight", {256, 256});
  add("blk.0.attn_norm.weight", {256}), add("blk.0.ffn_up.weight", {512, 256}), add("blk.0.ffn_down.weight", {256, 512});
  return w;
}

/// Feeds pieces of `size` bytes (at least what the next item takes); `hop` sees the reader between two pieces.
template <class Hop>
FileHeader in_pieces(const std::string& bytes, std::uint64_t file_bytes, std::size_t size, const Hop& hop) {
  GgufHeaderReader reader(file_bytes);
  for (int i = 0; i < 1000000 && !reader.done(); ++i) {
    const std::size_t from = static_cast<std::size_t>(reader.next_byte()), length = std::max<std::size_t>(size, static_cast<std::size_t>(reader.wanted_bytes()));
    REQUIRE(from < bytes.size());
    const auto problem = reader.feed(std::string_view(bytes).substr(from, length));
    if (problem) FAIL(problem->message);
    hop(reader);
  }
  REQUIRE(reader.done());
  return reader.header();
}

void check_same(const FileHeader& a, const FileHeader& b) {
  CHECK(a.bytes() == b.bytes());
  CHECK(a.header_bytes == b.header_bytes);
  REQUIRE(a.tensors.size() == b.tensors.size());
  CHECK(a.metadata.size() == b.metadata.size());
  CHECK(a.find("tokenizer.ggml.tokens")->length == b.find("tokenizer.ggml.tokens")->length);
  for (std::size_t i = 0; i < a.tensors.size(); ++i) CHECK(a.tensors[i].shape == b.tensors[i].shape);
}

}  // namespace

TEST_CASE("pieces of any size give the same header") {
  GgufWriter w = with_tokenizer(500);
  const std::string bytes = w.header();
  const auto whole = read_gguf_header(bytes, w.file_bytes());
  REQUIRE(whole);
  REQUIRE(whole->header);
  CHECK(whole->header->find("tokenizer.ggml.tokens")->length == 500);
  for (const std::size_t size : {1u, 7u, 64u, 1000u, 5000u, 1000000u}) check_same(in_pieces(bytes, w.file_bytes(), size, [](GgufHeaderReader&) {}), *whole->header);
}

TEST_CASE("the state between two pieces travels as JSON") {
  GgufWriter w = with_tokenizer(300);
  const std::string bytes = w.header();
  const auto whole = read_gguf_header(bytes, w.file_bytes());
  const FileHeader again = in_pieces(bytes, w.file_bytes(), 500, [&](GgufHeaderReader& reader) {
    const auto resumed = GgufHeaderReader::resumed(json::parse(reader.state().dump()), w.file_bytes(), "/state");
    if (!resumed) FAIL(resumed.problem().message);
    reader = *resumed;
  });
  check_same(again, *whole->header);
}

TEST_CASE("of texts and arrays that no architecture needs only the length is looked at") {
  GgufWriter w = with_tokenizer(200000);
  const std::string bytes = w.header();
  REQUIRE(bytes.size() > 4000000);
  std::size_t shown = 0;
  GgufHeaderReader reader(w.file_bytes());
  while (!reader.done()) {
    const std::string_view piece = std::string_view(bytes).substr(static_cast<std::size_t>(reader.next_byte()), 100000);
    shown = std::max(shown, piece.size());
    REQUIRE_FALSE(reader.feed(piece));
    CHECK(reader.state().dump().size() < 5000);
  }
  CHECK(shown == 100000);
  CHECK(model_of_gguf({reader.header()}, ""));
}

TEST_CASE("a request reads a header that is longer than a request may be") {
  GgufWriter w = with_tokenizer(100000);
  const std::string bytes = w.header();
  const Knowledge none;
  json file = {{"name", "a.gguf"}, {"file_bytes", w.file_bytes()}, {"base64", base64url_encode(bytes.substr(0, 4096))}};
  json answer;
  int rounds = 0;
  for (; rounds < 100; ++rounds) {
    const auto given = inspect(none, {{"files", {file}}});
    REQUIRE(given);
    answer = *given;
    if (!answer.contains("need")) break;
    const json& need = answer["need"];
    const auto from = need["from"].get<std::size_t>(), piece = std::min<std::size_t>(need["piece"].get<std::size_t>(), 300000);
    file["state"] = need["states"][0];
    file["base64"] = base64url_encode(bytes.substr(from, piece));
  }
  CHECK(rounds > 3);
  CHECK(answer["parameters"]["total"] == 100 * 256 + 4 * 256 * 256 + 256 + 2 * 512 * 256);
}

TEST_CASE("a state that was changed on its way is refused or read on, never a crash") {
  GgufWriter w = with_tokenizer(50);
  const std::string bytes = w.header();
  GgufHeaderReader reader(w.file_bytes());
  REQUIRE_FALSE(reader.feed(std::string_view(bytes).substr(0, 700)));
  const json good = reader.state();
  const auto with = [&](const char* key, const json& value) {
    json state = good;
    state[key] = value;
    return GgufHeaderReader::resumed(state, w.file_bytes(), "/state");
  };
  for (const char* key : {"at", "wanted", "entries_left", "tensors_left", "version", "open", "entry", "phase", "last_byte", "big_endian", "tensors"}) {
    CHECK_FALSE(with(key, "x"));
    CHECK_FALSE(with(key, -1));
  }
  CHECK_FALSE(with("at", std::int64_t{1} << 50));
  CHECK_FALSE(with("open", json::array({json::array({8, std::int64_t{1} << 60})})));
  CHECK_FALSE(GgufHeaderReader::resumed(json::array(), 0, "/state"));
}

TEST_CASE("a projector's file beside the model counts as its image tower") {
  GgufWriter language = with_tokenizer(3), projector;
  projector.text("general.architecture", "clip");
  projector.tensor("v.blk.0.attn_q.weight", static_cast<std::uint32_t>(GgmlType::f16), {64, 64}, 2 * 64 * 64);
  const auto a = read_gguf_header(language.header(), language.file_bytes()), b = read_gguf_header(projector.header(), projector.file_bytes());
  REQUIRE(a);
  REQUIRE(b);
  const auto alone = model_of_gguf({*a->header}, ""), both = model_of_gguf({*b->header, *a->header}, "");
  REQUIRE(alone);
  REQUIRE(both);
  CHECK(both->architecture.vision.params == 64 * 64);
  CHECK(count_parameters(both->architecture).text == count_parameters(alone->architecture).text);
  CHECK(checkpoint_bytes(both->architecture, *both->weights) == a->header->bytes() + b->header->bytes());
}
