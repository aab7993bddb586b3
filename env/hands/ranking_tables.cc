#include "env/hands/ranking_tables.h"

#include <fmt/format.h>

#include <bitset>
#include <map>
#include <tuple>

#include "env/core/error.h"

namespace dealer {
namespace {

constexpr std::size_t kMaxColumns = 255;
using Columns = std::bitset<kMaxColumns>;
constexpr std::size_t kJokerSlot = kSuitSlots;
// Cards by suit slot, jokers last.
using SuitCounts = std::array<int, kSuitSlots + 1>;

// Groups of a hand's pips by rank, by colour class, and the other cards: they determine the suits that can go together
// with the ranks.
struct Shape {
  std::array<std::array<int, kHandCards>, 3>
      groups{};  // by Color, largest first; all under kNone if colours do not matter
  int trumps = 0, unranked = 0, jokers = 0;
  friend bool operator<(const Shape& a, const Shape& b) {
    return std::tie(a.groups, a.trumps, a.unranked, a.jokers) < std::tie(b.groups, b.trumps, b.unranked, b.jokers);
  }
};

// A row of hands that differ by their suits only.
struct Hand : HandOfKinds {
  Shape shape;
};

class Compiler {
 public:
  Compiler(const RankingRules& rules, const CardKinds& kinds, const SuitSums& suits, int cards)
      : rules_(rules), kinds_(kinds), suits_(suits), cards_(cards) {}

  void check_columns() {
    HandTables tables;
    list_columns(tables);
  }

  HandTables compile() {
    HandTables tables;
    tables.cards = cards_;
    list_columns(tables);
    list_rows(tables);
    number_values(tables);
    return tables;
  }

 private:
  // ---- Columns: suit sums that no category distinguishes.

  // The meaning of a suit side: the categories it allows, or for jokers the set of columns they can be read as.
  struct Column {
    std::uint64_t holding = 0;
    std::vector<std::uint8_t> readings;  // of jokers: columns without
    std::vector<SuitCounts> suits;       // suit counts of this column
  };

  void list_columns(HandTables& tables) {
    std::vector<SuitCounts> all;
    SuitCounts counts{};
    list_suits(0, cards_, counts, all);
    if (!rules_.suits_matter()) {
      tables.column_of_sum.assign(suits_.size, 0);
      columns_.push_back({~std::uint64_t{0}, {0}, std::move(all)});
      return;
    }
    tables.column_of_sum.assign(suits_.size, 0);
    std::map<std::pair<std::uint64_t, std::vector<std::uint8_t>>, std::size_t> known;
    const auto column = [&](const SuitCounts& suits, std::uint64_t holding, std::vector<std::uint8_t> readings) {
      const auto [at, fresh] = known.try_emplace({holding, readings}, columns_.size());
      if (fresh) columns_.push_back({holding, std::move(readings), {}});
      columns_[at->second].suits.push_back(suits);
      return static_cast<std::uint8_t>(at->second);
    };
    std::map<SuitCounts, std::uint8_t> natural;  // the absent suit included
    for (const SuitCounts& suits : all) {
      if (suits[kJokerSlot] > 0) continue;
      SuitSide side;
      std::copy_n(suits.begin(), kSuitSlots, side.count.begin());
      natural[suits] = column(suits, rules_.holds(side), {});
    }
    for (const SuitCounts& suits : all) {
      if (suits[kJokerSlot] == 0) {
        if (in_deck(suits)) tables.column_of_sum[sum(suits)] = natural[suits];
        continue;
      }
      if (!in_deck(suits)) continue;
      Columns readings;
      read_jokers(suits, natural, readings);
      std::vector<std::uint8_t> list;
      for (std::size_t i = 0; i < columns_.size(); ++i)
        if (readings[i]) list.push_back(static_cast<std::uint8_t>(i));
      tables.column_of_sum[sum(suits)] = column(suits, 0, std::move(list));
    }
    if (columns_.size() > kMaxColumns)
      throw ConfigError(fmt::format("ranking '{}': its categories tell {} mixes of suits apart; expected at most {}",
                                    rules_.ranking().name(), columns_.size(), kMaxColumns));
    tables.columns = static_cast<std::uint32_t>(columns_.size());
  }

  void list_suits(int slot, int left, SuitCounts& counts, std::vector<SuitCounts>& all) const {
    if (slot == rules_.slots()) {
      if (left > rules_.deck().jokers()) return;
      counts[kJokerSlot] = left;
      all.push_back(counts);
      counts[kJokerSlot] = 0;
      return;
    }
    // With jokers a suit may count one card more than it has: the duplicate of five of a kind ignores suits.
    for (int n = 0; n <= std::min(left, rules_.suit(slot).cards); ++n) {
      counts[static_cast<std::size_t>(slot)] = n;
      list_suits(slot + 1, left - n, counts, all);
    }
    counts[static_cast<std::size_t>(slot)] = 0;
  }

