#include "agents/poker/hand_policies.h"

#include <bitset>
#include <utility>

#include "env/core/at.h"

namespace dealer::resolve {

std::string_view why_not_two_cards(const poker::GameRules& rules) {
  if (rules.procedure != poker::Procedure::kHoldem) return "is not hold'em";
  if (rules.players != 2) return "is not for two players";
  if (rules.low != nullptr) return "is split between high and low";
  if (!rules.fresh_stacks()) return "carries chips over";
  if (!rules.transparent.empty() || rules.random_mix()) return "has transparent cards";
  return {};
}

CardExchange::CardExchange(const poker::GameRules& rules, const poker::State& state, std::span<const CardId> board)
    : in_play_(rules.new_deck.begin(), rules.new_deck.begin() + rules.deck->cards_in_play()),
      board_(board.begin(), board.end()) {
  const std::span<const CardId> lies = state.board().first(board.size());
  from_.assign(lies.begin(), lies.end());
  for (Seat seat = 0; seat < 2; ++seat) hole_[at(seat)].assign(state.cards(seat).begin(), state.cards(seat).end());
}

std::span<const CardId> CardExchange::by(Seat seat, const Hand& hand) {
  std::bitset<kMaxDeckCards> from, to;
  for (std::size_t card = 0; card < by_.size(); ++card) by_[card] = static_cast<CardId>(card);
  const auto set = [&](CardId card, CardId becomes) {
    by_[card] = becomes;
    from.set(card);
    to.set(becomes);
  };
  for (std::size_t i = 0; i < from_.size(); ++i) set(from_[i], board_[i]);
  for (std::size_t i = 0; i < hand.cards.size(); ++i) set(hole_[at(seat)][i], hand.cards[i]);
  auto left = in_play_.begin();
  for (const CardId card : in_play_) {
    if (from[card]) continue;
    while (to[*left]) ++left;
    by_[card] = *left++;
  }
  return by_;
}

HandPolicies::HandPolicies(std::shared_ptr<const poker::Game> game, std::unique_ptr<PositionEvaluator> agent)
    : game_(std::move(game)), agent_(std::move(agent), *game_) {}

void HandPolicies::ask(const poker::State& state, std::span<const Hand> hands, CardExchange& exchange) {
  asked_.assign(hands.size(), state);
  for (std::size_t h = 0; h < hands.size(); ++h)
    asked_[h].exchange_cards(exchange.by(state.current_player(), hands[h]));
  agent_.ask(
      asked_.size(), [&](std::size_t i) -> const poker::State& { return asked_[i]; }, true, false);
}

void HandPolicies::ask(const poker::State& state, std::span<const Hand> hands) {
  CardExchange same(game_->rules(), state, state.board());
  ask(state, hands, same);
}

}  // namespace dealer::resolve
