#include "native/probe/upload.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>

#include <curl/curl.h>

namespace gpuplan::probe {
namespace {

constexpr long most_redirects = 3;
constexpr std::size_t most_answer_bytes = 1 << 20, kept_answer_bytes = 300;

Problem told(const std::string& message) { return {"", ProblemCode::unsupported, message, {}}; }

struct UrlParts { std::string scheme, host, port, path, user; };

std::string part(CURLU* url, CURLUPart which) {
  char* text = nullptr;
  const std::string out = curl_url_get(url, which, &text, 0) == CURLUE_OK && text != nullptr ? text : "";
  curl_free(text);
  return out;
}
bool parse(const std::string& text, UrlParts& out) {
  const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> url(curl_url(), curl_url_cleanup);
  if (!url || text.size() > 8192 || curl_url_set(url.get(), CURLUPART_URL, text.c_str(), 0) != CURLUE_OK) return false;
  out = {part(url.get(), CURLUPART_SCHEME), part(url.get(), CURLUPART_HOST), part(url.get(), CURLUPART_PORT), part(url.get(), CURLUPART_PATH),
         part(url.get(), CURLUPART_USER) + part(url.get(), CURLUPART_PASSWORD)};
  return true;
}

std::string printable(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '\n' || c == '\r') break;
    out += static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x7f ? c : '?';
  }
  return out;
}

/// One try: the state that libcurl's callbacks work on.
struct Attempt {
  const UploadRequest& request;
  const UploadProgress& progress;
  const std::atomic<bool>& stop;
  int number = 1;
  std::size_t sent = 0, answered = 0;
  std::string answer;
};

std::size_t give_body(char* out, std::size_t size, std::size_t count, void* data) {
  Attempt& a = *static_cast<Attempt*>(data);
  const std::size_t n = std::min(size * count, a.request.body.size() - a.sent);
  std::memcpy(out, a.request.body.data() + a.sent, n);
  a.sent += n;
  return n;
}
/// A redirect starts the body anew.
int rewind_body(void* data, curl_off_t offset, int origin) {
  Attempt& a = *static_cast<Attempt*>(data);
  if (origin != SEEK_SET || offset < 0 || static_cast<std::size_t>(offset) > a.request.body.size()) return CURL_SEEKFUNC_FAIL;
  a.sent = static_cast<std::size_t>(offset);
  return CURL_SEEKFUNC_OK;
}
std::size_t take_answer(char* in, std::size_t size, std::size_t count, void* data) {
  Attempt& a = *static_cast<Attempt*>(data);
  a.answered += size * count;
  if (a.answer.size() < kept_answer_bytes) a.answer.append(in, std::min(size * count, kept_answer_bytes - a.answer.size()));
  return a.answered > most_answer_bytes ? 0 : size * count;
}
int on_progress(void* data, curl_off_t, curl_off_t, curl_off_t, curl_off_t up) {
  Attempt& a = *static_cast<Attempt*>(data);
  if (a.progress) a.progress(static_cast<std::size_t>(std::max<curl_off_t>(up, 0)), a.request.body.size(), a.number);
  return a.stop ? 1 : 0;
}

long milliseconds(double s) { return static_cast<long>(s * 1000.0); }

void set_safety(CURL* c, const UploadRequest& r) {
#if LIBCURL_VERSION_NUM >= 0x075500
  curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "https");
  curl_easy_setopt(c, CURLOPT_REDIR_PROTOCOLS_STR, "https");
#else
  curl_easy_setopt(c, CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTPS));
  curl_easy_setopt(c, CURLOPT_REDIR_PROTOCOLS, static_cast<long>(CURLPROTO_HTTPS));
#endif
  curl_easy_setopt(c, CURLOPT_SSL_VERIFYPEER, 1L);
  curl_easy_setopt(c, CURLOPT_SSL_VERIFYHOST, 2L);
  curl_easy_setopt(c, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(c, CURLOPT_MAXREDIRS, most_redirects);
  curl_easy_setopt(c, CURLOPT_POSTREDIR, static_cast<long>(CURL_REDIR_POST_ALL));
  curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS, milliseconds(r.connect_timeout_s));
  curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, milliseconds(r.try_timeout_s));
  curl_easy_setopt(c, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(c, CURLOPT_LOW_SPEED_TIME, std::max(1L, static_cast<long>(r.stall_timeout_s)));
  curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
  if (!r.ca_file.empty()) curl_easy_setopt(c, CURLOPT_CAINFO, r.ca_file.c_str());
}

void set_body(CURL* c, const UploadRequest& r, Attempt& a) {
  curl_easy_setopt(c, CURLOPT_URL, r.url.c_str());
  if (r.post) {
    curl_easy_setopt(c, CURLOPT_POST, 1L);
    curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(r.body.size()));
  } else {
    curl_easy_setopt(c, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(c, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(r.body.size()));
  }
  curl_easy_setopt(c, CURLOPT_READFUNCTION, give_body);
  curl_easy_setopt(c, CURLOPT_READDATA, &a);
  curl_easy_setopt(c, CURLOPT_SEEKFUNCTION, rewind_body);
  curl_easy_setopt(c, CURLOPT_SEEKDATA, &a);
  curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, take_answer);
  curl_easy_setopt(c, CURLOPT_WRITEDATA, &a);
  curl_easy_setopt(c, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(c, CURLOPT_XFERINFOFUNCTION, on_progress);
  curl_easy_setopt(c, CURLOPT_XFERINFODATA, &a);
}

