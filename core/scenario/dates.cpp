#include "core/scenario/resolve.hpp"

namespace gpuplan {
namespace {

struct Date { long year = 0; unsigned month = 0, day = 0; };

std::optional<Date> parse_date(const std::string& text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto number = [&](std::size_t from, std::size_t count) {
    long v = 0;
    for (std::size_t i = from; i < from + count; ++i) {
      if (text[i] < '0' || text[i] > '9') return -1L;
      v = v * 10 + (text[i] - '0');
    }
    return v;
  };
  const long y = number(0, 4), m = number(5, 2), d = number(8, 2);
  if (y < 0 || m < 1 || m > 12 || d < 1 || d > 31) return std::nullopt;
  return Date{y, static_cast<unsigned>(m), static_cast<unsigned>(d)};
}

/// Days since 1970-01-01 (civil calendar; Howard Hinnant, chrono-compatible low-level date algorithms).
long days_from_civil(Date date) {
  const long y = date.year - (date.month <= 2);
  const long era = y / 400;
  const long year_of_era = y - era * 400;
  const long month = static_cast<long>(date.month) + (date.month > 2 ? -3 : 9);
  const long day_of_year = (153 * month + 2) / 5 + static_cast<long>(date.day) - 1;
  const long day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

}  // namespace

std::optional<long> days_between(const std::string& from, const std::string& to) {
  const auto a = parse_date(from), b = parse_date(to);
  if (!a || !b) return std::nullopt;
  return days_from_civil(*b) - days_from_civil(*a);
}

}  // namespace gpuplan
