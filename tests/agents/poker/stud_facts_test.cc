#include <gtest/gtest.h>

#include <cmath>

#include "agents/poker/hand_cdf.h"
#include "agents/poker/pot_share.h"
#include "tests/agents/poker/facts_probe.h"

namespace dealer::poker::stud_facts_test {
namespace {

using test::FactsProbe;

TEST(StudFacts, CountLiveCards) {
  FactsProbe probe("stud[players=3]");
  probe.cards("hand", "As Ah Ks 5s").cards("up", "Ks 5s", 0).cards("up", "Ad Kd", 1).cards("up", "9s 8s", 2);
  EXPECT_EQ(probe["category.P1"], 1);
  // Two aces, three kings and three fives could come, one ace and one king of which are seen.
  EXPECT_FLOAT_EQ(probe["live.pairs"], 6.0F / 8);
  EXPECT_FLOAT_EQ(probe["live.trips"], 1.0F / 2);
  EXPECT_FLOAT_EQ(probe["suit.held"], 3.0F / 5);
  EXPECT_FLOAT_EQ(probe["live.suit"], 8.0F / 10);
  // Of 2, 3, 4, 6, 7 and 8: 24 cards, an eight is seen.
  EXPECT_FLOAT_EQ(probe["live.low"], 23.0F / 24);
  // A player who folded keeps its cards in sight.
  probe.set("folded", 2);
  EXPECT_FLOAT_EQ(probe["live.suit"], 8.0F / 10);
  probe.clear().cards("hand", "2s 3h 4d").cards("up", "4d", 0).cards("up", "2d", 1);
  EXPECT_FLOAT_EQ(probe["live.trips"], 0);
  EXPECT_FLOAT_EQ(probe["live.pairs"], 8.0F / 9);
  EXPECT_FLOAT_EQ(probe["suit.held"], 1.0F / 5);
}

// Among all hands of so many cards, counted by hand.
TEST(StudFacts, RankBoardsAndHands) {
  FactsProbe probe("stud[players=3]");
  probe.cards("hand", "As Ah Ad").cards("up", "Ad", 0).cards("up", "2d", 1).cards("up", "8c", 2);
  EXPECT_GT(probe["hand.percentile"], 0.998F);
  EXPECT_NEAR(probe["board.0"], 12.5 / 13, 0.02);
  EXPECT_NEAR(probe["board.1"], 0.5 / 13, 0.02);
  EXPECT_NEAR(probe["board.2"], 6.5 / 13, 0.02);
  EXPECT_EQ(probe.set("folded", 1)["board.1"], 0);
  probe.clear().cards("hand", "As Ah Kd Kc").cards("up", "Kd Kc", 0).cards("up", "3d 2c", 1).cards("up", "3h 3s", 2);
  EXPECT_EQ(probe["category.P2"], 1);
  // Of 1,326 pairs of cards 78 are pairs; eleven ranks of these are below the kings.
  EXPECT_NEAR(probe["board.0"], (1326 - 78 + 66 + 3) / 1326.0, 0.01);
  EXPECT_NEAR(probe["board.1"], 8 / 1326.0, 0.01);
  EXPECT_NEAR(probe["board.2"], (1326 - 78 + 6 + 3) / 1326.0, 0.01);
  FactsProbe razz("razz");
  razz.cards("hand", "As 2h 3d").cards("up", "3d", 0).cards("up", "Kd", 1);
  EXPECT_GT(razz["hand.percentile"], 0.99F);
  EXPECT_NEAR(razz["board.0"], 10.5 / 13, 0.02);
  EXPECT_NEAR(razz["board.1"], 0.5 / 13, 0.02);
}

TEST(StudFacts, CardsOfThoseWhoFoldedDoNotCome) {
  FactsProbe probe("stud[players=3]");
  const auto flushes = [&](std::string_view folded) {
    probe.clear().cards("hand", "2s 3s 8s Js 9d").cards("up", "8s Js 9d", 0).cards("up", "5d 6c Kh", 1);
    return probe.cards("up", folded, 2).set("folded", 2)["becomes.FL"];
  };
  // Of 40 unseen cards nine are spades, or five; two are to come.
  EXPECT_NEAR(flushes("4h 7h Qh Td"), 1 - 31.0 * 30 / (40 * 39), 0.06);
  EXPECT_NEAR(flushes("4s 7s Qs Ts"), 1 - 35.0 * 34 / (40 * 39), 0.06);
}

// All seven cards of both are known but for three of the other's.
TEST(StudFacts, SharesComeNearToThoseOfAllDeals) {
  for (const char* spec : {"stud", "razz", "stud_hi_lo"}) {
    FactsProbe probe(spec);
    const GameRules& rules = probe.rules();
    const std::string own = "As 2h 5d 5c 7s 8s Kd", up = "6h 4d 9c 9s";
    probe.cards("hand", own).cards("up", "5d 5c 7s 8s", 0).cards("up", up, 1);
    std::vector<CardId> mine = rules.deck->parse(own), seen = mine, open = rules.deck->parse(up), unseen;
    seen.insert(seen.end(), open.begin(), open.end());
    for (int card = 0; card < 52; ++card)
      if (std::count(seen.begin(), seen.end(), card) == 0) unseen.push_back(static_cast<CardId>(card));
    const auto low = [&](const std::vector<CardId>& cards) {
      if (!rules.low) return HandValue{0};
      const HandValue value = rules.low->evaluate(cards);
      return rules.low->qualifies(value) ? value + 1 : 0;
    };
    double won = 0, high = 0, low_won = 0, deals = 0;
    for (std::size_t a = 0; a < unseen.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        for (std::size_t c = 0; c < b; ++c) {
          std::vector<CardId> other = open;
          other.insert(other.end(), {unseen[a], unseen[b], unseen[c]});
          const HandValue my_low = low(mine), other_low = low(other);
          const HandValue my_high = rules.high->evaluate(mine), other_high = rules.high->evaluate(other);
          won += static_cast<double>(pot_won(my_high, my_low, other_high, other_low));
          high += static_cast<double>(beats(my_high, other_high));
          low_won += static_cast<double>(my_low > 0 ? beats(my_low, other_low) : 0);
          ++deals;
        }
      }
    }
    const auto near = [&](std::string_view name, double exact) {
      EXPECT_NEAR(static_cast<double>(probe[name]), exact, 0.09) << spec << ' ' << name;
    };
    near("share", won / deals);
    EXPECT_EQ(probe["against.1"], probe["share"]) << spec;
    const std::size_t category = static_cast<std::size_t>(rules.high->category(rules.high->evaluate(mine), 7));
    EXPECT_NEAR(probe["becomes." + rules.high->ranking().categories()[category].code], 1, 1e-5);
    if (!rules.low) continue;
    near("share.high", high / deals);
    near("share.low", low_won / deals);
    EXPECT_NEAR(probe["low.becomes"], 1, 1e-5);
  }
}

// Real positions, up to the last card for all of eight players, against showdowns dealt by many random numbers.
TEST(StudFacts, AgreeWithTheTable) {
  for (const char* spec : {"stud", "stud[players=4]", "stud[players=8]", "razz[players=8]", "stud_hi_lo[players=3]",
                           "court_tarot[procedure=stud,players=2]"}) {
    const FactsProbe probe(spec);
    const GameRules& rules = probe.rules();
    const auto env = probe.game()->new_env({});
    RandomStream rng(8);
    env->reset(1);
    double differences = 0, squares = 0;
    int compared = 0, shared = 0;
    for (int decision = 0; compared < 60; ++decision) {
      const Observation seen = env->observe(env->current_player());
      if (decision % rules.players == 0) {
        const View view = State::decode(rules, seen.data);
        std::vector<float> facts(probe.encoder().names().size());
        probe.encoder().encode(seen.data.data(), facts.data());
        RandomStream deals(static_cast<std::uint64_t>(compared));
        const double difference = static_cast<double>(FactsProbe::named(probe.encoder(), facts, "share")) -
                                  pot_share(rules, view, nullptr, 4000, deals);
        differences += difference;
        squares += difference * difference;
        shared += view.board.empty() ? 0 : 1;
        ++compared;
      }
      const std::vector<Action> legal = seen.legal_actions();
      if (env->step(legal[std::min<std::size_t>(1, legal.size() - 1)]).terminated) env->reset(rng.bits64());
    }
    EXPECT_NEAR(differences / compared, 0, 0.02) << spec;
    EXPECT_LT(std::sqrt(squares / compared), rules.players < 4 ? 0.05 : 0.09) << spec;
    EXPECT_TRUE(rules.players < 8 || shared > 0) << spec;
  }
}

}  // namespace
}  // namespace dealer::poker::stud_facts_test
