#include "core/units.hpp"

using namespace gpuplan;
using namespace gpuplan::literals;

// Bytes per second are not operations per second.
#ifdef REFUSED
FlopsPerSecond wrong = 3_GBps;
#else
FlopsPerSecond right = 3_TFLOPS;
#endif
