#include "core/units.hpp"

using namespace gpuplan;
using namespace gpuplan::literals;

// The ratio of equal dimensions is a plain number, any other ratio is not.
#ifdef REFUSED
double wrong = 1_GB / 1_GBps;
#else
double right = 1_GB / 1_GiB;
#endif
