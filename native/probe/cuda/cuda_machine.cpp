#include "native/probe/cuda/cuda_machine.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include <unistd.h>

#include "native/probe/cuda/nvml.hpp"
#include "native/probe/cuda/works.hpp"
#ifdef GPUPLAN_PROBE_NCCL
#include "native/probe/cuda/communicators.hpp"
#endif

namespace gpuplan::probe {
namespace {

constexpr double join_timeout_seconds = 120.0;

std::string version(int cuda) { return std::to_string(cuda / 1000) + "." + std::to_string(cuda / 10 % 100); }

/// "13.0.2" of 130002 (since cuBLASLt 12: major·10000 + minor·100 + patch).
std::string cublaslt_version() {
  const std::size_t v = cublasLtGetVersion();
  return std::to_string(v / 10000) + "." + std::to_string(v / 100 % 100) + "." + std::to_string(v % 100);
}

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess ? value : 0;
}

class CudaMachine : public Machine {
 public:
  CudaMachine(int device, int devices, const World& world) : devices_(devices), world_(world) { board_.device = device; }
  CudaMachine(const CudaMachine&) = delete;
  CudaMachine& operator=(const CudaMachine&) = delete;
  ~CudaMachine() override;

  Trouble open();
  Outcome<double> allocatable() const;
  Outcome<Facts> facts() override;
  Outcome<double> usable_bytes() override { return usable_ ? *usable_ : allocatable(); }
  Health health() override { return nvml_->health(); }
  Identity identity() override;
  std::string cannot(const Work&) override;
  Outcome<std::unique_ptr<Prepared>> prepare(const Work&) override;
  double now() override { return seconds_since(start_); }
  double agree(double value) override;

 private:
  std::string cannot_peer(const PeerCopyWork&) const;
  std::string cannot_collective(const CollectiveWork&) const;
  bool mixed() const;