  bool in_deck(const SuitCounts& suits) const {
    for (std::size_t slot = rules_.deck().suits().size(); slot < kSuitSlots; ++slot)
      if (suits[slot] > 0) return false;
    return true;
  }

  std::size_t sum(const SuitCounts& suits) const {
    std::uint32_t total = static_cast<std::uint32_t>(suits[kJokerSlot]) * suits_.of_suit[kMaxDeckSuits];
    for (std::size_t slot = 0; slot < rules_.deck().suits().size(); ++slot)
      total += static_cast<std::uint32_t>(suits[slot]) * suits_.of_suit[slot];
    return total;
  }

  void read_jokers(SuitCounts suits, const std::map<SuitCounts, std::uint8_t>& natural, Columns& readings) const {
    if (suits[kJokerSlot] == 0) {
      const auto found = natural.find(suits);
      if (found != natural.end()) readings.set(found->second);
      return;
    }
    --suits[kJokerSlot];
    for (std::size_t slot = 0; slot < static_cast<std::size_t>(rules_.slots()); ++slot) {
      ++suits[slot];
      read_jokers(suits, natural, readings);
      --suits[slot];
    }
  }

  // ---- Compatible ranks and suits.

  // True if groups of cards of one rank, each card of another suit, can fill the suits exactly (Gale and Ryser).
  static bool fits(const std::array<int, kHandCards>& groups, const std::array<int, kSuitSlots>& counts, int n) {
    std::array<int, kSuitSlots> sorted = counts;
    sort_descending(sorted, n);
    int wanted = 0, room = 0;
    for (int k = 0; k < n; ++k) {
      wanted += sorted[static_cast<std::size_t>(k)];
      room = 0;
      for (const int group : groups) room += std::min(group, k + 1);
      if (wanted > room) return false;
    }
    int total = 0;
    for (const int group : groups) total += group;
    return wanted == total;
  }

  bool fits(const Shape& shape, const SuitCounts& suits) const {
    if (suits[kJokerSlot] != shape.jokers) return false;
    int trumps = 0, unranked = 0;
    std::array<std::array<int, kSuitSlots>, 3> counts{};
    std::array<int, 3> n{};
    for (int slot = 0; slot < rules_.slots(); ++slot) {
      const int count = suits[static_cast<std::size_t>(slot)];
      const DeckSuit& suit = rules_.suit(slot);
      if (suit.kind == SuitKind::kTrumps) trumps += count;
      if (suit.kind == SuitKind::kExtra) unranked += count;
      if (suit.kind != SuitKind::kPips) continue;
      const auto color = static_cast<std::size_t>(rules_.pair_colors_matter() ? suit.color : Color::kNone);
      counts[color][static_cast<std::size_t>(n[color]++)] = count;
    }
    if (trumps != shape.trumps || unranked != shape.unranked) return false;
    for (std::size_t color = 0; color < counts.size(); ++color)
      if (!fits(shape.groups[color], counts[color], n[color])) return false;
    return true;
  }

  // Columns possible for a hand of that shape; `read`: with jokers read as cards, which the deck may lack.
  const Columns& columns_of(const Shape& shape, bool read) {
    const auto [at, fresh] = columns_of_.try_emplace({shape, read});
    if (fresh) {
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        const auto& suits = columns_[i].suits;
        at->second[i] = std::any_of(suits.begin(), suits.end(),
                                    [&](const SuitCounts& s) { return (read || in_deck(s)) && fits(shape, s); });
      }
    }
    return at->second;
  }

  // ---- Rows: hands of kinds.

  static Shape shape_of(const RankSide& side, int jokers) {
    Shape shape;
    std::array<std::size_t, 3> n{};
    for (int i = 0; i < side.pips; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const auto color = static_cast<std::size_t>(side.color[at]);
      // Cards of one rank and colour are adjacent.
      const bool same = i > 0 && side.pip[at] == side.pip[at - 1] && side.color[at] == side.color[at - 1];
      if (!same) ++n[color];
      ++shape.groups[color][n[color] - 1];
    }
    for (auto& groups : shape.groups) sort_descending(groups, kHandCards);
    shape.trumps = side.trumps;
    shape.unranked = side.unranked;
    shape.jokers = jokers;
    return shape;
  }

