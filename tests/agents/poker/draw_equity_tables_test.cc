#include "agents/poker/draw_equity_tables.h"

#include "agents/poker/hands_after_draw.h"
#include "env/cards/shuffle.h"
#include "env/games/poker/game.h"
#include "tests/support/testing.h"

namespace dealer::poker::draw_tables_test {
namespace {

TEST(HandsAfterDraw, DiscardsAsPeopleDo) {
  struct Case {
    const char *hand, *discards;
  };
  const std::pair<const char*, std::vector<Case>> games[] = {
      {"draw",
       {{"2c 2d 5s 5c As", "As"},
        {"2c 2d 2s 8c 9d", "8c 9d"},
        {"Ks Kd 3c 5h 9d", "3c 5h 9d"},
        {"9s Ts Js Qs 2h", "2h"},
        {"3h 4d 5c 6s 7h", ""},
        {"2s 2h 2d 3c 3h", ""}}},
      {"lowball", {{"2c 3d 5s 7c As", ""}, {"2c 3d 5s Kc As", "Kc"}, {"2c 3d 4s 4c As", "4s"}}},
      {"draw[low=eight_or_better]", {{"As 2h 3d 4c 7s", ""}, {"2s 3h 4d 5c 9s", "9s"}}}};
  for (const auto& [spec, cases] : games) {
    const auto game = test::game_of<Game>(spec);
    const Deck& deck = *game->rules().deck;
    const HandsAfterDraw book(game->rules());
    for (const Case& c : cases) {
      std::vector<CardId> hand = deck.parse(c.hand), unseen, out;
      std::sort(hand.begin(), hand.end());
      for (int id = 0; id < deck.size(); ++id)
        if (std::find(hand.begin(), hand.end(), id) == hand.end()) unseen.push_back(static_cast<CardId>(id));
      RandomStream rng(1);
      const auto best = book.best_discard(hand, unseen, ~std::uint32_t{0}, 1, 1000, rng);
      for (std::size_t i = 0; i < hand.size(); ++i)
        if ((best.mask >> i & 1) != 0) out.push_back(hand[i]);
      EXPECT_EQ(deck.to_string(out), c.discards) << spec << ' ' << c.hand;
    }
  }
}

// Compares every possible hand separately.
HandsAfterDraw::Discard slow_discard(const HandsAfterDraw& book, std::span<const CardId> hand,
                                     std::vector<CardId> stock, std::uint32_t allowed, int opponents, int samples,
                                     RandomStream& rng) {
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
  HandsAfterDraw::Discard best{0, -1};
  for (unsigned mask = 0; mask < kDiscardChoices; ++mask)
    if ((allowed >> mask & 1) != 0 && sum[mask] / samples > best.share) best = {mask, sum[mask] / samples};
  return best;
}

TEST(HandsAfterDraw, DecidesAsHandByHand) {
  constexpr std::uint32_t kAtMostOne = 0b1'00000001'00010111;  // cards discarded
  for (const char* spec : {"draw[players=4]", "lowball", "draw[low=eight_or_better,players=3]", "court_tarot"}) {
    const auto game = test::game_of<Game>(spec);
    const GameRules& rules = game->rules();
    const HandsAfterDraw book(rules);
    std::vector<CardId> deck = rules.deck->in_play({});
    RandomStream deals(3);
    for (int n = 0; n < 40; ++n) {
      shuffle_first(std::span(deck), deck.size(), deals);
      const std::span<const CardId> hand = std::span(deck).first(kDrawHand);
      // Including stocks that are too small for some discards.
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

// Recorded: players depend on the book, so a faster algorithm must give the same results.
TEST(HandsAfterDraw, SaysWhatItAlwaysSaid) {
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
    const auto game = test::game_of<Game>(was.game);
    const HandsAfterDraw book(game->rules());
    const std::vector<CardId> hand = game->rules().deck->parse(was.cards);
    EXPECT_DOUBLE_EQ(book.beats(hand), was.all) << was.game;
    EXPECT_DOUBLE_EQ(book.beats(hand, 1), was.after_one) << was.game;
    EXPECT_DOUBLE_EQ(book.beats(hand, 3), was.after_three) << was.game;
  }
}

struct Fields {
  explicit Fields(std::string_view spec)
      : game(test::game_of<Game>(spec)),
        means(game->rules(), std::make_shared<const HandsAfterDraw>(game->rules())),
        fields(game->rules(), means) {}
  const GameRules& rules() const { return game->rules(); }
  RangesAfterDraw::Values values(std::string_view text) const { return fields.values(rules().deck->parse(text)); }
  std::shared_ptr<const Game> game;
  DrawEquities means;
  RangesAfterDraw fields;
};

TEST(RangesAfterDraw, DealtHandsAreAllHands) {
  const Fields draw("draw");
  // 1,302,540 of 2,598,960 hands have nothing; the best of them beats them all. A hand as bad as possible beats none.
  const float nothing = 1302540.0F / 2598960;
  EXPECT_NEAR(draw.fields.dealt(draw.values("As Kd Qc Jh 9s")).high, nothing, 0.012F);
  EXPECT_NEAR(draw.fields.dealt(draw.values("7s 5d 4c 3h 2s")).high, 0, 0.002F);
  EXPECT_GT(draw.fields.dealt(draw.values("As Ks Qs Js Ts")).high, 0.999F);
}

// Plays hands with other random numbers and counts by number of drawn cards.
TEST(RangesAfterDraw, AreTheHandsOfThoseWhoDrewSoMany) {
  for (const char* spec : {"draw", "lowball", "triple_draw"}) {
    const Fields all(spec);
    const int draws = all.rules().draws;
    const RangesAfterDraw::Values probe =
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
        DrawEquities::Means means;
        all.means.find(hand, draws - draw, means);
        const auto best = std::max_element(means.begin(), means.end(),
                                           [](const auto& a, const auto& b) { return a.share < b.share; });
        const auto mask = static_cast<unsigned>(best - means.begin());
        for (std::size_t i = 0; i < hand.size(); ++i)
          if ((mask >> i & 1) != 0) hand[i] = deck[next++];
        drawn[at(draw)] = at(std::popcount(mask));
      }
      const HandValue value = all.rules().high->evaluate(hand);
      const double won = probe.high > value ? 1 : probe.high == value ? 0.5 : 0;
      final_beaten += won;
      for (std::size_t draw = 0; draw < at(draws); ++draw) {
        beaten[draw][drawn[draw]] += won;
        ++count[draw][drawn[draw]];
      }
    }
    EXPECT_NEAR(static_cast<double>(all.fields.final(probe).high), final_beaten / kHands, 0.015) << spec;
    int compared = 0;
    for (int draw = 0; draw < draws; ++draw) {
      for (int drawn = 0; drawn <= kDrawHand; ++drawn) {
        const double hands = count[at(draw)][at(drawn)];
        if (hands < 200) continue;
        ++compared;
        EXPECT_NEAR(static_cast<double>(all.fields.after(probe, draw, drawn).high), beaten[at(draw)][at(drawn)] / hands,
                    2.5 / std::sqrt(hands))
            << spec << ", draw " << draw << ", drew " << drawn;
      }
    }
    EXPECT_GE(compared, 3) << spec;
  }
}

// Nobody draws five with the best discards of high draw; their distribution is simulated separately.
TEST(RangesAfterDraw, SeldomNumbersOfCardsArePlayedForThemselves) {
  const Fields draw("draw");
  const RangesAfterDraw::Values pair = draw.values("2s 2d 9c 7h 4s");
  const float after_five = draw.fields.after(pair, 0, 5).high;
  // Five fresh cards: about as good as a dealt hand.
  EXPECT_NEAR(after_five, draw.fields.dealt(pair).high, 0.03F);
  EXPECT_LT(draw.fields.after(pair, 0, 0).high, 0.1F);
  const Fields low("triple_draw");
  const RangesAfterDraw::Values nine = low.values("9s 7d 4c 3h As");
  EXPECT_NEAR(low.fields.after(nine, 2, 5).high, low.fields.dealt(nine).high, 0.03F);
}

TEST(RangesAfterDraw, HighLowGamesHaveBothHalves) {
  const Fields split("draw[low=eight_or_better]");
  const RangesAfterDraw::Values wheel = split.values("As 2d 3c 4h 5s");
  EXPECT_GT(split.fields.final(wheel).low, 0.98F);
  const RangesAfterDraw::Values kings = split.values("Ks Kd 3c 4h 5s");
  // Both halves: no low ties with every other hand without a low.
  const RangesAfterDraw::Shares shares = split.fields.final(kings);
  EXPECT_LT(shares.low, 0.5F);
  EXPECT_GT(shares.low, 0.2F);
  EXPECT_FLOAT_EQ(split.fields.whole(shares), (shares.high + shares.low) / 2);
  const Fields draw("draw");
  EXPECT_FLOAT_EQ(draw.fields.whole({0.25F, 0.5F}), 0.25F);
}

struct Tables {
  explicit Tables(std::string_view spec)
      : game(test::game_of<Game>(spec)),
        book(std::make_shared<const HandsAfterDraw>(game->rules())),
        means(game->rules(), book) {}
  const GameRules& rules() const { return game->rules(); }
  std::array<CardId, kDrawHand> hand(std::string_view text) const {
    const std::vector<CardId> cards = rules().deck->parse(text);
    std::array<CardId, kDrawHand> hand{};
    std::copy(cards.begin(), cards.end(), hand.begin());
    std::sort(hand.begin(), hand.end());
    return hand;
  }
  DrawEquities::Means find(std::string_view text, int left) const {
    DrawEquities::Means found;
    means.find(hand(text), left, found);
    return found;
  }

