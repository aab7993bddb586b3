#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/hands/ranking_rules.h"

namespace dealer {

// A hand's value is determined by two sums over its cards.
//
// Ranks: every card has a kind (its rank, with its colour where that matters; one kind for all trumps where their ranks
// do not matter, one for unranked cards, one for jokers). The kinds k0 <= k1 <= ... of a hand, sorted, are numbered
// without gaps by the combinatorial number system: index = sum over i of C(k_i + i, i + 1).
// Suits: every card adds a power of a base larger than the number of cards, by its suit; the first suit adds nothing,
// since the number of cards is known.
struct CardKinds {
  struct Kind {
    enum class Type : std::uint8_t { kPip, kTrump, kUnranked, kJoker } type;
    int rank = 0;  // pips: position in the ranking's order; trumps: their number, where it matters
    Color color = Color::kNone;
  };
  std::vector<Kind> kinds;
  std::array<std::uint8_t, kMaxDeckCards> of_card{};
  bool split_trumps;  // trumps of different rank are different kinds

  CardKinds(const RankingRules& rules, bool with_split_trumps);
  int size() const { return static_cast<int>(kinds.size()); }
};

// The other side with one more pip inserted at its place.
RankSide with_pip(RankSide side, const CardKinds::Kind& kind);

inline constexpr int kMaxKinds = 64;  // limit of the byte permutations in vector code
inline constexpr int kMaxBest = 7;

// C(kind + i, i + 1) for every place i of a sorted hand.
struct KindSteps {
  std::array<std::array<std::uint32_t, kMaxKinds>, kMaxBest> step{};
  constexpr KindSteps() {
    for (std::size_t place = 0; place < step.size(); ++place) {
      for (std::size_t kind = 1; kind < kMaxKinds; ++kind) {
        std::uint64_t choose = 1;
        for (std::size_t i = 0; i <= place; ++i) choose = choose * (kind + place - i) / (i + 1);
        step[place][kind] = static_cast<std::uint32_t>(choose);
      }
    }
  }
  std::uint32_t operator()(int place, std::uint8_t kind) const { return step[static_cast<std::size_t>(place)][kind]; }
};
inline constexpr KindSteps kKindSteps;

// Number of hands of n cards out of `kinds` kinds: 1 more than the largest index.
std::size_t kind_multisets(int kinds, int n);
// Advances the sorted kinds of a hand to the next index: the lowest place that can rise does, those below are
// reset.
void next_multiset(std::span<std::uint8_t> kinds);

// A hand by its sorted kinds, jokers not read.
struct HandOfKinds {
  RankSide side;
  int jokers = 0;
  bool possible = true;  // no card occurs twice
};
HandOfKinds hand_of(const CardKinds& kinds, std::span<const std::uint8_t> sorted);

// The largest key(side) over all pips that the jokers can represent, of the kinds from `first` on. A rank has at most
// four cards, and a duplicate is allowed only to make five of a kind.
template <class Key>
std::uint64_t best_reading(const RankingRules& rules, const CardKinds& kinds, const RankSide& side, int jokers,
                           const Key& key, std::size_t first = 0) {
  if (jokers == 0) return key(side);
  std::uint64_t best = 0;
  for (std::size_t k = first; k < kinds.kinds.size(); ++k) {
    const CardKinds::Kind& kind = kinds.kinds[k];
    if (kind.type != CardKinds::Kind::Type::kPip) continue;
    const RankSide read = with_pip(side, kind);
    if (std::count(read.pip.begin(), read.pip.begin() + read.pips, kind.rank) <= 4)
      best = std::max(best, best_reading(rules, kinds, read, jokers - 1, key, k));
    else if (const std::optional<int> fives = rules.ranking().find("K5"); fives && jokers == 1)
      best = std::max(best, rules.key(*fives, read));
  }
  return best;
}

// Contribution of each card to the suit sum of a hand of at most `cards` cards.
struct SuitSums {
  std::array<std::uint32_t, kMaxDeckCards> of_card{};
  std::array<std::uint32_t, kMaxDeckSuits + 1> of_suit{};  // the last: jokers
  std::size_t size = 1;                                    // 1 more than the largest sum
  // With `used` false every sum is 0: no category depends on suits.
  SuitSums(const Deck& deck, int base, bool used);
};

// Unsigned numbers of 1, 2 or 4 bytes, as narrow as possible; reads of four bytes are valid at any index.
class PackedTable {
 public:
  PackedTable() = default;
  explicit PackedTable(std::span<const std::uint32_t> numbers);
  // From bytes() and width() of another object. The caller must check that they fit.
  PackedTable(std::string_view bytes, int width);
  std::uint32_t operator[](std::size_t i) const {
    const std::uint8_t* at = bytes_.data() + i * static_cast<std::size_t>(width_);
    if (width_ == 1) return *at;
    if (width_ == 2) return static_cast<std::uint32_t>(at[0] | at[1] << 8);
    return static_cast<std::uint32_t>(at[0] | at[1] << 8 | at[2] << 16) | static_cast<std::uint32_t>(at[3]) << 24;
  }
  int width() const { return width_; }
  const std::uint8_t* data() const { return bytes_.data(); }
  // All numbers and kPadding bytes.
  std::string_view bytes() const { return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()}; }
  static constexpr std::size_t kPadding = 3;

 private:
  std::vector<std::uint8_t> bytes_;
  int width_ = 1;
};

// Values of all hands of one number of cards, 1 to 5:
//   value = values[rows[kind index] * columns + column_of_sum[suit sum]].
struct HandTables {
  int cards = 0;
  std::uint32_t columns = 1;
  PackedTable rows;
  std::vector<std::uint8_t> column_of_sum;
  std::vector<std::uint32_t> values;
  std::vector<std::uint64_t> keys;  // RankingRules::key of every value, increasing

  std::uint32_t value(std::uint32_t kind_index, std::uint32_t suit_sum) const {
    return values[rows[kind_index] * columns + column_of_sum[suit_sum]];
  }
};

// All tables for the deck and ranking. `suits` must be in base 6 or more.
HandTables compile_hand_tables(const RankingRules& rules, const CardKinds& kinds, const SuitSums& suits, int cards);

// Throws the errors of compiling, without compiling: ConfigError where the categories distinguish too many mixes of
// suits.
void check_compilable(const RankingRules& rules, const CardKinds& kinds);

// The reason why no such tables can be built; empty if they can.
std::string tables_refusal(const RankingRules& rules, const CardKinds& kinds);

}  // namespace dealer
