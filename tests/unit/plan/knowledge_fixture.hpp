#pragma once
/// The shipped knowledge, read once for all tests of the planner and the protocol.
#include <catch2/catch.hpp>

#include "core/api/context.hpp"

inline const gpuplan::Context& shipped_context() {
  static const gpuplan::Context context = [] {
    auto made = gpuplan::make_context();
    REQUIRE(made);
    return *std::move(made);
  }();
  return context;
}
