#include "native/probe/fit_transfer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "native/probe/statistics.hpp"

namespace gpuplan::probe {
namespace {

using Points = std::vector<TransferPoint>;

struct Line {
  double alpha = 0.0, per_byte = 0.0;
  double error = std::numeric_limits<double>::infinity();  ///< sum of squared relative errors
  double at(double bytes) const { return alpha + per_byte * bytes; }
};

double squared_error(const Points& p, std::size_t first, std::size_t last, const Line& line) {
  double sum = 0.0;
  for (std::size_t i = first; i < last; ++i) {
    const double off = line.at(p[i].bytes) / p[i].seconds - 1.0;
    sum += off * off;
  }
  return sum;
}

/// One line through points [first, last), each weighed by 1/seconds²; neither latency nor slope may be negative.
Line fit_line(const Points& p, std::size_t first, std::size_t last) {
  double s1 = 0, sx = 0, sxx = 0, sy = 0, sxy = 0;
  for (std::size_t i = first; i < last; ++i) {
    const double w = 1.0 / (p[i].seconds * p[i].seconds), x = p[i].bytes, y = p[i].seconds;
    s1 += w, sx += w * x, sxx += w * x * x, sy += w * y, sxy += w * x * y;
  }
  const double det = s1 * sxx - sx * sx;
  std::vector<Line> candidates;
  if (det > 1e-12 * s1 * sxx) candidates.push_back({(sy * sxx - sx * sxy) / det, (s1 * sxy - sx * sy) / det, 0});
  if (sxx > 0) candidates.push_back({0.0, sxy / sxx, 0});
  candidates.push_back({sy / s1, 0.0, 0});
  Line best;
  for (Line& line : candidates) {
    if (line.alpha < 0 || line.per_byte < 0) continue;
    line.error = squared_error(p, first, last, line);
    if (line.error < best.error) best = line;
  }
  return best;
}

struct Pieces {
  std::vector<std::size_t> starts;  ///< index of each piece's first point
  double error = std::numeric_limits<double>::infinity();
};

/// Best split of points [first, end) into exactly `count` pieces of three points or more, by trying every first cut.
Pieces best_split(const Points& p, std::size_t first, int count) {
  if (count == 1) return {{first}, fit_line(p, first, p.size()).error};
  Pieces best;
  for (std::size_t cut = first + 3; cut + 3 * static_cast<std::size_t>(count - 1) <= p.size(); ++cut) {
    const double head = fit_line(p, first, cut).error;
    if (head >= best.error) continue;
    Pieces rest = best_split(p, cut, count - 1);
    if (head + rest.error < best.error) {
      rest.starts.insert(rest.starts.begin(), first);
      best = {std::move(rest.starts), head + rest.error};
    }
  }
  return best;
}

Pieces choose_split(const Points& p, int most) {
  Pieces chosen = best_split(p, 0, 1);
  for (int count = 2; count <= most && p.size() >= 3 * static_cast<std::size_t>(count); ++count) {
    const double rms = std::sqrt(chosen.error / static_cast<double>(p.size()));
    Pieces finer = best_split(p, 0, count);
    const double needed = std::pow(0.25, count - static_cast<double>(chosen.starts.size()));
    if (rms > 0.015 && finer.error < needed * chosen.error) chosen = std::move(finer);
  }
  return chosen;
}

struct Segment { double from; Line line; };

double held_error(const Points& p, std::size_t first, std::size_t last, const Segment& before, const Segment& next) {
  double sum = 0.0;
  for (std::size_t i = first; i < last; ++i) {
    const double off = (p[i].bytes >= next.from ? next : before).line.at(p[i].bytes) / p[i].seconds - 1.0;
    sum += off * off;
  }
  return sum;
}

/// Where two lines cross, −1 when they do not.
double crossing(const Line& a, const Line& b) {
  const double slope = a.per_byte - b.per_byte;
  return slope != 0.0 ? (b.alpha - a.alpha) / slope : -1.0;
}

/// Joins `next`, whose points are [cut, end), to the segment `before`, whose points begin at `first`, so that time never falls with size.
/// A next line that would start lower either takes over earlier, where the lines cross, or is lifted: whichever errs less.
Segment join(const Points& p, std::size_t first, std::size_t cut, std::size_t end, const Segment& before, const Line& next) {
  const double cross = crossing(before.line, next);
  const bool meets = cross > before.from && cross < p[cut].bytes && next.per_byte <= before.line.per_byte;
  const double meeting = next.per_byte > before.line.per_byte && cross > p[cut - 1].bytes && cross < p[cut].bytes ? cross : p[cut].bytes;
  Segment lifted{meeting, next};
  lifted.line.alpha += std::max(0.0, before.line.at(meeting) - next.at(meeting));
  if (!meets) return lifted;
  const Segment earlier{cross, next};
  return held_error(p, first, end, before, earlier) <= held_error(p, first, end, before, lifted) ? earlier : lifted;
}

double rms_error(const TransferFit& fit, const Points& p, double size_per_byte) {
  std::vector<double> errors;
  for (const TransferPoint& x : p) {
    const TransferSegment* held = &fit.segments.front();
    for (const TransferSegment& s : fit.segments) {
      if (s.from.value <= x.bytes * size_per_byte) held = &s;
    }
    errors.push_back(x.seconds / (held->latency + Bytes{x.bytes} / held->bandwidth).value - 1.0);
  }
  return root_mean_square(errors);
}

}  // namespace

TransferFit fit_transfer(Points p, int most_segments, double size_per_byte) {
  p.erase(std::remove_if(p.begin(), p.end(), [](const TransferPoint& x) { return !(x.seconds > 0.0) || !(x.bytes >= 0.0); }), p.end());
  std::sort(p.begin(), p.end(), [](const TransferPoint& a, const TransferPoint& b) { return a.bytes < b.bytes; });
  TransferFit out;
  if (p.empty()) return out;
  const std::vector<std::size_t> starts = choose_split(p, most_segments).starts;
  Segment held;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t end = i + 1 < starts.size() ? starts[i + 1] : p.size();
    const Line line = fit_line(p, starts[i], end);
    held = i == 0 ? Segment{0.0, line} : join(p, starts[i - 1], starts[i], end, held, line);
    const double bandwidth = std::clamp(held.line.per_byte > 0.0 ? 1.0 / held.line.per_byte : 1e18, 1.0, 1e18);
    out.segments.push_back({Bytes{std::ceil(held.from * size_per_byte)}, Seconds{held.line.alpha}, BytesPerSecond{bandwidth}});
  }
  out.fit_error_rms = rms_error(out, p, size_per_byte);
  return out;
}

}  // namespace gpuplan::probe
