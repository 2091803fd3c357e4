#pragma once
/// The model catalog: architectures by id, and how names resolve to them.
#include <string>
#include <string_view>
#include <optional>
#include <vector>

#include "core/dtype.hpp"
#include "core/model/architecture.hpp"
#include "core/result.hpp"

namespace gpuplan {

/// Another name under which a catalog entry is known; compared like an id.
struct ModelAlias {
  std::string name;
  int index = -1;  ///< into Models::all
};

struct Models {
  std::vector<Architecture> all;
  std::vector<ModelAlias> aliases;
};

/// Reads the packed model catalog (embedded_asset "models").
Result<Models> load_models(std::string_view json);

/// What a name means: the architecture, and what the name says about weights ("…-AWQ").
struct ModelMatch {
  int index = -1;                             ///< into Models::all
  std::optional<WeightFormat> weights;        ///< named by a quantised re-upload
  bool variant = false;                       ///< not the catalog's own id: instruct, chat, distilled or quantised
};

/// Case and organisation do not matter; instruct, chat, distilled and quantised variants resolve to their architecture (api.md).
Result<ModelMatch> find_model(const Models&, std::string_view id, std::string_view pointer);

}  // namespace gpuplan
