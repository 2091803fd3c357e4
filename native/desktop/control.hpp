#pragma once
/// One control of the scenario: what is drawn, and what the person made of it.
#include <optional>
#include <string>

#include "native/desktop/ui.hpp"

namespace gpuplan::desktop {

/// How wide the control's value is on the line.
float control_width(const Ui&, const Control&);
/// Draws the value; gives the new text when the person changed it.
std::optional<std::string> draw_control(Ui&, const Control&);
/// Refused text where there is some, else the value in force.
std::string control_text(const Ui&, const Control&);

}  // namespace gpuplan::desktop
