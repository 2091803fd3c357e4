#pragma once
/// The catalog that ships, loaded once for the tests of this folder.
#include "core/assets.hpp"
#include "core/catalog/catalog.hpp"

namespace gpuplan {

inline Result<Catalog> load_shipped() {
  return load_catalog(embedded_asset("gpus"), embedded_asset("instances"), embedded_asset("software"));
}

inline const Catalog& shipped() {
  static const Catalog catalog = *load_shipped();
  return catalog;
}

inline const Gpu& gpu(const char* name) { return shipped().gpus[static_cast<std::size_t>(*find_gpu(shipped(), name, ""))]; }
inline const Instance& offer(const char* id) { return shipped().instances[static_cast<std::size_t>(*find_instance(shipped(), id, ""))]; }

}  // namespace gpuplan
