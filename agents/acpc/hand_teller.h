#pragma once

#include <array>
#include <span>
#include <vector>

#include "agents/acpc/match_state.h"
#include "env/core/at.h"
#include "env/core/event.h"

namespace dealer::acpc {

// Tells a hand of hold'em as the servers of the ACPC do: a state when the cards are dealt, and one after every action,
// with the cards that it brings.
class HandTeller {
 public:
  explicit HandTeller(bool no_limit) : no_limit_(no_limit) {}

  // A new hand, as that seat sees it.
  void begin(Seat viewer, std::uint32_t hand);
  // The events of the hand, in order; states that are complete are added to `told`. The last may still change.
  void take(std::span<const Event> events, std::vector<MatchState>& told);
  // No event follows before the viewer acts, or at all.
  void finish(std::vector<MatchState>& told);

  const MatchState& state() const { return state_; }
  // Chips of the viewer: paid in earlier rounds, and what a call costs.
  Amount paid_before() const { return paid_[at(viewer_)] - bet_[at(viewer_)]; }
  Amount to_call() const;

 private:
  std::size_t position_of(Seat seat) const;
  void take(const Event& event, std::vector<MatchState>& told);
  void act(const Event& event);

  bool no_limit_;
  Seat viewer_ = 0;
  int dealer_ = 0, players_ = 0;
  MatchState state_;
  bool untold_ = false;                     // the state has changed since it was told
  std::array<Amount, kMaxPlayers> paid_{};  // in this hand, by seat
  std::array<Amount, kMaxPlayers> bet_{};   // of that, in this round
};

}  // namespace dealer::acpc
