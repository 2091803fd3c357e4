#pragma once
/// A measured profile: what gpuplan-probe found on a real machine, as the few numbers that the time and memory model use in place of the
/// datasheet and of fitted surfaces. File format: assets/schema/profile.schema.json; how each number is measured: native/probe/README.md.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/catalog/gpu.hpp"
#include "core/counts.hpp"
#include "core/result.hpp"
#include "core/units.hpp"

namespace gpuplan {

/// One straight piece of a time-against-size line: from this size on, t = latency + bytes / bandwidth.
struct TransferSegment {
  Bytes from;                ///< the segment holds from this size to the next segment's; the first one's is 0
  Seconds latency;           ///< may be 0; α of the segment
  BytesPerSecond bandwidth;  ///< β of the segment: for collectives the bus bandwidth, elsewhere the bytes moved per second
};

/// A fitted line of at most four segments, sorted by `from`.
struct TransferFit {
  std::vector<TransferSegment> segments;
  double fit_error_rms = 0.0;  ///< root mean square of (measured ÷ fitted − 1) over the measured sizes
};

enum class MemoryOperation { read, write, copy, triad };
enum class HostDirection { to_device, from_device, both_ways };
enum class Collective { all_reduce, all_gather, reduce_scatter, all_to_all, send_recv };

/// Device memory: bytes moved (copy counts read + write, triad two reads + one write) against the bytes that the operation touches.
struct MemoryFit { MemoryOperation operation = MemoryOperation::read; TransferFit fit; };
/// Host ↔ device copies; both_ways counts the bytes of the two directions together.
struct HostFit { HostDirection direction = HostDirection::to_device; bool pinned = true; TransferFit fit; };
/// Copies between two GPUs, one direction; pairs whose figures agree share an entry. Pairs are (from, to) device numbers.
struct PeerFit { bool direct = false; std::vector<std::pair<int, int>> pairs; TransferFit fit; };
/// One collective over `ranks` GPUs on `nodes` nodes. Sizes are nccl-tests sizes, see collective_bus_factor.
struct CollectiveFit { Collective kind = Collective::all_reduce; Gpus ranks{2}; Nodes nodes{1}; TransferFit fit; };

/// Measured rates of one weight shape N × K over GemmSurface::m; 0 = not measured.
struct GemmShape { std::int64_t n = 0, k = 0; std::vector<FlopsPerSecond> rates; };

/// Dense matrix products C[M,N] = A[M,K] · B[N,K]ᵀ of one type [M-profile-gemm]:
/// t = fixed + max(gemm_bytes / operand_bandwidth, 2·N·K·(M + half_rate_m) / ceiling). The table shows how far these four are off, shape by
/// shape; estimates take the four alone, so that a profile in a link, which has no table, gives what its file gives.
struct GemmSurface {
  Arithmetic type = Arithmetic::bf16;
  Seconds fixed;                     ///< per call, what is left at zero work
  BytesPerSecond operand_bandwidth;  ///< small-M limit: operands streamed from memory
  FlopsPerSecond ceiling;            ///< large-M limit
  double half_rate_m = 0.0;          ///< rows M at which the compute-bound rate is half of the ceiling
  double fit_error_rms = 0.0;        ///< of the four numbers alone, without the table
  std::vector<std::int64_t> m;       ///< ascending; empty when the profile travels without its table
  std::vector<GemmShape> shapes;
};

/// Attention-like batched products without fusion: prefill is QKᵀ and PV at long sequence, decode one query against a long cache.
struct AttentionFit { Arithmetic type = Arithmetic::bf16; FlopsPerSecond prefill; BytesPerSecond decode; double fit_error_rms = 0.0; };

/// 4-bit weights expanded to 16 bits (group-wise scales), then an ordinary product.
struct DequantiseFit { bool measured = false; double params_per_second = 0.0; std::int64_t group_size = 128; double sum_rule_error = 0.0; };

/// Times of an empty kernel; 0 = not measured.
struct LaunchFit {
  Seconds kernel_enqueue;     ///< host time per launch when launches are queued back to back
  Seconds kernel_round_trip;  ///< one launch and the wait for it
  Seconds graph_launch;       ///< fixed time per graph launch
  Seconds graph_kernel;       ///< added by each kernel node in a graph
};

struct MeasuredGpu {
  std::string name;                ///< as the driver says it, "NVIDIA H200"
  std::string id;                  ///< catalog id when the person gave one, else ""
  int compute_capability_major = 0, compute_capability_minor = 0;
  std::int64_t multiprocessors = 0;
  Bytes memory_total, memory_usable;  ///< as the driver reports; usable = what an empty process can allocate beside its context
  Bytes l2_cache;
  double sm_clock_max_hz = 0.0, power_limit_watts = 0.0;  ///< 0 = unknown
  int ecc = -1, mig = -1;             ///< 1 on, 0 off, −1 unknown
};

struct MeasuredMachine {
  Gpus gpus_per_node{1};
  Nodes nodes{1};
  std::int64_t pcie_generation = 0, pcie_lanes = 0;  ///< 0 = unknown
  std::string driver, cuda_runtime, cublaslt, nccl;  ///< versions, "" = unknown or absent
};

enum class MeasurementStatus { measured, skipped, failed };
struct Measurement { std::string key; MeasurementStatus status = MeasurementStatus::measured; std::string reason; };
/// What the probe noticed, for example code "throttled-power" or "other-process".
struct ProfileNote { std::string code, detail; };
/// Only there when the person asked for it (--identify).
struct Identity { std::string host, user; std::vector<std::string> gpu_uuids, gpu_serials; };

struct Profile {
  int version = 1;
  std::string tool, measured_on, effort;  ///< ISO date; effort is quick, default or thorough
  bool complete = true;                   ///< false when it was interrupted or ran out of time
  MeasuredGpu gpu;
  MeasuredMachine machine;
  std::vector<MemoryFit> memory;
  std::vector<GemmSurface> gemm;          ///< at most one per type
  std::vector<AttentionFit> attention;
  DequantiseFit dequantise;
  LaunchFit launch;
  std::vector<HostFit> host;
  std::vector<PeerFit> peer;
  std::vector<CollectiveFit> collectives;
  std::vector<Measurement> measurements;
  std::vector<ProfileNote> notes;
  Identity identity;

