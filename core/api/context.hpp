#pragma once
/// What every call needs: the catalogs, the coefficients and the texts. Made once per program from the packed assets.
#include <string_view>

#include "core/result.hpp"
#include "core/scenario/knowledge.hpp"
#include "core/view/strings.hpp"

namespace gpuplan {

struct Context {
  Knowledge knowledge;
  Strings en, zh;
  std::string_view sources;  ///< packed texts of sources, "" when they are not loaded

  const Strings& strings(Language l) const { return l == Language::zh ? zh : en; }
};

/// Reads the embedded assets. A problem here is a fault of the build.
Result<Context> make_context();

}  // namespace gpuplan
