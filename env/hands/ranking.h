#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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
  // Of the ranks.
  std::vector<int> by_rank = {};  // groups of pips of one rank, of at least these sizes, largest first: full house 3+2
  int run = 0;                    // at least so many pips of consecutive ranks
  int trump_run = 0;              // at least so many consecutive trumps
  std::optional<bool> pair_mixed = {};  // two pips of one rank: true, of both colours; false, of one colour
  std::optional<std::pair<char, char>> highest = {};  // letters: the highest pip is of these ranks or between
  // Of the suits.
  std::vector<int> by_suit = {};             // groups of pips of one suit, of at least these sizes, largest first
  std::vector<int> by_extra = {};            // groups of cards of one unranked suit, likewise
  std::vector<int> by_color = {};            // groups of cards of one colour, likewise; extra suits may have one too
  std::optional<CountRange> suits = {};      // different suits, extra ones included
  std::optional<CountRange> pip_suits = {};  // different suits among the pips
  std::vector<std::pair<std::string, CountRange>> of_suit = {};  // cards of the suit of that name
  // How many in all and of a kind; extras: trumps and unranked cards.
  std::optional<CountRange> cards = {}, pips = {}, trumps = {}, unranked = {}, extras = {};

  bool looks_at_ranks() const { return !by_rank.empty() || run > 0 || trump_run > 0 || pair_mixed || highest; }
  bool looks_at_suits() const {
    return !by_suit.empty() || !by_extra.empty() || !by_color.empty() || suits || pip_suits || !of_suit.empty();
  }
  bool counts() const { return cards || pips || trumps || unranked || extras; }
  bool always() const { return !looks_at_ranks() && !looks_at_suits() && !counts(); }
};

// Cards by whose number hands of one category are ordered before ties are looked at.
enum class CardKind : std::uint8_t { kPips, kTrumps, kUnranked };
struct SubOrder {
  CardKind kind;
  std::vector<int> counts;  // weak to strong
};

struct Category {
  std::string code;  // "P1"
  std::string name;  // "one pair"
  // For people; both may be missing. What makes a hand count as it, and hands that do in decks that have these cards.
  std::string definition = {};             // "two pips of one rank"
  std::vector<std::string> examples = {};  // "8s 8h 6d 4c 2s"
  Conditions when = {};
  std::optional<SubOrder> within = {};
  std::string where =
      {};  // "file:line: key" for messages: where it is defined, of built-in ones their place in the order
};

// An order of hands: what beats what. Read from YAML, configs/rankings/*.yaml or any file of the user's; the keys are
// told in docs/decks.md. Immutable.
class Ranking {
 public:
  enum class Ties : std::uint8_t { kByCategory, kByRanks };

  // By name or path, with options: "high", "high[five_of_a_kind=true]", "my/ranking.yaml".
  static std::shared_ptr<const Ranking> make(std::string_view spec);
  // Asks the config for every key of a ranking; finish() is the caller's.
  static Ranking read(std::string name, Config& config);

  const std::string& name() const { return name_; }
  // Weak to strong. A hand counts as the strongest category that holds, with low() as the weakest; the one at the other
  // end, the fallback, holds always.
  std::span<const Category> categories() const { return categories_; }
  std::optional<int> find(std::string_view code) const;
  // category: hands of one category (and place within it) tie. ranks: first the pips of the combination, then the other
  // pips from high to low, then the trumps; unranked cards compare equal.
  Ties ties() const { return ties_; }
  // Aces above the highest rank or below the lowest.
  bool aces_high() const { return aces_high_; }
  // Aces that are high also stand below the lowest rank in runs: A-2-3-4-5 is a straight.
  bool wheel() const { return wheel_; }
  // How many cards a hand has in games that deal by this ranking, 1 to 5: four in badugi.
  int hand_cards() const { return hand_cards_; }
  // Only cards that differ in rank and in suit count, the best set of them: badugi.
  bool distinct() const { return distinct_; }
  // Ties are won by the lower ranks: lowball.
  bool low() const { return low_; }
  // Hands of a weaker category win nothing (the low half of high-low split): index of the weakest that does; 0: all do.
  int qualifier() const { return qualifier_; }
  bool five_of_a_kind() const { return five_of_a_kind_; }
  // Everything the ranking was read from, as text: equal for equal rankings.
  const std::string& fingerprint() const { return fingerprint_; }

 private:
  friend class RankingReader;

  std::string name_, fingerprint_;
  std::vector<Category> categories_;
  Ties ties_ = Ties::kByRanks;
  bool aces_high_ = true;
  bool wheel_ = true;
  bool distinct_ = false;
  int hand_cards_ = 5;
  bool low_ = false;
  bool five_of_a_kind_ = false;
  int qualifier_ = 0;
};
using RankingPtr = std::shared_ptr<const Ranking>;

// The categories that every ranking may name, without a place in an order (docs/decks.md lists them).
std::span<const Category> vocabulary();

// Names of the files in configs/rankings, sorted.
std::vector<std::string> ranking_names();

}  // namespace dealer
