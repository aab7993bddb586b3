// Hands with jokers against all their readings. Rankings in which only cards that differ in rank and in suit count:
// badugi (docs/rules/draw.md).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

#include "env/core/config.h"
#include "env/core/error.h"
#include "env/hands/hand_comparison.h"
#include "tests/env/hands/evaluator_checks.h"
#include "tests/support/error_message.h"

namespace dealer::special_evaluators_test {
namespace {

using test::codes;
using test::expect_best_of_six_and_seven;
using test::for_all_hands;
using test::for_random_hands;
using test::high;
using test::make;
using test::SameOrder;
using test::SlowHands;
using test::SlowRanking;

// The best reading of a hand's jokers, as cards of `full`, a deck with every card that a joker may represent.
class Readings {
 public:
  Readings(const Deck& deck, const Deck& full, const SlowHands& slow, bool fives)
      : full_(full), slow_(slow), fives_(fives) {
    for (int id = 0; id < deck.size(); ++id)
      card_.push_back(
          deck.is_joker(static_cast<CardId>(id)) ? kJoker : *full.try_parse(deck.to_string(static_cast<CardId>(id))));
  }

  std::uint64_t best(std::span<const CardId> hand) {
    std::array<CardId, 5> cards{};
    std::size_t n = 0;
    for (const CardId id : hand)
      if (card_[id] != kJoker) insert(cards, n++, card_[id]);
    return read(cards, n, 0, false);
  }

 private:
  static constexpr CardId kJoker = 255;

  static void insert(std::array<CardId, 5>& sorted, std::size_t n, CardId card) {
    for (; n > 0 && sorted[n - 1] > card; --n) sorted[n] = sorted[n - 1];
    sorted[n] = card;
  }

  std::uint64_t read(const std::array<CardId, 5>& cards, std::size_t n, int first, bool duplicate) {
    if (n == 5) {
      if (!duplicate) {
        std::uint64_t number = 0;
        for (const CardId card : cards) number = number << 8 | card;
        const auto [entry, added] = keys_.try_emplace(number);
        if (added) entry->second = slow_.key(cards);
        return entry->second;
      }
      const bool alike = full_.card(cards[0]).rank == full_.card(cards[4]).rank;
      return alike && std::all_of(cards.begin(), cards.end(),
                                  [&](CardId id) { return full_.card(id).rank == full_.card(cards[0]).rank; })
                 ? slow_.key(cards)
                 : 0;
    }
    std::uint64_t best = 0;
    for (int id = first; id < full_.size(); ++id) {
      const auto card = static_cast<CardId>(id);
      const auto end = cards.begin() + static_cast<std::ptrdiff_t>(n);
      const bool held = std::find(cards.begin(), end, card) != end;
      const auto same_rank =
          std::count_if(cards.begin(), end, [&](CardId c) { return full_.card(c).rank == full_.card(card).rank; });
      if ((held || same_rank >= 4) && !fives_) continue;
      std::array<CardId, 5> with = cards;
      insert(with, n, card);
      best = std::max(best, read(with, n + 1, id, duplicate || held));
    }
    return best;
  }

