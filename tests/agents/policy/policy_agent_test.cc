#include "agents/policy/policy_agent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "agents/agent_registry.h"
#include "agents/evaluator.h"
#include "agents/policy/softmax.h"
#include "env/core/env.h"
#include "env/core/error.h"
#include "env/core/random.h"
#include "tests/support/error_message.h"
#include "tests/support/temp_folder.h"

namespace dealer::policy_agent_test {
namespace {

PolicyNetwork random_network(const Game& game, std::uint64_t seed) {
  RandomStream rng(seed);
  PolicyNetwork network;
  network.value_unit = 2.5;
  for (int in = game.observation_spec().size(); const int out : {16, game.num_actions() + 1}) {
    PolicyNetwork::Layer layer{in, out, std::vector<float>(static_cast<std::size_t>(in * out)),
                               std::vector<float>(static_cast<std::size_t>(out))};
    for (float& x : layer.weight) x = rng.uniform() - 0.5F;
    for (float& x : layer.bias) x = rng.uniform() - 0.5F;
    network.layers.push_back(std::move(layer));
    in = out;
  }
  return network;
}

// What the network says, worked out slowly.
std::vector<double> outputs(const PolicyNetwork& network, const std::vector<float>& observation) {
  std::vector<double> x(observation.begin(), observation.end());
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const PolicyNetwork::Layer& layer = network.layers[i];
    std::vector<double> next(layer.bias.begin(), layer.bias.end());
    for (std::size_t k = 0; k < x.size(); ++k)
      for (std::size_t c = 0; c < next.size(); ++c)
        next[c] += (i == 0 ? x[k] : std::max(0.0, x[k])) * static_cast<double>(layer.weight[k * next.size() + c]);
    x = next;
  }
  return x;
}

TEST(MaskedSoftmax, IsOfTheLegalActionsAlone) {
  const float logits[] = {1, 50, 1 + std::log(3.0F), -2};
  float p[4];
  masked_softmax(logits, 0b0101, 4, 1, p);
  EXPECT_FLOAT_EQ(p[0], 0.25F);
  EXPECT_EQ(p[1], 0);
  EXPECT_FLOAT_EQ(p[2], 0.75F);
  EXPECT_EQ(p[3], 0);
  masked_softmax(logits, 0b0101, 4, 0.5F, p);
  EXPECT_FLOAT_EQ(p[0], 0.1F) << "odds of 9 to 1";
  masked_softmax(logits, 0b1101, 4, 0, p);
  EXPECT_EQ(p[2], 1);
  EXPECT_EQ(p[0] + p[3], 0);
}

TEST(MaskedSoftmax, ActionsArePickedByTheirShares) {
  const float p[] = {0.25F, 0, 0.5F, 0.25F};
  EXPECT_EQ(pick(p, 0b1101, 0), 0);
  EXPECT_EQ(pick(p, 0b1101, 0.2499F), 0);
  EXPECT_EQ(pick(p, 0b1101, 0.25F), 2);
  EXPECT_EQ(pick(p, 0b1101, 0.7499F), 2);
  EXPECT_EQ(pick(p, 0b1101, 0.75F), 3);
  EXPECT_EQ(pick(p, 0b1101, 1), 3) << "what rounding leaves over";
  const float certain[] = {1, 0};
  EXPECT_EQ(pick(certain, 0b11, 1), 0) << "never what has no probability";
}

TEST(Threshold, LeavesOutWhatIsUnlikely) {
  const auto after = [](std::vector<float> p, float threshold) {
    apply_threshold<float>(p, threshold);
    return p;
  };
  using Shares = std::vector<float>;
  EXPECT_EQ(after({0.0625F, 0, 0.1875F, 0.75F}, 0.125F), Shares({0, 0, 0.2F, 0.8F}));
  EXPECT_EQ(after({0.125F, 0, 0.125F, 0.75F}, 0.125F), Shares({0.125F, 0, 0.125F, 0.75F})) << "as likely";
  EXPECT_EQ(after({0.25F, 0.25F, 0.5F}, 1), Shares({0, 0, 1})) << "somebody must be left";
  EXPECT_EQ(after({0.5F, 0.5F}, 1), Shares({0.5F, 0.5F}));
}

// Of the model, unless the agent is given another.
TEST(PolicyAgent, DoesNotPlayBelowTheThreshold) {
  const GamePtr game = make_game("leduc");
  PolicyNetwork network = random_network(*game, 4);
  const auto env = game->new_env();
  env->reset(1);
  const Observation seen = env->observe(env->current_player());
  const auto policy = [&](std::optional<double> threshold) {
    return *make_policy_agents("test", std::make_shared<const PolicyNetwork>(network), game, 1, threshold)
                ->make()
                ->policy(seen);
  };
  const std::vector<double> whole = policy({});
  const double least = *std::min_element(whole.begin(), whole.end());
  ASSERT_GT(least, 0);
  network.threshold = least + 0.001;
  for (std::size_t i = 0; i < whole.size(); ++i)
    EXPECT_NEAR(policy({})[i], whole[i] == least ? 0 : whole[i] / (1 - least), 1e-6);
  EXPECT_EQ(policy(0), whole);
  const test::TempFolder folder;
  TensorFile file;
  store(network, *game, file);
  write_safetensors(folder / "model.safetensors", file);
  const std::string path = (folder / "model.safetensors").string();
  EXPECT_EQ(*make_agents(path, game)->make()->policy(seen), policy({}));
  EXPECT_EQ(*make_agents(path + "[threshold=0]", game)->make()->policy(seen), whole);
  EXPECT_NE(test::error_message<Error>([&] { make_agents(path + "[threshold=2]", game); }).find("threshold"),
            std::string::npos);
  file.metadata["threshold"] = "nan";
  write_safetensors(folder / "model.safetensors", file);
  EXPECT_NE(test::error_message<CheckpointError>([&] { make_agents(path, game); }).find("'threshold' is 'nan'"),
            std::string::npos);
  // Files from before there was one.
  file.metadata.erase("threshold");
  write_safetensors(folder / "model.safetensors", file);
  EXPECT_EQ(*make_agents(path, game)->make()->policy(seen), whole);
}

// Asked together they say what they say one by one.
TEST(PolicyAgent, TellsThePoliciesOfManyPositionsAtOnce) {
  const GamePtr game = make_game("leduc");
  const auto network = std::make_shared<const PolicyNetwork>(random_network(*game, 4));
  for (const AgentFactoryPtr& agents : {make_policy_agents("test", network, game), make_agents("rule", game)}) {
    const auto agent = agents->make();
    const auto evaluator = make_evaluator(*agents, *game);
    std::vector<Observation> seen;
    const auto env = game->new_env();
    for (std::uint64_t seed = 0; seed < 20; ++seed)
      for (env->reset(seed); !env->terminated(); env->step(1)) seen.push_back(env->observe(env->current_player()));
    std::vector<double> all(seen.size() * 3, -1);
    evaluator->evaluate(seen, all);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const std::vector<double> alone = *agent->policy(seen[i]);
      std::size_t next = 0;
      for (Action a = 0; a < 3; ++a) {
        const bool legal = (seen[i].legal_mask >> a & 1) != 0;
        EXPECT_NEAR(all[i * 3 + static_cast<std::size_t>(a)], legal ? alone[next++] : 0, 1e-6);
      }
    }
  }
}

