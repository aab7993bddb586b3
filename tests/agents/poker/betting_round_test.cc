// A betting round of hold'em as a separate game: against theory, and against an independent best response.
#include "agents/poker/betting_round.h"

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

class BettingRoundTest : public testing::Test {
 protected:
  explicit BettingRoundTest(const std::string& spec = "holdem[limit=no_limit,bets=[1],raises_per_player=1]")
      : game_(make_game(spec)), rules_(poker::as_poker(*game_)->rules()) {
    root_.reset_and_hold(rules_, 1);
    while (root_.street() + 1 < rules_.streets) root_.apply_and_hold(kCall);
    board_ = rules_.deck->parse("Ts 8d 5c 3h 2s");
    matchups_ = std::make_shared<const Matchups>(rules_, board_);
    hands_ = matchups_->hands();
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
  // The policy of one hand, by action.
  std::map<Action, double> policy(const BettingRound& round, const std::vector<Decision>& path,
                                  const char* hand) const {
    const BettingRound::Policy all = round.policy(path);
    std::map<Action, double> row;
    for (std::size_t a = 0; a < all.actions.size(); ++a)
      row[all.actions[a]] = static_cast<double>(all.rows[index(hand) * all.actions.size() + a]);
    return row;
  }
  BettingRound solved(const std::vector<Decision>& path, int iterations) const {
    BettingRound round(root_, path, matchups_, ranges_);
    round.run(iterations);
    return round;
  }

  GamePtr game_;
  const poker::GameRules& rules_;
  State root_;
  std::vector<CardId> board_;
  std::shared_ptr<const Matchups> matchups_;
  std::vector<Hand> hands_;
  Ranges ranges_;
  Seat first_ = 0;
};

TEST_F(BettingRoundTest, KnowsAllHandsBesideTheBoardByStrength) {
  EXPECT_EQ(hands_.size(), 47U * 46 / 2);
  EXPECT_TRUE(
      std::is_sorted(hands_.begin(), hands_.end(), [](const Hand& a, const Hand& b) { return a.value < b.value; }));
  EXPECT_LT(index("Jc Qd"), index("Kh Kd"));
  EXPECT_LT(index("Kh Kd"), index("Ac Ad"));
  EXPECT_GT(index("6c 4c"), index("Tc Td")) << "a straight beats three of a kind";
}

// The clairvoyance game (Chen and Ankenman, "The Mathematics of Poker", 2006, chapter 11) at a bet of the pot: the
// bettor bluffs half as often as it bets for value, and the other calls half the time.
TEST_F(BettingRoundTest, SolvesTheClairvoyanceGame) {
  ranges_[static_cast<std::size_t>(first_)][index("Ac Ad")] = 0.5F;
  ranges_[static_cast<std::size_t>(first_)][index("Jc Qd")] = 0.5F;
  ranges_[static_cast<std::size_t>(1 - first_)][index("Kh Kd")] = 1;
  BettingRound round = solved({}, 3000);
  EXPECT_EQ(round.policy({}).actions, (std::vector<Action>{kCall, kFirstBet}));
  EXPECT_NEAR(policy(round, {}, "Ac Ad")[kFirstBet], 1, 0.02);
  EXPECT_NEAR(policy(round, {}, "Jc Qd")[kFirstBet], 0.5, 0.02);
  std::map<Action, double> answer = policy(round, {kFirstBet}, "Kh Kd");
  EXPECT_EQ(answer.size(), 3U) << "fold, call, raise";
  EXPECT_NEAR(answer[kFold], 0.5, 0.02);
  EXPECT_NEAR(answer[kCall], 0.5, 0.02);
  EXPECT_LT(round.exploitability(), 0.01 * root_.bets().pot());
}

TEST_F(BettingRoundTest, BetsOfOtherSizesArePartOfThePath) {
  ranges_[0].assign(hands_.size(), 1);
  ranges_[1] = ranges_[0];
  const Amount half = root_.bets().pot() / 2;
  const std::vector<Decision> path = {kCall, Decision::bet_to(half), kFirstBet};
  EXPECT_EQ(BettingRound::unusual(root_, path).size(), 2U);
  EXPECT_TRUE(BettingRound::unusual(root_, std::vector<Decision>{kCall, kFirstBet}).empty());
  const std::vector<Decision> bet = {kCall, Decision::bet_to(half)};
  BettingRound round = solved(bet, 30);
  EXPECT_EQ(round.policy(bet).actions, (std::vector<Action>{kFold, kCall, kFirstBet}));
  EXPECT_EQ(round.policy({}).actions.size(), 2U) << "beside the path all is as it is";
  EXPECT_GT(policy(round, bet, "6c 4c")[kFirstBet], 0.5) << "the best hand raises";
  EXPECT_GT(policy(round, bet, "7h 4h")[kFold], 0.5) << "one of the worst folds";
}

// A seat's best-response value against uniform play: every pair of hands separately.
class SlowResponse {
 public:
  SlowResponse(const Matchups& matchups, const Ranges& ranges, int street, Seat seat)
      : hands_(matchups.hands()), ranges_(ranges), street_(street), seat_(static_cast<std::size_t>(seat)) {
    // The loss of every hand of the other against each, one after the other.
    std::vector<float> reach(hands_.size() * kSimdWidth), value(reach);
    for (std::size_t o = 0; o < hands_.size(); ++o) {
      edge_.emplace_back();
      if (ranges[1 - seat_][o] == 0) continue;
      reach[o * kSimdWidth] = 1;
      matchups.showdowns(reach, kSimdWidth, value);
      reach[o * kSimdWidth] = 0;
      for (std::size_t h = 0; h < hands_.size(); ++h) edge_[o].push_back(static_cast<double>(value[h * kSimdWidth]));
    }
  }

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
    if (state.hand_over() || state.street() > street_) return end(state, hand, reach);
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
      if (reach[o] == 0) continue;
      if (bets.live_count() == 2) won = lost * edge_[o][hand];
      sum += reach[o] * won;
    }
    return sum;
  }

  const std::vector<Hand>& hands_;
  const Ranges& ranges_;
  int street_;
  std::size_t seat_;
  std::vector<std::vector<double>> edge_;
};

