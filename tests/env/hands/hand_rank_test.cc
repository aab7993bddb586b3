// Hands of the standard deck, one by one and in batches.
#include "env/hands/hand_rank.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "env/core/error.h"
#include "env/core/random.h"
#include "env/hands/batch.h"
#include "tests/env/hands/evaluator_checks.h"
#include "tests/env/harness/game_harness.h"
#include "tests/support/error_message.h"

namespace dealer::hand_rank_test {
namespace {

HandRank rank_of_text(std::string_view cards) { return evaluate(to_set(parse_cards(cards))); }

// Calls f(hand) for all hands of n cards.
template <class F>
void for_each_hand(int n, F&& f, CardSet hand = 0, int below = kCards) {
  if (n == 0) return f(hand);
  for (int card = n - 1; card < below; ++card) for_each_hand(n - 1, f, hand | bit(static_cast<Card>(card)), card);
}

CardSet random_hand(RandomStream& random, int n) {
  CardSet hand = 0;
  while (size(hand) < n) hand |= bit(static_cast<Card>(random.below(kCards)));
  return hand;
}

// The best rank with one card left out.
HandRank best_without_one(CardSet hand) {
  HandRank best = 0;
  for_each(hand, [&](Card card) { best = std::max(best, evaluate(hand & ~bit(card))); });
  return best;
}

CardSet turn_suits(CardSet hand, const std::array<int, kSuits>& suits) {
  CardSet turned = 0;
  for_each(hand, [&](Card card) {
    turned |= bit(make_card(dealer::rank_of(card), suits[static_cast<std::size_t>(suit_of(card))]));
  });
  return turned;
}

TEST(HandRank, EveryFiveCardHandEqualsTheReferenceAndTheCategoriesCount) {
  std::array<int, 10> counts{};
  std::set<HandRank> classes;
  int different = 0;
  for_each_hand(5, [&](CardSet hand) {
    const HandRank rank = evaluate5(hand);
    different += packed(rank) != packed_reference(hand) || rank != evaluate(hand) ? 1 : 0;
    ++counts[static_cast<std::size_t>(category(rank))];
    classes.insert(rank);
  });
  EXPECT_EQ(different, 0);
  EXPECT_EQ(counts, (std::array<int, 10>{1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4}));
  EXPECT_EQ(classes.size(), 7462U);
}

TEST(HandRank, EveryHandOfFewerCardsEqualsTheReference) {
  std::set<HandRank> classes;
  for (int n = 0; n <= 4; ++n) {
    int different = 0;
    for_each_hand(n, [&](CardSet hand) {
      const HandRank rank = evaluate(hand);
      different += packed(rank) != packed_reference(hand) || (n == 3 && rank != evaluate3(hand)) ? 1 : 0;
      classes.insert(rank);
    });
    EXPECT_EQ(different, 0) << n << " cards";
  }
  // As many as there are multisets of ranks: 1 + 13 + 91 + 455 + 1820.
  EXPECT_EQ(classes.size(), 2380U);
}

TEST(HandRank, IsDenseAndPackedIncreases) {
  EXPECT_EQ(evaluate(0), 0);
  EXPECT_EQ(packed(0), 0U);
  const HandRank top = rank_of_text("As Ks Qs Js Ts");
  EXPECT_EQ(top, 2380 + 7462 - 1);
  for (int rank = 1; rank <= top; ++rank) {
    ASSERT_GT(packed(static_cast<HandRank>(rank)), packed(static_cast<HandRank>(rank - 1))) << rank;
  }
}

TEST(HandRank, IsSpelledOutAndDescribed) {
  test::check_cases("hand_ranks.described", [](const std::string& cards) {
    const HandRank rank = rank_of_text(cards);
    return fmt::format("{:06X} {}", packed(rank), describe(rank));
  });
  EXPECT_EQ(first_rank(rank_of_text("As 2d 3h 4c 5c")), 3);
  EXPECT_EQ(to_string(HandCategory::kTwoPair), "two pair");
}

TEST(HandRank, SixAndSevenCardsAreTheBestOfFewerAndSuitsNeverMatter) {
  RandomStream random(1);
  const std::array<int, kSuits> turned = {2, 0, 3, 1};
  for (int i = 0; i < 100000; ++i) {
    for (int n = 6; n <= 7; ++n) {
      const CardSet hand = random_hand(random, n);
      const HandRank rank = evaluate(hand);
      // Six are the best of the six fives among them, seven of the seven sixes: 21 fives.
      ASSERT_EQ(rank, best_without_one(hand)) << to_string(hand);
      ASSERT_EQ(packed(rank), packed_reference(hand)) << to_string(hand);
      ASSERT_EQ(rank, evaluate(turn_suits(hand, turned))) << to_string(hand);
      if (n == 7) {
        ASSERT_EQ(rank, evaluate7(hand)) << to_string(hand);
      }
    }
  }
}

// Many hands at once.
using hand_batch::Evaluate;
using hand_batch::Kernel;
using hand_batch::kernels;

Evaluate evaluate_of(const Kernel& kernel, std::size_t hand_size) {
  return hand_size == 5 ? kernel.evaluate5 : kernel.evaluate7;
}

// Cards in any order, hand after hand.
std::vector<Card> random_hands(std::size_t hands, std::size_t hand_size, std::uint64_t seed) {
  RandomStream random(seed);
  std::vector<Card> cards;
  for (std::size_t i = 0; i < hands; ++i) {
    for (CardSet hand = 0; size(hand) < static_cast<int>(hand_size);) {
      const Card card = static_cast<Card>(random.below(kCards));
      if ((hand & bit(card)) == 0) cards.push_back(card);
      hand |= bit(card);
    }
  }
  return cards;
}

std::vector<HandRank> one_by_one(std::span<const Card> cards, std::size_t hand_size) {
  std::vector<HandRank> ranks;
  for (auto hand = cards.begin(); hand != cards.end(); hand += static_cast<std::ptrdiff_t>(hand_size)) {
    CardSet set = 0;
    std::for_each_n(hand, hand_size, [&](Card card) { set |= bit(card); });
    ranks.push_back(evaluate(set));
  }
  return ranks;
}

TEST(HandBatch, ThePortableKernelIsAlwaysThere) { EXPECT_EQ(kernels().back().name, "portable"); }

TEST(HandBatch, EveryKernelRanksEveryFiveCardHand) {
  std::size_t different = 0, hands = 0;
  std::vector<HandRank> expected, ranks;
  test::for_all_hands(kCards, 5, [&](std::span<const Card> cards) {
    expected = one_by_one(cards, 5);
    ranks.resize(expected.size());
    for (const Kernel& kernel : kernels()) {
      std::fill(ranks.begin(), ranks.end(), HandRank{0});
      kernel.evaluate5(cards.data(), ranks.size(), ranks.data());
      different += ranks != expected ? 1 : 0;
    }
    hands += ranks.size();
  });
  EXPECT_EQ(different, 0U);
  EXPECT_EQ(hands, 2598960U);
}

TEST(HandBatchThorough, EverySevenCardHandIsCounted) {
#if defined(DEALER_SANITIZED) || !defined(__OPTIMIZE__)
  GTEST_SKIP() << "133,784,560 hands take a minute unoptimised";
#endif
  std::vector<std::uint32_t> of_rank(1 << 16);
  std::vector<HandRank> ranks;
  test::for_all_hands(kCards, 7, [&](std::span<const Card> cards) {
    ranks.resize(cards.size() / 7);
    evaluate7(cards, ranks);
    for (const HandRank rank : ranks) ++of_rank[rank];
  });
  std::array<std::uint32_t, 10> counts{};
  int classes = 0;
  for (std::size_t rank = 0; rank < of_rank.size(); ++rank) {
    if (of_rank[rank] == 0) continue;
    ++classes;
    counts[static_cast<std::size_t>(category(static_cast<HandRank>(rank)))] += of_rank[rank];
  }
  EXPECT_EQ(counts, (std::array<std::uint32_t, 10>{23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184,
                                                   224848, 37260, 4324}));
  EXPECT_EQ(classes, 4824);
}

void expect_ranked(const std::vector<Card>& cards, std::size_t hand_size, HandCategory least) {
  const std::vector<HandRank> expected = one_by_one(cards, hand_size);
  for (const HandRank rank : expected) ASSERT_GE(category(rank), least);
  for (const Kernel& kernel : kernels()) {
    std::vector<HandRank> ranks(expected.size());
    evaluate_of(kernel, hand_size)(cards.data(), ranks.size(), ranks.data());
    EXPECT_TRUE(ranks == expected) << kernel.name << ", " << hand_size << " cards";
  }
}

TEST(HandBatch, EveryKernelRanksHandsInAnyOrderAndHandsThatAreAllFlushes) {
  for (const std::size_t hand_size : {5, 7}) {
    expect_ranked(random_hands(300000, hand_size, hand_size), hand_size, HandCategory::kHighCard);
    std::vector<Card> cards = random_hands(2000, hand_size, 7 + hand_size);
    // Five different ranks of one suit; the other two cards stay where they cannot meet them.
    for (std::size_t i = 0; i < cards.size(); i += hand_size) {
      const int suit = static_cast<int>(i / hand_size % kSuits);
      for (std::size_t j = 0; j < 5; ++j) cards[i + j] = make_card(static_cast<int>((i + j * 2) % kRanks), suit);
      for (std::size_t j = 5; j < hand_size; ++j) cards[i + j] = make_card(static_cast<int>(j), (suit + 1) % kSuits);
      const auto hand = cards.begin() + static_cast<std::ptrdiff_t>(i);
      std::rotate(hand, hand + static_cast<std::ptrdiff_t>(i % 5), hand + static_cast<std::ptrdiff_t>(hand_size));
    }
    expect_ranked(cards, hand_size, HandCategory::kFlush);
  }
}

TEST(HandBatch, EveryKernelTakesAnyNumberOfHandsAnywhereAndWritesNoMore) {
  for (const std::size_t hand_size : {5, 7}) {
    const std::vector<Card> all = random_hands(700, hand_size, 3);
    const std::vector<HandRank> expected = one_by_one(all, hand_size);
    for (const Kernel& kernel : kernels()) {
      for (std::size_t count = 0; count <= 700; count += count < 200 ? 1 : 31) {
        const std::size_t skipped = std::min<std::size_t>(count % 5, 700 - count);
        // A buffer of exactly the hands, so that a sanitizer sees a read beyond them.
        const std::vector<Card> cards(all.begin() + static_cast<std::ptrdiff_t>(skipped * hand_size),
                                      all.begin() + static_cast<std::ptrdiff_t>((skipped + count) * hand_size));
        std::vector<HandRank> ranks(count + 8, 0xABCD);
        evaluate_of(kernel, hand_size)(cards.data(), count, ranks.data());
        const auto end = ranks.begin() + static_cast<std::ptrdiff_t>(count);
        ASSERT_TRUE(std::equal(ranks.begin(), end, expected.begin() + static_cast<std::ptrdiff_t>(skipped)))
            << kernel.name << ", " << count << " hands of " << hand_size;
        ASSERT_EQ(std::count(end, ranks.end(), 0xABCD), 8) << kernel.name << ", " << count << " hands of " << hand_size;
      }
    }
  }
}

TEST(HandBatch, RefusesCardsThatDoNotFitTheRanks) {
  const std::vector<Card> cards = {0, 1, 2, 3, 4, 5};
  std::vector<HandRank> ranks(1);
  EXPECT_EQ(test::error_message<UsageError>([&] { evaluate5(cards, ranks); }),
            "evaluate5: 6 cards for 1 ranks, expected 5");
  EXPECT_EQ(test::error_message<UsageError>([&] { evaluate7(cards, ranks); }),
            "evaluate7: 6 cards for 1 ranks, expected 7");
}

}  // namespace
}  // namespace dealer::hand_rank_test
