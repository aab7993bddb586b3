#pragma once

#include <cstdint>

#include "arena/studies/figure.h"
#include "arena/studies/seven_hand/groups.h"
#include "arena/studies/seven_hand/responses.h"

namespace dealer::studies::seven_hand {

// Counts hands. All intervals are clustered by deal, with the hands played with it.
class Counter {
 public:
  Counter();
  // Deals must be added in order.
  void add(std::int64_t deal, const Hand& hand);
  // Adds a hand of the agent against its responder; a deal's come before or after those of add().
  void add_response(std::int64_t deal, const Hand& hand, int responder);
  // The figures of docs/study-fields.md. `advice`: null without tries; `responder`: empty without one.
  Figure figures(const Figure& advice, const std::string& responder) const;

 private:
  void add_laying(std::int64_t deal, const Hand& hand, const Laying& laying);
  void add_naming(std::int64_t deal, const Laying& laying);
  void add_chips(std::int64_t deal, const Hand& hand);
  void add_wins(std::int64_t deal, const Hand& hand);
  void add_result(std::int64_t deal, const Hand& hand);

  Figure figures_;
  GroupCounter groups_;
  ResponseCounter responses_;
};

}  // namespace dealer::studies::seven_hand
