#include "arena/studies/starting_hand_classes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

#include "arena/studies/draw/kinds.h"
#include "env/cards/card.h"
#include "env/core/at.h"
#include "env/hands/hand_rank.h"

namespace dealer::studies {
namespace {

using Cards = std::span<const CardId>;
using Class = StartingHandClasses::Class;

constexpr int kAce = 12, kStudCards = 3;

std::size_t place_of(std::span<const Named> names, std::string_view name) {
  return at(std::ranges::find(names, name, &Named::name) - names.begin());
}

std::vector<Class> classes_of(std::span<const Named> names) {
  std::vector<Class> all;
  for (const Named& named : names) all.push_back({std::string(named.name), std::string(named.title)});
  return all;
}

unsigned up_to(unsigned ranks, int highest) { return ranks & ((2U << highest) - 1); }
int highest(unsigned ranks) { return std::bit_width(ranks) - 1; }

// The classes of five cards of the study of draw poker.
StartingHandClasses of_kinds(const draw::Kinds& kinds) {
  const auto five = [](Cards cards) {
    poker::Five hand{};
    std::copy(cards.begin(), cards.end(), hand.begin());
    return hand;
  };
  return {classes_of(kinds.openers),
          [&kinds, five](Cards cards) { return place_of(kinds.openers, kinds.opener_of(five(cards))); },
          [&kinds](Cards cards) { return std::string(kinds.kept[place_of(kinds.kept, kinds.kept_of(cards))].title); }};
}

// Deuce-to-seven: deuces are 0, sevens 5.
constexpr Named kDeuceWords[] = {{"pat_7", "pat seven"},
                                 {"pat_8", "pat eight"},
                                 {"pat_9", "pat nine"},
                                 {"pat_10", "pat ten"},
                                 {"pat_j", "pat jack"},
                                 {"one_7", "draw one to a seven"},
                                 {"one_8", "draw one to an eight"},
                                 {"two_7", "draw two to a seven"},
                                 {"two_8", "draw two to an eight"},
                                 {"three_2", "draw three, with a deuce"},
                                 {"three", "draw three, without a deuce"},
                                 {"four", "draw four or five"}};

std::string_view deuce_class(Cards cards) {
  constexpr int kSeven = 5, kEight = 6, kJack = 9;
  const unsigned ranks = draw::ranks_of(cards), low = up_to(ranks, kEight);
  const bool high_card = category(evaluate5(draw::set_of(cards))) == HandCategory::kHighCard;
  if (high_card && highest(ranks) <= kJack) return kDeuceWords[at(std::max(highest(ranks), kSeven) - kSeven)].name;
  const int sevens = std::popcount(up_to(ranks, kSeven)), eights = std::popcount(low);
  if (sevens >= 4) return "one_7";
  if (eights >= 4) return "one_8";
  if (sevens == 3) return "two_7";
  if (eights == 3) return "two_8";
  if (eights == 2) return (low & 1) != 0 ? "three_2" : "three";
  return "four";
}

constexpr Named kStudWords[] = {{"jack_high", "jack high or lower"},
                                {"queen_high", "queen high"},
                                {"king_high", "king high"},
                                {"ace_high", "ace high"},
                                {"three_straight", "three to a straight"},
                                {"three_flush", "three to a flush"},
                                {"three_straight_flush", "three to a straight flush"},
                                {"three_low", "three low cards"},
                                {"three_low_flush", "three low cards of a suit"},
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
                                {"trips", "trips"}};
constexpr std::size_t kStudPairs = 9;

// split: low hands win half of the pot.
std::string_view stud_class(Cards cards, bool split) {
  constexpr int kLowest = 7, kClose = 3;  // an eight where aces are low; ranks between the ends of a near straight
  const unsigned ranks = draw::ranks_of(cards), low_aces = draw::low_ranks_of(cards);
  if (std::popcount(ranks) == 1) return "trips";
  if (std::popcount(ranks) == 2) {
    for (int rank = 0; rank < kRanks; ++rank)
      if (size(draw::set_of(cards) & CardSet{15} << kSuits * rank) == 2) return kStudWords[kStudPairs + at(rank)].name;
  }
  bool flush = false;
  for (int suit = 0; suit < kSuits; ++suit) flush = flush || size(draw::set_of(cards) & suit_mask(suit)) == kStudCards;
  if (split && highest(low_aces) <= kLowest) return flush ? "three_low_flush" : "three_low";
  const auto close = [](unsigned of) { return highest(of) - std::countr_zero(of) <= kClose; };
  const bool straight = close(ranks) || close(low_aces);
  if (straight) return flush ? "three_straight_flush" : "three_straight";
  if (flush) return "three_flush";
  constexpr std::array<std::string_view, 3> kHigh = {"queen_high", "king_high", "ace_high"};
  const int over = highest(ranks) - (kAce - 2);
  return over < 0 ? "jack_high" : kHigh[at(over)];
}

StartingHandClasses of_stud(bool split) {
  std::vector<Named> words;
  for (const Named& word : kStudWords)
    if (split || !word.name.starts_with("three_low")) words.push_back(word);
  return {classes_of(words), [words, split](Cards cards) { return place_of(words, stud_class(cards, split)); }, {}};
}

constexpr Named kRazzWords[] = {{"three_5", "three to a five"},
                                {"three_6", "three to a six"},
                                {"three_7", "three to a seven"},
                                {"three_8", "three to an eight"},
                                {"two_up", "two low cards, a low one up"},
                                {"two_down", "two low cards, a high one up"},
                                {"pair", "a pair"},
                                {"one", "one low card or none"}};

std::string_view razz_class(Cards cards) {
  constexpr int kFive = 4, kEight = 7;
  const unsigned ranks = draw::low_ranks_of(cards), low = up_to(ranks, kEight);
  if (std::popcount(ranks) < kStudCards) return "pair";
  if (std::popcount(low) == kStudCards) return kRazzWords[at(std::max(highest(low), kFive) - kFive)].name;
  if (std::popcount(low) < 2) return "one";
  // The last of the three cards is face up.
  return (draw::low_ranks_of(cards.last(1)) & low) != 0 ? "two_up" : "two_down";
}

StartingHandClasses of_categories(const dealer::poker::GameRules& rules) {
  StartingHandClasses classes;
  for (const Category& category : rules.high->ranking().categories())
    classes.all.push_back({category.code, category.name});
  classes.of = [evaluator = rules.high](Cards cards) {
    const int count = static_cast<int>(cards.size());
    return at(evaluator->category(evaluator->evaluate(cards), count));
  };
  return classes;
}

bool standard(const dealer::poker::GameRules& rules) {
  return rules.deck->begins_as_standard() && rules.deck->size() == kCards;
}

}  // namespace

bool has_starting_hand_classes(const dealer::poker::GameRules& rules) {
  if (rules.procedure == dealer::poker::Procedure::kDraw) return rules.low == nullptr;
  const std::string& ranking = rules.high->ranking().name();
  return rules.procedure == dealer::poker::Procedure::kStud && standard(rules) &&
         (ranking == "high" || (ranking == "ace_to_five" && rules.low == nullptr));
}

StartingHandClasses starting_hand_classes(const dealer::poker::GameRules& rules) {
  const std::string& ranking = rules.high->ranking().name();
  if (rules.procedure == dealer::poker::Procedure::kStud) {
    if (ranking == "high") return of_stud(rules.low != nullptr);
    return {classes_of(kRazzWords), [](Cards cards) { return place_of(kRazzWords, razz_class(cards)); }, {}};
  }
  if (standard(rules) && ranking == "high") return of_kinds(draw::high_kinds());
  if (standard(rules) && ranking == "ace_to_five") return of_kinds(draw::low_kinds());
  if (standard(rules) && ranking == "deuce_to_seven")
    return {classes_of(kDeuceWords), [](Cards cards) { return place_of(kDeuceWords, deuce_class(cards)); }, {}};
  return of_categories(rules);
}

}  // namespace dealer::studies
