#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "agents/tabular/game_tree.h"

namespace dealer::tabular {

// The positions that a seat cannot tell apart, by information set: how likely chance and the others make them.
class Histories {
 public:
  Histories(const GameTree& tree, Seat seat);
  // How likely the set is if its seat plays towards it. reach: [sequences], of all others.
  double weight(std::int32_t set, std::span<const double> reach) const;

 private:
  std::int32_t first_set_;
  std::size_t width_;                 // others
  std::vector<std::int32_t> first_;   // of set number i of the seat: positions first_[i] .. first_[i + 1] - 1
  std::vector<double> chance_;        // product of the probabilities of all chance moves
  std::vector<std::int32_t> others_;  // [positions, players - 1]: last sequences of the others
};

}  // namespace dealer::tabular
