#pragma once
/// Numbers as people read them. Rounding happens here and nowhere else; no locale, so every door prints the same.
#include <string>

#include "core/units.hpp"
#include "core/view/strings.hpp"

namespace gpuplan {

/// A number and its unit, apart: the unit is drawn small.
struct Text {
  std::string text, unit;
  std::string joined() const { return unit.empty() ? text : text + " " + unit; }
};

/// `decimals` places, thousands separated by commas: 1,240.5.
std::string fixed(double value, int decimals);
/// About `digits` significant digits, never in powers of ten: 412, 1,240, 0.0302.
std::string significant(double value, int digits = 3);
/// 0.412 → "41 %".
std::string percent(double fraction);

/// One decimal in GiB: "17.9".
std::string gib(Bytes);
/// The unit that suits: "7.62 GiB", "512 KiB".
Text bytes_text(Bytes);
/// Counts in thousands, millions, billions: "7.62 B", "131 k".
Text count_text(double);
/// Seconds as µs, ms, s, min, h, days.
Text duration_text(Seconds, const Strings&);
/// An amount in a currency: "$0.44", "¥3.10", "€1,240". Dollars below one carry a third digit.
std::string money(double amount, const std::string& currency);
/// A value with a unit of the explanation ("B", "s", "tokens", "B/s", "FLOP/s" …) in the size that suits.
Text value_text(double value, const std::string& unit, const Strings&);

}  // namespace gpuplan
