// dealer solve, exploitability and policy.
#include <cmath>
#include <filesystem>

#include "agents/nn/safetensors.h"
#include "tests/cli/run_dealer.h"

namespace dealer::solve_test {
namespace {

using test::contains;
using test::expect_refused;
using test::json_of;
using test::ProgramResult;
using test::run_here;
using test::run_script;
using test::timeless_json_of;

class Solve : public test::CommandInFolder {};

// CFR+ by the name of its paper, and the game as an option.
TEST_F(Solve, KnowsCfrPlusByItsOtherName) {
  const auto json =
      timeless_json_of({"solve", "--game", "leduc", "--algorithm", "cfr+[gamma=1]", "--iterations", "50"});
  EXPECT_EQ(json["algorithm"], "cfr_plus[gamma=1]");
  EXPECT_EQ(json, timeless_json_of({"solve", "leduc", "--algorithm", "cfr_plus[gamma=1]", "--iterations", "50"}));
  EXPECT_EQ(json_of({"solve", "--game", "kuhn", "--algorithm", "cfr+"})["iterations"], 1000);
}

TEST_F(Solve, ReportsTheContractsFields) {
  const std::string out = at("leduc.safetensors");
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
  const std::string out = at("draw.safetensors");
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
  expect_refused({"solve"}, {{{"draw", "--algorithm", "bucket_mccfr", "--target", "0.1"}, "--target goes with"},
                             {{"draw", "--algorithm", "bucket_mccfr[bucket=3]"}, "bucket"},
                             {{"stud", "--algorithm", "bucket_mccfr"}, "'stud' is neither a draw game nor hold'em"},
                             {{"holdem", "--algorithm", "bucket_mccfr[step=1]"}, "step"}});
  const auto holdem = json_of({"solve", "holdem[limit=no_limit,stack=1000]", "--algorithm",
                               "bucket_mccfr[buckets=4,step=3,threshold=0.05]", "--iterations", "3"});
  EXPECT_EQ(holdem["iterations"], 3);
  EXPECT_GT(holdem["information_sets"], 1000);
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
    const ProgramResult result =
        run_script(std::string("mkdir there && { TMPDIR=$PWD DEALER solve ") + game +
                   " --seconds 600 --out there/it.safetensors >out 2>err & } && "
                   "until grep -q information err; do sleep 0.05; done; sleep 0.3; rm -r there; kill -INT $!; wait $!; "
                   "status=$?; mv dealer-*-it.safetensors it.safetensors || exit 99; DEALER match it.safetensors "
                   "random --deals 5 --game " +
                   std::string(game).substr(0, 5) + " >/dev/null 2>&1 || exit 98; exit $status");
    EXPECT_EQ(result.status, 1) << result.err;
    EXPECT_TRUE(contains(result.err, "cannot write there/it.safetensors")) << result.err;
    EXPECT_TRUE(contains(result.err, "; the solution is saved as ")) << result.err;
    EXPECT_TRUE(contains(result.err, "-it.safetensors\n")) << result.err;
  }
}

TEST_F(Solve, FindsOutBeforehandThatNoFileCanBeMade) {
  expect_refused({"solve", "leduc", "--out"},
                 {{{"/proc/it.safetensors"}, "cannot write /proc/it.safetensors: no file can be made in '/proc'", 1},
                  {{at("none/it.safetensors")}, "there is no folder '" + at("none") + "'", 1},
                  {{at("")}, "it is a folder; expected the path of a file", 1}});
  EXPECT_TRUE(std::filesystem::is_empty(at("")));
}

TEST_F(Solve, IsForPeopleToo) {
  const ProgramResult result = run_here({"solve", "kuhn", "--iterations", "100", "--out", at("k.safetensors")});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "kuhn: 58 nodes\n12 information sets, 26 sequences, " +
                            result.err.substr(result.err.find("sequences, ") + 11));
  EXPECT_TRUE(contains(result.out, "iterations  exploitability\n        16  ")) << result.out;
  EXPECT_TRUE(contains(result.out, "\nkuhn by dcfr: 100 iterations, 0.")) << result.out;
  EXPECT_TRUE(contains(result.out, "\nvalue of seat 0  -0.05")) << result.out;
  EXPECT_TRUE(contains(result.out, "dealer play --game 'kuhn' --agent " + at("k.safetensors"))) << result.out;
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
    const std::string half = at("half"), whole = at("whole"), resumed = at("resumed");
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
  const std::string file = at("a"), again = at("b");
  json_of({"solve", "kuhn", "--iterations", "60", "--out", file, "--state"});
  const auto json = json_of({"solve", "kuhn", "--resume", file, "--iterations", "50", "--out", again, "--state"});
  EXPECT_EQ(json["iterations"], 60);
  EXPECT_EQ(test::read_bytes(file), test::read_bytes(again));
}

