#include "env/hands/best_of_seven.h"

#include <algorithm>
#include <bit>

namespace dealer {
namespace {

constexpr int kMaxMaskRanks = 16;  // 2^ranks entries per number of jokers

enum class Side { kRanks, kSuits, kOneSuit, kTrumpRun, kNeither };

Side side_of(const RankingRules& rules, int category) {
  const Category& c = rules.ranking().categories()[static_cast<std::size_t>(category)];
  const Conditions& when = c.when;
  const bool ranks = when.looks_at_ranks();
  const bool suits = when.looks_at_suits();
  // If hands compare by ranks, the category must depend on the same side as these ranks.
  const bool compares = rules.by_ranks() && (rules.deck().has_trumps() || suits || when.counts());
  Conditions rest = when;
  rest.by_suit.clear();
  if (when.by_suit == std::vector<int>{kHandCards} && !rest.looks_at_suits() && !when.counts() && !c.within) {
    const bool by_mask = when.by_rank.empty() && when.trump_run == 0 && !when.pair_mixed;
    if (by_mask && rules.ranks() <= kMaxMaskRanks && (ranks || compares)) return Side::kOneSuit;
  }
  rest = when;
  rest.trump_run = 0;
  if (when.trump_run == kHandCards && rest.always() && !compares && !c.within) return Side::kTrumpRun;
  if (when.trump_run > 0 || (ranks && suits) || compares) return Side::kNeither;
  return suits || (when.counts() && !ranks) ? Side::kSuits : Side::kRanks;
}

class Compiler {
 public:
  Compiler(const RankingRules& rules, const HandTables& five, BestOfTables& tables)
      : rules_(rules), five_(five), tables_(tables) {
    for (int c = 0; c < rules.categories(); ++c) of_side_[static_cast<std::size_t>(side_of(rules, c))] |= bit(c);
  }

  bool possible() const {
    if (of_side_[static_cast<std::size_t>(Side::kNeither)] != 0) return false;
    const bool only_ranks = !rules_.suits_matter() && of_side_[static_cast<std::size_t>(Side::kTrumpRun)] == 0;
    return tables_.kinds.size() <= kMaxKinds && (only_ranks || !rules_.ranking().low()) && has_suits_for_jokers();
  }

  void compile() {
    by_ranks();
    one_suit();
    trump_run();
    by_suits();
  }

 private:
  // Without regard to suits a joker can be the fourth card of any rank, which takes four suits of pips.
  bool has_suits_for_jokers() const {
    const auto& suits = rules_.deck().suits();
    const auto pips =
        std::count_if(suits.begin(), suits.end(), [](const auto& s) { return s.kind == SuitKind::kPips; });
    return rules_.deck().jokers() == 0 || pips >= 4;
  }

  static std::uint64_t bit(int category) { return std::uint64_t{1} << category; }
  std::uint64_t of(Side side) const { return of_side_[static_cast<std::size_t>(side)]; }

  // The value of a key, or of the next weaker one that occurs: a key that no five cards have is covered by the stronger
  // part that forms it.
  std::uint32_t value(std::uint64_t key) const {
    const auto above = std::upper_bound(five_.keys.begin(), five_.keys.end(), key);
    return above == five_.keys.begin() ? 0 : static_cast<std::uint32_t>(above - five_.keys.begin()) - 1;
  }

  // ---- Ranks.

  void by_ranks() {
    std::vector<std::uint32_t> best(kind_multisets(tables_.kinds.size(), kHandCards));
    for_each_multiset(kHandCards,
                      [&](std::size_t index, std::span<const std::uint8_t> kinds) { best[index] = rank_value(kinds); });
    // A hand of n is the best of its hands of n - 1.
    for (int n = kHandCards + 1; n <= kMaxBest; ++n) {
      std::vector<std::uint32_t> larger(kind_multisets(tables_.kinds.size(), n));
      for_each_multiset(n, [&](std::size_t index, std::span<const std::uint8_t> kinds) {
        // Without the card at `out`: the cards after it move down a place.
        std::uint32_t sub = 0;
        for (int i = 1; i < n; ++i) sub += kKindSteps(i - 1, kinds[static_cast<std::size_t>(i)]);
        std::uint32_t top = best[sub];
        for (int out = 1; out < n; ++out) {
          const auto at = static_cast<std::size_t>(out);
          sub += kKindSteps(out - 1, kinds[at - 1]) - kKindSteps(out - 1, kinds[at]);
          if (kinds[at] != kinds[at - 1]) top = std::max(top, best[sub]);
        }
        larger[index] = top;
      });
      tables_.by_ranks[static_cast<std::size_t>(n - kHandCards - 1)] = PackedTable(larger);
      best = std::move(larger);
    }
  }

