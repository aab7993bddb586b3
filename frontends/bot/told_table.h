#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "env/core/game.h"
#include "env/core/told_hand.h"

namespace dealer {

// A table of our own that follows somebody else's along the events that a seat is told: for hosts that do not know our
// observations.
class ToldTable {
 public:
  explicit ToldTable(GamePtr game);

  // An episode, seen from that seat.
  void begin(Seat viewer);
  // Throws ParseError where the story does not begin with a hand or is longer than a hand can be.
  void hear(std::vector<Event> events);
  // What the viewer was asked and decided since.
  void decided(const Decision& decision) {
    if (!hand_.events.empty() && since_.size() < kMostSince) since_.push_back(decision);
  }

  // The table now, the viewer to act; what is hidden from it is anything that agrees. Valid until the next call. Throws
  // ParseError where the events cannot have happened by the rules: "event 6 of the hand: total is 15; expected 20".
  Env& table();

 private:
  void compare(const std::vector<Event>& ours) const;

  // No turn takes so many decisions.
  static constexpr std::size_t kMostSince = 64;

  GamePtr game_;
  std::unique_ptr<Env> env_;
  ToldHand hand_;
  std::vector<Decision> since_;  // of a turn that is decided upon piece by piece: nothing is told of it so far
};

}  // namespace dealer
