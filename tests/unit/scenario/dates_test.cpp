#include <catch2/catch.hpp>

#include "core/scenario/resolve.hpp"

using namespace gpuplan;

TEST_CASE("days between dates follow the calendar") {
  CHECK(days_between("2026-11-09", "2026-12-01") == 22);
  CHECK(days_between("2024-02-28", "2024-03-01") == 2);  // leap year
  CHECK(days_between("2023-02-28", "2023-03-01") == 1);
  CHECK(days_between("2025-12-31", "2026-01-01") == 1);
  CHECK(days_between("2026-12-01", "2026-11-09") == -22);
  CHECK_FALSE(days_between("", "2026-12-01"));
  CHECK_FALSE(days_between("2026-13-01", "2026-12-01"));
  CHECK_FALSE(days_between("2026-1-01", "2026-12-01"));
}
