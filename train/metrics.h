#pragma once

#include <spdlog/logger.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "train/append_file.h"
#include "train/tensorboard.h"

namespace dealer {

using Metric = std::pair<std::string, double>;

// Figures of a run, to metrics.jsonl and TensorBoard together. A line of JSON is {"step":7,"loss":0.1}: the names in
// the order given, nothing that differs from run to run unless the caller records it. NaN and infinities become null,
// with a warning in the log when a name turns so.
class Metrics {
 public:
  // `lines` and `events` must outlive this.
  Metrics(AppendFile& lines, EventWriter& events, std::shared_ptr<spdlog::logger> log);

  // Names are unique, UTF-8 and not "step"; throws std::invalid_argument otherwise, FileError when writing fails.
  void record(std::int64_t step, std::span<const Metric> metrics);
  void record(std::int64_t step, std::initializer_list<Metric> metrics) {
    record(step, std::span(metrics.begin(), metrics.size()));
  }

 private:
  void watch(std::int64_t step, const Metric& metric);

  AppendFile& lines_;
  EventWriter& events_;
  std::shared_ptr<spdlog::logger> log_;
  std::set<std::string> not_finite_;
};

}  // namespace dealer
