// dealer solve and exploitability.

#include "agents/nn/safetensors.h"
#include "tests/cli/run_dealer.h"

namespace dealer::test::solve_test {
namespace {

class Solve : public CommandInFolder {};

// CFR+ by its name in the paper, and the game as an option.
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
  expect_members(json, {{"game", "leduc"},
                        {"algorithm", "cfr_plus"},
                        {"iterations", 1000},
                        {"unit", "chips/hand"},
                        {"nodes", 9457},
                        {"information_sets", 936},
                        {"sequences", 2186},
                        {"interrupted", false},
                        {"out", out},
                        {"exploitability", json["curve"].back()["exploitability"]}});
  EXPECT_NEAR(json["value"][0], -0.0856064, 1e-4);
  EXPECT_LE(json["exploitability"], 3e-4);
  EXPECT_NEAR(json["nash_conv"], 2 * json["exploitability"].get<double>(), 1e-12);
  EXPECT_GT(json["memory"], 100'000);
  EXPECT_GT(json["seconds"], 0);
  // At doubling intervals, and at the end.
  std::vector<int> looks;
  for (const auto& entry : json["curve"]) looks.push_back(entry["iterations"]);
  EXPECT_EQ(looks, (std::vector<int>{16, 32, 64, 128, 256, 512, 1000}));

  // The saved file plays as an agent of the same strength.
  const auto saved = json_of({"exploitability", "leduc", "--agent", out});
  EXPECT_NEAR(saved["exploitability"], json["exploitability"], 1e-6);
  EXPECT_EQ(saved["agent"], out);
  output_of({"match", out, "random", "--game", "leduc", "--deals", "20"});
}

// Draw games, whose trees are too large to walk, with card abstraction.
TEST_F(Solve, SolvesDrawGamesByBuckets) {
  const std::string out = at("draw.safetensors");
  const auto solved = [](const std::string& game, const std::string& algorithm, const Words& more) {
    return json_of(joined({"solve", game, "--algorithm", "bucket_mccfr" + algorithm}, more));
  };
  const auto json = solved("draw", "[buckets=6]", {"--seconds", "0.2", "--out", out});
  expect_members(json, {{"game", "draw"}, {"nodes", 13961}, {"interrupted", false}, {"out", out}});
  EXPECT_GT(json["iterations"], 0);
  EXPECT_GE(json["seconds"], 0.2);
  EXPECT_GT(json["information_sets"], 6 * 3000);
  output_of({"match", out, "random", "--game", "draw", "--deals", "20", "--strict"});
  expect_members(solved("lowball", "[buckets=6]", {"--iterations", "50"}), {{"iterations", 50}, {"out", nullptr}});
  EXPECT_LT(solved("mini_draw_single", "", {"--iterations", "20000"})["exploitability"], 0.1);
  const auto holdem =
      solved("holdem[limit=no_limit,stack=1000]", "[buckets=4,step=3,threshold=0.05]", {"--iterations", "3"});
  EXPECT_EQ(holdem["iterations"], 3);
  EXPECT_GT(holdem["information_sets"], 1000);
  expect_refused({"solve"}, {{{"draw", "--algorithm", "bucket_mccfr", "--target", "0.1"}, "--target needs"},
                             {{"draw", "--algorithm", "bucket_mccfr[bucket=3]"}, "bucket"},
                             {{"stud", "--algorithm", "bucket_mccfr"}, "'stud' is neither a draw game nor hold'em"},
                             {{"holdem", "--algorithm", "bucket_mccfr[step=1]"}, "step"}});
}

TEST_F(Solve, StopsAfterSeconds) {
  const auto json = json_of({"solve", "leduc", "--seconds", "0.3"});
  EXPECT_GE(json["seconds"], 0.3);
  EXPECT_GT(json["iterations"], 0);
  EXPECT_EQ(json["interrupted"], false);
}

// If the file is no longer writable at the end, nothing is lost.
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
    expect_parts(result.err, {"cannot write there/it.safetensors", "; the solution is saved as ", "-it.safetensors\n"});
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
  expect_parts(result.out, {"iterations  exploitability\n        16  ", "\nkuhn by dcfr: 100 iterations, 0.",
                            "\nvalue of seat 0  -0.05", "dealer play --game 'kuhn' --agent " + at("k.safetensors")});
}

TEST_F(Solve, StopsAtTheTarget) {
  for (const char* algorithm : {"dcfr", "mccfr", "mmd"}) {
    const auto json = json_of({"solve", "kuhn", "--algorithm", algorithm, "--target", "0.01"});
    EXPECT_LE(json["exploitability"], 0.01) << algorithm;
    EXPECT_GT(json["exploitability"], 0.001) << algorithm;
  }
  expect_members(json_of({"solve", "kuhn", "--target", "1e-9", "--iterations", "50"}),
                 {{"iterations", 50}, {"out", nullptr}});
}

TEST_F(Solve, HasUsualNumbersOfIterations) {
  EXPECT_EQ(json_of({"solve", "kuhn"})["iterations"], 1000);
  EXPECT_EQ(json_of({"solve", "kuhn", "--algorithm", "mmd"})["iterations"], 10'000);
}

TEST_F(Solve, GoesOnFromAFileToTheSameBits) {
  for (const char* algorithm : {"dcfr", "mccfr[tables=2]", "mmd"}) {
    const std::string half = at("half"), whole = at("whole"), resumed = at("resumed");
    const Words begin = {"solve", "leduc", "--algorithm", algorithm, "--seed", "3"};
    json_of(joined(begin, {"--iterations", "200", "--out", whole}));
    json_of(joined(begin, {"--iterations", "90", "--out", half, "--state"}));
    const auto json =
        json_of({"solve", "leduc", "--resume", half, "--iterations", "200", "--out", resumed, "--threads", "2"});
    EXPECT_EQ(json["algorithm"], algorithm);
    EXPECT_EQ(read("whole"), read("resumed")) << algorithm;
    EXPECT_GT(read("half").size(), 2 * read("whole").size());
  }
}

TEST_F(Solve, GoesOnByBucketsToTheSameBits) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"draw", "bucket_mccfr[buckets=5,tables=2]"},
      {"holdem[limit=no_limit,stack=1000]", "bucket_mccfr[buckets=4,step=3]"}};
  for (const auto& [game, algorithm] : cases) {
    const std::string half = at("half"), whole = at("whole"), resumed = at("resumed");
    const Words begin = {"solve", game, "--algorithm", algorithm, "--seed", "3"};
    json_of(joined(begin, {"--iterations", "9", "--out", whole}));
    json_of(joined(begin, {"--iterations", "4", "--out", half, "--state"}));
    const auto json = json_of({"solve", game, "--resume", half, "--iterations", "9", "--out", resumed});
    expect_members(json, {{"algorithm", algorithm}, {"iterations", 9}});
    EXPECT_EQ(read("whole"), read("resumed")) << game;
    expect_refused({"solve"}, {{{game, "--resume", whole}, "contains the solution but not", 1},
                               {{"lowball", "--resume", half}, "under other rules than those of 'lowball'", 1}});
  }
}

