#include <algorithm>
#include <map>
#include <stdexcept>

#include "tests/env/hands/evaluator_checks.h"

namespace dealer::test {
namespace {

// Number of counts that are at least n.
template <std::size_t kSize>
int at_least(const int (&counts)[kSize], int n) {
  int found = 0;
  for (const int count : counts) found += count >= n ? 1 : 0;
  return found;
}

template <std::size_t kSize>
bool five_in_a_row(const int (&counts)[kSize]) {
  for (std::size_t low = 0; low + 5 <= kSize; ++low)
    if (counts[low] == 1 && counts[low + 1] == 1 && counts[low + 2] == 1 && counts[low + 3] == 1 &&
        counts[low + 4] == 1)
      return true;
  return false;
}

// The largest number below n with the property; -1 if there is none.
template <class Fits>
int highest(int n, Fits fits) {
  while (--n >= 0 && !fits(n)) continue;
  return n;
}

bool mixed_pair(const SlowHands::Counts& hand, int rank) {
  return hand.black_of_rank[rank] > 0 && hand.red_of_rank[rank] > 0;
}
bool pair_of_a_color(const SlowHands::Counts& hand, int rank) {
  return hand.black_of_rank[rank] > 1 || hand.red_of_rank[rank] > 1;
}

}  // namespace

SlowHands::SlowHands(const Deck& deck, SlowRanking ranking)
    : ranking_(std::move(ranking)), ace_(static_cast<int>(deck.ranks().size()) + 1) {
  for (const std::string& code : ranking_.order) order_.push_back(condition(code));
  const std::string_view natural = "A23456789TJCQK";
  for (const DeckCard& card : deck.cards()) {
    if (card.suit < 0) continue;
    const DeckSuit& suit = deck.suits()[static_cast<std::size_t>(card.suit)];
    Card slow{suit.kind == SuitKind::kPips     ? 'p'
              : suit.kind == SuitKind::kTrumps ? 't'
                                               : 'e',
              suit.color == Color::kBlack ? 'b'
              : suit.color == Color::kRed ? 'r'
                                          : '-',
              card.suit, 0};
    if (slow.kind == 't') slow.rank = std::stoi(card.text.substr(1));
    if (slow.kind == 'p') {
      // The position among the ranks of the deck.
      for (const char letter : natural.substr(0, natural.find(card.text[0]) + 1))
        slow.rank += deck.ranks().find(letter) != std::string::npos ? 1 : 0;
      if (ranking_.aces_high && card.text[0] == 'A') slow.rank = ace_;
    }
    cards_.push_back(slow);
  }
}

bool SlowHands::straight(const Counts& hand) const {
  if (hand.pips != 5) return false;
  const bool wheel = ranking_.wheel && ranking_.aces_high && hand.of_rank[ace_] == 1 && hand.of_rank[2] == 1 &&
                     hand.of_rank[3] == 1 && hand.of_rank[4] == 1 && hand.of_rank[5] == 1;
  return wheel || five_in_a_row(hand.of_rank);
}

SlowHands::Condition SlowHands::condition(const std::string& code) {
  using Self = const SlowHands&;
  using Hand = const Counts&;
  static const std::map<std::string, Condition> kConditions = {
      {"NON", [](Self, Hand) { return true; }},
      {"P1", [](Self, Hand hand) { return at_least(hand.of_rank, 2) >= 1; }},
      {"P1x", [](Self, Hand hand) { return highest(32, [&](int r) { return mixed_pair(hand, r); }) >= 0; }},
      {"P1c", [](Self, Hand hand) { return highest(32, [&](int r) { return pair_of_a_color(hand, r); }) >= 0; }},
      {"P2", [](Self, Hand hand) { return at_least(hand.of_rank, 2) >= 2; }},
      {"K3", [](Self, Hand hand) { return at_least(hand.of_rank, 3) >= 1; }},
      {"FH", [](Self, Hand hand) { return at_least(hand.of_rank, 3) >= 1 && at_least(hand.of_rank, 2) >= 2; }},
      {"K4", [](Self, Hand hand) { return at_least(hand.of_rank, 4) >= 1; }},
      {"K5", [](Self, Hand hand) { return at_least(hand.of_rank, 5) >= 1; }},
      {"ST", [](Self self, Hand hand) { return self.straight(hand); }},
      {"FL", [](Self, Hand hand) { return at_least(hand.pips_of_suit, 5) == 1; }},
      {"SF", [](Self self, Hand hand) { return self.straight(hand) && at_least(hand.pips_of_suit, 5) == 1; }},
      {"EFL", [](Self, Hand hand) { return hand.cards - hand.pips == 5; }},
      {"ESF", [](Self, Hand hand) { return hand.trumps == 5 && five_in_a_row(hand.trump); }},
      {"HF",
       [](Self, Hand hand) {
         return hand.pips > 0 && hand.trumps > 0 && hand.pips + hand.trumps == 5 && at_least(hand.pips_of_suit, 1) == 1;
       }},
      {"SeF", [](Self, Hand hand) { return at_least(hand.pips_of_suit, 4) == 1 && hand.cards - hand.pips == 1; }},
      {"MW", [](Self, Hand hand) { return at_least(hand.of_suit, 1) == 5; }},
      {"MX", [](Self, Hand hand) { return at_least(hand.pips_of_suit, 1) == 4 && hand.pips == 4 && hand.cards == 5; }},
      {"D3", [](Self, Hand hand) { return at_least(hand.extra_of_suit, 3) == 1; }},
      {"D4", [](Self, Hand hand) { return at_least(hand.extra_of_suit, 4) == 1; }},
      {"D5", [](Self, Hand hand) { return at_least(hand.extra_of_suit, 5) == 1; }},
      {"CFL", [](Self, Hand hand) { return hand.black == 5 || hand.red == 5; }},
      {"H9",
       [](Self self, Hand hand) {
         return highest(32, [&](int r) { return hand.of_rank[r] > 0; }) >= self.ranking_.lowest_bad_rank;
       }},
  };
  return kConditions.at(code);
}

int SlowHands::strength(const Counts& hand) const {
  const int size = static_cast<int>(order_.size());
  for (int i = 0; i < size; ++i) {
    const int place = ranking_.low ? i : size - 1 - i;
    if (order_[static_cast<std::size_t>(place)](*this, hand)) return place;
  }
  throw std::logic_error("no fallback");
}

// Ranks in order of comparison, and their number.
int SlowHands::compared(const std::string& code, const Counts& hand, int* ranks) const {
  Counts left = hand;
  int n = 0;
  const auto take_group = [&](int size, auto&& fits) {
    ranks[n] = highest(32, fits);
    left.of_rank[ranks[n++]] -= size;
  };
  const auto take = [&](int size) { take_group(size, [&](int rank) { return left.of_rank[rank] >= size; }); };
  if (code == "P1" || code == "P2") take(2);
  if (code == "P1x") take_group(2, [&](int rank) { return mixed_pair(hand, rank); });
  if (code == "P1c") take_group(2, [&](int rank) { return pair_of_a_color(hand, rank); });
  if (code == "K3" || code == "FH") take(3);
  if (code == "P2" || code == "FH") take(2);
  if (code == "K4") take(4);
  if (code == "K5") take(5);
  if ((code == "ST" || code == "SF") && ranking_.wheel && ranking_.aces_high && hand.of_rank[ace_] == 1 &&
      hand.of_rank[2] == 1)
    left.of_rank[ace_] = 0;  // the ace of A-2-3-4-5: the five is the highest card
  for (int rank = 31; rank >= 0; --rank)
    for (int i = 0; i < left.of_rank[rank]; ++i) ranks[n++] = rank;
  // The pips of both hands are compared first; the hand with more of them wins.
  if (hand.trumps > 0)
    while (n < 5) ranks[n++] = 0;
  for (int rank = 31; rank >= 0; --rank)
    if (hand.trump[rank] > 0) ranks[n++] = rank + 1;
  return n;
}

std::uint64_t SlowHands::key(std::span<const CardId> hand) const {
  Counts counts;
  for (const CardId id : hand) {
    const Card& card = cards_[id];
    ++counts.cards;
    ++counts.of_suit[card.suit];
    counts.black += card.color == 'b' ? 1 : 0;
    counts.red += card.color == 'r' ? 1 : 0;
    if (card.kind == 'e') ++counts.extra_of_suit[card.suit];
    if (card.kind == 't') ++counts.trumps, ++counts.trump[card.rank];
    if (card.kind != 'p') continue;
    ++counts.pips;
    ++counts.of_rank[card.rank];
    ++counts.pips_of_suit[card.suit];
    if (card.color == 'b') ++counts.black_of_rank[card.rank];
    if (card.color == 'r') ++counts.red_of_rank[card.rank];
  }
  const int place = strength(counts);
  const std::string& code = ranking_.order[static_cast<std::size_t>(place)];
  std::uint64_t within = 0;
  if (code == "HF") {
    const auto& order = ranking_.half_flushes;
    within = static_cast<std::uint64_t>(std::find(order.begin(), order.end(), counts.trumps) - order.begin());
  }
  std::uint64_t key = static_cast<std::uint64_t>(place) * 8 + within;
  int ranks[10] = {};
  const int n = ranking_.by_ranks ? compared(code, counts, ranks) : 0;
  for (int i = 0; i < 10; ++i) {
    const int strength_of_rank = ranking_.low && i < n ? 31 - ranks[i] : ranks[i];
    key = key << 5 | static_cast<std::uint64_t>(strength_of_rank);
  }
  return key;
}

}  // namespace dealer::test
