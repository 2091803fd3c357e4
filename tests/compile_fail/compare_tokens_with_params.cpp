#include "core/units.hpp"

using namespace gpuplan;
using namespace gpuplan::literals;

// Tokens and parameters are both counts, of different things.
#ifdef REFUSED
bool wrong = Tokens{1} < Params{1};
#else
bool right = Tokens{1} < Tokens{2};
#endif