  std::shared_ptr<const Game> game;
  std::shared_ptr<const HandsAfterDraw> book;
  DrawEquities means;
};

struct Slow {
  double share = 0, fourth = 0;
};

// By dealing every possible set of cards. `worth`: of a sorted hand.
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
  const DrawEquities::Mean fast = tables.find(text, 1)[mask];
  EXPECT_NEAR(static_cast<double>(fast.share), slow.share, 2e-5) << text << ", discarding " << mask;
  EXPECT_NEAR(static_cast<double>(fast.fourth), slow.fourth, 2e-5) << text << ", discarding " << mask;
}

TEST(DrawEquities, AreThoseOfAllCardsThatCanCome) {
  const Tables draw("draw");
  for (unsigned mask = 0; mask < kDiscardChoices; ++mask) expect_exact(draw, "2c 2d 9h Ts As", mask);
  for (const unsigned mask : {0U, 1U, 6U, 16U, 28U}) expect_exact(draw, "9s Ts Js Qs 2h", mask);
  using Masks = std::vector<unsigned>;
  for (const auto& [spec, hand, masks] :
       {std::tuple("lowball", "Ah 2d 3c 3s Kd", Masks{0, 1, 3, 16, 24, 30}),
        std::tuple("court_tarot", "2c Td t5 t9 t13", Masks{0, 1, 12, 16, 21}),
        std::tuple("draw[low=eight_or_better]", "2c 4d 7h 7s Ks", Masks{0, 16, 24, 19}),
        std::tuple("draw[jokers=2]", "2c 9d Ts Js X1", Masks{0, 3, 7, 16})}) {
    const Tables tables(spec);
    for (const unsigned mask : masks) expect_exact(tables, hand, mask);
  }
}

// The cards in play are random: those that may be out have weight 3/4.
TEST(DrawEquities, OfCardsThatMayBeOutOfPlay) {
  const Tables washizu("washizu");
  ASSERT_TRUE(washizu.rules().random_mix());
  const Deck& deck = *washizu.rules().deck;
  std::string last;  // of the cards that are always in play
  for (int card = 0; card < deck.size(); ++card)
    if (washizu.rules().replaceable[at(card)].suit == Replaceable::kNever && last.empty())
      last = deck.to_string(static_cast<CardId>(card));
  ASSERT_FALSE(last.empty());
  for (const unsigned mask : {0U, 1U, 2U, 5U, 16U, 24U, 13U}) {
    expect_exact(washizu, "2c 2d 9h Ts As", mask);
    expect_exact(washizu, "3c 3d 9h Ts " + last, mask);
  }
}

// With more draws to come the value of a hand is that after the best discard of the next one.
TEST(DrawEquities, LookAheadOverAllDraws) {
  for (const char* spec : {"triple_draw", "washizu[draws=3]"}) {
    const Tables tables(spec);
    const char* text = tables.rules().random_mix() ? "2c 2d 9h Ts As" : "Ah 2d 5c 9s Kd";
    const auto hand = tables.hand(text);
    for (int left = 2; left <= 3; ++left) {
      const auto best_later = [&](std::span<const CardId, kDrawHand> cards) {
        DrawEquities::Means means;
        tables.means.find(cards, left - 1, means);
        float best = 0;
        for (const DrawEquities::Mean& mean : means) best = std::max(best, mean.share);
        return static_cast<double>(best);
      };
      const DrawEquities::Means means = tables.find(text, left);
      for (const unsigned mask : {0U, 1U, 4U, 16U, 24U, 6U}) {
        const Slow slow = slow_mean(tables.rules(), hand, mask, best_later);
        EXPECT_NEAR(static_cast<double>(means[mask].share), slow.share, 3e-5) << spec << ' ' << left << ' ' << mask;
        EXPECT_NEAR(static_cast<double>(means[mask].fourth), slow.fourth, 3e-5) << spec << ' ' << left << ' ' << mask;
      }
    }
  }
}

TEST(DrawEquities, TablesTakeNoMoreThanTheySay) {
  const auto bytes = [](std::string_view spec) { return DrawEquities::bytes(test::game_of<Game>(spec)->rules()); };
  // Sets of up to four of 52 cards, eight bytes each.
  EXPECT_EQ(bytes("draw"), 8U * (1 + 52 + 1326 + 22100 + 270725));
  EXPECT_EQ(bytes("triple_draw"), 3 * bytes("draw"));
  EXPECT_LT(bytes("draw[deck=tarot_78,draws=3]"), DrawEquities::kMostBytes);
}

}  // namespace
}  // namespace dealer::poker::draw_tables_test
