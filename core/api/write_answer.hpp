#pragma once
/// Answers as JSON, field names as in api.md.
#include <nlohmann/json_fwd.hpp>

#include "core/plan/estimate.hpp"
#include "core/plan/tiers.hpp"

namespace gpuplan {

nlohmann::json write_memory(const Memory&);
nlohmann::json write_kv(const KvCapacity&);
nlohmann::json write_time(const Time&);
/// Size, write time and best interval of checkpoints, and the share of time that advances training.
nlohmann::json write_checkpoint(const Time&);
nlohmann::json write_throughput(const Time&, const Machine&);
nlohmann::json write_messages(const Time&);
nlohmann::json write_cost(const Cost&, const Offer&);
nlohmann::json write_range(const Memory&, const Time&, bool training);
nlohmann::json write_explanation(const Explanation&);
nlohmann::json write_notes(const std::vector<Note>&);
nlohmann::json write_layout(const Layout&);

/// The whole answer of `estimate`.
nlohmann::json write_estimate(const Knowledge&, const Estimate&);
/// One option of `plan` and `tiers`.
nlohmann::json write_option(const Knowledge&, const Scenario&, const Search&, const Option&, int rank);
nlohmann::json write_statistics(const SearchStatistics&);

}  // namespace gpuplan
