// Preflop betting of the heuristic agent with sized bets, and its results against random play.
#include "env/games/poker/game.h"
#include "tests/arena/testing.h"

namespace dealer::poker::rule_players_test {
namespace {

using namespace test;
using Cards = std::set<std::string>;

// The heuristic agent's decision with these cards after these actions of the others.
std::string with(const std::string& held, const Words& before, const std::string& spec) {
  const GamePtr game = make_game(spec);
  const std::unique_ptr<Env> env = game->new_env();
  const Words words = words_in(held);
  const Cards cards(words.begin(), words.end());
  for (std::uint64_t seed = 0; seed < 100'000; ++seed) {
    env->reset(seed);
    for (const std::string& text : before) env->step(env->parse_decision(text));
    const Seat seat = env->current_player();
    if (env->to_json(seat)["table"]["players"][at(seat)]["cards"].get<Cards>() != cards) continue;
    const std::unique_ptr<Agent> agent = make_agents("rule[samples=2000]", game)->make();
    agent->reset(seat, 1);
    return env->decision_to_string(agent->act(env->observe(seat)));
  }
  return "such a hand was never dealt";
}

// Rows "CARDS / BEFORE: DECISION"; the beginning of the decision is compared.
void expect_openings(const std::string& spec, const std::string& rows) {
  for (const auto& [asked, decision] : rows_in(rows)) {
    const Words parts = split(asked, " / ");
    const std::string taken = with(parts[0], parts.size() > 1 ? split(parts[1], ", ") : Words(), spec);
    EXPECT_TRUE(taken.starts_with(decision)) << spec << ", " << asked << ": " << taken;
  }
}

constexpr const char* kNoLimit = "holdem[limit=no_limit]";

TEST(RuleOpenings, TheBestHandsRaiseFirstInToThreeBigBlinds) {
  expect_openings(kNoLimit, "As Ah: raise to 300; Kd Kc: raise to 300; Ad Kc: raise to 300; Kh Tc: raise to 300");
  EXPECT_FALSE(with("9s 4d", {}, kNoLimit).starts_with("raise"));
}

// Jack-ten is good enough at the price, but not to re-raise, and not for all-in. Re-raising and calling a re-raise
// require better hands than the first raise.
TEST(RuleOpenings, ARaiseIsAnsweredByTheHand) {
  expect_openings(kNoLimit, R"(
    As Ah / raise to 300: raise to 900; 7h 2c / raise to 300: fold; Js Ts / raise to 300: call 200
    Js Ts / raise to 10000: fold; Ah Qd / raise to 300: raise to 900; Ah Qd / raise to 300, raise to 900: call 600
    As Ah / raise to 300, raise to 900: raise to; Ks 5s / raise to 300: call 200
    Ks 5s / raise to 300, raise to 900: fold)");
}

// The size on offer nearest to three big blinds; and checking is free.
TEST(RuleOpeningsThorough, TheMoreAreInTheBetterTheHandMustBe) {
  expect_openings("holdem[limit=no_limit,players=6]", R"(
    Kh Tc: fold; As Ah: raise to 350; 7h 2c / call 100, call 100, call 100, call 100, call 50: check)");
}

// With fixed bets the worst hand calls half a bet by its price, and the best raise by their share.
TEST(RuleOpenings, AreForSizedBetsOnly) {
  expect_openings(kNoLimit, "7h 2c: fold");
  expect_openings("holdem[limit=pot_limit]", "7h 2c: fold");
  expect_openings("holdem", "7h 2c: call 5; Kh Tc: call 5");
}

// After the flop the size depends on the pot.
TEST(RuleOpenings, EndWithTheFirstRound) {
  const std::string bet = with("As Ah", {"call 50", "check"}, kNoLimit);
  EXPECT_TRUE(bet == "bet 200" || bet == "bet 9900") << bet;
}

TEST(RuleOpenings, WhoOnlyCalledMakesItDearer) {
  expect_openings("holdem[limit=no_limit,bets=[min,1,1.5,2,all_in]]",
                  "As Ah: raise to 300; As Ah / call 50: raise to 400; 7h 2c / call 50: check");
}

// The fractions of hands played voluntarily preflop (VPIP), and raised (PFR).
TEST(RuleOpenings, HowManyHandsArePlayedHeadsUp) {
  const MatchResult result = play_match(match("holdem[limit=no_limit]", {"rule", "rule"}, 600));
  EXPECT_GT(result.agents[0].rate("vpip"), 0.35);
  EXPECT_LT(result.agents[0].rate("vpip"), 0.60);
  EXPECT_GT(result.agents[0].rate("pfr"), 0.25);
  EXPECT_LT(result.agents[0].rate("pfr"), 0.45);
}

struct Case {
  const char* game;
  int deals;
};
std::ostream& operator<<(std::ostream& out, const Case& match) { return out << match.game; }

class RulePlayers : public testing::TestWithParam<Case> {};

// 4.9 standard errors (2.5 times the half-width of the interval) are exceeded by chance once in two million matches.
// The heuristic agents' true winnings are at least 12 standard errors at this number of deals, so that they fail less
// than once in a billion.
TEST_P(RulePlayers, BeatRandomOnes) {
  const auto& [game, deals] = GetParam();
  Words agents(at(make_game(game)->players()), "random");
  agents[0] = "rule";
  MatchOptions options = match(game, agents, deals);
  options.strict = true;
  const AgentResult rule = play_match(options).agents[0];
  EXPECT_GT(rule.mean(), 2.5 * rule.ci95());
}

INSTANTIATE_TEST_SUITE_P(All, RulePlayers,
                         testing::Values(Case{"draw", 400}, Case{"draw[limit=no_limit]", 700}, Case{"lowball", 400},
                                         Case{"triple_draw", 600}, Case{"washizu[episode=hand]", 400},
                                         Case{"stud", 400}, Case{"razz", 400}, Case{"stud_hi_lo", 400},
                                         Case{"holdem", 400}, Case{"holdem[limit=no_limit,players=4]", 5000},
                                         Case{"holdem[limit=pot_limit]", 1500}, Case{"court_tarot[players=3]", 400},
                                         Case{"court_extra[procedure=stud]", 400},
                                         Case{"court_color[procedure=holdem]", 400}, Case{"kuhn", 1000},
                                         Case{"leduc", 1000}, Case{"mini_draw", 1000}, Case{"mini_draw_single", 1000}));

}  // namespace
}  // namespace dealer::poker::rule_players_test
