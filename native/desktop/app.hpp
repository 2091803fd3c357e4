#pragma once
/// The state of the app: a scenario, the view that the core makes of it, and what is open. Drawing reads it, actions change it.
#include <optional>
#include <string>
#include <vector>

#include "core/api/context.hpp"
#include "core/scenario/scenario.hpp"
#include "core/view/view.hpp"

struct ImFont;

namespace gpuplan::desktop {

class App {
 public:
  App(const Context& context, std::string now) : context_(context), now_(std::move(now)) {}

  const View& view() const { return view_; }
  const Detail* detail() const { return detail_ ? &*detail_ : nullptr; }
  const std::string& open_row() const { return open_row_; }
  const std::string& error() const { return error_; }
  /// Pointer of the field that the error is about, "" for none.
  const std::string& error_pointer() const { return error_pointer_; }
  const std::string& status() const { return status_; }
  const Strings& strings() const { return context_.strings(language_); }
  const Context& context() const { return context_; }
  Language language() const { return language_; }

  bool dark = false;
  ImFont* bold = nullptr;          ///< set when the window has loaded its fonts
  bool more = false;               ///< the controls behind "more" are shown
  std::string link_input;          ///< what is typed or pasted into the link field
  std::vector<std::string> drawn;  ///< texts of the table cells of the last frame, one line per row

  /// Makes the view again; on a problem the last good one stays and the sentence is shown.
  void refresh();
  void set_language(Language);
  /// One field of the scenario from the text of a control; the field checks it.
  void set(const std::string& pointer, const std::string& text);
  /// Opens a link: what can be read becomes the scenario, the rest is said.
  void open_link(const std::string& link);
  /// Opens a row's detail, or closes it when it is open.
  void toggle(const Row& row);
  void say(std::string text) { status_ = std::move(text); }

 private:
  void fail(const Problem&);

  const Context& context_;
  std::string now_;
  Scenario scenario_;
  Language language_ = Language::en;
  View view_;
  std::optional<Detail> detail_;
  std::string open_row_, error_, error_pointer_, status_;
};

}  // namespace gpuplan::desktop
