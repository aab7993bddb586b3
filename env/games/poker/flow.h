#pragma once

// How a hand goes on, for the two sources of cards: the stock, and a sampler that deals what an observer has seen.

#include <algorithm>
#include <bit>
#include <utility>

#include "env/games/poker/state.h"

namespace dealer::poker {

// Sorts five cards with the times they came, without branches.
inline void sort_hand(CardId* card, std::uint8_t* when) {
  std::array<unsigned, kDrawHand> key{};
  for (std::size_t i = 0; i < kDrawHand; ++i) key[i] = unsigned{card[i]} << 8 | when[i];
  constexpr std::array<std::pair<int, int>, 9> kExchanges = {
      {{0, 3}, {1, 4}, {0, 2}, {1, 3}, {0, 1}, {2, 4}, {1, 2}, {3, 4}, {2, 3}}};
  for (const auto& [a, b] : kExchanges) {
    unsigned &x = key[static_cast<std::size_t>(a)], &y = key[static_cast<std::size_t>(b)];
    const unsigned low = std::min(x, y), high = std::max(x, y);
    x = low;
    y = high;
  }
  for (std::size_t i = 0; i < kDrawHand; ++i) {
    card[i] = static_cast<CardId>(key[i] >> 8);
    when[i] = static_cast<std::uint8_t>(key[i] & 0xff);
  }
}

inline Seat State::next_live(Seat seat) const {
  const unsigned live = bets_.live(), from = live >> (seat + 1);
  return from != 0 ? seat + 1 + std::countr_zero(from) : std::countr_zero(live);
}

template <class Deal>
void State::deal_street(const Street& street, Deal&& deal) {
  const int live = bets_.live_count();
  // Only stud deals so much that the stock may not give everybody a last card.
  const bool shared = rules_->procedure == Procedure::kStud && stock_ - next_ < live * (street.down + street.up);
  for (int i = shared ? 1 : street.board; i > 0; --i) cards_.board[cards_.board_count++] = deal(-1, street_, true);
  if (shared || street.down + street.up == 0) return;
  Seat seat = next_live(dealer_);
  for (int i = 0; i < live; ++i, seat = next_live(seat)) {
    std::uint8_t& count = cards_.count[at(seat)];
    for (int c = 0; c < street.down + street.up; ++c) {
      cards_.when[at(seat)][count] = static_cast<std::uint8_t>(street_);
      cards_.hand[at(seat)][count] = deal(seat, street_, c >= street.down);
      ++count;
    }
    if (rules_->draws > 0) sort_hand(cards_.hand[at(seat)].data(), cards_.when[at(seat)].data());
  }
}

// After a street: deals the next ones until somebody has to decide, or ends the hand.
template <class Deal>
void State::go_on(Deal&& deal) {
  for (;;) {
    if (bets_.live_count() < 2 || street_ + 1 == rules_->streets) {
      finish_hand();
      return;
    }
    const Street& street = rules_->street[at(++street_)];
    deal_street(street, deal);
    if (street.draw) {
      to_draw_ = bets_.live();
      drawing_ = 1;
      turn_ = static_cast<std::int8_t>(next_live(dealer_));
      legal_ = ((std::uint64_t{1} << kDiscardChoices) - 1) << rules_->first_discard();
      return;
    }
    if (begin_betting(street)) return;
  }
}

// Discards cards of the seat to act and deals as many.
template <class Deal>
void State::discard_cards(unsigned mask, Deal&& deal) {
  const Seat seat = current_player();
  auto& hand = cards_.hand[at(seat)];
  auto& when = cards_.when[at(seat)];
  const int draw = draw_of_street();
  Discarded& discarded = cards_.discarded[at(draw)][at(seat)];
  discarded.count = 0;
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(rest));
    const std::size_t to = at(discarded.size());
    ++discarded.count;
    discarded.card[to] = hand[i];
    discarded.when[to] = when[i];
  }
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(rest));
    hand[i] = deal(seat, draw + 1, false);
    when[i] = static_cast<std::uint8_t>(draw + 1);
  }
  if (mask != 0) sort_hand(hand.data(), when.data());
  to_draw_ = static_cast<SeatSet>(to_draw_ & ~betting::bit(seat));
  if (to_draw_ != 0) {
    turn_ = static_cast<std::int8_t>(next_live(seat));
    return;
  }
  drawing_ = 0;
  if (!begin_betting(rules_->street[at(street_)])) go_on(deal);
}

template <class Deal>
void State::act(Action action, Chips total, Deal&& deal) {
  if (drawing_ != 0) {
    discard_cards(static_cast<unsigned>(action - rules_->first_discard()), deal);
    return;
  }
  if (action == kFold) {
    remember(kFolded, 0);
    bets_.fold(rules_->bets);
  } else if (action == kCall) {
    remember(kCalled, 0);
    bets_.call(rules_->bets);
  } else {
    remember(kBet, total);
    bets_.bet_to(rules_->bets, total);
  }
  turn_ = static_cast<std::int8_t>(bets_.to_act());
  if (turn_ >= 0)
    legal_ = bet_mask();
  else
    go_on(deal);
}

// An action of somebody, and those that leave no choice after it.
template <class Deal>
void State::play(Action action, Chips total, Deal&& deal) {
  act(action, total, deal);
  while (turn_ >= 0 && (legal_ & (legal_ - 1)) == 0) act(std::countr_zero(legal_), 0, deal);
}

}  // namespace dealer::poker
