#include "cli/output.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
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

std::string half_width_text(double half_width) {
  return std::isfinite(half_width) ? fmt::format("{:.3f}", half_width) : "unknown";
}

std::string gain_text(std::string_view response, std::string_view against, double gain, double ci95,
                      std::string_view unit) {
  const std::string amount = fmt::format("{:.3f} ± {} {} a hand", gain, half_width_text(ci95), unit);
  return gain > ci95 ? fmt::format("{} exploits {} for {}: a lower bound on the exploitability of {}", response,
                                   against, amount, against)
                     : fmt::format("{} wins {} from {}: no gain is certain", response, amount, against);
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