  Board board_;
  int devices_;
  World world_;
  cudaDeviceProp properties_{};
  cublasLtHandle_t products_ = nullptr;
  std::unique_ptr<Nvml> nvml_;
  std::optional<Outcome<double>> usable_;
#ifdef GPUPLAN_PROBE_NCCL
  std::unique_ptr<Communicators> communicators_;
#endif
  HostClock::time_point start_ = HostClock::now();
};

CudaMachine::~CudaMachine() {
  if (device_hangs()) {
#ifdef GPUPLAN_PROBE_NCCL
    (void)communicators_.release();  // its destructor would wait for a device that does not answer
#endif
    return;
  }
#ifdef GPUPLAN_PROBE_NCCL
  communicators_.reset();
#endif
  if (products_ != nullptr) cublasLtDestroy(products_);
  if (board_.stream != nullptr) cudaStreamDestroy(board_.stream);
  if (board_.hold_flag != nullptr) cudaFreeHost(board_.hold_flag);
}

Trouble CudaMachine::open() {
  if (Trouble t = check(cudaSetDevice(board_.device), "the GPU")) return t;
  if (Trouble t = check(cudaGetDeviceProperties(&properties_, board_.device), "the GPU")) return t;
  board_.l2_bytes = static_cast<std::size_t>(properties_.l2CacheSize);
  char bus_id[32] = "";
  cudaDeviceGetPCIBusId(bus_id, sizeof bus_id, board_.device);
  nvml_ = std::make_unique<Nvml>(bus_id);
  if (Trouble t = check(cudaStreamCreateWithFlags(&board_.stream, cudaStreamNonBlocking), "stream")) return t;
  void* flag = nullptr;
  if (Trouble t = check(cudaHostAlloc(&flag, 64, cudaHostAllocPortable | cudaHostAllocMapped), "pinned host memory")) return t;
  board_.hold_flag = static_cast<int*>(flag);
  if (world_.size > 1) usable_ = allocatable();  // before NCCL takes its share
  if (Trouble t = check(cublasLtCreate(&products_), "cuBLASLt")) return t;
#ifdef GPUPLAN_PROBE_NCCL
  communicators_ = std::make_unique<Communicators>(board_, world_);
  return communicators_->join(join_timeout_seconds);
#else
  if (world_.size > 1) return Failure{Fault::failed, "this build has no NCCL, so it cannot measure many processes together; use --alone"};
  return {};
#endif
}

bool CudaMachine::mixed() const {
  for (int i = 0; i < devices_; ++i) {
    cudaDeviceProp other{};
    if (cudaGetDeviceProperties(&other, i) == cudaSuccess && std::string(other.name) != properties_.name) return true;
  }
  return false;
}

Outcome<Facts> CudaMachine::facts() {
  Facts f;
  f.device = board_.device;
  f.gpu.name = properties_.name;
  f.gpu.compute_capability_major = properties_.major;
  f.gpu.compute_capability_minor = properties_.minor;
  f.gpu.multiprocessors = properties_.multiProcessorCount;
  f.gpu.memory_total = Bytes{static_cast<double>(properties_.totalGlobalMem)};
  f.gpu.l2_cache = Bytes{static_cast<double>(properties_.l2CacheSize)};
  f.gpu.sm_clock_max_hz = attribute(cudaDevAttrClockRate, board_.device) * 1e3;
  f.machine.gpus_per_node = Gpus{world_.size > 1 ? world_.local_size : devices_};
  f.machine.nodes = Nodes{world_.nodes()};
  int runtime = 0, driver = 0;
  cudaRuntimeGetVersion(&runtime);
  cudaDriverGetVersion(&driver);
  f.machine.cuda_runtime = version(runtime);
  f.machine.driver = "CUDA " + version(driver);  // until the management library says the driver's own number
  f.machine.cublaslt = cublaslt_version();
#ifdef GPUPLAN_PROBE_NCCL
  f.machine.nccl = nccl_version();
#endif
  f.mixed_gpus = mixed();
  nvml_->describe(f);
  return f;
}

/// What the driver calls free cannot all be had in one piece: less and less is asked for until it is given.
Outcome<double> CudaMachine::allocatable() const {
  constexpr std::size_t step = 16u << 20;
  std::size_t free = 0, total = 0;
  if (Trouble t = check(cudaMemGetInfo(&free, &total), "memory")) return *t;
  for (std::size_t bytes = free / step * step; bytes > free / 2; bytes -= step) {
    Buffer all;
    const Trouble t = all.allocate(bytes);
    if (!t) return static_cast<double>(bytes);
    if (t->fault != Fault::out_of_memory) return *t;
  }
  return Failure{Fault::out_of_memory, "not even half of the free memory can be allocated"};
}

Identity CudaMachine::identity() {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  const char* user = std::getenv("USER");
  Identity id{host, user != nullptr ? user : "", {}, {}};
  if (const std::string uuid = nvml_->uuid(); !uuid.empty()) id.gpu_uuids.push_back(uuid);
  if (const std::string serial = nvml_->serial(); !serial.empty()) id.gpu_serials.push_back(serial);
  return id;
}

std::string CudaMachine::cannot_peer(const PeerCopyWork& w) const {
  if (w.from >= devices_ || w.to >= devices_) return "this process does not see all GPUs of the node";
  int can = 0;
  if (w.direct && (cudaDeviceCanAccessPeer(&can, w.from, w.to) != cudaSuccess || can == 0)) return "no peer access";
  return "";
}

std::string CudaMachine::cannot_collective(const CollectiveWork& w) const {
#ifdef GPUPLAN_PROBE_NCCL
  const int available = world_.size > 1 ? world_.size : devices_;
  return w.ranks <= available ? "" : "fewer GPUs than the collective needs";
#else
  (void)w;
  return "built without NCCL";
#endif
}

std::string CudaMachine::cannot(const Work& work) {
  const int capability = properties_.major * 10 + properties_.minor;
  if (const auto* w = std::get_if<GemmWork>(&work)) return no_gemm(w->type, capability);
  if (const auto* w = std::get_if<PeerCopyWork>(&work)) return cannot_peer(*w);
  if (const auto* w = std::get_if<CollectiveWork>(&work)) return cannot_collective(*w);
  return "";
}

Outcome<std::unique_ptr<Prepared>> CudaMachine::prepare(const Work& work) {
  if (Trouble t = check(cudaSetDevice(board_.device), "the GPU")) return *t;
  if (const auto* w = std::get_if<MemoryWork>(&work)) return prepare_memory(board_, *w);
  if (const auto* w = std::get_if<GemmWork>(&work)) return prepare_gemm(board_, products_, *w);
  if (const auto* w = std::get_if<AttentionWork>(&work)) return prepare_attention(board_, products_, *w);
  if (const auto* w = std::get_if<DequantiseWork>(&work)) return prepare_dequantise(board_, products_, *w);
  if (const auto* w = std::get_if<LaunchWork>(&work)) return prepare_launch(board_, *w);
  if (const auto* w = std::get_if<HostCopyWork>(&work)) return prepare_host_copy(board_, *w);
  if (const auto* w = std::get_if<PeerCopyWork>(&work)) return prepare_peer_copy(board_, *w);
#ifdef GPUPLAN_PROBE_NCCL
  if (const auto* w = std::get_if<CollectiveWork>(&work)) return prepare_collective(board_, *communicators_, *w);
#endif
  return Failure{Fault::unsupported, "built without NCCL"};
}

double CudaMachine::agree(double value) {
#ifdef GPUPLAN_PROBE_NCCL
  return communicators_->agree(value);
#else
  return value;
#endif
}

}  // namespace

Outcome<std::unique_ptr<Machine>> open_cuda_machine(const OpenRequest& request) {
  int devices = 0;
  if (Trouble t = check(cudaGetDeviceCount(&devices), "no usable NVIDIA GPU")) return *t;
  if (devices == 0) return Failure{Fault::failed, "no NVIDIA GPU was found"};
  const int device = request.device >= 0 ? request.device : request.world.local_rank % devices;
  if (device >= devices) return Failure{Fault::failed, "there is no device " + std::to_string(device) + "; this machine has " + std::to_string(devices)};
  auto machine = std::make_unique<CudaMachine>(device, devices, request.world);
  if (Trouble t = machine->open()) return *t;
  return std::unique_ptr<Machine>(std::move(machine));
}

}  // namespace gpuplan::probe
