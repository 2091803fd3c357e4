#pragma once
/// The panels of the window, one file each. They draw what the view model holds and call the app's actions.
#include "native/desktop/app.hpp"

namespace gpuplan::desktop {

/// The whole window content.
void draw(App& app);

void draw_header(App& app);
void draw_controls(App& app);
void draw_table(App& app, const Table& table);
void draw_detail(App& app);

/// Columns of `width` pixels that fit here: at least one, and no more than are read at a glance.
int columns_of(float width);
/// A bar of parts over `width` pixels; hovering a part names it.
void draw_bar(const App& app, const std::vector<BarPart>& parts, float width, float height);
/// The parts of a bar in words, in as many columns as fit.
void draw_legend(const App& app, const std::vector<BarPart>& parts);
/// A range around a value: a line from low to high with a tick at the value.
void draw_range(const App& app, double low, double high, float width);
void quiet_text(const App& app, const std::string& text);
/// Text in the bold face, for titles and deciding numbers.
void bold_text(const App& app, const std::string& text, bool at_end = false);
/// Text at the end of the current column.
void end_text(const std::string& text);

}  // namespace gpuplan::desktop
