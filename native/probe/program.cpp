#include "native/probe/program.hpp"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <optional>

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "native/probe/assemble.hpp"
#include "native/probe/deliver.hpp"
#include "native/probe/measure/measure.hpp"
#include "native/probe/options.hpp"
#include "native/probe/progress.hpp"
#include "native/probe/report.hpp"
#include "native/probe/runner.hpp"
#include "native/probe/save.hpp"

namespace gpuplan::probe {
namespace {

int complain(const std::string& message, int status) {
  std::fprintf(stderr, "gpuplan-probe: %s\n", message.c_str());
  return status;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02d-%02d", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
  return text;
}

std::optional<std::string> environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::string samples_text(const std::vector<RawSample>& raw) {
  nlohmann::json all = nlohmann::json::array();
  for (const RawSample& s : raw) all.push_back({{"key", s.key}, {"work", s.work}, {"seconds", s.seconds}});
  return nlohmann::json{{"format", "gpuplan-profile-samples"}, {"version", 1}, {"samples", std::move(all)}}.dump(1) + "\n";
}

/// One run of the program: what the arguments ask for, step by step.
class Program {
 public:
  Program(Options options, const MachineOpener& open, const std::atomic<bool>& stop) : o_(std::move(options)), open_(open), stop_(stop) {}

  int run() {
    const auto specs = chosen(all_measurements(), o_.only);
    if (!specs) return complain(specs.problem().message, exit_arguments);
    if (o_.list) return list(*specs);
    if (const auto problem = prepare_delivery(o_, delivery_)) return complain(*problem, exit_arguments);
    if (!o_.send.empty()) return send();
    if (!o_.alone) {
      const Result<World> world = read_world(environment);
      if (!world) return complain(world.problem().message, exit_arguments);
      world_ = *world;
    }
    return measure(*specs);
  }

 private:
  int list(const std::vector<MeasurementSpec>& specs) {
    auto machine = open_({o_.device, {}});
    Profile unused;
    const Settings settings;
    std::optional<Context> ctx;
    if (machine) {
      ctx.emplace(**machine, unused, settings, stop_);
      if (auto facts = (*machine)->facts()) ctx->facts = *facts;
    }
    std::fputs(list_table(specs, [&](const MeasurementSpec& s) { return ctx ? s.cannot(*ctx) : std::string(); }).c_str(), stdout);
    if (!machine) std::printf("No GPU was asked: %s\n", machine.failure().message.c_str());
    return exit_whole;
  }

  int send() {
    const Result<std::string> text = read_small(o_.send, profile_max_bytes);
    if (!text) return complain(text.problem().message, exit_arguments);
    const Result<Profile> profile = read_profile(*text);
    if (!profile) return complain(o_.send + ": " + profile.problem().message, exit_arguments);
    if (o_.upload.empty() && !o_.link) return complain("--send needs --upload or --link", exit_arguments);
    return deliver(delivery_, *profile, *text, o_.send, stop_);
  }

  std::optional<std::string> unwritable() const {
    if (world_.rank != 0) return {};
    if (auto problem = cannot_write(o_.output)) return problem;
    return o_.samples.empty() ? std::nullopt : cannot_write(o_.samples);
  }

  int measure(const std::vector<MeasurementSpec>& specs) {
    if (const auto problem = unwritable()) return complain(*problem, exit_arguments);
    auto machine = open_({o_.device, world_});
    if (!machine) return complain(machine.failure().message, exit_no_gpu);
    Outcome<Facts> facts = (*machine)->facts();
    if (!facts) return complain(facts.failure().message, exit_no_gpu);
    Profile profile;
    start_profile(profile, *facts, o_.effort, today());
    profile.gpu.id = o_.gpu_id;
    if (o_.identify) profile.identity = (*machine)->identity();
    const Settings settings{o_.effort, o_.budget_seconds};
    Context ctx(**machine, profile, settings, stop_);
    ctx.facts = *facts;
    if (!o_.samples.empty()) ctx.raw = &raw_;
    ProgressLine line(world_.rank == 0 && isatty(STDERR_FILENO) != 0);
    run_measurements(ctx, specs, world_.rank, [&line](double done, const std::string& key, double left) { line.show(done, key, left); });
    line.clear();
    return world_.rank == 0 ? finish(profile) : exit_whole;
  }

  int finish(const Profile& measured) {
    const std::string text = profile_text(measured);
    const Result<Profile> back = read_profile(text);
    if (!back) return complain("the profile does not read back: " + back.problem().message, exit_internal);
    const Profile& profile = *back;
    if (const auto problem = write_whole(o_.output, text)) return complain(*problem + (o_.json ? "" : "; the profile follows"), unsaved(text));
    if (!o_.samples.empty()) {
      if (const auto problem = write_whole(o_.samples, samples_text(raw_))) complain(*problem, exit_arguments);
    }
    std::fputs(o_.json ? text.c_str() : report(profile).c_str(), stdout);
    std::fflush(stdout);
    std::fprintf(stderr, "profile written to %s%s\n", o_.output.c_str(), profile.complete ? "" : " (partial)");
    if (!profile.complete && stop_) return exit_partial;
    const int delivered = deliver(delivery_, profile, text, o_.output, stop_);
    return delivered != exit_whole ? delivered : profile.complete ? exit_whole : exit_partial;
  }

  /// The disk filled up meanwhile: a minute of measurement is not thrown away.
  int unsaved(const std::string& text) {
    std::fputs(text.c_str(), stdout);
    return exit_arguments;
  }

  Options o_;
  const MachineOpener& open_;
  const std::atomic<bool>& stop_;
  Delivery delivery_;
  World world_;
  std::vector<RawSample> raw_;
};

}  // namespace

int run_program(int argc, const char* const* argv, const MachineOpener& open, const std::atomic<bool>& stop) {
  auto parsed = parse_options(argc, argv);
  if (const EarlyExit* early = std::get_if<EarlyExit>(&parsed)) {
    std::fputs(early->text.c_str(), early->status == 0 ? stdout : stderr);
    return early->status;
  }
  return Program(std::get<Options>(std::move(parsed)), open, stop).run();
}

}  // namespace gpuplan::probe
