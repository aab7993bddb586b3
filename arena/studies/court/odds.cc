#include "arena/studies/court/odds.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "env/hands/draw_odds.h"
#include "env/hands/hand_classes.h"

namespace dealer::studies::court {
namespace {

void set_places(std::vector<Step>& steps) {
  std::vector<std::size_t> order(steps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return steps[a].share > steps[b].share; });
  for (std::size_t i = 0; i < order.size(); ++i) steps[order[i]].place = static_cast<int>(i) + 1;
}

// Pairs whose order differs between the two.
std::vector<Contradiction> swapped_between(const std::vector<Step>& before, const std::vector<Step>& after) {
  std::vector<Contradiction> swapped;
  for (std::size_t weaker = 0; weaker < before.size(); ++weaker)
    for (std::size_t stronger = weaker + 1; stronger < before.size(); ++stronger) {
      const double was = before[weaker].share - before[stronger].share,
                   is = after[weaker].share - after[stronger].share, noise = after[weaker].ci95 + after[stronger].ci95;
      if ((was > 0 && is < -noise) || (was < 0 && is > noise)) swapped.push_back({weaker, stronger});
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
      if (steps[weaker].share > 0 &&
          steps[stronger].share - steps[stronger].ci95 > steps[weaker].share + steps[weaker].ci95)
        found.push_back({weaker, stronger});
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

DeckCounts count_deck(const Evaluator& evaluator, std::int64_t samples, std::uint64_t seed,
                      const CensusProgress& progress) {
  const Census census = take_census(evaluator, 5);
  const DrawOdds draw = draw_odds(evaluator, {.at_least = {}, .samples = samples, .seed = seed, .progress = progress});
  DeckCounts counted;
  counted.hands = census.total;
  for (const CensusRow& row : census.rows) {
    counted.counts.push_back(row.weight / census.scale);
    counted.dealt.push_back(row.count / static_cast<double>(census.total));
  }
  for (const DrawOdds::Row& row : draw.rows) {
    counted.drawn.push_back(row.drawn.mean);
    counted.drawn_ci95.push_back(row.drawn.ci95);
  }
  counted.samples = draw.samples;
  counted.strength_dealt = draw.goal_dealt.mean;
  counted.strength = draw.goal.mean;
  std::transform(draw.discarded.begin(), draw.discarded.end(), counted.discarded.begin(),
                 [](const dealer::Estimate& share) { return share.mean; });
  return counted;
}

std::int64_t work_of(const Evaluator& evaluator, std::int64_t samples) {
  const auto hands = static_cast<std::int64_t>(choose(evaluator.deck().cards_in_play(), 5));
  return samples == 0 ? 3 * hands : 2 * hands + samples;
}

DeckOdds odds_of(const Evaluator& evaluator, const DeckCounts& counts) {
  DeckOdds odds;
  static_cast<DeckSums&>(odds) = counts;
  odds.deck = evaluator.deck().name();
  odds.ranking = evaluator.ranking().name();
  odds.court = evaluator.deck().is_court();
  odds.cards = evaluator.deck().cards_in_play();
  for (const Category& category : evaluator.ranking().categories())
    odds.names.emplace_back(category.code, category.name);
  odds.dealt = order_of(steps_of(counts.dealt));
  std::vector<Step> after = steps_of(counts.drawn);
  for (std::size_t i = 0; i < after.size(); ++i) after[i].ci95 = counts.drawn_ci95[i];
  odds.drawn = order_of(std::move(after));
  odds.swapped = swapped_between(odds.dealt.steps, odds.drawn.steps);
  return odds;
}

}  // namespace dealer::studies::court
