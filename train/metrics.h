#pragma once

#include <spdlog/logger.h>

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "train/append_file.h"
#include "train/tensorboard.h"

namespace dealer {

using Metric = std::pair<std::string, double>;

// File name in a run folder.
inline constexpr const char* kMetricsFile = "metrics.jsonl";

// Writes the metrics of a run to metrics.jsonl and TensorBoard. A line of JSON is {"step":7,"loss":0.1}: names in the
// order given, nothing that differs between runs unless the caller records it. NaN and infinities become null, with a
// warning in the log at a name's first one.
class Metrics {
 public:
  // `lines` and `events` must outlive this object.
  Metrics(AppendFile& lines, EventWriter& events, std::shared_ptr<spdlog::logger> log);

  // TensorBoard's axis counts `hands`; an interval (NAME_ci95 beside NAME) becomes two more metrics, NAME_low and
  // NAME_high; final results are left out, being charts of one point. Names are unique, UTF-8 and not "step"; throws
  // std::invalid_argument otherwise, FileError when writing fails.
  void record(std::int64_t step, std::int64_t hands, std::span<const Metric> metrics);
  void record(std::int64_t step, std::int64_t hands, std::initializer_list<Metric> metrics) {
    record(step, hands, std::span(metrics.begin(), metrics.size()));
  }

 private:
  void watch(std::int64_t step, const Metric& metric);

  AppendFile& lines_;
  EventWriter& events_;
  std::shared_ptr<spdlog::logger> log_;
  std::set<std::string> not_finite_;
};

// A line of metrics.jsonl.
struct MetricLine {
  std::int64_t step = 0;
  std::vector<Metric> metrics;  // null is NaN
  // NaN if there is no such metric.
  double find(std::string_view name) const;
};
// All lines of a run, without a last one that is still being written. Throws FileError, also, naming the line, if it is
// no line of metrics.
std::vector<MetricLine> read_metrics(const std::filesystem::path& run);

}  // namespace dealer
