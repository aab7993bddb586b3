#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "agents/poker/draw_tables.h"
#include "env/core/registry.h"
#include "env/games/poker/game.h"

namespace dealer::poker::draw_means_test {
namespace {

struct Tables {
  explicit Tables(std::string_view spec)
      : game(std::dynamic_pointer_cast<const Game>(make_game(spec))),
        book(std::make_shared<const DrawBook>(game->rules())),
        means(game->rules(), book) {}
  const GameRules& rules() const { return game->rules(); }
  std::array<CardId, kDrawHand> hand(std::string_view text) const {
    const std::vector<CardId> cards = rules().deck->parse(text);
    std::array<CardId, kDrawHand> hand{};
    std::copy(cards.begin(), cards.end(), hand.begin());
    std::sort(hand.begin(), hand.end());
    return hand;
  }
  DrawMeans::Means find(std::string_view text, int left) const {
    DrawMeans::Means found;
    means.find(hand(text), left, found);
    return found;
  }

  std::shared_ptr<const Game> game;
  std::shared_ptr<const DrawBook> book;
  DrawMeans means;
};

struct Slow {
  double share = 0, fourth = 0;
};

// By dealing every set of cards that can come. `worth`: of a sorted hand.
Slow slow_mean(const GameRules& rules, const std::array<CardId, kDrawHand>& hand, unsigned mask,
               const std::function<double(std::span<const CardId, kDrawHand>)>& worth) {
  std::vector<CardId> stock, filled;
  for (int card = 0; card < rules.deck->size(); ++card)
    if (std::find(hand.begin(), hand.end(), card) == hand.end()) stock.push_back(static_cast<CardId>(card));
  for (std::size_t i = 0; i < hand.size(); ++i)
    if ((mask >> i & 1) == 0) filled.push_back(hand[i]);
  double weights = 0;
  Slow sum;
  const auto deal = [&](const auto& self, std::size_t from, double weight) -> void {
    if (filled.size() == kDrawHand) {
      std::array<CardId, kDrawHand> sorted{};
      std::copy(filled.begin(), filled.end(), sorted.begin());
      std::sort(sorted.begin(), sorted.end());
      const double value = worth(sorted);
      weights += weight;
      sum.share += weight * value;
      sum.fourth += weight * std::pow(value, 4);
      return;
    }
    for (std::size_t i = from; i < stock.size(); ++i) {
      const bool sometimes = rules.random_mix() && rules.replaceable[stock[i]].suit != Replaceable::kNever;
      filled.push_back(stock[i]);
      self(self, i + 1, sometimes ? weight * 0.75 : weight);
      filled.pop_back();
    }
  };
  deal(deal, 0, 1);
  return {sum.share / weights, sum.fourth / weights};
}

void expect_exact(const Tables& tables, std::string_view text, unsigned mask) {
  const auto hand = tables.hand(text);
  const Slow slow = slow_mean(tables.rules(), hand, mask, [&](auto cards) { return tables.book->beats(cards); });
  const DrawMeans::Mean fast = tables.find(text, 1)[mask];
  EXPECT_NEAR(static_cast<double>(fast.share), slow.share, 2e-5) << text << ", discarding " << mask;
  EXPECT_NEAR(static_cast<double>(fast.fourth), slow.fourth, 2e-5) << text << ", discarding " << mask;
}

TEST(DrawMeans, AreThoseOfAllCardsThatCanCome) {
  const Tables draw("draw");
  for (unsigned mask = 0; mask < kDiscardChoices; ++mask) expect_exact(draw, "2c 2d 9h Ts As", mask);
  for (const unsigned mask : {0U, 1U, 6U, 16U, 28U}) expect_exact(draw, "9s Ts Js Qs 2h", mask);
  const Tables lowball("lowball");
  for (const unsigned mask : {0U, 1U, 3U, 16U, 24U, 30U}) expect_exact(lowball, "Ah 2d 3c 3s Kd", mask);
  const Tables tarot("court_tarot");
  for (const unsigned mask : {0U, 1U, 12U, 16U, 21U}) expect_exact(tarot, "2c Td t5 t9 t13", mask);
}

TEST(DrawMeans, OfHighLowGamesAndOfJokersToo) {
  const Tables split("draw[low=eight_or_better]");
  for (const unsigned mask : {0U, 16U, 24U, 19U}) expect_exact(split, "2c 4d 7h 7s Ks", mask);
  const Tables jokers("draw[jokers=2]");
  for (const unsigned mask : {0U, 3U, 7U, 16U}) expect_exact(jokers, "2c 9d Ts Js X1", mask);
}

// Which cards are in play is drawn at random: those that may be out count three quarters.
TEST(DrawMeans, OfCardsThatMayBeOutOfPlay) {
  const Tables washizu("washizu");
  ASSERT_TRUE(washizu.rules().random_mix());
  const Deck& deck = *washizu.rules().deck;
  std::string last;  // of those that are always in
  for (int card = 0; card < deck.size(); ++card)
    if (washizu.rules().replaceable[static_cast<std::size_t>(card)].suit == Replaceable::kNever && last.empty())
      last = deck.to_string(static_cast<CardId>(card));
  ASSERT_FALSE(last.empty());
  for (const unsigned mask : {0U, 1U, 2U, 5U, 16U, 24U, 13U}) {
    expect_exact(washizu, "2c 2d 9h Ts As", mask);
    expect_exact(washizu, "3c 3d 9h Ts " + last, mask);
  }
}

// With more draws to come the hands are worth what the best discards of the next one make of them.
TEST(DrawMeans, LookAheadOverAllDraws) {
  for (const char* spec : {"triple_draw", "washizu[draws=3]"}) {
    const Tables tables(spec);
    const char* text = tables.rules().random_mix() ? "2c 2d 9h Ts As" : "Ah 2d 5c 9s Kd";
    const auto hand = tables.hand(text);
    for (int left = 2; left <= 3; ++left) {
      const auto best_later = [&](std::span<const CardId, kDrawHand> cards) {
        DrawMeans::Means means;
        tables.means.find(cards, left - 1, means);
        float best = 0;
        for (const DrawMeans::Mean& mean : means) best = std::max(best, mean.share);
        return static_cast<double>(best);
      };
      const DrawMeans::Means means = tables.find(text, left);
      for (const unsigned mask : {0U, 1U, 4U, 16U, 24U, 6U}) {
        const Slow slow = slow_mean(tables.rules(), hand, mask, best_later);
        EXPECT_NEAR(static_cast<double>(means[mask].share), slow.share, 3e-5) << spec << ' ' << left << ' ' << mask;
        EXPECT_NEAR(static_cast<double>(means[mask].fourth), slow.fourth, 3e-5) << spec << ' ' << left << ' ' << mask;
      }
    }
  }
}

TEST(DrawMeans, TablesTakeNoMoreThanTheySay) {
  const auto bytes = [](std::string_view spec) {
    return DrawMeans::bytes(std::dynamic_pointer_cast<const Game>(make_game(spec))->rules());
  };
  // Sets of up to four of 52 cards, eight bytes each.
  EXPECT_EQ(bytes("draw"), 8U * (1 + 52 + 1326 + 22100 + 270725));
  EXPECT_EQ(bytes("triple_draw"), 3 * bytes("draw"));
  EXPECT_LT(bytes("draw[deck=tarot_78,draws=3]"), DrawMeans::kMostBytes);
}

}  // namespace
}  // namespace dealer::poker::draw_means_test
