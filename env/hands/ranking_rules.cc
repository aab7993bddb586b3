#include "env/hands/ranking_rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "env/core/error.h"

namespace dealer {
namespace {

bool within(const std::optional<CountRange>& range, int n) { return !range || range->contains(n); }

// Sizes of groups, largest first, without heap.
struct Groups {
  std::array<int, kSuitSlots> size{};
  int count = 0;
  void add(int n) {
    int at = count++;
    for (; at > 0 && size[static_cast<std::size_t>(at) - 1] < n; --at)
      size[static_cast<std::size_t>(at)] = size[static_cast<std::size_t>(at) - 1];
    size[static_cast<std::size_t>(at)] = n;
  }
  bool cover(const std::vector<int>& wanted) const {
    if (static_cast<int>(wanted.size()) > count) return wanted.empty();
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (size[i] < wanted[i]) return false;
    return true;
  }
};

Groups rank_groups(const RankSide& side) {
  Groups groups;
  for (int i = 0; i < side.pips;) {
    int end = i + 1;
    while (end < side.pips && side.pip[static_cast<std::size_t>(end)] == side.pip[static_cast<std::size_t>(i)]) ++end;
    groups.add(end - i);
    i = end;
  }
  return groups;
}

// True if two of the pips of that rank (of any rank: -1) are of both colours (of one colour).
bool has_pair(const RankSide& side, int rank, bool mixed) {
  for (int i = 0; i < side.pips; ++i) {
    for (int j = i + 1; j < side.pips; ++j) {
      const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
      if (side.pip[a] != side.pip[b] || (rank >= 0 && side.pip[a] != rank)) continue;
      if (side.color[a] == Color::kNone || side.color[b] == Color::kNone) continue;
      if ((side.color[a] != side.color[b]) == mixed) return true;
    }
  }
  return false;
}

int trump_run(const RankSide& side) {
  int best = side.trumps > 0 ? 1 : 0;
  for (int i = 1, length = 1; i < side.trumps; ++i) {
    length =
        side.trump[static_cast<std::size_t>(i)] + 1 == side.trump[static_cast<std::size_t>(i) - 1] ? length + 1 : 1;
    best = std::max(best, length);
  }
  return best;
}

}  // namespace

RankingRules::RankingRules(const Deck& deck, const Ranking& ranking) : deck_(&deck), ranking_(&ranking) {
  const std::string& letters = deck.ranks();
  const std::size_t ace = letters.find('A');
  const int ranks = static_cast<int>(letters.size());
  int next = ace != std::string::npos && !ranking.aces_high() ? 1 : 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const bool is_ace = static_cast<std::size_t>(rank) == ace;
    position_.push_back(is_ace ? (ranking.aces_high() ? ranks - 1 : 0) : next++);
  }
  wheel_ = ace != std::string::npos && ranking.aces_high() && ranking.wheel();
  for (const DeckSuit& suit : deck.suits()) suits_[static_cast<std::size_t>(slots_++)] = &suit;
  if (deck.absent_suit()) suits_[static_cast<std::size_t>(slots_++)] = &*deck.absent_suit();
  resolved_.resize(ranking.categories().size());
  for (int c = 0; c < categories(); ++c) resolve(c);
  trump_ranks_matter_ = trump_ranks_matter_ || (by_ranks() && deck.has_trumps());
}

