#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "agents/nn/checkpoints.h"
#include "agents/nn/safetensors.h"
#include "env/core/registry.h"
#include "env/core/version.h"
#include "tests/cli/run_dealer.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"

namespace dealer::train_test {
namespace {

namespace fs = std::filesystem;
using test::contains;
using test::ProgramResult;
using test::run_dealer;
using test::run_here;

constexpr const char* kConfig = R"(
algorithm: afterstate_td
game: ofc
hands: 300
workers: 1
self_play: {tables: 8, turns_per_iteration: 20}
learner: {hidden_sizes: [16, 8], batch: 64}
checkpoint: {every_hands: 100, keep: 5}
evaluation: {every_hands: 150, deals: 2, final_deals: 3, opponents: [random, rule]}
)";

class Train : public testing::Test {
 protected:
  Train() { test::write_bytes(config_, kConfig); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  // Trains into a folder of that name; the JSON of the result.
  nlohmann::json train(const std::string& run, const std::string& more = "") const {
    const ProgramResult result = run_dealer("train " + config_ + ' ' + more + " --out " + path(run) + " --json");
    EXPECT_EQ(result.status, 0) << result.err;
    return nlohmann::json::parse(result.out, nullptr, false);
  }

  static std::vector<nlohmann::json> metrics(const fs::path& run) {
    std::vector<nlohmann::json> lines;
    std::istringstream text(test::read_bytes(run / "metrics.jsonl"));
    for (std::string line; std::getline(text, line);) lines.push_back(nlohmann::json::parse(line));
    return lines;
  }

  const test::TempFolder folder_;
  const std::string config_ = path("tiny.yaml");
};

TEST_F(Train, ReportsTheRunAndItsMatches) {
  const nlohmann::json result = train("run");
  EXPECT_EQ(result["run"], path("run"));
  EXPECT_EQ(result["model"], path("run") + "/model.safetensors");
  EXPECT_EQ(result["interrupted"], false);
  EXPECT_GE(result["hands"], 300);
  ASSERT_EQ(result["matches"].size(), 2U);
  for (const char* opponent : {"random", "rule"}) {
    const nlohmann::json& match = result["matches"][opponent];
    EXPECT_EQ(match["agents"], nlohmann::json({"trained", opponent}));
    EXPECT_EQ(match["hands"], 3);
    EXPECT_EQ(match["unit"], "points/hand");
    EXPECT_EQ(match["mean"][0].get<double>(), -match["mean"][1].get<double>());
  }
}

TEST_F(Train, LeavesARunFolder) {
  const nlohmann::json result = train("run", "seed=7 hands=250");
  const fs::path run = path("run");
  EXPECT_TRUE(contains(test::read_bytes(run / "config.yaml"), "\nseed: 7\n"));
  EXPECT_TRUE(contains(test::read_bytes(run / "config.yaml"), "\nhands: 250\n"));
  const auto lines = metrics(run);
  ASSERT_FALSE(lines.empty());
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) EXPECT_EQ(lines[i]["step"], i + 1);
  EXPECT_EQ(lines.back()["step"], lines.size() - 1) << "the final results belong to the last step";
  EXPECT_TRUE(lines.back().contains("final/random") && lines.back().contains("final/rule_ci95"));
  EXPECT_EQ(lines.back()["hands"], result["hands"]);
  const auto evaluated = [](const nlohmann::json& line) { return line.contains("match/rule"); };
  EXPECT_EQ(std::count_if(lines.begin(), lines.end(), evaluated), 1) << "at 150 hands";
  const auto checkpoints = list_checkpoints(run);
  ASSERT_EQ(checkpoints.size(), 3U) << "at 100 and 200 hands and at the end";
  EXPECT_EQ(checkpoints.front().step, static_cast<std::int64_t>(lines.size() - 1));
  EXPECT_TRUE(contains(test::read_bytes(run / "log.txt"), "points a hand against rule"));
  const auto is_events = [](const fs::directory_entry& entry) {
    return entry.path().filename().string().starts_with("events.out.tfevents.") && entry.file_size() > 0;
  };
  EXPECT_EQ(std::count_if(fs::directory_iterator(run), fs::directory_iterator(), is_events), 1);
  // The run, its newest checkpoint and its model are one player.
  for (const fs::path& agent : {run / "model.safetensors", checkpoints.front().path}) {
    const ProgramResult match =
        run_here({"match", run.string(), agent.string(), "--hands", "5", "--seed", "1", "--json"});
    ASSERT_EQ(match.status, 0) << match.err;
    EXPECT_EQ(nlohmann::json::parse(match.out)["mean"], nlohmann::json({0.0, 0.0}));
  }
}

TEST_F(Train, TheSummaryIsForPeople) {
  const ProgramResult result = run_dealer("train " + config_ + " evaluation.final_deals=0 --out " + path("run"));
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.out, path("run") + "/model.safetensors")) << result.out;
  EXPECT_THROW(nlohmann::json::parse(result.out), nlohmann::json::parse_error);
}

