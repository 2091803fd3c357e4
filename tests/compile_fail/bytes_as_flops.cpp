#include "core/units.hpp"

using namespace gpuplan;
using namespace gpuplan::literals;

// A roofline compares times: operations over a rate, bytes over a bandwidth.
#ifdef REFUSED
Seconds wrong = max(Flops{1} / 1_TFLOPS, 1_GB / 1_TFLOPS);
#else
Seconds right = max(Flops{1} / 1_TFLOPS, 1_GB / 1_GBps);
#endif
