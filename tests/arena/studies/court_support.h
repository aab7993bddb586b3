#pragma once

#include "arena/studies/court/odds.h"
#include "env/core/config.h"
#include "tests/arena/studies/testing.h"

namespace dealer::test {

inline EvaluatorPtr evaluator_of(std::string_view deck_yaml, std::string_view ranking_yaml) {
  Config deck = Config::parse(deck_yaml, "d.yaml"), ranking = Config::parse(ranking_yaml, "r.yaml");
  return make_evaluator(std::make_shared<const Deck>(Deck::read("d", deck)),
                        std::make_shared<const Ranking>(Ranking::read("r", ranking)));
}

inline studies::court::DeckOdds deck_odds(const Evaluator& evaluator, std::int64_t samples, std::uint64_t seed) {
  return odds_of(evaluator, studies::court::count_deck(evaluator, samples, seed));
}

// A Court deck with three categories NON, P1 and P2, or as many as there are shares.
inline studies::court::DeckOdds deck_with(const std::string& name, const std::vector<double>& dealt,
                                          const std::vector<double>& drawn) {
  using namespace studies::court;
  constexpr const char* kCodes[] = {"NON", "P1", "P2", "K3", "FH"};
  DeckOdds odds;
  odds.deck = odds.ranking = name;
  odds.court = true;
  odds.cards = 52;
  odds.hands = 1000;
  for (std::size_t c = 0; c < dealt.size(); ++c) {
    odds.names.emplace_back(kCodes[c], "hand " + std::to_string(c));
    odds.counts.push_back(static_cast<std::uint64_t>(1000 * dealt[c] + 0.5));
  }
  odds.dealt = order_of(steps_of(dealt));
  odds.drawn = order_of(steps_of(drawn));
  return odds;
}

}  // namespace dealer::test
