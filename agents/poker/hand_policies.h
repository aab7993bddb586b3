#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "agents/poker/matchups.h"
#include "agents/search/state_evaluator.h"
#include "env/games/poker/game.h"

namespace dealer::resolve {

// Why all hands of a seat cannot be listed by their two cards: "is no hold'em". Empty where they can: hold'em for two
// with one ranking, fresh stacks and hidden cards.
std::string_view why_not_two_cards(const poker::GameRules& rules);

// Which card each card of a state becomes: the board is another one, and a seat has the hand that is asked for.
class CardExchange {
 public:
  // state: whose cards are exchanged. board: at most as many cards as lie in the state.
  CardExchange(const poker::GameRules& rules, const poker::State& state, std::span<const CardId> board);

  // For State::exchange_cards(). Precondition: no card of the hand lies on the board.
  std::span<const CardId> by(Seat seat, const Hand& hand);

 private:
  std::vector<CardId> in_play_, board_, from_;
  std::array<std::vector<CardId>, 2> hole_;
  std::array<CardId, kMaxDeckCards> by_{};
};

// What an agent does with each hand that its seat may hold.
class HandPolicies {
 public:
  HandPolicies(std::shared_ptr<const poker::Game> game, std::unique_ptr<PositionEvaluator> agent);

  // Of the seat to act in `state`, whose cards are exchanged by `exchange`.
  void ask(const poker::State& state, std::span<const Hand> hands, CardExchange& exchange);
  // The same where the board stays what it is.
  void ask(const poker::State& state, std::span<const Hand> hands);
  // With the hand of that number, by action.
  std::span<const double> policy(std::size_t hand) const { return agent_.policy(hand); }

  PositionEvaluator& agent() { return agent_.evaluator(); }

 private:
  std::shared_ptr<const poker::Game> game_;
  StateEvaluator<poker::State> agent_;
  std::vector<poker::State> asked_;
};

}  // namespace dealer::resolve
