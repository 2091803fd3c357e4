#include "core/view/format.hpp"

#include <cmath>
#include <cstdint>

namespace gpuplan {
namespace {

constexpr double tens[] = {1.0, 10.0, 100.0, 1000.0, 10000.0, 100000.0, 1000000.0, 10000000.0, 100000000.0, 1000000000.0};
constexpr int max_decimals = 9;
constexpr double largest = 9e15;  // whole numbers beyond are not exact

std::string grouped(std::uint64_t whole) {
  std::string digits = std::to_string(whole);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

struct Scale { double size; const char* unit; };

template <std::size_t N>
Text scaled(double value, const Scale (&scales)[N]) {
  const double size = std::fabs(value);
  for (const Scale& s : scales) {
    if (size >= s.size * 0.9995) return {significant(value / s.size), s.unit};
  }
  return {significant(value / scales[N - 1].size), scales[N - 1].unit};
}

constexpr Scale byte_scales[] = {{1099511627776.0, "TiB"}, {1073741824.0, "GiB"}, {1048576.0, "MiB"}, {1024.0, "KiB"}, {1.0, "B"}};
constexpr Scale rate_scales[] = {{1e12, "TB/s"}, {1e9, "GB/s"}, {1e6, "MB/s"}, {1e3, "kB/s"}, {1.0, "B/s"}};
constexpr Scale flops_scales[] = {{1e18, "EFLOP"}, {1e15, "PFLOP"}, {1e12, "TFLOP"}, {1e9, "GFLOP"}, {1e6, "MFLOP"}, {1.0, "FLOP"}};
constexpr Scale flops_rate_scales[] = {{1e15, "PFLOP/s"}, {1e12, "TFLOP/s"}, {1e9, "GFLOP/s"}, {1.0, "FLOP/s"}};
constexpr Scale count_scales[] = {{1e12, "T"}, {1e9, "B"}, {1e6, "M"}, {1e3, "k"}, {1.0, ""}};

}  // namespace

std::string fixed(double value, int decimals) {
  if (!(value == value)) return "?";
  if (std::fabs(value) > largest) return value > 0 ? "> 9,000,000,000,000,000" : "< -9,000,000,000,000,000";
  const int places = decimals < 0 ? 0 : decimals > max_decimals ? max_decimals : decimals;
  const double size = std::fabs(value);
  auto whole = static_cast<std::uint64_t>(size);
  auto rest = static_cast<std::uint64_t>((size - static_cast<double>(whole)) * tens[places] + 0.5);
  if (rest >= static_cast<std::uint64_t>(tens[places])) {
    ++whole;
    rest = 0;
  }
  std::string out = value < 0 && (whole > 0 || rest > 0) ? "-" : "";
  out += grouped(whole);
  if (places == 0) return out;
  const std::string digits = std::to_string(rest);
  return out + "." + std::string(static_cast<std::size_t>(places) - digits.size(), '0') + digits;
}

std::string significant(double value, int digits) {
  if (value == 0.0) return "0";
  const double size = std::fabs(value);
  int before = 1;  // digits in front of the decimal point; negative counts zeros behind it
  while (before < 16 && size >= (before <= 9 ? tens[before] : tens[9] * tens[before - 9])) ++before;
  while (before > -8 && size * tens[1 - (before < 1 ? before : 1)] < 1.0 && before < 2) --before;
  return fixed(value, digits - before);
}

std::string percent(double fraction) { return fixed(fraction * 100.0, 0) + " %"; }

std::string gib(Bytes b) { return fixed(b.value / 1073741824.0, 1); }

Text bytes_text(Bytes b) { return b.value == 0.0 ? Text{"0", "B"} : scaled(b.value, byte_scales); }

Text count_text(double n) { return scaled(n, count_scales); }

Text duration_text(Seconds s, const Strings& strings) {
  constexpr double minute = 60.0, hour = 3600.0, day = 86400.0;
  if (s.value == 0.0) return {"0", "s"};
  if (s.value < 1e-3) return {significant(s.value * 1e6), "µs"};
  if (s.value < 1.0) return {significant(s.value * 1e3), "ms"};
  if (s.value < 2 * minute) return {significant(s.value), "s"};
  if (s.value < 2 * hour) return {significant(s.value / minute), strings.text("unit.minutes")};
  if (s.value < 2 * day) return {significant(s.value / hour), strings.text("unit.hours")};
  return {significant(s.value / day), strings.text("unit.days")};
}

std::string money(double amount, const std::string& currency) {
  const std::string sign = currency == "USD" ? "$" : currency == "CNY" ? "¥" : currency == "EUR" ? "€" : currency + " ";
  const int decimals = amount >= 1000.0 ? 0 : amount >= 0.1 ? 2 : amount >= 0.01 ? 3 : 4;
  return sign + fixed(amount, decimals);
}

Text value_text(double value, const std::string& unit, const Strings& strings) {
  if (unit == "B") return bytes_text(Bytes{value});
  if (unit == "s") return duration_text(Seconds{value}, strings);
  if (unit == "B/s") return scaled(value, rate_scales);
  if (unit == "FLOP") return scaled(value, flops_scales);
  if (unit == "FLOP/s") return scaled(value, flops_rate_scales);
  if (std::fabs(value) == std::floor(std::fabs(value)) && std::fabs(value) < 1e7) return {fixed(value, 0), unit};
  if (std::fabs(value) >= 1e7) {
    const Text t = count_text(value);
    return {t.text, unit.empty() ? t.unit : t.unit + " " + unit};
  }
  return {significant(value, 4), unit};
}

}  // namespace gpuplan
