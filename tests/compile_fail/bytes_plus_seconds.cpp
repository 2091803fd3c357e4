#include "core/units.hpp"

using namespace gpuplan;
using namespace gpuplan::literals;

// Different dimensions do not add.
#ifdef REFUSED
auto wrong = 1_GB + Seconds{1};
#else
auto right = 1_GB + 2_GB;
#endif
