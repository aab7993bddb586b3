#include "arena/studies/seven_hand/groups.h"

#include <algorithm>
#include <utility>

#include "arena/studies/seven_hand/kinds.h"
#include "arena/studies/seven_hand/responses.h"
#include "env/core/at.h"

namespace dealer::studies::seven_hand {
namespace {

constexpr double taken(std::uint8_t outcome) {
  return outcome == Laying::kTaken ? 1 : outcome == Laying::kTied ? 0.5 : 0;
}

void add_group(Figure& to, std::int64_t deal, std::uint8_t outcome, double strength, double points) {
  to["showdowns"].add(deal, when(outcome != Laying::kUnseen));
  to["strength"].add(deal, strength);
  to["points"].add(deal, points);
  if (outcome == Laying::kUnseen) return;
  to["takes"].add(deal, taken(outcome));
  to["beyond"].add(deal, taken(outcome) - strength);
}

}  // namespace

GroupCounter::Group GroupCounter::group_of(std::int64_t deal, const Laying& laying, double points) {
  return {static_cast<std::int32_t>(deal), evaluate(laying.cards), static_cast<std::uint8_t>(laying.count()),
          static_cast<std::uint8_t>(laying.outcome), static_cast<float>(points)};
}

void GroupCounter::add(std::int64_t deal, const Laying& laying, double points) {
  groups_.push_back(group_of(deal, laying, points));
}

void GroupCounter::add_response(std::int64_t deal, const Laying& laying, double points) {
  responses_.push_back(group_of(deal, laying, points));
}

int GroupCounter::quarter_of(const Group& group, const OfNumber& of_number) {
  const EmpiricalCdf<HandRank>& groups = of_number[at(group.count - 1)];
  const double place = groups.size() == 0 ? 1 : groups.below(group.rank);
  return std::min(static_cast<int>(place * kQuarters), kQuarters - 1);
}

void GroupCounter::count_responses(const OfNumber& of_number, Figure& classes) const {
  // Both are sorted by deal, and the cases of a deal must be added together.
  auto self = groups_.begin(), response = responses_.begin();
  while (self != groups_.end() || response != responses_.end()) {
    const bool next = self == groups_.end() || (response != responses_.end() && response->deal < self->deal);
    const Group& group = next ? *response++ : *self++;
    const std::string_view of = class_of(group.count, quarter_of(group, of_number));
    if (!of.empty()) add_fare(classes[of], group.deal, next, group.points);
  }
}

void GroupCounter::count(Figure& figures) const {
  std::array<std::vector<HandRank>, kMostLaid + 1> ranks;  // by number of cards; 0: all
  for (const Group& group : groups_)
    for (const std::uint8_t number : {std::uint8_t{0}, group.count}) ranks[number].push_back(group.rank);
  const EmpiricalCdf<HandRank> all(std::move(ranks[0]));
  OfNumber of_number;
  for (std::size_t i = 0; i < of_number.size(); ++i) of_number[i] = EmpiricalCdf<HandRank>(std::move(ranks[i + 1]));

  const Figure group_figures = object({{"share", share()},
                                       {"showdowns", share()},
                                       {"strength", mean(Unit::kPercent)},
                                       {"takes", share()},
                                       {"beyond", mean(Unit::kPercentagePoints)},
                                       {"points", mean()}});
  figures.set("groups", list(kMostLaid, list(kQuarters, group_figures)));
  figures.set("classes", by_name(group_classes(), group_figures));
  Figure &groups = figures["groups"], &classes = figures["classes"], &differences = figures["differences"];
  for (const Group& group : groups_) {
    const double strength = all.below(group.rank);
    const int quarter = quarter_of(group, of_number);
    const std::string_view of = class_of(group.count, quarter);
    for (int n = 1; n <= kMostLaid; ++n) groups[n - 1].choose(group.deal, n == group.count ? quarter : -1, "share");
    classes.choose(group.deal, of, "share");
    add_group(groups[group.count - 1][quarter], group.deal, group.outcome, strength, group.points);
    if (of.empty()) continue;
    add_group(classes[of], group.deal, group.outcome, strength, group.points);
    if (quarter == 0)
      differences["points_many_few_weak"].compare(group.deal, is_many(group.count), group.points);
    else
      differences["points_few_many_strong"].compare(group.deal, is_few(group.count), group.points);
  }
  if (!figures["responses"].is_null()) count_responses(of_number, figures["responses"]["classes"]);
}

}  // namespace dealer::studies::seven_hand
