#pragma once
/// The model catalog of the repository, read once.
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "core/model/models.hpp"
#include "core/model/tensors.hpp"

namespace gpuplan {

inline std::string file_text(const std::string& path) {
  std::ifstream file(std::string(GPUPLAN_SOURCE_DIR "/") + path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline const Models& model_catalog() {
  static const Models models = [] {
    Result<Models> read = load_models(file_text("assets/models.json"));
    if (!read) throw std::runtime_error(read.problem().message);
    return *std::move(read);
  }();
  return models;
}

inline const Architecture& model(std::string_view id) {
  const Result<ModelMatch> match = find_model(model_catalog(), id, "/model/id");
  if (!match) throw std::runtime_error(match.problem().message);
  return model_catalog().all[static_cast<std::size_t>(match->index)];
}

}  // namespace gpuplan
