#include "native/probe/deliver.hpp"

#include <cstdio>
#include <cstdlib>

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "native/probe/program.hpp"
#include "native/probe/qr.hpp"
#include "native/probe/save.hpp"
#include "native/probe/share.hpp"

namespace gpuplan::probe {
namespace {

constexpr const char* default_token_variable = "GPUPLAN_UPLOAD_TOKEN";

/// A token of the file or variable that was named, or of the default variable where it is set; empty without one.
Result<std::string> token_of(const Options& o) {
  if (!o.token_file.empty()) {
    const Result<std::string> text = read_small(o.token_file, 16384);
    return text ? checked_token(*text) : Result<std::string>(text.problem());
  }
  const char* value = std::getenv(o.token_env.empty() ? default_token_variable : o.token_env.c_str());
  if (value != nullptr) return checked_token(value);
  if (o.token_env.empty()) return std::string();
  return Problem{"--token-env", ProblemCode::missing_field, "the environment variable " + o.token_env.substr(0, 80) + " of --token-env is not set", {}};
}

/// The address itself, or the first line of the file after '@': a presigned address is a secret, too.
Result<std::string> address_of(const std::string& given) {
  if (given.empty() || given[0] != '@') return checked_url(given);
  const Result<std::string> text = read_small(given.substr(1), 16384);
  return text ? checked_url(text->substr(0, text->find_first_of("\r\n"))) : Result<std::string>(text.problem());
}

std::string checksum_of(const std::string& text) {
  const nlohmann::json j = nlohmann::json::parse(text, nullptr, false);
  return j.is_object() && j.contains("checksum") && j["checksum"].is_string() ? j["checksum"].get<std::string>() : "";
}

int send(const Delivery& d, const std::string& text, const std::string& file, const std::atomic<bool>& stop) {
  UploadRequest request = d.request;
  request.body = text;
  request.idempotency_key = checksum_of(text);
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const auto progress = [terminal](std::size_t sent, std::size_t all, int attempt) {
    if (terminal) std::fprintf(stderr, "\ruploading, try %d: %zu of %zu bytes\x1b[K", attempt, sent, all);
  };
  const Result<Uploaded> sent = upload(request, progress, stop);
  if (terminal) std::fputs("\r\x1b[K", stderr);
  if (sent) {
    std::fprintf(stderr, "uploaded to %s (%zu bytes, answer %ld)\n", shown_url(request.url).c_str(), text.size(), sent->status);
    return exit_whole;
  }
  std::fprintf(stderr, "gpuplan-probe: %s; the profile is kept in %s: send it again with --send\n", sent.problem().message.c_str(), file.c_str());
  return exit_not_uploaded;
}

void print_link(const Delivery& d, const Profile& p) {
  const std::string link = profile_link(p, d.page);
  std::printf("%s\n", link.c_str());
  if (d.page.empty()) std::fprintf(stderr, "put the page's address before the link, or name it with --page\n");
  if (!d.qr || isatty(STDOUT_FILENO) == 0) return;
  std::string small = short_profile_link(p, d.page, qr_easy_bytes);
  if (small.empty()) small = short_profile_link(p, d.page, qr_max_bytes);
  if (const auto code = qr_code(small)) {
    std::printf("%s", code->c_str());
    if (small != link) std::printf("The QR code holds the main figures; the link above holds all fitted ones.\n");
  } else {
    std::printf("No QR code: even the main figures are longer than the %zu bytes that one holds.\n", qr_max_bytes);
  }
}

}  // namespace

std::optional<std::string> prepare_delivery(const Options& o, Delivery& d) {
  d.link = o.link;
  d.qr = !o.no_qr;
  d.page = o.page;
  if (o.upload.empty()) return {};
  const Result<std::string> url = address_of(o.upload);
  if (!url) return url.problem().message;
  const Result<std::string> token = token_of(o);
  if (!token) return token.problem().message;
  d.upload = true;
  d.request.url = *url;
  d.request.token = *token;
  d.request.post = o.method == "post";
  d.request.ca_file = o.ca_file;
  return {};
}

int deliver(const Delivery& d, const Profile& profile, const std::string& text, const std::string& file, const std::atomic<bool>& stop) {
  if (d.link) print_link(d, profile);
  return d.upload ? send(d, text, file, stop) : exit_whole;
}

}  // namespace gpuplan::probe
