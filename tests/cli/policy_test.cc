// dealer policy.
#include <cmath>

#include "tests/cli/run_dealer.h"

namespace dealer::test::policy_test {
namespace {

TEST(PolicyCommand, ReportsProbabilitiesAndValues) {
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
            "information set    reach     value  probability of each action\n1: Qs | bet      0.16667   -0.5000  fold "
            "0.5000  call 0.5000\n1: Ks | bet      0.16667   +0.5000  fold 0.5000  call 0.5000\n1: Js | bet      "
            "0.16667   -1.5000  fold 0.5000  call 0.5000\n\nreach: probability that a hand gets there; value: "
            "chips/hand from there on, including the pot so far\n");
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
                  {{"--details"}, "--details needs --json"},
                  {{"--after", "bet"},
                   "--after needs a chart of hold'em with 52 cards, draw poker and stud; 'kuhn' is another game"},
                  {{"--hands", "5"}, "--hands needs a chart of OFC, draw poker and stud"},
                  {{"--playouts", "5"}, "--playouts needs a chart of OFC"},
                  {{"--against-fantasyland"}, "--against-fantasyland needs a chart of OFC"},
                  {{"--out", "a.svg"}, "--out needs a chart of hold'em"}});
}

class PolicyChart : public CommandInFolder {};

TEST_F(PolicyChart, HasFrequenciesOfEveryHand) {
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
  expect_refused({"policy", "holdem", "--agent", "rule"},
                 {{{"--after", "rise"}, "--after: 'rise': 'rise' is not possible here; did you mean 'raise'?"},
                  {{"--after", "call, check, check"}, "--after: ' check': the betting before the flop is over"},
                  {{"--after", "fold"}, "the betting before the flop is over"},
                  {{"--seat", "1"}, "--seat needs a small game, whose information sets are listed; 'holdem' is shown"},
                  {{"--details", "--json"}, "--details needs a small game"}});
  expect_refused({"policy"}, {{{"holdem[deck=court_color_52]", "--agent", "rule"}, "its tree cannot be walked"},
                              {{"seven_hand", "--agent", "rule"}, "its tree cannot be walked"},
                              {{"ofc", "--agent", "rule", "--after", "fold"}, "--after needs a chart of hold'em"},
                              {{"draw", "--agent", "rule", "--after", "check, check, pat"},
                               "--after: ' check': the first round of betting is over"}});
}

TEST(OpeningCharts, ShowStartingHandsOfDrawPokerAndStud) {
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

TEST(OpeningCharts, ShowPlacementsOfOfcOpenings) {
  for (const char* agent : {"default", "rule"}) {
    const auto chart = json_of({"policy", "ofc", "--agent", agent, "--hands", "1"});
    expect_members(chart, {{"game", "ofc"}, {"unit", "points"}, {"sampled", agent == std::string("rule")}});
    double share = 0, value = 0;
    for (const auto& hand : chart["hands"]) {
      value += hand["share"].get<double>() * hand["value"].get<double>();
      share += hand["share"].get<double>();
      std::size_t placed = 0;
      for (const auto& row : hand["example"]["rows"]) placed += row.size();
      EXPECT_EQ(placed, 5U);
    }
    EXPECT_NEAR(share, 1, 1e-9);
    EXPECT_NEAR(chart["all"]["value"], value, 1e-9);
  }
  expect_parts(output_of({"policy", "ofc", "--agent", "default", "--hands", "1"}),
               {"ofc, default: first to act, points/hand\n", "\naces ", "Fantasyland", " / "});
}

TEST(OpeningCharts, PlayOutOpeningsAgainstFantasyland) {
  const Words command = {"policy", "ofc",        "--agent", "default[endgame=false]", "--hands",
                         "2",      "--playouts", "3",       "--against-fantasyland"};
  const auto chart = json_of(command);
  expect_members(chart, {{"sampled", true}, {"playouts", 3}, {"against_fantasyland", true}});
  for (const auto& hand : chart["hands"]) {
    EXPECT_GT(hand["value_ci95"], 0) << hand;
    // Two openings of three playouts each, weighted alike.
    const double fouls = hand["foul"].get<double>() * 6;
    EXPECT_NEAR(fouls, std::round(fouls), 1e-9) << hand;
  }
  expect_parts(output_of(command), {"first to act against Fantasyland, points/hand\n", " ± ", "from 3 playouts each"});
}

}  // namespace
}  // namespace dealer::test::policy_test
