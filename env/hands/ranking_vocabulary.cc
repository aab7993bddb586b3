#include "env/hands/ranking.h"

namespace dealer {
namespace {

constexpr CountRange exactly(int n) { return {n, n}; }

Category category(std::string code, std::string name, Conditions when) {
  return {std::move(code), std::move(name), std::move(when), std::nullopt, {}};
}

Conditions by_rank(std::vector<int> groups) {
  Conditions when;
  when.by_rank = std::move(groups);
  return when;
}

Conditions pair_of(bool mixed) {
  Conditions when = by_rank({2});
  when.pair_mixed = mixed;
  return when;
}

Conditions run(bool one_suit) {
  Conditions when;
  when.run = 5;
  if (one_suit) when.by_suit = {5};
  return when;
}

Conditions by_suit(int size) {
  Conditions when;
  when.by_suit = {size};
  return when;
}

Conditions semi_flush() {
  Conditions when = by_suit(4);
  when.extras = exactly(1);
  return when;
}

Conditions extra_flush() {
  Conditions when;
  when.extras = exactly(5);
  return when;
}

Conditions extra_straight_flush() {
  Conditions when;
  when.trump_run = 5;
  return when;
}

// Pips of one suit and trumps, five in all.
Conditions half_flush() {
  Conditions when;
  when.pip_suits = exactly(1);
  when.pips = {1, 4};
  when.trumps = {1, 4};
  when.unranked = exactly(0);
  when.cards = exactly(5);
  return when;
}

Conditions mix_well() {
  Conditions when;
  when.suits = exactly(5);
  return when;
}

Conditions mix() {
  Conditions when;
  when.pip_suits = exactly(4);
  when.extras = exactly(1);
  return when;
}

Conditions duplication(int size) {
  Conditions when;
  when.by_extra = {size};
  return when;
}

Conditions color_flush() {
  Conditions when;
  when.by_color = {5};
  return when;
}

}  // namespace

std::span<const Category> vocabulary() {
  static const std::vector<Category> kAll = {
      category("NON", "no hand", {}),  // each ranking has its name for it
      category("P1", "one pair", by_rank({2})),
      category("P1x", "pair of mixed colour", pair_of(true)),
      category("P1c", "pair of one colour", pair_of(false)),
      category("P2", "two pair", by_rank({2, 2})),
      category("K3", "three of a kind", by_rank({3})),
      category("ST", "straight", run(false)),
      category("FL", "flush", by_suit(5)),
      category("FH", "full house", by_rank({3, 2})),
      category("K4", "four of a kind", by_rank({4})),
      category("K5", "five of a kind", by_rank({5})),
      category("SF", "straight flush", run(true)),
      category("EFL", "extra flush", extra_flush()),
      category("ESF", "extra straight flush", extra_straight_flush()),
      category("HF", "half flush", half_flush()),
      category("SeF", "semi-flush", semi_flush()),
      category("MW", "mix well", mix_well()),
      category("MX", "mix of pips and court", mix()),
      category("D3", "duplication of three", duplication(3)),
      category("D4", "duplication of four", duplication(4)),
      category("D5", "duplication of five", duplication(5)),
      category("CFL", "colour flush", color_flush()),
  };
  return kAll;
}

}  // namespace dealer
