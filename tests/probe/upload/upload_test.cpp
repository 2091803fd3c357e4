// Against upload_server.py; started by upload_test.py, which makes the certificates and says where the servers are.
#include "native/probe/upload.hpp"

#include <chrono>
#include <cstdlib>

#include <catch2/catch.hpp>

using namespace gpuplan;
using namespace gpuplan::probe;

namespace {

const std::atomic<bool> never_stop{false};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  REQUIRE(value != nullptr);
  return value;
}

UploadRequest request(const std::string& path) {
  UploadRequest r;
  r.url = "https://127.0.0.1:" + variable("UPLOAD_PORT") + path;
  r.ca_file = variable("UPLOAD_CA");
  r.body = std::string(60000, 'x');
  r.connect_timeout_s = 1.0;
  r.try_timeout_s = 2.0;
  r.stall_timeout_s = 1.0;
  r.first_wait_s = 0.02;
  r.tries = 3;
  return r;
}

struct Timed { Result<Uploaded> result; double seconds; };
Timed timed(const UploadRequest& r) {
  const auto start = std::chrono::steady_clock::now();
  Result<Uploaded> result = upload(r, nullptr, never_stop);
  return {std::move(result), std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
}
std::string problem(const std::string& path) {
  const Result<Uploaded> r = upload(request(path), nullptr, never_stop);
  REQUIRE_FALSE(r);
  return r.problem().message;
}
bool says(const std::string& message, const std::string& part) { return message.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a good server takes the profile at the first try, by PUT and by POST") {
  for (bool post : {false, true}) {
    UploadRequest r = request("/ok");
    r.post = post;
    const Result<Uploaded> done = upload(r, nullptr, never_stop);
    REQUIRE(done);
    CHECK(done->status == 201);
    CHECK(done->tries == 1);
  }
}

TEST_CASE("a server that is busy for a moment is asked again") {
  const Result<Uploaded> done = upload(request("/flaky/a/2"), nullptr, never_stop);
  REQUIRE(done);
  CHECK(done->tries == 3);
  CHECK(says(problem("/flaky/b/99"), "failed after 3 tries: the server answered 503"));
}

TEST_CASE("Retry-After is honoured") {
  const Timed t = timed(request("/busy/a"));
  REQUIRE(t.result);
  CHECK(t.seconds >= 1.0);
  CHECK(t.seconds < 3.0);
}

TEST_CASE("a connection that drops half-way is tried again from the start") {
  const Result<Uploaded> done = upload(request("/drop/a/1"), nullptr, never_stop);
  REQUIRE(done);
  CHECK(done->tries == 2);
  CHECK(says(problem("/drop/b/99"), "failed after 3 tries"));
}

TEST_CASE("a slow server is waited for") { CHECK(upload(request("/slow"), nullptr, never_stop)); }

TEST_CASE("a server that never answers costs no more than the tries' time") {
  UploadRequest r = request("/never");
  r.tries = 2;
  const Timed t = timed(r);
  REQUIRE_FALSE(t.result);
  CHECK(t.seconds < 6.0);
  CHECK(says(t.result.problem().message, "failed after 2 tries"));
}

TEST_CASE("an answer that trickles in is cut off") {
  UploadRequest r = request("/trickle");
  r.tries = 1;
  const Timed t = timed(r);
  CHECK_FALSE(t.result);
  CHECK(t.seconds < 4.0);
}

TEST_CASE("an endless answer is not read to its end") {
  const Timed t = timed(request("/endless"));
  CHECK(t.result);  // the status was 200
  CHECK(t.seconds < 2.0);
}

TEST_CASE("redirects are followed with method and body, three at most, to https alone") {
  for (const char* code : {"301", "302", "307", "308"}) {
    for (bool post : {false, true}) {
      UploadRequest r = request(std::string("/redirect/2/") + code);
      r.post = post;
      INFO(code << (post ? " POST" : " PUT"));
      CHECK(upload(r, nullptr, never_stop));
    }
  }
  CHECK(says(problem("/redirect/4/307"), "redirected more than 3 times"));
  CHECK(says(problem("/loop"), "redirected more than 3 times"));
  CHECK(says(problem("/to-http"), "not https"));
}

TEST_CASE("client errors are final and told with the server's words, cleaned") {
  for (const char* status : {"400", "401", "403", "404", "409", "413"}) {
    const std::string message = problem(std::string("/status/") + status);
    CHECK(says(message, "failed after 1 try: the server answered " + std::string(status)));
    CHECK(says(message, "the reason"));
    CHECK_FALSE(says(message, "\x1b"));
    CHECK_FALSE(says(message, "second line"));
  }
  CHECK(says(problem("/status/304"), "answered 304"));
  CHECK(says(problem("/status/501"), "failed after 1 try"));
}

TEST_CASE("server errors are tried again, then told") {
  for (const char* status : {"500", "502", "503"}) CHECK(says(problem(std::string("/status/") + status), "failed after 3 tries"));
}

TEST_CASE("a certificate that is not trusted, or for another name, is refused at once") {
  UploadRequest r = request("/ok");
  r.ca_file = variable("WRONG_NAME_CA");
  CHECK(says(upload(r, nullptr, never_stop).problem().message, "failed after 1 try: the server's certificate is not trusted"));
  r = request("/ok");
  r.url = "https://127.0.0.1:" + variable("WRONG_NAME_PORT") + "/ok";
  r.ca_file = variable("WRONG_NAME_CA");
  CHECK(says(upload(r, nullptr, never_stop).problem().message, "failed after 1 try: the server's certificate is not trusted"));
  r.ca_file.clear();
  CHECK_FALSE(upload(r, nullptr, never_stop));
}

TEST_CASE("nobody listens: told after the tries") {
  UploadRequest r = request("/ok");
  r.url = "https://127.0.0.1:1/ok";
  CHECK(says(upload(r, nullptr, never_stop).problem().message, "failed after 3 tries"));
}

TEST_CASE("Ctrl-C ends an upload within a moment") {
  std::atomic<bool> stop{true};
  UploadRequest r = request("/never");
  r.try_timeout_s = 20.0;
  r.stall_timeout_s = 20.0;
  const auto start = std::chrono::steady_clock::now();
  CHECK(says(upload(r, nullptr, stop).problem().message, "interrupted"));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(3));
}

TEST_CASE("addresses are checked and shown without their secrets") {
  CHECK(checked_url("https://example.org/p?x=1"));
  for (const char* bad : {"http://example.org/p", "file:///etc/passwd", "https://u:p@example.org/", "example.org", "", "https://"}) CHECK_FALSE(checked_url(bad));
  CHECK_FALSE(checked_url("https://example.org/" + std::string(9000, 'a')));
  CHECK(shown_url("https://example.org/p?X-Amz-Signature=abc#f") == "https://example.org/p");
}

TEST_CASE("tokens are one printable line") {
  CHECK(*checked_token("abc.def\n") == "abc.def");
  for (const std::string& bad : {std::string(), std::string("\n"), std::string("a b"), std::string("a\r\nX: y"), std::string(9000, 'a'), std::string("a\0b", 3)}) CHECK_FALSE(checked_token(bad));
}