  template <class F>
  void for_each_multiset(int n, F&& f) const {
    std::array<std::uint8_t, kMaxBest> hand{};
    const std::span<std::uint8_t> kinds(hand.data(), static_cast<std::size_t>(n));
    const std::size_t count = kind_multisets(tables_.kinds.size(), n);
    for (std::size_t index = 0; index < count; ++index, next_multiset(kinds)) f(index, kinds);
  }

  // Ignoring suits.
  std::uint32_t rank_value(std::span<const std::uint8_t> kinds) const {
    const HandOfKinds hand = hand_of(tables_.kinds, kinds);
    if (hand.jokers > rules_.deck().jokers()) return 0;
    return value(best_reading(rules_, tables_.kinds, hand.side, hand.jokers, [&](const RankSide& side) {
      return rules_.key(rules_.category(rules_.holds(side) & of(Side::kRanks)), side);
    }));
  }

  // ---- Five of one suit.

  void one_suit() {
    if (of(Side::kOneSuit) == 0) return;
    const std::size_t masks = std::size_t{1} << rules_.ranks();
    for (int jokers = 0; jokers <= rules_.deck().jokers(); ++jokers) {
      auto& table = tables_.one_suit[static_cast<std::size_t>(jokers)];
      table.assign(masks, 0);
      for (std::uint32_t mask = 0; mask < masks; ++mask) {
        const int held = std::popcount(mask);
        if (held + jokers < kHandCards || held + jokers > kMaxBest) continue;
        table[mask] = held + jokers == kHandCards && jokers == 0 ? flush_value(mask) : best_below(jokers, mask);
      }
    }
  }

  // A larger hand is the best of those with a card less; a joker takes the best of its readings.
  std::uint32_t best_below(int jokers, std::uint32_t mask) const {
    std::uint32_t best = 0;
    const bool spare = std::popcount(mask) + jokers > kHandCards;
    for (int rank = 0; rank < rules_.ranks(); ++rank) {
      const std::uint32_t card = std::uint32_t{1} << rank;
      if ((mask & card) != 0 && spare)
        best = std::max(best, tables_.one_suit[static_cast<std::size_t>(jokers)][mask & ~card]);
      if ((mask & card) == 0 && jokers > 0 && !spare)
        best = std::max(best, tables_.one_suit[static_cast<std::size_t>(jokers) - 1][mask | card]);
    }
    if (spare && jokers > 0) best = std::max(best, tables_.one_suit[static_cast<std::size_t>(jokers) - 1][mask]);
    return best;
  }

  std::uint32_t flush_value(std::uint32_t mask) const {
    RankSide side;
    for (int rank = rules_.ranks() - 1; rank >= 0; --rank)
      if (((mask >> rank) & 1) != 0) side.pip[static_cast<std::size_t>(side.pips++)] = rank;
    const std::uint64_t holding = rules_.holds(side) & of(Side::kOneSuit);
    return holding == 0 ? 0 : value(rules_.key(rules_.category(holding), side));
  }

  void trump_run() {
    if (of(Side::kTrumpRun) == 0) return;
    RankSide side;
    side.trumps = kHandCards;
    tables_.run_length = kHandCards;
    tables_.trump_run = value(rules_.key(rules_.category(of(Side::kTrumpRun)), side));
  }

  // ---- Suits.

  void by_suits() {
    for (int n = kHandCards + 1; n <= kMaxBest; ++n) {
      auto& table = tables_.by_suits[static_cast<std::size_t>(n - kHandCards - 1)];
      table.assign(tables_.suits.size, 0);
      if (tables_.suits.size == 1) continue;
      Counts counts{};
      list_suits(0, n, counts, table);
    }
  }

