#include "agents/poker/resolving_agent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "agents/poker/round_ranges.h"
#include "env/core/error.h"
#include "tests/support/error_message.h"
#include "tests/support/evaluators.h"

namespace dealer::resolve {
namespace {

using poker::kCall;
using poker::kFirstBet;
using poker::kFold;
using poker::State;

constexpr const char* kSpec = "holdem[limit=no_limit]";

// Bets and raises with an ace nine times in ten, without one once in ten.
std::unique_ptr<PositionEvaluator> ace_raiser(const poker::Game& game) {
  return std::make_unique<test::FunctionEvaluator>(game.num_actions(),
                                                   [&game](const Observation& seen, std::span<double> row) {
                                                     const poker::View view = State::decode(game.rules(), seen.data);
                                                     bool ace = false;
                                                     for (const poker::SeenCard& card : view.own().cards)
                                                       ace |= game.rules().deck->to_string(card.card)[0] == 'A';
                                                     row[kCall] = ace ? 0.1 : 0.9;
                                                     row[kFirstBet] = ace ? 0.9 : 0.1;
                                                     if ((seen.legal_mask >> kFirstBet & 1) == 0) row[kFirstBet] = 0;
                                                     return 0.25;
                                                   });
}

struct Table {
  GamePtr game = make_game(kSpec);
  std::shared_ptr<const poker::Game> poker = std::dynamic_pointer_cast<const poker::Game>(game);
  State state;

