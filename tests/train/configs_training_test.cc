#include "env/core/data_dir.h"
#include "tests/support/testing.h"
#include "tests/support/tiers.h"
#include "train/compute.h"
#include "train/ranks.h"
#include "train/trainer.h"

namespace dealer::configs_training_test {
namespace {

Config load(const std::string& name) { return Config::load(data_path("configs/train/" + name + ".yaml")); }

// Keys read by train.cc.
void read_shared(Config& config) {
  config.get_string("name", "");
  Config checkpoint = config.section("checkpoint");
  checkpoint.get_int("every_hands", 0);
  checkpoint.get_int("keep", 0);
  Config evaluation = config.section("evaluation");
  for (const char* key : {"every_hands", "deals", "final_deals"}) evaluation.get_int(key, 0);
  evaluation.get_bool("exploitability", false);
  evaluation.get_string("ship", "");
  evaluation.get_strings("opponents", {});
}

TEST(TrainingConfigs, EachMakesALearnerThatLearns) {
  prepare_compute();
  for (const std::string& name : config_names("configs/train")) {
    SCOPED_TRACE(name);
    Config config = load(name);
    config.set("self_play.tables=2");
    if (config.get_string("algorithm", "") == "ppo") config.set("self_play.steps=4");
    const GamePtr game = make_game(config.get_string("game", ""));
    const auto learner = read_algorithm(config).make(config, game, single_rank());
    read_shared(config);
    EXPECT_NO_THROW(config.finish());
    // The long training of a game has the learner of the short one, with other numbers.
    if (name.ends_with("_default") && !test::all_tests()) continue;
    learner->iterate();
    EXPECT_EQ(learner->iterations(), 1);
  }
}

// A quick config for demonstration, and the one of the shipped agent.
TEST(TrainingConfigs, EveryGameHasOne) {
  std::set<std::string> games;
  for (const std::string& name : config_names("configs/train")) {
    Config config = load(name);
    games.insert(config.get_string("game", ""));
    if (name == "ofc_default" || !name.ends_with("_default")) continue;
    const std::string quick_name = name.substr(0, name.size() - std::string("_default").size());
    Config quick = load(quick_name);
    EXPECT_EQ(quick.get_string("game", ""), config.get_string("game", ""));
    EXPECT_EQ(quick.get_string("name", ""), quick_name);
    EXPECT_EQ(config.get_string("name", ""), name);
    EXPECT_LT(quick.get_int("hands", 0), config.get_int("hands", 0));
  }
  for (const std::string& game : game_names()) EXPECT_EQ(games.count(game), 1U) << game;
}

}  // namespace
}  // namespace dealer::configs_training_test
