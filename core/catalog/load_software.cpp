#include <nlohmann/json.hpp>
#include <set>

#include "core/catalog/load.hpp"

namespace gpuplan {

using nlohmann::json;

namespace {

/// One entry of software.json, read member by member; the first problem stays.
class Entry {
 public:
  Entry(const json& entry, std::string pointer) : entry_(entry), base_(std::move(pointer)) {
    if (!entry.is_object()) refuse("", "must be an object");
  }

  const std::optional<Problem>& problem() const { return problem_; }

  void text(const char* key, std::string& to) {
    const json* value = find(key);
    if (value == nullptr) return;
    value->is_string() ? void(to = value->get<std::string>()) : refuse(key, "must be a text");
  }
  void flag(const char* key, bool& to) {
    const json* value = find(key);
    if (value == nullptr) return;
    value->is_boolean() ? void(to = value->get<bool>()) : refuse(key, "must be true or false");
  }
  void whole(const char* key, int low, int high, int& to) {
    const json* value = find(key);
    if (value == nullptr) return;
    if (!value->is_number_integer() || value->get<std::int64_t>() < low || value->get<std::int64_t>() > high) {
      return refuse(key, "must be a whole number from " + std::to_string(low) + " to " + std::to_string(high));
    }
    to = value->get<int>();
  }
  void list(const char* key, std::vector<std::string>& to) {
    const json* value = find(key);
    if (value == nullptr) return;
    if (!value->is_array()) return refuse(key, "must be a list of texts");
    for (const json& item : *value) {
      if (!item.is_string()) return refuse(key, "must be a list of texts");
      to.push_back(item.get<std::string>());
    }
  }
  /// Groups of formats with the same limits, one entry per format.
  void formats(std::vector<FormatSupport>& to) {
    const json* groups = find("formats");
    if (groups == nullptr) return;
    if (!groups->is_array()) return refuse("formats", "must be a list");
    for (std::size_t at = 0; at < groups->size(); ++at) {
      Entry group((*groups)[at], base_ + "/formats/" + std::to_string(at));
      std::vector<std::string> names;
      FormatSupport support;
      group.list("formats", names);
      group.list("vendors", support.vendors);
      group.whole("min_compute_capability", 0, 200, support.min_compute_capability);
      group.whole("computes_from", 0, 200, support.computes_from);
      group.text("source", support.source);
      if (group.problem_ && !problem_) problem_ = group.problem_;
      for (const std::string& format : names) {
        support.format = format;
        to.push_back(support);
      }
    }
  }
  void refuse(const std::string& key, const std::string& message) {
    if (!problem_) problem_ = Problem{base_ + (key.empty() ? "" : "/" + key), ProblemCode::wrong_type, "software: " + key + " " + message, {}};
  }

 private:
  const json* find(const char* key) {
    if (problem_) return nullptr;
    const auto found = entry_.find(key);
    if (found != entry_.end()) return &*found;
    refuse(key, "is required");
    return nullptr;
  }

  const json& entry_;
  std::string base_;
  std::optional<Problem> problem_;
};

constexpr int most_ranks = 65536;

Software read(Entry& entry) {
  Software made;
  entry.text("id", made.id);
  entry.text("name", made.name);
  entry.flag("serves", made.serves);
  entry.flag("trains", made.trains);
  entry.list("tasks", made.tasks);
  entry.list("versions", made.versions);
  entry.list("vendors", made.vendors);
  entry.list("weight_formats", made.weight_formats);
  entry.list("kv_formats", made.kv_formats);
  entry.list("optimizers", made.optimizers);
  entry.formats(made.formats);
  entry.whole("max_tp", 1, most_ranks, made.max_tp);
  entry.whole("max_pp", 1, most_ranks, made.max_pp);
  entry.whole("max_cp", 1, most_ranks, made.max_cp);
  entry.whole("max_ep", 1, most_ranks, made.max_ep);
  entry.whole("max_zero", 0, 3, made.max_zero);
  entry.whole("max_zero_pp", 0, 3, made.max_zero_pp);
  entry.flag("attention_dp", made.attention_dp);
  entry.flag("tensor_split", made.tensor_split);
  entry.flag("layer_split", made.layer_split);
  entry.flag("offload", made.offload);
  entry.whole("min_compute_capability", 0, 200, made.min_compute_capability);
  entry.text("source", made.source);
  entry.text("date", made.date);
  entry.text("notes", made.notes);
  return made;
}

/// What single members cannot say.
void check(const Software& made, std::set<std::string>& ids, Entry& entry) {
  if (made.id.empty() || !ids.insert(made.id).second) entry.refuse("id", "must be unique and not empty");
  if (!made.serves && !made.trains) entry.refuse("serves", "or trains must be true");
  if (made.versions.empty()) entry.refuse("versions", "must name at least one version");
  if (made.weight_formats.empty()) entry.refuse("weight_formats", "must name at least one format");
  if (made.serves && made.kv_formats.empty()) entry.refuse("kv_formats", "must start with the default of an engine that serves");
  if (made.trains && made.optimizers.empty()) entry.refuse("optimizers", "must name what a framework that trains can use");
}

}  // namespace

std::optional<Problem> load_software(const json& document, Catalog& catalog) {
  const auto list = document.is_object() ? document.find("software") : document.end();
  if (!document.is_object() || list == document.end() || !list->is_array()) {
    return Problem{"/software/software", ProblemCode::missing_field, "software needs a list \"software\"", {}};
  }
  std::set<std::string> ids;
  for (std::size_t row = 0; row < list->size(); ++row) {
    Entry entry((*list)[row], "/software/software/" + std::to_string(row));
    Software made = read(entry);
    if (!entry.problem()) check(made, ids, entry);
    if (entry.problem()) return entry.problem();
    catalog.software.push_back(std::move(made));
  }
  return load_dates(document, "software", catalog);
}

}  // namespace gpuplan
