#include "env/hands/hand_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "env/core/error.h"
#include "env/hands/joker_readings.h"

namespace dealer {
namespace {

constexpr std::size_t kMaxComparedHand = 7;

char letter(const RankingRules& rules, int position) {
  for (int rank = 0; rank < rules.ranks(); ++rank)
    if (rules.position(rank) == position) return rules.deck().ranks()[static_cast<std::size_t>(rank)];
  return '?';
}

std::string rank_name(const RankingRules& rules, int position, bool several) {
  static constexpr std::pair<char, std::string_view> kNames[] = {
      {'A', "ace"},   {'K', "king"},  {'Q', "queen"}, {'C', "knight"}, {'J', "jack"}, {'T', "ten"},   {'9', "nine"},
      {'8', "eight"}, {'7', "seven"}, {'6', "six"},   {'5', "five"},   {'4', "four"}, {'3', "three"}, {'2', "two"}};
  const char wanted = letter(rules, position);
  for (const auto& [known, name] : kNames)
    if (known == wanted) return fmt::format("{}{}", name, !several ? "" : wanted == '6' ? "es" : "s");
  return fmt::format("{}{}", wanted, several ? "s" : "");
}

void check(const Deck& deck, std::span<const CardId> hand) {
  if (hand.empty() || hand.size() > kMaxComparedHand)
    throw UsageError(fmt::format("{} cards given; a hand has 1 to {}", hand.size(), kMaxComparedHand));
  if (deck.washizu() != WashizuMix::kReplaceRandom) return;
  for (const CardId id : hand) {
    const DeckCard& card = deck.card(id);
    const auto alike = std::count_if(hand.begin(), hand.end(), [&](CardId other) {
      const DeckCard& o = deck.card(other);
      return o.suit >= 0 && !o.transparent && o.rank == card.rank;
    });
    if (card.suit >= 0 && alike == Deck::kReplaceable)
      throw UsageError(
          fmt::format("the four cards of the rank {} are never in play together in '{}': one of them is taken out",
                      deck.ranks()[static_cast<std::size_t>(card.rank)], deck.name()));
  }
}

// Replaces the reading of up to five cards by the best one, if it is better.
void read_five(const RankingRules& rules, const JokerReadings& readings, std::span<const CardId> five,
               HandReading& best) {
  readings.for_each(five, [&](const RankSide& ranks, std::uint64_t holding, std::span<const Face> faces) {
    const int category = rules.category(holding);
    const std::uint64_t key = rules.key(category, ranks);
    if (!best.best.empty() && key <= best.key) return;
    best.category = category;
    best.key = key;
    best.trumps = ranks.trumps;
    best.unranked = ranks.unranked;
    best.best.assign(five.begin(), five.end());
    best.read_as.clear();
    std::size_t next = 0;
    for (const CardId id : five)
      if (rules.deck().is_joker(id)) {
        const Face& face = faces[next++];
        best.read_as.emplace_back(id, std::string{letter(rules, face.position), rules.suit(face.slot).symbol});
      }
  });
}

// ---- The deciding difference.

// The i-th of the ranks compared, as encoded in the key.
int digit(const HandReading& hand, int i) {
  return static_cast<int>(hand.key >> (RankingRules::kSubOrderShift - RankingRules::kDigitBits * (i + 1))) &
         ((1 << RankingRules::kDigitBits) - 1);
}

int compared_rank(const RankingRules& rules, const HandReading& hand, int i) {
  const int value = digit(hand, i);
  return rules.ranking().low() ? (1 << RankingRules::kDigitBits) - 1 - value : value - 1;
}

const Category& category_of(const RankingRules& rules, const HandReading& hand) {
  return rules.ranking().categories()[static_cast<std::size_t>(hand.category)];
}

struct Decider {
  const RankingRules& rules;
  const HandReading& winner;
  const HandReading& loser;

  const Category& category() const { return category_of(rules, winner); }

