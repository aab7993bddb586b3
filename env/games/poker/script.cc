#include "env/games/poker/script.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "env/cards/shuffle.h"
#include "env/core/error.h"
#include "env/games/poker/flow.h"

namespace dealer::poker {

void refuse_observation(const std::string& what) { throw UsageError("no observation of this game: " + what); }

// Plays a hand again card by card.
class Sampler {
 public:
  Sampler(const GameRules& rules, Script script, RandomStream& rng)
      : rules_(rules), script_(std::move(script)), rng_(rng) {
    for (const auto& cards : script_.board) expect(cards);
    for (const Script::Player& player : script_.player) {
      for (const auto* times : {&player.down, &player.up})
        for (const auto& cards : *times) expect(cards);
    }
  }

  // Cards drawn at random got in the way of those that the script tells.
  struct Unlucky {};

  State play() {
    begin();
    const auto deal = [this](Seat seat, int when, bool up) { return next_card(seat, when, up); };
    state_.go_on(deal);
    int round = 0;
    std::array<std::size_t, kMaxSeats> turn{};
    while (state_.turn_ >= 0) {
      if (state_.drawing_ != 0) {
        const int draw = state_.draw_of_street();
        const Script::Throw& thrown = player(state_.turn_).thrown[State::at(draw)];
        if (thrown.count < 0) break;
        pending_ = thrown.count;
        state_.act(rules_.first_throw() + static_cast<Action>(throw_mask(thrown)), 0, deal);
        continue;
      }
      if (round != state_.rounds_begun_) turn = {};
      round = state_.bets_.round() + 1;
      const auto& bets = player(state_.turn_).bets[State::at(round - 1)];
      std::size_t& k = turn[State::at(state_.turn_)];
      if (k == bets.size()) break;
      const Script::Bet& bet = bets[k++];
      check_legal(bet);
      state_.act(bet.action, bet.total, deal);
    }
    if (state_.turn_ >= 0 && (state_.legal_ & (state_.legal_ - 1)) == 0)
      refuse_observation("somebody without a choice is to act");
    return state_;
  }

 private:
  const Script::Player& player(Seat seat) const { return script_.player[State::at(seat)]; }

  void expect(const std::vector<CardId>& cards) {
    for (const CardId card : cards) {
      seen_[card] = true;
      ++expected_[card];
    }
  }

  void begin() {
    state_.begin_match(rules_, rng_.bits64());
    state_.taken_out_ = script_.taken_out;
    state_.dealer_ = static_cast<std::int8_t>(script_.dealer);
    state_.hands_finished_ = script_.hand_number;
    state_.in_ = script_.in;
    state_.chips_ = script_.chips;
    Chips total = 0;
    for (Seat seat = 0; seat < rules_.players; ++seat) {
      total += script_.chips[State::at(seat)];
      state_.return_[State::at(seat)] = script_.chips[State::at(seat)] - rules_.stack;
    }
    state_.discard_pile_ = rules_.stack * rules_.players - total;
    state_.begin_hand();
    shuffle_first(std::span(state_.deck_).first(state_.stock_), state_.stock_, rng_);
  }

  void check_legal(const Script::Bet& bet) const {
    const betting::Bets::Range range = state_.bets_.range();
    const bool legal = bet.action == kFold   ? state_.bets_.may_fold(rules_.bets)
                       : bet.action == kCall ? bet.total == 0
                                             : range.low > 0 && range.low <= bet.total && bet.total <= range.high;
    if (!legal) refuse_observation("an action of the history is not legal");
  }

  // Which of the cards of the seat to act are thrown: those known, the others at random among those unknown.
  unsigned throw_mask(const Script::Throw& thrown) {
    const auto& hand = state_.cards_.hand[State::at(state_.turn_)];
    const bool all_known = script_.me < 0 || state_.turn_ == script_.me;
    unsigned mask = 0;
    std::array<std::size_t, kDrawHand> unknown{};
    std::size_t unknowns = 0;
    for (std::size_t i = 0; i < kDrawHand; ++i) {
      if (std::find(thrown.cards.begin(), thrown.cards.end(), hand[i]) != thrown.cards.end())
        mask |= 1U << i;
      else if (!all_known && rules_.is_opaque(hand[i]))
        unknown[unknowns++] = i;
    }
    const int more = thrown.count - std::popcount(mask);
    if (std::popcount(mask) != static_cast<int>(thrown.cards.size()) || more < 0 || more > static_cast<int>(unknowns))
      refuse_observation("cards were thrown that nobody had");
    shuffle_first(std::span(unknown).first(unknowns), State::at(more), rng_);
    for (std::size_t i = 0; i < State::at(more); ++i) mask |= 1U << unknown[i];
    return mask;
  }

