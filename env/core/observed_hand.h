#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "env/core/error.h"
#include "env/core/event.h"

namespace dealer {

// The hand in progress at another program's table, as one seat has observed it. Every game converts it:
//
//   std::vector<float> observe_hand(const Rules& rules, const ObservedHand& hand)
//
// gives the observation of the viewer after the last event, the viewer to act; if its turn takes several decisions, at
// the beginning of the turn. Preconditions: the first event is a kHandBegun and no other is; seats and numbers of cards
// are in range. Throws ObservedHandError on an event that cannot follow those before. Not all of them are detected
// here: the caller compares the events of the result.
struct ObservedHand {
  Seat viewer = 0;
  std::vector<Event> events;    // as Env::events(viewer) returns them
  std::int64_t won_before = 0;  // by the viewer in the hands of the episode before this one
};

// An event that cannot have happened, with the field of its JSON that shows it.
class ObservedHandError : public ParseError {
 public:
  ObservedHandError(std::size_t event, std::string field, const std::string& expected)
      : ParseError(expected), event_(event), field_(std::move(field)) {}
  std::size_t event() const { return event_; }
  const std::string& field() const { return field_; }

 private:
  std::size_t event_;
  std::string field_;
};

// The events of such a hand while they are converted.
class ObservedEvents {
 protected:
  explicit ObservedEvents(const ObservedHand& hand) : hand_(hand) {}
  [[noreturn]] void refuse(const std::string& field, const std::string& expected) const {
    throw ObservedHandError(index_, field, expected);
  }

  const ObservedHand& hand_;
  std::size_t index_ = 0;  // of the event being converted
};

}  // namespace dealer
