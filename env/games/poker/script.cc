#include "env/games/poker/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "env/cards/shuffle.h"
#include "env/core/error.h"
#include "env/games/poker/flow.h"
#include "env/games/poker/parts.h"

namespace dealer::poker {

// Plays a hand again card by card.
class ScriptPlayer {
 public:
  ScriptPlayer(const GameRules& rules, Script script, RandomStream& rng, bool keeps_all)
      : rules_(rules), script_(std::move(script)), rng_(rng), keeps_all_(keeps_all) {
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
        const Script::Discard& discarded = player(state_.turn_).discarded[State::at(draw)];
        if (discarded.count < 0) break;
        pending_ = discarded.count;
        state_.act(rules_.first_discard() + static_cast<Action>(discard_mask(discarded)), 0, deal);
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

  // Which of the cards of the seat to act are discarded: those known, the others at random among those unknown.
  unsigned discard_mask(const Script::Discard& discarded) {
    const auto& hand = state_.cards_.hand[State::at(state_.turn_)];
    const bool all_known = script_.me < 0 || state_.turn_ == script_.me;
    unsigned mask = 0;
    std::array<std::size_t, kDrawHand> unknown{};
    std::size_t unknowns = 0;
    for (std::size_t i = 0; i < kDrawHand; ++i) {
      if (std::find(discarded.cards.begin(), discarded.cards.end(), hand[i]) != discarded.cards.end())
        mask |= 1U << i;
      else if (!all_known && rules_.is_opaque(hand[i]))
        unknown[unknowns++] = i;
    }
    const int more = discarded.count - std::popcount(mask);
    if (std::popcount(mask) != static_cast<int>(discarded.cards.size()) || more < 0 ||
        more > static_cast<int>(unknowns))
      refuse_observation("cards were discarded that nobody had");
    const auto choice = std::span(unknown).first(unknowns);
    shuffle_first(choice, unknowns, rng_);
    // A card that is to come to light later must get back into the stock first.
    std::stable_partition(choice.begin(), choice.end(), [&](std::size_t i) { return expected_[hand[i]] > 0; });
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
    const CardId card = state_.deck_[state_.next_++];
    dealt_in_[card] = state_.reshuffles_;
    return card;
  }

  // Cards that are still to come are kept in the stock. Those that the observer has seen before may also go through
  // others' hands first, and must where the stock is used up in between.
  bool kept_back(CardId card) const { return expected_[card] > 0 && (keeps_all_ || !shown_[card]); }

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
        if (!rules_.is_opaque(card) || (!expected && kept_back(card))) continue;
        to_front(i);
        return;
      }
    throw Unlucky();
  }

  // One of the cards that are known to come now, if possible one that the stock still holds (when it runs out in the
  // middle of a draw, the order matters), else one that can change places with a card of the stock.
  void take_one_of(std::vector<CardId>& known) {
    const auto in_stock = [&](CardId card) { return position(card) < state_.stock_; };
    auto card = std::find_if(known.rbegin(), known.rend(), in_stock);
    if (card == known.rend() && script_.me >= 0)
      card = std::find_if(known.rbegin(), known.rend(), [&](CardId c) { return bring(c); });
    if (card == known.rend()) throw Unlucky();
    to_front(position(*card));
    --expected_[*card];
    shown_[*card] = true;
    known.erase(std::next(card).base());
  }

  // Where in the stock a card lies; the end of the stock when it does not.
  std::size_t position(CardId card) const {
    const auto end = state_.deck_.begin() + state_.stock_;
    return static_cast<std::size_t>(std::find(state_.deck_.begin() + state_.next_, end, card) - state_.deck_.begin());
  }

  // Gets a card into the stock that was given to somebody whom the observer does not see.
  bool bring(CardId card) {
    return rules_.is_opaque(card) && (swap_since_shuffle(card) || swap_unseen(card) || swap_twice(card));
  }

  // A card that was dealt to somebody unseen since the stock was last shuffled might as well have been another one of
  // that stock: the two change places.
  bool swap_since_shuffle(CardId card) {
    if (dealt_in_[card] != state_.reshuffles_) return false;
    const auto begin = state_.deck_.begin() + state_.next_, end = state_.deck_.begin() + state_.stock_;
    auto other = std::find_if(begin, end, [&](CardId c) { return rules_.is_opaque(c) && expected_[c] == 0; });
    if (other == end) other = std::find_if(begin, end, [&](CardId c) { return rules_.is_opaque(c); });
    if (other == end) return false;
    if (!replace_held(card, *other) && !replace_discarded(card, *other)) return false;
    dealt_in_[*other] = state_.reshuffles_;
    *other = card;
    return true;
  }

  // Replaces a card that somebody holds unseen, or has just discarded and is still to get another one for.
  bool replace_held(CardId from, CardId to) {
    const auto change = [&](CardId& card) { card = card == from ? to : card; };
    for (Seat seat = 0; seat < rules_.players; ++seat) {
      const auto cards = state_.cards(seat);
      const auto i = static_cast<std::size_t>(std::find(cards.begin(), cards.end(), from) - cards.begin());
      if (i == cards.size()) continue;
      if (seat == script_.me || state_.is_up(i)) return false;
      change(state_.cards_.hand[State::at(seat)][i]);
      sort_cards(seat);
      if (state_.drawing_ != 0 && seat == state_.turn_)
        exchange_discarded(state_.cards_.discarded[State::at(state_.draw_of_street())][State::at(seat)], change);
      return true;
    }
    return false;
  }

