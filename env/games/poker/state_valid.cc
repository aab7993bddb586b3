// Checks that a state can occur, before bytes read from a file are used.
#include <algorithm>
#include <bitset>
#include <cstring>

#include "env/core/error.h"
#include "env/games/poker/script.h"

namespace dealer::poker {
namespace {

// Far above real numbers, and far from overflow.
constexpr std::int32_t kMaxHands = 1'000'000'000;

}  // namespace

// Checks the seats, and the stage of the hand.
bool State::table_valid() const {
  const int n = rules_->players;
  const bool match = rules_->episode == Episode::kMatch;
  if (turn_ < kTerminal || turn_ >= n || dealer_ < 0 || dealer_ >= n) return false;
  if (hands_finished_ < 0 || hands_finished_ > kMaxHands || hand_over_ > 1 || drawing_ > 1 || rewarded_ > 1)
    return false;
  if ((turn_ == kTerminal) != (hand_over_ != 0) || hands_finished_ < hand_over_) return false;
  if (street_ < 0 || street_ >= rules_->streets) return false;
  const int before = hands_finished_ - hand_over_;
  if ((!match || rules_->is_tournament()) && before != 0) return false;
  if (match && rules_->match_hands > 0 && before >= rules_->match_hands) return false;
  const auto in_range = [](std::uint8_t suit) { return suit < Deck::kReplaceable; };
  if (!std::all_of(suits_taken_out().begin(), suits_taken_out().end(), in_range)) return false;
  return (in_ >> n) == 0 && (in_ >> dealer_ & 1) != 0 && (in_ & (in_ - 1)) != 0;
}

bool State::chips_valid() const {
  const int n = rules_->players;
  const std::int64_t all = rules_->all_chips();
  std::int64_t total = 0;
  for (Seat seat = 0; seat < kMaxSeats; ++seat) {
    if (bets_.stack(seat) < 0 || bets_.paid(seat) < 0) return false;
    const std::int64_t at_start = std::int64_t{bets_.stack(seat)} + bets_.paid(seat);
    if (((in_ >> seat & 1) != 0) != (at_start > 0) || at_start > all) return false;
    if (rules_->fresh_stacks() && seat < n && at_start != rules_->stack) return false;
    if (rules_->is_tournament() && seat < n && at_start == 0) return false;
    if (payout_[at(seat)] < 0 || payout_[at(seat)] > all) return false;
    if (reward_[at(seat)] < -all || reward_[at(seat)] > all ||
        ((seat >= n || rewarded_ == 0) && reward_[at(seat)] != 0))
      return false;
    total += at_start;
  }
  return total == all ||
         (total < all && (rules_->is_tournament() || rules_->bets.odd_chips == betting::OddChips::kDiscard));
}

// True if the betting history can be decoded, whether or not it is consistent.
bool State::history_valid() const {
  const int n = rules_->players;
  if (orbits_ > rules_->rounds + rules_->max_bets || amounts_ > rules_->max_bets || position_ < 0 || position_ > n)
    return false;
  if (rounds_begun_ < 0 || rounds_begun_ > rules_->rounds || (rounds_begun_ == 0 && orbits_ > 0)) return false;
  int begin = 0;
  for (int round = 0; round < rounds_begun_; ++round) {
    if (round_begin_[at(round)] < begin || round_begin_[at(round)] > orbits_) return false;
    if (first_[at(round)] < 0 || first_[at(round)] >= n) return false;
    begin = round_begin_[at(round)];
  }
  if (round_begin_[0] != 0) return false;
  int bets = 0;
  for (int bit = 0; bit < 2 * n * orbits_; bit += 2)
    bets += (bytes_[at(packing().orbits + bit / 8)] >> (bit % 8) & 3) == kBet + 1 ? 1 : 0;
  return bets == amounts_;
}

// True if the cards can be decoded.
bool State::cards_valid() const {
  const auto in_deck = [&](std::span<const std::uint8_t> cards) {
    return std::all_of(cards.begin(), cards.end(), [&](CardId card) { return card < rules_->deck->size(); });
  };
  const auto times = [&](int word) {
    for (int i = 0; i < kDrawHand; ++i)
      if ((word >> (kWhenBits * i) & 3) > rules_->draws) return false;
    return true;
  };
  if (next_ > stock_ || stock_ > rules_->shuffled || board_count_ > packing().stock - packing().board) return false;
  for (Seat seat = 0; seat < kMaxSeats; ++seat)
    if (count_[at(seat)] > (seat < rules_->players ? packing().hand : 0)) return false;
  if (!in_deck(std::span(bytes_).first(at(packing().when)))) return false;
  if (rules_->draws == 0) return true;
  for (Seat seat = 0; seat < rules_->players; ++seat) {
    if (!times(word(packing().when + 2 * seat))) return false;
    for (int draw = 0; draw < rules_->draws; ++draw) {
      if (discard_count(draw, seat) > rules_->hand_cards || !times(discard_word(draw, seat))) return false;
      if (!in_deck(std::span(bytes_).subspan(at(discard_at(draw, seat)), kDrawHand))) return false;
    }
  }
  return true;
}

// The hand as a script. Precondition: the functions above return true.
Script State::script() const {
  Script script;
  script.dealer = dealer();
  script.hand_number = hands_finished_ - hand_over_;
  script.in = in_;
  std::copy(suits_taken_out().begin(), suits_taken_out().end(), script.taken_out.begin());
  std::size_t dealt = 0;
  for (int s = 0; s <= street_; ++s) {
    const bool shared = rules_->procedure == Procedure::kStud && s + 1 == rules_->streets;
    for (int i = 0; i < (shared ? 1 : rules_->street[at(s)].board) && dealt < board().size(); ++i)
      script.board[at(s)].push_back(board()[dealt++]);
  }
  for (Seat seat = 0; seat < rules_->players; ++seat) {
    script.chips[at(seat)] = chips(seat);
    Script::Player& player = script.player[at(seat)];
    for (std::size_t i = 0; i < cards(seat).size(); ++i)
      (is_up(i) ? player.up : player.down)[at(when(seat, i))].push_back(cards(seat)[i]);
    for (int draw = 0; draw < rules_->draws; ++draw) {
      Script::Discard& gone = player.discarded[at(draw)];
      gone.count = discard_count(draw, seat);
      for (int i = 0; i < gone.count; ++i) {
        gone.cards.push_back(discarded(draw, seat, i).card);
        player.down[at(discarded(draw, seat, i).when)].push_back(gone.cards.back());
      }
    }
  }
  for (PastActions past; past.next(*this);)
    script.player[at(past.seat)].bets[at(past.round)].push_back({past.kind, past.total});
  return script;
}

// Replaying the hand must give the same state. The order of the stock is free, and if only part of the stock is stored,
// so is the choice of its cards.
bool State::valid() const {
  if (!table_valid() || !chips_valid() || !history_valid() || !cards_valid()) return false;
  State again;
  try {
    again = play_script(*rules_, script());
  } catch (const UsageError&) {
    return false;
  }
  if (again.stock_ != stock_ || again.next_ != next_) return false;
  std::bitset<kMaxDeckCards> free;
  std::array<CardId, kMaxDeckCards> deck;
  for (const CardId card : std::span(deck).first(in_play(deck.data()))) free.set(card);
  const auto take = [&](CardId card) {
    const bool is_free = free[card];
    free.reset(card);
    return is_free;
  };
  if (reshuffles_ == 0) {
    for (Seat seat = 0; seat < rules_->players; ++seat) {
      for (const CardId card : cards(seat)) free.reset(card);
      for (int draw = 0; draw < rules_->draws; ++draw)
        for (int i = 0; i < discard_count(draw, seat); ++i) free.reset(discarded(draw, seat, i).card);
    }
    for (const CardId card : board()) free.reset(card);
  } else {
    free.reset();
    for (int i = next_; i < stock_; ++i) free.set(again.bytes_[at(packing().stock + i)]);
  }
  for (int i = next_; i < stock_; ++i) {
    CardId& card = again.bytes_[at(packing().stock + i)];
    card = bytes_[at(packing().stock + i)];
    if (!take(card)) return false;
  }
  again.seed_ = seed_;
  again.reward_ = reward_;
  again.rewarded_ = rewarded_;
  return std::memcmp(&again, this, sizeof(State)) == 0;
}

}  // namespace dealer::poker
