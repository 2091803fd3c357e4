#include "core/view/format.hpp"

#include <limits>

#include <catch2/catch.hpp>

using namespace gpuplan;
using namespace gpuplan::literals;

TEST_CASE("about three significant digits, never a power of ten") {
  CHECK(significant(0) == "0");
  CHECK(significant(0.0302) == "0.0302");
  CHECK(significant(3.02) == "3.02");
  CHECK(significant(41.24) == "41.2");
  CHECK(significant(412.4) == "412");
  CHECK(significant(1240.4) == "1,240");
  CHECK(significant(12345678) == "12,345,678");
  CHECK(significant(-0.5) == "-0.500");
}

TEST_CASE("fixed places carry over, and extremes stay readable") {
  CHECK(fixed(0.999, 2) == "1.00");
  CHECK(fixed(1234.5, 1) == "1,234.5");
  CHECK(fixed(-0.001, 2) == "0.00");
  CHECK(fixed(1e30, 2) == "> 9,000,000,000,000,000");
  CHECK(fixed(std::numeric_limits<double>::quiet_NaN(), 2) == "?");
}

TEST_CASE("bytes are shown in binary units, money with its sign") {
  CHECK(bytes_text(80_GB).joined() == "74.5 GiB");
  CHECK(bytes_text(80_GiB).joined() == "80.0 GiB");
  CHECK(bytes_text(131072_B).joined() == "128 KiB");
  CHECK(gib(17.94_GiB) == "17.9");
  CHECK(money(0.44, "USD") == "$0.44");
  CHECK(money(0.0302, "USD") == "$0.030");
  CHECK(money(1240, "EUR") == "€1,240");
  CHECK(money(3.1, "CNY") == "¥3.10");
}

TEST_CASE("durations take the unit that suits") {
  Strings s;
  s.add("unit.minutes", "min");
  s.add("unit.hours", "h");
  s.add("unit.days", "days");
  CHECK(duration_text(Seconds{4.2e-6}, s).joined() == "4.20 µs");
  CHECK(duration_text(Seconds{0.0124}, s).joined() == "12.4 ms");
  CHECK(duration_text(Seconds{90}, s).joined() == "90.0 s");
  CHECK(duration_text(Seconds{600}, s).joined() == "10.0 min");
  CHECK(duration_text(Seconds{36000}, s).joined() == "10.0 h");
  CHECK(duration_text(Seconds{864000}, s).joined() == "10.0 days");
}

TEST_CASE("texts fill their places and show a gap") {
  Strings s;
  s.add("a", "{n} of {m}");
  CHECK(s.text("a", {{"n", "1"}, {"m", "2"}}) == "1 of 2");
  CHECK(s.text("a", {{"n", "1"}}) == "1 of {m}");
  CHECK(s.text("missing") == "missing");
}
