#include "tests/env/hands/slow_hands.h"

#include <algorithm>
#include <stdexcept>

namespace dealer::test {
namespace {

enum Code {
  kNON,
  kP1,
  kP1x,
  kP1c,
  kP2,
  kK3,
  kFH,
  kK4,
  kK5,
  kST,
  kFL,
  kSF,
  kEFL,
  kESF,
  kHF,
  kSeF,
  kMW,
  kMX,
  kD3,
  kD4,
  kD5,
  kCFL,
  kH9
};
constexpr const char* kCodes[] = {"NON", "P1",  "P1x", "P1c", "P2", "K3", "FH", "K4", "K5", "ST",  "FL", "SF",
                                  "EFL", "ESF", "HF",  "SeF", "MW", "MX", "D3", "D4", "D5", "CFL", "H9"};

// How many of the counts are at least n.
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

}  // namespace

SlowHands::SlowHands(const Deck& deck, SlowRanking ranking) : ranking_(std::move(ranking)) {
  for (const std::string& code : ranking_.order) {
    const auto found = std::find(std::begin(kCodes), std::end(kCodes), code);
    if (found == std::end(kCodes)) throw std::logic_error("no such code");
    order_.push_back(static_cast<int>(found - std::begin(kCodes)));
  }
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
      // The place among the ranks that the deck has.
      for (const char letter : natural.substr(0, natural.find(card.text[0]) + 1))
        slow.rank += deck.ranks().find(letter) != std::string::npos ? 1 : 0;
      if (ranking_.aces_high && card.text[0] == 'A') slow.rank = static_cast<int>(deck.ranks().size()) + 1;
    }
    cards_.push_back(slow);
  }
}

bool SlowHands::straight(const Counts& hand) const {
  if (hand.pips != 5) return false;
  const bool wheel = ranking_.wheel && ranking_.aces_high && hand.of_rank[14] == 1 && hand.of_rank[2] == 1 &&
                     hand.of_rank[3] == 1 && hand.of_rank[4] == 1 && hand.of_rank[5] == 1;
  return wheel || five_in_a_row(hand.of_rank);
}

bool SlowHands::holds(int code, const Counts& hand) const {
  const int court = hand.cards - hand.pips;
  switch (code) {
    case kNON:
      return true;
    case kP1:
      return at_least(hand.of_rank, 2) >= 1;
    case kP1x:
      for (int rank = 0; rank < 32; ++rank)
        if (hand.black_of_rank[rank] > 0 && hand.red_of_rank[rank] > 0) return true;
      return false;
    case kP1c:
      return at_least(hand.black_of_rank, 2) >= 1 || at_least(hand.red_of_rank, 2) >= 1;
    case kP2:
      return at_least(hand.of_rank, 2) >= 2;
    case kK3:
      return at_least(hand.of_rank, 3) >= 1;
    case kFH:
      return at_least(hand.of_rank, 3) >= 1 && at_least(hand.of_rank, 2) >= 2;
    case kK4:
      return at_least(hand.of_rank, 4) >= 1;
    case kK5:
      return at_least(hand.of_rank, 5) >= 1;
    case kST:
      return straight(hand);
    case kFL:
      return at_least(hand.pips_of_suit, 5) == 1;
    case kSF:
      return straight(hand) && at_least(hand.pips_of_suit, 5) == 1;
    case kEFL:
      return court == 5;
    case kESF:
      return hand.trumps == 5 && five_in_a_row(hand.trump);
    case kHF:
      return hand.cards == 5 && hand.pips > 0 && hand.trumps > 0 && hand.pips + hand.trumps == 5 &&
             at_least(hand.pips_of_suit, 1) == 1;
    case kSeF:
      return at_least(hand.pips_of_suit, 4) == 1 && court == 1;
    case kMW:
      return at_least(hand.of_suit, 1) == 5;
    case kMX:
      return at_least(hand.pips_of_suit, 1) == 4 && hand.pips == 4 && court == 1;
    case kD3:
      return at_least(hand.extra_of_suit, 3) == 1;
    case kD4:
      return at_least(hand.extra_of_suit, 4) == 1;
    case kD5:
      return at_least(hand.extra_of_suit, 5) == 1;
    case kCFL:
      return hand.black == 5 || hand.red == 5;
    case kH9:
      for (int rank = ranking_.lowest_bad_rank; rank < 32; ++rank)
        if (hand.of_rank[rank] > 0) return true;
      return false;
    default:
      throw std::logic_error("no such code");
  }
}

int SlowHands::strength(const Counts& hand) const {
  const int size = static_cast<int>(order_.size());
  if (ranking_.low) {
    for (int i = 0; i < size; ++i)
      if (holds(order_[static_cast<std::size_t>(i)], hand)) return i;
  }
  for (int i = size - 1; i >= 0; --i)
    if (holds(order_[static_cast<std::size_t>(i)], hand)) return i;
  throw std::logic_error("no fallback");
}

// Ranks in the order in which they are compared; how many.
int SlowHands::compared(int code, const Counts& hand, int* ranks) const {
  Counts left = hand;
  int n = 0;
  const auto take_group = [&](int size) {
    int rank = 31;
    while (left.of_rank[rank] < size) --rank;
    left.of_rank[rank] -= size;
    ranks[n++] = rank;
  };
  if (code == kP1) take_group(2);
  if (code == kP1x || code == kP1c) {
    int rank = 31;
    const auto fits = [&](int r) {
      if (code == kP1x) return hand.black_of_rank[r] > 0 && hand.red_of_rank[r] > 0;
      return hand.black_of_rank[r] > 1 || hand.red_of_rank[r] > 1;
    };
    while (!fits(rank)) --rank;
    left.of_rank[rank] -= 2;
    ranks[n++] = rank;
  }
  if (code == kP2) take_group(2), take_group(2);
  if (code == kK3) take_group(3);
  if (code == kFH) take_group(3), take_group(2);
  if (code == kK4) take_group(4);
  if (code == kK5) take_group(5);
  if ((code == kST || code == kSF) && ranking_.wheel && ranking_.aces_high && hand.of_rank[14] == 1 &&
      hand.of_rank[2] == 1)
    left.of_rank[14] = 0;  // the ace of A-2-3-4-5: the five is the highest card
  for (int rank = 31; rank >= 0; --rank)
    for (int i = 0; i < left.of_rank[rank]; ++i) ranks[n++] = rank;
  // The pips of both hands are compared first; who has more of them wins.
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
  const int code = order_[static_cast<std::size_t>(place)];
  std::uint64_t within = 0;
  if (code == kHF) {
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
