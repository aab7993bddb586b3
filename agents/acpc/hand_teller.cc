#include "agents/acpc/hand_teller.h"

#include <algorithm>

namespace dealer::acpc {

using Kind = Event::Kind;

void HandTeller::begin(Seat viewer, std::uint32_t hand) {
  viewer_ = viewer;
  state_ = {};
  state_.hand = hand;
  untold_ = false;
  paid_ = bet_ = {};
}

std::size_t HandTeller::position_of(Seat seat) const { return at((seat - dealer_ - 1 + players_) % players_); }

Amount HandTeller::to_call() const { return *std::max_element(bet_.begin(), bet_.end()) - bet_[at(viewer_)]; }

void HandTeller::take(std::span<const Event> events, std::vector<MatchState>& told) {
  for (const Event& event : events) take(event, told);
}

void HandTeller::finish(std::vector<MatchState>& told) {
  if (untold_) told.push_back(state_);
  untold_ = false;
}

void HandTeller::take(const Event& event, std::vector<MatchState>& told) {
  switch (event.kind) {
    case Kind::kHandBegun:
      dealer_ = event.seat;
      players_ = static_cast<int>(event.values.size());
      state_.position = static_cast<int>(position_of(viewer_));
      state_.hole.resize(event.values.size());
      break;
    case Kind::kPosted:
      paid_[at(event.seat)] += event.amount;
      bet_[at(event.seat)] += event.amount;
      break;
    case Kind::kDealt:
      if (event.seat >= 0) {
        state_.hole[position_of(event.seat)] = event.cards;
      } else {
        state_.rounds.emplace_back();
        state_.board.push_back(event.cards);
        bet_ = {};
      }
      untold_ = true;
      break;
    case Kind::kActed:
      finish(told);
      act(event);
      break;
    case Kind::kShown:
      state_.hole[position_of(event.seat)] = event.cards;
      break;
    case Kind::kHandEnded:
      finish(told);
      break;
    default:
      break;
  }
}

void HandTeller::act(const Event& event) {
  paid_[at(event.seat)] += event.amount;
  bet_[at(event.seat)] = event.total;
  Move move;
  if (event.what == "fold")
    move.kind = 'f';
  else if (event.what != "check" && event.what != "call")
    move = {'r', no_limit_ ? paid_[at(event.seat)] : 0};
  state_.rounds.back().push_back(move);
  untold_ = true;
}

}  // namespace dealer::acpc