void RankingRules::resolve(int category) {
  const Category& c = ranking_->categories()[static_cast<std::size_t>(category)];
  Resolved& resolved = resolved_[static_cast<std::size_t>(category)];
  const auto fail = [&](const std::string& what) {
    throw ConfigError(
        fmt::format("{}: the category '{}' {}; the deck '{}' has none", c.where, c.code, what, deck_->name()));
  };
  const auto has = [&](auto test) { return std::any_of(deck_->suits().begin(), deck_->suits().end(), test); };
  const bool unranked = has([](const DeckSuit& s) { return s.kind == SuitKind::kExtra; });
  const auto wanted = [](const std::optional<CountRange>& range) { return range && range->low > 0; };
  if ((c.when.trump_run > 0 || wanted(c.when.trumps)) && !deck_->has_trumps()) fail("needs trumps");
  if ((!c.when.by_extra.empty() || wanted(c.when.unranked)) && !unranked) fail("needs a suit without ranks");
  if (wanted(c.when.extras) && !deck_->is_court()) fail("needs trumps or a suit without ranks");
  if ((c.when.pair_mixed || !c.when.by_color.empty()) &&
      !has([](const DeckSuit& s) { return s.color != Color::kNone; }))
    fail("needs suits with colours");
  for (std::size_t i = 0; i < c.when.of_suit.size(); ++i) {
    const std::string& name = c.when.of_suit[i].first;
    int slot = 0;
    while (slot < slots_ && suit(slot).name != name) ++slot;
    if (slot == slots_ || i >= resolved.suit.size()) {
      std::vector<std::string> names;
      for (const DeckSuit& s : deck_->suits()) names.push_back(s.name);
      throw ConfigError(fmt::format("{}: the category '{}' names the suit '{}'; the deck '{}' has: {}", c.where, c.code,
                                    name, deck_->name(), fmt::join(names, ", ")));
    }
    resolved.suit[i] = slot;
  }
  if (c.when.highest) {
    const auto place = [&](char letter) {
      const std::size_t rank = deck_->ranks().find(letter);
      if (rank == std::string::npos)
        throw ConfigError(fmt::format("{}: the category '{}' names the rank '{}'; the deck '{}' has: {}", c.where,
                                      c.code, letter, deck_->name(), deck_->ranks()));
      return position(static_cast<int>(rank));
    };
    resolved.lowest_high = place(c.when.highest->first);
    resolved.highest_high = place(c.when.highest->second);
  }
  pair_colors_matter_ |= c.when.pair_mixed.has_value();
  suits_matter_ |= c.when.looks_at_suits();
  trump_ranks_matter_ |= c.when.trump_run > 0;
}

RankingRules::Run RankingRules::longest_run(const RankSide& side, int at_least) const {
  std::uint64_t set = 0;
  for (int i = 0; i < side.pips; ++i) set |= std::uint64_t{2} << side.pip[static_cast<std::size_t>(i)];
  if (wheel_ && ((set >> ranks()) & 1) != 0) set |= 1;  // the ace below the lowest, too
  Run best;
  // The highest run that is long enough; if there is none, the longest.
  for (int top = ranks(); top >= 0; --top) {
    int length = 0;
    while (length <= top && ((set >> (top - length)) & 1) != 0) ++length;
    if (length > best.length) best = {length, top - 1};
    if (best.length >= at_least) break;
  }
  return best;
}

std::uint64_t RankingRules::holds(const RankSide& side) const {
  const Groups groups = rank_groups(side);
  const int run = longest_run(side, kHandCards).length;
  const int trumps_run = trump_run(side);
  const int highest = side.pips > 0 ? side.pip[0] : -1;
  std::uint64_t holding = 0;
  for (int c = 0; c < categories(); ++c) {
    const Conditions& when = this->when(c);
    const Resolved& resolved = resolved_[static_cast<std::size_t>(c)];
    const bool ok = groups.cover(when.by_rank) && run >= when.run && trumps_run >= when.trump_run &&
                    (!when.pair_mixed || has_pair(side, -1, *when.pair_mixed)) &&
                    (!when.highest || (highest >= resolved.lowest_high && highest <= resolved.highest_high)) &&
                    within(when.cards, side.cards()) && within(when.pips, side.pips) &&
                    within(when.trumps, side.trumps) && within(when.unranked, side.unranked) &&
                    within(when.extras, side.trumps + side.unranked);
    holding |= std::uint64_t{ok} << c;
  }
  return holding;
}

