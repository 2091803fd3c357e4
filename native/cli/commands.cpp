#include "native/cli/commands.hpp"

#include <iostream>
#include <optional>

#include <nlohmann/json.hpp>

#include "core/api/call.hpp"
#include "core/json/text.hpp"
#include "native/cli/files.hpp"

namespace gpuplan::cli {
namespace {

using nlohmann::json;

json base_request(const Arguments& a, const std::string& op) {
  json r = {{"op", op}, {"now", a.now}, {"lang", a.lang}};
  if (op == "plan") r["top"] = a.top;
  if (op == "plan" && a.front) r["front"] = true;
  if (op == "plan" && a.explain_rejected) r["explain_rejected"] = true;
  if (op == "emit") r["target"] = a.target;
  return r;
}

int exit_of(const json& answer) {
  if (!answer.contains("error")) return answered;
  return answer["error"]["code"] == name(ProblemCode::internal) ? fault : bad_input;
}

/// The picked values, one a line; null where the answer has none.
int print_picked(const json& answer, const Arguments& a) {
  for (const std::string& pointer : a.pick) {
    try {
      const json::json_pointer at(pointer);
      std::cout << pointer << " " << dump(answer.contains(at) ? answer[at] : json(nullptr)) << "\n";
    } catch (const json::exception&) {
      return report({pointer, ProblemCode::syntax, "--pick needs JSON pointers such as /options/0/instance, not " + excerpt(pointer) + ".", {}}, a.json);
    }
  }
  return answered;
}

/// Prints an answer, or its error where errors go.
int print(const json& answer, const Arguments& a) {
  const int exit = exit_of(answer);
  if (exit == answered && !a.pick.empty()) return print_picked(answer, a);
  if (exit == answered) std::cout << dump(answer) << "\n";
  else if (a.json) std::cerr << dump(answer) << "\n";
  else std::cerr << "gpuplan: " << answer["error"]["message"].get<std::string>() << "\n";
  return exit;
}

/// Puts the profile of --profile into a scenario; what else is wrong with the scenario is the core's to say.
std::optional<Problem> add_profile(const Arguments& a, json& scenario) {
  if (a.profile.empty() || !scenario.is_object()) return std::nullopt;
  auto text = read_input(a.profile);
  if (!text) return text.problem();
  auto profile = parse_json(*text, "The profile");
  if (!profile) return profile.problem();
  json& hardware = scenario["hardware"];
  if (hardware.is_null() || hardware.is_object()) hardware["profile"] = *std::move(profile);
  return std::nullopt;
}

json answer_scenario(const Context& c, const Arguments& a, const std::string& op, std::string_view text) {
  auto scenario = parse_json(text, "The scenario");
  if (!scenario) return error_object(scenario.problem());
  if (auto problem = add_profile(a, *scenario)) return error_object(*problem);
  json request = base_request(a, op);
  request["scenario"] = *std::move(scenario);
  return answer(c, request);
}

/// A scenario file; the message names the file.
Result<json> read_scenario_file(const std::string& path) {
  auto text = read_input(path);
  if (!text) return text.problem();
  auto scenario = parse_json(*text, path == "-" ? "The scenario" : path);
  if (!scenario) return scenario.problem();
  if (!scenario->is_object()) return Problem{"", ProblemCode::wrong_type, "A scenario must be an object, not " + type_name(*scenario) + ".", {}};
  return scenario;
}

/// Calls `each` for every line that is not blank; a line may end in CR LF.
template <class Each>
int for_each_line(const std::string& path, bool as_json, Each each) {
  auto text = read_input(path);
  if (!text) return report(text.problem(), as_json);
  std::size_t at = 0;
  while (at < text->size()) {
    std::size_t end = text->find('\n', at);
    if (end == std::string::npos) end = text->size();
    std::string_view line(text->data() + at, end - at);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.find_first_not_of(" \t") != std::string_view::npos) std::cout << each(line) << "\n";
    at = end + 1;
  }
  return answered;
}

}  // namespace

int report(const Problem& p, bool as_json) {
  if (as_json) std::cerr << dump(error_object(p)) << "\n";
  else std::cerr << "gpuplan: " << p.message << "\n";
  return p.code == ProblemCode::internal ? fault : bad_input;
}

int run_operation(const Context& c, const Arguments& a, const std::string& op) {
  if (a.ndjson) {
    return for_each_line(a.input, a.json, [&](std::string_view line) { return dump(answer_scenario(c, a, op, line)); });
  }
  auto text = read_input(a.input);
  if (!text) return report(text.problem(), a.json);
  return print(answer_scenario(c, a, op, *text), a);
}

