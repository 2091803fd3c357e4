#include "core/catalog/figures.hpp"
#include "core/catalog/names.hpp"

namespace gpuplan {

namespace {

template <int B, int F, int S, int D, int T, int P>
double read(const Quantity<B, F, S, D, T, P>& quantity) { return quantity.value; }
template <class What>
double read(const Count<What>& count) { return static_cast<double>(count.n); }
double read(double value) { return value; }
double read(int value) { return value; }

template <int B, int F, int S, int D, int T, int P>
void write(Quantity<B, F, S, D, T, P>& quantity, double value) { quantity.value = value; }
template <class What>
void write(Count<What>& count, double value) { count.n = static_cast<std::int64_t>(value); }
void write(double& to, double value) { to = value; }
void write(int& to, double value) { to = static_cast<int>(value); }

/// A figure that is the member `M` of a row.
template <class Row, auto M>
FigureColumn<Row> member(const char* key, const char* unit, double low, double high, bool required = false) {
  return {key, unit, low, high, required, [](const Row& row) { return read(row.*M); }, [](Row& row, double value) { write(row.*M, value); }};
}

template <Arithmetic A>
FigureColumn<Gpu> dense(const char* key, const char* unit) {
  return {key, unit, 1e9, 1e18, false, [](const Gpu& gpu) { return gpu.rate(A).value; },
          [](Gpu& gpu, double value) { gpu.dense[static_cast<std::size_t>(A)].value = value; }};
}

template <Arithmetic A>
FigureColumn<Gpu> matmul(const char* key) {
  return {key, "flop/s", 1e9, 1e18, false, [](const Gpu& gpu) { return gpu.measured_matmul[static_cast<std::size_t>(A)].value; },
          [](Gpu& gpu, double value) { gpu.measured_matmul[static_cast<std::size_t>(A)].value = value; }};
}

}  // namespace

const std::vector<FigureColumn<Gpu>>& gpu_figures() {
  using G = Gpu;
  static const std::vector<FigureColumn<Gpu>> figures = {
      member<G, &G::memory_advertised>("memory_advertised_bytes", "B", 1e8, 1e13, true),
      member<G, &G::memory_usable>("memory_usable_bytes", "B", 1e8, 1e13, true),
      member<G, &G::memory_bandwidth>("memory_bandwidth_bytes_per_second", "B/s", 1e9, 1e15),
      dense<Arithmetic::fp64>("fp64_dense_flops_per_second", "flop/s"),
      dense<Arithmetic::fp32>("fp32_dense_flops_per_second", "flop/s"),
      dense<Arithmetic::tf32>("tf32_dense_flops_per_second", "flop/s"),
      dense<Arithmetic::fp16>("fp16_dense_flops_per_second", "flop/s"),
      dense<Arithmetic::bf16>("bf16_dense_flops_per_second", "flop/s"),
      dense<Arithmetic::fp8>("fp8_dense_flops_per_second", "flop/s"),
      dense<Arithmetic::fp6>("fp6_dense_flops_per_second", "flop/s"),
      dense<Arithmetic::fp4>("fp4_dense_flops_per_second", "flop/s"),
      dense<Arithmetic::int8>("int8_dense_ops_per_second", "ops/s"),
      dense<Arithmetic::int4>("int4_dense_ops_per_second", "ops/s"),
      matmul<Arithmetic::bf16>("bf16_measured_matmul_flops_per_second"),
      matmul<Arithmetic::fp8>("fp8_measured_matmul_flops_per_second"),
      member<G, &G::scale_up_each_way>("scale_up_bytes_per_second_per_gpu_each_way", "B/s", 1e9, 1e14),
      member<G, &G::scale_up_max>("scale_up_max_gpus", "GPUs", 1, 100000, true),
      member<G, &G::pcie_each_way>("pcie_bytes_per_second_each_way", "B/s", 1e8, 1e13),
      member<G, &G::tdp_watts>("tdp_watts", "W", 1, 10000),
  };
  return figures;
}

const std::vector<FigureColumn<Instance>>& instance_figures() {
  using I = Instance;
  static const std::vector<FigureColumn<Instance>> figures = {
      member<I, &I::gpus>("gpus", "GPUs", 1, 1024, true),
      member<I, &I::vcpus>("vcpus", "", 1, 4096),
      member<I, &I::host_memory>("host_memory_bytes", "B", 1e8, 1e14),
      member<I, &I::scale_up_domain>("scale_up_domain_gpus", "GPUs", 1, 100000, true),
      member<I, &I::scale_up_each_way>("scale_up_bytes_per_second_per_gpu_each_way", "B/s", 1e8, 1e14),
      member<I, &I::pcie_each_way>("pcie_bytes_per_second_each_way", "B/s", 1e8, 1e13),
      member<I, &I::nics_per_node>("nics_per_node", "", 0, 256),
      member<I, &I::scale_out_per_node_each_way>("scale_out_bytes_per_second_per_node_each_way", "B/s", 1e6, 1e13),
  };
  return figures;
}

const char* kind_name(char letter) {
  switch (letter) {
    case 'd': return "datasheet";
    case 'm': return "measured";
    case 'r': return "derived";
    case 'a': return "assumed";
    default: return "";
  }
}

std::string source_of(const Catalog& catalog, char letter, const std::string& key, const std::string& row_sources) {
  const KindSource* any = nullptr;
  for (const KindSource& entry : catalog.kind_sources) {
    if (entry.kind != letter) continue;
    if (entry.figure == key) return entry.source;
    if (entry.figure.empty()) any = &entry;
  }
  return any != nullptr ? any->source : row_sources;
}

std::string date_of(const Catalog& catalog, const std::string& sources) {
  std::string newest;
  for (const std::string& word : words_of(sources)) {
    for (const auto& [key, date] : catalog.source_dates) {
      if (key == word && date > newest) newest = date;
    }
  }
  return newest;
}

}  // namespace gpuplan
