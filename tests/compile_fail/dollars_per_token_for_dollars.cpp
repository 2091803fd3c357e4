#include "core/units.hpp"

using namespace gpuplan;
using namespace gpuplan::literals;

// A price per token is not a price.
#ifdef REFUSED
Dollars wrong = Dollars{1} / Tokens{1};
#else
DollarsPerToken right = Dollars{1} / Tokens{1};
#endif