TEST_F(Train, NewRunsLieWhereTheyAreWanted) {
  const ProgramResult result =
      run_dealer("train " + config_ + " name=mine evaluation.final_deals=0 --runs " + path("runs") + " --json");
  EXPECT_EQ(result.status, 0) << result.err;
  const fs::path run = nlohmann::json::parse(result.out)["run"].get<std::string>();
  EXPECT_EQ(run.parent_path(), path("runs"));
  EXPECT_TRUE(run.filename().string().starts_with("mine-"));
  EXPECT_TRUE(fs::exists(run / "model.safetensors"));
}

// Two kills, one before the first checkpoint and one after it: in the end everything is as if nothing had happened.
TEST_F(Train, ResumedEqualsUninterrupted) {
  train("whole");
  for (const std::size_t kept : {0U, 1U}) {
    const std::string run = "killed" + std::to_string(kept);
    train(run);
    fs::remove(folder_ / run / "model.safetensors");
    auto checkpoints = list_checkpoints(path(run));
    ASSERT_GT(checkpoints.size(), 2U);
    checkpoints.erase(checkpoints.end() - static_cast<std::ptrdiff_t>(kept), checkpoints.end());
    for (const CheckpointFile& later : checkpoints) fs::remove(later.path);
    const ProgramResult resumed = run_dealer("train --resume " + path(run) + " --json");
    ASSERT_EQ(resumed.status, 0) << resumed.err;
    EXPECT_EQ(nlohmann::json::parse(resumed.out)["interrupted"], false);
    for (const char* file : {"metrics.jsonl", "model.safetensors"})
      EXPECT_EQ(test::read_bytes(folder_ / run / file), test::read_bytes(folder_ / "whole" / file)) << file << kept;
  }
}

// What a run begins with may be gone when it goes on.
TEST_F(Train, ResumesWithoutTheModelItBeganWith) {
  const std::string brief = "train kuhn hands=20000 self_play.tables=64 evaluation.final_deals=0 --out ";
  ASSERT_EQ(run_dealer(brief + path("first")).status, 0);
  const std::string start = " start=" + path("first") + "/model.safetensors";
  ASSERT_EQ(run_dealer(brief + path("second") + start + " checkpoint.every_hands=5000 checkpoint.keep=9").status, 0);
  fs::remove_all(folder_ / "first");
  fs::remove(list_checkpoints(path("second")).back().path);
  const ProgramResult resumed = run_dealer("train --resume " + path("second"));
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  const ProgramResult refused = run_dealer(brief + path("third") + start);
  EXPECT_EQ(refused.status, 1);
  EXPECT_TRUE(contains(refused.err, "first/model.safetensors")) << refused.err;
  EXPECT_FALSE(fs::exists(folder_ / "third"));
}

TEST_F(Train, ResumingAFinishedRunSaysSo) {
  train("run", "evaluation.final_deals=0");
  const ProgramResult text = run_dealer("train --resume " + path("run"));
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_TRUE(text.out.starts_with(path("run") + " is finished: 3")) << text.out;
  EXPECT_TRUE(contains(text.out, "agent   " + path("run") + "/model.safetensors")) << text.out;
  const auto json = nlohmann::json::parse(run_dealer("train --resume " + path("run") + " --json").out);
  EXPECT_EQ(json["was_finished"], true);
  EXPECT_EQ(json["run"], path("run"));
}

