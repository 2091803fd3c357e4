#include "core/counts.hpp"

using namespace gpuplan;

// Per GPU is not per node.
#ifdef REFUSED
Nodes wrong = Gpus{8};
#else
Gpus right = Nodes{2} * Gpus{8};
#endif