TEST(PolicyAgent, PlaysWhatTheNetworkSays) {
  const GamePtr game = make_game("leduc");
  const auto network = std::make_shared<const PolicyNetwork>(random_network(*game, 4));
  const auto agent = make_policy_agents("test", network, game)->make();
  std::vector<int> count(3);
  const auto env = game->new_env();
  env->reset(1);
  const Observation seen = env->observe(env->current_player());
  const std::vector<double> out = outputs(*network, seen.data);
  EXPECT_NEAR(agent->value(seen).value(), 2.5 * out.back(), 1e-5);
  const std::vector<double> policy = agent->policy(seen).value();
  const std::vector<Action> legal = seen.legal_actions();
  ASSERT_EQ(policy.size(), legal.size());
  double sum = 0;
  for (const Action a : legal) sum += std::exp(out[static_cast<std::size_t>(a)]);
  for (std::size_t i = 0; i < legal.size(); ++i)
    EXPECT_NEAR(policy[i], std::exp(out[static_cast<std::size_t>(legal[i])]) / sum, 1e-6);
  constexpr int kDraws = 20'000;
  for (int i = 0; i < kDraws; ++i) {
    agent->reset(0, static_cast<std::uint64_t>(i));
    ++count[static_cast<std::size_t>(agent->act(seen).action)];
  }
  for (std::size_t i = 0; i < legal.size(); ++i)
    EXPECT_NEAR(count[static_cast<std::size_t>(legal[i])] / double{kDraws}, policy[i], 0.015);
  EXPECT_NEAR(std::accumulate(policy.begin(), policy.end(), 0.0), 1, 1e-12);
}