  CardId next_card(Seat seat, int when, bool up) {
    if (state_.next_ == state_.stock_) {
      if (seat < 0 || rules_.draws == 0) refuse_observation("more cards are dealt than there are");
      state_.reshuffle(seat);
    }
    auto& script = seat < 0 ? script_.board
                   : up     ? script_.player[State::at(seat)].up
                            : script_.player[State::at(seat)].down;
    auto& known = script[State::at(when)];
    const bool observed = script_.me < rules_.players;
    if (known.empty() && (script_.me < 0 || (observed && (seat < 0 || up || seat == script_.me))))
      refuse_observation("a card is missing that everybody saw");
    // When the stock runs out in the middle of a draw, cards that it does not hold come after the others.
    const bool later = pending_ > static_cast<int>(known.size()) && none_in_stock(known);
    if (known.empty() || later)
      take_unseen();
    else
      take_one_of(known);
    --pending_;
    return state_.deck_[state_.next_++];
  }

  bool none_in_stock(const std::vector<CardId>& cards) const {
    const auto stock = std::span(state_.deck_).first(state_.stock_).subspan(state_.next_);
    return std::find_first_of(cards.begin(), cards.end(), stock.begin(), stock.end()) == cards.end();
  }

  void to_front(std::size_t i) { std::swap(state_.deck_[state_.next_], state_.deck_[i]); }

  // The next card of the stock that may lie in a hand that the observer does not see.
  void take_unseen() {
    for (const bool expected : {false, true})
      for (std::size_t i = state_.next_; i < state_.stock_; ++i) {
        const CardId card = state_.deck_[i];
        if (!rules_.is_opaque(card) || (!expected && expected_[card] > 0)) continue;
        to_front(i);
        return;
      }
    throw Unlucky();
  }

  // One of the cards that are known to come now, if possible one that the stock still holds (when it runs out in the
  // middle of a draw, the order matters). If all were given to somebody who is not seen, one of them changes places
  // with a card of the stock that nobody has seen either.
  void take_one_of(std::vector<CardId>& known) {
    const auto begin = state_.deck_.begin() + state_.next_, end = state_.deck_.begin() + state_.stock_;
    auto card = known.end() - 1;
    for (auto it = known.begin(); it != known.end(); ++it)
      if (std::find(begin, end, *it) != end) card = it;
    auto found = std::find(begin, end, *card);
    if (found == end) {
      found = std::find_if(begin, end, [&](CardId c) { return !seen_[c] && rules_.is_opaque(c); });
      if (found == end || script_.me < 0 || shown_[*card]) throw Unlucky();
      exchange(*card, *found);
    }
    --expected_[*card];
    shown_[*card] = true;
    known.erase(card);
    to_front(static_cast<std::size_t>(found - state_.deck_.begin()));
  }

  // Exchanges two cards wherever they lie or lay: the observer has seen neither so far.
  void exchange(CardId a, CardId b) {
    const auto change = [&](CardId& card) { card = card == a ? b : card == b ? a : card; };
    for (CardId& card : std::span(state_.deck_).first(state_.stock_)) change(card);
    for (Seat seat = 0; seat < rules_.players; ++seat) {
      auto& hand = state_.cards_.hand[State::at(seat)];
      const std::size_t count = state_.cards_.count[State::at(seat)];
      for (CardId& card : std::span(hand).first(count)) change(card);
      // Hands that cards are being dealt to are sorted afterwards.
      const bool dealt = count == kDrawHand && (state_.drawing_ == 0 || seat != state_.turn_);
      if (rules_.draws > 0 && dealt) sort_hand(hand.data(), state_.cards_.when[State::at(seat)].data());
      for (auto& draw : state_.cards_.thrown) exchange_thrown(draw[State::at(seat)], change);
    }
  }

  template <class Change>
  static void exchange_thrown(State::Thrown& thrown, Change change) {
    std::array<std::pair<CardId, std::uint8_t>, kDrawHand> cards{};
    const auto count = static_cast<std::size_t>(std::max<int>(thrown.count, 0));
    for (std::size_t i = 0; i < count; ++i) {
      change(thrown.card[i]);
      cards[i] = {thrown.card[i], thrown.when[i]};
    }
    std::sort(cards.begin(), cards.begin() + static_cast<std::ptrdiff_t>(count));
    for (std::size_t i = 0; i < count; ++i) std::tie(thrown.card[i], thrown.when[i]) = cards[i];
  }

  const GameRules& rules_;
  Script script_;
  RandomStream& rng_;
  State state_;
  int pending_ = 0;                                     // cards that the seat which draws has yet to get
  std::array<bool, kMaxDeckCards> shown_{};             // by the script so far
  std::array<bool, kMaxDeckCards> seen_{};              // by the observer, at any time
  std::array<std::uint8_t, kMaxDeckCards> expected_{};  // times it is still to come where the script tells it
};

State play_script(const GameRules& rules, const Script& script, RandomStream& rng) {
  constexpr int kAttempts = 32;
  for (int attempt = 0; attempt < (script.me < 0 ? 1 : kAttempts); ++attempt) {
    try {
      return Sampler(rules, script, rng).play();
    } catch (const Sampler::Unlucky&) {
      continue;
    }
  }
  refuse_observation("cards lie where they cannot");
}

}  // namespace dealer::poker
