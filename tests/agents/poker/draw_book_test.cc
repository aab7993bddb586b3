#include "agents/poker/draw_book.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "env/cards/shuffle.h"
#include "env/core/registry.h"
#include "env/games/poker/game.h"

namespace dealer::poker::draw_book_test {
namespace {

std::shared_ptr<const Game> poker_game(std::string_view spec) {
  return std::dynamic_pointer_cast<const Game>(make_game(spec));
}

// The cards that the book would discard of a hand, sorted.
std::string discarded(const GameRules& rules, const DrawBook& book, std::string_view cards) {
  std::vector<CardId> hand = rules.deck->parse(cards), unseen, out;
  std::sort(hand.begin(), hand.end());
  for (int id = 0; id < rules.deck->size(); ++id)
    if (std::find(hand.begin(), hand.end(), id) == hand.end()) unseen.push_back(static_cast<CardId>(id));
  RandomStream rng(1);
  const auto best = book.best_discard(hand, unseen, ~std::uint32_t{0}, 1, 1000, rng);
  for (std::size_t i = 0; i < hand.size(); ++i)
    if ((best.mask >> i & 1) != 0) out.push_back(hand[i]);
  return rules.deck->to_string(out);
}

TEST(DrawBook, DiscardsAsPeopleDo) {
  const auto game = poker_game("draw");
  const DrawBook book(game->rules());
  const auto discards = [&](std::string_view cards) { return discarded(game->rules(), book, cards); };
  EXPECT_EQ(discards("2c 2d 5s 5c As"), "As");
  EXPECT_EQ(discards("2c 2d 2s 8c 9d"), "8c 9d");
  EXPECT_EQ(discards("Ks Kd 3c 5h 9d"), "3c 5h 9d");
  EXPECT_EQ(discards("9s Ts Js Qs 2h"), "2h");
  EXPECT_EQ(discards("3h 4d 5c 6s 7h"), "");
  EXPECT_EQ(discards("2s 2h 2d 3c 3h"), "");
}

TEST(DrawBook, LowballDiscardsPairsAndHighCards) {
  const auto game = poker_game("lowball");
  const DrawBook book(game->rules());
  const auto discards = [&](std::string_view cards) { return discarded(game->rules(), book, cards); };
  EXPECT_EQ(discards("2c 3d 5s 7c As"), "");
  EXPECT_EQ(discards("2c 3d 5s Kc As"), "Kc");
  EXPECT_EQ(discards("2c 3d 4s 4c As"), "4s");
}

TEST(DrawBook, HighLowKeepsAGoodLow) {
  const auto game = poker_game("draw[low=eight_or_better]");
  const DrawBook book(game->rules());
  EXPECT_EQ(discarded(game->rules(), book, "As 2h 3d 4c 7s"), "");
  EXPECT_EQ(discarded(game->rules(), book, "2s 3h 4d 5c 9s"), "9s");
}

TEST(DrawBook, WhoDrawsFewerHasMore) {
  const auto game = poker_game("draw");
  const GameRules& rules = game->rules();
  const DrawBook book(rules);
  const std::vector<CardId> kings = rules.deck->parse("Ks Kd 3c 5h 9d");
  EXPECT_LT(book.beats(kings, 0), 0.1);
  EXPECT_LT(book.beats(kings, 1), book.beats(kings, 3));
  // Two pair beat about three quarters of all final hands, quads nearly all.
  EXPECT_NEAR(book.beats(rules.deck->parse("5s 5d 3c 3h 9d")), 0.79, 0.03);
  EXPECT_GT(book.beats(rules.deck->parse("5s 5d 5c 5h 9d")), 0.99);
}

// Every hand that comes compared by itself.
DrawBook::Discard slow_discard(const DrawBook& book, std::span<const CardId> hand, std::vector<CardId> stock,
                               std::uint32_t allowed, int opponents, int samples, RandomStream& rng) {
  std::array<double, kDiscardChoices> sum{};
  for (int n = 0; n < samples; ++n) {
    shuffle_first(std::span(stock), std::min<std::size_t>(stock.size(), kDrawHand), rng);
    for (unsigned mask = 0; mask < kDiscardChoices; ++mask) {
      std::vector<CardId> drawn(hand.begin(), hand.end());
      std::size_t next = 0;
      for (std::size_t i = 0; i < drawn.size(); ++i)
        if ((mask >> i & 1) != 0 && next < stock.size()) drawn[i] = stock[next++];
      sum[mask] += std::pow(book.beats(drawn), opponents);
    }
  }
  DrawBook::Discard best{0, -1};
  for (unsigned mask = 0; mask < kDiscardChoices; ++mask)
    if ((allowed >> mask & 1) != 0 && sum[mask] / samples > best.share) best = {mask, sum[mask] / samples};
  return best;
}

TEST(DrawBook, DecidesAsHandByHand) {
  constexpr std::uint32_t kAtMostOne = 0b1'00000001'00010111;  // cards discarded
  for (const char* spec : {"draw[players=4]", "lowball", "draw[low=eight_or_better,players=3]", "court_tarot"}) {
    const auto game = poker_game(spec);
    const GameRules& rules = game->rules();
    const DrawBook book(rules);
    std::vector<CardId> deck = rules.deck->in_play({});
    RandomStream deals(3);
    for (int n = 0; n < 40; ++n) {
      shuffle_first(std::span(deck), deck.size(), deals);
      const std::span<const CardId> hand = std::span(deck).first(kDrawHand);
      // With too few cards for all that could be discarded, too.
      const std::span<const CardId> unseen = std::span(deck).subspan(kDrawHand, n % 4 == 0 ? 3 : 40);
      const std::uint32_t allowed = n % 3 == 0 ? kAtMostOne : ~std::uint32_t{0};
      const int opponents = 1 + n % (rules.players - 1), samples = n % 2 == 0 ? 150 : 24;
      RandomStream rng(5), slow_rng(5);
      const auto best = book.best_discard(hand, unseen, allowed, opponents, samples, rng);
      const auto slow = slow_discard(book, hand, {unseen.begin(), unseen.end()}, allowed, opponents, samples, slow_rng);
      ASSERT_EQ(best.mask, slow.mask) << spec << " " << n;
      ASSERT_EQ(best.share, slow.share) << spec << " " << n;
      ASSERT_EQ(rng(), slow_rng());
    }
  }
}

// Recorded: players rely on what the book says, so that a faster way to find it must find the same.
TEST(DrawBook, SaysWhatItAlwaysSaid) {
  struct Recorded {
    const char *game, *cards;
    double all, after_one, after_three;
  };
  for (const Recorded& was :
       {Recorded{"draw", "Ks Kd 3c 5h 9d", 0.675537109375, 0.2722222222222222, 0.72207876049063913},
        Recorded{"draw", "5s 5d 3c 3h 9d", 0.78515625, 0.33611111111111114, 0.83925112976113625},
        Recorded{"triple_draw", "8s 7d 5c 4h 2d", 0.824951171875, 0.87663469921534443, 0.97727272727272729},
        Recorded{"draw[low=eight_or_better]", "7s 7d 3c 4h Ad", 0.4739990234375, 0.38840262582056895,
                 0.48071528751753156},
        Recorded{"draw[low=eight_or_better]", "7s 6d 3c 4h Ad", 0.554443359375, 0.53829321663019691,
                 0.55364656381486677}}) {
    const auto game = poker_game(was.game);
    const DrawBook book(game->rules());
    const std::vector<CardId> hand = game->rules().deck->parse(was.cards);
    EXPECT_DOUBLE_EQ(book.beats(hand), was.all) << was.game;
    EXPECT_DOUBLE_EQ(book.beats(hand, 1), was.after_one) << was.game;
    EXPECT_DOUBLE_EQ(book.beats(hand, 3), was.after_three) << was.game;
  }
}

}  // namespace
}  // namespace dealer::poker::draw_book_test
