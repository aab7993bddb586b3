#pragma once

#include <string>

#include "env/core/at.h"
#include "env/games/ofc/board.h"

namespace dealer::studies::fantasyland {

// The fronts that enter Fantasyland under these rules: each qualifying pair, the lowest first, then trips of any rank.
class Fronts {
 public:
  explicit Fronts(const dealer::ofc::Bonus& bonus) : lowest_(bonus.entry_pair_rank) {}

  int kinds() const { return kRanks - lowest_ + 1; }
  // The kind of a front, complete or not; -1 if it does not qualify.
  int kind_of(CardSet front) const;
  // "QQ", "trips"
  std::string name(int kind) const;
  // The ranks of qualifying pairs, numbered from 0 like kinds.
  int ranks() const { return kRanks - lowest_; }
  int rank(int index) const { return lowest_ + index; }
  std::string rank_name(int index) const;  // "queen"
  std::string rank_letter(int index) const { return std::string(1, kRankLetters[at(rank(index))]); }

 private:
  int lowest_;
};

// "queen" for 10
std::string_view name_of_rank(int rank);

}  // namespace dealer::studies::fantasyland
