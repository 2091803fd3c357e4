#pragma once
/// How an answer changes with what is asked: which lengths and how many requests fit and how fast, and what more nodes bring [M-sensitivity].
#include <cstdint>
#include <memory>
#include <vector>

#include "core/plan/search.hpp"

namespace gpuplan {

/// One question with one thing changed, and its best layout on the named machine.
struct SensitivityCell {
  std::int64_t context = 0;      ///< tokens of a sequence: context when serving, sequence when training
  std::int64_t concurrency = 0;  ///< requests at once; 0 when training
  std::int64_t nodes = 0;
  bool possible = false;         ///< false: no layout at all; then `problem` says why
  bool fits = false;
  double efficiency = 1.0;       ///< tokens/s per GPU against the smallest number of nodes that fits; 1 in the grid
  Scenario scenario;
  std::shared_ptr<const Search> search;
  Option option;                 ///< borrows from `search`
  Problem problem;
};

/// Every context with every concurrency (training: every sequence length); row by row.
std::vector<SensitivityCell> length_grid(const Knowledge&, const Scenario&, const std::string& now, const std::vector<std::int64_t>& contexts,
                                         const std::vector<std::int64_t>& concurrencies);

/// The same job on each number of nodes, in the order given.
std::vector<SensitivityCell> node_row(const Knowledge&, const Scenario&, const std::string& now, const std::vector<std::int64_t>& nodes);

}  // namespace gpuplan
