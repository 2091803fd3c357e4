#include "core/compute/generation.hpp"

#include <string_view>

namespace gpuplan {
namespace {

constexpr const char* names[] = {"pascal", "volta", "turing", "ampere", "ampere_gddr", "ada", "hopper", "blackwell", "blackwell_gddr",
                                 "cdna2", "cdna3", "cdna4", "rdna", "gaudi", "xe", "apple", "other"};
static_assert(sizeof names / sizeof *names == generation_count);

bool starts(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

Generation nvidia(const Gpu& gpu) {
  const std::string_view a = gpu.architecture;
  if (starts(a, "Hopper")) return Generation::hopper;
  if (starts(a, "Ampere")) return gpu.compute_capability_minor == 0 ? Generation::ampere : Generation::ampere_gddr;
  if (starts(a, "Ada")) return Generation::ada;
  if (starts(a, "Blackwell")) return gpu.compute_capability_major >= 12 ? Generation::blackwell_gddr : Generation::blackwell;
  if (starts(a, "Turing")) return Generation::turing;
  if (starts(a, "Volta")) return Generation::volta;
  if (starts(a, "Pascal")) return Generation::pascal;
  if (starts(a, "Rubin")) return Generation::blackwell;  // unmeasured: its nearest measured relative
  return Generation::other;
}

Generation amd(std::string_view a) {
  if (starts(a, "CDNA5") || starts(a, "CDNA4")) return Generation::cdna4;
  if (starts(a, "CDNA3")) return Generation::cdna3;
  return starts(a, "CDNA") ? Generation::cdna2 : Generation::rdna;
}

}  // namespace

const char* name(Generation g) { return names[static_cast<int>(g)]; }

Generation generation_of(const Gpu& gpu) {
  if (gpu.vendor == "NVIDIA") return nvidia(gpu);
  if (gpu.vendor == "AMD") return amd(gpu.architecture);
  if (gpu.vendor == "Apple") return Generation::apple;
  if (gpu.vendor == "Intel") return starts(gpu.architecture, "Gaudi") ? Generation::gaudi : Generation::xe;
  return Generation::other;
}

}  // namespace gpuplan
