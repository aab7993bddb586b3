// What every player of OFC must do: see agents/ofc/turn_agent.h.
#include <gtest/gtest.h>

#include <numeric>

#include "agents/agent_registry.h"
#include "agents/ofc/turn_agent.h"
#include "agents/random_agent.h"
#include "env/core/error.h"
#include "env/games/ofc/game.h"

namespace dealer::ofc::players_test {
namespace {

struct Player {
  const char* spec;
  const char* game;
  int episodes;
};

std::ostream& operator<<(std::ostream& out, const Player& player) {
  return out << player.spec << " at " << player.game;
}

class Players : public testing::TestWithParam<Player> {
 protected:
  Players() : game_(make_game(GetParam().game)), factory_(make_agents(GetParam().spec, game_)) {}

  GamePtr game_;
  AgentFactoryPtr factory_;
};

TEST_P(Players, PlayLegallyToTheEnd) {
  const auto env = game_->new_env();
  std::vector<std::unique_ptr<Agent>> agents(static_cast<std::size_t>(game_->players()));
  for (auto& agent : agents) agent = factory_->make();
  int fantasyland_hands = 0;
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(GetParam().episodes); ++seed) {
    env->reset(seed);
    for (int seat = 0; seat < game_->players(); ++seat)
      agents[static_cast<std::size_t>(seat)]->reset(seat, derive(seed, static_cast<std::uint64_t>(seat)));
    while (env->current_player() != kTerminal) {
      const Seat seat = env->current_player();
      const Action action = agents[static_cast<std::size_t>(seat)]->act(env->observe(seat)).action;
      ASSERT_TRUE(((env->legal_mask() >> action) & 1) != 0) << env->to_string(seat);
      const Step step = env->step(action);
      if (step.hands_finished == 0) continue;
      const State& state = dynamic_cast<const TypedEnv<State>&>(*env).state();
      for (Seat s = 0; s < game_->players(); ++s) {
        if (!state.last_hand().fantasyland[s]) continue;
        ++fantasyland_hands;
        EXPECT_FALSE(state.last_hand().foul[s]);
      }
    }
  }
  if (game_->spec() == "ofc" && GetParam().spec != std::string("random")) {
    EXPECT_GT(fantasyland_hands, 10);
  }
}

// Whoever takes over in the middle of a turn, of Fantasyland too, goes on from there.
TEST_P(Players, TakeOverAnywhere) {
  const auto env = game_->new_env();
  const auto agent = factory_->make();
  RandomAgent other;
  other.reset(0, 3);
  RandomStream rng(4);
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(GetParam().episodes) / 4; ++seed) {
    env->reset(seed);
    agent->reset(0, seed);
    for (int moves = 0; env->current_player() != kTerminal && moves < 400; ++moves) {
      const Observation observation = env->observe(env->current_player());
      // Asked always, followed half the time.
      const Action action = agent->act(observation).action;
      ASSERT_TRUE(((env->legal_mask() >> action) & 1) != 0) << env->to_string(observation.player);
      env->step(rng.below(2) == 0 ? action : other.act(observation).action);
    }
  }
}

TEST_P(Players, RepeatThemselves) {
  const auto play = [&](const std::vector<std::unique_ptr<Agent>>& agents) {
    const auto env = game_->new_env();
    std::vector<Action> actions;
    env->reset(21);
    for (int seat = 0; seat < game_->players(); ++seat)
      agents[static_cast<std::size_t>(seat)]->reset(seat, static_cast<std::uint64_t>(seat));
    while (env->current_player() != kTerminal) {
      const Seat seat = env->current_player();
      actions.push_back(agents[static_cast<std::size_t>(seat)]->act(env->observe(seat)).action);
      env->step(actions.back());
    }
    return actions;
  };
  std::vector<std::unique_ptr<Agent>> agents, fresh;
  for (int seat = 0; seat < game_->players(); ++seat) {
    agents.push_back(factory_->make());
    fresh.push_back(factory_->make());
  }
  const std::vector<Action> first = play(agents);
  EXPECT_EQ(play(agents), first);
  EXPECT_EQ(play(fresh), first);
}

