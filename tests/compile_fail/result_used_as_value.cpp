#include "core/result.hpp"

using namespace gpuplan;

Result<int> parsed();

// The value is there only after the question whether it is.
#ifdef REFUSED
int wrong() { return parsed() + 1; }
#else
int right() {
  const Result<int> result = parsed();
  return result ? *result + 1 : 0;
}
#endif
