#pragma once
/// The view model as JSON, field names as in core/view/view.hpp; empty fields of cells are left out.
#include <nlohmann/json_fwd.hpp>

#include "core/view/view.hpp"

namespace gpuplan {

nlohmann::json write_view(const View&);
nlohmann::json write_detail(const Detail&);
nlohmann::json write_view_table(const Table&);

}  // namespace gpuplan
