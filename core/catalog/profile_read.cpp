#include <optional>

#include <nlohmann/json.hpp>

#include "core/catalog/profile.hpp"
#include "core/catalog/profile_check.hpp"
#include "core/catalog/profile_reader.hpp"
#include "core/json/text.hpp"

namespace gpuplan {
namespace {

using namespace profile_fields;

constexpr int max_depth = 8;

bool deeper_than(const json& v, int levels) {
  if (!v.is_structured()) return false;
  if (levels == 0) return true;
  for (const json& item : v) {
    if (deeper_than(item, levels - 1)) return true;
  }
  return false;
}

/// Format and version come first: nothing else means anything before them.
void read_head(Reader& reader, const std::string& pointer, std::optional<Problem>& problem, Profile& p) {
  std::string format;
  std::int64_t version = 0;
  reader.text("format", format, 32, Need::required);
  if (!problem && format != "gpuplan-profile") reader.fail("format", ProblemCode::syntax, "must be gpuplan-profile");
  reader.whole("version", version, 1, 1000000, Need::required);
  if (!problem && version > profile_version) {
    problem = Problem{pointer + "/version", ProblemCode::unsupported,
                      pointer + "/version is " + std::to_string(version) + ", but this build reads versions 1 to " +
                          std::to_string(profile_version) + "; use a newer gpuplan",
                      {}};
  }
  p.version = static_cast<int>(version);
}

Problem whole_problem(const std::string& pointer, ProblemCode code, const std::string& what) {
  return {pointer, code, (pointer.empty() ? "the profile" : pointer) + " " + what + again, {}};
}

}  // namespace

Result<Profile> read_profile(const json& object, const std::string& pointer) {
  if (deeper_than(object, max_depth)) return whole_problem(pointer, ProblemCode::syntax, "is nested more deeply than a profile is");
  std::optional<Problem> problem;
  Profile p;
  Reader reader(object, pointer, problem);
  if (!problem) read_head(reader, pointer, problem, p);
  std::string checksum;
  if (!problem) {
    profile_fields::describe(reader, p);
    reader.text("checksum", checksum, 32, Need::required);
    reader.finish();
  }
  if (problem) return *problem;
  if (const auto c = contradiction(p)) return whole_problem(pointer + c->pointer, ProblemCode::conflict, c->what);
  if (checksum != profile_checksum(object)) {
    return whole_problem(pointer + "/checksum", ProblemCode::conflict, "does not match the rest: the profile was changed or damaged");
  }
  return p;
}

Result<Profile> read_profile(std::string_view text) {
  if (text.size() > profile_max_bytes) {
    return whole_problem("", ProblemCode::too_large, "is larger than " + std::to_string(profile_max_bytes) + " bytes");
  }
  const json parsed = parse_own_json(text);
  if (parsed.is_discarded()) return whole_problem("", ProblemCode::syntax, "is not JSON");
  return read_profile(parsed, "");
}

}  // namespace gpuplan
