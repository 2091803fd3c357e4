#pragma once
/// What the operations that answer in words have in common.
#include "core/api/operations.hpp"
#include "core/view/make.hpp"

namespace gpuplan {

inline ViewSettings settings(const Context& c, const RequestParts& p) { return {c.strings(p.language), p.now}; }

/// Problems of these operations are shown to a person: the sentence is in the person's language.
inline Problem localized(Problem p, const ViewSettings& v) {
  p.message = problem_text(p, v.strings);
  return p;
}

}  // namespace gpuplan
