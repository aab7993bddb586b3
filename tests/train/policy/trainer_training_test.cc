#include <chrono>
#include <sstream>

#include "agents/policy/policy_network.h"
#include "tests/support/testing.h"
#include "tests/train/policy/kuhn_trainer.h"

namespace dealer::trainer_training_test {
namespace {

using test::iterate;
using test::Overrides;

constexpr auto trainer = [](const Overrides& overrides = {}, const std::string& game = "kuhn") {
  return test::policy_trainer(overrides, game);
};

TEST(PolicyTrainer, ComesCloseToTheEquilibriumOfKuhn) {
  for (const char* overlap : {"self_play.overlap=false", "self_play.overlap=true"}) {
    const auto learner = trainer({overlap});
    EXPECT_GT(test::kuhn_exploitability(*learner), 0.3);
    while (!learner->done()) learner->iterate();
    EXPECT_LT(test::kuhn_exploitability(*learner), 0.06) << overlap;
  }
}

TEST(PolicyTrainer, ResumedEqualsUninterrupted) {
  for (const Overrides& own :
       std::vector<Overrides>{{},
                              {"workers=1"},
                              {"critic.sees=own", "critic.values=position", "learner.gradient=ppo",
                               "learner.value_unit=0", "learner.magnet.first=0", "self_play.explore=0.1"},
                              {"self_play.explore.first=0.9", "self_play.explore.last=0.1",
                               "self_play.explore.shape=linear", "hands=6000"},
                              {"self_play.exploring_starts=0.5"},
                              {"precision=fastest"},
                              {"league.share=0.5", "league.every=2", "league.size=2", "league.choice=prioritised"},
                              {"league.share=0.5", "league.every=1", "league.size=1", "learner.value_unit=0"},
                              {"against=random"},
                              {"critic.input_features=true"}})
    for (const auto& [overlap, stop] : {std::pair("false", 4), std::pair("true", 1), std::pair("true", 4)}) {
      Overrides overrides = own;
      overrides.push_back(std::string("self_play.overlap=") + overlap);
      const std::string game = own == Overrides{"critic.input_features=true"} ? "mini_draw" : "kuhn";
      const auto whole = trainer(overrides, game), part = trainer(overrides, game), rest = trainer(overrides, game);
      iterate(*whole, 7);
      iterate(*part, stop);
      rest->load(part->save());
      EXPECT_EQ(rest->iterations(), stop);
      EXPECT_EQ(rest->hands(), part->hands());
      EXPECT_EQ(rest->save().tensors, part->save().tensors);
      iterate(*rest, 7 - stop);
      EXPECT_EQ(rest->save().tensors, whole->save().tensors);
      EXPECT_EQ(rest->hands(), whole->hands());
      EXPECT_EQ(rest->save_model().metadata, whole->save_model().metadata);
      EXPECT_EQ(part->times().decisions + rest->times().decisions, whole->times().decisions) << "nothing counts twice";
    }
}

TEST(PolicyTrainer, GoesOnInTheMiddleOfTheFirstHand) {
  const Overrides overrides = {"self_play.tables=2", "self_play.steps=2", "workers=1"};
  const auto part = trainer(overrides, "seven_hand"), rest = trainer(overrides, "seven_hand");
  part->iterate();
  EXPECT_EQ(part->hands(), 0);
  rest->load(part->save());
  EXPECT_EQ(rest->iterations(), 1);
}

TEST(PolicyTrainer, EveryKeyChangesWhatIsLearned) {
  const auto after = [](const Overrides& overrides) {
    Overrides all = {"learner.entropy.first=0.1", "learner.proximal.first=0.5", "league.share=0.5", "league.every=1"};
    for (const std::string& own : overrides) {
      const std::string key = own.substr(0, own.find('=') + 1);
      std::erase_if(all, [&](const std::string& given) { return given.starts_with(key); });
      all.push_back(own);
    }
    const auto learner = trainer(all);
    iterate(*learner, 3);
    return learner->save_model().tensors;
  };
  const auto plain = after({});
  EXPECT_EQ(after({}), plain);
  std::istringstream changes(
      "seed=4 self_play.tables=63 self_play.steps=9 self_play.overlap=true self_play.explore=0.2 "
      "network.hidden_sizes=[31] critic.hidden_sizes=[31] critic.sees=own critic.ema_decay=0.9 "
      "critic.learning_rate.first=0.002 learner.batch=100 learner.epochs=1 learner.lambda=0.5 learner.value_unit=2 "
      "learner.gradient=ppo learner.correction=0.5 learner.learning_rate.first=0.004 "
      "learner.learning_rate.shape=linear learner.epsilon=0.001 learner.entropy.first=0.2 learner.magnet.first=0.3 "
      "learner.magnet_rate=0.5 learner.proximal.first=0.6 learner.value_weight=0.5 learner.max_gradient_norm=0.01 "
      "learner.ema_decay=0.5 learner.beta1=0.5 learner.beta2=0.9 league.share=0.25 league.every=2");
  for (std::string change; changes >> change;) EXPECT_NE(after({change}), plain) << change;
  const auto no_limit = [](const std::string& change) {
    const auto learner =
        trainer({"self_play.tables=8", "learner.entropy.first=0.1", "workers=1", change}, "holdem[limit=no_limit]");
    iterate(*learner, 2);
    return learner->save_model().tensors;
  };
  EXPECT_NE(no_limit("base_policy=kinds"), no_limit("base_policy=actions"));
  EXPECT_NE(no_limit("self_play.runouts=4"), no_limit("self_play.runouts=0"));
  EXPECT_NE(no_limit("critic.input_features=true"), no_limit("critic.input_features=false"));
  EXPECT_EQ(no_limit("critic.facts=false"), no_limit("critic.input_features=false")) << "the old name";
  EXPECT_EQ(no_limit("self_play.redeals=4"), no_limit("self_play.runouts=4")) << "the old name";
  EXPECT_EQ(after({"critic.input_features=true"}), plain) << "Kuhn has none";
  EXPECT_NE(after({"self_play.exploring_starts=0.5"}), plain);
  EXPECT_NE(after({"self_play.exploring_starts=0.5", "self_play.start_decisions=1"}),
            after({"self_play.exploring_starts=0.5"}));
  EXPECT_TRUE(test::refuses<ConfigError>("of one kind", [] { trainer({"base_policy=kinds"}); }));
  // Every schedule: its values, and their formula.
  for (const char* history :
       {"learner.learning_rate", "critic.learning_rate", "learner.entropy", "learner.magnet", "learner.proximal"}) {
    const std::string key = history;
    const Overrides linear = {key + ".first=0.02", key + ".last=0.01", key + ".shape=linear"};
    EXPECT_EQ(after(linear), after(linear)) << history;
    EXPECT_NE(after(linear), after({linear[0], key + ".last=0.02", linear[2]})) << history;
    EXPECT_NE(after(linear), after({linear[0], linear[1], key + ".shape=exponential"})) << history;
  }
  EXPECT_NE(after({"self_play.explore.first=0.2", "self_play.explore.last=0.9", "self_play.explore.shape=linear"}),
            after({"self_play.explore=0.2"}));
  if (processor_multiplies_bfloat16()) {
    EXPECT_NE(after({"precision=bfloat16"}), plain);
  }
  EXPECT_EQ(after({"network.threshold=0.1"}), plain) << "self-play does without";
  // The clip matters where it is used.
  EXPECT_NE(after({"learner.gradient=ppo", "learner.clip=0.001"}), after({"learner.gradient=ppo"}));
  EXPECT_NE(
      after({"learner.gradient=ppo", "learner.clip.first=0.001", "learner.clip.last=9", "learner.clip.shape=linear"}),
      after({"learner.gradient=ppo", "learner.clip=0.001"}));
}

TEST(PolicyTrainer, RefusesCheckpointsOfAnotherRun) {
  const auto learner = trainer();
  learner->iterate();
  const TensorFile saved = learner->save();
  const auto load = [](const Overrides& overrides, const TensorFile& file) {
    return [=] { trainer(overrides)->load(file); };
  };
  EXPECT_TRUE(test::refuses<CheckpointError>("policy.0.weight", load({"network.hidden_sizes=[16]"}, saved)));
  EXPECT_TRUE(test::refuses<CheckpointError>("", load({"self_play.tables=32"}, saved)));
  EXPECT_TRUE(test::refuses<CheckpointError>("", load({"workers=3"}, saved)));
  TensorFile bad = saved;
  bad.metadata["format"] = "dealer.ofc.afterstate_stakes.1";
  EXPECT_TRUE(test::refuses<CheckpointError>("no checkpoint of the algorithm ppo", load({}, bad)));
  bad = saved;
  bad.tensors["trainer.progress"] = {{2}, std::vector<std::int64_t>{std::int64_t{1} << 50, 1}};
  EXPECT_TRUE(test::refuses<CheckpointError>("is impossible", load({}, bad)));
  bad = saved;
  bad.tensors["trainer.unit"] = {{1}, std::vector<double>{-1}};
  EXPECT_TRUE(test::refuses<CheckpointError>("trainer.unit", load({}, bad)));
  bad = saved;
  bad.tensors.erase("critic.updates");
  EXPECT_TRUE(test::refuses<CheckpointError>("critic.updates", load({}, bad)));
}

// An iteration is not longer than the training: every table plays its share of the hands.
TEST(PolicyTrainer, PlaysNoMoreThanItsHands) {
  for (const char* overlap : {"false", "true"}) {
    const auto learner = trainer({"hands=10", "self_play.tables=8", "self_play.steps=1000", "workers=1",
                                  std::string("self_play.overlap=") + overlap});
    while (!learner->done()) learner->iterate();
    EXPECT_GE(learner->hands(), 10);
    EXPECT_LT(learner->hands(), 10 + 8);
    EXPECT_EQ(learner->iterations(), 1);
  }
}

TEST(PolicyTrainer, RefusesWhatTheMachineHasNoMemoryFor) {
  EXPECT_TRUE(test::refuses<UsageError>("self-play by 256 workers with 65536 tables of 16384 steps each needs", [] {
    trainer({"workers=256", "self_play.tables=65536", "self_play.steps=16384"});
  }));
  EXPECT_GT(trainer({"self_play.tables=64"})->memory(), 1.9 * trainer({"self_play.tables=32"})->memory());
}

TEST(PolicyTrainer, RefusesSettingsThatCannotBe) {
  const auto message = [](const std::string& assignment) {
    return test::error_message<ConfigError>([&] { trainer({assignment}); });
  };
  EXPECT_TRUE(test::has(message("critic.values=position"), "critic.values")) << "all_actions needs them";
  EXPECT_TRUE(test::has(message("league.choice=best"), "prioritised"));
  EXPECT_TRUE(test::refuses<ConfigError>("network.input_features: true", [&] {
    trainer({"critic.input_features=true", "network.input_features=false"}, "mini_draw");
  }));
  EXPECT_TRUE(test::has(message("learner.lamda=1"), "lambda"));
}

TEST(PolicyTrainer, ShipsTheThreshold) {
  const auto learner = trainer({"network.threshold=1"}), plain = trainer();
  EXPECT_EQ(learner->save_model().metadata.at("threshold"), "1");
  const Observation seen = test::first_decision(*make_game("kuhn"));
  const auto most = [&](const Trainer& of, std::size_t agent) {
    const std::vector<double> policy = *of.agents()[agent].second->make()->policy(seen);
    return std::max(policy[0], policy[1]);
  };
  for (const std::size_t agent : {0, 1}) {
    EXPECT_LT(most(*plain, agent), 0.9);
    EXPECT_EQ(most(*learner, agent), 1);
  }
}

TEST(PolicyTrainer, BeginsWithTheWeightsOfAModelOrTheMeanOfSeveral) {
  const test::TempFolder folder;
  std::vector<TensorFile> models;
  for (const char* seed : {"seed=9", "seed=10"}) {
    const auto learner = trainer({seed});
    learner->iterate();
    models.push_back(learner->save_model());
    write_safetensors(folder / fmt::format("{}.safetensors", models.size()), models.back());
  }
  const std::string first = "start=" + (folder / "1.safetensors").string();
  for (const std::string& start : {first, fmt::format("start=[{}/1.safetensors]", folder.path().string())}) {
    const auto begun = trainer({start});
    EXPECT_EQ(begun->save_model().tensors, models[0].tensors);
    const TensorFile state = begun->save();
    for (const char* kind : {"player.weights.", "player.averages.", "magnet."})
      EXPECT_EQ(state.get<float>(std::string(kind) + "policy.0.bias", {32}),
                models[0].get<float>("policy.0.bias", {32}))
          << kind;
  }
  const TensorFile mean =
      trainer({fmt::format("start=[{0}/1.safetensors, {0}/2.safetensors]", folder.path().string())})->save_model();
  ASSERT_EQ(mean.tensors.size(), 4U);
  for (const auto& [name, tensor] : mean.tensors) {
    const auto numbers = [&](const TensorFile& file) {
      return std::get<std::vector<float>>(file.tensors.at(name).data);
    };
    const auto own = numbers(mean), one = numbers(models[0]), two = numbers(models[1]);
    EXPECT_NE(one, two) << name;
    for (std::size_t i = 0; i < own.size(); ++i)
      ASSERT_EQ(own[i], static_cast<float>((static_cast<double>(one[i]) + two[i]) / 2)) << name;
  }
  EXPECT_TRUE(test::refuses<ConfigError>("32", [&] { trainer({first, "network.hidden_sizes=[16]"}); }));
  EXPECT_TRUE(test::refuses<CheckpointError>("", [&] { trainer({first}, "leduc"); }));
}

// A member from a file plays from the first iteration on, and is still there when a run is resumed without the file.
TEST(PolicyTrainer, MeetsTheMembersItIsGiven) {
  const auto other = trainer({"seed=9"});
  iterate(*other, 3);
  const test::TempFolder folder;
  const std::string file = (folder / "model.safetensors").string();
  write_safetensors(file, other->save_model());
  const Overrides with = {"league.share=0.5", "league.every=1000", "league.members=[\"" + file + "\"]"};
  const auto learner = trainer(with), alone = trainer({"league.share=0.5", "league.every=1000"});
  EXPECT_EQ(learner->save().get<float>("league.0.0.bias", {32}), other->save_model().get<float>("policy.0.bias", {32}));
  learner->iterate();
  alone->iterate();
  EXPECT_NE(learner->save_model().tensors, alone->save_model().tensors);
  EXPECT_EQ(learner->save().get<double>("league.results", {1, 2})[1], 1) << "nobody met it";
  const auto rest = trainer(with);
  rest->load(learner->save());
  rest->iterate();
  learner->iterate();
  EXPECT_EQ(rest->save().tensors, learner->save().tensors);
  const auto message = [&](const Overrides& overrides) {
    return test::error_message<ConfigError>([&] { trainer(overrides); });
  };
  EXPECT_TRUE(test::has(message({with[0], with[2], "network.hidden_sizes=[16]"}), "league.members"));
  EXPECT_TRUE(test::has(message({with[2]}), "league.share"));
}

TEST(PolicyTrainer, TellsWhereTheTimeGoes) {
  for (const bool overlap : {false, true}) {
    const auto learner = trainer({"workers=1", overlap ? "self_play.overlap=true" : "self_play.overlap=false"});
    const auto start = std::chrono::steady_clock::now();
    iterate(*learner, 5);
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const PolicyTrainerTimes& times = learner->times();
    for (const double part : {times.environment, times.inference, times.critic, times.gradients}) EXPECT_GT(part, 0);
    EXPECT_TRUE(overlap || times.environment + times.inference <= times.playing);
    EXPECT_LE(times.playing + times.evaluating + times.learning, elapsed);
    EXPECT_GT(times.playing + times.evaluating + times.learning, 0.5 * elapsed);
    EXPECT_LE(times.critic, times.evaluating);
    EXPECT_LE(times.gradients, times.learning);
  }
}

// Against a fixed agent: learning finds the winning strategy.
TEST(PolicyTrainer, LearnsToBeatAnAgent) {
  const auto learner = trainer({"against=random", "learner.magnet.first=0", "hands=20000"});
  double before = 0, after = 0;
  for (int i = 0; !learner->done(); ++i) {
    learner->iterate();
    for (const auto& [name, value] : learner->take_report().metrics)
      if (name == "league/result") (i < 5 ? before : after) = value;
  }
  EXPECT_LT(before, 0.25);
  // A best response wins 0.5 chips a hand as first and 0.417 as second (dealer exploitability kuhn --agent random).
  EXPECT_GT(after, before + 0.1);
  EXPECT_GT(after, 0.3);
  EXPECT_TRUE(test::refuses<UsageError>("nobody", [] { trainer({"against=nobody"}); }));
  EXPECT_TRUE(test::refuses<ConfigError>("league.share: 0", [] { trainer({"against=random", "league.share=0.5"}); }));
}

TEST(PolicyTrainer, LearnsEveryGame) {
  for (const std::string name : {"draw", "court_tarot[players=3]", "stud", "holdem", "washizu", "ofc", "mini_draw"}) {
    const auto learner = trainer({"self_play.tables=16", "hands=200"}, name);
    // A hand of OFC takes more decisions than one iteration has.
    iterate(*learner, 8);
    EXPECT_GT(learner->hands(), 0) << name;
    const GamePtr game = make_game(name);
    const TensorFile model = learner->save_model();
    EXPECT_EQ(load_policy_network(model, game).actions(), game->num_actions());
  }
}

}  // namespace
}  // namespace dealer::trainer_training_test
