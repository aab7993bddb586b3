#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "env/core/game.h"
#include "env/core/observed_hand.h"

namespace dealer {

// A table of our own that follows an external table by the events that one seat observes: for hosts that do not know
// our observations.
class ObservedTable {
 public:
  explicit ObservedTable(GamePtr game);

  // Begins an episode, seen from that seat.
  void begin(Seat viewer);
  // Throws ParseError if the events do not begin with a hand or are more than a hand can have.
  void on_events(std::vector<Event> events);
  // Records a decision of the viewer made since then.
  void decided(const Decision& decision) {
    if (!hand_.events.empty() && since_.size() < kMostSince) since_.push_back(decision);
  }

  // The current table, the viewer to act; hidden cards are any that agree. Valid until the next call. Throws ParseError
  // if the events are impossible under the rules: "event 6 of the hand: total is 15; expected 20".
  Env& table();

 private:
  void compare(const std::vector<Event>& ours) const;

  // More decisions than any turn takes.
  static constexpr std::size_t kMostSince = 64;

  GamePtr game_;
  std::unique_ptr<Env> env_;
  ObservedHand hand_;
  std::vector<Decision> since_;  // decisions of the turn in progress: no events cover them yet
};

}  // namespace dealer