// As soon as there is a line of metrics, the job is asked to stop. (A shell's background jobs ignore Ctrl-C.)
TEST_F(Train, StopsAndSavesWhenAsked) {
  for (const auto& [signal, number] : {std::pair("TERM", SIGTERM), std::pair("INT", SIGINT)}) {
    const std::string run = path(std::string("run") + signal);
    const ProgramResult result =
        test::run_script(test::program() + " train " + config_ + " hands=1000000000 evaluation.deals=0 --json --out " +
                             run + " >out 2>err & job=$!; until [ -s " + run +
                             "/metrics.jsonl ] || ! kill -0 $job; do sleep 0.02; done; "
                             "kill -" +
                             signal + " $job; wait $job",
                         "");
    EXPECT_EQ(result.status, 128 + number) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    const auto json = nlohmann::json::parse(result.out, nullptr, false);
    EXPECT_EQ(json["interrupted"], true);
    EXPECT_EQ(json["run"], run);
    EXPECT_TRUE(contains(result.err, "dealer train --resume " + run)) << result.err;
    const auto checkpoints = list_checkpoints(run);
    ASSERT_FALSE(checkpoints.empty());
    EXPECT_EQ(checkpoints.front().step, static_cast<std::int64_t>(metrics(run).size()));
    EXPECT_FALSE(fs::exists(run + "/model.safetensors"));
  }
}

// While it is evaluated: what there is of the matches does not count, and the run goes on as if never stopped.
TEST_F(Train, StopsWhileItIsEvaluated) {
  // Until its model is there it trains; then it plays two million deals.
  const std::string last = path("last");
  const ProgramResult result =
      test::run_script(test::program() + " train " + config_ + " evaluation.final_deals=2000000 --json --out " + last +
                           " >out 2>err & job=$!; until [ -s " + last +
                           "/model.safetensors ] || ! kill -0 $job; do sleep 0.02; done; "
                           "sleep 0.2; kill -TERM $job; wait $job",
                       "");
  EXPECT_EQ(result.status, 128 + SIGTERM) << result.err;
  EXPECT_EQ(nlohmann::json::parse(result.out, nullptr, false)["interrupted"], true);
  const ProgramResult again = test::run_script(
      test::program() + " train --resume " + last + " >out 2>err & job=$!; until grep -q resumed " + last +
          "/log.txt || ! kill -0 $job; do sleep 0.02; done; sleep 0.3; kill -TERM $job; wait $job",
      "");
  EXPECT_TRUE(contains(again.err, "stopped and saved")) << again.err;
  EXPECT_EQ(again.status, 128 + SIGTERM) << again.err;
}

TEST_F(Train, MisuseIsOneLineAndLeavesNothing) {
  test::write_bytes(folder_ / "broken.yaml", "hands: [1,\n");
  test::write_bytes(folder_ / "list.yaml", "- 1\n");
  const std::vector<std::vector<std::string>> wrong = {
      {config_, "handz=3"},
      {config_, "hands=0"},
      {config_, "hands=many"},
      {config_, "learner.hidden_sizes=[]"},
      {config_, "game=chess"},
      {config_, "game=kuhn"},
      {config_, "game=ofc[episode=match]"},
      {config_, "algorithm=magic"},
      {config_, "evaluation.exploitability=true"},
      {config_, "hands=3", "another"},
      {path("broken.yaml")},
      {path("list.yaml")},
      {config_, "--resume", path("run")},
      {"--resume", path("nowhere")},
      {config_, "--workers", "2"},
  };
  for (std::vector<std::string> arguments : wrong) {
    const std::string what = testing::PrintToString(arguments);
    arguments.insert(arguments.begin(), "train");
    arguments.insert(arguments.end(), {"--out", path("run")});
    const ProgramResult result = run_here(arguments);
    EXPECT_EQ(result.status, 2) << what;
    EXPECT_EQ(result.out, "") << what;
    EXPECT_TRUE(result.err.starts_with("dealer: ")) << what << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << what << result.err;
    EXPECT_FALSE(fs::exists(path("run"))) << what;
  }
  EXPECT_TRUE(contains(run_here({"train", config_, "handz=3"}).err, "did you mean 'hands'?"));
}

