#include "native/probe/options.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "native/probe/assemble.hpp"

namespace gpuplan::probe {
namespace {

const char* const exits =
    "Exit status: 0 all measured, 2 bad arguments or unwritable file, 3 partial profile (interrupted, out of time, or a measurement failed),\n"
    "4 no usable GPU, 5 profile written but not uploaded, 1 internal fault.";

/// What a catalog id may look like.
std::string wrong_id(const std::string& id) {
  const bool plain = id.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == std::string::npos;
  return plain && !id.empty() && id.size() <= 96 ? "" : "must be a catalog id of letters, digits, '.', '_' and '-', at most 96 long";
}
/// The page may lie on a web server or in a file.
std::string wrong_page(const std::string& page) {
  const bool known = page.rfind("https://", 0) == 0 || page.rfind("http://", 0) == 0 || page.rfind("file://", 0) == 0;
  for (unsigned char c : page) {
    if (c <= 0x20 || c == 0x7f) return "must not contain blanks or control characters";
  }
  return known && page.size() <= 512 ? "" : "must be an address that starts with https://, http:// or file://, at most 512 long";
}

void add_measuring(CLI::App& app, Options& o, bool& quick, bool& thorough) {
  app.add_flag("--list", o.list, "list the measurements and whether they can run here");
  app.add_option("--only", o.only, "measure these alone: keys or families of --list, separated by commas")->delimiter(',');
  CLI::Option* q = app.add_flag("--quick", quick, "fewer sizes, 30 s");
  app.add_flag("--thorough", thorough, "more sizes, 600 s")->excludes(q);
  app.add_option("--budget", o.budget_seconds, "seconds to spend (default 100)")->check(CLI::Range(1.0, 86400.0));
  app.add_option("--device", o.device, "CUDA device to measure")->check(CLI::Range(0, 1023));
  app.add_flag("--alone", o.alone, "ignore the variables of MPI, Slurm and torchrun");
}

void add_output(CLI::App& app, Options& o) {
  app.add_option("-o,--output", o.output, "profile file (default gpuplan-profile.json)");
  app.add_flag("--json", o.json, "print the profile instead of the table");
  app.add_option("--samples", o.samples, "keep every raw sample in this file");
  app.add_flag("--identify", o.identify, "put host, user, serial numbers and UUIDs into the profile");
  app.add_option("--gpu", o.gpu_id, "catalog id of the GPU, where the driver's name is ambiguous")->check(wrong_id);
}

void add_sharing(CLI::App& app, Options& o) {
  app.add_option("--send", o.send, "upload or link this profile instead of measuring")->check(CLI::ExistingFile);
  app.add_option("--upload", o.upload, "send the profile to this https address; @FILE reads the address from a file");
  app.add_option("--method", o.method, "put or post")->check(CLI::IsMember({"put", "post"}));
  CLI::Option* file = app.add_option("--token-file", o.token_file, "file with the bearer token");
  app.add_option("--token-env", o.token_env, "environment variable with the bearer token (default GPUPLAN_UPLOAD_TOKEN, if set)")->excludes(file);
  app.add_option("--ca-file", o.ca_file, "certificates to trust instead of the system's")->check(CLI::ExistingFile);
  app.add_flag("--link", o.link, "print the page's link with the profile inside, and its QR code");
  app.add_option("--page", o.page, "address of the page that the link should open")->check(wrong_page);
  app.add_flag("--no-qr", o.no_qr, "print no QR code");
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text.substr(0, 400);
}

}  // namespace

std::variant<Options, EarlyExit> parse_options(int argc, const char* const* argv) {
  Options o;
  bool quick = false, thorough = false;
  CLI::App app{"gpuplan-probe measures this machine's GPU for gpuplan and writes a profile file.", "gpuplan-probe"};
  app.set_version_flag("--version", std::string(tool_name));
  app.footer(exits);
  add_measuring(app, o, quick, thorough);
  add_output(app, o);
  add_sharing(app, o);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return EarlyExit{0, app.help()};
  } catch (const CLI::CallForVersion&) {
    return EarlyExit{0, std::string(tool_name) + "\n"};
  } catch (const CLI::ParseError& e) {
    return EarlyExit{2, "gpuplan-probe: " + one_line(e.what()) + "; --help lists all options\n"};
  }
  o.effort = quick ? Effort::quick : thorough ? Effort::thorough : Effort::normal;
  if (o.budget_seconds == 0.0) o.budget_seconds = default_budget(o.effort);
  return o;
}

Result<std::vector<MeasurementSpec>> chosen(const std::vector<MeasurementSpec>& specs, const std::vector<std::string>& only) {
  const auto asked = [](const MeasurementSpec& s, const std::string& key) { return s.key == key || s.key.rfind(key + "-", 0) == 0; };
  std::string known;
  for (const MeasurementSpec& s : specs) known += (known.empty() ? "" : ", ") + s.key;
  for (const std::string& key : only) {
    if (std::none_of(specs.begin(), specs.end(), [&](const MeasurementSpec& s) { return asked(s, key); })) {
      return Problem{"--only", ProblemCode::unknown_id, "--only names '" + key.substr(0, 60) + "', which is no measurement; there are " + known, {}};
    }
  }
  std::vector<MeasurementSpec> out;
  for (const MeasurementSpec& s : specs) {
    if (only.empty() || std::any_of(only.begin(), only.end(), [&](const std::string& key) { return asked(s, key); })) out.push_back(s);
  }
  return out;
}

}  // namespace gpuplan::probe
