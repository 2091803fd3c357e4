#include "core/result.hpp"

using namespace gpuplan;

Result<int> parsed();

// A failure cannot be overlooked: a Result must be looked at.
#ifdef REFUSED
void wrong() { parsed(); }
#else
bool right() { return static_cast<bool>(parsed()); }
#endif
