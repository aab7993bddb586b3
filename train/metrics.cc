#include "train/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "env/core/error.h"
#include "env/core/files.h"

namespace dealer {
namespace {

constexpr std::string_view kInterval = "_ci95";

std::string json_name(const std::string& name) {
  try {
    return nlohmann::json(name).dump();
  } catch (const nlohmann::json::exception&) {
    throw std::invalid_argument("the name of a metric is not UTF-8 text");
  }
}

std::vector<Metric> in_tensorboard(std::span<const Metric> metrics) {
  std::vector<Metric> shown;
  for (const auto& [name, value] : metrics) {
    if (name == "hands" || name.starts_with("final/")) continue;
    if (!name.ends_with(kInterval)) {
      shown.emplace_back(name, value);
      continue;
    }
    const std::string of = name.substr(0, name.size() - kInterval.size());
    const auto middle = std::ranges::find(metrics, of, &Metric::first);
    if (middle == metrics.end() || !std::isfinite(value)) continue;
    shown.emplace_back(of + std::string(kLow), middle->second - value);
    shown.emplace_back(of + std::string(kHigh), middle->second + value);
  }
  return shown;
}

}  // namespace

Metrics::Metrics(AppendFile& lines, EventWriter& events, std::shared_ptr<spdlog::logger> log)
    : lines_(lines), events_(events), log_(std::move(log)) {}

void Metrics::record(std::int64_t step, std::int64_t hands, std::span<const Metric> metrics) {
  std::string line = fmt::format("{{\"step\":{}", step);
  std::set<std::string> names = {"step"};
  for (const auto& [name, value] : metrics) {
    if (!names.insert(name).second) throw std::invalid_argument("metric '" + name + "' is recorded twice in one step");
    line += "," + json_name(name) + ":" + (std::isfinite(value) ? fmt::format("{}", value) : "null");
  }
  for (const Metric& metric : metrics) watch(step, metric);
  lines_.append(line + "}\n");
  events_.scalars(hands, in_tensorboard(metrics));
}

double MetricLine::find(std::string_view name) const {
  const auto found = std::ranges::find(metrics, name, &Metric::first);
  return found == metrics.end() ? std::nan("") : found->second;
}

std::vector<MetricLine> read_metrics(const std::filesystem::path& run) {
  const std::filesystem::path file = run / kMetricsFile;
  const std::string bytes = read_file(file);
  std::vector<MetricLine> lines;
  for (std::size_t begin = 0, end; (end = bytes.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const auto json = nlohmann::ordered_json::parse(bytes.substr(begin, end - begin), nullptr, false);
    const auto number = [](const auto& value) { return value.is_number() || value.is_null(); };
    if (!json.is_object() || !json.contains("step") || !json["step"].is_number_integer() ||
        !std::all_of(json.begin(), json.end(), number))
      throw FileError(fmt::format("{}:{}: this is not a line of metrics", file.string(), lines.size() + 1));
    MetricLine& line = lines.emplace_back();
    for (const auto& [name, value] : json.items()) {
      if (name == "step")
        line.step = value.get<std::int64_t>();
      else
        line.metrics.emplace_back(name, value.is_null() ? std::nan("") : value.get<double>());
    }
  }
  return lines;
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
