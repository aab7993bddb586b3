#include "arena/studies/draw/kinds.h"

#include <algorithm>
#include <array>
#include <bit>

#include "env/hands/hand_rank.h"

namespace dealer::studies::draw {
namespace {

constexpr int kAce = 12, kKing = 11;

CardSet set_of(std::span<const CardId> cards) {
  CardSet set = 0;
  for (const CardId card : cards) set |= bit(static_cast<Card>(card));
  return set;
}

// Bit r: a card of rank r, 0 the deuce; low: 0 the ace.
unsigned ranks_of(std::span<const CardId> cards, Side side) {
  unsigned ranks = 0;
  for (const CardId card : cards) {
    const int rank = rank_of(static_cast<Card>(card));
    ranks |= 1U << (side == Side::kHigh ? rank : (rank + 1) % kRanks);
  }
  return ranks;
}

// The rank of which there are two cards or more, the highest; -1: none.
int paired_rank(std::span<const CardId> cards) {
  unsigned seen = 0;
  int paired = -1;
  for (const CardId card : cards) {
    const int rank = rank_of(static_cast<Card>(card));
    if ((seen >> rank & 1) != 0) paired = std::max(paired, rank);
    seen |= 1U << rank;
  }
  return paired;
}

bool four_to_flush(std::span<const CardId> cards) {
  const CardSet set = set_of(cards);
  for (int suit = 0; suit < kSuits; ++suit)
    if (size(set & suit_mask(suit)) >= 4) return true;
  return false;
}

// Four ranks in a row that a card at either end completes.
bool four_open_ended(std::span<const CardId> cards) {
  const unsigned ranks = ranks_of(cards, Side::kHigh);
  for (int low = 0; low + 3 <= kKing; ++low)
    if ((ranks >> low & 0b1111U) == 0b1111U) return true;
  return false;
}

bool four_to_anything(std::span<const CardId> cards) { return four_to_flush(cards) || four_open_ended(cards); }

// ---- High.

enum HighKind : int {
  kNothing,
  kStraightDraw,
  kFlushDraw,
  kPair,
  kPairAce,
  kAces,
  kPairDraw,
  kTwoPair,
  kTrips,
  kStraight,
  kFlush,
  kFullHouse,
  kQuads,
  kStraightFlush,
  kHighKinds
};
constexpr std::array<Words, kHighKinds> kHighKindWords = {{{"nothing", "nothing"},
                                                           {"straight_draw", "open-ended straight"},
                                                           {"flush_draw", "four to a flush"},
                                                           {"pair", "pair"},
                                                           {"pair_ace", "pair with an ace"},
                                                           {"aces", "aces"},
                                                           {"pair_draw", "pair and four to …"},
                                                           {"two_pair", "two pair"},
                                                           {"trips", "trips"},
                                                           {"straight", "straight"},
                                                           {"flush", "flush"},
                                                           {"full_house", "full house"},
                                                           {"quads", "four of a kind"},
                                                           {"straight_flush", "straight flush"}}};
static_assert(kHighKinds <= kMostKinds);

HighKind high_kind_of(const Five& hand) {
  switch (category(evaluate5(set_of(hand)))) {
    case HandCategory::kHighCard:
      return four_to_flush(hand) ? kFlushDraw : four_open_ended(hand) ? kStraightDraw : kNothing;
    case HandCategory::kPair:
      if (four_to_anything(hand)) return kPairDraw;
      if (paired_rank(hand) == kAce) return kAces;
      return (ranks_of(hand, Side::kHigh) >> kAce & 1) != 0 ? kPairAce : kPair;
    case HandCategory::kTwoPair:
      return kTwoPair;
    case HandCategory::kTrips:
      return kTrips;
    case HandCategory::kStraight:
      return kStraight;
    case HandCategory::kFlush:
      return kFlush;
    case HandCategory::kFullHouse:
      return kFullHouse;
    case HandCategory::kQuads:
      return kQuads;
    case HandCategory::kStraightFlush:
    case HandCategory::kRoyalFlush:
      break;
  }
  return kStraightFlush;
}

enum HighOpener : int {
  kQueenHigh,
  kKingHigh,
  kAceHigh,
  kOpenStraightDraw,
  kOpenFlushDraw,
  kPairs,  // 13 of them, twos first
  kTwoPairLow = kPairs + kRanks,
  kTwoPairHigh,
  kOpenTrips,
  kOpenStraight,
  kOpenFlush,
  kOpenFull,
  kHighOpeners
};
constexpr std::array<Words, kHighOpeners> kHighOpenerWords = {{{"queen_high", "queen high or lower"},
                                                               {"king_high", "king high"},
                                                               {"ace_high", "ace high"},
                                                               {"straight_draw", "open-ended straight"},
                                                               {"flush_draw", "four to a flush"},
                                                               {"pair_2", "twos"},
                                                               {"pair_3", "threes"},
                                                               {"pair_4", "fours"},
                                                               {"pair_5", "fives"},
                                                               {"pair_6", "sixes"},
                                                               {"pair_7", "sevens"},
                                                               {"pair_8", "eights"},
                                                               {"pair_9", "nines"},
                                                               {"pair_t", "tens"},
                                                               {"pair_j", "jacks"},
                                                               {"pair_q", "queens"},
                                                               {"pair_k", "kings"},
                                                               {"pair_a", "aces"},
                                                               {"two_pair_low", "two pair, nines or less"},
                                                               {"two_pair_high", "two pair, tens or more"},
                                                               {"trips", "trips"},
                                                               {"straight", "straight"},
                                                               {"flush", "flush"},
                                                               {"full_house", "full house or better"}}};
static_assert(kHighOpeners <= kMostOpeners);

int high_opener_of(const Five& hand) {
  constexpr int kTen = 8;
  switch (high_kind_of(hand)) {
    case kNothing: {
      const unsigned ranks = ranks_of(hand, Side::kHigh);
      return (ranks >> kAce & 1) != 0 ? kAceHigh : (ranks >> kKing & 1) != 0 ? kKingHigh : kQueenHigh;
    }
    case kStraightDraw:
      return kOpenStraightDraw;
    case kFlushDraw:
      return kOpenFlushDraw;
    case kPair:
    case kPairAce:
    case kAces:
    case kPairDraw:
      return kPairs + paired_rank(hand);
    case kTwoPair:
      return paired_rank(hand) >= kTen ? kTwoPairHigh : kTwoPairLow;
    case kTrips:
      return kOpenTrips;
    case kStraight:
      return kOpenStraight;
    case kFlush:
      return kOpenFlush;
    default:
      return kOpenFull;
  }
}

enum HighKept : int {
  kKeptAll,
  kKeptFlushDraw,
  kKeptStraightDraw,
  kKeptTwoPair,
  kKeptQuads,
  kKeptTrips,
  kKeptTripsKicker,
  kKeptPair,
  kKeptPairAce,
  kKeptPairKicker,
  kKeptPairTwo,
  kKeptAce,
  kKeptNoAce,
  kKeptNothing,
  kHighKept
};
constexpr std::array<Words, kHighKept> kHighKeptWords = {{{"all", "all"},
                                                          {"flush_draw", "four to a flush"},
                                                          {"straight_draw", "four of an open-ended straight"},
                                                          {"two_pair", "two pair"},
                                                          {"quads", "four of a kind"},
                                                          {"trips", "trips"},
                                                          {"trips_kicker", "trips and a kicker"},
                                                          {"pair", "the pair"},
                                                          {"pair_ace", "the pair and an ace"},
                                                          {"pair_kicker", "the pair and another kicker"},
                                                          {"pair_two", "the pair and two cards"},
                                                          {"ace", "no pair, with an ace"},
                                                          {"no_ace", "no pair, without an ace"},
                                                          {"nothing", "nothing"}}};
static_assert(kHighKept <= kMostKept);

HighKept high_kept_of(std::span<const CardId> cards) {
  if (cards.size() == 5) return kKeptAll;
  if (cards.empty()) return kKeptNothing;
  const unsigned ranks = ranks_of(cards, Side::kHigh);
  const int distinct = std::popcount(ranks);
  const bool ace = (ranks >> kAce & 1) != 0;
  if (distinct == static_cast<int>(cards.size())) {
    if (four_to_flush(cards)) return kKeptFlushDraw;
    if (four_open_ended(cards)) return kKeptStraightDraw;
    return ace ? kKeptAce : kKeptNoAce;
  }
  switch (category(evaluate(set_of(cards)))) {
    case HandCategory::kQuads:
      return kKeptQuads;
    case HandCategory::kTrips:
      return cards.size() == 3 ? kKeptTrips : kKeptTripsKicker;
    case HandCategory::kTwoPair:
      return kKeptTwoPair;
    default:
      break;
  }
  if (cards.size() == 2) return kKeptPair;
  if (cards.size() == 4) return kKeptPairTwo;
  return ace && paired_rank(cards) != kAce ? kKeptPairAce : kKeptPairKicker;
}

// ---- Low: aces are 0, eights 7.

constexpr int kSix = 5, kSeven = 6, kEight = 7, kNine = 8, kTenLow = 9, kJackLow = 10;

int highest(unsigned ranks) { return std::bit_width(ranks) - 1; }

enum LowKind : int {
  kPatSix,
  kPatSeven,
  kPatEight,
  kNineSmooth,
  kNineRough,
  kPatTen,
  kPatJack,
  kRoughPat,
  kOneSmooth,
  kOneRough,
  kTwoSmooth,
  kTwoRough,
  kThree,
  kFour,
  kLowKinds
};
constexpr std::array<Words, kLowKinds> kLowKindWords = {{{"six", "six or better"},
                                                         {"seven", "seven"},
                                                         {"eight", "eight"},
                                                         {"nine_smooth", "nine, smooth"},
                                                         {"nine_rough", "nine, rough"},
                                                         {"ten", "ten"},
                                                         {"jack", "jack"},
                                                         {"rough", "rough ten or jack"},
                                                         {"one_smooth", "draw one, smooth"},
                                                         {"one_rough", "draw one, rough"},
                                                         {"two_smooth", "draw two, smooth"},
                                                         {"two_rough", "draw two, rough"},
                                                         {"three", "draw three"},
                                                         {"four", "draw four or five"}}};
static_assert(kLowKinds <= kMostKinds);

// The ranks up to the eight.
unsigned low_ranks(unsigned ranks) { return ranks & ((1U << (kEight + 1)) - 1); }
// Whether the highest of the ranks is a six or lower.
bool is_smooth(unsigned ranks) { return highest(ranks) <= kSix; }

LowKind low_kind_of(const Five& hand) {
  const unsigned ranks = ranks_of(hand, Side::kLow), low = low_ranks(ranks);
  const int good = std::popcount(low), top = highest(ranks);
  if (good == 5) return top <= kSix ? kPatSix : top == kSeven ? kPatSeven : kPatEight;
  if (std::popcount(ranks) == 5 && top <= kJackLow) {
    if (good < 4) return kRoughPat;
    if (top == kNine) return is_smooth(low) ? kNineSmooth : kNineRough;
    return top == kTenLow ? kPatTen : kPatJack;
  }
  switch (good) {
    case 4:
      return is_smooth(low) ? kOneSmooth : kOneRough;
    case 3:
      return is_smooth(low) ? kTwoSmooth : kTwoRough;
    case 2:
      return kThree;
    default:
      return kFour;
  }
}

enum LowOpener : int {
  kOpenPats,                  // six or better, seven, eight, nine, ten, jack
  kOpenOne = kOpenPats + 6,   // four cards to a five or lower, to a six, seven, eight
  kOpenTwo = kOpenOne + 4,    // three cards
  kOpenThree = kOpenTwo + 4,  // two
  kOpenFour,
  kLowOpeners
};
constexpr std::array<Words, kLowOpeners> kLowOpenerWords = {{{"six", "six or better"},
                                                             {"seven", "seven"},
                                                             {"eight", "eight"},
                                                             {"nine", "nine"},
                                                             {"ten", "ten"},
                                                             {"jack", "jack"},
                                                             {"one_5", "draw one to a five"},
                                                             {"one_6", "draw one to a six"},
                                                             {"one_7", "draw one to a seven"},
                                                             {"one_8", "draw one to an eight"},
                                                             {"two_5", "draw two to a five"},
                                                             {"two_6", "draw two to a six"},
                                                             {"two_7", "draw two to a seven"},
                                                             {"two_8", "draw two to an eight"},
                                                             {"three", "draw three"},
                                                             {"four", "draw four or five"}}};
static_assert(kLowOpeners <= kMostOpeners);

int low_opener_of(const Five& hand) {
  const unsigned ranks = ranks_of(hand, Side::kLow), low = low_ranks(ranks);
  const int good = std::popcount(low), top = highest(ranks);
  if (std::popcount(ranks) == 5 && top <= kJackLow) return kOpenPats + std::max(top - kSix, 0);
  const int to = std::max(highest(low) - (kSix - 1), 0);  // 0: a five or lower
  if (good == 4) return kOpenOne + to;
  if (good == 3) return kOpenTwo + to;
  return good == 2 ? kOpenThree : kOpenFour;
}

enum LowKept : int {
  kLowKeptAll,
  kFourSmooth,
  kFourRough,
  kFourHigh,
  kThreeSmooth,
  kThreeRough,
  kThreeHigh,
  kLowKeptTwo,
  kLowKeptOne,
  kLowKeptNothing,
  kLowKeptPaired,
  kLowKept
};
constexpr std::array<Words, kLowKept> kLowKeptWords = {{{"all", "all"},
                                                        {"four_smooth", "four to a six"},
                                                        {"four_rough", "four to a seven or eight"},
                                                        {"four_high", "four to a nine or more"},
                                                        {"three_smooth", "three to a six"},
                                                        {"three_rough", "three to a seven or eight"},
                                                        {"three_high", "three to a nine or more"},
                                                        {"two", "two"},
                                                        {"one", "one"},
                                                        {"nothing", "nothing"},
                                                        {"paired", "a pair among them"}}};
static_assert(kLowKept <= kMostKept);

LowKept low_kept_of(std::span<const CardId> cards) {
  if (cards.size() == 5) return kLowKeptAll;
  const unsigned ranks = ranks_of(cards, Side::kLow);
  if (std::popcount(ranks) != static_cast<int>(cards.size())) return kLowKeptPaired;
  const int by_top = highest(ranks) <= kSix ? 0 : highest(ranks) <= kEight ? 1 : 2;
  switch (cards.size()) {
    case 4:
      return static_cast<LowKept>(kFourSmooth + by_top);
    case 3:
      return static_cast<LowKept>(kThreeSmooth + by_top);
    case 2:
      return kLowKeptTwo;
    case 1:
      return kLowKeptOne;
    default:
      return kLowKeptNothing;
  }
}

// ---- Both.

constexpr std::array<Words, kPatClasses> kHighPat = {
    {{"made", "straight or better"}, {"thin", "two pair, trips"}, {"bluff", "a pair or less"}}};
constexpr std::array<Words, kPatClasses> kLowPat = {
    {{"made", "nine or better"}, {"thin", "ten or jack"}, {"bluff", "queen or worse, or a pair"}}};

}  // namespace

std::span<const Words> kinds(Side side) {
  if (side == Side::kHigh) return kHighKindWords;
  return kLowKindWords;
}
int kind_of(Side side, const Five& hand) {
  return side == Side::kHigh ? static_cast<int>(high_kind_of(hand)) : static_cast<int>(low_kind_of(hand));
}

std::span<const Words> openers(Side side) {
  if (side == Side::kHigh) return kHighOpenerWords;
  return kLowOpenerWords;
}
int opener_of(Side side, const Five& hand) { return side == Side::kHigh ? high_opener_of(hand) : low_opener_of(hand); }

std::span<const Words> kept(Side side) {
  if (side == Side::kHigh) return kHighKeptWords;
  return kLowKeptWords;
}
int kept_of(Side side, std::span<const CardId> cards) {
  return side == Side::kHigh ? static_cast<int>(high_kept_of(cards)) : static_cast<int>(low_kept_of(cards));
}

std::span<const Words> pat_classes(Side side) {
  if (side == Side::kHigh) return kHighPat;
  return kLowPat;
}
PatClass pat_class(Side side, const Five& hand) {
  if (side == Side::kHigh) {
    const HandCategory strength = category(evaluate5(set_of(hand)));
    if (strength >= HandCategory::kStraight) return kMade;
    return strength >= HandCategory::kTwoPair ? kThin : kBluff;
  }
  const unsigned ranks = ranks_of(hand, Side::kLow);
  if (std::popcount(ranks) < 5) return kBluff;
  return highest(ranks) <= kNine ? kMade : highest(ranks) <= kJackLow ? kThin : kBluff;
}

}  // namespace dealer::studies::draw
