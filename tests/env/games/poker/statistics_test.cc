// Who played a hand of their own will (VPIP) and who raised at once (PFR), action by action (docs/rules/betting.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/env/games/poker/table.h"

namespace dealer::poker::statistics_test {
namespace {

// Every seat's share of the hand in a statistic, "1/1 0/1": one number a seat, with how often it could be.
std::string figures(const State& state, const std::string& name) {
  std::string text;
  for (Seat seat = 0; seat < state.rules().players; ++seat) {
    const Statistics all = state.statistics(seat);
    const auto found = std::find_if(all.begin(), all.end(), [&](const Statistic& each) { return each.name == name; });
    if (found == all.end()) return "no statistic " + name;
    text += (seat > 0 ? " " : "") + std::to_string(static_cast<int>(found->numerator)) + "/" +
            std::to_string(static_cast<int>(found->denominator));
  }
  return text;
}

// The actions given, then checks and calls to the end of the hand.
State play(const GameRules& rules, const std::vector<std::string>& hands, const std::vector<Action>& actions) {
  State state = GivenHand(rules, hands).play();
  for (const Action action : actions) state.apply(action);
  while (state.current_player() >= 0) state.apply(kCall);
  return state;
}

// Seat 2 has the lowest up card and must open.
const std::vector<std::string> kStudHands = {"3c 4c As", "3d 5c Kd", "3h 6c 2h"};
const GameRules& stud() {
  static const GameRules kRules = rules_of("procedure: stud\nplayers: 3\nante: 1\nbring_in: 3\n");
  return kRules;
}

TEST(Vpip, ABringInIsForcedAndCountsForNothing) {
  const State folded = play(stud(), kStudHands, {kCall, kFold, kFold});
  EXPECT_EQ(folded.last_hand().payout[2], 6);
  EXPECT_EQ(figures(folded, "vpip"), "0/1 0/1 0/1");
  EXPECT_EQ(figures(folded, "pfr"), "0/1 0/1 0/1");
  const State called = play(stud(), kStudHands, {kCall, kCall, kFold});
  EXPECT_EQ(figures(called, "vpip"), "1/1 0/1 0/1");
}

TEST(Vpip, CompletingCountsAndSoDoesCallingTheCompletion) {
  EXPECT_EQ(figures(play(stud(), kStudHands, {kFirstBet, kFold, kCall}), "vpip"), "0/1 1/1 1/1");
  // The bring-in is posted, completed by the next, and called by who posted it.
  const State state = play(stud(), kStudHands, {kCall, kFirstBet, kFold, kCall});
  EXPECT_EQ(figures(state, "vpip"), "1/1 0/1 1/1");
  EXPECT_EQ(figures(state, "pfr"), "1/1 0/1 0/1");
}

// Seat 1 posts the small blind and seat 2 the big one; seat 0 begins.
TEST(Vpip, BlindsCountOnlyWithChipsAddedToThem) {
  const GameRules rules = rules_of("procedure: holdem\nplayers: 3\n");
  EXPECT_EQ(figures(play(rules, {}, {kFold, kCall, kCall}), "vpip"), "0/1 1/1 0/1");
  EXPECT_EQ(figures(play(rules, {}, {kFold, kFold}), "vpip"), "0/1 0/1 0/1");
  const State raised = play(rules, {}, {kCall, kFold, kFirstBet, kCall});
  EXPECT_EQ(figures(raised, "vpip"), "1/1 0/1 1/1");
  EXPECT_EQ(figures(raised, "pfr"), "0/1 0/1 1/1");
}

TEST(Vpip, OnlyTheFirstRoundCounts) {
  const GameRules rules = rules_of("procedure: holdem\nplayers: 2\nblinds: []\nante: 10\n");
  // Both check before the flop; then seat 1 bets and seat 0 calls.
  const State state = play(rules, {}, {kCall, kCall, kFirstBet, kCall});
  EXPECT_EQ(state.last_hand().payout[0] + state.last_hand().payout[1], 40);
  EXPECT_EQ(figures(state, "vpip"), "0/1 0/1");
  EXPECT_EQ(figures(state, "pfr"), "0/1 0/1");
  EXPECT_EQ(figures(state, "showdown"), "1/1 1/1");
}

}  // namespace
}  // namespace dealer::poker::statistics_test
