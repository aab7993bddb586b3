#include "arena/studies/sweep/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "arena/report/sentences.h"
#include "env/core/numbers.h"

namespace dealer::studies {
namespace {

using Json = nlohmann::ordered_json;

// Null if missing.
const Json* find(const Json& json, std::string_view pointer) {
  const Json::json_pointer path{std::string(pointer)};
  return json.contains(path) ? &json.at(path) : nullptr;
}

Estimate estimate_of(const Json* json, const Headline& headline) {
  Estimate estimate;
  if (headline.written != Unit::kNumber) {
    estimate.least = headline.written == Unit::kPercent ? 0 : -1;
    estimate.most = 1;
  }
  if (json == nullptr) return estimate;
  if (json->is_number()) return {json->get<double>(), 0, 1};
  if (!json->is_object() || !json->contains("value") || (*json)["value"].is_null()) return estimate;
  estimate.value = (*json)["value"];
  estimate.count = (*json)["n"];
  if (!(*json)["ci95"].is_null()) estimate.ci95 = (*json)["ci95"];
  return estimate;
}

// The name of a list item: the game before the rule was set, or the deck common to all values.
std::string name_of_item(const Sweep& sweep, const std::vector<Json>& results, std::string_view list,
                         std::size_t item) {
  const bool of_games = list == "/games";
  const auto has_it = [&](const SweepValue& value) {
    return item < value.tables.size() && value.tables[item].label == sweep.values.front().tables[item].label;
  };
  if (of_games && item < sweep.values.front().tables.size() &&
      std::all_of(sweep.values.begin(), sweep.values.end(), has_it))
    return sweep.values.front().tables[item].label;
  const std::string name(list.substr(1, list.size() - 2));
  std::optional<std::string> same;
  for (const Json& of : results) {
    const Json* const found = find(of["figures"], fmt::format("{}/{}/{}", list, item, name));
    if (found == nullptr || !found->is_string() || (same && *same != found->get_ref<const std::string&>()))
      return fmt::format("{} {}", name, item + 1);
    same = found->get<std::string>();
  }
  return same.value_or("");
}

bool is_exact(const Estimate& estimate) { return estimate.count > 0 && estimate.ci95 == 0; }

// "3", "0.25"
std::string exactly(double value, Unit unit) {
  const double shown = unit == Unit::kNumber ? value : 100 * value;
  return fixed(shown, shown == std::round(shown) ? 0 : 2) + (unit == Unit::kNumber ? "" : "%");
}

// "10.4 ± 0.2 points"
std::string with_unit(const Estimate& estimate, const Headline& headline) {
  const std::string text = text_of(estimate, headline);
  return headline.unit.empty() ? text : fmt::format("{} {}", text, headline.unit);
}

// For two shares in percentage points.
std::string difference_text(const Estimate& estimate, const Headline& headline) {
  if (headline.written == Unit::kNumber) return with_unit(estimate, headline);
  return is_exact(estimate) ? exactly(100 * estimate.value, Unit::kNumber) + " percentage points"
                            : percentage_points(estimate);
}

// "rises", "falls", or empty: for monotone figures.
std::string_view schedule_of(const std::vector<Estimate>& values) {
  const auto goes = [&](auto&& less) {
    for (std::size_t i = 1; i < values.size(); ++i)
      if (values[i].count == 0 || values[i - 1].count == 0 || !less(values[i - 1].value, values[i].value)) return false;
    return true;
  };
  if (goes([](double a, double b) { return a < b; })) return "rises";
  if (goes([](double a, double b) { return a > b; })) return "falls";
  return {};
}

void say(const Sweep& sweep, const SweepFigure& figure, Sentences& out) {
  const Headline& headline = figure.headline;
  const Extremes extremes = extremes_of(figure.values);
  if (extremes.apart.count == 0) return;
  const Estimate &least = figure.values[extremes.least], &most = figure.values[extremes.most];
  const std::string &low = sweep.values[extremes.least].value, &high = sweep.values[extremes.most].value;
  const std::string of = figure.of.empty() ? "" : figure.of + " – ";
  const bool exact = least.ci95 == 0 && most.ci95 == 0;
  if (exact && least.value == most.value)
    return out.add(fmt::format("{}{}: the same with all values, {}.", of, headline.title, with_unit(most, headline)),
                   false);
  const std::string both =
      fmt::format("least with {}, {}, and most with {}, {}; they differ by {}", low, with_unit(least, headline), high,
                  with_unit(most, headline), difference_text(extremes.apart, headline));
  if (!extremes.apart.above(0))
    return out.add(fmt::format("{}{}: no difference was seen: {}.", of, headline.title, both), false);
  const std::string_view schedule = ascending_numbers(sweep).empty() ? "" : schedule_of(figure.values);
  out.add(fmt::format("{}{}: {}{}.", of, headline.title,
                      schedule.empty() ? "" : fmt::format("{} from value to value; ", schedule), both));
}

}  // namespace

std::vector<SweepFigure> figures_of(const Sweep& sweep, const std::vector<Json>& results) {
  std::vector<SweepFigure> figures;
  if (results.empty()) return figures;
  const auto kind = study_kinds().find(results.front()["study"].get<std::string>());
  // Game by game, the headlines of each list in order.
  std::vector<std::string_view> lists;
  for (const Headline& headline : kind->second.headlines)
    if (std::find(lists.begin(), lists.end(), headline.list) == lists.end()) lists.push_back(headline.list);
  for (const std::string_view list : lists) {
    std::size_t items = 1;
    if (!list.empty())
      for (const Json& of : results)
        if (const Json* const found = find(of["figures"], list)) items = std::max(items, found->size());
    for (std::size_t item = 0; item < items; ++item) {
      const std::string name = items > 1 ? name_of_item(sweep, results, list, item) : "";
      const std::string at = list.empty() ? "" : fmt::format("{}/{}", list, item);
      for (const Headline& headline : kind->second.headlines) {
        if (headline.list != list) continue;
        SweepFigure& figure = figures.emplace_back(SweepFigure{name, headline, {}});
        for (const Json& of : results)
          figure.values.push_back(estimate_of(find(of["figures"], at + std::string(headline.pointer)), headline));
      }
    }
  }
  return figures;
}

std::vector<double> ascending_numbers(const Sweep& sweep) {
  std::vector<double> numbers;
  for (const SweepValue& value : sweep.values) {
    const std::optional<double> number = number_in<double>(value.value);
    if (!number || !std::isfinite(*number) || (!numbers.empty() && *number <= numbers.back())) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

std::string text_of(const Estimate& estimate, const Headline& headline) {
  return is_exact(estimate) ? exactly(estimate.value, headline.written) : text_of(estimate, headline.written);
}

double widening(std::size_t values) {
  // The 95% points of the range of n normal values, in standard deviations (Tukey's studentized range with infinite
  // degrees of freedom); two touching intervals of 1.96 each are 3.92 apart.
  constexpr std::array<double, 21> kRange = {0,    0,    2.77, 3.31, 3.63, 3.86, 4.03, 4.17, 4.29, 4.39, 4.47,
                                             4.55, 4.62, 4.68, 4.74, 4.80, 4.85, 4.89, 4.93, 4.97, 5.01};
  return std::max(1.0, kRange.at(std::min(values, kRange.size() - 1)) / 3.92);
}

Extremes extremes_of(const std::vector<Estimate>& values) {
  Extremes extremes;
  std::size_t known = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i].known()) continue;
    if (known++ == 0) extremes.least = extremes.most = i;
    if (values[i].value < values[extremes.least].value) extremes.least = i;
    if (values[i].value > values[extremes.most].value) extremes.most = i;
  }
  if (known < 2) return extremes;
  const Estimate &least = values[extremes.least], &most = values[extremes.most];
  // Values share their deals, so their figures may be correlated: the sum of intervals is valid in any case.
  extremes.apart = {most.value - least.value, (most.ci95 + least.ci95) * widening(known), least.count + most.count};
  return extremes;
}

std::vector<std::string> conclusions_of(const Sweep& sweep, const std::vector<SweepFigure>& figures) {
  Sentences sentences;
  for (const SweepFigure& figure : figures) say(sweep, figure, sentences);
  return sentences.take();
}

}  // namespace dealer::studies