TEST_F(Solve, SavesWhenItIsInterrupted) {
  const std::string file = at("i.safetensors");
  const ProgramResult result =
      run_script("DEALER solve mini_draw_single --iterations 1000000000 --out " + file +
                 " >out 2>err & p=$!; until grep -q information err || ! kill -0 $p; do sleep 0.02; done; sleep 0.2; "
                 "kill -INT $p; wait $p");
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
  std::vector<test::Refused> cases = {
      {{"holdem"}, "'holdem' does not list its chance moves: its tree cannot be walked"},
      {{"leduc", "--max-nodes", "9456"}, "the tree of 'leduc' has more than 9456 nodes; --max-nodes allows more"},
      {{"kuhn", "--algorithm", "dcrf"},
       "no algorithm 'dcrf'; did you mean 'dcfr'?; algorithms: cfr, cfr_plus, dcfr, mccfr, bucket_mccfr, mmd"},
      {{"kuhn", "--iterations", "0"}, "expected an integer from 1 to"},
      {{"kunh"}, "did you mean 'kuhn'?"}};
  for (const char* target : {"0", "-1", "nan", "inf", "", "1x"})
    cases.push_back({{"kuhn", "--target", target}, "expected a number above 0, as in 0.001;"});
  expect_refused({"solve"}, cases);
  EXPECT_EQ(run_here({"solve", "leduc", "--max-nodes", "9457", "--iterations", "1"}).status, 0);
}

TEST_F(Solve, RefusesFilesItCannotGoOnFrom) {
  const std::string file = at("k"), broken = at("broken");
  json_of({"solve", "kuhn", "--iterations", "10", "--out", file});
  expect_refused({"solve"},
                 {{{"kuhn", "--resume", file}, "has the solution alone", 1},
                  {{"leduc", "--resume", file}, file + ": it solves a game of 'kuhn'; expected one of 'leduc'", 1}});
  json_of({"solve", "kuhn", "--iterations", "10", "--out", file, "--state"});
  expect_refused({"solve"}, {{{"kuhn[cards=4]", "--resume", file}, "under other rules", 1},
                             {{"kuhn", "--resume", file, "--algorithm", "cfr"}, "--algorithm beside --resume"},
                             {{"kuhn", "--resume", file, "--seed", "1"}, "--seed beside --resume"},
                             {{"kuhn", "--resume", at("none")}, at("none"), 1}});
  const std::string bytes = read("k");
  for (std::size_t size = 0; size < bytes.size(); size += 41) {
    write("broken", bytes.substr(0, size));
    test::refusal({"solve", "kuhn", "--resume", broken}, 1);
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
  EXPECT_EQ(json_of({"exploitability", "--game", "leduc", "--agent", "random"}),
            json_of({"exploitability", "leduc", "--agent", "random"}));
  expect_refused({"exploitability", "--agent", "random"},
                 {{{"leduc", "--game", "kuhn"}, "given twice"}, {{}, "--game is required"}});
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
  expect_refused({"exploitability"},
                 {{{"kuhn", "--agent", "rule[samples=3]"},
                   "agent 'rule[samples=3]': the agent has no policy, and it decides by chance: at '"},
                  {{"kuhn", "--agent", "rul"}, "did you mean 'rule'?"},
                  {{"kuhn"}, "--agent is required"},
                  {{"ofc", "--agent", "random"}, "does not list its chance moves"}});
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
  expect_refused({"policy", "kuhn", "--agent", "rule"},
                 {{{"--seat", "2"}, "--seat 2 is not allowed; expected an integer from 0 to 1"},
                  {{"--find", "zz"}, "no information set has 'zz' in its name; they are written as '1: Js | bet'"},
                  {{"--sort", "x"}, "expected play or reach"},
                  {{"--details"}, "--details goes with --json"}});
}

}  // namespace
}  // namespace dealer::solve_test
