#pragma once

#include <string>
#include <vector>

#include "env/core/at.h"
#include "env/games/ofc/board.h"

namespace dealer::studies::fantasyland {

// The fronts that enter Fantasyland by these rules: each pair that does, the lowest first, then trips of any rank.
class Fronts {
 public:
  explicit Fronts(const dealer::ofc::Bonus& bonus) : lowest_(bonus.entry_pair_rank) {}

  int kinds() const { return kRanks - lowest_ + 1; }
  // Of a front, complete or not; -1 where it is none of them.
  int kind_of(CardSet front) const;
  // "QQ", "trips"
  std::string name(int kind) const;
  // Ranks whose pairs enter, from 0 as kinds are.
  int ranks() const { return kRanks - lowest_; }
  int rank(int index) const { return lowest_ + index; }
  std::string rank_name(int index) const;  // "queen"
  std::string rank_letter(int index) const { return std::string(1, kRankLetters[at(rank(index))]); }

 private:
  int lowest_;
};

// "queen" of 10
std::string_view name_of_rank(int rank);

}  // namespace dealer::studies::fantasyland
