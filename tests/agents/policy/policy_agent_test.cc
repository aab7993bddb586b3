#include "agents/policy/policy_agent.h"

#include "agents/agent_registry.h"
#include "agents/evaluator.h"
#include "agents/policy/policy_network.h"
#include "agents/policy/softmax.h"
#include "tests/support/play.h"
#include "tests/support/testing.h"

namespace dealer::policy_agent_test {
namespace {

PolicyNetwork random_network(const Game& game, std::uint64_t seed) {
  RandomStream rng(seed);
  PolicyNetwork network;
  network.value_unit = 2.5;
  for (int in = game.observation_spec().size(); const int out : {16, game.num_actions() + 1}) {
    PolicyNetwork::Layer layer{in, out, std::vector<float>(at(in * out)), std::vector<float>(at(out))};
    for (float& x : layer.weight) x = rng.uniform() - 0.5F;
    for (float& x : layer.bias) x = rng.uniform() - 0.5F;
    network.layers.push_back(std::move(layer));
    in = out;
  }
  return network;
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

TEST(PolicyAgent, DoesNotPlayBelowTheThreshold) {
  const GamePtr game = make_game("leduc");
  PolicyNetwork network = random_network(*game, 4);
  const Observation seen = test::first_decision(*game);
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
  EXPECT_TRUE(test::refuses<Error>("threshold", [&] { make_agents(path + "[threshold=2]", game); }));
  file.metadata["threshold"] = "nan";
  write_safetensors(folder / "model.safetensors", file);
  EXPECT_TRUE(test::refuses<CheckpointError>("'threshold' is 'nan'", [&] { make_agents(path, game); }));
  // Files of earlier versions have no threshold.
  file.metadata.erase("threshold");
  write_safetensors(folder / "model.safetensors", file);
  EXPECT_EQ(*make_agents(path, game)->make()->policy(seen), whole);
}

TEST(PolicyAgent, TellsThePoliciesOfManyPositionsAtOnce) {
  const GamePtr game = make_game("leduc");
  const auto network = std::make_shared<const PolicyNetwork>(random_network(*game, 4));
  for (const AgentFactoryPtr& agents : {make_policy_agents("test", network, game), make_agents("rule", game)}) {
    const auto agent = agents->make();
    const auto evaluator = make_evaluator(*agents, *game);
    std::vector<Observation> seen;
    const auto env = game->new_env();
    for (std::uint64_t seed = 0; seed < 20; ++seed)
      for (env->reset(seed); !env->terminated(); env->step(1)) seen.push_back(test::seen_at(*env));
    std::vector<double> all(seen.size() * 3, -1);
    evaluator->evaluate(seen, all);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      test::expect_policy(std::span(all).subspan(i * 3, 3), seen[i], *agent->policy(seen[i]), 1e-6);
    }
  }
}

TEST(PolicyAgent, PlaysWhatTheNetworkSays) {
  const GamePtr game = make_game("leduc");
  const auto network = std::make_shared<const PolicyNetwork>(random_network(*game, 4));
  const auto agent = make_policy_agents("test", network, game)->make();
  std::vector<int> count(3);
  const Observation seen = test::first_decision(*game);
  std::vector<float> out(at(game->num_actions()) + 1);
  network->relu_layers().forward(seen.data.data(), 1, out.data());
  EXPECT_NEAR(agent->value(seen).value(), 2.5 * static_cast<double>(out.back()), 1e-5);
  const std::vector<double> policy = agent->policy(seen).value();
  const std::vector<Action> legal = seen.legal_actions();
  ASSERT_EQ(policy.size(), legal.size());
  double sum = 0;
  for (const Action a : legal) sum += std::exp(out[at(a)]);
  for (std::size_t i = 0; i < legal.size(); ++i) EXPECT_NEAR(policy[i], std::exp(out[at(legal[i])]) / sum, 1e-6);
  constexpr int kDraws = 20'000;
  for (int i = 0; i < kDraws; ++i) {
    agent->reset(0, static_cast<std::uint64_t>(i));
    ++count[at(agent->act(seen).action)];
  }
  for (std::size_t i = 0; i < legal.size(); ++i) EXPECT_NEAR(count[at(legal[i])] / double{kDraws}, policy[i], 0.015);
  EXPECT_NEAR(std::accumulate(policy.begin(), policy.end(), 0.0), 1, 1e-12);
}

TEST(PolicyAgent, ManyTablesAreDecidedAsOne) {
  const GamePtr game = make_game("draw");
  const auto network = std::make_shared<const PolicyNetwork>(random_network(*game, 8));
  const AgentFactoryPtr factory = make_policy_agents("test", network, game);
  EXPECT_GT(test::expect_same_decisions(factory, *game, 9, 60), 150);
  Decision decision;
  const Observation seen = test::first_decision(*game);
  EXPECT_THROW(factory->make_batch(9)->add(9, seen, decision), UsageError);
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

TEST_F(PolicyFiles, HoldTheNetworkAndAreAgentsOfTheirGame) {
  const PolicyNetwork before = random_network(*game_, 3), after = load_policy_network(file_, game_);
  EXPECT_EQ(after.value_unit, before.value_unit);
  ASSERT_EQ(after.layers.size(), before.layers.size());
  for (std::size_t i = 0; i < after.layers.size(); ++i) {
    EXPECT_EQ(after.layers[i].weight, before.layers[i].weight);
    EXPECT_EQ(after.layers[i].bias, before.layers[i].bias);
  }
  const test::TempFolder folder;
  const std::string path = (folder / "leduc.safetensors").string();
  write_safetensors(path, file_);
  const Observation seen = test::first_decision(*game_, 4);
  const std::vector<double> policy = make_agents(path, game_)->make()->policy(seen).value(),
                            certain = make_agents(path + "[temperature=0]", game_)->make()->policy(seen).value();
  const auto best = at(std::max_element(policy.begin(), policy.end()) - policy.begin());
  EXPECT_EQ(certain[best], 1);
  EXPECT_LT(policy[best], 1);
  EXPECT_THROW(make_agents(path + "[temperature=-1]", game_), ConfigError);
  EXPECT_THROW(make_agents(path + "[heat=1]", game_), ConfigError);
}

TEST_F(PolicyFiles, OfSomethingElseAreRefused) {
  EXPECT_TRUE(test::has(message(file_, "kuhn"), "family 'leduc'"));
  const std::string wider = message(file_, "leduc[ranks=4]");
  EXPECT_TRUE(wider.starts_with("a.safetensors: the network has 48 ")) << wider;
  EXPECT_TRUE(test::has(wider, "; it was trained with ranks: 3, not 4"));
  const auto refused = [&](const auto& change) {
    TensorFile bad = file_;
    change(bad);
    return message(bad);
  };
  for (const auto& [key, value, why] :
       {std::tuple("format", "else", "no policy network"), std::tuple("facts", R"(["hand.strength"])", "hand.strength"),
        std::tuple("facts", "{", "facts"), std::tuple("value_unit", "0", "value_unit"),
        std::tuple("value_unit", "-1", "value_unit"), std::tuple("value_unit", "inf", "value_unit"),
        std::tuple("value_unit", "nan", "value_unit"), std::tuple("value_unit", "x", "value_unit")})
    EXPECT_TRUE(test::has(refused([&, k = key, v = value](TensorFile& bad) { bad.metadata[k] = v; }), why));
  const auto without = [&](const char* name) { return refused([&](TensorFile& bad) { bad.tensors.erase(name); }); };
  EXPECT_TRUE(test::has(without("policy.1.bias"), "policy.1.bias"));
  EXPECT_TRUE(test::has(without("policy.1.weight"), "16 outputs; expected 4"));
  TensorFile bad = file_;
  bad.tensors["policy.0.weight"] = {{48, 1 << 13}, std::vector<float>(16)};
  EXPECT_TRUE(test::has(message(bad), "policy.0.weight"));
  bad = file_;
  std::get<std::vector<float>>(bad.tensors["policy.1.bias"].data)[0] = NAN;
  EXPECT_TRUE(test::has(message(bad), "not finite"));
  bad = file_;
  for (const char* name : {"policy.0.weight", "policy.1.weight"}) {
    auto& weights = std::get<std::vector<float>>(bad.tensors[name].data);
    std::fill(weights.begin(), weights.end(), 3e38F);
  }
  EXPECT_TRUE(test::has(message(bad), "would not be finite"));
}

const char* const kTable = "washizu[players=2,ante=2,stack=20,tournament_chips=80]";

// By parts of both observations: the elements of the smaller one that the larger one contains.
std::vector<int> expected_places(const ObservationSpec& trained, const ObservationSpec& game) {
  std::vector<int> places;
  for (const ObservationPart& part : trained.parts()) {
    const ObservationPart& there = *game.find(part.name);
    for (int i = 0; i < part.size(); ++i) {
      int at = i;
      if (part.name == "history") {
        const int turn = part.shape[2] * part.shape[3], round = part.shape[1] * turn;
        at = i / round * there.shape[1] * turn + i % round;
      }
      places.push_back(there.offset + at);
    }
  }
  return places;
}

TEST(LongerHistory, LeavesOutTheTurnsThatWereNeverSeen) {
  const GamePtr trained = make_game("washizu[players=2]"), table = make_game(kTable);
  const ObservationSpec &small = trained->observation_spec(), &large = table->observation_spec();
  ASSERT_LT(small.find("history")->shape[1], large.find("history")->shape[1]);
  const std::vector<int> places = places_of_inputs(*table, trained->id().rules, small.size());
  EXPECT_EQ(places, expected_places(small, large));
  // In the same game, all of them.
  EXPECT_EQ(places_of_inputs(*trained, trained->id().rules, small.size()), expected_places(small, small));
}

TEST(LongerHistory, IsOfTheSameGameWithMoreChipsAlone) {
  const GamePtr trained = make_game("washizu[players=2]"), table = make_game(kTable);
  const std::string& rules = trained->id().rules;
  const int inputs = trained->observation_spec().size();
  EXPECT_TRUE(places_of_inputs(*make_game("washizu[players=4,tournament_chips=80]"), rules, inputs).empty());
  EXPECT_TRUE(places_of_inputs(*make_game("washizu[players=2,jokers=2,tournament_chips=80]"), rules, inputs).empty());
  EXPECT_TRUE(places_of_inputs(*make_game("kuhn"), rules, inputs).empty());
  EXPECT_TRUE(places_of_inputs(*table, rules, inputs - 1).empty()) << "no whole turn";
  EXPECT_TRUE(places_of_inputs(*table, rules, table->observation_spec().size() + 8).empty());
}

TEST(LongerHistory, OfANetworkWeighsNothing) {
  const GamePtr trained = make_game("washizu[players=2]"), table = make_game(kTable);
  const int inputs = trained->observation_spec().size(), out = trained->num_actions() + 1;
  PolicyNetwork network;
  PolicyNetwork::Layer layer{inputs, out, {}, std::vector<float>(at(out), 0.5F)};
  for (int i = 0; i < inputs * out; ++i) layer.weight.push_back(static_cast<float>(i + 1));
  network.layers.push_back(layer);
  TensorFile file;
  store(network, *trained, file);
  file.name = "a.safetensors";
  EXPECT_EQ(load_policy_network(file, trained).layers[0].weight, layer.weight);
  const PolicyNetwork::Layer wide = load_policy_network(file, table).layers[0];
  EXPECT_EQ(wide.in, table->observation_spec().size());
  EXPECT_EQ(wide.bias, layer.bias);
  const std::vector<int> places = places_of_inputs(*table, trained->id().rules, inputs);
  std::vector<float> weight(at(wide.in * out));
  for (std::size_t row = 0; row < places.size(); ++row)
    for (std::size_t column = 0; column < at(out); ++column)
      weight[at(places[row] * out) + column] = layer.weight[row * at(out) + column];
  EXPECT_EQ(wide.weight, weight);
  EXPECT_TRUE(test::refuses<CheckpointError>("; it was trained with players: 2, not 4", [&] {
    load_policy_network(file, make_game("washizu"));
  })) << "another number of players";
}

// The shipped networks have input features beside the observation, too.
TEST(LongerHistory, OfShippedNetworksIsPlayed) {
  const GamePtr named = make_game("washizu[players=2]"), table = make_game(kTable);
  const auto agent = make_agents("default", table, *named)->make();
  const auto env = table->new_env();
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    env->reset(seed, {.chips = {50, 30}});
    agent->reset(env->current_player(), seed);
    const std::vector<double> policy = agent->policy(test::seen_at(*env)).value();
    EXPECT_NEAR(std::accumulate(policy.begin(), policy.end(), 0.0), 1, 1e-6);
  }
}

}  // namespace
}  // namespace dealer::policy_agent_test
