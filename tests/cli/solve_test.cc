// dealer solve, exploitability and policy.
#include <cmath>
#include <filesystem>

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
  expect_refused({"solve"}, {{{"draw", "--algorithm", "bucket_mccfr", "--target", "0.1"}, "--target goes with"},
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
    expect_refused({"solve"}, {{{game, "--resume", whole}, "has the solution alone", 1},
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
  expect_parts(result.err, {"; go on with: dealer solve 'mini_draw_single' --resume " + file + " --out " + file});
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
  expect_refused({"solve"}, {{{"kuhn", "--resume", file}, "has the solution alone", 1}});
  json_of({"solve", "kuhn", "--iterations", "10", "--out", file, "--state"});
  expect_refused({"solve"}, {{{"kuhn", "--resume", file, "--algorithm", "cfr"}, "--algorithm beside --resume"},
                             {{"kuhn", "--resume", file, "--seed", "1"}, "--seed beside --resume"},
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
                   "agent 'rule[samples=3]': the agent has no policy, and it decides by chance: at '"},
                  {{"kuhn", "--agent", "rul"}, "did you mean 'rule'?"},
                  {{"kuhn"}, "--agent is required"},
                  {{"ofc", "--agent", "random"}, "does not list its chance moves"}});
}

TEST(PolicyCommand, TellsWhatIsDoneHowOften) {
  const auto json = json_of({"policy", "kuhn", "--agent", "default", "--details"});
  expect_members(json, {{"game", "kuhn"}, {"unit", "chips/hand"}});
  EXPECT_NEAR(json["value"][0], -1.0 / 18, 1e-5);
  ASSERT_EQ(json["policy"].size(), 12U);
  double start = 0;
  for (const auto& line : json["policy"]) {
    const std::string where = line["information_set"];
    const auto& moves = line["actions"];
    EXPECT_EQ(line["seat"], where[0] - '0');
    double sum = 0, value = 0;
    for (const auto& move : moves) {
      sum += move["probability"].get<double>();
      value += move["probability"].get<double>() * move["value"].get<double>();
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_NEAR(line["value"], value, 1e-12);
    if (where.ends_with("|")) start += line["reach"].get<double>();
    const bool bluff = where == "1: Js | check", bet = where == "1: Qs | bet";
    if (!bluff && !bet) continue;
    EXPECT_EQ(moves[0]["action"], bluff ? "check" : "fold");
    EXPECT_EQ(moves[1]["action"], bluff ? "bet" : "call");
    EXPECT_NEAR(moves[1]["probability"], 1.0 / 3, 1e-3);
    EXPECT_TRUE(bluff || std::abs(moves[0]["value"].get<double>() + 1) < 1e-9) << line;
  }
  EXPECT_NEAR(start, 1, 1e-12);
}

TEST(PolicyCommand, GivesAMapOfInformationSets) {
  const auto json = json_of({"policy", "--game", "kuhn", "--agent", "random"});
  ASSERT_EQ(json.size(), 12U);
  EXPECT_EQ(json["1: Js | bet"], Json({{"fold", 0.5}, {"call", 0.5}}));
  EXPECT_EQ(json["0: Ks |"], Json({{"check", 0.5}, {"bet", 0.5}}));
  const Words drawing = {"policy", "mini_draw_single", "--agent", "rule", "--find", "0: Kh Js |"};
  const auto some = json_of(drawing), details = json_of(joined(drawing, {"--details"}));
  ASSERT_EQ(some.size(), details["policy"].size());
  for (const auto& line : details["policy"]) {
    const auto& moves = some[line["information_set"].get<std::string>()];
    ASSERT_EQ(moves.size(), line["actions"].size()) << line;
    for (const auto& move : line["actions"])
      EXPECT_EQ(moves[move["action"].get<std::string>()], move["probability"]) << line;
  }
  // Discarded cards are named.
  expect_parts(output_of(joined(drawing, {"--seat", "0", "--sort", "reach"})), {"keep Js 0.0000  discard Js 1.0000"});
}

TEST(PolicyCommand, ShowsATable) {
  // Without --seat the output would include seat 0's sets after a bet.
  EXPECT_EQ(output_of({"policy", "kuhn", "--agent", "random", "--seat", "1", "--find", " bet"}),
            "information set    reach     value  probability of each action\n"
            "1: Qs | bet      0.16667   -0.5000  fold 0.5000  call 0.5000\n"
            "1: Ks | bet      0.16667   +0.5000  fold 0.5000  call 0.5000\n"
            "1: Js | bet      0.16667   -1.5000  fold 0.5000  call 0.5000\n"
            "\n"
            "reach: how often a hand comes there; value: chips/hand from there on, the pot so far counted\n");
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
                  {{"--details"}, "--details goes with --json"},
                  {{"--after", "bet"},
                   "--after goes with the charts of hold'em with 52 cards, draw poker and stud; 'kuhn' is "
                   "another game"},
                  {{"--hands", "5"}, "--hands goes with the charts of OFC, draw poker and stud"},
                  {{"--out", "a.svg"}, "--out goes with the charts of hold'em"}});
}

class PolicyChart : public CommandInFolder {};

TEST_F(PolicyChart, TellsHowOftenEachHandIsFoldedCalledAndRaised) {
  const std::string out = at("chart.svg");
  const auto json = json_of({"policy", "holdem", "--agent", "default", "--after", "raise", "--out", out});
  expect_members(json, {{"game", "holdem"}, {"agent", "default"}, {"position", "BB"}, {"sampled", false}});
  EXPECT_EQ(json["after"], "BTN raise to 20");
  ASSERT_EQ(json["hands"].size(), 169U);
  for (const auto& [hand, cell] : json["hands"].items()) {
    EXPECT_NEAR(cell["fold"].get<double>() + cell["call"].get<double>() + cell["raise"].get<double>(), 1, 1e-6) << hand;
    EXPECT_EQ(cell["choices"].size(), 3U) << hand;
  }
  EXPECT_GT(json["hands"]["AA"]["raise"], 0.5);
  EXPECT_GT(json["hands"]["72o"]["fold"], json["hands"]["AKs"]["fold"]);
  const std::string picture = read("chart.svg");
  for (const char* part : {"<svg", ">AKs<", ">72o<", ">holdem, default: BB after BTN raise to 20<"})
    EXPECT_NE(picture.find(part), std::string::npos) << part;
}

TEST_F(PolicyChart, ShowsATableForAnyPosition) {
  const std::string text =
      output_of({"policy", "holdem[limit=no_limit,players=4]", "--agent", "rule", "--after", "f, r 300"});
  expect_parts(text,
               {"holdem[limit=no_limit,players=4], rule: SB after UTG fold, BTN raise to 300\nall hands: fold ",
                "\n       A     K     Q ", "\n2 ", "\ncall/raise in percent, the rest folds; suited hands above the"});
  for (const std::string& line : lines_of(text)) EXPECT_LE(line.size(), 80U) << line;
  expect_parts(output_of({"policy", "holdem", "--agent", "random", "--after", "call"}),
               {"holdem, random: BB after BTN call 5\nall hands: fold 33%, check 33%, raise 33%\n",
                "\ncheck/raise in percent, the rest folds; suited"});
}

TEST_F(PolicyChart, RefusesWhatCannotBe) {
  expect_refused(
      {"policy", "holdem", "--agent", "rule"},
      {{{"--after", "rise"}, "--after: 'rise': 'rise' is nothing that can be done here; did you mean 'raise'?"},
       {{"--after", "call, check, check"}, "--after: ' check': the betting before the flop is over"},
       {{"--after", "fold"}, "the betting before the flop is over"},
       {{"--seat", "1"}, "--seat goes with small games, whose information sets are listed; 'holdem' is shown"},
       {{"--details", "--json"}, "--details goes with small games"}});
  expect_refused({"policy"},
                 {{{"holdem[deck=court_color_52]", "--agent", "rule"}, "its tree cannot be walked"},
                  {{"seven_hand", "--agent", "rule"}, "its tree cannot be walked"},
                  {{"ofc", "--agent", "rule", "--after", "fold"}, "--after goes with the charts of hold'em"},
                  {{"draw", "--agent", "rule", "--after", "check, check, pat"},
                   "--after: ' pat': the first round of betting is over"}});
}

TEST(OpeningCharts, TellHowHandsOfDrawPokerAndStudBegin) {
  const auto draw = json_of({"policy", "draw", "--agent", "rule", "--hands", "3"});
  expect_members(draw, {{"game", "draw"}, {"agent", "rule"}, {"after", ""}});
  for (const auto& hand : draw["hands"]) {
    EXPECT_NEAR(hand["fold"].get<double>() + hand["check"].get<double>() + hand["bet"].get<double>(), 1, 1e-6);
    EXPECT_LE(hand["asked"], 3);
    EXPECT_EQ(hand["thrown"].size(), 6U);
  }
  const std::string stud = output_of({"policy", "stud", "--agent", "random", "--hands", "2", "--after", "bet"});
  expect_parts(stud, {"stud, random: seat ", "\nhand ", "call  raise\n", "\naces ", "\nall ", "at most 2 hands"});
  EXPECT_EQ(stud.find("draws"), std::string::npos);
}

TEST(OpeningCharts, TellHowOpeningsOfOfcAreSet) {
  for (const char* agent : {"default", "rule"}) {
    const auto chart = json_of({"policy", "ofc", "--agent", agent, "--hands", "1"});
    expect_members(chart, {{"game", "ofc"}, {"unit", "points"}, {"sampled", agent == std::string("rule")}});
    double share = 0;
    for (const auto& hand : chart["hands"]) {
      share += hand["share"].get<double>();
      std::size_t placed = 0;
      for (const auto& row : hand["example"]["rows"]) placed += row.size();
      EXPECT_EQ(placed, 5U);
    }
    EXPECT_NEAR(share, 1, 1e-9);
  }
  expect_parts(output_of({"policy", "ofc", "--agent", "default", "--hands", "1"}),
               {"ofc, default: first to act, points/hand\n", "\naces ", "Fantasyland", " / "});
}

}  // namespace
}  // namespace dealer::test::solve_test