TEST_F(BettingRoundTest, BestResponsesAreThoseOfEveryPairOfHandsByItself) {
  for (const int street : {3, 2}) {
    root_.reset_and_hold(rules_, 1);
    while (root_.street() < street) root_.apply_and_hold(kCall);
    board_.resize(static_cast<std::size_t>(street) + 2);
    const auto matchups = std::make_shared<const Matchups>(rules_, board_);
    RandomStream rng(7);
    for (auto& range : ranges_) {
      range.assign(matchups->hands().size(), 0);
      for (int i = 0; i < 60; ++i) range[rng.below(static_cast<std::uint32_t>(range.size()))] = rng.uniform();
    }
    BettingRound round(root_, {}, matchups, ranges_);
    const double slow = SlowResponse(*matchups, ranges_, street, 0).value(root_) +
                        SlowResponse(*matchups, ranges_, street, 1).value(root_);
    EXPECT_NEAR(round.exploitability(), slow, 1e-3 * slow) << "before anything is learned, play is uniform";
    round.run(50);
    EXPECT_LT(round.exploitability(), 0.02 * root_.bets().pot()) << street;
    round.run(350);
    EXPECT_LT(round.exploitability(), 0.0005 * root_.bets().pot()) << street;
  }
}

TEST(BettingRoundOptions, AreFewerTheMoreIsBet) {
  const GamePtr game = make_game("holdem[limit=no_limit]");
  const poker::GameRules& rules = poker::as_poker(*game)->rules();
  State root;
  root.reset_and_hold(rules, 1);
  while (root.street() < 3) root.apply_and_hold(kCall);
  const auto matchups = std::make_shared<const Matchups>(rules, root.board());
  Ranges ranges;
  for (auto& range : ranges) range.assign(matchups->hands().size(), 1);
  const BettingRound round(root, {}, matchups, ranges);
  const auto offered = std::popcount(root.legal_mask() >> kFirstBet);
  ASSERT_GE(offered, 3);
  EXPECT_EQ(round.policy({}).actions.size(), 1U + static_cast<std::size_t>(offered));
  const std::vector<Action> raises = round.policy(std::vector<Decision>{kFirstBet}).actions;
  EXPECT_EQ(raises.size(), 4U) << "fold, call, the middle raise and the largest";
  EXPECT_EQ(round.policy(std::vector<Decision>{kFirstBet, raises[2]}).actions.size(), 3U);
}

