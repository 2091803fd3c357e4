#include "native/desktop/window.hpp"

#include <SDL_opengl.h>
#include <backends/imgui_impl_opengl3.h>
#include <backends/imgui_impl_sdl.h>
#include <imgui.h>

#include <algorithm>
#include <vector>

#include "native/desktop/draw.hpp"
#include "native/desktop/fonts.hpp"
#include "native/desktop/theme.hpp"

namespace gpuplan::desktop {
namespace {

constexpr float font_pixels = 16.0f;
constexpr float reference_dpi = 96.0f;
constexpr int frames_to_settle = 3;  // ImGui needs a few frames until sizes and hovering are right after an event

/// Every text that may have to be drawn, so that its glyphs are in the atlas.
std::string all_texts(const Context& context) {
  std::string out;
  for (const auto& [key, text] : context.zh.all()) out += text;
  for (const Instance& i : context.knowledge.catalog.instances) out += i.provider + i.type + i.region;
  return out;
}

float display_scale(SDL_Window* window) {
  float dpi = reference_dpi;
  const bool known = SDL_GetDisplayDPI(std::max(0, SDL_GetWindowDisplayIndex(window)), nullptr, &dpi, nullptr) == 0;
  const float scale = known ? dpi / reference_dpi : 1.0f;
  return scale < 1.2f ? 1.0f : std::min(scale, 4.0f);
}

}  // namespace

Window::~Window() {
  if (imgui_) {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplSDL2_Shutdown();
    ImGui::DestroyContext();
  }
  if (gl_) SDL_GL_DeleteContext(gl_);
  if (window_) SDL_DestroyWindow(window_);
  SDL_Quit();
}

std::string Window::open(const Settings& s, App& app) {
  if (SDL_Init(SDL_INIT_VIDEO) != 0) return std::string("No display can be opened: ") + SDL_GetError() + ". gpuplan on the command line needs none.";
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 0);
  const int x = s.x < 0 ? static_cast<int>(SDL_WINDOWPOS_CENTERED) : s.x, y = s.y < 0 ? static_cast<int>(SDL_WINDOWPOS_CENTERED) : s.y;
  window_ = SDL_CreateWindow("gpuplan", x, y, s.width, s.height, SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
  if (!window_) return std::string("No window can be opened: ") + SDL_GetError() + ".";
  gl_ = SDL_GL_CreateContext(window_);
  if (!gl_) return std::string("OpenGL 3 is needed and not there: ") + SDL_GetError() + ".";
  SDL_GL_SetSwapInterval(1);
  scale_ = display_scale(window_);
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  const Fonts fonts = load_fonts(font_pixels * scale_, all_texts(app.context()));
  chinese_ = fonts.chinese;
  app.bold = fonts.bold;
  themed_dark_ = app.dark;
  apply_theme(app.dark, scale_);
  ImGui_ImplSDL2_InitForOpenGL(window_, gl_);
  ImGui_ImplOpenGL3_Init("#version 130");
  imgui_ = true;
  return "";
}

bool Window::frame(App& app, const std::string& picture) {
  if (themed_dark_ != app.dark) {
    themed_dark_ = app.dark;
    apply_theme(app.dark, scale_);
  }
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplSDL2_NewFrame();
  ImGui::NewFrame();
  draw(app);
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  ++frames_;
  const bool written = picture.empty() || screenshot(picture);  // before the swap: afterwards the buffer's content is undefined
  SDL_GL_SwapWindow(window_);
  return written;
}

void Window::run(App& app, double seconds) {
  const Uint64 end = SDL_GetTicks64() + static_cast<Uint64>(seconds * 1000.0);
  int unsettled = frames_to_settle;
  for (bool open = true; open;) {
    if (seconds > 0.0 && SDL_GetTicks64() >= end) return;
    // A blinking text cursor is the only thing that moves by itself.
    const int wait = unsettled > 0 ? 0 : ImGui::GetIO().WantTextInput ? 500 : seconds > 0.0 ? 50 : 60000;
    SDL_Event event;
    bool got = SDL_WaitEventTimeout(&event, wait) == 1;
    if (got || (wait == 500 && unsettled == 0)) unsettled = std::max(unsettled, got ? frames_to_settle : 1);
    for (; got; got = SDL_PollEvent(&event) == 1) {
      ImGui_ImplSDL2_ProcessEvent(&event);
      open = open && event.type != SDL_QUIT;
      if (event.type == SDL_DROPTEXT && event.drop.file) app.open_link(event.drop.file);
      if ((event.type == SDL_DROPTEXT || event.type == SDL_DROPFILE) && event.drop.file) SDL_free(event.drop.file);
    }
    if (unsettled == 0) continue;
    --unsettled;
    frame(app);
  }
}

bool Window::screenshot(const std::string& path) {
  int width = 0, height = 0;
  SDL_GL_GetDrawableSize(window_, &width, &height);
  using ReadPixels = void(APIENTRY*)(GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, void*);
  using ReadBuffer = void(APIENTRY*)(GLenum);
  const auto read = reinterpret_cast<ReadPixels>(SDL_GL_GetProcAddress("glReadPixels"));
  const auto buffer = reinterpret_cast<ReadBuffer>(SDL_GL_GetProcAddress("glReadBuffer"));
  if (!read || !buffer) return false;
  std::vector<Uint32> pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)), flipped(pixels.size());
  buffer(GL_BACK);
  read(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
  for (int y = 0; y < height; ++y) std::copy_n(pixels.begin() + static_cast<long>(y) * width, width, flipped.begin() + static_cast<long>(height - 1 - y) * width);
  SDL_Surface* surface = SDL_CreateRGBSurfaceWithFormatFrom(flipped.data(), width, height, 32, width * 4, SDL_PIXELFORMAT_ABGR8888);
  const bool written = surface && SDL_SaveBMP(surface, path.c_str()) == 0;
  SDL_FreeSurface(surface);
  return written;
}

Settings Window::settings(const App& app) const {
  Settings out;
  SDL_GetWindowPosition(window_, &out.x, &out.y);
  SDL_GetWindowSize(window_, &out.width, &out.height);
  out.dark = app.dark;
  out.chinese = app.language() == Language::zh;
  return out;
}

}  // namespace gpuplan::desktop
