#include "native/probe/runner.hpp"

#include <algorithm>
#include <cstdio>

#include "native/probe/sampler.hpp"

namespace gpuplan::probe {
namespace {

constexpr double warm_up_seconds = 0.4;  ///< idle clocks need some hundred milliseconds of work to rise

/// Work until the clocks have risen; what it yields is thrown away, faults show in the measurements themselves.
void warm_up(Context& ctx) {
  const MemoryWork work{MemoryOperation::copy, 64 << 20};
  if (!ctx.machine.cannot(work).empty()) return;
  auto ready = ctx.machine.prepare(work);
  const double end = ctx.machine.now() + warm_up_seconds;
  while (ready && ctx.machine.now() < end && !ctx.stopped()) {
    if (!(*ready)->time(20, ctx.settings.call_timeout_seconds)) return;
  }
}

void note_health(Context& ctx, const std::string& key) {
  const Health& h = ctx.seen;
  if (h.power_throttled) ctx.note("throttled-power", key);
  if (h.thermal_throttled) ctx.note("throttled-thermal", key);
  if (h.hardware_slowdown) ctx.note("hardware-slowdown", key);
  if (h.other_processes > 0) ctx.note("other-process", std::to_string(h.other_processes) + " other processes used the GPU");
  if (h.uncorrected_ecc_errors > 0) ctx.note("ecc-errors", std::to_string(h.uncorrected_ecc_errors) + " uncorrected memory errors since the driver was loaded");
  if (h.clock_limit_hz > 0.0) {
    char text[64];
    std::snprintf(text, sizeof text, "clock limited to %.0f MHz", h.clock_limit_hz / 1e6);
    ctx.note("clocks-locked", text);
  }
  ctx.seen = {};
}

void note_facts(Context& ctx) {
  if (ctx.facts.mixed_gpus) ctx.note("mixed-gpus", "the node holds different GPUs; figures are those of device " + std::to_string(ctx.facts.device));
  if (ctx.facts.display_attached) ctx.note("display-attached", "");
  if (ctx.facts.gpu.mig == 1) ctx.note("mig-on", "figures are those of one MIG slice");
}

class Run {
 public:
  Run(Context& ctx, const std::vector<MeasurementSpec>& specs, int rank, const ProgressSink& sink) : ctx_(ctx), rank_(rank), sink_(sink) {
    for (const MeasurementSpec& s : specs) {
      if (rank == 0 || s.collective) specs_.push_back(&s), weight_left_ += s.weight;
    }
    weight_all_ = weight_left_;
  }

  void all() {
    start_ = ctx_.machine.now();
    ctx_.hard_end = start_ + ctx_.settings.budget_seconds;
    if (rank_ == 0) warm_up(ctx_);
    for (const MeasurementSpec* spec : specs_) one(*spec);
    if (sink_) sink_(1.0, "", 0.0);
  }

 private:
  void one(const MeasurementSpec& spec) {
    ctx_.key = spec.key;
    if (spec.collective && !ctx_.together) {
      ctx_.together = true;
      ctx_.hard_end = ctx_.machine.agree(ctx_.hard_end);
    }
    const Measurement result = lost_ ? incomplete(spec, "the GPU stopped answering") : attempt(spec);
    ctx_.profile.measurements.push_back(result);
    if (result.status == MeasurementStatus::failed) ctx_.profile.complete = false;
    weight_left_ -= spec.weight;
  }

  Measurement incomplete(const MeasurementSpec& spec, const char* why) {
    ctx_.profile.complete = false;
    return {spec.key, MeasurementStatus::skipped, why};
  }

  Measurement attempt(const MeasurementSpec& spec) {
    if (ctx_.stopped()) return incomplete(spec, "interrupted");
    const double now = ctx_.now();
    if (now >= ctx_.hard_end) return incomplete(spec, "the time budget was used");
    if (const std::string why = spec.cannot(ctx_); !why.empty()) return {spec.key, MeasurementStatus::skipped, why.substr(0, 200)};
    const double slice_end = now + (ctx_.hard_end - now) * spec.weight / std::max(weight_left_, spec.weight);
    ctx_.slice_end = ctx_.together ? ctx_.machine.agree(slice_end) : slice_end;  // processes that decide differently would wait for each other
    show(spec, 0.0);
    ctx_.progress = [this, &spec](double done) { show(spec, done); };
    const Outcome<Done> outcome = spec.run(ctx_);
    note_health(ctx_, spec.key);
    return outcome ? Measurement{spec.key, MeasurementStatus::measured, ""} : failed(spec, outcome.failure());
  }

  Measurement failed(const MeasurementSpec& spec, const Failure& f) {
    if (ctx_.stopped()) return incomplete(spec, "interrupted");
    // a call that never returned still holds the device: nothing after it can be trusted to run
    lost_ = f.fault == Fault::lost || f.fault == Fault::timed_out;
    const bool skipped = f.fault == Fault::unsupported;
    return {spec.key, skipped ? MeasurementStatus::skipped : MeasurementStatus::failed, f.message.substr(0, 200)};
  }

  void show(const MeasurementSpec& spec, double done) {
    if (!sink_) return;
    const double share = (weight_all_ - weight_left_ + done * spec.weight) / std::max(weight_all_, 1e-9);
    const double spent = ctx_.machine.now() - start_;
    const double by_pace = share > 0.02 ? spent / share - spent : ctx_.settings.budget_seconds;
    sink_(share, spec.key, std::clamp(by_pace, 0.0, std::max(0.0, ctx_.hard_end - ctx_.machine.now())));
  }

  Context& ctx_;
  int rank_;
  const ProgressSink& sink_;
  std::vector<const MeasurementSpec*> specs_;
  double weight_left_ = 0.0, weight_all_ = 0.0, start_ = 0.0;
  bool lost_ = false;
};

}  // namespace

void run_measurements(Context& ctx, const std::vector<MeasurementSpec>& specs, int rank, const ProgressSink& sink) {
  note_facts(ctx);
  Run(ctx, specs, rank, sink).all();
  ctx.together = false;
  if (ctx.stopped()) ctx.note("interrupted", "stopped before the end");
}

}  // namespace gpuplan::probe
