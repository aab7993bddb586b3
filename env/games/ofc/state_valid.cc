// Checks that a state can occur, before bytes read from a file are used.
#include <algorithm>
#include <bit>
#include <cstring>

#include "env/games/ofc/observation_parts.h"
#include "env/games/ofc/state.h"

namespace dealer::ofc {
namespace {

// Reading a bool that is neither 0 nor 1 is undefined, so this checks its byte.
template <class T>
bool are_bools(const T& values) {
  unsigned char bytes[sizeof(values)];
  std::memcpy(bytes, &values, sizeof(values));
  return std::all_of(std::begin(bytes), std::end(bytes), [](unsigned char byte) { return byte <= 1; });
}

constexpr HandRecord kNoRecord{};

// Complete boards, of thirteen cards of the deck.
bool is_final(const Board& board) {
  return (board.cards() & ~kFullDeck) == 0 && board.complete() && size(board.cards()) == kBoardCards;
}

}  // namespace

bool State::valid() const {
  if (!flags_valid() || !table_valid()) return false;
  CardSet all = 0;
  for (int seat = 0; seat < rules_->players; ++seat) {
    if (!cards_valid(seat)) return false;
    for (const Card card : card_[at(seat)]) {
      if ((all & bit(card)) != 0) return false;
      all |= bit(card);
    }
  }
  return turn_valid() && record_valid();
}

void State::attach(const Rules* rules) {
  rules_ = rules;
  if (rules == nullptr) return;
  // Files of earlier versions, in which all Fantasyland hands had the same number of cards, hold 1 for it.
  for (std::uint8_t* cards : {fantasyland_.data(), last_.fantasyland, last_.next})
    std::replace(cards, cards + kMaxSeats, std::uint8_t{1}, rules->scoring.bonus.fantasyland_cards[kAfterPair]);
}

bool State::flags_valid() const {
  const auto& numbers = rules_->scoring.bonus.fantasyland_cards;
  const auto are_numbers = [&](const auto& values) {
    return std::all_of(std::begin(values), std::end(values), [&](std::uint8_t cards) {
      return cards == 0 || std::find(numbers.begin(), numbers.end(), cards) != numbers.end();
    });
  };
  return are_numbers(fantasyland_) && are_numbers(last_.fantasyland) && are_numbers(last_.next) && are_bools(out_) &&
         are_bools(last_.played) && are_bools(last_.foul);
}

// Checks seats, points and the players who are out.
bool State::table_valid() const {
  const int n = rules_->players;
  if (turn_ < kTerminal || turn_ >= n || dealer_ < 0 || dealer_ >= n) return false;
  // Far above real numbers of hands, and far from overflow.
  if (hands_finished_ < (turn_ == kTerminal ? 1 : 0) || hands_finished_ > 1'000'000'000) return false;
  constexpr std::int64_t kMaxReturn = 1'000'000'000'000;
  if ((turn_ == kTerminal) != (street_ == kStreets) || street_ < 0 || street_ > kStreets) return false;
  const bool match = rules_->episode == Episode::kMatch, tournament = rules_->is_tournament();
  std::int64_t sum = 0, returns = 0;
  for (int seat = 0; seat < kMaxSeats; ++seat) {
    const auto s = at(seat);
    if (return_[s] < -kMaxReturn || return_[s] > kMaxReturn) return false;
    returns += return_[s];
    if (seat >= n && (out_[s] || in_fantasyland(seat))) return false;
    if (points_[s] < 0 || points_[s] > (match && seat < n ? rules_->all_points() : 0)) return false;
    if (match && seat < n && out_[s] != (points_[s] == 0)) return false;
    if (!match && out_[s]) return false;
    if (match && !tournament && seat < n && return_[s] != points_[s] - rules_->start_points) return false;
    if (tournament && return_[s] != (turn_ == kTerminal ? last_.points[s] : 0)) return false;
    if (tournament && seat < n && turn_ != kTerminal && points_[s] == 0) return false;
    // A player who is out has no part in a hand, but may have gone out with the one just over.
    if (out_[s] && in_fantasyland(seat) && (turn_ != kTerminal || moved_[s] == 0)) return false;
    sum += points_[s];
  }
  const int all = match ? rules_->all_points() : 0;
  if (returns != 0 || (tournament ? sum > all : sum != all)) return false;
  if (turn_ == kTerminal) return true;
  return live_players() > 1 && !out_[at(dealer_)] && !(match && rules_->first_out_ends && live_players() < n) &&
         !(match && !tournament && rules_->match_hands > 0 && hands_finished_ >= rules_->match_hands) &&
         !(rules_->episode == Episode::kHand && hands_finished_ > 0);
}

// Checks the seat's cards, in the order of dealing, and their places.
bool State::cards_valid(Seat seat) const {
  const auto s = at(seat);
  const int hand = in_fantasyland(seat) ? fantasyland_[s] : kMaxHand;
  if (moved_[s] > hand || placed_[s] > kBoardCards || placed_[s] > moved_[s]) return false;
  if (discarded(seat) > hand - kBoardCards) return false;
  if (!std::all_of(card_[s].begin(), card_[s].end(), [](Card card) { return card < kCards; })) return false;
  const auto sorted = [&](int begin, int end) {
    return std::is_sorted(card_[s].begin() + begin, card_[s].begin() + end);
  };
  if (in_fantasyland(seat)) {
    if (!sorted(0, hand)) return false;
  } else {
    for (int begin = 0; const int end : kDealtCards) {
      if (!sorted(begin, end)) return false;
      begin = end;
    }
  }
  // Moving the cards again must give the same state.
  State again;
  again.card_[s] = card_[s];
  again.open_[s] = 7;
  for (int i = 0; i < moved_[s]; ++i) {
    const Card card = card_[s][static_cast<std::size_t>(i)];
    const int placed = again.placed_[s];
    const int discards = again.discarded(seat);
    const int slot = placed < placed_[s] ? slot_[s][static_cast<std::size_t>(placed)] : kRows * kCards;
    if (slot < kRows * kCards && slot % kCards == card && ((again.open_[s] >> (slot / kCards)) & 1) != 0)
      again.move_next_card(seat, slot / kCards);
    else if (discards < discarded(seat) && discard_[s][static_cast<std::size_t>(discards)] == card)
      again.move_next_card(seat, kToDiscard);
    else
      return false;
    if (in_fantasyland(seat)) continue;
    const auto street = std::find(kDealtCards.begin(), kDealtCards.end(), i + 1);
    if (street != kDealtCards.end() &&
        again.placed_[s] != kPlacedCards[static_cast<std::size_t>(street - kDealtCards.begin())])
      return false;
  }
  return again.board_[s] == board_[s] && again.placed_[s] == placed_[s] && again.open_[s] == open_[s] &&
         again.slot_[s] == slot_[s] && again.discard_[s] == discard_[s];
}

// Checks the turn in progress, and the progress of all seats.
bool State::turn_valid() const {
  if (turn_ == kTerminal) {
    for (Seat seat = 0; seat < rules_->players; ++seat)
      if (moved_[at(seat)] != dealt(seat) && !(out_[at(seat)] && moved_[at(seat)] == 0)) return false;
    return turns_left_ == 0 && legal_ == 0 && places_left_ == 0 && discards_left_ == 0;
  }
  if (!acts(turn_)) return false;
  const int before = street_ == 0 ? 0 : kDealtCards[static_cast<std::size_t>(street_ - 1)];
  int turns = 0;
  bool waiting = false;  // the seat's turn is still to come
  Seat seat = dealer_;
  for (int i = 0; i < acting_players(); ++i) {
    seat = next_acting(seat);
    if (seat == turn_) {
      waiting = true;
      if (moved_[at(seat)] < before) return false;
    } else if (moved_[at(seat)] != (waiting ? before : dealt(seat))) {
      return false;
    }
    turns += waiting ? 1 : 0;
  }
  for (Seat other = 0; other < rules_->players; ++other)
    if (!acts(other) && moved_[at(other)] != (out_[at(other)] ? 0 : dealt(other))) return false;
  const int discards_at_end = in_fantasyland(turn_) ? fantasyland_[at(turn_)] - kBoardCards : street_;
  const int discards = discards_at_end - discarded(turn_);
  const int places = dealt(turn_) - moved_[at(turn_)] - discards;
  const unsigned legal = (discards > 0 ? 1U << kToDiscard : 0U) | (places > 0 ? open_[at(turn_)] : 0U);
  return turns == turns_left_ && discards == discards_left_ && places == places_left_ && legal == legal_ &&
         std::popcount(legal) > 1;
}

// Checks the last hand: when a hand is over it must agree with the boards, and the points before follow from it. In the
// next hand, the players in Fantasyland follow from it; a sampled state lacks it.
bool State::record_valid() const {
  const bool match = rules_->episode == Episode::kMatch;
  if (turn_ != kTerminal && std::memcmp(&last_, &kNoRecord, sizeof(last_)) == 0) return true;
  State then = *this;
  Points won{}, before{}, net{};
  int players = 0;
  for (std::size_t s = 0; s < kMaxSeats; ++s) {
    won[s] = last_.points[s];
    before[s] = std::int64_t{points_[s]} - won[s];
    if (turn_ == kTerminal) continue;
    then.board_[s] = last_.board[s];
    then.fantasyland_[s] = last_.fantasyland[s];
    if (last_.played[s] && !is_final(last_.board[s])) return false;
    if (fantasyland_[s] != (out_[s] ? 0 : last_.next[s])) return false;
  }
  then.turn_ = kTerminal;
  if (turn_ != kTerminal) then.dealer_ = last_.dealer;
  if (hands_finished_ < 1 || then.dealer_ < 0 || then.dealer_ >= rules_->players) return false;
  HandRecord record = then.compare_boards(net);
  std::copy(std::begin(last_.points), std::end(last_.points), std::begin(record.points));
  for (std::size_t s = 0; s < kMaxSeats; ++s) {
    players += record.played[s] ? 1 : 0;
    if (match && (before[s] < 0 || record.played[s] != (before[s] > 0))) return false;
  }
  return players > 1 && std::memcmp(&record, &last_, sizeof(record)) == 0 && then.settle(net, before) == won;
}

}  // namespace dealer::ofc
