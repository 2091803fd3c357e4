#pragma once
/// What an engine or training framework can do: capabilities as data, so that a new one is a row.
#include <string>
#include <vector>

namespace gpuplan {

/// One engine or framework of assets/software.json.
struct Software {
  std::string id, name;
  bool serves = false, trains = false;
  std::vector<std::string> versions;        ///< known versions, newest last; the default is the last
  std::vector<std::string> vendors;         ///< GPU vendors it runs on
  std::vector<std::string> weight_formats;  ///< numerics.weights ids
  std::vector<std::string> kv_formats;      ///< numerics.kv_cache ids, the default first
  std::vector<std::string> optimizers;      ///< numerics.optimizer ids
  std::vector<std::string> tasks;
  int max_tp = 1, max_pp = 1, max_cp = 1, max_ep = 1;   ///< 1 = cannot
  bool attention_dp = false, tensor_split = true, layer_split = false;
  int max_zero = 0;                          ///< highest ZeRO stage, 0 = none
  bool offload = false;
  int min_compute_capability = 0;            ///< NVIDIA, ten times (80 = 8.0)
  std::vector<std::string> compute_formats;  ///< weight formats whose matmuls run in that type (fp8, int8, fp4); others are dequantised first
  std::string source, date, notes;
};

}  // namespace gpuplan
