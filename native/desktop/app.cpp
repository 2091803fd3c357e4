#include "native/desktop/app.hpp"

#include <nlohmann/json.hpp>

#include "core/scenario/fields.hpp"
#include "core/scenario/link.hpp"
#include "core/scenario/read.hpp"
#include "core/view/make.hpp"

namespace gpuplan::desktop {

void App::fail(const Problem& p) {
  error_ = problem_text(p, strings());
  error_pointer_ = p.pointer;
}

void App::refresh() {
  auto made = make_view(context_.knowledge, scenario_, {strings(), now_});
  if (!made) {
    fail(made.problem());
    return;
  }
  view_ = *std::move(made);
  error_.clear();
  error_pointer_.clear();
  detail_.reset();
  open_row_.clear();
}

void App::set_language(Language language) {
  language_ = language;
  refresh();
}

void App::set(const std::string& pointer, const std::string& text) {
  static const Scenario defaults;
  const Scenario before = scenario_;
  std::optional<Problem> problem;
  if (pointer == "/model") {
    problem = assign_object(pointer, text.empty() ? nlohmann::json(nullptr) : nlohmann::json{{"id", text}}, scenario_);
  } else if (const Field* field = field_at(pointer)) {
    const bool cleared = text.empty() && field->kind != FieldKind::list;
    problem = assign(*field, cleared ? (field->nullable ? nlohmann::json(nullptr) : field->get(defaults)) : from_text(*field, text), scenario_);
  }
  if (problem) fail(*problem);
  else refresh();
  // What the search refuses is not kept either: the tables and the controls stay one.
  if (!error_.empty()) scenario_ = before;
}

void App::open_link(const std::string& link) {
  auto decoded = decode_link(link);
  if (!decoded) {
    fail(decoded.problem());
    return;
  }
  const Scenario before = scenario_;
  scenario_ = std::move(decoded->scenario);
  refresh();
  if (!error_.empty()) scenario_ = before;
  view_.notes = decoded->notes;
}

void App::toggle(const Row& row) {
  const std::string link = row.link;
  const bool close = open_row_ == link;
  detail_.reset();
  open_row_.clear();
  if (close) return;
  auto decoded = decode_link(link);
  if (!decoded) return fail(decoded.problem());
  auto made = make_detail(context_.knowledge, decoded->scenario, {strings(), now_});
  if (!made) return fail(made.problem());
  detail_ = *std::move(made);
  open_row_ = link;
}

}  // namespace gpuplan::desktop
