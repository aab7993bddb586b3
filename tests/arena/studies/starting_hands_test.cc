// Charts of starting hands of draw poker and stud.
#include "arena/studies/starting_hands.h"

#include "arena/studies/starting_hand_classes.h"
#include "env/games/poker/game.h"
#include "tests/arena/testing.h"

namespace dealer::studies::starting_hands_test {
namespace {

using namespace test;

const dealer::poker::GameRules& rules_of(const GamePtr& game) { return dealer::poker::as_poker(*game)->rules(); }

std::string class_of(const char* spec, const char* text) {
  const GamePtr game = make_game(spec);
  const StartingHandClasses classes = starting_hand_classes(rules_of(game));
  std::vector<CardId> cards;
  for (const Card card : parse_cards(text)) cards.push_back(card);
  if (rules_of(game).procedure == dealer::poker::Procedure::kDraw) std::ranges::sort(cards);
  return classes.all.at(classes.of(cards)).code;
}

TEST(StartingHandClasses, TellHandsApart) {
  struct Case {
    const char *game, *cards, *code;
  };
  for (const auto& [game, cards, code] : {Case{"draw", "As Ah Kd 7c 2s", "pair_a"},
                                          {"lowball", "As 2h 4d 5c Ks", "one_5"},
                                          {"deuce_triple_draw", "7s 5h 4d 3c 2s", "pat_7"},
                                          {"deuce_triple_draw", "9s 8h 4d 3c 2s", "pat_9"},
                                          {"deuce_triple_draw", "6s 5h 4d 3c 2s", "one_7"},
                                          {"deuce_triple_draw", "Js 8s 4s 3s 2s", "one_8"},
                                          {"deuce_triple_draw", "Ks Qs 8h 3s 2s", "two_8"},
                                          {"deuce_triple_draw", "Ks Qs Qh 7s 2s", "three_2"},
                                          {"deuce_triple_draw", "Ks Qs Qh 7s 3s", "three"},
                                          {"deuce_triple_draw", "As Ks Qs Qh 3s", "four"},
                                          {"stud", "As Ah 7d", "pair_a"},
                                          {"stud", "2s 2h 2d", "trips"},
                                          {"stud", "As 2h 3d", "three_straight"},
                                          {"stud", "As Qh Kd", "three_straight"},
                                          {"stud", "9s 8s 6s", "three_straight_flush"},
                                          {"stud", "Ks 8s 2s", "three_flush"},
                                          {"stud", "Ks 8s 2h", "king_high"},
                                          {"stud", "9s 4h 2h", "jack_high"},
                                          {"stud_hi_lo", "As 2h 3d", "three_low"},
                                          {"stud_hi_lo", "8s 2s 3s", "three_low_flush"},
                                          {"stud_hi_lo", "9s 8h 7d", "three_straight"},
                                          {"razz", "As 2h 3d", "three_5"},
                                          {"razz", "8s 2h 3d", "three_8"},
                                          {"razz", "Ks 2h 3d", "two_up"},
                                          {"razz", "2h 3d Ks", "two_down"},
                                          {"razz", "2h 2d Ks", "pair"},
                                          {"razz", "2h Qd Ks", "one"},
                                          {"badugi", "8s 6h 5d 2c", "NON"}})
    EXPECT_EQ(class_of(game, cards), code) << game << ' ' << cards;
}

TEST(StartingHands, AreThoseOfDrawPokerAndStud) {
  for (const auto& [spec, has] : {std::pair("draw", true),
                                  {"court_tarot", true},
                                  {"washizu", true},
                                  {"badugi", true},
                                  {"stud_hi_lo", true},
                                  {"court_tarot[procedure=stud]", false},
                                  {"holdem", false},
                                  {"mini_draw", false},
                                  {"leduc", false},
                                  {"ofc", false}})
    EXPECT_EQ(has_starting_hands(*make_game(spec)), has) << spec;
}

const StartingHand& hand_of(const StartingHandsChart& chart, const std::string& code) {
  for (const StartingHand& hand : chart.hands)
    if (hand.code == code) return hand;
  throw UsageError("no hand " + code);
}

// Bets pairs of aces, checks the rest, and discards the lowest cards: three, with aces one.
TEST(StartingHands, TellHowClassesArePlayed) {
  const GamePtr game = make_game("draw");
  const dealer::poker::GameRules& rules = rules_of(game);
  const auto policy = [&](const Observation& seen) {
    const dealer::poker::View view = dealer::poker::State::decode(rules, seen.data);
    int aces = 0;
    for (const dealer::poker::SeenCard& seen_card : view.own().cards) aces += seen_card.card / kSuits == kRanks - 1;
    std::vector<double> shares;
    for (const Action action : seen.legal_actions()) {
      const bool draws = action >= rules.first_discard();
      const int thrown = action - rules.first_discard();
      shares.push_back(draws       ? (thrown == (aces == 2 ? 1 : 7))
                       : aces == 2 ? (action == 2   ? 0.75
                                      : action == 1 ? 0.25
                                                    : 0)
                                   : action == 1);
    }
    return shares;
  };
  const FakeFactory agents("by aces",
                           [&] { return std::make_unique<FakeAgent>(FakeAgent::Functions{.policy = policy}); });
  const StartingHandsChart chart = starting_hands_chart(*game, agents, {}, {.most = 10, .deals = 20'000});
  EXPECT_TRUE(chart.bets && chart.free && chart.draws);
  EXPECT_FALSE(chart.sampled);
  const StartingHand &aces = hand_of(chart, "pair_a"), &kings = hand_of(chart, "pair_k");
  EXPECT_EQ(aces.asked, 10);
  EXPECT_NEAR(aces.raise, 0.75, 1e-9);
  EXPECT_NEAR(aces.call, 0.25, 1e-9);
  EXPECT_NEAR(aces.share, 84'480.0 / 2'598'960, 0.005);
  EXPECT_EQ(aces.thrown[1], 1);
  EXPECT_EQ(kings.call, 1);
  EXPECT_EQ(kings.thrown[3], 1);
  // Beside an ace a king is among the three lowest.
  ASSERT_EQ(kings.kept.size(), 2U);
  EXPECT_EQ(kings.kept[0].first, "the pair");
  EXPECT_NEAR(kings.kept[0].second + kings.kept[1].second, 1, 1e-9);
  EXPECT_NEAR(chart.all.fold + chart.all.call + chart.all.raise, 1, 1e-9);
  double share = 0;
  for (const StartingHand& hand : chart.hands) share += hand.share;
  EXPECT_NEAR(share, 1, 1e-9);
}

TEST(StartingHands, FoldedHandsDrawNothing) {
  const GamePtr game = make_game("lowball[open_fold=true]");
  const FakeFactory agents("folds", [] { return std::make_unique<FakeAgent>(FakeAgent::Functions{}); });
  const StartingHandsChart chart = starting_hands_chart(*game, agents, {}, {.most = 4, .deals = 200});
  EXPECT_TRUE(chart.sampled);
  EXPECT_EQ(chart.all.fold, 1);
  EXPECT_EQ(chart.all.drew, 0);
}

TEST(StartingHands, FollowDecisionsBefore) {
  const GamePtr game = make_game("stud");
  const FakeFactory agents("checks", [] {
    return std::make_unique<FakeAgent>(FakeAgent::Functions{.act = [](const Observation&) { return Decision(1); }});
  });
  const StartingHandsChart free = starting_hands_chart(*game, agents, {}, {.most = 2, .deals = 500});
  EXPECT_TRUE(free.free);
  EXPECT_FALSE(free.draws);
  const Decision bet(2);
  const StartingHandsChart facing = starting_hands_chart(*game, agents, {&bet, 1}, {.most = 2, .deals = 500});
  EXPECT_FALSE(facing.free);
  EXPECT_EQ(facing.all.call, 1);
  const Decision fold(0);
  EXPECT_NE(error_message<UsageError>([&] {
              starting_hands_chart(*game, agents, {&fold, 1}, {.most = 2, .deals = 5});
            }).find("no player has a decision"),
            std::string::npos);
  const FakeFactory observing("observing", [] {
    return std::make_unique<FakeAgent>(FakeAgent::Functions{.on_events = [](std::span<const Event>) {}});
  });
  EXPECT_NE(error_message<UsageError>([&] { starting_hands_chart(*game, observing, {}); }).find("observes events"),
            std::string::npos);
}

}  // namespace
}  // namespace dealer::studies::starting_hands_test
