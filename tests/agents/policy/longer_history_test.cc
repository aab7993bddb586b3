// Networks at tables with more chips than they were trained with.
#include <gtest/gtest.h>

#include "agents/agent_registry.h"
#include "agents/policy/policy_network.h"
#include "env/core/error.h"
#include "tests/support/error_message.h"

namespace dealer::longer_history_test {
namespace {

const char* const kTable = "washizu[players=2,ante=2,stack=20,tournament_chips=80]";

// By parts of both observations: all elements of the smaller where they are in the larger.
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
  // Of the same game, all.
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
  PolicyNetwork::Layer layer{inputs, out, {}, std::vector<float>(static_cast<std::size_t>(out), 0.5F)};
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
  std::vector<float> weight(static_cast<std::size_t>(wide.in * out));
  for (std::size_t row = 0; row < places.size(); ++row)
    for (std::size_t column = 0; column < static_cast<std::size_t>(out); ++column)
      weight[static_cast<std::size_t>(places[row] * out) + column] =
          layer.weight[row * static_cast<std::size_t>(out) + column];
  EXPECT_EQ(wide.weight, weight);
  EXPECT_NE(test::error_message<CheckpointError>([&] {
              load_policy_network(file, make_game("washizu"));
            }).find("; it was trained with players: 2, not 4"),
            std::string::npos)
      << "another number of players";
}

// The shipped ones have facts beside the observation, too.
TEST(LongerHistory, OfShippedNetworksIsPlayed) {
  const GamePtr named = make_game("washizu[players=2]"), table = make_game(kTable);
  const auto agent = make_agents("default", table, *named)->make();
  const auto env = table->new_env();
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    TableStart start;
    start.chips = {50, 30};
    env->reset(seed, start);
    agent->reset(env->current_player(), seed);
    const std::vector<double> policy = agent->policy(env->observe(env->current_player())).value();
    double sum = 0;
    for (const double p : policy) sum += p;
    EXPECT_NEAR(sum, 1, 1e-6);
  }
}

}  // namespace
}  // namespace dealer::longer_history_test