struct Headers {
  curl_slist* list = nullptr;
  ~Headers() { curl_slist_free_all(list); }
  void add(const std::string& line) { list = curl_slist_append(list, line.c_str()); }
};

struct Answer {
  CURLcode code = CURLE_OK;
  long status = 0;
  long retry_after_s = 0;
  std::string text, detail;
};

Answer try_once(const UploadRequest& r, Attempt& a) {
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> c(curl_easy_init(), curl_easy_cleanup);
  Answer out;
  if (!c) return out.code = CURLE_FAILED_INIT, out;
  char detail[CURL_ERROR_SIZE] = "";
  curl_easy_setopt(c.get(), CURLOPT_ERRORBUFFER, detail);
  set_safety(c.get(), r);
  set_body(c.get(), r, a);
  Headers headers;
  headers.add("Content-Type: application/json");
  headers.add("Expect:");  // a profile is small: no need to wait for "100 Continue"
  if (!r.idempotency_key.empty()) headers.add("Idempotency-Key: " + r.idempotency_key);
  curl_easy_setopt(c.get(), CURLOPT_HTTPHEADER, headers.list);
  if (!r.token.empty()) {  // libcurl does not hand it to another host after a redirect
    curl_easy_setopt(c.get(), CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BEARER));
    curl_easy_setopt(c.get(), CURLOPT_XOAUTH2_BEARER, r.token.c_str());
  }
  out.code = curl_easy_perform(c.get());
  curl_easy_getinfo(c.get(), CURLINFO_RESPONSE_CODE, &out.status);
  curl_off_t wait = 0;
  if (curl_easy_getinfo(c.get(), CURLINFO_RETRY_AFTER, &wait) == CURLE_OK) out.retry_after_s = static_cast<long>(std::clamp<curl_off_t>(wait, 0, 86400));
  out.text = printable(a.answer);
  out.detail = printable(detail);
  return out;
}

bool accepted(const Answer& a) {
  const bool cut_short = a.code == CURLE_WRITE_ERROR;  // an endless answer, but the status is known
  return (a.code == CURLE_OK || cut_short) && a.status >= 200 && a.status < 300;
}
bool worth_another_try(const Answer& a) {
  if (a.code == CURLE_OK) return a.status == 408 || a.status == 425 || a.status == 429 || (a.status >= 500 && a.status != 501 && a.status != 505);
  for (CURLcode c : {CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT, CURLE_OPERATION_TIMEDOUT, CURLE_SEND_ERROR,
                     CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_SSL_CONNECT_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM}) {
    if (a.code == c) return true;
  }
  return false;
}

std::string reason(const Answer& a) {
  if (a.code == CURLE_OK) return "the server answered " + std::to_string(a.status) + (a.text.empty() ? "" : " (" + a.text.substr(0, 160) + ")");
  if (a.code == CURLE_PEER_FAILED_VERIFICATION) return "the server's certificate is not trusted (" + a.detail + "); --ca-file names a certificate to trust";
  if (a.code == CURLE_TOO_MANY_REDIRECTS) return "the server redirected more than " + std::to_string(most_redirects) + " times";
  if (a.code == CURLE_UNSUPPORTED_PROTOCOL) return "the server redirected to an address that is not https";
  return a.detail.empty() ? curl_easy_strerror(a.code) : a.detail;
}

/// Waits in small steps, so that Ctrl-C is heard.
void wait(double seconds, const std::atomic<bool>& stop) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!stop && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

}  // namespace

Result<std::string> checked_url(const std::string& url) {
  UrlParts parts;
  if (!parse(url, parts) || parts.host.empty()) return told("the upload address is not a valid address; it must look like https://host/path");
  if (parts.scheme != "https") return told("the upload address must start with https://, not " + parts.scheme.substr(0, 20) + "://");
  if (!parts.user.empty()) return told("the upload address must not contain a user name or password; give a token by --token-file or an environment variable");
  return url;
}

std::string shown_url(const std::string& url) {
  UrlParts p;
  return parse(url, p) ? p.scheme + "://" + p.host + (p.port.empty() ? "" : ":" + p.port) + p.path : "the address";
}

Result<std::string> checked_token(std::string token) {
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) token.pop_back();
  if (token.empty()) return told("the token is empty");
  if (token.size() > 8192) return told("the token is longer than 8192 bytes");
  for (unsigned char c : token) {
    if (c <= 0x20 || c >= 0x7f) return told("the token must be one line of printable characters without blanks");
  }
  return token;
}

Result<Uploaded> upload(const UploadRequest& r, const UploadProgress& progress, const std::atomic<bool>& stop) {
  if (Result<std::string> url = checked_url(r.url); !url) return url.problem();
  static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (ready != CURLE_OK) return told("libcurl cannot start");
  double pause = r.first_wait_s;
  for (int number = 1;; ++number, pause *= 2.0) {
    Attempt a{r, progress, stop, number, 0, 0, ""};
    const Answer answer = try_once(r, a);
    if (accepted(answer)) return Uploaded{answer.status, number};
    if (stop) return told("upload to " + shown_url(r.url) + " was interrupted");
    if (number >= r.tries || !worth_another_try(answer)) {
      return told("upload to " + shown_url(r.url) + " failed after " + std::to_string(number) + (number == 1 ? " try: " : " tries: ") + reason(answer));
    }
    wait(std::min(std::max(pause, static_cast<double>(answer.retry_after_s)), r.longest_wait_s), stop);
  }
}

}  // namespace gpuplan::probe
