// The last round of hold'em as a game of its own: against theory, and against an independent best response.
#include "agents/poker/last_round.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "env/core/registry.h"
#include "env/games/poker/game.h"

namespace dealer::resolve {
namespace {

using poker::kCall;
using poker::kFirstBet;
using poker::kFold;
using poker::State;

class LastRoundTest : public testing::Test {
 protected:
  explicit LastRoundTest(const std::string& spec = "holdem[limit=no_limit,bets=[1],raises_per_player=1]")
      : game_(make_game(spec)), rules_(poker::as_poker(*game_)->rules()) {
    root_.reset_and_hold(rules_, 1);
    while (root_.street() + 1 < rules_.streets) root_.apply_and_hold(kCall);
    board_ = rules_.deck->parse("Ts 8d 5c 3h 2s");
    hands_ = hands_beside(rules_, board_);
    first_ = root_.current_player();
    for (auto& range : ranges_) range.assign(hands_.size(), 0);
  }

  std::size_t index(const char* text) const {
    std::vector<CardId> cards = rules_.deck->parse(text);
    std::sort(cards.begin(), cards.end());
    const auto found = std::find_if(hands_.begin(), hands_.end(), [&](const Hand& hand) {
      return std::equal(cards.begin(), cards.end(), hand.cards.begin());
    });
    return static_cast<std::size_t>(found - hands_.begin());
  }
  // Of one hand, by action.
  std::map<Action, double> policy(const LastRound& round, const std::vector<Decision>& path, const char* hand) const {
    const LastRound::Policy all = round.policy(path);
    std::map<Action, double> row;
    for (std::size_t a = 0; a < all.actions.size(); ++a)
      row[all.actions[a]] = static_cast<double>(all.rows[index(hand) * all.actions.size() + a]);
    return row;
  }
  LastRound solved(const std::vector<Decision>& path, int iterations) const {
    LastRound round(root_, path, hands_, ranges_);
    round.run(iterations);
    return round;
  }

  GamePtr game_;
  const poker::GameRules& rules_;
  State root_;
  std::vector<CardId> board_;
  std::vector<Hand> hands_;
  Ranges ranges_;
  Seat first_ = 0;
};

TEST_F(LastRoundTest, KnowsAllHandsBesideTheBoardByStrength) {
  EXPECT_EQ(hands_.size(), 47U * 46 / 2);
  EXPECT_TRUE(
      std::is_sorted(hands_.begin(), hands_.end(), [](const Hand& a, const Hand& b) { return a.value < b.value; }));
  EXPECT_LT(index("Jc Qd"), index("Kh Kd"));
  EXPECT_LT(index("Kh Kd"), index("Ac Ad"));
  EXPECT_GT(index("6c 4c"), index("Tc Td")) << "a straight beats three of a kind";
}

// The clairvoyance game (Chen and Ankenman, "The Mathematics of Poker", 2006, chapter 11) at a bet of the pot: the
// bettor bluffs half as often as it bets for value, and the other calls half the time.
TEST_F(LastRoundTest, SolvesTheClairvoyanceGame) {
  ranges_[static_cast<std::size_t>(first_)][index("Ac Ad")] = 0.5F;
  ranges_[static_cast<std::size_t>(first_)][index("Jc Qd")] = 0.5F;
  ranges_[static_cast<std::size_t>(1 - first_)][index("Kh Kd")] = 1;
  LastRound round = solved({}, 3000);
  EXPECT_EQ(round.policy({}).actions, (std::vector<Action>{kCall, kFirstBet}));
  EXPECT_NEAR(policy(round, {}, "Ac Ad")[kFirstBet], 1, 0.02);
  EXPECT_NEAR(policy(round, {}, "Jc Qd")[kFirstBet], 0.5, 0.02);
  std::map<Action, double> answer = policy(round, {kFirstBet}, "Kh Kd");
  EXPECT_EQ(answer.size(), 3U) << "fold, call, raise";
  EXPECT_NEAR(answer[kFold], 0.5, 0.02);
  EXPECT_NEAR(answer[kCall], 0.5, 0.02);
  EXPECT_LT(round.exploitability(), 0.01 * root_.bets().pot());
}

TEST_F(LastRoundTest, BetsOfOtherSizesArePartOfThePath) {
  ranges_[0].assign(hands_.size(), 1);
  ranges_[1] = ranges_[0];
  const Amount half = root_.bets().pot() / 2;
  const std::vector<Decision> path = {kCall, Decision::bet_to(half), kFirstBet};
  EXPECT_EQ(LastRound::unusual(root_, path).size(), 2U);
  EXPECT_TRUE(LastRound::unusual(root_, std::vector<Decision>{kCall, kFirstBet}).empty());
  const std::vector<Decision> bet = {kCall, Decision::bet_to(half)};
  LastRound round = solved(bet, 30);
  EXPECT_EQ(round.policy(bet).actions, (std::vector<Action>{kFold, kCall, kFirstBet}));
  EXPECT_EQ(round.policy({}).actions.size(), 2U) << "beside the path all is as it is";
  EXPECT_GT(policy(round, bet, "6c 4c")[kFirstBet], 0.5) << "the best hand raises";
  EXPECT_GT(policy(round, bet, "7h 4h")[kFold], 0.5) << "one of the worst folds";
}

// What a seat wins by a best response to uniform play: every pair of hands by itself.
class SlowResponse {
 public:
  SlowResponse(const std::vector<Hand>& hands, const Ranges& ranges, Seat seat)
      : hands_(hands), ranges_(ranges), seat_(static_cast<std::size_t>(seat)) {}