// A critic whose weights are finite, but too large for what they are multiplied with.
TEST_F(Train, ALearnerThatDivergesIsAnError) {
  const ProgramResult begun = run_here({"train", "kuhn", "hands=3000", "workers=1", "checkpoint.every_hands=1",
                                        "evaluation.final_deals=0", "--quiet", "--out", path("run")});
  ASSERT_EQ(begun.status, 0) << begun.err;
  const fs::path last = list_checkpoints(path("run")).front().path;
  TensorFile file = read_safetensors(last);
  auto& weights = std::get<std::vector<float>>(file.tensors.at("critic.averages.critic.0.weight").data);
  std::fill(weights.begin(), weights.end(), 3e38F);
  write_safetensors(last, file);
  const std::string config = test::read_bytes(path("run") + "/config.yaml"), hands = "hands: 3000\n";
  ASSERT_TRUE(contains(config, hands));
  test::write_bytes(path("run") + "/config.yaml",
                    std::string(config).replace(config.find(hands), hands.size(), "hands: 1000000\n"));
  const ProgramResult result = run_here({"train", "--resume", path("run"), "--quiet"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(result.err.starts_with("dealer: the gradient norm of the player is nan in update ")) << result.err;
  EXPECT_TRUE(
      contains(result.err, ": the learner has diverged and the run ends; try a smaller learner.learning_rate, "))
      << result.err;
  EXPECT_TRUE(contains(result.err, "the last good checkpoint is " + last.string() + ": change ")) << result.err;
  EXPECT_TRUE(result.err.ends_with(" and go on with: dealer train --resume " + path("run") + '\n')) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_EQ(list_checkpoints(path("run")).front().path, last);
  EXPECT_EQ(run_here({"match", path("run"), "random", "--game", "kuhn", "--deals", "2"}).status, 0);
  // The unit that made NaN of everything.
  const ProgramResult unit = run_here({"train", "draw", "learner.value_unit=1e-300", "--out", path("other")});
  EXPECT_EQ(unit.status, 2);
  EXPECT_TRUE(contains(unit.err, "learner.value_unit: 1e-300 is not allowed; expected ")) << unit.err;
  EXPECT_FALSE(fs::exists(path("other")));
}

// Nobody knows how strong the agent is where its opponent is not there.
TEST_F(Train, AnOpponentThatIsNotThereIsAnError) {
  for (const char* when : {"evaluation.every_hands=100", "evaluation.every_hands=100000"}) {
    const ProgramResult result = run_here(
        {"train", config_, "evaluation.opponents=[\"exec:/nowhere/bot\"]", when, "--quiet", "--out", path(when)});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(result.err.starts_with("dealer: agent 'exec:/nowhere/bot' in seat ")) << result.err;
    EXPECT_TRUE(result.err.ends_with(" of deal 0: cannot start '/nowhere/bot': No such file or directory\n"))
        << result.err;
  }
  const ProgramResult response =
      run_dealer("best-response --game kuhn --against exec:/nowhere/bot --quiet --out " + path("b"));
  EXPECT_EQ(response.status, 1);
  EXPECT_EQ(response.err,
            "dealer: agent 'exec:/nowhere/bot': cannot start '/nowhere/bot': No such file or directory\n");
}

// Random play in Kuhn poker loses 0.4583 chips a hand to its best response.
TEST_F(Train, ABestResponseGainsWhatItCan) {
  const std::string command =
      "best-response --game kuhn --against random hands=60000 evaluation.deals=0 --quiet --deals 3000 --out ";
  const ProgramResult result = run_dealer(command + path("best") + " --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["game"], "kuhn");
  EXPECT_EQ(json["against"], "random");
  EXPECT_EQ(json["unit"], "chips");
  const double gain = json["gain"], ci95 = json["ci95"];
  EXPECT_GT(gain, 0.35);
  EXPECT_LT(gain - ci95, 0.4584) << "nothing gains more than the best response";
  EXPECT_GT(json["decisions"].get<int>(), 60'000);
  EXPECT_GT(json["seconds"].get<double>(), 0);
  for (const auto& [arguments, message] : {std::pair("--game kuhn", "--against is required"),
                                           std::pair("--game kuhnn --against random", "did you mean 'kuhn'?"),
                                           std::pair("--game kuhn --against nobody", "there is no agent 'nobody'")}) {
    const ProgramResult bad = run_dealer(std::string("best-response ") + arguments + " --out " + path("none"));
    EXPECT_EQ(bad.status, 2) << arguments;
    EXPECT_TRUE(contains(bad.err, message)) << bad.err;
    EXPECT_FALSE(fs::exists(path("none")));
  }
}

// Without a training: the program that trains is not needed.
TEST_F(Train, ALocalBestResponseNeedsNoTraining) {
  const std::vector<std::string> command = {"best-response", "--game",  "kuhn",     "--against", "random",
                                            "--local",       "--deals", "3000",     "--seed",    "2",
                                            "--quiet",       "--json",  "--threads"};
  const auto with_threads = [&](const char* threads) {
    std::vector<std::string> words = command;
    words.emplace_back(threads);
    const ProgramResult result = run_here(words);
    EXPECT_EQ(result.status, 0) << result.err;
    auto json = nlohmann::json::parse(result.out);
    EXPECT_GT(json["seconds"].get<double>(), 0);
    json.erase("seconds");
    return json;
  };
  const nlohmann::json json = with_threads("1");
  EXPECT_EQ(json, with_threads("3"));
  EXPECT_EQ(json["method"], "local");
  EXPECT_EQ(json["unit"], "chips");
  EXPECT_EQ(json["deals"], 3000);
  EXPECT_GE(json["decisions"].get<int>(), 6000);
  const double gain = json["gain"], ci95 = json["ci95"];
  EXPECT_GT(gain, 0.35);
  EXPECT_LT(gain - ci95, 0.4584) << "nothing gains more than the best response";
  const ProgramResult text = run_here({"best-response", "--game", "kuhn", "--against", "rule", "--local"});
  EXPECT_TRUE(contains(text.out, "against rule a local best response gains 0.")) << text.out;
  for (const auto& [words, message] :
       {std::pair(std::string("kuhn --against random --local hands=3"), "OVERRIDE"),
        std::pair("kuhn --against random --local --out " + path("none"), "--out"),
        std::pair(std::string("kuhn --against random --samples 5"), "--local"),
        std::pair(std::string("draw --against rule --local"), "agent 'rule' does not say with which probability")}) {
    const ProgramResult bad = run_dealer("best-response --game " + std::string(words));
    EXPECT_EQ(bad.status, 2) << words;
    EXPECT_TRUE(contains(bad.err, message)) << bad.err;
    EXPECT_EQ(std::count(bad.err.begin(), bad.err.end(), '\n'), 1) << bad.err;
  }
}

TEST_F(Train, NamesTheConfigsAndRunsThereAre) {
  const auto refused = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "train");
    const ProgramResult result = run_here(arguments);
    EXPECT_EQ(result.status, 2) << result.err;
    return result.err;
  };
  // Of two that go together the message tells once.
  const std::vector<std::string> all = config_names("configs/train");
  std::vector<std::string> names;
  for (const std::string& name : all) {
    if (name.ends_with("_default")) continue;
    const bool longer = std::find(all.begin(), all.end(), name + "_default") != all.end();
    names.push_back(longer ? name + "(_default)" : name);
  }
  EXPECT_NE(std::find(names.begin(), names.end(), "mini_draw(_default)"), names.end());
  EXPECT_NE(std::find(names.begin(), names.end(), "mini_draw_single"), names.end());
  const std::string known = fmt::format("training configs: {}, or the path of a .yaml file\n", fmt::join(names, ", "));
  EXPECT_EQ(refused({"ofcc"}), "dealer: there is no training config 'ofcc'; did you mean 'ofc'?; " + known);
  EXPECT_EQ(refused({"nosuch"}), "dealer: there is no training config 'nosuch'; " + known);
  EXPECT_EQ(refused({path("none.yaml")}), "dealer: there is no training config '" + path("none.yaml") + "'; " + known);
  EXPECT_EQ(refused({folder_.path().string() + '/'}),
            "dealer: '" + folder_.path().string() + "/' is a folder; " + known);
  test::write_bytes(folder_ / "game.yaml", "game: ofc\n");
  test::write_bytes(folder_ / "hands.yaml", "hands: 100\n");
  EXPECT_EQ(refused({path("hands.yaml"), "--out", path("run")}),
            "dealer: " + path("hands.yaml") +
                ": the key 'algorithm' is missing; expected a training config: algorithm: ppo or afterstate_td\n");
  EXPECT_TRUE(contains(refused({path("game.yaml"), "--out", path("run")}), "this is a game"));
  EXPECT_EQ(refused({config_, "hands=3", "hands=4", "--out", path("run")}),
            "dealer: override 'hands=4': 'hands' is given twice: there is override 'hands=3' already\n");
  EXPECT_FALSE(fs::exists(path("run")));
  for (const char* run : {"runs/a-1", "runs/a-2", "runs/b"}) {
    fs::create_directories(folder_ / run);
    test::write_bytes(folder_ / run / "config.yaml", "");
  }
  fs::create_directories(folder_ / "runs/empty");
  const std::string runs = "; runs: " + path("runs/b") + ", " + path("runs/a-2") + ", " + path("runs/a-1") + '\n';
  for (const char* run : {"runs", "runs/none", "runs/empty"}) {
    const std::string message = refused({"--resume", path(run)});
    EXPECT_EQ(message, "dealer: " + path(run) + ": no run folder (expected config.yaml in it)" + runs);
  }
}

// Nobody knows how far off the mean of one deal is.
TEST_F(Train, ASingleDealHasNoInterval) {
  const ProgramResult result =
      run_dealer("train " + config_ + " hands=1 evaluation.deals=0 evaluation.final_deals=1 --out " + path("run"));
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.out, " ± unknown points a hand\n")) << result.out;
}

