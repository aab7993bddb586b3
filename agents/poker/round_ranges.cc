#include "agents/poker/round_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "env/core/at.h"

namespace dealer::resolve {
namespace {

using poker::kFirstBet;
using poker::State;

// A newly dealt hand, with arbitrary cards.
State dealt(const poker::GameRules& rules, Seat dealer) {
  State state;
  for (std::uint64_t seed = 0;; ++seed) {
    state.reset_and_hold(rules, seed);
    if (state.dealer() == dealer) return state;
  }
}

// The action nearest to a decision.
Action nearest_action(const State& state, const Decision& decision) {
  Action nearest = action_of(state, decision);
  if (nearest != kNoAction) return nearest;
  double least = std::numeric_limits<double>::infinity();
  for (LegalMask bets = state.legal_mask() >> kFirstBet << kFirstBet; bets != 0; bets &= bets - 1) {
    const Action bet = std::countr_zero(bets);
    const double off =
        std::abs(std::log(static_cast<double>(state.choice(bet).amount.low) / static_cast<double>(decision.amount)));
    if (off < least) nearest = bet;
    least = std::min(least, off);
  }
  return nearest;
}

}  // namespace

std::string PublicHand::key() const {
  std::string text = fmt::format("{}", dealer);
  for (const CardId card : board) text += fmt::format(" {}", card);
  return text + text_of(before) + " /";
}

std::string text_of(std::span<const Decision> decisions) {
  std::string text;
  for (const Decision& decision : decisions) text += fmt::format(" {}:{}", decision.action, decision.amount);
  return text;
}

std::optional<PublicHand> round_of(int street, const poker::GameRules& rules, const poker::View& view) {
  if (view.street != street || view.turn != view.me || view.drawing) return std::nullopt;
  PublicHand hand{view.dealer, view.board, {}, {}};
  State state = dealt(rules, view.dealer);
  for (const poker::PastAction& past : view.actions) {
    Decision decision = past.action;
    if (past.action == kFirstBet) {
      decision = Decision::bet_to(past.total);
      if (const Action bet = action_of(state, decision); bet != kNoAction) decision = bet;
    }
    (state.street() == street ? hand.path : hand.before).push_back(decision);
    play_and_hold(state, decision);
  }
  return hand;
}

RangeFinder::RangeFinder(std::shared_ptr<const poker::Game> game, std::unique_ptr<PositionEvaluator> agent)
    : game_(game), agent_(std::move(game), std::move(agent)) {}

RoundStart RangeFinder::find(const PublicHand& hand) {
  const poker::GameRules& rules = game_->rules();
  RoundStart start{dealt(rules, hand.dealer), std::make_shared<const Matchups>(rules, hand.board), {}};
  std::vector<State> states;  // before each decision
  for (const Decision& decision : hand.before) {
    states.push_back(start.root);
    play_and_hold(start.root, decision);
  }
  const std::vector<Hand>& hands = start.matchups->hands();
  for (auto& range : start.ranges) range.assign(hands.size(), 1);
  CardExchange exchange(rules, start.root, hand.board);
  for (std::size_t i = 0; i < states.size(); ++i) {
    agent_.ask(states[i], hands, exchange);
    const Action action = nearest_action(states[i], hand.before[i]);
    const float any = kAnything / static_cast<float>(std::popcount(states[i].legal_mask()));
    std::vector<float>& range = start.ranges[at(states[i].current_player())];
    for (std::size_t h = 0; h < range.size(); ++h)
      range[h] *= (1 - kAnything) * static_cast<float>(agent_.policy(h)[at(action)]) + any;
  }
  // Rescales so that sums neither vanish nor overflow.
  for (auto& range : start.ranges) {
    float sum = 0;
    for (const float each : range) sum += each;
    for (float& each : range) each /= sum;
  }
  return start;
}

}  // namespace dealer::resolve
