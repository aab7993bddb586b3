// dealer solve, exploitability and policy.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "agents/nn/safetensors.h"
#include "tests/cli/run_dealer.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"

namespace dealer::solve_test {
namespace {

using test::contains;
using test::ProgramResult;
using test::run_here;
using test::run_script;
using test::TempFolder;

nlohmann::json json_of(std::vector<std::string> arguments) {
  arguments.emplace_back("--json");
  const ProgramResult result = run_here(arguments);
  EXPECT_EQ(result.status, 0) << result.err;
  return nlohmann::json::parse(result.out);
}

// The one line on standard error, what is told of the tree aside.
std::string refusal(const std::vector<std::string>& arguments, int status) {
  const ProgramResult result = run_here(arguments);
  EXPECT_EQ(result.status, status) << result.err;
  EXPECT_EQ(result.out, "");
  const std::size_t start = result.err.find("dealer: ");
  EXPECT_EQ(result.err.find('\n', start), result.err.size() - 1) << result.err;
  return start == std::string::npos ? result.err : result.err.substr(start);
}

class Solve : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  TempFolder folder_;
};

// CFR+ by the name of its paper, and the game as an option.
TEST_F(Solve, KnowsCfrPlusByItsOtherName) {
  auto json = json_of({"solve", "--game", "leduc", "--algorithm", "cfr+[gamma=1]", "--iterations", "50"});
  EXPECT_EQ(json["algorithm"], "cfr_plus[gamma=1]");
  auto other = json_of({"solve", "leduc", "--algorithm", "cfr_plus[gamma=1]", "--iterations", "50"});
  json.erase("seconds");
  other.erase("seconds");
  EXPECT_EQ(json, other);
  EXPECT_EQ(json_of({"solve", "--game", "kuhn", "--algorithm", "cfr+"})["iterations"], 1000);
}

TEST_F(Solve, ReportsTheContractsFields) {
  const std::string out = path("leduc.safetensors");
  const auto json = json_of({"solve", "leduc", "--algorithm", "cfr_plus", "--iterations", "1000", "--out", out});
  EXPECT_EQ(json["game"], "leduc");
  EXPECT_EQ(json["algorithm"], "cfr_plus");
  EXPECT_EQ(json["iterations"], 1000);
  EXPECT_NEAR(json["value"][0], -0.0856064, 1e-4);
  EXPECT_LE(json["exploitability"], 3e-4);
  EXPECT_NEAR(json["nash_conv"], 2 * json["exploitability"].get<double>(), 1e-12);
  EXPECT_EQ(json["unit"], "chips/hand");
  EXPECT_EQ(json["nodes"], 9457);
  EXPECT_EQ(json["information_sets"], 936);
  EXPECT_EQ(json["sequences"], 2186);
  EXPECT_GT(json["memory"], 100'000);
  EXPECT_GT(json["seconds"], 0);
  EXPECT_EQ(json["interrupted"], false);
  EXPECT_EQ(json["out"], out);
  // At doubling intervals, and at the end.
  std::vector<int> looks;
  for (const auto& entry : json["curve"]) looks.push_back(entry["iterations"]);
  EXPECT_EQ(looks, (std::vector<int>{16, 32, 64, 128, 256, 512, 1000}));
  EXPECT_EQ(json["curve"].back()["exploitability"], json["exploitability"]);

  // What was saved is an agent as strong.
  const auto saved = json_of({"exploitability", "leduc", "--agent", out});
  EXPECT_NEAR(saved["exploitability"], json["exploitability"], 1e-6);
  EXPECT_EQ(saved["agent"], out);
  EXPECT_EQ(run_here({"match", out, "random", "--game", "leduc", "--deals", "20"}).status, 0);
}

// Draw games, whose trees nobody can walk, by buckets of hands.
TEST_F(Solve, SolvesDrawGamesByBuckets) {
  const std::string out = path("draw.safetensors");
  const auto json =
      json_of({"solve", "draw", "--algorithm", "bucket_mccfr[buckets=6]", "--seconds", "0.2", "--out", out});
  EXPECT_EQ(json["game"], "draw");
  EXPECT_GT(json["iterations"], 0);
  EXPECT_GE(json["seconds"], 0.2);
  EXPECT_EQ(json["nodes"], 13961);
  EXPECT_GT(json["information_sets"], 6 * 3000);
  EXPECT_EQ(json["interrupted"], false);
  EXPECT_EQ(json["out"], out);
  EXPECT_EQ(run_here({"match", out, "random", "--game", "draw", "--deals", "20", "--strict"}).status, 0);
  const auto counted = json_of({"solve", "lowball", "--algorithm", "bucket_mccfr[buckets=6]", "--iterations", "50"});
  EXPECT_EQ(counted["iterations"], 50);
  EXPECT_TRUE(counted["out"].is_null());
  const auto small = json_of({"solve", "mini_draw_single", "--algorithm", "bucket_mccfr", "--iterations", "20000"});
  EXPECT_LT(small["exploitability"], 0.1);
  EXPECT_TRUE(
      contains(refusal({"solve", "draw", "--algorithm", "bucket_mccfr", "--target", "0.1"}, 2), "--target goes with"));
  EXPECT_TRUE(contains(refusal({"solve", "draw", "--algorithm", "bucket_mccfr[bucket=3]"}, 2), "bucket"));
  EXPECT_TRUE(contains(refusal({"solve", "stud", "--algorithm", "bucket_mccfr"}, 2),
                       "'stud' is neither a draw game nor hold'em"));
  const auto holdem = json_of({"solve", "holdem[limit=no_limit,stack=1000]", "--algorithm",
                               "bucket_mccfr[buckets=4,step=3,threshold=0.05]", "--iterations", "3"});
  EXPECT_EQ(holdem["iterations"], 3);
  EXPECT_GT(holdem["information_sets"], 1000);
  EXPECT_TRUE(contains(refusal({"solve", "holdem", "--algorithm", "bucket_mccfr[step=1]"}, 2), "step"));
}

TEST_F(Solve, StopsAfterSeconds) {
  const auto json = json_of({"solve", "leduc", "--seconds", "0.3"});
  EXPECT_GE(json["seconds"], 0.3);
  EXPECT_GT(json["iterations"], 0);
  EXPECT_EQ(json["interrupted"], false);
}

// Where the file can no longer be written when the work is done, nothing is lost.
TEST_F(Solve, KeepsTheSolutionWhenTheFileCannotBeWritten) {
  for (const char* game : {"leduc", "draw --algorithm 'bucket_mccfr[buckets=6]'"}) {
    const ProgramResult result = run_script(
        std::string("mkdir there && { TMPDIR=$PWD " + test::program() + " solve ") + game +
            " --seconds 600 --out there/it.safetensors >out 2>err & } && "
            "until grep -q information err; do sleep 0.05; done; sleep 0.3; rm -r there; kill -INT $!; wait $!; "
            "status=$?; mv dealer-*-it.safetensors it.safetensors || exit 99; " +
            test::program() +
            " match it.safetensors "
            "random --deals 5 --game " +
            std::string(game).substr(0, 5) + " >/dev/null 2>&1 || exit 98; exit $status",
        "");
    EXPECT_EQ(result.status, 1) << result.err;
    EXPECT_TRUE(contains(result.err, "cannot write there/it.safetensors")) << result.err;
    EXPECT_TRUE(contains(result.err, "; the solution is saved as ")) << result.err;
    EXPECT_TRUE(contains(result.err, "-it.safetensors\n")) << result.err;
  }
}

TEST_F(Solve, FindsOutBeforehandThatNoFileCanBeMade) {
  EXPECT_TRUE(contains(refusal({"solve", "leduc", "--out", "/proc/it.safetensors"}, 1),
                       "cannot write /proc/it.safetensors: no file can be made in '/proc'"));
  EXPECT_TRUE(contains(refusal({"solve", "leduc", "--out", path("none/it.safetensors")}, 1), "there is no folder"));
  EXPECT_TRUE(contains(refusal({"solve", "leduc", "--out", folder_.path().string()}, 1), "it is a folder"));
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(Solve, IsForPeopleToo) {
  const ProgramResult result = run_here({"solve", "kuhn", "--iterations", "100", "--out", path("k.safetensors")});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "kuhn: 58 nodes\n12 information sets, 26 sequences, " +
                            result.err.substr(result.err.find("sequences, ") + 11));
  EXPECT_TRUE(contains(result.out, "iterations  exploitability\n        16  ")) << result.out;
  EXPECT_TRUE(contains(result.out, "\nkuhn by dcfr: 100 iterations, 0.")) << result.out;
  EXPECT_TRUE(contains(result.out, "\nvalue of seat 0  -0.05")) << result.out;
  EXPECT_TRUE(contains(result.out, "dealer play --game 'kuhn' --agent " + path("k.safetensors"))) << result.out;
}

TEST_F(Solve, StopsAtTheTarget) {
  for (const char* algorithm : {"dcfr", "mccfr", "mmd"}) {
    const auto json = json_of({"solve", "kuhn", "--algorithm", algorithm, "--target", "0.01"});
    EXPECT_LE(json["exploitability"], 0.01) << algorithm;
    EXPECT_GT(json["exploitability"], 0.001) << algorithm;
  }
  const auto json = json_of({"solve", "kuhn", "--target", "1e-9", "--iterations", "50"});
  EXPECT_EQ(json["iterations"], 50);
  EXPECT_EQ(json["out"], nullptr);
}

TEST_F(Solve, HasUsualNumbersOfIterations) {
  EXPECT_EQ(json_of({"solve", "kuhn"})["iterations"], 1000);
  EXPECT_EQ(json_of({"solve", "kuhn", "--algorithm", "mmd"})["iterations"], 10'000);
}

TEST_F(Solve, GoesOnFromAFileToTheSameBits) {
  for (const char* algorithm : {"dcfr", "mccfr[tables=2]", "mmd"}) {
    const std::string half = path("half"), whole = path("whole"), resumed = path("resumed");
    json_of({"solve", "leduc", "--algorithm", algorithm, "--iterations", "200", "--seed", "3", "--out", whole});
    json_of(
        {"solve", "leduc", "--algorithm", algorithm, "--iterations", "90", "--seed", "3", "--out", half, "--state"});
    const auto json =
        json_of({"solve", "leduc", "--resume", half, "--iterations", "200", "--out", resumed, "--threads", "2"});
    EXPECT_EQ(json["algorithm"], algorithm);
    EXPECT_EQ(test::read_bytes(whole), test::read_bytes(resumed)) << algorithm;
    EXPECT_GT(test::read_bytes(half).size(), 2 * test::read_bytes(whole).size());
  }
}

// A file for one who has enough already stays as it is.
TEST_F(Solve, DoesNothingMoreWhenItIsDone) {
  const std::string file = path("a"), again = path("b");
  json_of({"solve", "kuhn", "--iterations", "60", "--out", file, "--state"});
  const auto json = json_of({"solve", "kuhn", "--resume", file, "--iterations", "50", "--out", again, "--state"});
  EXPECT_EQ(json["iterations"], 60);
  EXPECT_EQ(test::read_bytes(file), test::read_bytes(again));
}

TEST_F(Solve, SavesWhenItIsInterrupted) {
  const std::string file = path("i.safetensors");
  const ProgramResult result =
      run_script("{ " + test::program() + " solve mini_draw_single --iterations 1000000000 --out " + file +
                     " >out 2>err & p=$!; sleep 1; kill -INT $p; wait $p; }",
                 "");
  EXPECT_EQ(result.status, 130) << result.err;
  EXPECT_TRUE(contains(result.err, "; go on with: dealer solve 'mini_draw_single' --resume " + file + " --out " + file))
      << result.err;
  const int done = std::stoi(read_safetensors(file).meta("iterations"));
  EXPECT_GT(done, 0);
  EXPECT_TRUE(contains(result.out, std::to_string(done) + " iterations")) << result.out;
  const auto json = json_of({"solve", "mini_draw_single", "--resume", file, "--iterations", std::to_string(done + 10)});
  EXPECT_EQ(json["iterations"], done + 10);
}

TEST_F(Solve, RefusesWhatCannotBe) {
  EXPECT_EQ(refusal({"solve", "holdem"}, 2),
            "dealer: 'holdem' does not list its chance moves: its tree cannot be walked; expected a small game\n");
  EXPECT_EQ(refusal({"solve", "leduc", "--max-nodes", "9456"}, 2),
            "dealer: the tree of 'leduc' has more than 9456 nodes; --max-nodes allows more, a game with fewer cards, "
            "raises or actions has fewer\n");
  EXPECT_EQ(run_here({"solve", "leduc", "--max-nodes", "9457", "--iterations", "1"}).status, 0);
  EXPECT_EQ(refusal({"solve", "kuhn", "--target", "0"}, 2),
            "dealer: 'dealer solve': --target: '0' is not allowed; expected a number above 0, as in 0.001; see 'dealer "
            "solve --help'\n");
  for (const char* target : {"-1", "nan", "inf", "", "1x"})
    EXPECT_TRUE(contains(refusal({"solve", "kuhn", "--target", target}, 2), "expected a number above 0")) << target;
  EXPECT_EQ(refusal({"solve", "kuhn", "--algorithm", "dcrf"}, 2),
            "dealer: there is no algorithm 'dcrf'; did you mean 'dcfr'?; algorithms: cfr, cfr_plus, dcfr, mccfr, "
            "bucket_mccfr, mmd\n");
  EXPECT_TRUE(contains(refusal({"solve", "kuhn", "--iterations", "0"}, 2), "expected an integer from 1 to"));
  EXPECT_TRUE(contains(refusal({"solve", "kunh"}, 2), "did you mean 'kuhn'?"));
  EXPECT_EQ(refusal({"solve", "kuhn", "--out", path("none/x")}, 1),
            "dealer: cannot write " + path("none/x") + ": there is no folder '" + path("none") + "'\n");
  EXPECT_EQ(refusal({"solve", "kuhn", "--out", path(".")}, 1),
            "dealer: cannot write " + path(".") + ": it is a folder; expected the path of a file\n");
}

TEST_F(Solve, RefusesFilesItCannotGoOnFrom) {
  const std::string file = path("k"), broken = path("broken");
  json_of({"solve", "kuhn", "--iterations", "10", "--out", file});
  EXPECT_TRUE(contains(refusal({"solve", "kuhn", "--resume", file}, 1), "has the solution alone"));
  EXPECT_EQ(refusal({"solve", "leduc", "--resume", file}, 1),
            "dealer: " + file + ": it solves a game of 'kuhn'; expected one of 'leduc'\n");
  json_of({"solve", "kuhn", "--iterations", "10", "--out", file, "--state"});
  EXPECT_TRUE(contains(refusal({"solve", "kuhn[cards=4]", "--resume", file}, 1), "under other rules"));
  EXPECT_EQ(refusal({"solve", "kuhn", "--resume", file, "--algorithm", "cfr"}, 2),
            "dealer: --algorithm beside --resume; the file says which algorithm goes on\n");
  EXPECT_EQ(refusal({"solve", "kuhn", "--resume", file, "--seed", "1"}, 2),
            "dealer: --seed beside --resume; the file says which seed goes on\n");
  refusal({"solve", "kuhn", "--resume", path("none")}, 1);
  const std::string bytes = test::read_bytes(file);
  for (std::size_t size = 0; size < bytes.size(); size += 41) {
    test::write_bytes(broken, bytes.substr(0, size));
    refusal({"solve", "kuhn", "--resume", broken}, 1);
  }
}

TEST(ExploitabilityCommand, ReportsTheContractsFields) {
  const auto json = json_of({"exploitability", "leduc", "--agent", "random"});
  EXPECT_EQ(json["game"], "leduc");
  EXPECT_EQ(json["agent"], "random");
  EXPECT_EQ(json["value"].size(), 2U);
  EXPECT_EQ(json["best_response"].size(), 2U);
  EXPECT_NEAR(json["nash_conv"], 4.7472222, 1e-6);
  EXPECT_NEAR(json["exploitability"], 2.3736111, 1e-6);
  EXPECT_EQ(json["unit"], "chips/hand");
  EXPECT_EQ(json["nodes"], 9457);
  EXPECT_EQ(json["information_sets"], 936);
}

// The game may stand behind --game, as in other commands.
TEST(ExploitabilityCommand, TakesTheGameAsAnOption) {
  auto json = json_of({"exploitability", "--game", "leduc", "--agent", "random"});
  EXPECT_EQ(json, json_of({"exploitability", "leduc", "--agent", "random"}));
  EXPECT_EQ(json["game"], "leduc");
  EXPECT_TRUE(contains(refusal({"exploitability", "leduc", "--game", "kuhn", "--agent", "random"}, 2), "given twice"));
  EXPECT_TRUE(contains(refusal({"exploitability", "--agent", "random"}, 2), "--game is required"));
}

TEST(ExploitabilityCommand, ShowsATable) {
  const ProgramResult result = run_here({"exploitability", "kuhn", "--agent", "random"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out,
            "seat         value  best response    could gain   chips/hand\n"
            "   0     0.1250000      0.5000000     0.3750000\n"
            "   1    -0.1250000      0.4166667     0.5416667\n"
            "\n"
            "NashConv 0.9167, exploitability 0.4583 chips/hand\n");
}

TEST(ExploitabilityCommand, RefusesAgentsWithoutAPolicy) {
  EXPECT_EQ(refusal({"exploitability", "kuhn", "--agent", "rule[samples=3]"}, 2)
                .find("dealer: agent 'rule[samples=3]': the agent has no policy, and it decides by chance: at '"),
            0U);
  EXPECT_TRUE(contains(refusal({"exploitability", "kuhn", "--agent", "rul"}, 2), "did you mean 'rule'?"));
  EXPECT_TRUE(contains(refusal({"exploitability", "kuhn"}, 2), "--agent is required"));
  EXPECT_TRUE(contains(refusal({"exploitability", "ofc", "--agent", "random"}, 2), "does not list its chance moves"));
}

// Kuhn's equilibria: the second player bluffs with the jack and calls with the queen one time in three.
TEST(PolicyCommand, TellsWhatIsDoneHowOften) {
  const auto json = json_of({"policy", "kuhn", "--agent", "default", "--details"});
  EXPECT_EQ(json["game"], "kuhn");
  EXPECT_EQ(json["unit"], "chips/hand");
  EXPECT_NEAR(json["value"][0], -1.0 / 18, 1e-5);
  ASSERT_EQ(json["policy"].size(), 12U);
  double start = 0;
  for (const auto& line : json["policy"]) {
    const std::string where = line["information_set"];
    EXPECT_EQ(line["seat"], where[0] - '0');
    double sum = 0, value = 0;
    for (const auto& move : line["actions"]) {
      sum += move["probability"].get<double>();
      value += move["probability"].get<double>() * move["value"].get<double>();
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_NEAR(line["value"], value, 1e-12);
    if (where.ends_with("|")) start += line["reach"].get<double>();
    if (where == "1: Js | check") {
      EXPECT_EQ(line["actions"][1]["action"], "bet");
      EXPECT_NEAR(line["actions"][1]["probability"], 1.0 / 3, 1e-3);
    }
    if (where == "1: Qs | bet") {
      EXPECT_EQ(line["actions"][0]["action"], "fold");
      EXPECT_EQ(line["actions"][1]["action"], "call");
      EXPECT_NEAR(line["actions"][1]["probability"], 1.0 / 3, 1e-3);
      EXPECT_NEAR(line["actions"][0]["value"], -1, 1e-9);
    }
  }
  EXPECT_NEAR(start, 1, 1e-12);
}

// Of every information set the probabilities alone: {"1: Js | bet": {"fold": 1, "call": 0}, ...}.
TEST(PolicyCommand, GivesAMapOfInformationSets) {
  const auto json = json_of({"policy", "--game", "kuhn", "--agent", "random"});
  ASSERT_EQ(json.size(), 12U);
  EXPECT_EQ(json["1: Js | bet"], nlohmann::json({{"fold", 0.5}, {"call", 0.5}}));
  EXPECT_EQ(json["0: Ks |"], nlohmann::json({{"check", 0.5}, {"bet", 0.5}}));
  const auto some = json_of({"policy", "mini_draw_single", "--agent", "rule", "--find", "0: Kh Js |"});
  const auto details = json_of({"policy", "mini_draw_single", "--agent", "rule", "--find", "0: Kh Js |", "--details"});
  ASSERT_EQ(some.size(), details["policy"].size());
  for (const auto& line : details["policy"]) {
    const auto& moves = some[line["information_set"].get<std::string>()];
    ASSERT_EQ(moves.size(), line["actions"].size()) << line;
    for (const auto& move : line["actions"])
      EXPECT_EQ(moves[move["action"].get<std::string>()], move["probability"]) << line;
  }
}

TEST(PolicyCommand, ShowsATable) {
  const ProgramResult result = run_here({"policy", "kuhn", "--agent", "random", "--seat", "1", "--find", "| bet"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out,
            "information set    reach     value  probability of each action\n"
            "1: Qs | bet      0.16667   -0.5000  fold 0.5000  call 0.5000\n"
            "1: Ks | bet      0.16667   +0.5000  fold 0.5000  call 0.5000\n"
            "1: Js | bet      0.16667   -1.5000  fold 0.5000  call 0.5000\n"
            "\n"
            "reach: how often a hand comes there; value: chips/hand from there on, the pot so far counted\n");
}

TEST(PolicyCommand, NamesTheCardsOfAThrow) {
  const ProgramResult result = run_here(
      {"policy", "mini_draw_single", "--agent", "rule", "--seat", "0", "--find", "0: Kh Js |", "--sort", "reach"});
  EXPECT_TRUE(contains(result.out, "keep Js 0.0000  discard Js 1.0000")) << result.out.substr(0, 400);
}

TEST(PolicyCommand, SortsByReach) {
  const auto json = json_of({"policy", "leduc", "--agent", "default", "--sort", "reach", "--details"});
  ASSERT_EQ(json["policy"].size(), 936U);
  double before = 1;
  for (const auto& line : json["policy"]) {
    EXPECT_LE(line["reach"], before);
    before = line["reach"];
  }
}

TEST(PolicyCommand, RefusesWhatCannotBe) {
  EXPECT_EQ(refusal({"policy", "kuhn", "--agent", "rule", "--seat", "2"}, 2),
            "dealer: --seat 2 is not allowed; expected an integer from 0 to 1\n");
  EXPECT_EQ(refusal({"policy", "kuhn", "--agent", "rule", "--find", "zz"}, 2),
            "dealer: no information set has 'zz' in its name; they are written as '1: Js | bet'\n");
  EXPECT_TRUE(contains(refusal({"policy", "kuhn", "--agent", "rule", "--sort", "x"}, 2), "expected play or reach"));
  EXPECT_EQ(refusal({"policy", "kuhn", "--agent", "rule", "--details"}, 2), "dealer: --details goes with --json\n");
}

}  // namespace
}  // namespace dealer::solve_test
