#pragma once
/// One line on a terminal that says how far the run is; silent where the output is no terminal.
#include <string>

namespace gpuplan::probe {

class ProgressLine {
 public:
  explicit ProgressLine(bool shown) : shown_(shown) {}
  ~ProgressLine() { clear(); }
  /// `done` 0…1; `seconds_left` by estimate.
  void show(double done, const std::string& what, double seconds_left);
  void clear();

 private:
  bool shown_, drawn_ = false;
};

/// "[#####.....]  50 %  gemm-bf16  0:48 left"
std::string progress_text(double done, const std::string& what, double seconds_left);

}  // namespace gpuplan::probe
