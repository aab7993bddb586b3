#include "arena/studies/court/odds.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "env/hands/census.h"

namespace dealer::studies::court {
namespace {

void set_places(std::vector<Step>& steps) {
  std::vector<std::size_t> order(steps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return steps[a].share > steps[b].share; });
  for (std::size_t i = 0; i < order.size(); ++i) steps[order[i]].place = static_cast<int>(i) + 1;
}

// Pairs that are in one order before and in the other after.
std::vector<Contradiction> swapped_between(const std::vector<Step>& before, const std::vector<Step>& after) {
  std::vector<Contradiction> swapped;
  for (std::size_t weaker = 0; weaker < before.size(); ++weaker)
    for (std::size_t stronger = weaker + 1; stronger < before.size(); ++stronger) {
      const double was = before[weaker].share - before[stronger].share,
                   is = after[weaker].share - after[stronger].share;
      if ((was > 0 && is < 0) || (was < 0 && is > 0)) swapped.push_back({weaker, stronger});
    }
  return swapped;
}

}  // namespace

std::vector<Step> steps_of(std::span<const double> shares) {
  std::vector<Step> steps(shares.size());
  double weaker = 1;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    Step& step = steps[i];
    step.share = shares[i];
    if (step.share <= 0) continue;
    step.rarity = -std::log10(step.share);
    step.ratio = weaker / step.share;
    step.verdict = verdict(*step.ratio, *step.rarity);
    weaker = step.share;
  }
  set_places(steps);
  return steps;
}

std::vector<Contradiction> contradictions_of(const std::vector<Step>& steps) {
  std::vector<Contradiction> found;
  for (std::size_t weaker = 0; weaker < steps.size(); ++weaker)
    for (std::size_t stronger = weaker + 1; stronger < steps.size(); ++stronger)
      if (steps[weaker].share > 0 && steps[stronger].share > steps[weaker].share) found.push_back({weaker, stronger});
  return found;
}

Verdicts verdicts_of(const std::vector<Step>& steps) {
  Verdicts verdicts;
  for (const Step& step : steps) {
    verdicts.categories += step.ratio ? 1 : 0;
    verdicts.xxx += step.verdict == "XXX" ? 1 : 0;
    verdicts.xx += step.verdict == "XX" ? 1 : 0;
    verdicts.x += step.verdict == "X" ? 1 : 0;
  }
  return verdicts;
}

Order order_of(std::vector<Step> steps) {
  Order order;
  order.contradictions = contradictions_of(steps);
  order.verdicts = verdicts_of(steps);
  order.steps = std::move(steps);
  return order;
}

DeckOdds deck_odds(const Evaluator& evaluator, std::int64_t samples, std::uint64_t seed) {
  const Census census = take_census(evaluator, 5);
  const DrawOdds draw = draw_odds(evaluator, {.at_least = {}, .samples = samples, .seed = seed, .progress = {}});
  DeckOdds odds;
  odds.deck = evaluator.deck().name();
  odds.ranking = evaluator.ranking().name();
  odds.court = evaluator.deck().is_court();
  odds.cards = evaluator.deck().cards_in_play();
  odds.hands = census.total;
  odds.samples = draw.samples;
  odds.strength_dealt = draw.goal_dealt.mean;
  odds.strength = draw.goal.mean;
  std::transform(draw.discarded.begin(), draw.discarded.end(), odds.discarded.begin(),
                 [](const dealer::Estimate& share) { return share.mean; });
  std::vector<double> dealt, drawn;
  for (const CensusRow& row : census.rows) {
    odds.names.emplace_back(row.code, row.name);
    odds.counts.push_back(row.weight / census.scale);
    dealt.push_back(row.count / static_cast<double>(census.total));
  }
  for (const DrawOdds::Row& row : draw.rows) drawn.push_back(row.drawn.mean);
  odds.dealt = order_of(steps_of(dealt));
  std::vector<Step> after = steps_of(drawn);
  for (std::size_t i = 0; i < after.size(); ++i) after[i].ci95 = draw.rows[i].drawn.ci95;
  odds.drawn = order_of(std::move(after));
  odds.swapped = swapped_between(odds.dealt.steps, odds.drawn.steps);
  return odds;
}

}  // namespace dealer::studies::court
