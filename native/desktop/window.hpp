#pragma once
/// The SDL window with its OpenGL context and ImGui; ends them in its destructor.
#include <SDL.h>

#include <string>

#include "native/desktop/options.hpp"
#include "native/desktop/settings.hpp"

namespace gpuplan::desktop {

class Window {
 public:
  Window(const Options&, const Settings&);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  const std::string& problem() const { return problem_; }  ///< "" when the window is there
  float scale() const { return scale_; }
  void begin_frame();
  void end_frame(unsigned background);
  /// Writes the last frame.
  bool write_png(const std::string& path, unsigned background);
  /// Position and size as they are now.
  void remember(Settings&) const;

 private:
  void paint(unsigned background);

  SDL_Window* window_ = nullptr;
  SDL_GLContext gl_ = nullptr;
  bool sdl_ = false, imgui_ = false;
  float scale_ = 1;
  std::string problem_;
};

}  // namespace gpuplan::desktop