  // Replaces a card where it was discarded last.
  bool replace_discarded(CardId from, CardId to) {
    const auto change = [&](CardId& card) { card = card == from ? to : card; };
    for (std::size_t draw = kMaxDraws; draw-- > 0;)
      for (Seat seat = 0; seat < rules_.players; ++seat) {
        State::Discarded& discarded = state_.cards_.discarded[draw][State::at(seat)];
        const auto list = std::span(discarded.card).first(State::at(std::max(discarded.size(), 0)));
        if (std::find(list.begin(), list.end(), from) == list.end()) continue;
        if (seat == script_.me) return false;
        exchange_discarded(discarded, change);
        return true;
      }
    return false;
  }

  // Where the stock holds only cards that the observer has seen: the card first takes the place of one in a hand that
  // was dealt since the stock was shuffled.
  bool swap_twice(CardId card) {
    if (shown_[card]) return false;
    for (Seat seat = 0; seat < rules_.players; ++seat)
      for (const CardId held : std::vector<CardId>(state_.cards(seat).begin(), state_.cards(seat).end())) {
        if (seat == script_.me || seen_[held] || !rules_.is_opaque(held) || dealt_in_[held] != state_.reshuffles_)
          continue;
        exchange(card, held);
        std::swap(dealt_in_[card], dealt_in_[held]);
        return swap_since_shuffle(card);
      }
    return false;
  }

  // Hands that cards are being dealt to are sorted afterwards.
  void sort_cards(Seat seat) {
    const bool dealt =
        state_.cards_.count[State::at(seat)] == kDrawHand && (state_.drawing_ == 0 || seat != state_.turn_);
    if (rules_.draws > 0 && dealt)
      sort_hand(state_.cards_.hand[State::at(seat)].data(), state_.cards_.when[State::at(seat)].data());
  }

  // A card that the observer sees for the first time, and one that he has never seen: they change all their places.
  bool swap_unseen(CardId card) {
    const auto begin = state_.deck_.begin() + state_.next_, end = state_.deck_.begin() + state_.stock_;
    const auto other = std::find_if(begin, end, [&](CardId c) { return !seen_[c] && rules_.is_opaque(c); });
    if (other == end || shown_[card]) return false;
    exchange(card, *other);
    std::swap(dealt_in_[card], dealt_in_[*other]);
    return true;
  }

  // Exchanges two cards wherever they lie or lay: the observer has seen neither so far.
  void exchange(CardId a, CardId b) {
    const auto change = [&](CardId& card) { card = card == a ? b : card == b ? a : card; };
    for (CardId& card : std::span(state_.deck_).first(state_.stock_)) change(card);
    for (Seat seat = 0; seat < rules_.players; ++seat) {
      auto& hand = state_.cards_.hand[State::at(seat)];
      const std::size_t count = state_.cards_.count[State::at(seat)];
      for (CardId& card : std::span(hand).first(count)) change(card);
      sort_cards(seat);
      for (auto& draw : state_.cards_.discarded) exchange_discarded(draw[State::at(seat)], change);
    }
  }

  template <class Change>
  static void exchange_discarded(State::Discarded& discarded, Change change) {
    std::array<std::pair<CardId, std::uint8_t>, kDrawHand> cards{};
    const auto count = static_cast<std::size_t>(std::max<int>(discarded.count, 0));
    for (std::size_t i = 0; i < count; ++i) {
      change(discarded.card[i]);
      cards[i] = {discarded.card[i], discarded.when[i]};
    }
    std::sort(cards.begin(), cards.begin() + static_cast<std::ptrdiff_t>(count));
    for (std::size_t i = 0; i < count; ++i) std::tie(discarded.card[i], discarded.when[i]) = cards[i];
  }

  const GameRules& rules_;
  Script script_;
  RandomStream& rng_;
  bool keeps_all_;
  State state_;
  int pending_ = 0;                                     // cards that the seat which draws has yet to get
  std::array<std::uint8_t, kMaxDeckCards> dealt_in_{};  // after how many reshuffles it was last dealt
  std::array<bool, kMaxDeckCards> shown_{};             // by the script so far
  std::array<bool, kMaxDeckCards> seen_{};              // by the observer, at any time
  std::array<std::uint8_t, kMaxDeckCards> expected_{};  // times it is still to come where the script tells it
};

State play_script(const GameRules& rules, const Script& script, RandomStream& rng) {
  constexpr int kAttempts = 200;
  for (int attempt = 0; attempt < (script.me < 0 ? 1 : kAttempts); ++attempt) {
    try {
      return ScriptPlayer(rules, script, rng, attempt % 2 == 0).play();
    } catch (const ScriptPlayer::Unlucky&) {
      continue;
    }
  }
  refuse_observation("cards lie where they cannot");
}

}  // namespace dealer::poker