  std::string within() const {
    const auto number = [&](const HandReading& hand) {
      const auto cards = static_cast<int>(hand.best.size());
      const bool pips = category().within->kind == CardKind::kPips;
      const bool trumps = category().within->kind == CardKind::kTrumps;
      const int n = pips ? cards - hand.trumps - hand.unranked : trumps ? hand.trumps : hand.unranked;
      const std::string_view what = pips ? "pip" : trumps ? "trump" : "unranked card";
      return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
    };
    return fmt::format("one with {} beats one with {}", number(winner), number(loser));
  }

  int rank(const HandReading& hand, int i) const { return compared_rank(rules, hand, i); }

  // The first of the compared ranks that differs.
  std::string ranks() const {
    int at = 0;
    while (at < RankingRules::kDigits - 1 && digit(winner, at) == digit(loser, at)) ++at;
    const Conditions& when = category().when;
    const auto groups = static_cast<int>(when.by_rank.size());
    const bool run = when.run > 0 && at == groups;
    const auto both = [&](const char* pattern, bool several) {
      return fmt::format(fmt::runtime(pattern), rank_name(rules, rank(winner, at), several),
                         rank_name(rules, rank(loser, at), several));
    };
    if (at < groups) return group(when.by_rank[static_cast<std::size_t>(at)], both);
    if (run) return both("one to the {} beats one to the {}", false);
    for (int before = groups; before < at; ++before)
      if (digit(winner, before) == 0)
        return fmt::format("the trump {} beats the trump {}", rank(winner, at), rank(loser, at));
    if (digit(winner, at) == 0 || digit(loser, at) == 0) return "the one with more pips beats the other";
    if (groups > 0 || when.run > 0) return both("the kicker decides: the {} beats the {}", false);
    return both(
        at == 0 ? "the highest card decides: the {} beats the {}" : "the next card decides: the {} beats the {}",
        false);
  }

  template <class Both>
  std::string group(int size, const Both& both) const {
    switch (size) {
      case 1:
        return both("the {} beats the {}", false);
      case 2:
        return both("the pair of {} beats the pair of {}", true);
      case 3:
        return both("three {} beat three {}", true);
      case 4:
        return both("four {} beat four {}", true);
      default:
        return both("five {} beat five {}", true);
    }
  }

