#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "agents/poker/draw_tables.h"
#include "env/cards/shuffle.h"
#include "env/core/registry.h"
#include "env/games/poker/game.h"

namespace dealer::poker::draw_fields_test {
namespace {

struct Fields {
  explicit Fields(std::string_view spec)
      : game(std::dynamic_pointer_cast<const Game>(make_game(spec))),
        means(game->rules(), std::make_shared<const DrawBook>(game->rules())),
        fields(game->rules(), means) {}
  const GameRules& rules() const { return game->rules(); }
  DrawFields::Values values(std::string_view text) const { return fields.values(rules().deck->parse(text)); }
  std::shared_ptr<const Game> game;
  DrawMeans means;
  DrawFields fields;
};

TEST(DrawFields, DealtHandsAreAllHands) {
  const Fields draw("draw");
  // 1,302,540 of 2,598,960 hands have nothing; the best of them beats them all. A hand as bad as possible beats none.
  const float nothing = 1302540.0F / 2598960;
  EXPECT_NEAR(draw.fields.dealt(draw.values("As Kd Qc Jh 9s")).high, nothing, 0.012F);
  EXPECT_NEAR(draw.fields.dealt(draw.values("7s 5d 4c 3h 2s")).high, 0, 0.002F);
  EXPECT_GT(draw.fields.dealt(draw.values("As Ks Qs Js Ts")).high, 0.999F);
}

// Plays hands with other random numbers and sees what drew how many cards.
TEST(DrawFields, AreTheHandsOfThoseWhoDrewSoMany) {
  for (const char* spec : {"draw", "lowball", "triple_draw"}) {
    const Fields all(spec);
    const int draws = all.rules().draws;
    const DrawFields::Values probe =
        all.values(all.rules().high->ranking().low() ? "8s 6d 4c 3h As" : "As Ad 9c 7h 4s");
    std::array<std::array<double, kDrawHand + 1>, kMaxDraws> beaten{}, count{};
    double final_beaten = 0;
    constexpr int kHands = 12000;
    std::vector<CardId> deck = all.rules().deck->in_play({});
    RandomStream rng(99);
    for (int n = 0; n < kHands; ++n) {
      shuffle_first(std::span(deck), kDrawHand * 4, rng);
      std::array<CardId, kDrawHand> hand{};
      std::copy_n(deck.begin(), kDrawHand, hand.begin());
      std::size_t next = kDrawHand;
      std::array<std::size_t, kMaxDraws> drawn{};
      for (int draw = 0; draw < draws; ++draw) {
        std::sort(hand.begin(), hand.end());
        DrawMeans::Means means;
        all.means.find(hand, draws - draw, means);
        const auto best = std::max_element(means.begin(), means.end(),
                                           [](const auto& a, const auto& b) { return a.share < b.share; });
        const auto mask = static_cast<unsigned>(best - means.begin());
        for (std::size_t i = 0; i < hand.size(); ++i)
          if ((mask >> i & 1) != 0) hand[i] = deck[next++];
        drawn[static_cast<std::size_t>(draw)] = static_cast<std::size_t>(std::popcount(mask));
      }
      const HandValue value = all.rules().high->evaluate(hand);
      const double won = probe.high > value ? 1 : probe.high == value ? 0.5 : 0;
      final_beaten += won;
      for (std::size_t draw = 0; draw < static_cast<std::size_t>(draws); ++draw) {
        beaten[draw][drawn[draw]] += won;
        ++count[draw][drawn[draw]];
      }
    }
    EXPECT_NEAR(static_cast<double>(all.fields.final(probe).high), final_beaten / kHands, 0.015) << spec;
    int compared = 0;
    for (int draw = 0; draw < draws; ++draw) {
      for (int drawn = 0; drawn <= kDrawHand; ++drawn) {
        const double hands = count[static_cast<std::size_t>(draw)][static_cast<std::size_t>(drawn)];
        if (hands < 200) continue;
        ++compared;
        EXPECT_NEAR(static_cast<double>(all.fields.after(probe, draw, drawn).high),
                    beaten[static_cast<std::size_t>(draw)][static_cast<std::size_t>(drawn)] / hands,
                    2.5 / std::sqrt(hands))
            << spec << ", draw " << draw << ", drew " << drawn;
      }
    }
    EXPECT_GE(compared, 3) << spec;
  }
}

// Nobody draws five with the best discards of high draw; what they would have is told all the same.
TEST(DrawFields, SeldomNumbersOfCardsArePlayedForThemselves) {
  const Fields draw("draw");
  const DrawFields::Values pair = draw.values("2s 2d 9c 7h 4s");
  const float after_five = draw.fields.after(pair, 0, 5).high;
  // Five fresh cards: about as good as a dealt hand.
  EXPECT_NEAR(after_five, draw.fields.dealt(pair).high, 0.03F);
  EXPECT_LT(draw.fields.after(pair, 0, 0).high, 0.1F);
}

TEST(DrawFields, FiveFreshCardsAreAsGoodAsDealtOnes) {
  const Fields low("triple_draw");
  const DrawFields::Values nine = low.values("9s 7d 4c 3h As");
  EXPECT_NEAR(low.fields.after(nine, 2, 5).high, low.fields.dealt(nine).high, 0.03F);
}

TEST(DrawFields, HighLowGamesHaveBothHalves) {
  const Fields split("draw[low=eight_or_better]");
  const DrawFields::Values wheel = split.values("As 2d 3c 4h 5s");
  EXPECT_GT(split.fields.final(wheel).low, 0.98F);
  const DrawFields::Values kings = split.values("Ks Kd 3c 4h 5s");
  // Both halves: no low ties with all who have none.
  const DrawFields::Shares shares = split.fields.final(kings);
  EXPECT_LT(shares.low, 0.5F);
  EXPECT_GT(shares.low, 0.2F);
  EXPECT_FLOAT_EQ(split.fields.whole(shares), (shares.high + shares.low) / 2);
  const Fields draw("draw");
  EXPECT_FLOAT_EQ(draw.fields.whole({0.25F, 0.5F}), 0.25F);
}

}  // namespace
}  // namespace dealer::poker::draw_fields_test
