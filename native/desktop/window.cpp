#include "native/desktop/window.hpp"

#include <SDL_opengl.h>
#include <backends/imgui_impl_opengl3.h>
#include <backends/imgui_impl_sdl.h>
#include <imgui.h>
#include <stb_image_write.h>

#include <algorithm>
#include <vector>

namespace gpuplan::desktop {
namespace {

/// Whether enough of the remembered window lies on a display that is there today.
bool on_a_display(const Settings& s) {
  for (int i = 0; i < SDL_GetNumVideoDisplays(); ++i) {
    SDL_Rect display, both, wanted{s.x, s.y, s.width, s.height};
    if (SDL_GetDisplayUsableBounds(i, &display) == 0 && SDL_IntersectRect(&display, &wanted, &both) && both.w >= 100 && both.h >= 100) return true;
  }
  return false;
}

/// From the display's density in quarter steps; only clearly dense displays are scaled, as reported densities are rough.
float display_scale() {
  float dpi = 96;
  if (SDL_GetDisplayDPI(0, &dpi, nullptr, nullptr) != 0 || dpi < 144) return 1;
  return std::clamp(static_cast<float>(static_cast<int>(dpi / 96 * 4)) / 4, 1.0f, 3.0f);
}

}  // namespace

Window::Window(const Options& o, const Settings& s) {
  SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
  if (SDL_Init(SDL_INIT_VIDEO | SDL_INIT_TIMER) != 0) {
    problem_ = std::string("no display: ") + SDL_GetError();
    return;
  }
  sdl_ = true;
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 2);
  SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
  const bool remembered = s.x != -1 && on_a_display(s);
  const int place = static_cast<int>(SDL_WINDOWPOS_CENTERED), x = remembered ? s.x : place, y = remembered ? s.y : place;
  unsigned flags = SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
  if (s.maximized && o.width == 0) flags |= SDL_WINDOW_MAXIMIZED;
  window_ = SDL_CreateWindow("gpuplan", x, y, o.width ? o.width : s.width, o.height ? o.height : s.height, flags);
  gl_ = window_ ? SDL_GL_CreateContext(window_) : nullptr;
  if (!gl_) {
    problem_ = std::string("no OpenGL 3.2 window: ") + SDL_GetError();
    return;
  }
  SDL_GL_SetSwapInterval(1);
  SDL_SetWindowMinimumSize(window_, 640, 400);
  ImGui::CreateContext();
  imgui_ = true;
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  io.ConfigInputTextCursorBlink = false;  // blinking would redraw an idle window
  ImGui_ImplSDL2_InitForOpenGL(window_, gl_);
  ImGui_ImplOpenGL3_Init("#version 150");
  scale_ = o.scale > 0 ? static_cast<float>(o.scale) : display_scale();
}

Window::~Window() {
  if (imgui_) {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplSDL2_Shutdown();
    ImGui::DestroyContext();
  }
  if (gl_) SDL_GL_DeleteContext(gl_);
  if (window_) SDL_DestroyWindow(window_);
  if (sdl_) SDL_Quit();
}

void Window::begin_frame() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplSDL2_NewFrame();
  ImGui::NewFrame();
}

void Window::end_frame(unsigned background) {
  ImGui::Render();
  paint(background);
  SDL_GL_SwapWindow(window_);
}

void Window::paint(unsigned background) {
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(background);
  int width = 0, height = 0;
  SDL_GL_GetDrawableSize(window_, &width, &height);
  glViewport(0, 0, width, height);
  glClearColor(c.x, c.y, c.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

bool Window::write_png(const std::string& path, unsigned background) {
  // The last frame once more: what was swapped away is not ours to read.
  paint(background);
  int width = 0, height = 0;
  SDL_GL_GetDrawableSize(window_, &width, &height);
  std::vector<unsigned char> pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
  glReadBuffer(GL_BACK);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
  stbi_flip_vertically_on_write(1);
  return stbi_write_png(path.c_str(), width, height, 3, pixels.data(), width * 3) != 0;
}

void Window::remember(Settings& s) const {
  s.maximized = (SDL_GetWindowFlags(window_) & SDL_WINDOW_MAXIMIZED) != 0;
  if (s.maximized) return;  // the size to return to stays
  SDL_GetWindowPosition(window_, &s.x, &s.y);
  SDL_GetWindowSize(window_, &s.width, &s.height);
}

}  // namespace gpuplan::desktop
