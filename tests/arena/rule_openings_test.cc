// How the rule player bets before the flop where bets are sized: with which hands, how much, and how often in a match.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "env/games/poker/game.h"
#include "tests/arena/match_support.h"

namespace dealer::poker::rule_openings_test {
namespace {

using Cards = std::set<std::string>;

std::string decision(const GamePtr& game, const Env& env) {
  const std::unique_ptr<Agent> agent = make_agents("rule[samples=2000]", game)->make();
  const Seat seat = env.current_player();
  agent->reset(seat, 1);
  return env.decision_to_string(agent->act(env.observe(seat)));
}

// What the rule player does with these cards, when the others have done so much before it.
std::string with(const Cards& cards, const std::vector<std::string>& before = {},
                 const std::string& spec = "holdem[limit=no_limit]") {
  const GamePtr game = make_game(spec);
  const std::unique_ptr<Env> env = game->new_env();
  for (std::uint64_t seed = 0; seed < 100'000; ++seed) {
    env->reset(seed);
    for (const std::string& text : before) env->step(env->parse_decision(text));
    const auto json = env->to_json(env->current_player())["table"]["players"];
    const auto& mine = json[static_cast<std::size_t>(env->current_player())]["cards"];
    if (mine.get<Cards>() == cards) return decision(game, *env);
  }
  return "such a hand was never dealt";
}

const Cards kAces = {"As", "Ah"}, kKings = {"Kd", "Kc"}, kBigSlick = {"Ad", "Kc"}, kWorst = {"7h", "2c"},
            kPoor = {"9s", "4d"};

TEST(RuleOpenings, TheBestHandsRaiseFirstInToThreeBigBlinds) {
  for (const Cards& cards : {kAces, kKings, kBigSlick}) EXPECT_EQ(with(cards), "raise to 300") << *cards.begin();
  for (const Cards& cards : {kWorst, kPoor}) EXPECT_FALSE(with(cards).starts_with("raise")) << *cards.begin();
}

TEST(RuleOpenings, ARaiseIsAnsweredByTheHand) {
  EXPECT_EQ(with(kAces, {"raise to 300"}), "raise to 900");
  EXPECT_EQ(with(kWorst, {"raise to 300"}), "fold");
  EXPECT_EQ(with({"Js", "Ts"}, {"raise to 300"}), "call 200") << "good enough for the price, not to raise again";
  EXPECT_EQ(with({"Js", "Ts"}, {"raise to 10000"}), "fold") << "not for all the chips";
}

// The second raise asks for better hands than the first, to be raised again and to be called.
TEST(RuleOpenings, EveryRaiseAsksForMore) {
  const std::vector<std::string> twice = {"raise to 300", "raise to 900"};
  EXPECT_EQ(with({"Ah", "Qd"}, {"raise to 300"}), "raise to 900");
  EXPECT_EQ(with({"Ah", "Qd"}, twice), "call 600");
  EXPECT_TRUE(with(kAces, twice).starts_with("raise to "));
  EXPECT_EQ(with({"Ks", "5s"}, {"raise to 300"}), "call 200");
  EXPECT_EQ(with({"Ks", "5s"}, twice), "fold");
}

TEST(RuleOpeningsThorough, TheMoreAreInTheBetterTheHandMustBe) {
  const std::string six = "holdem[limit=no_limit,players=6]";
  EXPECT_EQ(with({"Kh", "Tc"}), "raise to 300");
  EXPECT_EQ(with({"Kh", "Tc"}, {}, six), "fold");
  EXPECT_EQ(with(kAces, {}, six), "raise to 350") << "the nearest on offer";
  const std::vector<std::string> limped = {"call 100", "call 100", "call 100", "call 100", "call 50"};
  EXPECT_EQ(with(kWorst, limped, six), "check") << "which costs nothing";
}

// Where the size of a bet is fixed, the worst hand calls half a bet by its price, and the best raise by their share.
TEST(RuleOpenings, AreForSizedBetsOnly) {
  EXPECT_EQ(with(kWorst), "fold");
  EXPECT_EQ(with(kWorst, {}, "holdem[limit=pot_limit]"), "fold");
  EXPECT_EQ(with(kWorst, {}, "holdem"), "call 5");
  EXPECT_EQ(with({"Kh", "Tc"}), "raise to 300");
  EXPECT_EQ(with({"Kh", "Tc"}, {}, "holdem"), "call 5");
}

// After the flop the size goes by the pot.
TEST(RuleOpenings, EndWithTheFirstRound) {
  const std::string bet = with(kAces, {"call 50", "check"});
  EXPECT_TRUE(bet == "bet 200" || bet == "bet 9900") << bet;
}

TEST(RuleOpenings, WhoOnlyCalledMakesItDearer) {
  const std::string spec = "holdem[limit=no_limit,bets=[min,1,1.5,2,all_in]]";
  EXPECT_EQ(with(kAces, {}, spec), "raise to 300");
  EXPECT_EQ(with(kAces, {"call 50"}, spec), "raise to 400");
  EXPECT_EQ(with(kWorst, {"call 50"}, spec), "check");
}

// Of hands before the flop, those in which chips were put in of one's own will, and those in which they were raised.
TEST(RuleOpenings, HowManyHandsArePlayedHeadsUp) {
  const MatchResult result = play_match(test::match("holdem[limit=no_limit]", {"rule", "rule"}, 600));
  EXPECT_GT(result.agents[0].rate("vpip"), 0.35);
  EXPECT_LT(result.agents[0].rate("vpip"), 0.60);
  EXPECT_GT(result.agents[0].rate("pfr"), 0.25);
  EXPECT_LT(result.agents[0].rate("pfr"), 0.45);
}

}  // namespace
}  // namespace dealer::poker::rule_openings_test
