#include "core/units.hpp"

using namespace gpuplan;
using namespace gpuplan::literals;

// A bare number says no unit.
#ifdef REFUSED
Bytes wrong = 80e9;
#else
Bytes right = 80_GB;
#endif