  std::string text() const {
    const Category& weaker = category_of(rules, loser);
    if (winner.category != loser.category) return fmt::format("{} beats {}", category().name, weaker.name);
    const bool by_ranks = (winner.key ^ loser.key) >> RankingRules::kSubOrderShift == 0;
    return fmt::format("{} each, and {}", category().name, by_ranks ? ranks() : within());
  }
};

std::string tie_text(const RankingRules& rules, const HandReading& hand) {
  const Category& category = category_of(rules, hand);
  if (rules.by_ranks()) return fmt::format("A tie: {} each, and the same ranks.", category.name);
  return fmt::format("A tie: {} each, and hands of one category tie{}.", category.name,
                     category.within ? " when they have as many of each kind of cards" : "");
}

std::string joker_text(const Deck& deck, const HandReading& hand, std::string_view which) {
  std::string text;
  for (const auto& [joker, card] : hand.read_as)
    text += fmt::format(" In the {} hand {} is read as {}.", which, deck.to_string(joker), card);
  return text;
}

}  // namespace

HandReading read_hand(const Evaluator& evaluator, std::span<const CardId> hand) {
  check(evaluator.deck(), hand);
  const RankingRules rules(evaluator.deck(), evaluator.ranking());
  const JokerReadings readings(rules);
  HandReading best;
  best.value = evaluator.evaluate(hand);
  const std::size_t most = std::min<std::size_t>(hand.size(), kHandCards);
  // If only distinct cards count, the smallest subset with the value of all cards is the one that counts.
  for (std::size_t counted = evaluator.ranking().distinct() ? 1 : most; counted <= most && best.best.empty();
       ++counted) {
    for (unsigned chosen = 0; chosen < 1U << hand.size(); ++chosen) {
      if (static_cast<std::size_t>(std::popcount(chosen)) != counted) continue;
      std::vector<CardId> some;
      for (std::size_t i = 0; i < hand.size(); ++i)
        if (((chosen >> i) & 1) != 0) some.push_back(hand[i]);
      // The best five of six and seven cards; the others are not read.
      if (hand.size() > counted && evaluator.evaluate(some) != best.value) continue;
      read_five(rules, readings, some, best);
    }
  }
  return best;
}

std::string hand_name(const Evaluator& evaluator, std::span<const CardId> hand) {
  const HandReading reading = read_hand(evaluator, hand);
  const RankingRules rules(evaluator.deck(), evaluator.ranking());
  const Category& category = category_of(rules, reading);
  const int pips = static_cast<int>(reading.best.size()) - reading.trumps - reading.unranked;
  if (!rules.by_ranks() || pips == 0) return category.name;
  const auto name = [&](int i, bool several) { return rank_name(rules, compared_rank(rules, reading, i), several); };
  const std::vector<int>& groups = category.when.by_rank;
  if (!groups.empty()) {
    std::string text = fmt::format("{}, {}", category.name, name(0, true));
    if (groups.size() > 1) text += fmt::format(" {} {}", groups[0] > groups[1] ? "over" : "and", name(1, true));
    return text;
  }
  if (evaluator.ranking().low() && category.when.run == 0 && !category.when.looks_at_suits()) {
    std::string text;
    for (int i = 0; i < pips; ++i)
      text += fmt::format("{}{}", i == 0 ? "" : "-", letter(rules, compared_rank(rules, reading, i)));
    return text;
  }
  const std::string high = name(0, false) + " high";
  return category.when.always() ? high : fmt::format("{}, {}", category.name, high);
}

std::string definition_of(const Evaluator& evaluator, int category) {
  std::string text = evaluator.ranking().categories()[static_cast<std::size_t>(category)].definition;
  constexpr std::string_view kPip = "pip", kCard = "card";
  if (!evaluator.deck().is_court())
    for (std::size_t at = 0; (at = text.find(kPip, at)) != std::string::npos;) text.replace(at, kPip.size(), kCard);
  return text;
}

std::string example_of(const Evaluator& evaluator, int category) {
  for (const std::string& text : evaluator.ranking().categories()[static_cast<std::size_t>(category)].examples) try {
      const std::vector<CardId> hand = evaluator.deck().parse(text);
      const HandReading reading = read_hand(evaluator, hand);
      if (reading.category == category) return text;
    } catch (const UsageError&) {
      continue;  // cards of other decks
    }
  return {};
}

HandComparison compare_hands(const Evaluator& evaluator, std::span<const CardId> a, std::span<const CardId> b) {
  HandComparison result{read_hand(evaluator, a), read_hand(evaluator, b), 0, {}};
  if (a.size() != b.size() && (a.size() < kHandCards || b.size() < kHandCards))
    throw UsageError(
        fmt::format("hands of {} and {} cards cannot be compared; expected as many cards, or five to seven each",
                    a.size(), b.size()));
  const RankingRules rules(evaluator.deck(), evaluator.ranking());
  result.result = result.a.value == result.b.value ? 0 : result.a.value > result.b.value ? 1 : -1;
  if (result.result == 0)
    result.why = tie_text(rules, result.a);
  else if (result.result > 0)
    result.why = fmt::format("The first hand wins: {}.", Decider{rules, result.a, result.b}.text());
  else
    result.why = fmt::format("The second hand wins: {}.", Decider{rules, result.b, result.a}.text());
  result.why += joker_text(evaluator.deck(), result.a, "first") + joker_text(evaluator.deck(), result.b, "second");
  return result;
}

}  // namespace dealer
