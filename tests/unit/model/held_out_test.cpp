/// Configurations of models that are not in the catalog: read to the published count of their checkpoints, or to the one of their model code.
#include <nlohmann/json.hpp>

#include "core/model/huggingface/read_config.hpp"
#include "models_fixture.hpp"

using namespace gpuplan;
using nlohmann::json;

namespace {

bool read_generically(const DescribedModel& m) {
  for (const Note& n : m.assumptions) {
    if (n.code == "model-read-generically") return true;
  }
  return false;
}

std::string texts_of(const DescribedModel& m) {
  std::string all;
  for (const Note& n : m.assumptions) all += n.text + "\n";
  return all;
}

json of_type(const char* type) {
  return {{"model_type", type}, {"hidden_size", 512}, {"num_hidden_layers", 4}, {"num_attention_heads", 8}, {"intermediate_size", 1024}, {"vocab_size", 1000}};
}

}  // namespace

TEST_CASE("configurations that the catalog does not hold read to the counts of their models") {
  const json rows = json::parse(file_text("tests/unit/model/held_out.json"));
  CHECK(rows.size() >= 100);
  for (const json& row : rows) {
    INFO(row["model"]);
    const auto read = read_hf_config(row["config"], "");
    REQUIRE(read);
    const ParameterCount count = count_parameters(read->architecture);
    const double counted = row.contains("total") ? count.total : count.text;
    const double known = row.contains("total") ? row["total"].get<double>() : row["text"].get<double>();
    CHECK(counted == Approx(known).epsilon(0.001));
    CHECK(read_generically(*read) == row.value("generic", false));
    CHECK(count.active <= count.text);
  }
}

TEST_CASE("half of the held-out counts are met to the last parameter") {
  double exact = 0.0, all = 0.0;
  for (const json& row : json::parse(file_text("tests/unit/model/held_out.json"))) {
    const auto read = read_hf_config(row["config"], "");
    REQUIRE(read);
    const ParameterCount count = count_parameters(read->architecture);
    all += 1.0;
    exact += row.contains("total") ? count.total == row["total"].get<double>() : count.text == row["text"].get<double>();
  }
  CHECK(exact / all >= 0.5);
}

TEST_CASE("a generic reading names the keys that it did not understand") {
  json config = of_type("tomorrow");
  config["tomorrow_state_size"] = 64;
  config["bos_token_id"] = 1;
  config["max_position_embeddings"] = 4096;
  const auto read = read_hf_config(config, "");
  REQUIRE(read);
  CHECK(texts_of(*read).find("tomorrow_state_size") != std::string::npos);
  CHECK(texts_of(*read).find("bos_token_id") == std::string::npos);
  CHECK(texts_of(*read).find("hidden_size") == std::string::npos);
}

TEST_CASE("layers of kinds that are not described are refused, not read as something else") {
  for (const char* type : {"recurrent_gemma", "zamba2", "plamo2", "albert"}) {
    const auto read = read_hf_config(of_type(type), "/model/hf_config");
    REQUIRE_FALSE(read);
    CHECK(read.problem().code == ProblemCode::unsupported);
    CHECK(read.problem().pointer == "/model/hf_config/model_type");
  }
}

TEST_CASE("parts that a configuration only hints at are left out with a note") {
  json config = of_type("qwen2_5_omni_text");
  const json omni = {{"model_type", "qwen2_5_omni"}, {"thinker_config", {{"text_config", config}}}, {"talker_config", {{"hidden_size", 896}}}};
  const auto read = read_hf_config(omni, "");
  REQUIRE(read);
  CHECK(texts_of(*read).find("talker") != std::string::npos);
}
