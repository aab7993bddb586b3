// Hands of which high cards are good.
#include <algorithm>
#include <array>
#include <bit>

#include "arena/studies/draw/side_kinds.h"
#include "env/hands/hand_rank.h"

namespace dealer::studies::draw {
namespace {

constexpr int kAce = 12, kKing = 11;

CardSet set_of(std::span<const CardId> cards) {
  CardSet set = 0;
  for (const CardId card : cards) set |= bit(static_cast<Card>(card));
  return set;
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

constexpr std::array<Words, kPatClasses> kHighPat = {
    {{"made", "straight or better"}, {"thin", "two pair, trips"}, {"bluff", "a pair or less"}}};

PatClass high_pat_class(const Five& hand) {
  const HandCategory strength = category(evaluate5(set_of(hand)));
  if (strength >= HandCategory::kStraight) return kMade;
  return strength >= HandCategory::kTwoPair ? kThin : kBluff;
}

}  // namespace

const SideKinds& high_kinds() {
  static const SideKinds kinds = {
      .kinds = kHighKindWords,
      .openers = kHighOpenerWords,
      .kept = kHighKeptWords,
      .pat_classes = kHighPat,
      .kind_of = [](const Five& hand) { return static_cast<int>(high_kind_of(hand)); },
      .opener_of = high_opener_of,
      .kept_of = [](std::span<const CardId> cards) { return static_cast<int>(high_kept_of(cards)); },
      .pat_class = high_pat_class};
  return kinds;
}

}  // namespace dealer::studies::draw