  Table() { state.reset_and_hold(poker->rules(), 3); }
  void check_to(int street) {
    while (state.street() < street) state.apply_and_hold(kCall);
  }
  Observation seen() const {
    Observation observation;
    observe_turn(state, static_cast<std::size_t>(game->observation_spec().size()), observation);
    return observation;
  }
  AgentFactoryPtr agents(const std::string& spec) const {
    auto ace = std::make_shared<test::EvaluatorAgents>("ace", game->num_actions(),
                                                       [poker = poker] { return ace_raiser(*poker); });
    return make_resolving_agents(parse_spec(spec), std::move(ace), game);
  }
};

TEST(RangeFinder, WeighsHandsByWhatTheSeatHasDone) {
  Table table;
  const Seat raiser = table.state.current_player();
  table.state.apply_and_hold(kFirstBet);
  table.check_to(3);
  const auto hand = round_of(3, table.poker->rules(), table.state.view(table.state.current_player()));
  ASSERT_TRUE(hand);
  EXPECT_TRUE(hand->path.empty());
  RangeFinder finder(table.poker, ace_raiser(*table.poker));
  const RoundStart start = finder.find(*hand);
  EXPECT_EQ(start.root.street(), 3);
  EXPECT_EQ(start.root.bets(), table.state.bets());
  // Before the flop, on the flop and on the turn, each decision has the probability mixed with RangeFinder::kAnything.
  const double any = RangeFinder::kAnything;
  const auto chance = [&](double p, int options) { return (1 - any) * p + any / options; };
  std::array<double, 2> likes_aces{};
  for (const Seat seat : {Seat{0}, Seat{1}}) {
    double ace = 0, none = 0;
    for (std::size_t h = 0; h < start.matchups->hands().size(); ++h) {
      bool has = false;
      for (const CardId card : start.matchups->hands()[h].cards)
        has |= table.poker->rules().deck->to_string(card)[0] == 'A';
      (has ? ace : none) = static_cast<double>(start.ranges[static_cast<std::size_t>(seat)][h]);
    }
    double expected = 1;
    State state = State();
    state.reset_and_hold(table.poker->rules(), 3);
    for (const Decision& decision : hand->before) {
      const int options = std::popcount(state.legal_mask());
      const bool raises = decision.action == kFirstBet;
      if (state.current_player() == seat)
        expected *= chance(raises ? 0.9 : 0.1, options) / chance(raises ? 0.1 : 0.9, options);
      play_and_hold(state, decision);
    }
    EXPECT_NEAR(ace / none, expected, 1e-4 * expected);
    likes_aces[static_cast<std::size_t>(seat)] = ace / none;
  }
  EXPECT_GT(likes_aces[static_cast<std::size_t>(raiser)], 10 * likes_aces[static_cast<std::size_t>(1 - raiser)]);
}

TEST(ResolvingAgent, AsksTheAgentBeforeTheRiverAndSolvesThere) {
  Table table;
  const auto plain = ace_raiser(*table.poker);
  const auto evaluator = table.agents("ace[resolve=river,resolve_iterations=200]")->make_evaluator();
  std::vector<double> expected(static_cast<std::size_t>(table.game->num_actions())), observed = expected;
  for (int street = 0; street < 4; ++street) {
    table.check_to(street);
    const Observation seen = table.seen();
    double value = 0;
    plain->evaluate(std::span(&seen, 1), expected);
    evaluator->evaluate(std::span(&seen, 1), observed, std::span(&value, 1));
    EXPECT_EQ(observed == expected, street < 3) << street;
    EXPECT_EQ(value, 0.25);
    EXPECT_NEAR(std::accumulate(observed.begin(), observed.end(), 0.0), 1, 1e-5);
    for (std::size_t action = 0; action < observed.size(); ++action)
      EXPECT_TRUE(observed[action] == 0 || in_mask(static_cast<Action>(action), seen.legal_mask)) << action;
  }
}

// The response to a bet outside the tree: the best hand never folds, the worst one rarely calls.
TEST(ResolvingAgent, AnswersBetsOfAnySize) {
  Table table;
  table.check_to(3);
  const AmountRange range = table.state.amount_range();
  table.state.bet_to_and_hold(range.high - range.high / 3);
  const Matchups matchups(table.poker->rules(), table.state.board());
  const auto agent = table.agents("ace[resolve=river]")->make();
  const auto answer = [&](const Hand& hand) {
    State held = table.state;
    CardExchange exchange(table.poker->rules(), held, held.board());
    held.exchange_cards(exchange.by(held.current_player(), hand));
    Observation seen;
    observe_turn(held, static_cast<std::size_t>(table.game->observation_spec().size()), seen);
    agent->reset(seen.player, 1);
    const std::vector<double> policy = *agent->policy(seen);
    EXPECT_NEAR(std::accumulate(policy.begin(), policy.end(), 0.0), 1, 1e-5);
    const Decision decision = agent->act(seen);
    EXPECT_TRUE(in_mask(decision.action, seen.legal_mask));
    agent->reset(seen.player, 1);
    EXPECT_EQ(agent->act(seen), decision) << "the same seed";
    return policy;
  };
  EXPECT_LT(answer(matchups.hands().back())[kFold], 0.01);
  EXPECT_LT(answer(matchups.hands().front())[kCall], 0.05);
}

// On the turn, assuming no bets on the river: a hand's mean over all rivers decides. The ranges of the river
// come from the play on the turn.
TEST(ResolvingAgent, SolvesTheTurnAndThenTheRiver) {
  Table table;
  const auto plain = ace_raiser(*table.poker), river = table.agents("ace[resolve=river]")->make_evaluator(),
             turn = table.agents("ace[resolve=turn]")->make_evaluator();
  const auto asked = [&](PositionEvaluator& evaluator) {
    const Observation seen = table.seen();
    std::vector<double> policy(static_cast<std::size_t>(table.game->num_actions()));
    evaluator.evaluate(std::span(&seen, 1), policy);
    EXPECT_NEAR(std::accumulate(policy.begin(), policy.end(), 0.0), 1, 1e-5);
    return policy;
  };
  table.check_to(1);
  EXPECT_EQ(asked(*turn), asked(*plain));
  table.check_to(2);
  EXPECT_EQ(asked(*river), asked(*plain));
  EXPECT_NE(asked(*turn), asked(*plain));
  table.state.apply_and_hold(kFirstBet);
  table.check_to(3);
  EXPECT_NE(asked(*turn), asked(*river)) << "ranges differ";
}

TEST(ResolvingAgent, RefusesWhatItCannotSolve) {
  const auto refusal = [](const char* game, const char* spec) {
    return test::error_message<UsageError>([&] { make_agents(spec, make_game(game)); });
  };
  EXPECT_EQ(refusal("draw", "rule[resolve=river]"),
            "resolve: 'draw' is not hold'em; expected hold'em of two players, one ranking, fresh stacks and hidden "
            "cards, or resolve=none");
  EXPECT_NE(refusal("holdem[players=3]", "rule[resolve=river]").find("is not for two players"), std::string::npos);
  EXPECT_NE(refusal("holdem", "rule[resolve=preflop]").find("none, river, turn, flop"), std::string::npos);
  EXPECT_EQ(make_agents("rule[resolve=none]", make_game("holdem"))->spec(), "rule");
}

}  // namespace
}  // namespace dealer::resolve
