// The classification of hands in low games.
#include <algorithm>
#include <bit>

#include "agents/poker/draw_preference.h"
#include "arena/studies/draw/kinds.h"
#include "env/core/at.h"

namespace dealer::studies::draw {
namespace {

// Aces are 0, eights 7.
constexpr int kSix = 5, kSeven = 6, kEight = 7, kNine = 8, kTen = 9, kJack = 10;

int highest(unsigned ranks) { return std::bit_width(ranks) - 1; }

constexpr Named kLowKindWords[] = {{"six", "six or better"},
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
                                   {"four", "draw four or five"}};

// The ranks up to the eight.
unsigned low_ranks(unsigned ranks) { return ranks & ((1U << (kEight + 1)) - 1); }
// True if the highest rank is a six or lower.
bool is_smooth(unsigned ranks) { return highest(ranks) <= kSix; }

std::string_view low_kind_of(const Five& hand) {
  const unsigned ranks = low_ranks_of(hand), low = low_ranks(ranks);
  const int good = std::popcount(low), top = highest(ranks);
  if (good == 5) return top <= kSix ? "six" : top == kSeven ? "seven" : "eight";
  if (std::popcount(ranks) == 5 && top <= kJack) {
    if (good < 4) return "rough";
    if (top == kNine) return is_smooth(low) ? "nine_smooth" : "nine_rough";
    return top == kTen ? "ten" : "jack";
  }
  if (good == 4) return is_smooth(low) ? "one_smooth" : "one_rough";
  if (good == 3) return is_smooth(low) ? "two_smooth" : "two_rough";
  return good == 2 ? "three" : "four";
}

constexpr Named kLowOpenerWords[] = {{"six", "six or better"},
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
                                     {"four", "draw four or five"}};

std::string_view low_opener_of(const Five& hand) {
  // The list positions of the first one-card and two-card draws, to a five or lower first.
  constexpr int kOne = 6, kTwo = 10;
  const unsigned ranks = low_ranks_of(hand), low = low_ranks(ranks);
  const int good = std::popcount(low), top = highest(ranks);
  if (std::popcount(ranks) == 5 && top <= kJack) return kLowOpenerWords[at(std::max(top - kSix, 0))].name;
  const int to = std::max(highest(low) - (kSix - 1), 0);
  if (good == 4 || good == 3) return kLowOpenerWords[at((good == 4 ? kOne : kTwo) + to)].name;
  return good == 2 ? "three" : "four";
}

constexpr Named kLowKeptWords[] = {{"all", "all"},
                                   {"four_smooth", "four to a six"},
                                   {"four_rough", "four to a seven or eight"},
                                   {"four_high", "four to a nine or more"},
                                   {"three_smooth", "three to a six"},
                                   {"three_rough", "three to a seven or eight"},
                                   {"three_high", "three to a nine or more"},
                                   {"two", "two"},
                                   {"one", "one"},
                                   {"nothing", "nothing"},
                                   {"paired", "a pair among them"}};

std::string_view low_kept_of(std::span<const CardId> cards) {
  if (cards.size() == 5) return "all";
  const unsigned ranks = low_ranks_of(cards);
  if (std::popcount(ranks) != static_cast<int>(cards.size())) return "paired";
  const bool smooth = highest(ranks) <= kSix, rough = highest(ranks) <= kEight;
  if (cards.size() == 4) return smooth ? "four_smooth" : rough ? "four_rough" : "four_high";
  if (cards.size() == 3) return smooth ? "three_smooth" : rough ? "three_rough" : "three_high";
  return cards.size() == 2 ? "two" : cards.size() == 1 ? "one" : "nothing";
}

constexpr Named kLowPat[] = {
    {"made", "nine or better"}, {"thin", "ten or jack"}, {"bluff", "queen or worse, or a pair"}};

std::string_view low_pat_class(const Five& hand) {
  if (dealer::poker::weak_low(hand)) return "bluff";
  return highest(low_ranks_of(hand)) <= kNine ? "made" : "thin";
}

}  // namespace

const Kinds& low_kinds() {
  static constexpr Kinds kKinds = {kLowKindWords, kLowOpenerWords, kLowKeptWords, kLowPat,
                                   low_kind_of,   low_opener_of,   low_kept_of,   low_pat_class};
  return kKinds;
}

}  // namespace dealer::studies::draw
