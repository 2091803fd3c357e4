#pragma once
/// Time of one layout [M-time]: a training step, or serving at the workload's concurrency. Prepared once per job, evaluated per layout.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/explain.hpp"
#include "core/layout/job.hpp"
#include "core/layout/layout.hpp"
#include "core/memory/memory.hpp"
#include "core/units.hpp"

namespace gpuplan {

enum class CollectiveKind : std::uint8_t { all_reduce, all_gather, reduce_scatter, all_to_all, send_recv };
enum class ParallelGroup : std::uint8_t { tp, pp, dp, cp, ep };
enum class LinkKind : std::uint8_t { none, nvlink, pcie, network, mixed };
const char* name(CollectiveKind);
const char* name(ParallelGroup);
const char* name(LinkKind);

/// One kind of message of a step: `count` collectives of `bytes` each over `ranks` ranks.
struct Message {
  CollectiveKind kind = CollectiveKind::all_reduce;
  ParallelGroup group = ParallelGroup::tp;
  LinkKind link = LinkKind::none;
  std::int32_t ranks = 1;
  double count = 0.0;
  Bytes bytes;        ///< per collective and rank
  Seconds time;       ///< of all of them
  Seconds exposed;    ///< not hidden behind compute
};

/// The messages of a step, at most twelve: beyond that none is listed. Only those that are there take time to copy, for a search copies many.
class MessageList {
 public:
  MessageList() {}
  MessageList(const MessageList& other) { *this = other; }
  MessageList& operator=(const MessageList& other) {
    count_ = other.count_;
    std::copy(other.begin(), other.end(), all_);
    return *this;
  }
  void add(const Message& m) {
    if (count_ < most) all_[count_++] = m;
  }
  const Message* begin() const { return all_; }
  const Message* end() const { return all_ + count_; }
  std::size_t size() const { return count_; }

 private:
  static constexpr std::size_t most = 12;
  union {
    Message all_[most];
  };
  std::size_t count_ = 0;
};

/// Where a step's time goes; the parts sum to `step` (training) or to one decode step's time (serving).
struct TimeParts {
  Seconds compute, memory, exposed_comm, bubble, overhead;
  Seconds total() const { return compute + memory + exposed_comm + bubble + overhead; }
};

struct Time {
  TimeParts parts;
  Seconds step;                    ///< training: optimizer step; serving: one decode step at the running batch
  Seconds prefill, ttft, tpot;     ///< serving: one request's prefill alone; time to first token and per output token at the concurrency
  Bytes checkpoint;                ///< training: what one checkpoint of the whole job holds
  Seconds checkpoint_write, checkpoint_interval;  ///< 0 where no bandwidth or no failures are given
  double goodput = 1.0;            ///< expected share of the run that advances training
  Seconds total;                   ///< training: the whole run with its epochs, checkpoints and failures; serving: one request end to end
  TokensPerSecond tokens_per_s;    ///< whole system: training tokens, or generated tokens at the concurrency
  TokensPerSecond decode_tokens_per_s, prefill_tokens_per_s;
  double requests_per_s = 0.0;
  double running_batch = 0.0;      ///< sequences decoded together per replica (KV room may be less than the concurrency)
  Flops forward_per_token, per_step;
  FlopsPerSecond achieved_per_gpu; ///< model flops
  double mfu = 0.0, hfu = 0.0;
  MessageList messages;
  Seconds step_low, step_high;     ///< central 90 % range
  TokensPerSecond tokens_low, tokens_high;
};

struct PreparedTime;
struct PreparedTimeDeleter { void operator()(PreparedTime*) const; };
using PreparedTimePtr = std::unique_ptr<PreparedTime, PreparedTimeDeleter>;
/// Operators with their shapes, summed where the layout does not matter.
PreparedTimePtr prepare_time(const Job&);

/// Time of one layout; `memory` couples the running batch to the KV room. No allocation when `why` is null.
Time estimate_time(const Job&, const PreparedTime&, const Machine&, const Layout&, const Memory& memory, Explanation* why = nullptr);

}  // namespace gpuplan
