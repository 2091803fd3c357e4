#pragma once
/// The window: SDL2, OpenGL 3 and ImGui, redrawn on events only.
#include <SDL.h>

#include <string>

#include "native/desktop/app.hpp"
#include "native/desktop/settings.hpp"

namespace gpuplan::desktop {

class Window {
 public:
  Window() = default;
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  /// Opens the window; a sentence says why it could not.
  std::string open(const Settings&, App&);
  /// Whether Chinese texts can be drawn.
  bool chinese() const { return chinese_; }

  /// Draws one frame, and writes it as a BMP file when `picture` names one; false when that could not be written.
  bool frame(App&, const std::string& picture = "");
  /// Runs until the window is closed, or for `seconds` when that is above 0.
  void run(App&, double seconds);
  Settings settings(const App&) const;
  int frames() const { return frames_; }

 private:
  bool screenshot(const std::string& path);

  SDL_Window* window_ = nullptr;
  SDL_GLContext gl_ = nullptr;
  float scale_ = 1.0f;
  int frames_ = 0;
  bool themed_dark_ = false, chinese_ = false, imgui_ = false;
};

}  // namespace gpuplan::desktop
