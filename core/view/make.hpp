#pragma once
/// Makes the view model from a scenario: the one place where numbers become text, for page, app and command line alike.
#include <string>

#include "core/plan/estimate.hpp"
#include "core/plan/tiers.hpp"
#include "core/view/strings.hpp"
#include "core/view/view.hpp"

namespace gpuplan {

/// Where texts and ages come from.
struct ViewSettings {
  const Strings& strings;
  std::string now;  ///< ISO date, "" = ages are not shown
};

/// The four tables with the controls that made them.
Result<View> make_view(const Knowledge&, const Scenario&, const ViewSettings&);
/// Everything behind one row.
Result<Detail> make_detail(const Knowledge&, const Scenario&, const ViewSettings&);

std::vector<Control> make_controls(const Knowledge&, const Scenario&, const Strings&);
Table make_table(const Knowledge&, const TierTable&, const ViewSettings&);

/// "8 × H100 SXM5 80 GB", with the node count in front when there are several.
std::string machine_text(const Machine&, const Strings&);
/// "QLoRA · NF4 · dp 4 · ZeRO-2".
std::string technique_text(const Job&, const Layout&, const Strings&);
/// A word of a technique or the name of a number format as people write it: "tp2" → "tp 2", "awq" → "AWQ".
std::string technique_word(const std::string& word, const Strings&);
/// "18 days ago", or that there is no date; `days` is -1 when unknown.
std::string age_text(const std::string& price_date, const ViewSettings&, long* days = nullptr);
/// A money amount in the currency of the policy (prices are USD inside).
std::string money_text(const Knowledge&, const Policy&, double usd);
/// Memory parts as pieces of the usable memory, "free" last.
std::vector<BarPart> memory_bar(const Memory&, const Strings&);
std::vector<BarPart> time_bar(const TimeParts&, const Strings&);
/// A remark in the asked language; what a translation cannot say itself it carries as the core's own text.
std::string note_text(const Note&, const Strings&);
/// A problem as one sentence in the asked language.
std::string problem_text(const Problem&, const Strings&);

}  // namespace gpuplan
