#include "core/catalog/software.hpp"

#include <algorithm>

#include "core/catalog/gpu.hpp"

namespace gpuplan {

namespace {

bool holds(const std::vector<std::string>& all, const std::string& one) { return std::find(all.begin(), all.end(), one) != all.end(); }

/// A GPU that a person described has no compute capability: it is taken at its word.
bool reaches(const Gpu& gpu, int compute_capability) {
  const int own = gpu.compute_capability_major * 10 + gpu.compute_capability_minor;
  return gpu.vendor != "NVIDIA" || own == 0 || own >= compute_capability;
}

const FormatSupport* support_of(const Software& software, const std::string& format) {
  for (const FormatSupport& each : software.formats) {
    if (each.format == format) return &each;
  }
  return nullptr;
}

/// The arithmetic that a format's matmuls would run in.
Arithmetic arithmetic_of(const std::string& format) {
  if (format == "fp8") return Arithmetic::fp8;
  if (format == "int8") return Arithmetic::int8;
  return Arithmetic::fp4;
}

}  // namespace

bool runs_on(const Software& software, const Gpu& gpu) {
  return holds(software.vendors, gpu.vendor) && reaches(gpu, software.min_compute_capability);
}

bool loads(const Software& software, const Gpu& gpu, const std::string& format) {
  if (!runs_on(software, gpu) || !holds(software.weight_formats, format)) return false;
  const FormatSupport* limits = support_of(software, format);
  return limits == nullptr || (holds(limits->vendors, gpu.vendor) && reaches(gpu, limits->min_compute_capability));
}

bool computes_in(const Software& software, const Gpu& gpu, const std::string& format) {
  const FormatSupport* limits = support_of(software, format);
  return loads(software, gpu, format) && limits != nullptr && limits->computes_from > 0 && reaches(gpu, limits->computes_from) &&
         gpu.has(arithmetic_of(format));
}

}  // namespace gpuplan
