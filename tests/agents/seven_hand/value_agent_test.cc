// Agents that choose whole turns by a network, and what the network sees.
#include "agents/seven_hand/value_agent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "agents/evaluator.h"
#include "agents/seven_hand/layings.h"
#include "env/core/registry.h"
#include "env/games/seven_hand/game.h"
#include "env/games/seven_hand/observation_parts.h"
#include "env/hands/hand_rank.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/error_message.h"
#include "tests/support/temp_folder.h"

namespace dealer::seven_hand::value_agent_test {
namespace {

SparseNet random_net(std::uint64_t seed, const std::vector<int>& widths = {16, 8}) {
  SparseNet net(feature::kCount, widths, kOutputs);
  RandomStream rng(seed);
  const auto fill = [&](auto& values, float scale) {
    for (float& x : values) x = scale * (2 * rng.uniform() - 1);
  };
  fill(net.sparse().weight, 0.5F);
  for (auto& layer : net.dense()) fill(layer.weight, 0.5F);
  return net;
}

class ValueAgents : public testing::Test {
 protected:
  // Calls f(state, view) wherever a turn begins, in random games.
  template <class F>
  void at_turns(int games, F f) {
    RandomStream rng(9);
    State state;
    for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(games); ++seed)
      for (state.reset(game_->rules(), seed); !state.hand_over();) {
        if (state.picked() == 0 || state.naming()) f(state, state.view(state.current_player()));
        state.apply(test::random_action(state.legal_mask(), rng));
      }
  }

  std::shared_ptr<const Game> game_ = std::dynamic_pointer_cast<const Game>(make_game("seven_hand"));
  std::shared_ptr<const ValueModel> model_ = std::make_shared<const ValueModel>(
      ValueModel{random_net(1), std::make_shared<const AfterstateFeatures>(game_->rules())});
};

TEST_F(ValueAgents, ValueEveryChoiceAsTheNetworkDoes) {
  TurnEvaluator evaluator(model_->net, *model_->features);
  ReluLayers layers = model_->net.layers();
  std::set<Feature> seen;
  std::int64_t choices = 0;
  at_turns(30, [&](const State& state, const View& view) {
    const std::span<const TurnChoice> valued = evaluator.value(view);
    choices += static_cast<std::int64_t>(valued.size());
    for (const TurnChoice& choice : valued) {
      const FeatureList list = evaluator.features(choice);
      std::set<Feature> active(list.active().begin(), list.active().end());
      ASSERT_EQ(active.size(), static_cast<std::size_t>(list.count)) << "a feature twice";
      ASSERT_LT(*active.rbegin(), feature::kCount);
      seen.merge(active);
      float expected = 0;
      model_->net.forward(list.active(), layers, &expected);
      ASSERT_NEAR(choice.value, expected, 1e-4F);
      const LegalMask needed = choice.cards != 0 ? choice.cards : LegalMask{1} << (kFirstChip + choice.chip);
      ASSERT_EQ(needed & ~state.legal_mask(), 0U);
    }
  });
  EXPECT_EQ(evaluator.evaluations(), choices);
  EXPECT_GT(seen.size(), 3000U);
}

// What the observer cannot see changes nothing.
TEST_F(ValueAgents, SeeNothingHidden) {
  TurnEvaluator evaluator(model_->net, *model_->features);
  RandomStream rng(4);
  at_turns(10, [&](const State& state, const View& view) {
    std::vector<float> observation(static_cast<std::size_t>(State::observation_spec(game_->rules()).size()));
    state.observe(state.current_player(), observation.data());
    const State other = State::Sampler(game_->rules(), observation).draw(rng);
    const auto values = [&](const View& seen) {
      std::vector<float> list;
      for (const TurnChoice& choice : evaluator.value(seen)) list.push_back(choice.value);
      return list;
    };
    ASSERT_EQ(values(view), values(other.view(state.current_player())));
  });
}

// Each part of an afterstate counts: with all weights of a part at zero but one, by hand.
TEST_F(ValueAgents, TellTheChipsAndTheHand) {
  State state;
  RandomStream rng(2);
  state.reset(game_->rules(), 3);
  while (!state.naming() || state.turns() < 5) state.apply(test::random_action(state.legal_mask(), rng));
  const View view = state.view(state.current_player());
  const AfterstateFeatures features(game_->rules());
  const auto common = features.common(view);
  int contested = 0;
  for (int chip = 0; chip < kChips; ++chip) {
    if (view.turn[1][static_cast<std::size_t>(chip)] != 0) continue;
    FeatureList list;
    features.add_choice(view, common, 0, chip, list);
    const auto between = [&](int begin, int end) {
      return std::count_if(list.active().begin(), list.active().end(),
                           [&](Feature f) { return f >= begin && f < end; });
    };
    const bool mine = view.turn[0][static_cast<std::size_t>(chip)] != 0;
    contested += mine ? 1 : 0;
    EXPECT_EQ(between(feature::kContested, feature::kOwner), mine ? 1 : 0);
    EXPECT_EQ(between(feature::kTriple, feature::kKeptCard), kChips - kAdjacent + 1);
    const int own =
        static_cast<int>(std::count_if(view.turn[0].begin(), view.turn[0].end(), [](int t) { return t > 0; }));
    const int shown =
        static_cast<int>(std::count_if(view.owner.begin(), view.owner.end(), [](int o) { return o != kNotYet; }));
    EXPECT_EQ(between(feature::kOwnAlone, feature::kOtherAlone), own - shown - (mine ? 1 : 0));
    EXPECT_EQ(between(feature::kOwner, feature::kTriple), shown);
  }
  EXPECT_GT(contested, 0);
}

TEST_F(ValueAgents, PlayTheBestWholeTurn) {
  const auto agents = make_value_agents("test", model_, game_);
  const auto agent = agents->make();
  TurnEvaluator evaluator(model_->net, *model_->features);
  const auto env = game_->new_env({});
  int last_turns = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    env->reset(seed);
    agent->reset(0, seed);
    CardSet expected = 0;
    while (env->current_player() != kTerminal) {
      const Observation seen = env->observe(env->current_player());
      const View view = State::decode(game_->rules(), seen.data);
      const Action action = agent->act(seen).action;
      if (view.naming) {
        ASSERT_EQ(action, kFirstChip + best_of(evaluator.value(view)).chip);
      } else {
        if (view.picked == 0) expected = best_of(evaluator.value(view)).cards;
        ASSERT_EQ(action, actions_of(expected & ~view.picked, view.hand).front());
        if (view.picked == 0 && std::count(view.turn[0].begin(), view.turn[0].end(), 0) == 1) {
          ++last_turns;
          ASSERT_EQ(expected, strongest_laying(view.hand));
        }
        if (view.picked == 0) {
          const double best = static_cast<double>(best_of(evaluator.value(view)).value);
          ASSERT_NEAR(agent->value(seen).value(), best, 1e-6);
        }
      }
      env->step(action);
    }
  }
  EXPECT_GT(last_turns, 5);
}

