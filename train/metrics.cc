#include "train/metrics.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace dealer {
namespace {

std::string json_name(const std::string& name) {
  try {
    return nlohmann::json(name).dump();
  } catch (const nlohmann::json::exception&) {
    throw std::invalid_argument("the name of a metric is no UTF-8 text");
  }
}

}  // namespace

Metrics::Metrics(AppendFile& lines, EventWriter& events, std::shared_ptr<spdlog::logger> log)
    : lines_(lines), events_(events), log_(std::move(log)) {}

void Metrics::record(std::int64_t step, std::span<const Metric> metrics) {
  std::string line = fmt::format("{{\"step\":{}", step);
  std::set<std::string> names = {"step"};
  for (const auto& [name, value] : metrics) {
    if (!names.insert(name).second) throw std::invalid_argument("metric '" + name + "' is recorded twice in one step");
    line += "," + json_name(name) + ":" + (std::isfinite(value) ? fmt::format("{}", value) : "null");
  }
  for (const Metric& metric : metrics) watch(step, metric);
  lines_.append(line + "}\n");
  events_.scalars(step, metrics);
}

void Metrics::watch(std::int64_t step, const Metric& metric) {
  const auto& [name, value] = metric;
  if (std::isfinite(value)) {
    not_finite_.erase(name);
  } else if (not_finite_.insert(name).second) {
    log_->warn("step {}: {} is {}", step, name, value);
  }
}

}  // namespace dealer
