#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/cards/deck.h"
#include "env/core/config.h"

namespace dealer {

// How many: low .. high, both included.
struct CountRange {
  int low = 0;
  int high = 0;
  bool contains(int n) const { return low <= n && n <= high; }
  friend bool operator==(const CountRange&, const CountRange&) = default;
};

// What must hold of a hand for a category, all of it at once. A joker is read as some card first. "At least" means that
// a hand with more holds too: three of a kind hold a pair.
struct Conditions {
  std::vector<int> by_rank;   // groups of pips of one rank, of at least these sizes, largest first: full house 3+2
  std::vector<int> by_suit;   // groups of pips of one suit, likewise
  std::vector<int> by_extra;  // groups of cards of one unranked suit, likewise
  std::vector<int> by_color;  // groups of cards of one colour, likewise; extra suits have colours too
  int run = 0;                // at least so many pips of consecutive ranks
  int trump_run = 0;          // at least so many consecutive trumps
  std::optional<bool> pair_mixed;     // two pips of one rank: true, of both colours; false, of one colour
  std::optional<CountRange> suits;      // different suits, extra ones included
  std::optional<CountRange> pip_suits;  // different suits among the pips
  std::optional<CountRange> pips, trumps, extras;  // cards of that kind; extras: unranked cards and trumps
  std::optional<int> highest;  // no pip above this rank, a position in the ranking's order (0: the lowest)
  friend bool operator==(const Conditions&, const Conditions&) = default;
};

// What a category is ordered by within itself, before ties are looked at: cards of a kind, numbers weak to strong.
enum class SubOrderKind : std::uint8_t { kNone, kTrumps, kPips, kExtras };

struct Category {
  std::string code;  // "P1"
  std::string name;  // "one pair"
  Conditions when;
  SubOrderKind sub_order = SubOrderKind::kNone;
  std::vector<int> sub_counts;  // weak to strong
  std::string where;            // file:line of its place in the order, for messages
};

// An order of hands: what beats what. Read from YAML, configs/rankings/*.yaml or any file of the user's; the keys are
// told in docs/decks.md. Immutable.
class Ranking {
 public:
  enum class Ties : std::uint8_t { kCategory, kRanks };

  // By name or path, with options: "high", "high[five_of_a_kind=true]", "my/ranking.yaml".
  static std::shared_ptr<const Ranking> make(std::string_view spec);
  static Ranking read(std::string name, Config& config);

  const std::string& name() const { return name_; }
  // Weak to strong; the first is the fallback, which holds always.
  std::span<const Category> categories() const { return categories_; }
  std::optional<int> find(std::string_view code) const;
  Ties ties() const { return ties_; }
  // Aces above the highest rank (and, in runs, below the lowest too) or below the lowest only.
  bool aces_high() const { return aces_high_; }
  // Ties are won by the lower ranks: lowball.
  bool low() const { return low_; }
  // Hands of a weaker category win nothing (the low half of high-low split): index of the weakest that does; 0: all do.
  int qualifier() const { return qualifier_; }
  bool five_of_a_kind() const { return five_of_a_kind_; }

 private:
  friend class RankingReader;

  std::string name_;
  std::vector<Category> categories_;
  Ties ties_ = Ties::kRanks;
  bool aces_high_ = true;
  bool low_ = false;
  bool five_of_a_kind_ = false;
  int qualifier_ = 0;
};
using RankingPtr = std::shared_ptr<const Ranking>;

// Names of the files in configs/rankings, sorted.
std::vector<std::string> ranking_names();

}  // namespace dealer
