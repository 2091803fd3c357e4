#include "native/probe/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace gpuplan::probe {

double quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0.0;
  std::sort(values.begin(), values.end());
  const double place = q * static_cast<double>(values.size() - 1);
  const std::size_t below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

double spread(const std::vector<double>& values) {
  const double middle = quantile(values, 0.5);
  return middle > 0.0 ? (quantile(values, 0.75) - quantile(values, 0.25)) / 1.349 / middle : 0.0;
}

double median_error(const std::vector<double>& values) {
  return values.empty() ? 1.0 : 1.2533 * spread(values) / std::sqrt(static_cast<double>(values.size()));
}

double root_mean_square(const std::vector<double>& values) {
  double sum = 0.0;
  for (double v : values) sum += v * v;
  return values.empty() ? 0.0 : std::sqrt(sum / static_cast<double>(values.size()));
}

double significant(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*e", digits - 1, value);
  return std::strtod(text, nullptr);
}

}  // namespace gpuplan::probe
