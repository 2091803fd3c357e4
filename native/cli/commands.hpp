#pragma once
/// One function per command: builds a request of the protocol, prints the answer. No formula and no text of its own.
#include <string>
#include <vector>

#include "core/api/context.hpp"

namespace gpuplan::cli {

enum Exit { answered = 0, fault = 1, bad_input = 2 };

/// What the arguments say.
struct Arguments {
  std::string input;              ///< path, or - for standard input; "" = none given
  std::string link, what, id, format, target, out, lang = "en", now;
  std::string calibration;        ///< file of coefficients laid over the shipped ones
  std::string catalog;            ///< file of a person's own machines and prices, laid over the shipped catalog
  std::string gpu, instance;      ///< fit
  std::vector<std::string> gpus;  ///< fit: cards of one box that differ
  double host_memory_gib = 0.0;   ///< fit: 0 = not said
  std::string profile;            ///< file of a measured profile, put into the scenario
  std::vector<long> contexts, concurrencies, nodes;  ///< steps of sensitivity, empty = the core's
  std::vector<std::string> inputs;  ///< files of inspect
  std::vector<std::string> pick;  ///< JSON pointers: print only these values of the answer
  long count = 1;
  long top = 20;
  bool front = false;             ///< plan: the Pareto front over offers and layouts
  bool explain_rejected = false;  ///< plan: why each other offer is none of the options
  bool ndjson = false, json = false, sources = false;
};

/// Answers one operation for a scenario file (or every line of it with ndjson).
int run_operation(const Context&, const Arguments&, const std::string& op);
int run_fit(const Context&, const Arguments&);
int run_compare(const Context&, const Arguments&);
int run_tiers(const Context&, const Arguments&);
int run_catalog(const Context&, const Arguments&);
int run_sensitivity(const Context&, const Arguments&);
/// All presets, or with an id that one's scenario, ready for the other commands.
int run_presets(const Context&, const Arguments&);
int run_share(const Context&, const Arguments&);
int run_open(const Context&, const Arguments&);
int run_call(const Context&, const Arguments&);

/// Reads as much of each file as its header needs; finds the other parts of a split model beside it.
int run_inspect(const Context&, const Arguments&);

/// Prints a problem: one line for a person, or an error object with --json.
int report(const Problem&, bool json);

}  // namespace gpuplan::cli
