#include "native/desktop/session.hpp"

#include <nlohmann/json.hpp>

#include "core/scenario/link.hpp"
#include "core/scenario/read.hpp"
#include "core/view/make.hpp"
#include "native/cli/model_files.hpp"

namespace gpuplan::desktop {
namespace {

using nlohmann::json;

/// What a control's text is in the scenario; whether it is allowed is the core's to say.
json wish(const Control& c, const std::string& text) {
  if (c.kind == ControlKind::toggle) return text == "true";
  if (text.empty()) return nullptr;
  if (c.pointer == "/model") return {{"id", text}};
  return text;
}

}  // namespace

Session::Session(const Context& context, Language language, std::string now) : context_(context), language_(language), now_(std::move(now)) { start_over(); }

std::optional<Problem> Session::show(const Scenario& scenario) {
  auto view = make_view(context_.knowledge, scenario, {strings(), now_});
  if (!view) return view.problem();
  scenario_ = scenario;
  view_ = *std::move(view);
  read_detail();
  read_plan();
  return std::nullopt;
}

void Session::start_over() {
  row_.clear();
  banners_.clear();
  refusals_.clear();
  if (auto p = show(Scenario{})) banners_.push_back(problem_text(*p, strings()));
}

void Session::open(const std::string& link) {
  banners_.clear();
  auto decoded = decode_link(link);
  if (!decoded) {
    banners_ = {say("page.error.link"), problem_text(decoded.problem(), strings()), say("page.error.last_good")};
    return;
  }
  row_.clear();
  refusals_.clear();
  for (const Note& note : decoded->notes) banners_.push_back(note.text);
  if (!banners_.empty()) banners_.insert(banners_.begin(), say("page.error.link"));
  if (auto p = show(decoded->scenario)) {
    banners_.push_back(problem_text(*p, strings()));
    banners_.push_back(say("page.error.last_good"));
  }
}

std::optional<Problem> Session::use(const json& inspected) {
  Scenario next = scenario_;
  const bool profile = inspected["kind"] == "profile";
  if (!profile && !inspected.contains("model")) return Problem{"", ProblemCode::unsupported, inspected["assumptions"][0]["text"].get<std::string>(), {}};
  auto problem = profile ? set_value("/hardware/profile", inspected["profile"], next) : set_value("/model", inspected["model"], next);
  return problem ? problem : show(next);
}

void Session::bring(const std::vector<std::string>& files) {
  banners_.clear();
  auto inspected = cli::inspect_paths(context_.knowledge, files);
  const auto problem = inspected ? use(*inspected) : inspected.problem();
  if (problem) banners_ = {problem_text(*problem, strings()), say("page.error.last_good")};
  else row_.clear(), refusals_.clear(), read_detail();
}

void Session::change(const Control& control, const std::string& text) {
  Scenario next = scenario_;
  auto problem = set_value(control.pointer, wish(control, text), next);
  const std::string pointer = control.pointer;  // show() replaces the view that holds the control
  if (!problem) problem = show(next);
  if (problem) refusals_[pointer] = {text, problem_text(*problem, strings())};
  else refusals_.erase(pointer);
  if (!problem) banners_.clear();
}

void Session::set_language(Language language) {
  language_ = language;
  refusals_.clear();
  banners_.clear();
  if (auto p = show(scenario_)) banners_.push_back(problem_text(*p, strings()));
}

void Session::toggle_row(const std::string& link) {
  row_ = is_open(link) ? std::string() : link;
  read_detail();
}

void Session::read_detail() {
  detail_.reset();
  detail_problem_.clear();
  if (row_.empty()) return;
  auto decoded = decode_link(row_);
  auto detail = decoded ? make_detail(context_.knowledge, decoded->scenario, {strings(), now_}) : Result<Detail>(decoded.problem());
  if (detail) detail_ = *std::move(detail);
  else detail_problem_ = problem_text(detail.problem(), strings());
}

void Session::read_plan() {
  plan_.reset();
  const bool model = !scenario_.model.id.empty() || scenario_.model.custom;
  if (!model || !scenario_.hardware.named() || !(scenario_.layout.tp || scenario_.layout.dp || scenario_.layout.pp)) return;
  if (auto detail = make_detail(context_.knowledge, scenario_, {strings(), now_})) plan_ = *std::move(detail);
}

}  // namespace gpuplan::desktop
