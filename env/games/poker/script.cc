#include "env/games/poker/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>

#include "env/cards/shuffle.h"
#include "env/games/poker/flow.h"
#include "env/games/poker/parts.h"

namespace dealer::poker {

class ScriptPlayer {
 public:
  ScriptPlayer(const GameRules& rules, const Script& script) : rules_(rules), script_(script) {}

  State play() {
    begin();
    const auto deal = [this](Seat seat, int when, bool up) { return next_card(seat, when, up); };
    state_.go_on(deal);
    dealt_ = state_;
    int round = -1;
    std::array<std::size_t, kMaxSeats> turn{};
    while (state_.turn_ >= 0) {
      const Script::Player& player = script_.player[at(state_.turn_)];
      if (state_.drawing_ != 0) {
        const Script::Discard& discarded = player.discarded[at(state_.draw_of_street())];
        if (discarded.count < 0) break;
        state_.act(rules_.first_discard() + static_cast<Action>(discard_mask(discarded)), 0, deal);
        continue;
      }
      if (round != state_.bets_.round()) turn = {};
      round = state_.bets_.round();
      const auto& bets = player.bets[at(round)];
      std::size_t& k = turn[at(state_.turn_)];
      if (k == bets.size()) break;
      const Script::Bet& bet = bets[k++];
      check_legal(bet);
      state_.act(bet.action, bet.total, deal);
    }
    if (state_.turn_ >= 0 && (state_.legal_ & (state_.legal_ - 1)) == 0)
      refuse_observation("somebody without a choice is to act");
    lay_out_stock();
    return state_;
  }

  // For the script of a state; call after play().
  std::optional<State> first_decision(const State& now) const {
    if (state_.reshuffles_ > 0) return std::nullopt;
    State dealt = dealt_;
    dealt.seed_ = now.seed_;
    const auto stock = dealt.bytes_.begin() + rules_.packing.stock;
    std::copy(order_.begin() + dealt.next_, order_.end(), stock + dealt.next_);
    const auto left = now.bytes_.begin() + rules_.packing.stock;
    std::copy(left + now.next_, left + now.stock_, stock + now.next_);
    return dealt;
  }
  static Script script_of(const State& state) { return state.script(); }

 private:
  void begin() {
    state_.begin_match(rules_, script_.seed);
    std::copy_n(script_.taken_out.begin(), state_.suits_taken_out().size(),
                state_.bytes_.begin() + rules_.packing.taken_out);
    state_.dealer_ = static_cast<std::int8_t>(script_.dealer);
    state_.hands_finished_ = script_.hand_number;
    state_.in_ = script_.in;
    state_.begin_hand(script_.chips.data());
    state_.stock_ = static_cast<std::uint8_t>(rules_.shuffled);
    std::array<CardId, kMaxDeckCards> deck;
    put_into_stock(std::span(deck).first(state_.in_play(deck.data())));
  }

  void put_into_stock(std::span<const CardId> cards) {
    for (const CardId card : cards) stock_.set(card);
  }

  void check_legal(const Script::Bet& bet) const {
    const betting::Bets::Range range = state_.bets_.range();
    const bool legal = bet.action == kFold   ? state_.bets_.may_fold(rules_.bets)
                       : bet.action == kCall ? bet.total == 0
                                             : range.low > 0 && range.low <= bet.total && bet.total <= range.high;
    if (legal) return;
    if (bet.action == kFold || bet.action == kCall || range.low == 0)
      refuse_observation(fmt::format("an action of the history is not legal: player {} may not {} then",
                                     state_.turn_ + 1,
                                     bet.action == kFold   ? "fold"
                                     : bet.action == kCall ? "call"
                                                           : "bet or raise"));
    refuse_observation(fmt::format("an action of the history is not legal: a bet to {}; expected from {} to {}",
                                   bet.total, range.low, range.high));
  }

  unsigned discard_mask(const Script::Discard& discarded) const {
    const std::span<const CardId> hand = state_.cards(state_.turn_);
    unsigned mask = 0;
    for (const CardId card : discarded.cards) {
      const auto found = std::find(hand.begin(), hand.end(), card);
      if (found != hand.end()) mask |= 1U << (found - hand.begin());
    }
    if (std::popcount(mask) != discarded.count || discarded.cards.size() != at(discarded.count))
      refuse_observation("cards were discarded that nobody had");
    return mask;
  }

