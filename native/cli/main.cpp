/// gpuplan: the command line (api.md). Arguments become requests of the protocol; the core answers.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <algorithm>
#include <exception>
#include <functional>
#include <iostream>
#include <string_view>

#include "core/json/text.hpp"
#include "core/scenario/catalog_overlay.hpp"
#include "native/cli/commands.hpp"
#include "native/cli/files.hpp"

namespace {

using gpuplan::cli::Arguments;
using Run = std::function<int(const gpuplan::Context&, const Arguments&)>;

struct Program {
  CLI::App app{"Which GPU, which instance, which layout, what will it cost, and why."};
  Arguments arguments;
  Run run;
};

CLI::App* add(Program& p, const std::string& name, const std::string& help, Run run) {
  CLI::App* command = p.app.add_subcommand(name, help);
  command->callback([&p, run] { p.run = run; });
  command->add_flag("--json", p.arguments.json, "errors as JSON objects");
  command->add_option("--lang", p.arguments.lang, "language of texts: en or zh");
  command->add_option("--now", p.arguments.now, "date that ages of prices are counted to (default: today)");
  command->add_option("--calibration", p.arguments.calibration, "file of coefficients laid over the shipped ones");
  command->add_option("--pick", p.arguments.pick, "print only these values of a JSON answer, for example /options/0/instance; again for more")->allow_extra_args(false);
  command->add_option("--catalog", p.arguments.catalog, "file of own machines and prices laid over the shipped catalog");
  return command;
}

void add_scenario_command(Program& p, const std::string& op, const std::string& help) {
  CLI::App* command = add(p, op, help, [op](const auto& c, const auto& a) { return gpuplan::cli::run_operation(c, a, op); });
  command->add_option("scenario", p.arguments.input, "scenario file, - for standard input")->required();
  command->add_flag("--ndjson", p.arguments.ndjson, "one scenario per line in, one answer per line out");
  command->add_option("--profile", p.arguments.profile, "profile that gpuplan-probe measured on the machine");
  if (op == "plan") command->add_option("--top", p.arguments.top, "options to list");
  if (op == "plan") command->add_flag("--front", p.arguments.front, "every layout that no other beats on cost, throughput and latency at once");
  if (op == "plan") command->add_flag("--explain-rejected", p.arguments.explain_rejected, "also list every offer that is no option, with the reason");
}

/// A line to copy, at the end of --help.
constexpr std::pair<const char*, const char*> examples[] = {
    {"estimate", "gpuplan estimate scenario.json"},
    {"advise", "gpuplan advise scenario.json"},
    {"plan", "gpuplan plan scenario.json --top 10"},
    {"tiers", "gpuplan tiers scenario.json --format markdown"},
    {"fit", "gpuplan fit --gpu rtx4090 --count 2"},
    {"compare", "gpuplan compare one.json two.json"},
    {"sensitivity", "gpuplan sensitivity scenario.json --contexts 4096,32768 --concurrencies 1,16,64"},
    {"presets", "gpuplan presets own-pretraining | gpuplan plan -"},
    {"catalog", "gpuplan catalog gpus --id h100"},
    {"share", "gpuplan share scenario.json"},
    {"open", "gpuplan open 'https://example.org/#v1?m=Qwen/Qwen2.5-7B&t=inference'"},
    {"inspect", "gpuplan inspect model.gguf"},
    {"call", "echo '{\"op\": \"tiers\"}' | gpuplan call"}};

void add_examples(Program& p) {
  for (const auto& [command, example] : examples) p.app.get_subcommand(command)->footer("Example: " + std::string(example));
}

void add_commands(Program& p) {
  add_scenario_command(p, "estimate", "one scenario: memory, time, cost, range and why");
  add_scenario_command(p, "advise", "for a scenario that does not fit: the smallest changes that make it fit, each alone and in pairs");
  add_scenario_command(p, "plan", "every instance and layout that fits the policy, best first");
  CLI::App* tiers = add(p, "tiers", "the recommended-instance tables, one per model tier", gpuplan::cli::run_tiers);
  tiers->add_option("scenario", p.arguments.input, "scenario file, - for standard input");
  tiers->add_option("--profile", p.arguments.profile, "profile that gpuplan-probe measured on the machine");
  tiers->add_option("--format", p.arguments.format, "table, markdown, csv, json, or view (what page and app draw)")->default_str("table")->check(CLI::IsMember({"table", "markdown", "csv", "json", "view"}));
  CLI::App* fit = add(p, "fit", "which models fit this hardware, at which precision, context and concurrency", gpuplan::cli::run_fit);
  fit->add_option("scenario", p.arguments.input, "scenario file that names the hardware, - for standard input");
  fit->add_option("--gpu", p.arguments.gpu, "GPU of the catalog, for example rtx4090");
  fit->add_option("--count", p.arguments.count, "how many of them in one machine")->default_val(1);
  fit->add_option("--gpus", p.arguments.gpus, "cards of one box that differ, the main one first: rtx3090,rtx4060ti")->delimiter(',');
  fit->add_option("--host-memory", p.arguments.host_memory_gib, "memory of the machine itself, GiB: what does not fit on the GPUs may stay there");
  fit->add_option("--instance", p.arguments.instance, "instance of the catalog, for example aws:g6.xlarge");
  fit->add_option("--profile", p.arguments.profile, "profile that gpuplan-probe measured on the machine");
  fit->add_option("--top", p.arguments.top, "models to list")->default_val(400);
  CLI::App* compare = add(p, "compare", "several scenarios side by side, differences first", gpuplan::cli::run_compare);
  compare->add_option("scenarios", p.arguments.inputs, "two or more scenario files")->required()->expected(2, 16);
  CLI::App* sensitivity = add(p, "sensitivity", "one scenario over lengths and requests at once, and over numbers of nodes: what fits and how fast", gpuplan::cli::run_sensitivity);
  sensitivity->add_option("scenario", p.arguments.input, "scenario file that names the machine, - for standard input")->required();
  sensitivity->add_option("--profile", p.arguments.profile, "profile that gpuplan-probe measured on the machine");
  sensitivity->add_option("--contexts", p.arguments.contexts, "lengths in tokens, for example 4096,32768")->delimiter(',');
  sensitivity->add_option("--concurrencies", p.arguments.concurrencies, "requests at once, for example 1,16,64")->delimiter(',');
  sensitivity->add_option("--nodes", p.arguments.nodes, "numbers of nodes, for example 1,2,4")->delimiter(',');
  CLI::App* presets = add(p, "presets", "common scenes to start from; with an id, its scenario", gpuplan::cli::run_presets);
  presets->add_option("id", p.arguments.id, "print the scenario of this one");
  CLI::App* catalog = add(p, "catalog", "gpus, instances, models or software, with sources and dates", gpuplan::cli::run_catalog);
  catalog->add_option("what", p.arguments.what, "gpus, instances, models or software")->required();
  catalog->add_option("--id", p.arguments.id, "only this one");
  catalog->add_flag("--sources", p.arguments.sources, "with the texts of the sources");
  CLI::App* share = add(p, "share", "prints the link of a scenario", gpuplan::cli::run_share);
  share->add_option("scenario", p.arguments.input, "scenario file, - for standard input")->required();
  share->add_option("--profile", p.arguments.profile, "profile that gpuplan-probe measured on the machine");
  CLI::App* open = add(p, "open", "prints the scenario of a link", gpuplan::cli::run_open);
  open->add_option("link", p.arguments.link, "link, with or without the address in front")->required();
  CLI::App* inspect = add(p, "inspect", "what a config.json, a GGUF or safetensors file, a folder, a profile or a model id describes; --json for the answer as JSON", gpuplan::cli::run_inspect);
  inspect->add_option("file", p.arguments.inputs, "file (several for the parts of one model), or the id of a model")->required();
  CLI::App* call = add(p, "call", "answers requests of the raw protocol from standard input", gpuplan::cli::run_call);
  call->add_flag("--ndjson", p.arguments.ndjson, "one request per line in, one answer per line out");
}

gpuplan::Result<gpuplan::Context> context_of(const Arguments& a) {
  auto context = gpuplan::make_context();
  if (context && !a.calibration.empty()) {
    auto text = gpuplan::cli::read_input(a.calibration);
    if (!text) return text.problem();
    auto more = gpuplan::load_calibration(*text);
    if (!more) return more.problem();
    context->knowledge.calibration = gpuplan::overlay(context->knowledge.calibration, *more);
  }
  if (context && !a.catalog.empty()) {
    auto text = gpuplan::cli::read_input(a.catalog);
    if (!text) return text.problem();
    auto overlay = gpuplan::parse_json(*text, a.catalog);
    if (!overlay) return overlay.problem();
    auto catalog = gpuplan::lay_over(context->knowledge.catalog, *overlay);
    if (!catalog) return catalog.problem();
    context->knowledge.catalog = *std::move(catalog);
  }
  return context;
}

int run(int argc, char** argv) {
  Program p;
  p.arguments.format = "table";
  p.app.set_version_flag("--version", "gpuplan " GPUPLAN_VERSION);
  p.app.require_subcommand(1);
  add_commands(p);
  add_examples(p);
  try {
    p.app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return p.app.exit(e);  // --help and --version
    const bool json = std::find(argv, argv + argc, std::string_view("--json")) != argv + argc;
    return gpuplan::cli::report({"", gpuplan::ProblemCode::unsupported, std::string(e.what()) + "; see gpuplan --help.", {}}, json);
  }
  if (p.arguments.now.empty()) p.arguments.now = gpuplan::cli::today();
  auto context = context_of(p.arguments);
  if (!context) return gpuplan::cli::report(context.problem(), p.arguments.json);
  return p.run(*context, p.arguments);
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {
    std::cerr << "gpuplan: a fault of ours: " << e.what() << "\n";
    return gpuplan::cli::fault;
  }
}
