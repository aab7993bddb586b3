#include "arena/studies/seven_hand/groups.h"

#include <algorithm>

#include "arena/studies/estimate.h"
#include "env/core/at.h"

namespace dealer::studies::seven_hand {
namespace {

constexpr double taken(std::uint8_t outcome) {
  return outcome == Laying::kTaken ? 1 : outcome == Laying::kTied ? 0.5 : 0;
}

struct Means {
  DealMean share, showdowns, strength, takes, beyond, points;

  void add(std::int64_t deal, std::uint8_t outcome, double how_strong, double won) {
    showdowns.add(deal, when(outcome != Laying::kUnseen));
    strength.add(deal, how_strong);
    points.add(deal, won);
    if (outcome == Laying::kUnseen) return;
    takes.add(deal, taken(outcome));
    beyond.add(deal, taken(outcome) - how_strong);
  }
  GroupFigures read() const {
    return {share.share(), showdowns.share(), strength.estimate(), takes.share(), beyond.estimate(), points.estimate()};
  }
};

}  // namespace

void Percentiles::add(HandRank rank) {
  if (below_.size() <= rank) below_.resize(rank + std::size_t{1});
  ++below_[rank];
}

void Percentiles::finish() {
  double weaker = 0;
  for (double& place : below_) {
    const double equal = place;
    place = weaker + equal / 2;
    weaker += equal;
  }
  for (double& place : below_) place /= weaker;
}

GroupTally::Group GroupTally::group_of(std::int64_t deal, const Laying& laying, double points) {
  return {static_cast<std::int32_t>(deal), evaluate(laying.cards), static_cast<std::uint8_t>(laying.count()),
          static_cast<std::uint8_t>(laying.outcome), static_cast<float>(points)};
}

void GroupTally::add(std::int64_t deal, const Laying& laying, double points) {
  groups_.push_back(group_of(deal, laying, points));
}

void GroupTally::add_response(std::int64_t deal, const Laying& laying, double points) {
  responses_.push_back(group_of(deal, laying, points));
}

int GroupTally::quarter_of(const Group& group, const OfNumber& of_number) {
  const double place = of_number[at(group.count - 1)].of(group.rank);
  return std::min(static_cast<int>(place * kQuarters), kQuarters - 1);
}

void GroupTally::read_responses(const OfNumber& of_number, Figures& figures) const {
  std::array<DealMean, kGroupClasses> points;
  std::array<ClusterDifference, kGroupClasses> less;
  // Both are in the order of the deals, and a deal's must come together.
  auto self = groups_.begin(), response = responses_.begin();
  while (self != groups_.end() || response != responses_.end()) {
    const bool next = self == groups_.end() || (response != responses_.end() && response->deal < self->deal);
    const Group& group = next ? *response++ : *self++;
    const GroupClass of = class_of(group.count, quarter_of(group, of_number));
    if (of == kGroupClasses) continue;
    if (next) {
      points[at(of)].add(group.deal, group.points);
      less[at(of)].add_first(group.deal, group.points);
    } else {
      less[at(of)].add_second(group.deal, group.points);
    }
  }
  for (std::size_t k = 0; k < kGroupClasses; ++k)
    figures.responses.classes[k] = {points[k].estimate(), less[k].estimate()};
}

void GroupTally::read(Figures& figures) const {
  Percentiles all;
  OfNumber of_number;
  for (const Group& group : groups_) {
    all.add(group.rank);
    of_number[at(group.count - 1)].add(group.rank);
  }
  all.finish();
  for (Percentiles& percentiles : of_number) percentiles.finish();

  std::array<std::array<Means, kQuarters>, kMostLaid> means;
  std::array<Means, kGroupClasses> classes;
  ClusterDifference weak, strong;
  for (const Group& group : groups_) {
    const double strength = all.of(group.rank);
    const int quarter = quarter_of(group, of_number);
    const GroupClass of = class_of(group.count, quarter);
    for (int n = 1; n <= kMostLaid; ++n)
      for (int q = 0; q < kQuarters; ++q)
        means[at(n - 1)][at(q)].share.add(group.deal, when(n == group.count && q == quarter));
    for (int k = 0; k < kGroupClasses; ++k) classes[at(k)].share.add(group.deal, when(k == of));
    means[at(group.count - 1)][at(quarter)].add(group.deal, group.outcome, strength, group.points);
    if (of != kGroupClasses) classes[at(of)].add(group.deal, group.outcome, strength, group.points);
    if (of == kManyWeak) weak.add_first(group.deal, group.points);
    if (of == kFewWeak) weak.add_second(group.deal, group.points);
    if (of == kFewStrong) strong.add_first(group.deal, group.points);
    if (of == kManyStrong) strong.add_second(group.deal, group.points);
  }
  for (std::size_t n = 0; n < kMostLaid; ++n)
    for (std::size_t q = 0; q < kQuarters; ++q) figures.groups[n][q] = means[n][q].read();
  for (std::size_t k = 0; k < kGroupClasses; ++k) figures.classes[k] = classes[k].read();
  figures.points_many_few_weak = weak.estimate();
  figures.points_few_many_strong = strong.estimate();
  read_responses(of_number, figures);
}

}  // namespace dealer::studies::seven_hand
