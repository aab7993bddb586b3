#include <fmt/format.h>

#include <algorithm>

#include "agents/policy/policy_network.h"
#include "env/core/error.h"
#include "tests/support/error_message.h"
#include "tests/support/temp_folder.h"
#include "tests/train/policy/kuhn_trainer.h"

namespace dealer::trainer_training_test {
namespace {

using test::iterate;
using test::Overrides;

constexpr auto trainer = [](const Overrides& overrides = {}, const std::string& game = "kuhn") {
  return test::policy_trainer(overrides, game);
};

TEST(PolicyTrainer, ComesCloseToTheEquilibriumOfKuhn) {
  const auto learner = trainer();
  const double before = test::kuhn_exploitability(*learner);
  EXPECT_GT(before, 0.3);
  while (!learner->done()) learner->iterate();
  EXPECT_LT(test::kuhn_exploitability(*learner), 0.06);
}

TEST(PolicyTrainer, ResumedEqualsUninterrupted) {
  for (const Overrides& overrides : std::vector<Overrides>{
           {},
           {"critic.sees=own", "critic.values=position", "learner.gradient=ppo", "learner.value_unit=0",
            "learner.magnet.first=0", "self_play.explore=0.1"},
           {"self_play.explore.first=0.3", "self_play.explore.last=0.1", "self_play.explore.shape=linear"},
           {"precision=fastest"},
           {"league.share=0.5", "league.every=2", "league.size=2", "league.choice=prioritised"},
           {"critic.facts=true"}}) {
    const std::string game = overrides == Overrides{"critic.facts=true"} ? "mini_draw" : "kuhn";
    const auto whole = trainer(overrides, game), part = trainer(overrides, game), rest = trainer(overrides, game);
    iterate(*whole, 7);
    iterate(*part, 4);
    rest->load(part->save());
    EXPECT_EQ(rest->iterations(), 4);
    EXPECT_EQ(rest->hands(), part->hands());
    iterate(*rest, 3);
    EXPECT_EQ(rest->save().tensors, whole->save().tensors);
    EXPECT_EQ(rest->save_model().metadata, whole->save_model().metadata);
  }
}

// Before any hand has ended, too.
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
  for (const char* change : {"seed=4",
                             "self_play.tables=63",
                             "self_play.steps=9",
                             "self_play.overlap=true",
                             "self_play.explore=0.2",
                             "network.hidden_sizes=[31]",
                             "critic.hidden_sizes=[31]",
                             "critic.sees=own",
                             "critic.ema_decay=0.9",
                             "critic.learning_rate.first=0.002",
                             "learner.batch=100",
                             "learner.epochs=1",
                             "learner.lambda=0.5",
                             "learner.value_unit=2",
                             "learner.gradient=ppo",
                             "learner.correction=0.5",
                             "learner.learning_rate.first=0.004",
                             "learner.learning_rate.shape=linear",
                             "learner.epsilon=0.001",
                             "learner.entropy.first=0.2",
                             "learner.magnet.first=0.3",
                             "learner.magnet_rate=0.5",
                             "learner.proximal.first=0.6",
                             "learner.value_weight=0.5",
                             "learner.max_gradient_norm=0.01",
                             "learner.ema_decay=0.5",
                             "learner.beta1=0.5",
                             "learner.beta2=0.9",
                             "league.share=0.25",
                             "league.every=2"})
    EXPECT_NE(after({change}), plain) << change;
  const auto no_limit = [](const std::string& change) {
    const auto learner =
        trainer({"self_play.tables=8", "learner.entropy.first=0.1", "workers=1", change}, "holdem[limit=no_limit]");
    iterate(*learner, 2);
    return learner->save_model().tensors;
  };
  EXPECT_NE(no_limit("base_policy=kinds"), no_limit("base_policy=actions"));
  EXPECT_NE(no_limit("self_play.redeals=4"), no_limit("self_play.redeals=0"));
  EXPECT_NE(no_limit("critic.facts=true"), no_limit("critic.facts=false"));
  EXPECT_EQ(after({"critic.facts=true"}), plain) << "Kuhn has none";
  EXPECT_NE(after({"self_play.exploring_starts=0.5"}), plain);
  EXPECT_NE(after({"self_play.exploring_starts=0.5", "self_play.start_decisions=1"}),
            after({"self_play.exploring_starts=0.5"}));
  EXPECT_NE(test::error_message<ConfigError>([] { trainer({"base_policy=kinds"}); }).find("of a kind"),
            std::string::npos);
  // Every course: what it comes to, and how.
  for (const char* course :
       {"learner.learning_rate", "critic.learning_rate", "learner.entropy", "learner.magnet", "learner.proximal"}) {
    const std::string key = course;
    const Overrides linear = {key + ".first=0.02", key + ".last=0.01", key + ".shape=linear"};
    EXPECT_EQ(after(linear), after(linear)) << course;
    EXPECT_NE(after(linear), after({linear[0], key + ".last=0.02", linear[2]})) << course;
    EXPECT_NE(after(linear), after({linear[0], linear[1], key + ".shape=exponential"})) << course;
  }
  EXPECT_NE(after({"self_play.explore.first=0.2", "self_play.explore.last=0.9", "self_play.explore.shape=linear"}),
            after({"self_play.explore=0.2"}));
  if (processor_multiplies_bfloat16()) {
    EXPECT_NE(after({"precision=bfloat16"}), plain);
  }
  EXPECT_EQ(after({"network.threshold=0.1"}), plain) << "self-play does without";
  // The clip counts where there is one.
  EXPECT_NE(after({"learner.gradient=ppo", "learner.clip=0.001"}), after({"learner.gradient=ppo"}));
  EXPECT_NE(
      after({"learner.gradient=ppo", "learner.clip.first=0.001", "learner.clip.last=9", "learner.clip.shape=linear"}),
      after({"learner.gradient=ppo", "learner.clip=0.001"}));
}

TEST(PolicyTrainer, RefusesCheckpointsOfAnotherRun) {
  const auto saved = [] {
    const auto learner = trainer();
    learner->iterate();
    return learner->save();
  }();
  const auto message = [&](const Overrides& overrides, const TensorFile& file) {
    return test::error_message<CheckpointError>([&] { trainer(overrides)->load(file); });
  };
  EXPECT_NE(message({"network.hidden_sizes=[16]"}, saved).find("policy.0.weight"), std::string::npos);
  EXPECT_FALSE(message({"self_play.tables=32"}, saved).empty());
  TensorFile other = saved;
  other.metadata["format"] = "dealer.ofc.afterstate_stakes.1";
  EXPECT_NE(message({}, other).find("no checkpoint of the algorithm ppo"), std::string::npos) << message({}, other);
  EXPECT_FALSE(message({"workers=3"}, saved).empty());
  TensorFile bad = saved;
  bad.tensors["trainer.progress"] = {{2}, std::vector<std::int64_t>{std::int64_t{1} << 50, 1}};
  EXPECT_NE(message({}, bad).find("cannot be"), std::string::npos);
  bad = saved;
  bad.tensors["trainer.unit"] = {{1}, std::vector<double>{-1}};
  EXPECT_NE(message({}, bad).find("trainer.unit"), std::string::npos);
  bad = saved;
  bad.tensors.erase("critic.updates");
  EXPECT_NE(message({}, bad).find("critic.updates"), std::string::npos);
}

TEST(PolicyTrainer, RefusesSettingsThatCannotBe) {
  const auto message = [](const std::string& assignment) {
    return test::error_message<ConfigError>([&] { trainer({assignment}); });
  };
  EXPECT_NE(message("critic.values=position").find("critic.values"), std::string::npos) << "all_actions needs them";
  EXPECT_NE(message("league.choice=best").find("prioritised"), std::string::npos);
  EXPECT_NE(test::error_message<ConfigError>([&] {
              trainer({"critic.facts=true", "network.facts=false"}, "mini_draw");
            }).find("network.facts: true"),
            std::string::npos);
  EXPECT_NE(message("learner.lamda=1").find("lambda"), std::string::npos);
}

// In the agents that are evaluated and in the one that is shipped.
TEST(PolicyTrainer, ShipsTheThreshold) {
  const auto learner = trainer({"network.threshold=1"}), plain = trainer();
  EXPECT_EQ(learner->save_model().metadata.at("threshold"), "1");
  const auto env = make_game("kuhn")->new_env();
  env->reset(1);
  const Observation seen = env->observe(env->current_player());
  const auto most = [&](const Trainer& of, std::size_t agent) {
    const std::vector<double> policy = *of.agents()[agent].second->make()->policy(seen);
    return std::max(policy[0], policy[1]);
  };
  for (const std::size_t agent : {0, 1}) {
    EXPECT_LT(most(*plain, agent), 0.9);
    EXPECT_EQ(most(*learner, agent), 1);
  }
}

TEST(PolicyTrainer, BeginsWithTheMeanOfSeveralModels) {
  const test::TempFolder folder;
  std::vector<TensorFile> models;
  for (const char* seed : {"seed=9", "seed=10"}) {
    const auto learner = trainer({seed});
    learner->iterate();
    models.push_back(learner->save_model());
    write_safetensors(folder / fmt::format("{}.safetensors", models.size()), models.back());
  }
  const TensorFile mean =
      trainer({fmt::format("start=[{0}/1.safetensors, {0}/2.safetensors]", folder.path().string())})->save_model();
  using Numbers = std::vector<float>;
  ASSERT_EQ(mean.tensors.size(), 4U);
  for (const auto& [name, tensor] : mean.tensors) {
    const auto numbers = [&](const TensorFile& file) { return std::get<Numbers>(file.tensors.at(name).data); };
    const Numbers own = std::get<Numbers>(tensor.data), first = numbers(models[0]), second = numbers(models[1]);
    EXPECT_NE(first, second) << name;
    for (std::size_t i = 0; i < own.size(); ++i)
      ASSERT_EQ(own[i], static_cast<float>((static_cast<double>(first[i]) + second[i]) / 2)) << name;
  }
  EXPECT_EQ(trainer({fmt::format("start=[{}/1.safetensors]", folder.path().string())})->save_model().tensors,
            models[0].tensors);
}

TEST(PolicyTrainer, BeginsWithTheWeightsOfAModel) {
  const auto first = trainer({"seed=9"});
  iterate(*first, 3);
  const test::TempFolder folder;
  const std::string file = (folder / "model.safetensors").string();
  write_safetensors(file, first->save_model());
  const auto second = trainer({"start=" + file});
  EXPECT_EQ(second->save_model().tensors, first->save_model().tensors);
  const TensorFile state = second->save();
  for (const char* kind : {"player.weights.", "player.averages.", "magnet."})
    EXPECT_EQ(state.get<float>(std::string(kind) + "policy.0.bias", {32}),
              first->save_model().get<float>("policy.0.bias", {32}))
        << kind;
  const auto message = [&](const Overrides& overrides) {
    return test::error_message<ConfigError>([&] { trainer(overrides); });
  };
  EXPECT_NE(message({"start=" + file, "network.hidden_sizes=[16]"}).find("32"), std::string::npos);
  EXPECT_FALSE(test::error_message<CheckpointError>([&] { trainer({"start=" + file}, "leduc"); }).empty());
}

// A member of a file is met from the first iteration on, and is there when a run goes on without the file.
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
  EXPECT_NE(message({with[0], with[2], "network.hidden_sizes=[16]"}).find("league.members"), std::string::npos);
  EXPECT_NE(message({with[2]}).find("league.share"), std::string::npos);
}

TEST(PolicyTrainer, TellsWhereTheTimeGoes) {
  const auto learner = trainer({"workers=1"});
  iterate(*learner, 5);
  const PolicyTrainerTimes& times = learner->times();
  for (const double part : {times.environment, times.inference, times.critic, times.gradients}) EXPECT_GT(part, 0);
  EXPECT_LE(times.environment + times.inference, times.playing);
  EXPECT_LE(times.critic, times.evaluating);
  EXPECT_LE(times.gradients, times.learning);
}

// Against an agent that does not learn: what always wins is found.
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
  EXPECT_NE(test::error_message<UsageError>([] { trainer({"against=nobody"}); }).find("nobody"), std::string::npos);
  EXPECT_NE(test::error_message<ConfigError>([] {
              trainer({"against=random", "league.share=0.5"});
            }).find("league.share: 0"),
            std::string::npos);
}

// Any number of players, any game.
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
