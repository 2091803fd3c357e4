#include "core/api/abi.hpp"

#include <new>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/api/call.hpp"

namespace {

/// The only state of the module: the catalogs, read on the first request, and the last response.
struct Door {
  const gpuplan::Result<gpuplan::Context> context = gpuplan::make_context();
  std::string response;
};

Door& door() {
  static Door opened;
  return opened;
}

}  // namespace

char* gpuplan_allocate(std::size_t size) { return new (std::nothrow) char[size]; }
void gpuplan_free(char* bytes) { delete[] bytes; }

std::size_t gpuplan_call(const char* request, std::size_t size) {
  Door& d = door();
  d.response = d.context ? gpuplan::call(*d.context, std::string_view{request, size}) : gpuplan::dump(gpuplan::error_object(d.context.problem()));
  return d.response.size();
}

const char* gpuplan_response() { return door().response.data(); }
