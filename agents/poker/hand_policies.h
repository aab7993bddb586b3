#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "agents/poker/matchups.h"
#include "agents/search/state_evaluator.h"
#include "env/games/poker/game.h"

namespace dealer::resolve {

// The reason why the hands of a seat cannot be enumerated as two cards: "is not hold'em". Empty if they can: two-player
// hold'em with one ranking, fresh stacks and hidden cards.
std::string_view why_not_two_cards(const poker::GameRules& rules);

// A card permutation that replaces the board of a state and gives a seat a chosen hand.
class CardExchange {
 public:
  // state: the state whose cards are exchanged. board: at most as many cards as the state's board has.
  CardExchange(const poker::GameRules& rules, const poker::State& state, std::span<const CardId> board);

  // The permutation for State::exchange_cards(). Precondition: no card of the hand is on the board.
  std::span<const CardId> by(Seat seat, const Hand& hand);

 private:
  std::vector<CardId> in_play_, board_, from_;
  std::array<std::vector<CardId>, 2> hole_;
  std::array<CardId, kMaxDeckCards> by_{};
};

// The policy of an agent for each possible hand of its seat.
class HandPolicies {
 public:
  HandPolicies(std::shared_ptr<const poker::Game> game, std::unique_ptr<PositionEvaluator> agent);

  // Queries the seat to act in `state`, with cards exchanged by `exchange`.
  void ask(const poker::State& state, std::span<const Hand> hands, CardExchange& exchange);
  // The same with the board unchanged.
  void ask(const poker::State& state, std::span<const Hand> hands);
  // The policy with hand number `hand`, by action.
  std::span<const double> policy(std::size_t hand) const { return agent_.policy(hand); }

  PositionEvaluator& agent() { return agent_.evaluator(); }

 private:
  std::shared_ptr<const poker::Game> game_;
  StateEvaluator<poker::State> agent_;
  std::vector<poker::State> asked_;
};

}  // namespace dealer::resolve