  const Deck& full_;
  const SlowHands& slow_;
  std::unordered_map<std::uint64_t, std::uint64_t> keys_;  // by cards, as far as requested
  bool fives_;
  std::vector<CardId> card_;  // of the full deck, by card of the deck
};

struct JokerCase {
  const char* deck;
  const char* full;
  const char* ranking;
  SlowRanking slow;
};

std::vector<JokerCase> joker_cases() {
  SlowRanking fives{codes("NON P1 P2 K3 ST FL FH K4 SF K5"), false, true, true, {}, 0};
  const SlowRanking low{codes("K4 FH K3 P2 P1 NON"), true, false, true, {}, 0};
  return {
      {"standard_52[jokers=1]", "standard_52", "high", high()},
      {"standard_52[jokers=2]", "standard_52", "high", high()},
      {"standard_52[jokers=1]", "standard_52", "high[five_of_a_kind=true]", fives},
      {"standard_52[jokers=2]", "standard_52", "high[five_of_a_kind=true]", fives},
      {"standard_52[jokers=2]", "standard_52", "ace_to_five", low},
      {"washizu_add[jokers=1]", "washizu_add[jokers=0]", "high", high()},
      {"washizu_replace_suit[jokers=2]", "washizu_add[jokers=0]", "high", high()},
      {"washizu_replace_suit[jokers=1]", "washizu_add[jokers=0]", "high[five_of_a_kind=true]", fives},
  };
}

class JokerCases : public testing::TestWithParam<std::size_t> {};

// Hands with jokers against the best of all their readings, each valued by hand: all hands of decks of up to 54 cards,
// ten million of larger ones; of any, fifty thousand in the tests that every change must pass.
TEST_P(JokerCases, JokersAreReadAsWhatIsBest) {
  const JokerCase c = joker_cases()[GetParam()];
  const EvaluatorPtr evaluator = make(c.deck, c.ranking);
  const DeckPtr full = Deck::make(c.full);
  const SlowHands slow(*full, c.slow);
  Readings readings(evaluator->deck(), *full, slow, evaluator->ranking().five_of_a_kind());
  SameOrder order;
  std::vector<HandValue> values;
  const auto check = [&](std::span<const CardId> hands) {
    values.resize(hands.size() / 5);
    evaluator->evaluate5(hands, values);
    for (std::size_t i = 0; i < values.size(); ++i) order.add(values[i], readings.best(hands.subspan(5 * i, 5)));
  };
  const int size = evaluator->deck().size();
  if (size <= 54 && test::repetitions(2) == 2)
    for_all_hands(size, 5, check);
  else
    for_random_hands(size, 5, test::all_tests() ? std::size_t{10'000'000} : std::size_t{50'000}, check);
  order.expect(std::string(c.deck) + " " + c.ranking);
}

TEST_P(JokerCases, BestFiveOfSixAndSeven) {
  const JokerCase c = joker_cases()[GetParam()];
  expect_best_of_six_and_seven(*make(c.deck, c.ranking), std::string(c.deck) + " " + c.ranking);
}

// A joker stands for a suit of the deck, so with three suits no rank has four cards.
TEST(Jokers, DecksOfTwoAndThreeSuits) {
  for (const char* const suits :
       {"spades: {symbol: s}, hearts: {symbol: h}", "spades: {symbol: s}, hearts: {symbol: h}, diamonds: {symbol: d}"})
    for (const int jokers : {1, 2}) {
      Config config =
          Config::parse(fmt::format("ranks: 2 3 4 5 6 7 8 A\nsuits: {{{}}}\njokers: {}\n", suits, jokers), "d");
      const auto deck = std::make_shared<const Deck>(Deck::read("d", config));
      expect_best_of_six_and_seven(*make_evaluator(deck, Ranking::make("high")),
                                   fmt::format("{}, {} jokers", suits, jokers));
    }
}

INSTANTIATE_TEST_SUITE_P(All, JokerCases, testing::Range(std::size_t{0}, joker_cases().size()));

EvaluatorPtr badugi() { return make("standard_52", "badugi"); }

// From the rules, set by set: number of cards that count, then the ranks from the highest, lower being better.
std::uint64_t slow_key(const Deck& deck, std::span<const CardId> hand) {
  std::uint64_t best = 0;
  for (unsigned set = 1; set < 1U << hand.size(); ++set) {
    std::vector<int> ranks, suits;
    for (std::size_t i = 0; i < hand.size(); ++i) {
      if ((set >> i & 1) == 0) continue;
      const DeckCard& card = deck.card(hand[i]);
      const std::string text = deck.to_string(hand[i]);
      ranks.push_back(text[0] == 'A' ? 1 : 2 + card.rank);
      suits.push_back(card.suit);
    }
    std::sort(ranks.rbegin(), ranks.rend());
    std::sort(suits.begin(), suits.end());
    if (std::adjacent_find(ranks.begin(), ranks.end()) != ranks.end()) continue;
    if (std::adjacent_find(suits.begin(), suits.end()) != suits.end()) continue;
    std::uint64_t key = ranks.size();
    for (std::size_t i = 0; i < 4; ++i)
      key = key * 16 + (i < ranks.size() ? 15 - static_cast<std::uint64_t>(ranks[i]) : 0);
    best = std::max(best, key);
  }
  return best;
}

// All hands of up to four cards; of more cards the best count.
TEST(Badugi, OrdersHandsAsByHand) {
  const EvaluatorPtr evaluator = badugi();
  const int deck = evaluator->deck().size();
  for (const std::size_t size : {1, 2, 3, 4, 5, 7}) {
    SameOrder order;
    const auto check = [&](std::span<const CardId> hands) {
      std::vector<HandValue> values(hands.size() / size);
      evaluator->evaluate_hands(size, hands, values);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const auto hand = hands.subspan(i * size, size);
        order.add(values[i], slow_key(evaluator->deck(), hand));
        ASSERT_EQ(values[i], evaluator->evaluate(hand));
      }
    };
    size <= 4 ? for_all_hands(deck, static_cast<int>(size), check) : for_random_hands(deck, size, 3000, check);
    order.expect("badugi");
    if (size <= 4) {
      EXPECT_EQ(order.values(), evaluator->values(static_cast<int>(size))) << size;
    }
  }
  // Ranks of four, three, two cards and one.
  EXPECT_EQ(evaluator->values(4), 715U + 286 + 78 + 13);
}

TEST(Badugi, NamesAndComparesHands) {
  const EvaluatorPtr evaluator = badugi();
  const Deck& deck = evaluator->deck();
  for (const auto& [cards, name] :
       {std::pair("As 2h 3d 4c", "4-3-2-A"), {"As 2h 3d 4d", "3-2-A"}, {"Ks Kh Kd Kc", "K"}, {"As 2s 7h 7d", "7-A"}})
    EXPECT_EQ(hand_name(*evaluator, deck.parse(cards)), name);
  for (const auto& [a, b, why] :
       {std::tuple("Ks Qh Jd Tc", "As 2h 3d 4d", "The first hand wins: badugi beats three cards."),
        {"As 2h 3d 8c", "As 2h 6d 7c",
         "The second hand wins: badugi each, and the highest card decides: the seven beats the eight."},
        {"As 2h 3d 3c", "Ac 2d 3s Ts", "A tie: three cards each, and the same ranks."}})
    EXPECT_EQ(compare_hands(*evaluator, deck.parse(a), deck.parse(b)).why, why);
  EXPECT_EQ(read_hand(*evaluator, deck.parse("As 2s 7h 7d")).best.size(), 2U);
}

TEST(Badugi, IsForPlainDecksAndRanks) {
  const auto refusal = [](const char* deck, const char* ranking) {
    return test::error_message<ConfigError>([&] { make(deck, ranking); });
  };
  EXPECT_NE(refusal("standard_52[jokers=1]", "badugi").find("needs a deck without jokers"), std::string::npos);
  EXPECT_NE(refusal("court_tarot_54", "badugi").find("needs a deck without jokers and extra suits"), std::string::npos);
  EXPECT_NE(refusal("standard_52", "high[distinct=true]").find("looks at suits"), std::string::npos);
}

}  // namespace
}  // namespace dealer::special_evaluators_test