TEST_P(Players, PoliciesAreDistributionsOverTheLegalActions) {
  const auto env = game_->new_env();
  const auto agent = factory_->make();
  env->reset(5);
  agent->reset(0, 5);
  for (int moves = 0; env->current_player() != kTerminal && moves < 60; ++moves) {
    const Observation observation = env->observe(env->current_player());
    const auto policy = agent->policy(observation);
    const Action action = agent->act(observation).action;
    const std::vector<Action> legal = observation.legal_actions();
    ASSERT_TRUE(policy.has_value());
    ASSERT_EQ(policy->size(), legal.size());
    EXPECT_NEAR(std::accumulate(policy->begin(), policy->end(), 0.0), 1, 1e-12);
    for (std::size_t i = 0; i < legal.size(); ++i) {
      if (legal[i] == action) {
        EXPECT_GT((*policy)[i], 0);
      }
    }
    env->step(action);
  }
}

TEST_P(Players, RefuseToActOutOfTurn) {
  const auto env = game_->new_env();
  const auto agent = factory_->make();
  env->reset(5);
  agent->reset(0, 5);
  const Seat idle = (env->current_player() + 1) % game_->players();
  EXPECT_THROW(agent->act(env->observe(idle)), UsageError);
  EXPECT_THROW(agent->act(Observation{0, {1, 2, 3}, 7}), UsageError);
}

INSTANTIATE_TEST_SUITE_P(
    Ofc, Players,
    testing::Values(Player{"random", "ofc", 2000}, Player{"rule", "ofc", 500}, Player{"rule:expert", "ofc", 300},
                    Player{"rule:careful", "ofc", 200}, Player{"rule:bold", "ofc", 200},
                    Player{"random", "ofc[players=3]", 1000}, Player{"rule", "ofc[players=3]", 300},
                    Player{"rule:expert", "ofc[players=3]", 150}, Player{"rule:expert", "ofc[episode=hand]", 200},
                    Player{"rule:expert", "ofc[fantasyland.cards=17]", 200},
                    Player{"random", "ofc[players=3,episode=match,match.start_points=100]", 2},
                    Player{"rule", "ofc[players=3,episode=match,match.start_points=100,match.first_out_ends=true]", 2},
                    Player{"rule:expert", "ofc[episode=match,match.hands=20]", 8}));

// A random player is random outside Fantasyland only.
TEST(RandomPlayer, SetsFantasylandExactly) {
  const GamePtr game = make_game("ofc[players=3]");
  const GameRules& rules = as_ofc(*game)->rules();
  const auto agent = make_agents("random", game)->make();
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    State state;
    state.deal(rules, seed, {true, true, false}, 2);
    const CardSet cards = state.hand(0);
    agent->reset(0, seed);
    std::vector<float> data(static_cast<std::size_t>(game->observation_spec().size()));
    while (state.current_player() == 0) {
      state.observe(0, data.data());
      state.apply(agent->act({0, data, state.legal_mask()}).action);
    }
    const FantasylandGoal goal{.stay_value = usual_stay_value(rules, 2), .rows = nullptr, .rules = &rules.scoring};
    EXPECT_EQ(state.board(0), solve_fantasyland(cards, goal).board);
  }
}

TEST(RandomPlayer, TakesEveryActionEquallyOften) {
  const GamePtr game = make_game("ofc");
  const auto agent = make_agents("random", game)->make();
  const auto env = game->new_env();
  std::array<int, 3> times{};
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    env->reset(seed);
    agent->reset(0, derive(seed, 1));
    ++times[static_cast<std::size_t>(agent->act(env->observe(env->current_player())).action)];
  }
  // Five standard deviations.
  for (const int count : times) EXPECT_NEAR(count, 1000, 130);
}

}  // namespace
}  // namespace dealer::ofc::players_test