  void list_rows(HandTables& tables) {
    std::vector<std::uint32_t> rows(kind_multisets(kinds_.size(), cards_));
    std::array<std::uint8_t, kHandCards> hand{};
    const std::span<std::uint8_t> kinds(hand.data(), static_cast<std::size_t>(cards_));
    for (std::uint32_t& row : rows) {
      Hand read{hand_of(kinds_, kinds), {}};
      read.shape = shape_of(read.side, read.jokers);
      row = add_row(read);
      next_multiset(kinds);
    }
    tables.rows = PackedTable(rows);
  }

  // Keys of a row, one per column; hands that tie whatever their suits share a row.
  std::uint32_t add_row(const Hand& hand) {
    if (hand.possible && hand.jokers == 0 && !rules_.by_ranks()) {
      const std::uint64_t holding = rules_.holds(hand.side);
      const auto [at, fresh] = row_of_.try_emplace({holding, hand.shape}, row_count_);
      if (fresh) append_row(hand, holding);
      return at->second;
    }
    const std::uint32_t row = row_count_;
    append_row(hand, hand.jokers == 0 ? rules_.holds(hand.side) : 0);
    return row;
  }

  void append_row(const Hand& hand, std::uint64_t holding) {
    ++row_count_;
    const std::size_t start = keys_.size();
    keys_.resize(start + columns_.size(), kNone);
    if (!hand.possible || hand.jokers > rules_.deck().jokers()) return;
    const Columns& allowed = columns_of(hand.shape, false);
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      if (!allowed[column]) continue;
      keys_[start + column] =
          hand.jokers == 0 ? key(hand.side, holding & columns_[column].holding) : best_reading(hand, column);
    }
  }

  std::uint64_t key(const RankSide& side, std::uint64_t holding) const {
    return rules_.key(rules_.category(holding), side);
  }

  // ---- Jokers: the best of all readings (docs/rules/decks.md).

  std::uint64_t best_reading(const Hand& hand, std::size_t column) {
    return dealer::best_reading(rules_, kinds_, hand.side, hand.jokers, [&](const RankSide& side) {
      const std::uint64_t holding = rules_.holds(side);
      const Columns& allowed = columns_of(shape_of(side, 0), true);
      std::uint64_t best = 0;
      for (const std::uint8_t reading : columns_[column].readings)
        if (allowed[reading]) best = std::max(best, key(side, holding & columns_[reading].holding));
      return best;
    });
  }

  // ---- Values: the keys that occur, in order.

  void number_values(HandTables& tables) {
    std::vector<std::uint64_t>& keys = tables.keys;
    for (const std::uint64_t key : keys_)
      if (key != kNone && (keys.empty() || key != keys.back())) keys.push_back(key);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    tables.values.reserve(keys_.size());
    for (const std::uint64_t key : keys_)
      tables.values.push_back(
          key == kNone ? 0
                       : static_cast<std::uint32_t>(std::lower_bound(keys.begin(), keys.end(), key) - keys.begin()));
  }

  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  const RankingRules& rules_;
  const CardKinds& kinds_;
  const SuitSums& suits_;
  int cards_;
  std::vector<Column> columns_;
  std::map<std::pair<Shape, bool>, Columns> columns_of_;
  std::map<std::pair<std::uint64_t, Shape>, std::uint32_t> row_of_;
  std::uint32_t row_count_ = 0;
  std::vector<std::uint64_t> keys_;  // of every row and column; kNone: no such hand
};

}  // namespace

HandTables compile_hand_tables(const RankingRules& rules, const CardKinds& kinds, const SuitSums& suits, int cards) {
  return Compiler(rules, kinds, suits, cards).compile();
}

void check_compilable(const RankingRules& rules, const CardKinds& kinds) {
  const SuitSums suits(rules.deck(), kHandCards + 1, rules.suits_matter());
  for (int cards = 1; cards <= kHandCards; ++cards) Compiler(rules, kinds, suits, cards).check_columns();
}

std::string tables_refusal(const RankingRules& rules, const CardKinds& kinds) {
  if (kinds.size() > kMaxKinds) return fmt::format("{} kinds of cards", kinds.size());
  if (rules.ranking().distinct()) return "only cards that differ count";
  if (rules.deck().jokers() == 0) return {};
  // The natural cards restrict a joker's reading only where a single suit is required.
  for (int c = 0; c < rules.categories(); ++c) {
    const Conditions& when = rules.when(c);
    Conditions others = when;
    others.by_suit.clear();
    const bool one_suit = when.by_suit == std::vector<int>{kHandCards} && !others.looks_at_suits();
    if (when.looks_at_ranks() && when.looks_at_suits() && !one_suit)
      return fmt::format("the category '{}' asks for ranks and suits, and a joker may be either",
                         rules.ranking().categories()[static_cast<std::size_t>(c)].code);
  }
  return {};
}

}  // namespace dealer
