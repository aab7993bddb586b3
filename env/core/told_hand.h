#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "env/core/error.h"
#include "env/core/event.h"

namespace dealer {

// What a seat has been told of the hand in progress by somebody else's table. Every game makes its observation of it:
//
//   std::vector<float> observe_told(const Rules& rules, const ToldHand& hand)
//
// what the viewer observes behind the last event, the viewer to act; of a turn that it takes in several decisions, at
// its beginning. Preconditions: the first event is a kHandBegun and no other is; seats and numbers of cards are in
// range. Throws ToldError on an event that cannot follow those before; not all of them show here: the caller compares
// the events of what comes out.
struct ToldHand {
  Seat viewer = 0;
  std::vector<Event> events;    // as Env::events(viewer) tells them
  std::int64_t won_before = 0;  // by the viewer in the hands of the episode before this one
};

// An event that cannot have happened, with the field of its JSON that says so.
class ToldError : public ParseError {
 public:
  ToldError(std::size_t event, std::string field, const std::string& expected)
      : ParseError(expected), event_(event), field_(std::move(field)) {}
  std::size_t event() const { return event_; }
  const std::string& field() const { return field_; }

 private:
  std::size_t event_;
  std::string field_;
};

}  // namespace dealer