  double value(const State& root) const {
    double sum = 0, deals = 0;
    for (std::size_t h = 0; h < hands_.size(); ++h) {
      if (ranges_[seat_][h] == 0) continue;
      std::vector<double> reach(hands_.size());
      for (std::size_t o = 0; o < hands_.size(); ++o) {
        const bool shares = hands_[h].cards[0] == hands_[o].cards[0] || hands_[h].cards[0] == hands_[o].cards[1] ||
                            hands_[h].cards[1] == hands_[o].cards[0] || hands_[h].cards[1] == hands_[o].cards[1];
        reach[o] = shares ? 0 : static_cast<double>(ranges_[seat_][h] * ranges_[1 - seat_][o]);
        deals += reach[o];
      }
      sum += value(root, h, reach);
    }
    return sum / deals;
  }

 private:
  double value(const State& state, std::size_t hand, const std::vector<double>& reach) const {
    if (state.hand_over()) return end(state, hand, reach);
    const bool mine = state.current_player() == static_cast<Seat>(seat_);
    LegalMask options = state.legal_mask();
    if (state.bets().to_call() == 0) options &= ~(LegalMask{1} << kFold);
    std::vector<double> next = reach;
    if (!mine)
      for (double& each : next) each /= std::popcount(options);
    double best = -INFINITY, sum = 0;
    for (LegalMask rest = options; rest != 0; rest &= rest - 1) {
      State after = state;
      after.apply_and_hold(std::countr_zero(rest));
      const double its = value(after, hand, next);
      best = std::max(best, its);
      sum += its;
    }
    return mine ? best : sum;
  }

  double end(const State& state, std::size_t hand, const std::vector<double>& reach) const {
    const auto& bets = state.bets();
    const double lost = std::min(bets.paid(0), bets.paid(1));
    double sum = 0;
    for (std::size_t o = 0; o < reach.size(); ++o) {
      double won = bets.is_live(static_cast<int>(seat_)) ? lost : -lost;
      if (bets.live_count() == 2)
        won = hands_[hand].value == hands_[o].value ? 0 : hands_[hand].value > hands_[o].value ? lost : -lost;
      sum += reach[o] * won;
    }
    return sum;
  }

  const std::vector<Hand>& hands_;
  const Ranges& ranges_;
  std::size_t seat_;
};

TEST_F(LastRoundTest, BestResponsesAreThoseOfEveryPairOfHandsByItself) {
  RandomStream rng(7);
  for (auto& range : ranges_)
    for (int i = 0; i < 60; ++i) range[rng.below(static_cast<std::uint32_t>(hands_.size()))] = rng.uniform();
  LastRound round(root_, {}, hands_, ranges_);
  const double slow = SlowResponse(hands_, ranges_, 0).value(root_) + SlowResponse(hands_, ranges_, 1).value(root_);
  EXPECT_NEAR(round.exploitability(), slow, 1e-3 * slow) << "before anything is learned, play is uniform";
  round.run(20);
  const double early = round.exploitability();
  round.run(380);
  EXPECT_LT(round.exploitability(), early / 4);
  EXPECT_LT(round.exploitability(), 0.01 * root_.bets().pot());
}

}  // namespace
}  // namespace dealer::resolve
