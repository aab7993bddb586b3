#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "agents/empirical_cdf.h"
#include "arena/studies/figure.h"
#include "arena/studies/seven_hand/hand.h"
#include "env/hands/hand_rank.h"

namespace dealer::studies::seven_hand {

// The points earned by groups of cards, by their number and strength. Strength is relative to the groups of the study
// itself, so they are stored until all are known.
class GroupCounter {
 public:
  // Adds a group of a hand that won its player these points. Deals must be added in order.
  void add(std::int64_t deal, const Laying& laying, double points);
  // The same for a hand against the responder, which does not count for strength.
  void add_response(std::int64_t deal, const Laying& laying, double points);
  // Sets "groups" and "classes", and fills their differences and the classes of "responses", if there are any.
  void count(Figure& figures) const;

 private:
  struct Group {
    std::int32_t deal;
    HandRank rank;
    std::uint8_t count;    // of cards
    std::uint8_t outcome;  // Laying::Outcome
    float points;
  };

  using OfNumber = std::array<EmpiricalCdf<HandRank>, kMostLaid>;

  static Group group_of(std::int64_t deal, const Laying& laying, double points);
  static int quarter_of(const Group& group, const OfNumber& of_number);
  void count_responses(const OfNumber& of_number, Figure& classes) const;

  std::vector<Group> groups_, responses_;
};

}  // namespace dealer::studies::seven_hand