// Built apart, dealer and dealer-train may be of different versions: dealer says which it is, dealer-train compares.
TEST_F(Train, TheTwoProgramsAreOfOneVersion) {
  const std::string train = test::training_program(), tree = path("tree");
  const ProgramResult other =
      test::run_script("DEALER_STARTED_BY=9.9 " + train + " train hands=1 evaluation.final_deals=0 --quiet --out " +
                           path("run") + " >out 2>err",
                       "");
  EXPECT_EQ(other.status, 1);
  EXPECT_EQ(other.out + other.err, "dealer: dealer is 9.9, dealer-train " + version() +
                                       ": build both, 'cmake --build FOLDER --target dealer dealer-train'\n");
  EXPECT_FALSE(std::filesystem::exists(path("run")));
  // A program that tells what it was told stands for dealer-train.
  for (const char* folder : {"/bin", "/libexec/dealers_choice"}) std::filesystem::create_directories(tree + folder);
  std::filesystem::copy_file(test::program(), tree + "/bin/dealer");
  const std::string echo = tree + "/libexec/dealers_choice/dealer-train";
  test::write_bytes(echo, "#!/bin/sh\necho \"$DEALER_STARTED_BY\"\n");
  std::filesystem::permissions(echo, std::filesystem::perms::owner_all);
  EXPECT_EQ(test::run_script(tree + "/bin/dealer train >out 2>err", "").out, version() + "\n");
}

// A folder with a run in it is not written over.
TEST_F(Train, RefusesAFolderInUse) {
  train("run", "evaluation.final_deals=0");
  const std::string before = test::read_bytes(folder_ / "run/metrics.jsonl");
  const ProgramResult again = run_here({"train", config_, "--out", path("run")});
  EXPECT_EQ(again.status, 2);
  EXPECT_TRUE(contains(again.err, "there is already a run")) << again.err;
  EXPECT_EQ(test::read_bytes(folder_ / "run/metrics.jsonl"), before);
}

}  // namespace
}  // namespace dealer::train_test