  using Counts = std::array<int, kMaxDeckSuits + 1>;  // the last: jokers

  void list_suits(std::size_t suit, int left, Counts& counts, std::vector<std::uint32_t>& table) {
    if (suit == rules_.deck().suits().size()) {
      if (left > rules_.deck().jokers()) return;
      counts[kMaxDeckSuits] = left;
      std::uint32_t sum = 0;
      for (std::size_t i = 0; i < counts.size(); ++i)
        sum += static_cast<std::uint32_t>(counts[i]) * tables_.suits.of_suit[i];
      std::uint64_t best = 0;
      SuitSide side;
      choose_five(0, kHandCards, counts, side, best);
      table[sum] = value(best) | (must_look(counts) ? BestOfTables::kLook : 0);
      counts[kMaxDeckSuits] = 0;
      return;
    }
    for (int n = 0; n <= left; ++n) {
      counts[suit] = n;
      list_suits(suit + 1, left - n, counts, table);
    }
    counts[suit] = 0;
  }

  bool must_look(const Counts& counts) const {
    for (std::size_t suit = 0; suit < rules_.deck().suits().size(); ++suit) {
      const SuitKind kind = rules_.deck().suits()[suit].kind;
      if (kind == SuitKind::kPips && of(Side::kOneSuit) != 0 && counts[suit] + counts[kMaxDeckSuits] >= kHandCards)
        return true;
      if (kind == SuitKind::kTrumps && tables_.run_length > 0 && counts[suit] >= kHandCards) return true;
    }
    return false;
  }

  // All ways to choose five, jokers in any suit of pips.
  void choose_five(int slot, int left, const Counts& counts, SuitSide& side, std::uint64_t& best) const {
    if (slot == rules_.slots()) {
      if (left == 0) best = std::max(best, suit_key(side));
      return;
    }
    const auto at = static_cast<std::size_t>(slot);
    const bool in_deck = at < rules_.deck().suits().size();
    const int held = in_deck ? counts[at] : 0;
    const int jokers = rules_.suit(slot).kind == SuitKind::kPips ? counts[kMaxDeckSuits] : 0;
    for (int n = 0; n <= std::min(left, held + jokers); ++n) {
      side.count[at] = n;
      Counts rest = counts;
      rest[kMaxDeckSuits] -= std::max(0, n - held);
      choose_five(slot + 1, left - n, rest, side, best);
    }
    side.count[at] = 0;
  }

  std::uint64_t suit_key(const SuitSide& side) const {
    const std::uint64_t holding = rules_.holds(side) & of(Side::kSuits);
    if (holding == 0) return 0;
    int pips = 0, trumps = 0, unranked = 0;
    for (int slot = 0; slot < rules_.slots(); ++slot) {
      const SuitKind kind = rules_.suit(slot).kind;
      (kind == SuitKind::kPips     ? pips
       : kind == SuitKind::kTrumps ? trumps
                                   : unranked) += side.count[static_cast<std::size_t>(slot)];
    }
    return rules_.key_of_counts(rules_.category(holding), pips, trumps, unranked);
  }

  const RankingRules& rules_;
  const HandTables& five_;
  BestOfTables& tables_;
  std::array<std::uint64_t, 5> of_side_{};
};

}  // namespace

BestOfTables empty_best_of(const RankingRules& rules) {
  bool trump_runs = false;
  for (int c = 0; c < rules.categories(); ++c) trump_runs |= rules.when(c).trump_run > 0;
  return {
      CardKinds(rules, false), SuitSums(rules.deck(), kMaxBest + 1, rules.suits_matter() || trump_runs), {}, {}, {}};
}

std::optional<BestOfTables> compile_best_of(const RankingRules& rules, const HandTables& five) {
  BestOfTables tables = empty_best_of(rules);
  Compiler compiler(rules, five, tables);
  if (!compiler.possible()) return std::nullopt;
  compiler.compile();
  return tables;
}

}  // namespace dealer
