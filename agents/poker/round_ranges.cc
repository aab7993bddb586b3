#include "agents/poker/round_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <bitset>
#include <cmath>
#include <limits>
#include <utility>

#include "env/core/at.h"

namespace dealer::resolve {
namespace {

using poker::kCall;
using poker::kFirstBet;
using poker::State;

// The hand as it is dealt, with other cards.
State dealt(const poker::GameRules& rules, Seat dealer) {
  State state;
  for (std::uint64_t seed = 0;; ++seed) {
    state.reset_and_hold(rules, seed);
    if (state.dealer() == dealer) return state;
  }
}

// The action that comes nearest to a decision.
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

// Which card each card of a state becomes: the board is the given one, and the seat has the hand.
class Exchange {
 public:
  Exchange(const poker::GameRules& rules, const State& root, std::span<const CardId> board)
      : in_play_(rules.new_deck.begin(), rules.new_deck.begin() + rules.deck->cards_in_play()),
        board_(board.begin(), board.end()) {
    from_.assign(root.board().begin(), root.board().end());
    for (Seat seat = 0; seat < 2; ++seat) hole_[at(seat)].assign(root.cards(seat).begin(), root.cards(seat).end());
  }

  std::span<const CardId> by(Seat seat, const Hand& hand) {
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

 private:
  std::vector<CardId> in_play_, board_, from_;
  std::array<std::vector<CardId>, 2> hole_;
  std::array<CardId, kMaxDeckCards> by_{};
};

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

std::optional<PublicHand> last_round_of(const poker::GameRules& rules, const poker::View& view) {
  if (view.street + 1 != rules.streets || view.turn != view.me || view.drawing) return std::nullopt;
  PublicHand hand{view.dealer, view.board, {}, {}};
  State state = dealt(rules, view.dealer);
  for (const poker::PastAction& past : view.actions) {
    Decision decision = past.action;
    if (past.action == kFirstBet) {
      decision = Decision::bet_to(past.total);
      if (const Action bet = action_of(state, decision); bet != kNoAction) decision = bet;
    }
    (state.street() + 1 == rules.streets ? hand.path : hand.before).push_back(decision);
    play_and_hold(state, decision);
  }
  return hand;
}

RangeFinder::RangeFinder(std::shared_ptr<const poker::Game> game, std::unique_ptr<PositionEvaluator> agent)
    : game_(std::move(game)), agent_(std::move(agent), *game_) {}

RoundStart RangeFinder::find(const PublicHand& hand) {
  const poker::GameRules& rules = game_->rules();
  RoundStart start{dealt(rules, hand.dealer), hands_beside(rules, hand.board), {}};
  std::vector<State> states;  // before each decision
  for (const Decision& decision : hand.before) {
    states.push_back(start.root);
    play_and_hold(start.root, decision);
  }
  for (auto& range : start.ranges) range.assign(start.hands.size(), 1);
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Seat seat = states[i].current_player();
    weigh(states[i], hand.before[i], start, hand.board);
    for (std::size_t h = 0; h < start.hands.size(); ++h) start.ranges[at(seat)][h] *= chance_[h];
  }
  // So that sums neither vanish nor overflow.
  for (auto& range : start.ranges) {
    float sum = 0;
    for (const float each : range) sum += each;
    for (float& each : range) each /= sum;
  }
  return start;
}

void RangeFinder::weigh(const State& state, const Decision& decision, const RoundStart& start,
                        std::span<const CardId> board) {
  const Seat seat = state.current_player();
  Exchange exchange(game_->rules(), start.root, board);
  asked_.assign(start.hands.size(), state);
  for (std::size_t h = 0; h < start.hands.size(); ++h) asked_[h].exchange_cards(exchange.by(seat, start.hands[h]));
  agent_.ask(
      asked_.size(), [&](std::size_t i) -> const State& { return asked_[i]; }, true, false);
  const Action action = nearest_action(state, decision);
  const float any = kAnything / static_cast<float>(std::popcount(state.legal_mask()));
  chance_.resize(start.hands.size());
  for (std::size_t h = 0; h < start.hands.size(); ++h)
    chance_[h] = (1 - kAnything) * static_cast<float>(agent_.policy(h)[at(action)]) + any;
}

}  // namespace dealer::resolve
