#pragma once
/// Sends a profile to an HTTPS address. libcurl does the transfer; what is retried and what is told is decided here.
#include <atomic>
#include <functional>
#include <string>

#include "core/result.hpp"

namespace gpuplan::probe {

struct UploadRequest {
  std::string url;
  bool post = false;                  ///< PUT otherwise
  std::string token;                  ///< sent as "Authorization: Bearer …" to the first host only; "" for presigned addresses
  std::string ca_file;                ///< certificates to trust instead of the system's, "" = the system's
  std::string body;
  std::string idempotency_key;        ///< same for every try of the same profile, so that a repeated POST is recognisable
  double connect_timeout_s = 10.0, stall_timeout_s = 20.0, try_timeout_s = 120.0;
  int tries = 4;
  double first_wait_s = 1.0;          ///< doubles after each try
  double longest_wait_s = 30.0;       ///< bounds Retry-After too
};

struct Uploaded {
  long status = 0;  ///< HTTP status of the answer
  int tries = 1;
};

/// Called with bytes sent, bytes in all, and the number of the try.
using UploadProgress = std::function<void(std::size_t sent, std::size_t all, int attempt)>;

/// Checks an address: https, a host, no user name or password in it. The problem names what is wrong.
Result<std::string> checked_url(const std::string& url);
/// The address without query and fragment, for messages: a presigned query is a secret.
std::string shown_url(const std::string& url);
/// A token as a header may carry it: one line, printable, at most 8192 bytes; the final line break is dropped.
Result<std::string> checked_token(std::string token);

/// Sends with retries. Any answer but 2xx, and any fault of connection or certificate, is a problem in one sentence.
Result<Uploaded> upload(const UploadRequest&, const UploadProgress&, const std::atomic<bool>& stop);

}  // namespace gpuplan::probe
