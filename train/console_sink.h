#pragma once

#include <spdlog/sinks/base_sink.h>

#include <mutex>

namespace dealer {

// Writes log lines to stderr ("warning: …") alongside a progress bar: on a terminal it clears the bar's line first.
class ConsoleSink : public spdlog::sinks::base_sink<std::mutex> {
 protected:
  void sink_it_(const spdlog::details::log_msg& message) override;
  void flush_() override;
};

}  // namespace dealer
