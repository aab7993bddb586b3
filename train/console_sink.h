#pragma once

#include <spdlog/sinks/base_sink.h>

#include <mutex>

namespace dealer {

// Log lines on stderr ("warning: …") that share it with a progress bar: on a terminal the bar's line is wiped first.
class ConsoleSink : public spdlog::sinks::base_sink<std::mutex> {
 protected:
  void sink_it_(const spdlog::details::log_msg& message) override;
  void flush_() override;
};

}  // namespace dealer
