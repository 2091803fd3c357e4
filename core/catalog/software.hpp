#pragma once
/// What an engine or training framework can do: capabilities as data, so that a new one is a row.
#include <string>
#include <vector>

namespace gpuplan {

struct Gpu;

/// Where a weight format runs in one engine or framework.
struct FormatSupport {
  std::string format;                ///< numerics.weights id
  std::vector<std::string> vendors;  ///< GPU vendors that load it
  int min_compute_capability = 0;    ///< NVIDIA, ten times
  int computes_from = 0;             ///< NVIDIA compute capability (ten times) from which matmuls run in the format; 0 = dequantised first
  std::string source;
};

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
  int max_zero_pp = 0;                       ///< highest ZeRO stage beside pipeline stages
  bool offload = false;
  int min_compute_capability = 0;            ///< NVIDIA, ten times (80 = 8.0)
  std::vector<FormatSupport> formats;        ///< formats with limits of their own; the others run wherever the software does
  std::string source, date, notes;
};

/// Whether the software runs on this GPU at all.
bool runs_on(const Software&, const Gpu&);
/// Whether it loads weights of this format on this GPU.
bool loads(const Software&, const Gpu&, const std::string& format);
/// Whether its matmuls run in this format on this GPU, rather than in 16 bits after dequantising.
bool computes_in(const Software&, const Gpu&, const std::string& format);

}  // namespace gpuplan
