#include "arena/studies/fantasyland/openings.h"

#include <algorithm>
#include <map>
#include <set>

namespace dealer::studies::fantasyland {
namespace {

constexpr std::size_t kPermutations = 24;
using Suits = std::array<int, kOpeningCards>;
using Renaming = std::array<int, kSuits>;

const std::array<Renaming, kPermutations>& renamings() {
  static const auto kAll = [] {
    std::array<Renaming, kPermutations> all{};
    Renaming next = {0, 1, 2, 3};
    for (Renaming& renaming : all) {
      renaming = next;
      std::next_permutation(next.begin(), next.end());
    }
    return all;
  }();
  return kAll;
}

// Bit i: card i + 1 has the rank of card i.
using Pattern = unsigned;

// Sorts the suits of each run of equal ranks.
void sort_runs(Pattern pattern, Suits& suits) {
  for (std::size_t from = 0, to = 0; from < suits.size(); from = to) {
    to = from + 1;
    while (to < suits.size() && (pattern >> (to - 1) & 1) != 0) ++to;
    std::sort(suits.begin() + static_cast<std::ptrdiff_t>(from), suits.begin() + static_cast<std::ptrdiff_t>(to));
  }
}

Suits renamed(Pattern pattern, Suits suits, const Renaming& renaming) {
  for (int& suit : suits) suit = renaming[static_cast<std::size_t>(suit)];
  sort_runs(pattern, suits);
  return suits;
}

struct SuitClass {
  Suits suits;
  int deals;
};

// The classes of suits possible with a pattern, in order.
std::vector<SuitClass> classes_of(Pattern pattern) {
  std::vector<SuitClass> classes;
  for (unsigned code = 0; code < 1U << (2 * kOpeningCards); ++code) {
    Suits suits;
    for (std::size_t i = 0; i < suits.size(); ++i)
      suits[i] = static_cast<int>(code >> (2 * (kOpeningCards - 1 - i)) & 3);
    bool is_one = true;
    for (std::size_t i = 0; i + 1 < suits.size(); ++i)
      is_one = is_one && ((pattern >> i & 1) == 0 || suits[i] < suits[i + 1]);
    if (!is_one) continue;
    std::set<Suits> all;
    for (const Renaming& renaming : renamings()) all.insert(renamed(pattern, suits, renaming));
    if (*all.begin() == suits) classes.push_back({suits, static_cast<int>(all.size())});
  }
  return classes;
}

CardSet renamed(CardSet cards, const Renaming& renaming) {
  CardSet result = 0;
  for_each(cards, [&](Card card) {
    result |= bit(make_card(rank_of(card), renaming[static_cast<std::size_t>(suit_of(card))]));
  });
  return result;
}

}  // namespace

OpeningCards canonical(CardSet cards) {
  OpeningCards sorted{};
  std::size_t i = kOpeningCards;
  for_each(cards, [&](Card card) { sorted[--i] = card; });
  Pattern pattern = 0;
  Suits suits;
  for (i = 0; i < sorted.size(); ++i) {
    suits[i] = suit_of(sorted[i]);
    if (i > 0 && rank_of(sorted[i]) == rank_of(sorted[i - 1])) pattern |= 1U << (i - 1);
  }
  sort_runs(pattern, suits);
  Suits first = suits;
  for (const Renaming& renaming : renamings()) first = std::min(first, renamed(pattern, suits, renaming));
  for (i = 0; i < sorted.size(); ++i) sorted[i] = make_card(rank_of(sorted[i]), first[i]);
  return sorted;
}

std::vector<Opening> all_openings() {
  std::map<Pattern, std::vector<SuitClass>> classes;
  std::vector<Opening> openings;
  openings.reserve(kOpenings);
  std::array<int, kOpeningCards> ranks;
  const auto extend = [&](const auto& self, std::size_t card, int highest) -> void {
    if (card < ranks.size()) {
      for (ranks[card] = highest; ranks[card] >= 0; --ranks[card]) self(self, card + 1, ranks[card]);
      return;
    }
    Pattern pattern = 0;
    for (std::size_t i = 0; i + 1 < ranks.size(); ++i)
      if (ranks[i] == ranks[i + 1]) pattern |= 1U << i;
    auto found = classes.find(pattern);
    // Five cards of a rank are impossible: their class is empty.
    if (found == classes.end()) found = classes.emplace(pattern, classes_of(pattern)).first;
    for (const SuitClass& suits : found->second) {
      Opening& opening = openings.emplace_back();
      for (std::size_t i = 0; i < ranks.size(); ++i) opening.cards[i] = make_card(ranks[i], suits.suits[i]);
      opening.deals = suits.deals;
    }
  };
  extend(extend, 0, kRanks - 1);
  return openings;
}

std::string to_string(const OpeningCards& cards) {
  std::string text;
  for (const Card card : cards) text += dealer::to_string(card);
  return text;
}

CardSet set_of(const OpeningCards& cards) {
  CardSet set = 0;
  for (const Card card : cards) set |= bit(card);
  return set;
}

int code_of(const OpeningCards& cards, const dealer::ofc::Board& board) {
  int code = 0, unit = 1;
  for (const Card card : cards) {
    for (int row = 0; row < dealer::ofc::kRows; ++row)
      if ((board.row[static_cast<std::size_t>(row)] & bit(card)) != 0) code += row * unit;
    unit *= dealer::ofc::kRows;
  }
  return code;
}

dealer::ofc::Board board_of(const OpeningCards& cards, int code) {
  dealer::ofc::Board board;
  for (const Card card : cards) {
    board.row[static_cast<std::size_t>(code % dealer::ofc::kRows)] |= bit(card);
    code /= dealer::ofc::kRows;
  }
  return board;
}

bool is_mirrored(const OpeningCards& cards, const dealer::ofc::Board& a, const dealer::ofc::Board& b) {
  const CardSet all = set_of(cards);
  return std::any_of(renamings().begin(), renamings().end(), [&](const Renaming& renaming) {
    if (renamed(all, renaming) != all) return false;
    for (std::size_t row = 0; row < dealer::ofc::kRows; ++row)
      if (renamed(a.row[row], renaming) != b.row[row]) return false;
    return true;
  });
}

}  // namespace dealer::studies::fantasyland
