#pragma once

// Progress of a hand, for both sources of cards: the stock, and an observed hand.

#include <algorithm>
#include <bit>
#include <utility>

#include "env/games/poker/state.h"

namespace dealer::poker {

// Sorts a hand of a draw game, up to five cards, with the times they came; without branches on the cards.
inline void State::sort_hand(Seat seat) {
  CardId* const card = hand(seat);
  const int when = word(packing().when + 2 * seat);
  std::array<unsigned, kDrawHand> key{};
  const std::size_t cards = at(rules_->hand_cards);
  for (std::size_t i = 0; i < kDrawHand; ++i)
    key[i] = i < cards ? unsigned{card[i]} << kWhenBits | (static_cast<unsigned>(when) >> (kWhenBits * i) & 3U) : ~0U;
  constexpr std::array<std::pair<int, int>, 9> kExchanges = {
      {{0, 3}, {1, 4}, {0, 2}, {1, 3}, {0, 1}, {2, 4}, {1, 2}, {3, 4}, {2, 3}}};
  for (const auto& [a, b] : kExchanges) {
    unsigned &x = key[at(a)], &y = key[at(b)];
    const unsigned low = std::min(x, y), high = std::max(x, y);
    x = low;
    y = high;
  }
  unsigned sorted = 0;
  for (std::size_t i = 0; i < cards; ++i) {
    card[i] = static_cast<CardId>(key[i] >> kWhenBits);
    sorted |= (key[i] & 3U) << (kWhenBits * i);
  }
  set_word(packing().when + 2 * seat, static_cast<int>(sorted));
}

inline CardId State::FromStock::operator()(Seat seat, int, bool) const {
  if (state.next_ == state.stock_) state.reshuffle(seat);
  return std::exchange(state.bytes_[at(state.packing().stock + state.next_++)], CardId{0});
}

inline Seat State::next_live(Seat seat) const {
  const unsigned live = bets_.live(), from = live >> (seat + 1);
  return from != 0 ? seat + 1 + std::countr_zero(from) : std::countr_zero(live);
}

template <class Deal>
void State::deal_street(const Street& street, Deal&& deal) {
  const int live = bets_.live_count();
  // Only stud deals so many cards that the stock may not suffice for every last card.
  const bool shared = rules_->procedure == Procedure::kStud && stock_ - next_ < live * (street.down + street.up);
  for (int i = shared ? 1 : street.board; i > 0; --i)
    bytes_[at(packing().board + board_count_++)] = deal(-1, street_, true);
  if (shared || street.down + street.up == 0) return;
  Seat seat = next_live(dealer_);
  for (int i = 0; i < live; ++i, seat = next_live(seat)) {
    CardId* const cards = hand(seat);
    std::uint8_t& count = count_[at(seat)];
    for (int c = 0; c < street.down + street.up; ++c) cards[count++] = deal(seat, street_, c >= street.down);
    if (rules_->draws > 0) sort_hand(seat);
  }
}

// After a street: deals the next ones until a seat has to decide, or ends the hand.
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
      legal_ = ((std::uint64_t{1} << rules_->discard_choices()) - 1) << rules_->first_discard();
      return;
    }
    if (begin_betting(street)) return;
  }
}

// Discards cards of the seat to act and deals as many. The choice is unpredictable, so there are no branches: the hand
// is split into discards and kept cards, a byte a card, and the new cards follow the kept ones.
template <class Deal>
void State::discard_cards(unsigned mask, Deal&& deal) {
  const Seat seat = current_player();
  CardId* const cards = hand(seat);
  const int size = rules_->hand_cards, draw = draw_of_street(), place = discard_at(draw, seat),
            when = word(packing().when + 2 * seat);
  struct Part {
    std::uint64_t cards = 0;
    int when = 0, count = 0;
    void add(CardId card, int time, int copies) {
      cards |= std::uint64_t{card} * at(copies) << (8 * count);
      when |= time * copies << (kWhenBits * count);
      count += copies;
    }
  } gone, kept;
  for (int i = 0; i < size; ++i) {
    const int goes = static_cast<int>(mask >> i & 1), time = when >> (kWhenBits * i) & kWhenMask;
    gone.add(cards[i], time, goes);
    kept.add(cards[i], time, 1 - goes);
  }
  // A reshuffle in between leaves out the hand: the discards stay there until they are replaced.
  const std::uint64_t parted = kept.cards | gone.cards << (8 * kept.count);
  for (int i = 0; i < size; ++i) {
    bytes_[at(place + i)] = static_cast<CardId>(gone.cards >> (8 * i));
    cards[i] = static_cast<CardId>(parted >> (8 * i));
  }
  set_word(place + kDrawHand, gone.when | (gone.count + 1) << kDiscardCount);
  for (int i = kept.count; i < size; ++i) {
    cards[i] = deal(seat, draw + 1, false);
    kept.when |= (draw + 1) << (kWhenBits * i);
  }
  set_word(packing().when + 2 * seat, kept.when);
  if (mask != 0) sort_hand(seat);
  to_draw_ = static_cast<SeatSet>(to_draw_ & ~betting::bit(seat));
  if (to_draw_ != 0) {
    turn_ = static_cast<std::int8_t>(next_live(seat));
    return;
  }
  drawing_ = 0;
  if (!begin_betting(rules_->street[at(street_)])) go_on(deal);
}

// Call before the seat to act takes its action.
inline void State::remember(Kind kind, Chips total) {
  const int n = rules_->players, first = int{first_[at(rounds_begun_ - 1)]};
  const int position = turn_ - first + (turn_ < first ? n : 0);
  orbits_ = static_cast<std::uint8_t>(orbits_ + (position <= position_ ? 1 : 0));
  position_ = static_cast<std::int8_t>(position);
  const int bit = ((orbits_ - 1) * n + position) * 2;
  std::uint8_t& byte = bytes_[at(packing().orbits + bit / 8)];
  byte = static_cast<std::uint8_t>(byte | (kind + 1) << (bit % 8));
  if (kind == kBet) set_amount(packing().amounts + kAmountBytes * amounts_++, total);
  if (rounds_begun_ != 1 || kind == kFolded) return;
  const SeatSet me = betting::bit(turn_);
  if (kind == kBet) pfr_ = static_cast<SeatSet>(pfr_ | me);
  if (kind == kBet || (bets_.to_call() > 0 && !bets_.bring_in_due())) vpip_ = static_cast<SeatSet>(vpip_ | me);
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

}  // namespace dealer::poker
