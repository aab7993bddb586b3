// Rankings of which only cards that differ in rank and in suit count: badugi (docs/rules/draw.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "env/core/error.h"
#include "env/hands/hand_comparison.h"
#include "tests/env/hands/evaluator_checks.h"
#include "tests/support/error_message.h"

namespace dealer::distinct_evaluator_test {
namespace {

EvaluatorPtr badugi() { return test::make("standard_52", "badugi"); }

// From the rules, set by set: how many cards count, then the ranks from the highest, lower being better.
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

TEST(Badugi, OrdersHandsAsByHand) {
  const EvaluatorPtr evaluator = badugi();
  for (const int size : {1, 2, 3, 4}) {
    test::SameOrder order;
    std::vector<HandValue> values;
    test::for_all_hands(evaluator->deck().size(), size, [&](std::span<const CardId> hands) {
      const auto cards = static_cast<std::size_t>(size);
      values.resize(hands.size() / cards);
      evaluator->evaluate_hands(cards, hands, values);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const auto hand = hands.subspan(i * cards, cards);
        order.add(values[i], slow_key(evaluator->deck(), hand));
        ASSERT_EQ(values[i], evaluator->evaluate(hand));
      }
    });
    order.expect("badugi");
    EXPECT_EQ(order.values(), evaluator->values(size)) << size;
  }
  // Ranks of four, three, two cards and one.
  EXPECT_EQ(evaluator->values(4), 715U + 286 + 78 + 13);
}

TEST(Badugi, OfMoreCardsTheBestCount) {
  const EvaluatorPtr evaluator = badugi();
  for (const int size : {5, 7}) {
    test::SameOrder order;
    test::for_random_hands(evaluator->deck().size(), size, 3000, [&](std::span<const CardId> hands) {
      const auto cards = static_cast<std::size_t>(size);
      std::vector<HandValue> values(hands.size() / cards);
      evaluator->evaluate_hands(cards, hands, values);
      for (std::size_t i = 0; i < values.size(); ++i)
        order.add(values[i], slow_key(evaluator->deck(), hands.subspan(i * cards, cards)));
    });
    order.expect("badugi");
  }
}

TEST(Badugi, NamesAndComparesHands) {
  const EvaluatorPtr evaluator = badugi();
  const Deck& deck = evaluator->deck();
  const auto name = [&](std::string_view cards) { return hand_name(*evaluator, deck.parse(cards)); };
  EXPECT_EQ(name("As 2h 3d 4c"), "4-3-2-A");
  EXPECT_EQ(name("As 2h 3d 4d"), "3-2-A");
  EXPECT_EQ(name("Ks Kh Kd Kc"), "K");
  EXPECT_EQ(name("As 2s 7h 7d"), "7-A");
  const auto why = [&](std::string_view a, std::string_view b) {
    return compare_hands(*evaluator, deck.parse(a), deck.parse(b)).why;
  };
  EXPECT_EQ(why("Ks Qh Jd Tc", "As 2h 3d 4d"), "The first hand wins: badugi beats three cards.");
  EXPECT_EQ(why("As 2h 3d 8c", "As 2h 6d 7c"),
            "The second hand wins: badugi each, and the highest card decides: the seven beats the eight.");
  EXPECT_EQ(why("As 2h 3d 3c", "Ac 2d 3s Ts"), "A tie: three cards each, and the same ranks.");
  EXPECT_EQ(read_hand(*evaluator, deck.parse("As 2s 7h 7d")).best.size(), 2U);
}

TEST(Badugi, IsForPlainDecksAndRanks) {
  const auto refusal = [](const char* deck, const char* ranking) {
    return test::error_message<ConfigError>([&] { test::make(deck, ranking); });
  };
  EXPECT_NE(refusal("standard_52[jokers=1]", "badugi").find("needs a deck without jokers"), std::string::npos);
  EXPECT_NE(refusal("court_tarot_54", "badugi").find("needs a deck without jokers and extra suits"), std::string::npos);
  EXPECT_NE(refusal("standard_52", "high[distinct=true]").find("looks at suits"), std::string::npos);
}

}  // namespace
}  // namespace dealer::distinct_evaluator_test
