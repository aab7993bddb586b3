#include <csignal>

#include "tests/cli/run_dealer.h"
#include "tests/support/fake_agents.h"
#include "tests/support/well_formed.h"

namespace dealer::test::cli_match_test {
namespace {

TEST(Match, ReportsTheContractsFields) {
  const auto json = json_of({"match", "rule", "random", "--game", "ofc", "--hands", "20", "--seed", "3"});
  expect_members(json, {{"game", "ofc"}, {"agents", {"rule", "random"}}, {"hands", 20}, {"unit", "points/hand"}});
  ASSERT_EQ(json["mean"].size(), 2U);
  ASSERT_EQ(json["ci95"].size(), 2U);
  EXPECT_DOUBLE_EQ(json["mean"][0], -json["mean"][1].get<double>());
  EXPECT_GT(json["mean"][0], 0);
  for (const auto& stats : json["stats"])
    for (const char* name : {"foul_rate", "fantasyland_rate", "royalties"}) EXPECT_TRUE(stats.contains(name)) << stats;
  EXPECT_GT(json["seconds"], 0);
}

TEST(Match, APolicyAgainstItselfIsExactlyEven) {
  EXPECT_EQ(json_of({"match", "random", "random", "--hands", "50", "--seed", "1"})["mean"], Json({0.0, 0.0}));
}

TEST(Match, SameSeedSameResultWhateverTheThreads) {
  const auto play = [](const Words& more) {
    return timeless_json_of(joined({"match", "rule", "random", "--hands", "20"}, more));
  };
  const auto one = play({"--seed", "5", "--threads", "1"});
  EXPECT_EQ(one, play({"--seed", "5", "--threads", "3"}));
  EXPECT_NE(one["mean"], play({"--seed", "6", "--threads", "1"})["mean"]);
  EXPECT_NE(one, play({"--seed", "5", "--threads", "1", "--no-duplicate"}));
}

TEST(Match, ShowsATable) {
  expect_parts(output_of({"match", "rule", "random", "--hands", "5"}),
               {"rule", "random", "95%", "foul_rate", "royalties"});
}

TEST(Match, SaysInWordsWhoIsBetter) {
  const struct {
    const char *agents, *verdict;
  } rows[] = {
      {"rule rule --game kuhn --deals 50",
       "\nNo difference between rule and rule (2): neither won more than the other in any deal\n"},
      {"random rule --game leduc --deals 1000", "\nrule is better than random: likelihood of superiority >99.9%\n"},
      {"rule random --game leduc --deals 1000", "\nrule is better than random: likelihood of superiority >99.9%\n"},
      {"rule random --game leduc --deals 4 --seed 3",
       "\nUndecided: rule is ahead of random, likelihood of superiority 88.9%; about 18 deals in all would decide if "
       "mean and variance stay as in these 4\n"},
      {"rule random --game leduc --deals 1",
       "\nUndecided between rule and random: one deal gives no estimate of the variance\n"},
  };
  for (const auto& [agents, verdict] : rows)
    expect_parts(output_of(run_dealer(std::string("match ") + agents)), {verdict});
}

TEST(Match, ThreeAgentsPlayForThree) {
  const auto json = json_of({"match", "random", "random", "rule", "--hands", "5"});
  EXPECT_EQ(json["game"], "ofc[players=3]");
  EXPECT_EQ(json["mean"].size(), 3U);
  expect_refused({"match", "random", "random", "rule"},
                 {{{"--game", "ofc[players=2]"}, "2"},
                  {{"random"}, "4 agents given; 'ofc' cannot be played by so many; it is a game of 2 to 3 players"}});
  expect_refused({"match", "random", "random", "random", "--game", "kuhn"},
                 {{{}, "3 agents given; 'kuhn' cannot be played by so many; it is a game of 2 players"}});
}

TEST(Match, NumbersMayBeShort) {
  for (const char* deals : {"0.02k", "2e1", "20"})
    EXPECT_EQ(json_of({"match", "random", "random", "--deals", deals, "--seed", "1e3", "--game", "kuhn"})["deals"], 20);
  const auto seeded = [](const char* seed) {
    return json_of(
        {"match", "random", "random", "--deals", "20", "--game", "leduc", "--no-duplicate", "--seed", seed})["mean"];
  };
  EXPECT_EQ(seeded("1k"), seeded("1000"));
  expect_refused({"match", "random", "random", "--game", "kuhn"},
                 {{{"--deals", "2.5"}, "--deals: '2.5' is not allowed; expected an integer from 1 to 1000000000"},
                  {{"--deals", "2G"}, "--deals: '2G' is not allowed; expected an integer from 1 to 1000000000"}});
}

TEST(Match, OneHandIsOne) {
  expect_parts(output_of({"match", "random", "random", "--game", "kuhn", "--deals", "1", "--no-duplicate"}),
               {"kuhn: 1 deal, 1 hand, "});
  expect_parts(output_of({"match", "random", "random", "--game", "kuhn", "--deals", "1"}),
               {"kuhn: 1 deal in every seating, 2 hands, "});
}

TEST(Match, DealsAreCalledSo) {
  const Words match = {"match", "random", "random", "--game", "kuhn", "--seed", "5"};
  const auto deals = timeless_json_of(joined(match, {"--deals", "12"}));
  EXPECT_EQ(deals, timeless_json_of(joined(match, {"--hands", "12"})));
  expect_members(deals, {{"deals", 12}, {"hands", 12}, {"interrupted", false}});
  refusal(joined(match, {"--deals", "3", "--hands", "3"}));
}

// A match against an agent that plays at random and, at one decision in a hundred, fails or sends the program a signal.
Words troublesome(int signal, const Words& more = {}) {
  register_random_agent("troublesome", [signal, decisions = 0]() mutable {
    if (++decisions % 100 != 0) return;
    if (signal == 0) throw std::runtime_error("a message\nof two lines\x1b");
    std::raise(signal);
  });
  return joined({"match", "random", "troublesome", "--game", "kuhn", "--deals", "300", "--threads", "1"}, more);
}

TEST(Match, CountsTheFailuresOfAnAgentAndGoesOn) {
  const auto json = json_of(troublesome(0));
  EXPECT_EQ(json["deals"], 300);
  EXPECT_EQ(json["failures"][0]["error"], 0);
  EXPECT_GE(json["failures"][1]["error"], 6);
  EXPECT_LE(json["failures"][1]["error"], 12);
  expect_members(json["failures"][1], {{"illegal", 0}, {"late", 0}});
  const std::string first = json["failures"][1]["first"]["error"];
  EXPECT_TRUE(contains(first, " of deal ") && contains(first, ": a message\nof two lines")) << first;

  const ProgramResult text = run_here(troublesome(0));
  EXPECT_EQ(text.status, 0);
  const std::string count = std::to_string(json["failures"][1]["error"].get<int>());
  expect_parts(text.out,
               {"hands failed (error)                0" + std::string(13 - count.size(), ' ') + count + '\n',
                std::to_string(json["failed_deals"].get<int>()) + " of 300 deals excluded from the results above",
                "\ntroublesome, first error: seat ", ": a message\\nof two lines\\x1b\n"});
  const std::string fine = run_here({"match", "random", "random", "--game", "kuhn"}).out;
  EXPECT_FALSE(contains(fine, "failed") || contains(fine, "left out")) << fine;
}

TEST(Match, AStrictOneStopsAtTheFirstFailure) {
  const std::string error = refusal(troublesome(0, {"--strict"}), 1);
  EXPECT_TRUE(error.starts_with("dealer: agent 'troublesome' in seat ")) << error;
  EXPECT_TRUE(error.ends_with(": a message\\nof two lines\\x1b\n")) << error;
}

TEST(Match, InterruptedItPrintsTheResultSoFar) {
  const ProgramResult result = run_here(troublesome(SIGINT, {"--json"}));
  EXPECT_EQ(result.status, 130);
  const auto json = Json::parse(result.out);
  EXPECT_EQ(json["interrupted"], true);
  const int deals = json["deals"];
  EXPECT_GT(deals, 20);
  EXPECT_LT(deals, 60);
  EXPECT_EQ(json["hands_played"], 2 * deals);
  EXPECT_EQ(result.err,
            "dealer: interrupted after " + std::to_string(deals) + " of 300 deals; the result covers these\n");
  // The match with that number of deals has the same result.
  const auto whole = json_of({"match", "random", "random", "--game", "kuhn", "--deals", std::to_string(deals)});
  expect_members(json, {{"mean", whole["mean"]}, {"stats", whole["stats"]}});

  const ProgramResult text = run_here(troublesome(SIGTERM));
  EXPECT_EQ(text.status, 143);
  EXPECT_TRUE(text.out.starts_with("kuhn: " + std::to_string(deals) + " deals in every seating")) << text.out;
  // Not interrupted after the last deal.
  EXPECT_EQ(run_here({"match", "random", "random", "--game", "kuhn", "--deals", "3"}).status, 0);
}

TEST(Match, RefusesMisuse) {
  std::vector<Refused> cases = {
      {{"--move-time", "-1"}, "--move-time: '-1' is not allowed; expected a number from 0 (no limit) to 3600;"},
      {{"--move-time", "nan"}, "'nan' is not allowed"},
      {{"--num-envs", "5000"}, "expected an integer from 0 to 4096"},
      {{"--deals", "0"}, "expected an integer from 1 to 1000000000"}};
  for (const std::string bounds : {"1", "1,", ",1", "1,2,3", "a,b"})
    cases.push_back({{"--sprt", bounds}, "--sprt '" + bounds + "': expected two numbers, H0,H1, such as -0.5,0.5"});
  expect_refused({"match", "random", "random"}, cases);
  expect_refused({"match", "rule"}, {{{"randm"}, "did you mean 'random'?"}});
}

class AnalyseCommand : public CommandInFolder {
 protected:
  std::string log(const std::string& game, const Words& agents, const std::string& deals = "10") const {
    const ProgramResult result =
        run_here(joined({"match", "--game", game, "--deals", deals, "--seed", "3", "--log", at("log.phhs")}, agents));
    EXPECT_EQ(result.status, 0) << result.err;
    return at("log.phhs");
  }
  static ProgramResult analyse(const std::string& file, const Words& more) {
    return run_here(joined({"analyse", file}, more));
  }
  static Json analysis(const std::string& file, const Words& more = {}) {
    return json_of(joined({"analyse", file, "--quiet"}, more));
  }
};

TEST_F(AnalyseCommand, KeepsTheContract) {
  const auto json = analysis(log("leduc", {"rule", "default"}));
  expect_members(json, {{"hands", 20}, {"agent", "default"}, {"methods", Json::array({"exact"})}});
  ASSERT_GT(json["decisions"].size(), 40U);
  for (const auto& decision : json["decisions"])
    for (const char* key : {"hand", "seat", "chosen", "best", "loss"}) EXPECT_TRUE(decision.contains(key));
  const auto& first = json["decisions"][0];
  EXPECT_EQ(first["hand"], "0-0-0");
  // The line of the file with the decision.
  expect_parts(lines_of(read("log.phhs")).at(first["line"].get<std::size_t>() - 1), {first["chosen"]});
}

TEST_F(AnalyseCommand, PrintsLossesFiguresAndAReport) {
  const std::string file = log("leduc", {"rule", "default"}, "40");
  const std::string out = output_of(analyse(file, {"--player", "rule", "--worst", "4", "--html", at("a.html")}), false);
  expect_parts(out, {"better: ", "loss a hand", "report  " + at("a.html") + "\n"});
  expect_none(out, {"default  "});
  EXPECT_EQ(xml_fault(read("a.html")), "");
  expect_parts(read("a.html"), {"Analysis of leduc"});
}

TEST_F(AnalyseCommand, TakesEveryKindOfGame) {
  for (const char* game : {"ofc", "draw", "holdem", "holdem[limit=no_limit]", "stud", "kuhn", "mini_draw"}) {
    const auto json =
        analysis(log(game, {"random", "rule"}, "1"), {"--agent", std::string(game) == "ofc" ? "default" : "random"});
    EXPECT_TRUE(std::any_of(json["decisions"].begin(), json["decisions"].end(), [](const auto& decision) {
      return !decision["loss"].is_null();
    })) << game;
  }
}

TEST_F(AnalyseCommand, ReadsStandardInput) {
  const std::string file = log("kuhn", {"random", "rule"});
  EXPECT_EQ(Json::parse(run_dealer("analyse - --json --quiet", read("log.phhs")).out), analysis(file));
}

TEST_F(AnalyseCommand, ListsEveryDecisionOrNone) {
  const std::string file = log("leduc", {"rule", "random"});
  const auto json = analysis(file);
  const std::string all = analyse(file, {"--all", "--quiet"}).out;
  EXPECT_GT(std::count(all.begin(), all.end(), '\n'), static_cast<std::ptrdiff_t>(json["decisions"].size()));
  ASSERT_EQ(analyse(file, {"--worst", "0", "--html", at("none.html")}).status, 0);
  EXPECT_FALSE(contains(read("none.html"), "None: every choice"));
  EXPECT_TRUE(analysis(file, {"--worst", "0"})["decisions"].empty());
}

TEST_F(AnalyseCommand, TakesARangeOfHands) {
  const std::string file = log("kuhn", {"random", "rule"});
  struct Range {
    std::string hands;
    int judged;
    std::string first;
  };
  for (const Range& range : {Range{"3", 3, "0-0-0"}, {"3-6", 4, "1-0-0"}, {"20", 20, "0-0-0"}}) {
    const auto json = analysis(file, {"--hands", range.hands});
    EXPECT_EQ(json["hands"], range.judged) << range.hands;
    EXPECT_EQ(json["decisions"][0]["hand"], range.first) << range.hands;
  }
}

TEST_F(AnalyseCommand, RefusesMisuse) {
  const std::string file = log("kuhn", {"random", "rule"});
  write("empty.phhs", "");
  expect_refused({"analyse"}, {{{at("none.phhs")}, "none.phhs", 1}, {{at("empty.phhs")}, "there is no hand in it", 1}});
  expect_refused({"analyse", file},
                 {{{"--hands", "0"}, "'0' is not allowed; expected a number from 1, as 200, or a range, as 11-20"},
                  {{"--hands", "9-5"}, "'9-5' is not allowed"},
                  {{"--hands", "30-40"}, "there is no hand 30-40"},
                  {{"--seat", "2"}, "there is no seat 2; seats are 0 to 1"},
                  {{"--player", "rull"}, "did you mean 'rule'?"},
                  {{"--agent", "defualt"}, "did you mean 'default'?"},
                  {{"--simulations", "5", "--time", "1"}, "exclude each other"},
                  {{"--time", "1"}, "--time needs a search"},
                  {{"--all", "--worst", "3"}, "--all and --worst exclude each other"},
                  {{"--sampled", "--agent", "search"}, "--sampled needs playouts"}});
  expect_refused({"analyse", log("ofc", {"random", "random"}, "1")},
                 {{{"--agent", "exec:cat"}, "agent 'exec:cat' provides no values of choices in 'ofc'"}});
}

TEST_F(AnalyseCommand, AWrongLineIsNamed) {
  log("kuhn", {"random", "rule"});
  std::string text = read("log.phhs");
  const std::size_t at_finish = text.rfind("finishing_stacks = [");
  text.insert(at_finish + 20, "1");
  write("wrong.phhs", text);
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at_finish), '\n');
  const std::string wrong = refusal({"analyse", at("wrong.phhs")}, 1);
  expect_parts(wrong, {"wrong.phhs:" + std::to_string(line) + ": hand ", "1 of 20 hands is wrong"});
  // Without analysed hands no file is written.
  EXPECT_EQ(analyse(at("wrong.phhs"), {"--html", at("none.html")}).status, 1);
  EXPECT_FALSE(std::filesystem::exists(at("none.html")));
}

}  // namespace
}  // namespace dealer::test::cli_match_test
