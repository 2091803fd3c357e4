#pragma once
/// What the app knows: the scenario, the last good view, what was refused, the open row. Nothing of windows; the core answers everything.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/api/context.hpp"
#include "core/scenario/scenario.hpp"
#include "core/view/view.hpp"

namespace gpuplan::desktop {

/// What a person typed that the core refused, with its sentence.
struct Refusal {
  std::string text, sentence;
};

class Session {
 public:
  Session(const Context& context, Language language, std::string now);

  const View& view() const { return view_; }
  const Strings& strings() const { return context_.strings(language_); }
  std::string say(std::string_view key) const { return strings().text(key); }
  Language language() const { return language_; }

  /// Opens a link of the page or the app; what cannot be used is named in banners() and the tables stay or show the rest.
  void open(const std::string& link);
  void start_over();
  /// Takes a model (config.json, GGUF, safetensors) or a measured profile from files; what cannot be used is named in banners().
  void bring(const std::vector<std::string>& files);
  /// Sets a control to `text`; refused text stays at the control with its sentence.
  void change(const Control&, const std::string& text);
  void set_language(Language);

  /// Opens the row with this link, or closes it when it is open.
  void toggle_row(const std::string& link);
  bool is_open(const std::string& link) const { return !link.empty() && link == row_; }
  const std::optional<Detail>& detail() const { return detail_; }
  const std::string& detail_problem() const { return detail_problem_; }
  /// The opened link is one plan, machine and layout included: its detail stands above the tables.
  const std::optional<Detail>& plan() const { return plan_; }

  const std::vector<std::string>& banners() const { return banners_; }
  const std::map<std::string, Refusal>& refusals() const { return refusals_; }

 private:
  std::optional<Problem> show(const Scenario&);
  std::optional<Problem> use(const nlohmann::json& inspected);
  void read_detail();
  void read_plan();

  const Context& context_;
  Language language_;
  std::string now_;
  Scenario scenario_;
  View view_;
  std::string row_, detail_problem_;
  std::optional<Detail> detail_, plan_;
  std::vector<std::string> banners_;
  std::map<std::string, Refusal> refusals_;  ///< by pointer
};

}  // namespace gpuplan::desktop
