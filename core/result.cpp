#include "core/result.hpp"

namespace gpuplan {

const char* name(ProblemCode code) {
  switch (code) {
    case ProblemCode::syntax: return "syntax";
    case ProblemCode::unknown_field: return "unknown-field";
    case ProblemCode::missing_field: return "missing-field";
    case ProblemCode::wrong_type: return "wrong-type";
    case ProblemCode::out_of_range: return "out-of-range";
    case ProblemCode::unknown_id: return "unknown-id";
    case ProblemCode::conflict: return "conflict";
    case ProblemCode::unsupported: return "unsupported";
    case ProblemCode::elsewhere: return "elsewhere";
    case ProblemCode::too_large: return "too-large";
    case ProblemCode::internal: return "internal";
  }
  return "internal";
}

}  // namespace gpuplan
