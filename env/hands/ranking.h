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

// A range of counts: low .. high, both included.
struct CountRange {
  int low = 0;
  int high = 0;
  bool contains(int n) const { return low <= n && n <= high; }
  friend bool operator==(const CountRange&, const CountRange&) = default;
};

// The conditions of a category; all must hold. Jokers are read as some card first. "At least" means that a hand with
// more holds too: three of a kind hold a pair.
struct Conditions {
  // Conditions on ranks.
  std::vector<int> by_rank = {};  // groups of pips of one rank, of at least these sizes, largest first: full house 3+2
  int run = 0;                    // at least so many pips of consecutive ranks
  int trump_run = 0;              // at least that many consecutive trumps
  std::optional<bool> pair_mixed = {};  // two pips of one rank: true, of both colours; false, of one colour
  std::optional<std::pair<char, char>> highest = {};  // letters: the rank of the highest pip is in this range
  // Conditions on suits.
  std::vector<int> by_suit = {};             // groups of pips of one suit, of at least these sizes, largest first
  std::vector<int> by_extra = {};            // groups of cards of one unranked suit, likewise
  std::vector<int> by_color = {};            // groups of cards of one colour, likewise; extra suits may have one too
  std::optional<CountRange> suits = {};      // different suits, extra ones included
  std::optional<CountRange> pip_suits = {};  // different suits among the pips
  std::vector<std::pair<std::string, CountRange>> of_suit = {};  // cards of the suit of that name
  // Numbers of cards, in all and by kind; extras: trumps and unranked cards.
  std::optional<CountRange> cards = {}, pips = {}, trumps = {}, unranked = {}, extras = {};

  bool looks_at_ranks() const { return !by_rank.empty() || run > 0 || trump_run > 0 || pair_mixed || highest; }
  bool looks_at_suits() const {
    return !by_suit.empty() || !by_extra.empty() || !by_color.empty() || suits || pip_suits || !of_suit.empty();
  }
  bool counts() const { return cards || pips || trumps || unranked || extras; }
  bool always() const { return !looks_at_ranks() && !looks_at_suits() && !counts(); }
};

// Kind of cards whose number orders hands of one category before ties are compared.
enum class CardKind : std::uint8_t { kPips, kTrumps, kUnranked };
struct SubOrder {
  CardKind kind;
  std::vector<int> counts;  // weak to strong
};

struct Category {
  std::string code;  // "P1"
  std::string name;  // "one pair"
  // For display; both may be missing. The definition of the category, and example hands for decks with these cards.
  std::string definition = {};             // "two pips of one rank"
  std::vector<std::string> examples = {};  // "8s 8h 6d 4c 2s"
  Conditions when = {};
  std::optional<SubOrder> within = {};
  std::string where =
      {};  // "file:line: key" for messages: where it is defined; for built-in ones their place in the order
};

// An order of hands, read from YAML: configs/rankings/*.yaml or a file of the user's own; docs/decks.md describes the
// keys. Immutable.
class Ranking {
 public:
  enum class Ties : std::uint8_t { kByCategory, kByRanks };

  // By name or path, with options: "high", "high[five_of_a_kind=true]", "my/ranking.yaml".
  static std::shared_ptr<const Ranking> make(std::string_view spec);
  // Asks the config for every key of a ranking; the caller calls finish().
  static Ranking read(std::string name, Config& config);

  const std::string& name() const { return name_; }
  // Weak to strong. A hand counts as the strongest category that holds, with low() as the weakest; the category at the
  // other end, the fallback, always holds.
  std::span<const Category> categories() const { return categories_; }
  std::optional<int> find(std::string_view code) const;
  // category: hands of one category (and place within it) tie. ranks: first the pips of the combination, then the other
  // pips from high to low, then the trumps; unranked cards compare equal.
  Ties ties() const { return ties_; }
  // Aces above the highest rank or below the lowest.
  bool aces_high() const { return aces_high_; }
  // Aces that are high also stand below the lowest rank in runs: A-2-3-4-5 is a straight.
  bool wheel() const { return wheel_; }
  // Number of cards of a hand in games with this ranking, 1 to 5: four in badugi.
  int hand_cards() const { return hand_cards_; }
  // Only cards that differ in rank and in suit count, in their best set: badugi.
  bool distinct() const { return distinct_; }
  // Lower ranks win ties: lowball.
  bool low() const { return low_; }
  // Hands of weaker categories do not qualify (low half of high-low split): index of the weakest that does; 0: all.
  int qualifier() const { return qualifier_; }
  bool five_of_a_kind() const { return five_of_a_kind_; }
  // The whole definition of the ranking as text: equal for equal rankings.
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

// The built-in categories, available to every ranking, without a place in an order (docs/decks.md lists them).
std::span<const Category> vocabulary();

// Names of the files in configs/rankings, sorted.
std::vector<std::string> ranking_names();

}  // namespace dealer