// Whatever ends it, the file has the state of the last interval.
TEST_F(Solve, SavesAtIntervals) {
  for (const std::string game : {"mini_draw_single", "draw --algorithm 'bucket_mccfr[buckets=5]'"}) {
    const std::string file = at("k.safetensors");
    const ProgramResult result = run_script(
        "DEALER solve " + game + " --iterations 1000000000 --save-every 0.05 --out " + file +
        " >out 2>err & p=$!; until [ -f " + file + " ] || ! kill -0 $p; do sleep 0.02; done; kill -KILL $p; wait $p");
    EXPECT_EQ(result.status, 137) << result.err;
    const int done = std::stoi(read_safetensors(file).meta("iterations"));
    EXPECT_GT(done, 0);
    const auto json =
        json_of({"solve", game.substr(0, game.find(' ')), "--resume", file, "--iterations", std::to_string(done + 10)});
    EXPECT_EQ(json["iterations"], done + 10);
    std::filesystem::remove(file);
  }
}

// A file that already has enough iterations stays as it is.
TEST_F(Solve, DoesNothingMoreWhenItIsDone) {
  const std::string file = at("a"), again = at("b");
  json_of({"solve", "kuhn", "--iterations", "60", "--out", file, "--state"});
  const auto json = json_of({"solve", "kuhn", "--resume", file, "--iterations", "50", "--out", again, "--state"});
  EXPECT_EQ(json["iterations"], 60);
  EXPECT_EQ(read_bytes(file), read_bytes(again));
}

