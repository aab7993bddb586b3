#include "cli/output.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>

#include "env/core/error.h"

namespace dealer::cli {
namespace {

[[noreturn]] void output_failed() {
  const int error = errno;
  const std::string message = "cannot write to standard output: " + std::generic_category().message(error);
  if (error == EPIPE) throw ClosedPipe(message);
  throw FileError(message);
}

}  // namespace

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) output_failed();
}

void print_json(const nlohmann::ordered_json& document) {
  print(document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n');
}

void flush_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) output_failed();
}

std::optional<int> output_columns() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

void notify(std::string_view line) noexcept {
  // A single call, so that lines of several threads do not mix: standard error has no buffer.
  try {
    const std::string text = std::string(line) + '\n';
    std::fwrite(text.data(), 1, text.size(), stderr);
  } catch (const std::bad_alloc&) {
    std::fwrite("\n", 1, 1, stderr);
  }
}

}  // namespace dealer::cli
