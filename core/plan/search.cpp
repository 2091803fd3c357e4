#include "core/plan/search.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "core/plan/node_counts.hpp"
#include "core/plan/rank.hpp"

namespace gpuplan {
namespace {

/// Machines that are wired alike give the same layouts; the network counts only between nodes, host memory only where it is used.
bool alike(const Machine& a, const Machine& b, bool host_counts) {
  const bool inside = a.gpu == b.gpu && a.devices == b.devices && a.profile == b.profile && a.gpus_per_node == b.gpus_per_node && a.nodes == b.nodes && a.memory_usable == b.memory_usable &&
                      (!host_counts || a.host_memory == b.host_memory) && a.scale_up == b.scale_up && a.scale_up_domain == b.scale_up_domain &&
                      a.scale_up_each_way == b.scale_up_each_way && a.pcie_each_way == b.pcie_each_way;
  const bool outside = a.nodes.n == 1 || (a.scale_out == b.scale_out && a.scale_out_per_node_each_way == b.scale_out_per_node_each_way &&
                                          a.nics_per_node == b.nics_per_node && a.rdma == b.rdma);
  return inside && outside;
}

/// The answer for one kind of machine: the best layout where one was found, else what came closest.
struct Answer {
  Machine machine;
  bool found = false, missed = false, host_counts = false;
  Option option;
  std::vector<Option> front;
};

/// What was found on each kind of machine, so that offers share it. Kinds are kept by GPU and node count: few are alike in both.
class Found {
 public:
  const Answer* find(const Machine& m) {
    for (const Answer& a : by_gpu_[{m.gpu, m.nodes.n}]) {
      if (alike(a.machine, m, a.host_counts)) return &a;
    }
    return nullptr;
  }
  const Answer& keep(const Machine& m, const Best& best) {
    std::deque<Answer>& kinds = by_gpu_[{m.gpu, m.nodes.n}];
    kinds.push_back({m, best.found, best.missed, best.host_counts, best.found ? best.option : best.miss, best.front});
    return kinds.back();
  }

 private:
  std::map<std::pair<const Gpu*, std::int64_t>, std::deque<Answer>> by_gpu_;
};

/// Sorts by `before`. Options are large: their numbers are sorted, then each moves once.
template <class Before>
void sort_options(std::vector<Option>& options, Before before) {
  std::vector<std::size_t> order(options.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return before(options[a], options[b]); });
  std::vector<Option> sorted;
  sorted.reserve(options.size());
  for (const std::size_t i : order) sorted.push_back(options[i]);
  options = std::move(sorted);
}

/// Offers of one GPU in a row, for what their machines share; the order of the answer does not depend on it.
std::vector<int> by_gpu(const std::vector<Offer>& offers) {
  std::vector<int> order(offers.size());
  std::iota(order.begin(), order.end(), 0);
  const auto gpu = [&](int i) { return offers[static_cast<std::size_t>(i)].machine.gpu; };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return gpu(a) != gpu(b) ? std::less<>()(gpu(a), gpu(b)) : a < b; });
  return order;
}

class Searcher {
 public:
  Searcher(const Scenario& scenario, Fit fit, Breadth breadth, Search& out) : scenario_(scenario), breadth_(breadth), layouts_(scenario, fit, breadth, out.statistics), out_(out) {}

  void offer(int index) {
    const Offer& offer = out_.offers[static_cast<std::size_t>(index)];
    kept_.clear();
    std::optional<Option> miss;
    for (const Nodes nodes : node_counts(scenario_, offer)) {
      Machine machine = offer.machine;
      machine.nodes = nodes;
      const Answer& answer = on(machine);
      if (!answer.found && !answer.missed) continue;
      const Option o = priced(answer.option, offer, index);
      for (const Option& other : answer.front) also(o, priced(other, offer, index));
      if (answer.found && !broken_limit(o, scenario_.policy)) kept_.push_back(o);
      else closer(o, miss);
      if (breadth_ == Breadth::best && enough(kept_)) break;
    }
    keep(kept_, miss);
  }

