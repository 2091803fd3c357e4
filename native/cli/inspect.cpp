#include <iostream>

#include <nlohmann/json.hpp>

#include "core/api/call.hpp"
#include "core/api/inspect.hpp"
#include "core/api/inspect_text.hpp"
#include "native/cli/commands.hpp"
#include "native/cli/files.hpp"
#include "native/cli/model_files.hpp"

namespace gpuplan::cli {
namespace {

using nlohmann::json;

Result<json> inspect_inputs(const Knowledge& k, const std::vector<std::string>& inputs) {
  if (inputs.size() == 1 && inputs[0] == "-") {
    auto text = read_input("-");
    return text ? inspect(k, {{"text", *text}}) : Result<json>(text.problem());
  }
  if (inputs.size() == 1 && !looks_like_file(inputs[0])) return inspect(k, {{"id", inputs[0]}});
  return inspect_paths(k, inputs);
}

}  // namespace

int run_inspect(const Context& c, const Arguments& a) {
  auto answer = inspect_inputs(c.knowledge, a.inputs);
  if (!answer) return report(answer.problem(), a.json);
  const std::string text = a.json ? "" : inspect_text(*answer, c.strings(a.lang == "zh" ? Language::zh : Language::en));
  std::cout << (text.empty() ? dump(*answer) + "\n" : text);
  return answered;
}

}  // namespace gpuplan::cli