  /// The surface of a type, nullptr when it was not measured.
  const GemmSurface* gemm_of(Arithmetic type) const;
  const TransferFit* memory_of(MemoryOperation operation) const;
};

inline constexpr int profile_version = 1;                 ///< the newest that this build writes; it reads all from 1 on
inline constexpr std::size_t profile_max_bytes = 65536;   ///< largest profile text

/// Reads profile text strictly: known fields only, every number in its range, checksum verified. The problem's pointer is relative to the file.
Result<Profile> read_profile(std::string_view text);
/// The same for a profile inside another document (scenario.hardware.profile); pointers start with `pointer`.
Result<Profile> read_profile(const nlohmann::json& object, const std::string& pointer);
/// The profile as JSON with its checksum; read_profile gives an equal profile back.
nlohmann::json write_profile(const Profile&);
/// The part that a link carries: fitted numbers without tables, measurement list, notes and identity.
Profile compact_profile(Profile);

/// Time for `bytes` by the segment that holds them; 0 when there is no segment.
Seconds transfer_time(const TransferFit&, Bytes bytes);
/// Bytes over the busiest link per byte of nccl-tests size: all-reduce 2(n−1)/n of the buffer, all-gather, reduce-scatter and all-to-all
/// (n−1)/n of the total, send-recv 1 (nccl-tests, PERFORMANCE.md).
double collective_bus_factor(Collective kind, Gpus ranks);
/// Time of a collective of nccl-tests size `bytes`: latency + factor × bytes ÷ bus bandwidth.
Seconds collective_time(const CollectiveFit&, Bytes bytes);
/// Operand and result bytes of one product: N·K weights, M·K inputs, M·N outputs, scales of block formats included.
Bytes gemm_bytes(Arithmetic type, std::int64_t m, std::int64_t n, std::int64_t k);
/// Time of one product by the surface, table correction included (nearest measured N·K, straight lines in M).
Seconds gemm_time(const GemmSurface&, std::int64_t m, std::int64_t n, std::int64_t k);

/// Names in the file: "read", "to-device", "all-reduce", "measured" …
const char* name(MemoryOperation);
const char* name(HostDirection);
const char* name(Collective);
const char* name(MeasurementStatus);

/// The checksum that a profile object must carry: FNV-1a 64 over its canonical text (keys sorted, no blanks, whole numbers without a
/// fraction, no "checksum" member), so that re-formatting a file keeps it valid.
std::string profile_checksum(const nlohmann::json& object);

}  // namespace gpuplan