 private:
  const Answer& on(const Machine& machine) {
    if (const Answer* known = found_.find(machine)) return *known;
    Best best;
    for (const Candidate* c : runs_on(machine)) {
      ++out_.statistics.machines;
      best = layouts_.on(*c, machine);
    }
    return found_.keep(machine, best);
  }

  /// The candidates of a GPU, looked up once for its machines; what is refused counts for each of them.
  const std::vector<const Candidate*>& runs_on(const Machine& machine) {
    if (gpu_ != machine.gpu || machine.devices) {
      gpu_ = machine.gpu;
      refused_.fill(0);
      runs_ = candidates_for(out_.candidates, machine, refused_.data());
    }
    for (std::size_t r = 0; r < refusal_count; ++r) out_.statistics.refusals[r] += refused_[r];
    return runs_;
  }

  /// Another layout of the front of a machine, beside its best.
  void also(const Option& best, const Option& o) {
    const bool same = o.time.tokens_per_s == best.time.tokens_per_s && o.time.total == best.time.total;
    if (!same && !broken_limit(o, scenario_.policy)) out_.options.push_back(o);
  }

  void closer(const Option& o, std::optional<Option>& miss) const {
    if (!miss || missed_by(o, scenario_.policy) < missed_by(*miss, scenario_.policy)) miss = o;
  }

  Option priced(const Option& of, const Offer& offer, int index) const {
    Option o = of;
    o.machine = offer.machine;
    o.machine.nodes = of.machine.nodes;
    o.offer = index;
    o.cost = estimate_cost(o.candidate->job, o.machine, o.time, offer.usd_per_hour);
    return o;
  }

  /// Whether a larger cluster is still worth a look once a smaller one has an answer: not after one that was no better.
  bool enough(const std::vector<Option>& found) const {
    constexpr std::size_t most = 8;
    return found.size() >= most || (found.size() >= 2 && !better(found.back(), found[found.size() - 2], scenario_.policy.objective));
  }

  void keep(const std::vector<Option>& found, const std::optional<Option>& miss) {
    const auto best = std::min_element(found.begin(), found.end(), [&](const Option& a, const Option& b) { return better(a, b, scenario_.policy.objective); });
    if (breadth_ == Breadth::front) out_.options.insert(out_.options.end(), found.begin(), found.end());
    else if (best != found.end()) out_.options.push_back(*best);
    if (best == found.end() && miss) out_.near_misses.push_back(*miss);
  }

  const Scenario& scenario_;
  Breadth breadth_;
  LayoutSearch layouts_;
  Search& out_;
  Found found_;
  std::vector<Option> kept_;  ///< of the offer in hand, by node count
  const Gpu* gpu_ = nullptr;  ///< of the last machine, what runs on it and what does not
  std::vector<const Candidate*> runs_;
  std::array<std::int64_t, refusal_count> refused_{};
};

}  // namespace

Result<Search> search(const Knowledge& knowledge, const Scenario& scenario, const std::string& now, Fit fit, Breadth breadth) {
  auto candidates = make_candidates(knowledge, scenario);
  if (!candidates) return candidates.problem();
  auto offers = resolve_offers(knowledge, scenario, now);
  if (!offers) return offers.problem();
  Search out;
  out.candidates = *std::move(candidates);
  out.offers = *std::move(offers);
  Searcher searcher(scenario, fit, breadth, out);
  for (const int i : by_gpu(out.offers)) searcher.offer(i);
  sort_options(out.options, [&](const Option& a, const Option& b) { return better(a, b, scenario.policy.objective); });
  sort_options(out.near_misses, [&](const Option& a, const Option& b) {
    const double x = missed_by(a, scenario.policy), y = missed_by(b, scenario.policy);
    return x != y ? x < y : a.offer < b.offer;
  });
  mark_pareto(out.options);
  return out;
}

}  // namespace gpuplan
