// Checks that a state can occur, before bytes read from a file are used.
#include <cstdlib>
#include <cstring>

#include "env/games/seven_hand/state.h"

namespace dealer::seven_hand {

// Replaying the hand from its deal must give the same bytes.
bool State::valid() const {
  unsigned char naming = 0;  // reading a bool that is neither 0 nor 1 is undefined
  std::memcpy(&naming, &naming_, 1);
  if (naming > 1 || dealer_ < 0 || dealer_ >= kSeats || turns_ > kSeats * kTurns) return false;
  CardSet all = 0;
  for (const auto& draws : draws_) {
    for (int draw = 0; draw < kDraws; ++draw) {
      if (size(draws[at(draw)]) != (draw == 0 ? kOpening : kDraw)) return false;
      all |= draws[at(draw)];
    }
  }
  if (all != kFullDeck || hands_finished_ < 0 || hands_finished_ > rules_->hands) return false;

  State again;
  again.rules_ = rules_;
  again.begin(draws_, dealer_);
  again.seed_ = seed_;
  for (int turn = 0; turn < turns_; ++turn) {
    const Seat seat = mover_of(turn);
    const int chip = chip_of(seat, turn / kSeats + 1);
    if (again.hand_over() || chip == kChips) return false;
    const CardSet cards = laid(seat, chip);
    if (cards == 0 || (cards & ~again.hand(seat)) != 0 || size(cards) > kMostLaid) return false;
    again.hand_[at(seat)] &= ~cards;
    again.picked_ = cards;
    again.lay_at(chip);
  }
  for (CardSet rest = picked_; rest != 0; rest &= rest - 1) {
    const Action card = lowest(rest);
    if (again.hand_over() || again.naming_ || (again.legal_ >> card & 1) == 0) return false;
    again.apply_and_hold(card);
  }
  if (naming_ && !again.naming_) {
    if (again.hand_over() || picked_ == 0) return false;
    again.apply_and_hold(kStop);
  }

  const int most = rules_->most_of_hand();
  const bool over = again.hand_over();
  const auto before = std::int64_t{hands_finished_} - (over ? 1 : 0);
  const std::int64_t then = std::int64_t{return_} - (over ? reward_ : 0);
  if (before < 0 || before >= rules_->hands || std::abs(then) > before * most) return false;
  // The rewards of the previous hand, set by apply(), stay until the next action.
  const bool fresh = turns_ == 0 && picked_ == 0 && before > 0;
  if (!over && (reward_ < -most || reward_ > most || (reward_ != 0 && !fresh))) return false;
  if (!over && reward_ != 0 && std::abs(std::int64_t{return_} - reward_) > (before - 1) * most) return false;
  if (!over) again.reward_ = reward_;
  again.return_ = return_;
  again.hands_finished_ = hands_finished_;
  return std::memcmp(&again, this, sizeof(again)) == 0;
}

}  // namespace dealer::seven_hand
