#pragma once
/// How an option does it, in words that need no translation: {"bf16", "tp2"}, {"qlora", "dp4"}, {"full-finetune", "bf16", "zero3", "recompute"}.
#include <string>
#include <vector>

#include "core/layout/job.hpp"
#include "core/layout/layout.hpp"

namespace gpuplan {

std::vector<std::string> technique(const Job&, const Layout&);

}  // namespace gpuplan
