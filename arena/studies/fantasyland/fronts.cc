#include "arena/studies/fantasyland/fronts.h"

#include <array>

#include "env/hands/hand_rank.h"

namespace dealer::studies::fantasyland {

int Fronts::kind_of(CardSet front) const {
  const HandRank rank = evaluate(front);
  const HandCategory kind = category(rank);
  if (kind == HandCategory::kTrips) return kinds() - 1;
  if (kind != HandCategory::kPair || first_rank(rank) < lowest_) return -1;
  return first_rank(rank) - lowest_;
}

std::string Fronts::name(int kind) const {
  if (kind == kinds() - 1) return "trips";
  return std::string(2, kRankLetters[at(lowest_ + kind)]);
}

std::string Fronts::rank_name(int index) const { return std::string(name_of_rank(rank(index))); }

std::string_view name_of_rank(int rank) {
  constexpr std::array<std::string_view, kRanks> kNames = {"deuce", "three", "four", "five",  "six",  "seven", "eight",
                                                           "nine",  "ten",   "jack", "queen", "king", "ace"};
  return kNames[static_cast<std::size_t>(rank)];
}

}  // namespace dealer::studies::fantasyland
