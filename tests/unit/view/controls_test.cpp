#include "core/view/make.hpp"

#include <algorithm>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/api/context.hpp"
#include "core/scenario/read.hpp"

using namespace gpuplan;

namespace {

std::optional<Control> control_at(std::string_view pointer, const Scenario& scenario) {
  static const Context context = *make_context();
  const auto all = make_controls(context.knowledge, scenario, context.strings(Language::en));
  const auto found = std::find_if(all.begin(), all.end(), [&](const Control& c) { return c.pointer == pointer; });
  return found == all.end() ? std::nullopt : std::optional<Control>(*found);
}

std::optional<Control> machine_control(const Scenario& scenario) { return control_at("/hardware", scenario); }

}  // namespace

TEST_CASE("a scenario that names a machine has a control that says which and leads back to any") {
  Scenario scenario;
  CHECK_FALSE(machine_control(scenario));
  REQUIRE_FALSE(set_value("/hardware/gpu", "nvidia-l4", scenario));
  const auto control = machine_control(scenario);
  REQUIRE(control);
  CHECK(control->value == "own");
  REQUIRE(control->options.size() == 2);
  CHECK(control->options[1].label == "nvidia-l4");
  CHECK(control->options[0].value.empty());
  REQUIRE_FALSE(set_value(control->pointer, nullptr, scenario));
  CHECK_FALSE(scenario.hardware.named());
}

TEST_CASE("kinds of price without a rate are not offered, but what is chosen stays") {
  const auto offered = [](const Scenario& s) {
    std::vector<std::string> out;
    const auto pricing = control_at("/policy/pricing", s);
    for (const ControlOption& o : pricing->options) out.push_back(o.value);
    return out;
  };
  using Words = std::vector<std::string>;
  Scenario s;
  CHECK(offered(s) == Words{"on-demand", "spot"});
  s.policy.reserved_discount = 0.3;
  CHECK(offered(s) == Words{"on-demand", "spot", "reserved"});
  Scenario chosen;
  chosen.policy.pricing = Pricing::owned;
  CHECK(offered(chosen) == Words{"on-demand", "spot", "owned"});
}
