#include "train/console_sink.h"

#include <unistd.h>

#include <cstdio>
#include <string>

namespace dealer {

void ConsoleSink::sink_it_(const spdlog::details::log_msg& message) {
  std::string line = ::isatty(STDERR_FILENO) != 0 ? "\r\x1b[K" : "";
  const auto level = spdlog::level::to_string_view(message.level);
  line.append(level.data(), level.size()).append(": ");
  line.append(message.payload.data(), message.payload.size()).append("\n");
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void ConsoleSink::flush_() { std::fflush(stderr); }

}  // namespace dealer
