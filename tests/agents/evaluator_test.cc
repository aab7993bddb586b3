// The queries that evaluators of agents support, and their answers.
#include "agents/evaluator.h"

#include "agents/agent_error.h"
#include "agents/agent_registry.h"
#include "agents/poker/draw_preference.h"
#include "agents/poker/mixture.h"
#include "agents/poker/resolving_agent.h"
#include "agents/search/make_search.h"
#include "agents/search/state_evaluator.h"
#include "env/games/small/game.h"
#include "env/games/small/parts.h"
#include "tests/support/evaluators.h"
#include "tests/support/fake_agents.h"
#include "tests/support/play.h"
#include "tests/support/testing.h"

namespace dealer::evaluator_test {
namespace {

using test::error_message;
using test::first_decision;

// Reports 0.5 for everything, which is not a distribution yet.
AgentFactoryPtr half() {
  const auto own = std::make_shared<Seat>(-1);
  return test::fake_agents("half", {.reset = [own](Seat seat, std::uint64_t) { *own = seat; },
                                    .policy =
                                        [own](const Observation& seen) {
                                          EXPECT_EQ(seen.player, *own);
                                          return std::vector<double>(seen.legal_actions().size(), 0.25);
                                        }});
}
AgentFactoryPtr listener() {
  return test::fake_agents("listener", {.on_events = [](std::span<const Event>) {}});
}

EvaluatorAttributes attributes(const char* agent, const char* game) {
  const GamePtr made = make_game(game);
  return attributes_of(*make_agents(agent, made), *made);
}

TEST(Evaluator, SaysWhatItCanBeAskedFor) {
  EXPECT_EQ(attributes("random", "draw"), (EvaluatorAttributes{.policy = true}));
  EXPECT_EQ(attributes("rule", "draw"), EvaluatorAttributes());
  EXPECT_EQ(attributes("default", "leduc"), (EvaluatorAttributes{.policy = true, .value = true}));
  EXPECT_EQ(attributes("search[simulations=3]", "leduc"), (EvaluatorAttributes{.value = true, .action_values = true}));
  EXPECT_EQ(attributes("search[simulations=3,policy_runs=2]", "leduc"),
            (EvaluatorAttributes{.policy = true, .value = true, .action_values = true}));
  EXPECT_EQ(attributes("default", "seven_hand"),
            (EvaluatorAttributes{.policy = true, .value = true, .action_values = true, .cheap = true}));
  EXPECT_EQ(
      attributes("default", "ofc"),
      (EvaluatorAttributes{.policy = true, .value = true, .action_values = true, .afterstates = true, .cheap = true}));
  EXPECT_EQ(attributes_of(*listener(), *make_game("kuhn")), EvaluatorAttributes());
}

// The factory and the evaluator that it makes have the same attributes: callers use either.
TEST(Evaluator, OfAnAgentAroundAnotherCanBeAskedForWhatTheOtherCan) {
  const auto both = [](const AgentFactoryPtr& agents, const GamePtr& game) {
    const EvaluatorAttributes found = agents->attributes();
    EXPECT_EQ(make_evaluator(*agents, *game)->attributes(), found) << agents->spec();
    return found;
  };
  const auto named = [&](const char* agents, const char* spec) {
    const GamePtr game = make_game(spec);
    return both(make_agents(agents, game), game);
  };
  const EvaluatorAttributes network{.policy = true, .value = true, .cheap = true};
  EXPECT_EQ(named("default[prefers=weak_pat]", "draw"), network);
  EXPECT_EQ(named("random[prefers=weak_pat]", "draw"), (EvaluatorAttributes{.policy = true}));
  EXPECT_EQ(named("default[resolve=river]", "holdem"), (EvaluatorAttributes{.policy = true, .value = true}));
  EXPECT_EQ(named("random[resolve=river]", "holdem"), (EvaluatorAttributes{.policy = true}));
  EXPECT_EQ(named("default[prefers=weak_pat,simulations=2]", "draw"),
            (EvaluatorAttributes{.value = true, .action_values = true}));
  // An agent that reveals its values only when queried.
  const auto even = [](const Observation& seen) {
    const std::size_t legal = seen.legal_actions().size();
    return std::vector<double>(legal, 1.0 / static_cast<double>(legal));
  };
  const AgentFactoryPtr asked =
      test::fake_agents("asked", {.policy = even, .value = [](const Observation&) { return 2.5; }});
  const GamePtr draw = make_game("draw"), holdem = make_game("holdem");
  const std::vector<AgentFactoryPtr> members = {make_agents("default", draw),
                                                make_agents("default[prefers=weak_draw]", draw)};
  EXPECT_EQ(both(poker::make_mixture("both", members, draw), draw), network);
  const EvaluatorAttributes observed{.policy = true, .value = true};
  EXPECT_EQ(both(poker::make_preferring_agents(parse_spec("asked[prefers=weak_pat]"), asked, draw), draw), observed);
  EXPECT_EQ(both(resolve::make_resolving_agents(parse_spec("asked[resolve=river]"), asked, holdem), holdem), observed);
}

TEST(Evaluator, AroundAnotherPlaysByTheSameNumbers) {
  const GamePtr game = make_game("ofc");
  EXPECT_EQ(make_agents("default[simulations=2,fantasyland=7]", game)->option("fantasyland"), 7);
  EXPECT_EQ(make_agents("default[simulations=2]", game)->option("fantasyland"),
            make_agents("default", game)->option("fantasyland"));
  EXPECT_EQ(make_agents("search[simulations=2]", game)->option("fantasyland"), std::nullopt);
}

TEST(Evaluator, OfAMixtureIsThereWhereAllMembersAre) {
  const GamePtr game = make_game("draw");
  make_agents("mixture:random+rule", game)->expect_there();
  EXPECT_TRUE(test::refuses<AgentError>("exec:/none/bot",
                                        [&] { make_agents("mixture:random+exec:/none/bot", game)->expect_there(); }));
}

TEST(Evaluator, OfAnAgentIsWhatTheAgentSays) {
  const GamePtr game = make_game("leduc");
  const AgentFactoryPtr agents = make_agents("default", game);
  const auto evaluator = make_evaluator(*agents, *game);
  EXPECT_TRUE(evaluator->attributes().value);
  const auto agent = agents->make();
  const Observation seen = first_decision(*game);
  std::vector<double> policy(3, -1), value(1, -1);
  evaluator->evaluate(std::span(&seen, 1), policy, value);
  EXPECT_EQ(value[0], agent->value(seen).value());
  test::expect_policy(policy, seen, agent->policy(seen).value(), 1e-12);
  // Each observation alone.
  std::vector<double> again(3), only(1);
  evaluator->evaluate(std::span(&seen, 1), again);
  evaluator->evaluate(std::span(&seen, 1), {}, only);
  EXPECT_EQ(again, policy);
  EXPECT_EQ(only, value);
}

TEST(Evaluator, AddsProbabilitiesUpToOne) {
  const GamePtr game = make_game("kuhn");
  const AgentFactoryPtr agents = half();
  const Observation seen = first_decision(*game);
  std::vector<double> policy(at(game->num_actions())), value(1, -1);
  make_evaluator(*agents, *game)->evaluate(std::span(&seen, 1), policy, value);
  for (const Action action : seen.legal_actions()) EXPECT_EQ(policy[at(action)], 0.5);
  EXPECT_EQ(value[0], 0) << "it knows none";
  // For the seat to act.
  const auto env = game->new_env();
  env->reset(0);
  env->step(env->choices().front().action);
  const Observation second = test::seen_at(*env);
  EXPECT_NE(second.player, seen.player);
  make_evaluator(*agents, *game)->evaluate(std::span(&second, 1), policy);
}

TEST(StateEvaluator, AnswersAboutEveryState) {
  const auto game = test::game_of<small::Game>("leduc");
  std::vector<small::State> states(5);
  for (std::size_t i = 0; i < states.size(); ++i) {
    states[i].reset(game->rules(), i);
    if (i % 2 == 1) states[i].apply(small::kRaise);
  }
  StateEvaluator<small::State> together(std::make_unique<test::RandomEvaluator>(game->num_actions()), *game);
  together.ask(
      states.size(), [&](std::size_t i) -> const small::State& { return states[i]; }, true, true);
  test::RandomEvaluator alone(game->num_actions());
  for (std::size_t i = 0; i < states.size(); ++i) {
    Observation seen;
    observe_turn(states[i], at(game->observation_spec().size()), seen);
    std::vector<double> policy(at(game->num_actions())), value(1);
    alone.evaluate(std::span(&seen, 1), policy, value);
    EXPECT_TRUE(std::equal(policy.begin(), policy.end(), together.policy(i).begin())) << i;
    EXPECT_EQ(together.value(i), value[0]) << i;
    EXPECT_EQ(together.legal(i), states[i].legal_mask()) << i;
  }
}

TEST(Evaluator, SaysWhatItCannotDo) {
  const GamePtr game = make_game("kuhn");

  const std::string observes =
      "agent 'listener' observes the events of its table; expected one that decides by what it sees";
  EXPECT_EQ(error_message<UsageError>([&] { make_evaluator(*listener(), *game); }), observes);
  EXPECT_EQ(error_message<UsageError>([&] { check_policy(*listener(), *game); }), observes);
  const GamePtr draw = make_game("draw");
  EXPECT_EQ(error_message<UsageError>([&] { check_policy(*make_agents("rule", draw), *draw); }),
            "agent 'rule' gives no action probabilities; networks, solutions and random agents do");
  EXPECT_NO_THROW(check_policy(*make_agents("random", draw), *draw));
  const auto random = make_evaluator(*make_agents("random", draw), *draw);
  const Observation seen = first_decision(*draw);
  EXPECT_EQ(error_message<UsageError>([&] { random->action_values(seen, {}, 0); }),
            "the agent provides no values of the choices of a turn");
  EXPECT_EQ(error_message<UsageError>([&] { random->afterstate_values(seen, 1); }),
            "the agent provides no values of afterstates");
}

// The queries of a search, which batches positions, and asks for values where they replace the rest of the hand.
TEST(Evaluator, IsAskedForWhatASearchNeeds) {
  using Question = test::RecordingEvaluator::Question;
  const auto game = test::game_of<small::Game>("leduc");
  const Observation seen = first_decision(*game);
  const auto questions = [&](int depth) {
    std::vector<Question> asked;
    SearchSetup setup;
    setup.spec = "test";
    setup.options.simulations = 32;
    setup.options.depth = depth;
    setup.evaluator = [&] {
      return std::make_unique<test::RecordingEvaluator>(std::make_unique<test::RandomEvaluator>(game->num_actions()),
                                                        asked);
    };
    make_search<small::State>(game, RandomPlay<small::State>(), setup)()->run(seen, 1);
    return asked;
  };
  for (const int depth : {0, 1}) {
    const std::vector<Question> asked = questions(depth);
    ASSERT_GT(asked.size(), 2U);
    EXPECT_EQ(asked.front(), (Question{1, true, false})) << "the likely choices";
    for (const Question& each : std::span(asked).subspan(1)) {
      EXPECT_TRUE(each.policy);
      EXPECT_EQ(each.value, depth > 0);
      EXPECT_LE(each.positions, 48U);
    }
    EXPECT_GT(asked[1].positions, 20U);
  }
}

}  // namespace
}  // namespace dealer::evaluator_test
