#include "native/probe/statistics.hpp"

#include <catch2/catch.hpp>

using namespace gpuplan::probe;

TEST_CASE("a quantile lies between its neighbours") {
  CHECK(quantile({4, 1, 3, 2}, 0.5) == 2.5);
  CHECK(quantile({1, 2, 3, 4, 5}, 0.25) == 2.0);
  CHECK(quantile({7}, 0.9) == 7.0);
  CHECK(quantile({}, 0.5) == 0.0);
}

TEST_CASE("one wild sample in nine moves neither median nor spread") {
  const std::vector<double> calm{10, 10.1, 9.9, 10.05, 9.95, 10, 10.1, 9.9, 10}, wild{10, 10.1, 9.9, 10.05, 9.95, 10, 10.1, 9.9, 900};
  CHECK(median(wild) == Approx(median(calm)).epsilon(0.01));
  CHECK(spread(wild) < 0.02);
}

TEST_CASE("the median's error falls with the number of samples") {
  CHECK(median_error({1, 2, 3, 4}) > median_error({1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4}));
  CHECK(median_error({}) == 1.0);
  CHECK(median_error({5, 5, 5}) == 0.0);
}

TEST_CASE("significant digits") {
  CHECK(significant(123456.0, 3) == 123000.0);
  CHECK(significant(1.23456e-6, 4) == 1.235e-6);
  CHECK(significant(0.0, 4) == 0.0);
}
