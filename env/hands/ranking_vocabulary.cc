#include "env/hands/ranking.h"

namespace dealer {

std::span<const Category> vocabulary() {
  constexpr CountRange kOne = {1, 1}, kOneToFour = {1, 4};
  static const std::vector<Category> kAll = {
      {"NON", "no hand"},  // each ranking has its name for it
      {"P1", "one pair", {.by_rank = {2}}},
      {"P1x", "pair of mixed colour", {.by_rank = {2}, .pair_mixed = true}},
      {"P1c", "pair of one colour", {.by_rank = {2}, .pair_mixed = false}},
      {"P2", "two pair", {.by_rank = {2, 2}}},
      {"K3", "three of a kind", {.by_rank = {3}}},
      {"ST", "straight", {.run = 5}},
      {"FL", "flush", {.by_suit = {5}}},
      {"FH", "full house", {.by_rank = {3, 2}}},
      {"K4", "four of a kind", {.by_rank = {4}}},
      {"K5", "five of a kind", {.by_rank = {5}}},
      {"SF", "straight flush", {.run = 5, .by_suit = {5}}},
      {"EFL", "extra flush", {.extras = CountRange{5, 5}}},
      {"ESF", "extra straight flush", {.trump_run = 5}},
      // Pips of one suit and trumps, five in all.
      {"HF",
       "half flush",
       {.pip_suits = kOne,
        .cards = CountRange{5, 5},
        .pips = kOneToFour,
        .trumps = kOneToFour,
        .unranked = CountRange{}}},
      {"SeF", "semi-flush", {.by_suit = {4}, .extras = kOne}},
      {"MW", "mix well", {.suits = CountRange{5, 5}}},
      {"MX", "mix of pips and court", {.pip_suits = CountRange{4, 4}, .extras = kOne}},
      {"D3", "duplication of three", {.by_extra = {3}}},
      {"D4", "duplication of four", {.by_extra = {4}}},
      {"D5", "duplication of five", {.by_extra = {5}}},
      {"CFL", "colour flush", {.by_color = {5}}},
  };
  return kAll;
}

}  // namespace dealer
