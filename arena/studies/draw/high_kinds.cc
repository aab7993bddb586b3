// The classification of hands in high games.
#include <algorithm>
#include <bit>

#include "agents/poker/draw_preference.h"
#include "arena/studies/draw/kinds.h"
#include "env/core/at.h"
#include "env/hands/hand_rank.h"

namespace dealer::studies::draw {
namespace {

constexpr int kAce = 12, kKing = 11;

bool has_rank(std::span<const CardId> cards, int rank) { return (ranks_of(cards) >> rank & 1) != 0; }

// The highest rank with at least two cards; -1: none.
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

// Four consecutive ranks that a card at either end completes.
bool four_open_ended(std::span<const CardId> cards) {
  const unsigned ranks = ranks_of(cards);
  for (int low = 0; low + 3 <= kKing; ++low)
    if ((ranks >> low & 0b1111U) == 0b1111U) return true;
  return false;
}

constexpr Named kHighKindWords[] = {{"nothing", "nothing"},
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
                                    {"straight_flush", "straight flush"}};

std::string_view high_kind_of(const Five& hand) {
  switch (category(evaluate5(set_of(hand)))) {
    case HandCategory::kHighCard:
      return four_to_flush(hand) ? "flush_draw" : four_open_ended(hand) ? "straight_draw" : "nothing";
    case HandCategory::kPair:
      if (four_to_flush(hand) || four_open_ended(hand)) return "pair_draw";
      if (paired_rank(hand) == kAce) return "aces";
      return has_rank(hand, kAce) ? "pair_ace" : "pair";
    case HandCategory::kTwoPair:
      return "two_pair";
    case HandCategory::kTrips:
      return "trips";
    case HandCategory::kStraight:
      return "straight";
    case HandCategory::kFlush:
      return "flush";
    case HandCategory::kFullHouse:
      return "full_house";
    case HandCategory::kQuads:
      return "quads";
    case HandCategory::kStraightFlush:
    case HandCategory::kRoyalFlush:
      break;
  }
  return "straight_flush";
}

constexpr Named kHighOpenerWords[] = {{"queen_high", "queen high or lower"},
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
                                      {"full_house", "full house or better"}};

std::string_view high_opener_of(const Five& hand) {
  constexpr int kTen = 8;
  constexpr std::size_t kPairs = 5;  // 13 of them in the list, twos first
  const std::string_view kind = high_kind_of(hand);
  if (kind == "nothing") return has_rank(hand, kAce) ? "ace_high" : has_rank(hand, kKing) ? "king_high" : "queen_high";
  if (kind == "aces" || kind.starts_with("pair")) return kHighOpenerWords[kPairs + at(paired_rank(hand))].name;
  if (kind == "two_pair") return paired_rank(hand) >= kTen ? "two_pair_high" : "two_pair_low";
  return kind == "quads" || kind == "straight_flush" ? "full_house" : kind;
}

constexpr Named kHighKeptWords[] = {{"all", "all"},
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
                                    {"nothing", "nothing"}};

std::string_view high_kept_of(std::span<const CardId> cards) {
  if (cards.size() == 5) return "all";
  if (cards.empty()) return "nothing";
  if (std::popcount(ranks_of(cards)) == static_cast<int>(cards.size())) {
    if (four_to_flush(cards)) return "flush_draw";
    if (four_open_ended(cards)) return "straight_draw";
    return has_rank(cards, kAce) ? "ace" : "no_ace";
  }
  switch (category(evaluate(set_of(cards)))) {
    case HandCategory::kQuads:
      return "quads";
    case HandCategory::kTrips:
      return cards.size() == 3 ? "trips" : "trips_kicker";
    case HandCategory::kTwoPair:
      return "two_pair";
    default:
      break;
  }
  if (cards.size() == 2) return "pair";
  if (cards.size() == 4) return "pair_two";
  return has_rank(cards, kAce) && paired_rank(cards) != kAce ? "pair_ace" : "pair_kicker";
}

constexpr Named kHighPat[] = {{"made", "straight or better"}, {"thin", "two pair, trips"}, {"bluff", "a pair or less"}};

std::string_view high_pat_class(const Five& hand) {
  const HandCategory strength = category(evaluate5(set_of(hand)));
  if (strength >= HandCategory::kStraight) return "made";
  return dealer::poker::weak_high(hand) ? "bluff" : "thin";
}

}  // namespace

const Kinds& high_kinds() {
  static constexpr Kinds kKinds = {kHighKindWords, kHighOpenerWords, kHighKeptWords, kHighPat,
                                   high_kind_of,   high_opener_of,   high_kept_of,   high_pat_class};
  return kKinds;
}

}  // namespace dealer::studies::draw
