#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "arena/studies/figure.h"
#include "arena/studies/seven_hand/hand.h"
#include "env/hands/hand_rank.h"

namespace dealer::studies::seven_hand {

// The share of a sample that is weaker, ties counting half.
class Percentiles {
 public:
  void add(HandRank rank);
  // After the last add().
  void finish();
  double of(HandRank rank) const { return rank < below_.size() ? below_[rank] : 1; }

 private:
  std::vector<double> below_;  // by rank; until finish() how many have it
};

// What groups of cards earn by their number and their strength. Strength is measured among the groups of the study
// itself, so they are kept until all are known.
class GroupCounter {
 public:
  // A group of a hand that brought its player so many points. Deals come one after the other.
  void add(std::int64_t deal, const Laying& laying, double points);
  // The same of a hand against the responder, which does not count for strength.
  void add_response(std::int64_t deal, const Laying& laying, double points);
  // Sets "groups" and "classes", and fills their differences and the classes of "responses", where there are any.
  void count(Figure& figures) const;

 private:
  struct Group {
    std::int32_t deal;
    HandRank rank;
    std::uint8_t count;    // of cards
    std::uint8_t outcome;  // Laying::Outcome
    float points;
  };

  using OfNumber = std::array<Percentiles, kMostLaid>;

  static Group group_of(std::int64_t deal, const Laying& laying, double points);
  static int quarter_of(const Group& group, const OfNumber& of_number);
  void count_responses(const OfNumber& of_number, Figure& classes) const;

  std::vector<Group> groups_, responses_;
};

}  // namespace dealer::studies::seven_hand
