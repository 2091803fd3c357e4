#pragma once
/// Robust statistics of repeated timings.
#include <vector>

namespace gpuplan::probe {

/// Value below which the share `q` (0…1) of the values lies, straight lines between neighbours; 0 for an empty list.
double quantile(std::vector<double> values, double q);
inline double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }
/// Interquartile range ÷ 1.349 ÷ median: the relative standard deviation of a normal distribution, blind to outliers.
double spread(const std::vector<double>& values);
/// Relative standard error of the median: 1.2533 × spread ÷ √n.
double median_error(const std::vector<double>& values);
/// Root mean square of the values.
double root_mean_square(const std::vector<double>& values);
/// Rounded to `digits` significant decimal digits.
double significant(double value, int digits);

}  // namespace gpuplan::probe
