#pragma once

#include <cstddef>
#include <span>

#include "agents/encoder.h"
#include "env/games/poker/game.h"
#include "env/games/poker/parts.h"
#include "env/games/poker/rules.h"

namespace dealer::poker {

// Fast readers for parts of an observation; State::decode() reads all of it and validates it. Players are numbered by
// their place to the left of the observer, who is 0.

// Writes the cards of a part in ascending order, as many as fit. Returns their number.
inline std::size_t read_cards(const float* part, int size, std::span<CardId> out) {
  std::size_t count = 0;
  for (int card = 0; card < size && count < out.size(); ++card) {
    out[count] = static_cast<CardId>(card);
    count += part[card] != 0 ? 1 : 0;
  }
  return count;
}

// The index set in a one-hot part; -1 for none.
inline int read_one(const float* part, int size) {
  for (int i = 0; i < size; ++i)
    if (part[i] != 0) return i;
  return -1;
}

inline bool is_live(const GameRules& rules, const float* observation, int player) {
  const Parts& part = *rules.parts;
  if (observation[part.folded + player] != 0) return false;
  return rules.episode != Episode::kMatch || observation[part.out + player] == 0;
}

// Calls f(card) for the cards that are not in play (replace_random).
template <class F>
void for_each_taken_out(const GameRules& rules, const float* observation, const F& f) {
  for (int card = 0; rules.random_mix() && card < rules.deck->size(); ++card) {
    const Replaceable& replaceable = rules.replaceable[at(card)];
    if (replaceable.suit != Replaceable::kNever &&
        observation[rules.parts->taken_out + replaceable.rank * Deck::kReplaceable + replaceable.suit] != 0)
      f(static_cast<CardId>(card));
  }
}

// Draw games: the number of cards drawn by a player, -1 before the draw.
inline int read_drawn(const GameRules& rules, const float* observation, int draw, int player) {
  return read_one(observation + rules.parts->draws + (draw * rules.players + player) * (rules.hand_cards + 1),
                  rules.hand_cards + 1);
}

// The input features of a betting game beside the observation (docs/features.md lists them). Their tables are built on
// first use and shared by all games with the same cards. Null for draw games with decks so large that the tables would
// exceed DrawEquities::kMostBytes.
EncoderPtr make_input_features(const GamePtr& game);

// A single group: the bets on offer, if there are several.
std::vector<LegalMask> action_kinds(const dealer::Game& game);

// The encoder by the game's procedure.
EncoderPtr make_draw_features(std::shared_ptr<const Game> game);
EncoderPtr make_stud_features(std::shared_ptr<const Game> game);
EncoderPtr make_holdem_features(std::shared_ptr<const Game> game);

// The deck and the rankings as text: equal for games with the same cards.
std::string cards_key(const GameRules& rules);

}  // namespace dealer::poker