TEST(PolicyAgent, ManyTablesAreDecidedAsOne) {
  const GamePtr game = make_game("draw");
  const auto network = std::make_shared<const PolicyNetwork>(random_network(*game, 8));
  const AgentFactoryPtr factory = make_policy_agents("test", network, game);
  const auto batch = factory->make_batch(9);
  std::vector<std::unique_ptr<Agent>> single;
  std::vector<std::unique_ptr<Env>> env;
  for (std::uint64_t t = 0; t < 9; ++t) {
    single.push_back(factory->make());
    single.back()->reset(0, t);
    batch->reset(static_cast<int>(t), 0, t);
    env.push_back(game->new_env());
    env.back()->reset(t);
  }
  for (int step = 0; step < 30; ++step) {
    std::vector<Decision> decision(9);
    std::vector<Observation> seen(9);
    for (std::size_t t = 0; t < 9; ++t) {
      seen[t] = env[t]->observe(env[t]->current_player());
      batch->add(static_cast<int>(t), seen[t], decision[t]);
    }
    batch->flush();
    for (std::size_t t = 0; t < 9; ++t) {
      EXPECT_EQ(single[t]->act(seen[t]), decision[t]);
      if (env[t]->step(decision[t]).terminated) env[t]->reset(100 + static_cast<std::uint64_t>(step));
    }
  }
  Decision decision;
  EXPECT_THROW(batch->add(9, env[0]->observe(env[0]->current_player()), decision), UsageError);
}

class PolicyFiles : public testing::Test {
 protected:
  PolicyFiles() {
    store(random_network(*game_, 3), *game_, file_);
    file_.name = "a.safetensors";
  }
  std::string message(const TensorFile& file, const std::string& game = "leduc") {
    return test::error_message<CheckpointError>([&] { load_policy_network(file, make_game(game)); });
  }

  GamePtr game_ = make_game("leduc");
  TensorFile file_;
};

TEST_F(PolicyFiles, HoldTheNetwork) {
  const PolicyNetwork before = random_network(*game_, 3), after = load_policy_network(file_, game_);
  EXPECT_EQ(after.value_unit, before.value_unit);
  ASSERT_EQ(after.layers.size(), before.layers.size());
  for (std::size_t i = 0; i < after.layers.size(); ++i) {
    EXPECT_EQ(after.layers[i].weight, before.layers[i].weight);
    EXPECT_EQ(after.layers[i].bias, before.layers[i].bias);
  }
}

TEST_F(PolicyFiles, AreAgentsOfTheirGame) {
  const test::TempFolder folder;
  const auto path = folder / "leduc.safetensors";
  write_safetensors(path, file_);
  const AgentFactoryPtr sampled = make_agents(path.string(), game_);
  const AgentFactoryPtr greedy = make_agents(path.string() + "[temperature=0]", game_);
  const auto env = game_->new_env();
  env->reset(4);
  const Observation seen = env->observe(env->current_player());
  const std::vector<double> policy = sampled->make()->policy(seen).value(),
                            certain = greedy->make()->policy(seen).value();
  const auto best = std::max_element(policy.begin(), policy.end()) - policy.begin();
  EXPECT_EQ(certain[static_cast<std::size_t>(best)], 1);
  EXPECT_LT(policy[static_cast<std::size_t>(best)], 1);
  EXPECT_THROW(make_agents(path.string() + "[temperature=-1]", game_), ConfigError);
  EXPECT_THROW(make_agents(path.string() + "[heat=1]", game_), ConfigError);
}

TEST_F(PolicyFiles, OfSomethingElseAreRefused) {
  EXPECT_NE(message(file_, "kuhn").find("family 'leduc'"), std::string::npos) << message(file_, "kuhn");
  EXPECT_EQ(message(file_, "leduc[ranks=4]").substr(0, 34), "a.safetensors: the network has 48 ");
  EXPECT_NE(message(file_, "leduc[ranks=4]").find("; it was trained with ranks: 3, not 4"), std::string::npos)
      << message(file_, "leduc[ranks=4]");
  TensorFile bad = file_;
  bad.metadata["format"] = "else";
  EXPECT_NE(message(bad).find("no policy network"), std::string::npos);
  bad = file_;
  bad.metadata["facts"] = R"(["hand.strength"])";
  EXPECT_NE(message(bad).find("hand.strength"), std::string::npos);
  bad.metadata["facts"] = "{";
  EXPECT_NE(message(bad).find("facts"), std::string::npos);
  for (const char* unit : {"0", "-1", "inf", "nan", "x"}) {
    bad = file_;
    bad.metadata["value_unit"] = unit;
    EXPECT_NE(message(bad).find("value_unit"), std::string::npos) << unit;
  }
  bad = file_;
  bad.tensors["policy.0.weight"] = {{48, 1 << 13}, std::vector<float>(16)};
  EXPECT_NE(message(bad).find("policy.0.weight"), std::string::npos);
  bad = file_;
  bad.tensors.erase("policy.1.bias");
  EXPECT_NE(message(bad).find("policy.1.bias"), std::string::npos);
  bad = file_;
  std::get<std::vector<float>>(bad.tensors["policy.1.bias"].data)[0] = NAN;
  EXPECT_NE(message(bad).find("not finite"), std::string::npos);
  bad = file_;
  bad.tensors.erase("policy.1.weight");
  EXPECT_NE(message(bad).find("16 outputs; expected 4"), std::string::npos) << message(bad);
}

}  // namespace
}  // namespace dealer::policy_agent_test
