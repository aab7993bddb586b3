// Hands of which low cards are good.
#include <algorithm>
#include <array>
#include <bit>

#include "arena/studies/draw/side_kinds.h"

namespace dealer::studies::draw {
namespace {

// Aces are 0, eights 7.
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

constexpr std::array<Words, kPatClasses> kLowPat = {
    {{"made", "nine or better"}, {"thin", "ten or jack"}, {"bluff", "queen or worse, or a pair"}}};

PatClass low_pat_class(const Five& hand) {
  const unsigned ranks = ranks_of(hand, Side::kLow);
  if (std::popcount(ranks) < 5) return kBluff;
  return highest(ranks) <= kNine ? kMade : highest(ranks) <= kJackLow ? kThin : kBluff;
}

}  // namespace

const SideKinds& low_kinds() {
  static const SideKinds kinds = {
      .kinds = kLowKindWords,
      .openers = kLowOpenerWords,
      .kept = kLowKeptWords,
      .pat_classes = kLowPat,
      .kind_of = [](const Five& hand) { return static_cast<int>(low_kind_of(hand)); },
      .opener_of = low_opener_of,
      .kept_of = [](std::span<const CardId> cards) { return static_cast<int>(low_kept_of(cards)); },
      .pat_class = low_pat_class};
  return kinds;
}

}  // namespace dealer::studies::draw