  CardId next_card(Seat seat, int when, bool up) {
    if (state_.next_ == state_.stock_) reshuffle(seat);
    auto& player = script_.player[at(std::max(seat, 0))];
    std::vector<CardId>& known = (seat < 0 ? script_.board : up ? player.up : player.down)[at(when)];
    if (known.empty()) refuse_observation("a card is missing");
    // When the stock runs out in the middle of a draw, its remaining cards come first.
    const auto card = rules_.draws == 0 ? known.begin()
                                        : std::find_if(known.begin(), known.end(), [&](CardId c) { return stock_[c]; });
    if (card == known.end() || !stock_[*card]) refuse_observation("cards lie where they cannot");
    const CardId dealt = *card;
    known.erase(card);
    stock_.reset(dealt);
    order_.push_back(dealt);
    ++state_.next_;
    return dealt;
  }

  void reshuffle(Seat drawing) {
    if (rules_.draws == 0) refuse_observation("more cards are dealt than there are");
    std::array<CardId, kMaxDeckCards> deck;
    const std::size_t count = state_.cards_to_reshuffle(drawing, deck.data());
    if (count == 0) refuse_observation("more cards are dealt than there are");
    put_into_stock(std::span(deck).first(count));
    state_.next_ = 0;
    state_.stock_ = static_cast<std::uint8_t>(count);
    ++state_.reshuffles_;
  }

  void lay_out_stock() {
    std::array<CardId, kMaxDeckCards> rest;
    std::size_t count = 0;
    for (std::size_t card = 0; card < stock_.size(); ++card)
      if (stock_[card]) rest[count++] = static_cast<CardId>(card);
    const auto left = at(state_.stock_ - state_.next_);
    RandomStream rng(script_.seed);
    shuffle_first(std::span(rest).first(count), left, rng);
    std::copy_n(rest.begin(), left, state_.bytes_.begin() + rules_.packing.stock + state_.next_);
  }

  const GameRules& rules_;
  Script script_;
  State state_, dealt_;  // dealt_: before the first decision
  std::bitset<kMaxDeckCards> stock_;
  std::vector<CardId> order_;  // order in which the cards came
};

State play_script(const GameRules& rules, const Script& script) { return ScriptPlayer(rules, script).play(); }

std::optional<State> first_decision(const State& now) {
  ScriptPlayer player(now.rules(), ScriptPlayer::script_of(now));
  player.play();
  return player.first_decision(now);
}

namespace {

void add_seen(const GameRules& rules, const View::Player& seen, Script::Player& player) {
  for (const SeenCard& card : seen.cards)
    if (std::find(seen.up.begin(), seen.up.end(), card.card) == seen.up.end())
      player.down[at(card.when)].push_back(card.card);
  for (std::size_t i = 0; i < std::min<std::size_t>(seen.up.size(), Script::kTimes); ++i)
    player.up[i].push_back(seen.up[i]);
  for (std::size_t draw = 0; draw < at(rules.draws); ++draw) {
    player.discarded[draw].count = seen.drawn[draw];
    for (const SeenCard& card : seen.discarded[draw]) {
      player.down[at(card.when)].push_back(card.card);
      player.discarded[draw].cards.push_back(card.card);
    }
  }
}

}  // namespace

Script script_of(const GameRules& rules, const View& view) {
  Script script;
  script.dealer = view.dealer;
  script.hand_number = view.hand_number;
  std::copy(view.taken_out.begin(), view.taken_out.end(), script.taken_out.begin());
  for (std::size_t i = 0; i < view.board.size(); ++i)
    script
        .board[rules.procedure == Procedure::kStud ? at(rules.streets - 1)
               : i < 3                             ? 1
                                                   : std::min<std::size_t>(i - 1, 4)]
        .push_back(view.board[i]);
  for (const PastAction& action : view.actions)
    script.player[at(action.seat)].bets[at(action.round)].push_back({action.action, action.total});
  for (Seat seat = 0; seat < rules.players; ++seat) {
    const View::Player& seen = view.player[at(seat)];
    if (seen.out) continue;
    script.in = static_cast<SeatSet>(script.in | betting::bit(seat));
    script.chips[at(seat)] = seen.stack + seen.paid;
    add_seen(rules, seen, script.player[at(seat)]);
  }
  return script;
}

void add_hidden(const HiddenCards& hidden, Script& script) {
  for (const HiddenPlace& place : std::span(hidden.place).first(at(hidden.places))) {
    Script::Player& player = script.player[at(place.seat)];
    player.down[at(place.when)].push_back(place.card);
    if (place.discarded >= 0) player.discarded[at(place.discarded)].cards.push_back(place.card);
  }
}

}  // namespace dealer::poker