// One agent asked about many positions answers as a fresh one does, the same hand at another line included.
TEST_F(ValueAgents, RememberNoOtherPosition) {
  const auto agents = make_value_agents("test", model_, game_);
  const auto agent = agents->make();
  agent->reset(0, 1);
  const auto act = [&](Agent& who, const State& state, int own_count) {
    Observation seen{state.current_player(), {}, state.legal_mask()};
    seen.data.resize(static_cast<std::size_t>(State::observation_spec(game_->rules()).size()));
    state.observe(seen.player, seen.data.data());
    // Another number of cards of the opponent at its chips.
    for (int chip = 0; chip < kChips; ++chip)
      if (float& count = seen.data[static_cast<std::size_t>(part::kCount + kChips + chip)]; count > 0)
        count = static_cast<float>(own_count) / kMostLaid;
    return who.act(seen).action;
  };
  int differ = 0;
  at_turns(40, [&](const State& state, const View& view) {
    if (view.naming) return;
    const Action few = act(*agent, state, 1), many = act(*agent, state, kMostLaid);
    EXPECT_EQ(few, act(*agents->make(), state, 1));
    EXPECT_EQ(many, act(*agents->make(), state, kMostLaid));
    differ += few != many ? 1 : 0;
  });
  EXPECT_GT(differ, 5);
}

TEST_F(ValueAgents, ValueTheTurnThatWasPlayed) {
  const auto evaluator = make_evaluator(*make_value_agents("test", model_, game_), *game_);
  ASSERT_TRUE(evaluator->attributes().action_values);
  const auto env = game_->new_env({});
  RandomStream rng(8);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    env->reset(seed);
    while (env->current_player() != kTerminal) {
      const Observation seen = env->observe(env->current_player());
      const View view = State::decode(game_->rules(), seen.data);
      // Any two cards of the hand, or any chip.
      std::vector<Action> given = {test::random_action(env->legal_mask(), rng)};
      if (!view.naming && given[0] != kStop) given = actions_of(bit(static_cast<Card>(given[0])), view.hand);
      const ActionValues values = evaluator->action_values(seen, given, 1);
      ASSERT_EQ(values.choices[values.given].actions, given);
      ASSERT_TRUE(std::is_sorted(values.choices.begin(), values.choices.end(),
                                 [](const ChoiceValue& a, const ChoiceValue& b) { return a.value > b.value; }));
      ASSERT_GE(values.difference.value(), 0);
      for (const Action action : given) env->step(action);
    }
  }
}

TEST_F(ValueAgents, AreReadAsTheyWereWritten) {
  const test::TempFolder folder;
  const auto path = folder.path() / "model.safetensors";
  TensorFile file;
  store_net(model_->net, file);
  write_safetensors(path, file);
  const SparseNet read = load_net(read_safetensors(path));
  EXPECT_EQ(read.sparse().weight, model_->net.sparse().weight);
  EXPECT_EQ(read.dense()[1].weight, model_->net.dense()[1].weight);
  EXPECT_EQ(make_agents(path.string(), game_)->make()->explain(game_->new_env({})->observe(0)).empty(), false);

  file.name = "file";
  const auto refused = [&](auto change) {
    TensorFile bad = file;
    change(bad);
    return test::error_message<CheckpointError>([&] { load_net(bad); });
  };
  EXPECT_EQ(refused([](TensorFile& bad) { bad.metadata["format"] = "other"; }),
            "file: no trained 7-Hand player: expected the format 'dealer.seven_hand.afterstate_values.1', got 'other'");
  EXPECT_NE(refused([](TensorFile& bad) { bad.tensors.erase("dense.0.weight"); }).find("'dense.0.weight' is missing"),
            std::string::npos);
  EXPECT_NE(refused([](TensorFile& bad) {
              std::get<std::vector<float>>(bad.tensors["dense.1.bias"].data)[0] = INFINITY;
            }).find("not finite"),
            std::string::npos);
  EXPECT_THROW(make_value_agents("test", model_, make_game("kuhn")), UsageError);
}

}  // namespace
}  // namespace dealer::seven_hand::value_agent_test
