// dealer train as a program that becomes dealer-train, and what of best-response needs no training. All else is in
// train_training_test.cc, in one process.
#include <csignal>
#include <filesystem>

#include "agents/nn/checkpoints.h"
#include "env/core/version.h"
#include "tests/cli/run_dealer.h"

namespace dealer::train_test {
namespace {

namespace fs = std::filesystem;
using test::contains;
using test::joined;
using test::ProgramResult;
using test::run_here;
using test::run_script;
using test::Words;

class Train : public test::CommandInFolder {};

// As soon as there is a line of metrics, the job is asked to stop.
TEST_F(Train, TheProgramStopsAndSavesWhenAsked) {
  const std::string run = at("run");
  const ProgramResult result =
      run_script("DEALER train kuhn hands=1000000000 evaluation.deals=0 --json --out " + run +
                 " >out 2>err & job=$!; until [ -s " + run +
                 "/metrics.jsonl ] || ! kill -0 $job; do sleep 0.02; done; kill -TERM $job; wait $job");
  EXPECT_EQ(result.status, 128 + SIGTERM) << result.err;
  EXPECT_TRUE(contains(result.err, "dealer train --resume " + run)) << result.err;
  const auto json = nlohmann::json::parse(result.out, nullptr, false);
  EXPECT_EQ(json["interrupted"], true);
  EXPECT_EQ(json["run"], run);
  const auto checkpoints = list_checkpoints(run);
  ASSERT_FALSE(checkpoints.empty());
  EXPECT_EQ(checkpoints.front().step, static_cast<std::int64_t>(test::lines_of(read("run/metrics.jsonl")).size()));
  EXPECT_FALSE(fs::exists(run + "/model.safetensors"));
}

// Built apart, dealer and dealer-train may be of different versions: dealer says which it is, dealer-train compares.
TEST_F(Train, TheTwoProgramsAreOfOneVersion) {
  const std::string train = test::training_program(), tree = at("tree");
  const ProgramResult other =
      run_script("DEALER_STARTED_BY=9.9 " + train + " train hands=1 --out " + at("run") + " >out 2>err");
  EXPECT_EQ(other.status, 1);
  EXPECT_EQ(other.out + other.err, "dealer: dealer is 9.9, dealer-train " + version() +
                                       ": build both, 'cmake --build FOLDER --target dealer dealer-train'\n");
  EXPECT_FALSE(fs::exists(at("run")));
  // A program that tells what it was told stands for dealer-train.
  for (const char* folder : {"/bin", "/libexec/dealers_choice"}) fs::create_directories(tree + folder);
  fs::copy_file(test::program(), tree + "/bin/dealer");
  const std::string echo = tree + "/libexec/dealers_choice/dealer-train";
  test::write_bytes(echo, "#!/bin/sh\necho \"$DEALER_STARTED_BY\"\n");
  fs::permissions(echo, fs::perms::owner_all);
  EXPECT_EQ(run_script(tree + "/bin/dealer train >out 2>err").out, version() + "\n");
}

TEST_F(Train, ALocalBestResponseNeedsNoTraining) {
  const Words command = {"best-response", "--game", "kuhn",   "--against", "random", "--local",
                         "--deals",       "3000",   "--seed", "2",         "--quiet"};
  const nlohmann::json json = test::timeless_json_of(joined(command, {"--threads", "1"}));
  EXPECT_EQ(json, test::timeless_json_of(joined(command, {"--threads", "3"})));
  EXPECT_EQ(json["method"], "local");
  EXPECT_EQ(json["unit"], "chips");
  EXPECT_EQ(json["deals"], 3000);
  EXPECT_GE(json["decisions"], 6000);
  const double gain = json["gain"], ci95 = json["ci95"];
  EXPECT_GT(gain, 0.35);
  EXPECT_LT(gain - ci95, 0.4584) << "nothing gains more than the best response";
  const ProgramResult text = run_here({"best-response", "--game", "kuhn", "--against", "rule", "--local"});
  EXPECT_TRUE(contains(text.out, "against rule a local best response gains 0.")) << text.out;
  test::expect_refused({"best-response", "--against", "random", "--game"},
                       {{{"kuhn", "--local", "hands=3"}, "OVERRIDE"},
                        {{"kuhn", "--local", "--out", at("none")}, "--out"},
                        {{"kuhn", "--samples", "5"}, "--local"}});
  test::expect_refused({"best-response", "--game", "draw", "--against", "rule", "--local"},
                       {{{}, "agent 'rule' does not say with which probability"}});
}

}  // namespace
}  // namespace dealer::train_test
