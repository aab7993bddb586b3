#pragma once

#include <string>
#include <vector>

#include "env/games/ofc/state.h"

// Rule sets and starting hands that cover every feature of the game.
namespace dealer::ofc {

struct RuleSet {
  std::string name;
  GameRules rules;
  bool from_fantasyland = false;  // hands begin with some seats there, different ones for every seed
};

inline std::vector<RuleSet> rule_sets() {
  std::vector<RuleSet> sets;
  for (const int players : {2, 3}) {
    for (const Episode episode : {Episode::kHand, Episode::kChain, Episode::kMatch}) {
      GameRules rules;
      rules.players = players;
      rules.episode = episode;
      // Low points, which soon count double: a player goes out within a few hands.
      rules.start_points = episode == Episode::kMatch ? 20 : rules.start_points;
      rules.multiplier_every = episode == Episode::kMatch ? 2 : 0;
      for (const bool from_fantasyland : {false, true})
        sets.push_back({std::to_string(players) + " players, episode " + std::to_string(static_cast<int>(episode)) +
                            (from_fantasyland ? ", from Fantasyland" : ""),
                        rules, from_fantasyland});
    }
  }
  for (const int cards : {13, 17}) {
    GameRules rules;
    rules.players = cards == 17 ? 3 : 2;
    rules.scoring.bonus.fantasyland_cards.fill(static_cast<std::uint8_t>(cards));
    sets.push_back({std::to_string(cards) + " cards of Fantasyland", rules, true});
  }
  for (const int players : {2, 3}) {
    GameRules rules;
    rules.players = players;
    rules.scoring.bonus.fantasyland_cards = {14, 15, 16, 17, 13};
    sets.push_back({std::to_string(players) + " players, progressive Fantasyland", rules, true});
    rules.scoring.bonus.entry_pair_rank = 0;
    rules.episode = Episode::kMatch;
    rules.start_points = 60;
    sets.push_back({std::to_string(players) + " players, progressive Fantasyland after any pair", rules});
  }
  return sets;
}

inline State start(const RuleSet& set, std::uint64_t seed) {
  State state;
  state.reset(set.rules, seed);
  if (!set.from_fantasyland) return state;
  FantasylandCards fantasyland{};
  const auto& numbers = set.rules.scoring.bonus.fantasyland_cards;
  const std::uint64_t seats = 1 + seed % ((1U << set.rules.players) - 1);
  for (int seat = 0; seat < set.rules.players; ++seat)
    if ((seats >> seat & 1) != 0)
      fantasyland[static_cast<std::size_t>(seat)] =
          numbers[(seed / 3 + static_cast<std::uint64_t>(seat)) % numbers.size()];
  state.deal(set.rules, seed, fantasyland, static_cast<int>(seed / 7) % set.rules.players);
  return state;
}

inline GameRules rules_for(int players, Episode episode = Episode::kChain) {
  GameRules rules;
  rules.players = players;
  rules.episode = episode;
  return rules;
}

// The seat's observation.
inline std::vector<float> observation(const State& state, Seat seat) {
  std::vector<float> data(static_cast<std::size_t>(State::observation_spec(state.rules()).size()));
  state.observe(seat, data.data());
  return data;
}

// "2s", "Kd": each of the cards, lowest first.
inline std::vector<std::string> names(CardSet cards) {
  std::vector<std::string> list;
  for_each(cards, [&](Card card) { list.push_back(to_string(card)); });
  return list;
}

}  // namespace dealer::ofc