TEST_F(Solve, SavesWhenItIsInterrupted) {
  const std::string file = at("i.safetensors");
  const ProgramResult result =
      run_script("DEALER solve mini_draw_single --iterations 1000000000 --out " + file +
                 " >out 2>err & p=$!; until grep -q information err || ! kill -0 $p; do sleep 0.02; done; sleep 0.2; "
                 "kill -INT $p; wait $p");
  EXPECT_EQ(result.status, 130) << result.err;
  expect_parts(result.err, {"; continue with: dealer solve 'mini_draw_single' --resume " + file + " --out " + file});
  const int done = std::stoi(read_safetensors(file).meta("iterations"));
  EXPECT_GT(done, 0);
  EXPECT_TRUE(contains(result.out, std::to_string(done) + " iterations")) << result.out;
  const auto json = json_of({"solve", "mini_draw_single", "--resume", file, "--iterations", std::to_string(done + 10)});
  EXPECT_EQ(json["iterations"], done + 10);
}

TEST_F(Solve, RefusesWhatCannotBe) {
  std::vector<Refused> cases = {
      {{"holdem"},
       "'holdem' is too large to be solved exactly; bucket_mccfr solves it over buckets of hands: dealer solve "
       "'holdem' "
       "--algorithm bucket_mccfr --out holdem.safetensors\n"},
      {{"draw[stack=500]", "--algorithm", "cfr"},
       "dealer solve 'draw[stack=500]' --algorithm bucket_mccfr --out draw.safetensors\n"},
      {{"holdem[players=3]"},
       "'holdem[players=3]' is too large to be solved exactly, and bucket_mccfr is for hold'em of two"},
      {{"stud"}, "'stud' is too large to be solved exactly, and bucket_mccfr is for draw games"},
      {{"ofc"}, "'ofc' does not list its chance moves: its tree cannot be walked"},
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
  const std::string file = at("k");
  json_of({"solve", "kuhn", "--iterations", "10", "--out", file});
  expect_refused({"solve"}, {{{"kuhn", "--resume", file}, "contains the solution but not", 1}});
  json_of({"solve", "kuhn", "--iterations", "10", "--out", file, "--state"});
  expect_refused({"solve"},
                 {{{"kuhn", "--resume", file, "--algorithm", "cfr"}, "--algorithm cannot be combined with --resume"},
                  {{"kuhn", "--resume", file, "--seed", "1"}, "--seed cannot be combined with --resume"},
                  {{"kuhn", "--resume", at("none")}, at("none"), 1}});
  const std::string bytes = read("k");
  for (std::size_t size = 0; size < bytes.size(); size += 41) {
    write("broken", bytes.substr(0, size));
    refusal({"solve", "kuhn", "--resume", at("broken")}, 1);
  }
}

TEST(ExploitabilityCommand, ReportsTheContractsFields) {
  const auto json = json_of({"exploitability", "leduc", "--agent", "random"});
  expect_members(
      json,
      {{"game", "leduc"}, {"agent", "random"}, {"unit", "chips/hand"}, {"nodes", 9457}, {"information_sets", 936}});
  for (const char* each : {"value", "best_response"}) EXPECT_EQ(json[each].size(), 2U);
  EXPECT_NEAR(json["nash_conv"], 4.7472222, 1e-6);
  EXPECT_NEAR(json["exploitability"], 2.3736111, 1e-6);
  // The game may follow --game, as in other commands.
  EXPECT_EQ(json_of({"exploitability", "--game", "leduc", "--agent", "random"}), json);
  expect_refused({"exploitability", "--agent", "random"},
                 {{{"leduc", "--game", "kuhn"}, "given twice"}, {{}, "--game is required"}});
}

TEST(ExploitabilityCommand, ShowsATable) {
  EXPECT_EQ(output_of({"exploitability", "kuhn", "--agent", "random"}),
            "seat         value  best response    could gain   chips/hand\n"
            "   0     0.1250000      0.5000000     0.3750000\n"
            "   1    -0.1250000      0.4166667     0.5416667\n"
            "\n"
            "NashConv 0.9167, exploitability 0.4583 chips/hand\n");
}

TEST(ExploitabilityCommand, RefusesAgentsWithoutAPolicy) {
  expect_refused({"exploitability"},
                 {{{"kuhn", "--agent", "rule[samples=3]"},
                   "agent 'rule[samples=3]': the agent acts at random but gives no action probabilities: at '"},
                  {{"kuhn", "--agent", "rul"}, "did you mean 'rule'?"},
                  {{"kuhn"}, "--agent is required"},
                  {{"ofc", "--agent", "random"}, "does not list its chance moves"}});
}

}  // namespace
}  // namespace dealer::test::solve_test
