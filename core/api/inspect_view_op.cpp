/// What inspect found, ready to be drawn: figures as text, sizes by format, and where it goes in a scenario.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/api/inspect.hpp"
#include "core/api/operations.hpp"
#include "core/view/format.hpp"
#include "core/view/make.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

class Drawn {
 public:
  Drawn(const json& found, const Strings& s) : found_(found), s_(s) {}

  json answer() {
    const bool profile = found_["kind"] == "profile";
    out_ = {{"kind", found_["kind"]}, {"title", ""}, {"subtitle", ""}, {"figures", json::array()}, {"formats", json::array()}, {"notes", json::array()}, {"use", nullptr}};
    if (profile) draw_profile();
    else if (found_.contains("model")) draw_model();
    else draw_index();
    for (const json& n : found_["assumptions"]) {
      const Note note{n["code"].get<std::string>(), Severity::info, n["text"].get<std::string>()};
      out_["notes"].push_back({{"code", note.code}, {"severity", "info"}, {"text", note_text(note, s_)}});
    }
    return out_;
  }

 private:
  void figure(const char* id, const Text& value, const std::string& range = "") {
    out_["figures"].push_back({{"id", id}, {"label", s_.text(std::string("inspect.") + id)}, {"text", value.text}, {"unit", value.unit}, {"range", range}});
  }

  static double number(const json& j) { return j.is_number() ? j.get<double>() : 0.0; }

  void draw_model() {
    const json& a = found_["architecture"];
    const double total = number(found_["parameters"]["total"]), active = number(found_["parameters"]["active"]);
    const std::string family = a.value("family", std::string()), size = count_text(total).joined();
    const std::string title = a.value("name", a.value("id", std::string()));
    out_["title"] = title.empty() ? family + " " + size : title;
    out_["subtitle"] = title.empty() ? "" : family;
    figure("parameters", count_text(total));
    if (active < 0.999 * total) figure("active", count_text(active));
    figure("layers", {std::to_string(layers(a)), ""});
    if (number(a.value("max_context", json())) > 0.0) figure("max_context", value_text(number(a["max_context"]), "tokens", s_));
    draw_cache();
    if (found_["weights"].is_string()) figure("stored", {technique_word(found_["weights"].get<std::string>(), s_), ""});
    if (found_.contains("file")) figure("file", bytes_text(Bytes{number(found_["file"]["tensor_bytes"])}));
    draw_formats();
    out_["use"] = {{"pointer", "/model"}, {"value", found_["model"]}};
  }

  void draw_cache() {
    const double near = number(found_["kv_bytes_per_token"]), far = number(found_["kv_bytes_per_token_beyond_window"]), state = number(found_["state_bytes_per_sequence"]);
    if (near > 0.0) figure("kv", bytes_text(Bytes{near}), far < near ? s_.text("inspect.kv_beyond", {{"bytes", bytes_text(Bytes{far}).joined()}}) : "");
    if (state > 0.0) figure("state", bytes_text(Bytes{state}));
  }

  static std::int64_t layers(const json& architecture) {
    std::int64_t n = 0;
    if (architecture.contains("order")) {
      for (const json& run : architecture["order"]) n += run[1].get<std::int64_t>();
    }
    return n;
  }

  /// Largest first.
  void draw_formats() {
    std::vector<std::pair<double, std::string>> sizes;
    for (const auto& item : found_["weights_bytes"].items()) sizes.push_back({number(item.value()), item.key()});
    std::sort(sizes.begin(), sizes.end(), [](const auto& x, const auto& y) { return x.first != y.first ? x.first > y.first : x.second < y.second; });
    const double largest = sizes.empty() ? 1.0 : std::max(sizes.front().first, 1.0);
    for (const auto& [bytes, format] : sizes) {
      const Text t = bytes_text(Bytes{bytes});
      out_["formats"].push_back({{"id", format}, {"label", technique_word(format, s_)}, {"text", t.text}, {"unit", t.unit}, {"fraction", bytes / largest}});
    }
  }

  void draw_profile() {
    const json& p = found_["profile"];
    out_["title"] = p["gpu"]["name"];
    out_["subtitle"] = s_.text(found_["gpu"].is_string() ? "inspect.measured_as" : "inspect.measured_unknown",
                               {{"date", p["measured_on"].get<std::string>()}, {"gpu", found_["gpu"].is_string() ? found_["gpu"].get<std::string>() : ""}});
    for (const json& f : found_["figures"]) {
      const std::string name = f["figure"].get<std::string>();
      const bool rate = f["unit"] == "flop/s";
      const Text t = value_text(number(f["measured"]), rate ? "FLOP/s" : f["unit"].get<std::string>(), s_);
      const std::string label = rate ? s_.text("inspect.products", {{"type", technique_word(name, s_)}}) : s_.text("inspect." + name);
      out_["figures"].push_back({{"id", name}, {"label", label}, {"text", t.text}, {"unit", t.unit}, {"range", share_of_datasheet(name)}});
    }
    out_["use"] = {{"pointer", "/hardware/profile"}, {"value", p}};
  }

  std::string share_of_datasheet(const std::string& figure) const {
    for (const json& d : found_["deviations"]) {
      if (d["figure"] == figure) return s_.text("inspect.of_datasheet", {{"share", percent(number(d["ratio"]))}});
    }
    return "";
  }

  void draw_index() {
    out_["title"] = s_.text("inspect.index");
    figure("file", bytes_text(Bytes{number(found_["total_bytes"])}));
  }

  const json& found_;
  const Strings& s_;
  json out_;
};

}  // namespace

Answer inspect_view_op(const Context& context, const json& request) {
  auto parts = read_parts(request, false);
  if (!parts) return parts.problem();
  auto found = inspect(context.knowledge, request);
  if (!found || found->contains("need")) return found;
  return Drawn(*found, context.strings(parts->language)).answer();
}

}  // namespace gpuplan