// With a card to come, hands win from each other the mean over all cards, counted one by one.
TEST_F(BettingRoundTest, ComparesHandsOverAllBoardsToCome) {
  const std::vector<CardId> turn(board_.begin(), board_.end() - 1);
  const Matchups matchups(rules_, turn);
  const std::size_t count = matchups.hands().size(), columns = kSimdWidth;
  EXPECT_EQ(count, 48U * 47 / 2);
  std::vector<float> reach(count * columns), value(reach), beside(reach);
  RandomStream rng(3);
  for (std::size_t i = 0; i < 40; ++i) {
    const std::size_t other = i < 3 ? 97 * i : rng.below(static_cast<std::uint32_t>(count));
    for (std::size_t c = 0; c < 3; ++c) reach[other * columns + c] = static_cast<float>(c + 1);
  }
  matchups.showdowns(reach, columns, value);
  matchups.folds(reach, columns, beside);
  for (std::size_t h = 0; h < count; h += 97) {
    const Hand& own = matchups.hands()[h];
    EXPECT_EQ(matchups.find(own.cards[1], own.cards[0]), h);
    double won = 0, hands = 0;
    for (std::size_t o = 0; o < count; ++o) {
      const Hand& other = matchups.hands()[o];
      std::vector<CardId> all = turn;
      all.insert(all.end(), own.cards.begin(), own.cards.end());
      all.insert(all.end(), other.cards.begin(), other.cards.end());
      std::sort(all.begin(), all.end());
      if (reach[o * columns] == 0 || std::adjacent_find(all.begin(), all.end()) != all.end()) continue;
      ++hands;
      int sum = 0, rivers = 0;
      for (CardId river = 0; river < 52; ++river) {
        if (std::find(all.begin(), all.end(), river) != all.end()) continue;
        const auto strength = [&](const Hand& hand) {
          std::vector<CardId> seven = turn;
          seven.insert(seven.end(), {river, hand.cards[0], hand.cards[1]});
          return rules_.high->evaluate(seven);
        };
        sum += strength(own) > strength(other) ? 1 : strength(own) < strength(other) ? -1 : 0;
        ++rivers;
      }
      EXPECT_EQ(rivers, 44);
      won += static_cast<double>(sum) / rivers;
    }
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(static_cast<double>(value[h * columns + c]), won * static_cast<double>(c + 1), 1e-3);
      EXPECT_NEAR(static_cast<double>(beside[h * columns + c]), hands * static_cast<double>(c + 1), 1e-3);
    }
    EXPECT_EQ(value[h * columns + 3], 0);
  }
}

// A sample of boards is accurate enough: a set beats an overpair 91 times of 100 on the flop.
TEST_F(BettingRoundTest, ComparesHandsOverManyBoardsToCome) {
  const Matchups matchups(rules_, rules_.deck->parse("Ts 8d 5c"));
  const auto find = [&](const char* text) {
    const std::vector<CardId> cards = rules_.deck->parse(text);
    return matchups.find(cards[0], cards[1]);
  };
  std::vector<float> reach(matchups.hands().size() * kSimdWidth), value(reach);
  reach[find("Ah Ad") * kSimdWidth] = 1;
  matchups.showdowns(reach, kSimdWidth, value);
  EXPECT_NEAR(value[find("8h 8c") * kSimdWidth], 0.82, 0.1);
  EXPECT_EQ(value[find("Ah Kd") * kSimdWidth], 0) << "they share a card";
}

}  // namespace
}  // namespace dealer::resolve