std::uint64_t RankingRules::holds(const SuitSide& side) const {
  Groups of_pips, of_extra;
  std::array<int, 3> colors{};
  int pips = 0, trumps = 0, unranked = 0;
  for (int slot = 0; slot < slots_; ++slot) {
    const int n = side.count[static_cast<std::size_t>(slot)];
    if (n == 0) continue;
    const DeckSuit& s = suit(slot);
    (s.kind == SuitKind::kPips ? pips : s.kind == SuitKind::kTrumps ? trumps : unranked) += n;
    if (s.kind == SuitKind::kPips) of_pips.add(n);
    if (s.kind == SuitKind::kExtra) of_extra.add(n);
    colors[static_cast<std::size_t>(s.color)] += n;
  }
  Groups of_color;
  of_color.add(colors[static_cast<std::size_t>(Color::kBlack)]);
  of_color.add(colors[static_cast<std::size_t>(Color::kRed)]);
  const int suits = of_pips.count + of_extra.count + (trumps > 0 ? 1 : 0);
  std::uint64_t holding = 0;
  for (int c = 0; c < categories(); ++c) {
    const Conditions& when = this->when(c);
    const Resolved& resolved = resolved_[static_cast<std::size_t>(c)];
    bool ok = of_pips.cover(when.by_suit) && of_extra.cover(when.by_extra) && of_color.cover(when.by_color) &&
              within(when.suits, suits) && within(when.pip_suits, of_pips.count) &&
              within(when.cards, pips + trumps + unranked) && within(when.pips, pips) && within(when.trumps, trumps) &&
              within(when.unranked, unranked) && within(when.extras, trumps + unranked);
    for (std::size_t i = 0; ok && i < when.of_suit.size(); ++i)
      ok = when.of_suit[i].second.contains(side.count[static_cast<std::size_t>(resolved.suit[i])]);
    holding |= std::uint64_t{ok} << c;
  }
  return holding;
}

int RankingRules::category(std::uint64_t holding) const {
  return ranking_->low() ? std::countr_zero(holding) : static_cast<int>(std::bit_width(holding)) - 1;
}

int RankingRules::sub_order(int category, int pips, int trumps, int unranked) const {
  const auto& within = ranking_->categories()[static_cast<std::size_t>(category)].within;
  if (!within) return 0;
  const int n = within->kind == CardKind::kPips ? pips : within->kind == CardKind::kTrumps ? trumps : unranked;
  const auto found = std::find(within->counts.begin(), within->counts.end(), n);
  // Numbers that are not listed rank lowest.
  return found == within->counts.end() ? 0 : static_cast<int>(found - within->counts.begin()) + 1;
}

std::uint64_t RankingRules::key_of_counts(int category, int pips, int trumps, int unranked) const {
  return static_cast<std::uint64_t>(category) << kCategoryShift |
         static_cast<std::uint64_t>(sub_order(category, pips, trumps, unranked)) << kSubOrderShift;
}

std::uint64_t RankingRules::key(int category, const RankSide& side) const {
  std::uint64_t key = key_of_counts(category, side.pips, side.trumps, side.unranked);
  if (!by_ranks()) return key;
  int shift = kSubOrderShift;
  const auto compare = [&](int rank) {
    shift -= kDigitBits;
    const auto digit = static_cast<std::uint64_t>(ranking_->low() ? (1 << kDigitBits) - 1 - rank : rank + 1);
    key |= digit << shift;
  };
  unsigned used = 0;  // bit i: pip i belongs to the combination and is compared
  const Conditions& when = this->when(category);
  for (const int size : when.by_rank) {
    for (int i = 0; i + size <= side.pips; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const unsigned group = ((1U << size) - 1) << i;
      if ((used & group) != 0 || side.pip[at] != side.pip[at + static_cast<std::size_t>(size) - 1]) continue;
      if (size == 2 && when.pair_mixed && !has_pair(side, side.pip[at], *when.pair_mixed)) continue;
      used |= group;
      compare(side.pip[at]);
      break;
    }
  }
  if (when.run > 0) {
    const Run run = longest_run(side, when.run);
    compare(run.top);
    for (int below = 0; below < when.run; ++below) {
      const int rank = run.top - below < 0 ? ranks() - 1 : run.top - below;  // below the lowest: the ace
      int i = 0;
      while (i < side.pips && (side.pip[static_cast<std::size_t>(i)] != rank || ((used >> i) & 1) != 0)) ++i;
      used |= 1U << i;
    }
  }
  for (int i = 0; i < side.pips; ++i)
    if (((used >> i) & 1) == 0) compare(side.pip[static_cast<std::size_t>(i)]);
  shift -= kDigitBits;
  for (int i = 0; i < side.trumps; ++i) compare(side.trump[static_cast<std::size_t>(i)]);
  return key;
}

}  // namespace dealer
