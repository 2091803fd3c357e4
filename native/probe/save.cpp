#include "native/probe/save.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gpuplan::probe {
namespace {

std::string because(const std::string& path) { return "cannot write " + path + ": " + std::strerror(errno); }
std::string beside(const std::string& path) { return path + ".part-" + std::to_string(getpid()); }

int open_new(const std::string& path) { return open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644); }

bool write_all(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = write(file, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return fsync(file) == 0;
}

}  // namespace

std::optional<std::string> cannot_write(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) return "cannot write " + path + ": it is not a plain file";
  const int file = open_new(beside(path));
  if (file < 0) return because(path);
  close(file);
  unlink(beside(path).c_str());
  return {};
}

std::optional<std::string> write_whole(const std::string& path, const std::string& text) {
  const std::string part = beside(path);
  const int file = open_new(part);
  if (file < 0) return because(path);
  const bool written = write_all(file, text);
  if (close(file) == 0 && written && std::rename(part.c_str(), path.c_str()) == 0) return {};
  const std::string problem = because(path);
  unlink(part.c_str());
  return problem;
}

Result<std::string> read_small(const std::string& path, std::size_t most) {
  std::ifstream in(path, std::ios::binary);
  std::string text(most + 1, '\0');
  if (!in) return Problem{"", ProblemCode::missing_field, "cannot read " + path + ": " + std::strerror(errno), {}};
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad()) return Problem{"", ProblemCode::missing_field, "cannot read " + path, {}};
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > most) return Problem{"", ProblemCode::too_large, path + " is larger than " + std::to_string(most) + " bytes", {}};
  return text;
}

}  // namespace gpuplan::probe
