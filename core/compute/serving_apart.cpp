#include "core/compute/serving_apart.hpp"

#include <algorithm>
#include <cmath>

#include "core/comm/collectives.hpp"

namespace gpuplan {
namespace {

constexpr int rounds = 24;  // of the balance below: halves its distance each time

/// Prompts per second that one engine finishes when more are always waiting: passes as full as the engine allows.
double prompt_rate(const PassPlace& place, const Load& load) {
  if (load.fresh <= 0.0) return 1e30;
  const double rows = std::max(load.chunk, load.fresh >= load.limit ? load.chunk : std::floor(load.limit / load.fresh) * load.fresh);
  Batch full;
  full.head_rows = 0.0;
  add_prompt(full, load, rows);
  return rows / load.fresh / pass_time(place, full).total().value;
}

/// The prompt's cache travels once, each GPU to its counterpart.
double transfer_time(const PassPlace& place, const Layout& layout, const Load& load) {
  const double engine = static_cast<double>(layout.gpus()) / layout.dp;
  const GroupPlacement pair = place_group(place.fabric, 2, static_cast<std::int64_t>(engine));
  return collective_time(place.fabric, CollectiveKind::send_recv, pair, sequence_bytes(place, load.past + load.fresh)).value;
}

/// Time in which an engine that runs `sequences` generates one answer for each.
double answer_time(const PassPlace& place, const PreparedServing& prepared, const Load& load, double sequences) {
  const double draft = 1.0 + prepared.draft_share * (load.rows - 1.0);
  const double step = pass_time(place, decode_batch(load, std::max(1.0, sequences) / load.groups)).total().value * load.bubble * draft;
  return step * load.output / load.gain;
}

/// Mean wait for an engine at this load when prompts come at random (M/D/1).
double queue_time(double load, double service) {
  const double busy = std::min(0.95, load);
  return service * busy / (2.0 * (1.0 - busy));
}

}  // namespace

void serve_apart(Time& t, EnginePools pools, const Job& job, const PreparedServing& prepared, const PassPlace& place, const Layout& layout, Load& load) {
  const double requests = static_cast<double>(job.workload.concurrency), most = load.sequences * load.groups;
  const double prompts_per_s = pools.prompts * prompt_rate(place, load), transfer = transfer_time(place, layout, load);
  double running = most, rate = 0.0, answer = 0.0;
  for (int i = 0; i < rounds; ++i) {
    answer = answer_time(place, prepared, load, running);
    rate = std::min(prompts_per_s, pools.answers * running / answer);
    const double queue = queue_time(rate / prompts_per_s, pools.prompts / prompts_per_s);
    const double before = rate * (t.prefill.value + queue + transfer);  // requests that do not generate yet
    const double wanted = std::min({most, prompts_per_s * answer / pools.answers, std::max(0.0, requests - before) / pools.answers});
    running = 0.5 * (running + std::max(requests / pools.answers < 1.0 ? requests / pools.answers : 1.0, wanted));
  }
  const double elsewhere = std::max(0.0, requests - pools.answers * running) / rate;  // Little's law: what a request spends before it generates
  const double queue = queue_time(rate / prompts_per_s, pools.prompts / prompts_per_s);
  t.ttft = Seconds{place.engine.request + std::max(t.prefill.value + queue, elsewhere - transfer)};
  t.tpot = Seconds{answer / load.output};
  t.total = t.ttft + Seconds{transfer} + t.tpot * (load.output - 1.0);
  t.requests_per_s = rate;
  load.sequences = std::max(1.0, running) / load.groups;
}

}  // namespace gpuplan