int run_fit(const Context& c, const Arguments& a) {
  json request = base_request(a, "fit");
  request["top"] = a.top;
  request["scenario"] = json::object();
  if (!a.input.empty()) {
    auto scenario = read_scenario_file(a.input);
    if (!scenario) return report(scenario.problem(), a.json);
    request["scenario"] = *std::move(scenario);
  }
  if (auto problem = add_profile(a, request["scenario"])) return report(*problem, a.json);
  json& hardware = request["scenario"]["hardware"];
  if (!a.gpus.empty()) hardware["gpus"] = a.gpus;
  if (a.host_memory_gib > 0.0) hardware["host_memory_gib"] = a.host_memory_gib;
  if (!a.gpu.empty()) hardware["gpu"] = a.gpu;
  if (!a.gpu.empty()) hardware["gpus_per_node"] = a.count;
  if (!a.instance.empty()) hardware["instance"] = a.instance;
  if (hardware.is_null()) return report({"/hardware", ProblemCode::missing_field, "Name the hardware: --gpu ID [--count N], --gpus ID,ID,…, --instance ID, --profile FILE, or a scenario file.", {}}, a.json);
  return print(answer(c, request), a);
}

int run_compare(const Context& c, const Arguments& a) {
  json request = base_request(a, "compare");
  for (const std::string& path : a.inputs) {
    auto scenario = read_scenario_file(path);
    if (!scenario) return report(scenario.problem(), a.json);
    request["scenarios"].push_back(*std::move(scenario));
  }
  return print(answer(c, request), a);
}

int run_tiers(const Context& c, const Arguments& a) {
  json request = base_request(a, a.format == "json" ? "tiers" : a.format == "view" ? "view" : "export");
  if (a.format != "json" && a.format != "view") request["format"] = a.format;
  if (!a.input.empty()) {
    auto text = read_input(a.input);
    if (!text) return report(text.problem(), a.json);
    auto scenario = parse_json(*text, "The scenario");
    if (!scenario) return report(scenario.problem(), a.json);
    request["scenario"] = *std::move(scenario);
  }
  if (a.input.empty() && !a.profile.empty()) request["scenario"] = {{"task", "inference"}};
  if (request.contains("scenario")) {
    if (auto problem = add_profile(a, request["scenario"])) return report(*problem, a.json);
  }
  const json out = answer(c, request);
  if (exit_of(out) != answered || a.format == "json" || a.format == "view") return print(out, a);
  std::cout << out["text"].get<std::string>();
  return answered;
}

int run_catalog(const Context& c, const Arguments& a) {
  json request = base_request(a, "catalog");
  request["what"] = a.what;
  request["sources"] = a.sources;
  if (!a.id.empty()) request["id"] = a.id;
  return print(answer(c, request), a);
}

int run_sensitivity(const Context& c, const Arguments& a) {
  auto scenario = read_scenario_file(a.input);
  if (!scenario) return report(scenario.problem(), a.json);
  if (auto problem = add_profile(a, *scenario)) return report(*problem, a.json);
  json request = base_request(a, "sensitivity");
  request["scenario"] = *std::move(scenario);
  if (!a.contexts.empty()) request["contexts"] = a.contexts;
  if (!a.concurrencies.empty()) request["concurrencies"] = a.concurrencies;
  if (!a.nodes.empty()) request["nodes"] = a.nodes;
  return print(answer(c, request), a);
}

int run_presets(const Context& c, const Arguments& a) {
  json request = base_request(a, "presets");
  if (!a.id.empty()) request["id"] = a.id;
  const json out = answer(c, request);
  return print(a.id.empty() || exit_of(out) != answered ? out : out["presets"][0]["scenario"], a);
}

int run_share(const Context& c, const Arguments& a) {
  auto text = read_input(a.input);
  if (!text) return report(text.problem(), a.json);
  const json out = answer_scenario(c, a, "encode", *text);
  if (exit_of(out) != answered) return print(out, a);
  std::cout << out["link"].get<std::string>() << "\n";
  return answered;
}

int run_open(const Context& c, const Arguments& a) {
  json request = base_request(a, "decode");
  request["link"] = a.link;
  const json out = answer(c, request);
  if (exit_of(out) != answered) return print(out, a);
  for (const json& note : out["notes"]) std::cerr << "gpuplan: " << note["text"].get<std::string>() << "\n";
  std::cout << dump(out["scenario"]) << "\n";
  return answered;
}

int run_call(const Context& c, const Arguments& a) {
  if (a.ndjson) return for_each_line("-", a.json, [&](std::string_view line) { return call(c, line); });
  auto text = read_input("-");
  if (!text) return report(text.problem(), a.json);
  auto request = parse_json(*text, "The request");
  const json out = request ? answer(c, *request) : error_object(request.problem());
  std::cout << dump(out) << "\n";
  return exit_of(out);
}

}  // namespace gpuplan::cli
