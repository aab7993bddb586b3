// The report, JSON and Markdown of a tournament with known results.
#include "arena/tournament/results.h"
#include "tests/arena/testing.h"

namespace dealer::tournament::report_test {
namespace {

using namespace test;

PairResult pair(int a, int b, double mean, double error) { return {{a, b, mean, error * error, 1e6}, 100, 200, ""}; }

Results results(const Words& names, std::vector<PairResult> pairs) {
  Results results;
  results.game = "leduc";
  results.unit = "chips/hand";
  results.players = 2;
  results.version = "1.2";
  for (const std::string& name : names) {
    results.agents.emplace_back();
    results.agents.back().name = results.agents.back().spec = name;
  }
  results.pairs = std::move(pairs);
  evaluate(results);
  return results;
}

const Words kThree = {"low", "top", "mid"};
Results ordered() { return results(kThree, {pair(0, 1, -4, 0.1), pair(0, 2, -1, 0.1), pair(1, 2, 1, 0.1)}); }
Results cycle() { return results({"r", "p", "s"}, {pair(0, 1, -1, 0.1), pair(0, 2, 1, 0.1), pair(1, 2, -1, 0.1)}); }

TEST(TournamentResults, AreSortedByRating) {
  const Results sorted = ordered();
  ASSERT_EQ(sorted.agents.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(sorted.agents[i].name, (Words{"top", "mid", "low"})[i]);
  EXPECT_NEAR(sorted.agents[0].rating.value, 5.0 / 3, 1e-12);
  EXPECT_EQ(sorted.agents[0].hands, 400);
  EXPECT_EQ(sorted.hands(), 600);
  EXPECT_NEAR(sorted.agents[0].nash, 1, 1e-6);
  EXPECT_NEAR(sorted.agents[2].nash_payoff, -4, 1e-5);
  EXPECT_EQ(between(sorted, 0, 2).value, 4);
  EXPECT_EQ(between(sorted, 2, 0).value, -4);
  EXPECT_NEAR(between(sorted, 2, 0).ci95, 0.196, 1e-4);
  EXPECT_EQ(between(sorted, 2, 0).count, 200);
  EXPECT_EQ(sorted.pairs[0].points.a, 0);
  EXPECT_EQ(sorted.pairs[0].points.b, 1);
  EXPECT_EQ(sorted.pairs[0].points.mean, 1);
}

TEST(TournamentResults, AsJson) {
  const nlohmann::ordered_json json = to_json(ordered());
  EXPECT_EQ(json["agents"][0]["name"], "top");
  EXPECT_NEAR(json["agents"][0]["ci95"].get<double>(), 1.96 / 3 * std::sqrt(0.02), 1e-4);
  EXPECT_EQ(json["pairs"].size(), 3U);
  expect_members(json["pairs"][1],
                 {{"a", "top"}, {"b", "low"}, {"mean", 4.0}, {"hands", 200}, {"deals", 100}, {"failure", nullptr}});
  EXPECT_NEAR(json["nash"][0].get<double>(), 1, 1e-6);
  EXPECT_EQ(json["cycles"].size(), 0U);
  EXPECT_EQ(json["curve"].size(), 0U);
  EXPECT_NEAR(json["explained"].get<double>(), 1 - 2.0 / 27, 1e-9);

  const nlohmann::ordered_json round = to_json(cycle());
  ASSERT_EQ(round["cycles"].size(), 1U);
  EXPECT_EQ(round["cycles"][0]["agents"], (Words{"p", "r", "s"}));
  EXPECT_EQ(round["cycles"][0]["certain"], true);
  EXPECT_EQ(round["cycles_found"], 1);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(round["nash"][at(i)].get<double>(), 1.0 / 3, 1e-6);
}

TEST(TournamentResults, WhatIsUnknownIsNull) {
  Results some = results({"a", "b", "c"}, {pair(0, 1, 1, 0.1), {{0, 2, 0, INFINITY, 1}, 0, 0, "no network", "c"}});
  const nlohmann::ordered_json json = to_json(some);
  expect_members(json["agents"][2], {{"name", "c"}, {"rating", nullptr}, {"ci95", nullptr}, {"nash_payoff", nullptr}});
  EXPECT_TRUE(json["nash"].is_null());
  expect_members(json["pairs"][1], {{"mean", nullptr}, {"ci95", nullptr}, {"failure", "no network"}});
  const Words sentences = conclusions_of(some);
  EXPECT_EQ(sentences[sentences.size() - 2], "Without a rating, because no games connect them with the others: c.");
  EXPECT_EQ(sentences.back(),
            "Failed: 1 of 2 pairs: c in 1 pair; hands with a failure are excluded, and the same command plays the "
            "missing ones.");
  EXPECT_EQ(json["pairs"][1]["failed_agent"], "c");
  EXPECT_EQ(json["agents"][2]["failed_pairs"], 1);
  EXPECT_EQ(json["agents"][0]["failed_pairs"], 0);
  const std::string page = report_of(some);
  EXPECT_EQ(xml_fault(page), "");
  EXPECT_TRUE(has(page, "Some pairs of agents have not met"));
  EXPECT_TRUE(has(page, "a – c failed: no network"));
  const Results none = results({"a", "b"}, {{{0, 1, 0, INFINITY, 1}, 0, 0, "no network"}});
  EXPECT_EQ(xml_fault(report_of(none)), "");
  EXPECT_TRUE(to_json(none)["explained"].is_null());
  EXPECT_EQ(conclusions_of(none).back(), "Nothing was measured: no pair has a valid hand.");
}

TEST(TournamentConclusions, SayWhoIsLeastExploitableAndWhoWinsMost) {
  const Words sentences = conclusions_of(ordered());
  EXPECT_EQ(
      sentences,
      (Words{"Least exploitable: top, alone in the Nash average; no agent here wins from it.",
             "Wins most on average: top, 1.67 ± 0.09 chips/hand from the field, most of it from low (4.00 ± 0.20); "
             "likelihood of superiority over mid, the second: >99.9%.",
             "Cycles: none in which each agent beats the next and the last beats the first.",
             "Ratings: they explain 92.6% of the head-to-head results; the rest is non-transitivity or "
             "noise."}));
  const Words close = conclusions_of(results({"a", "b"}, {pair(0, 1, 0.1, 0.1)}));
  EXPECT_TRUE(
      close[0].starts_with("Least exploitable: a, alone in the Nash average; no agent here wins from it, though its "
                           "share may be anything from 0 to 100% (95%)."))
      << close[0];
  EXPECT_EQ(close[1],
            "Wins most on average: a, 0.05 ± 0.10 chips/hand from the field; likelihood of superiority over b, the "
            "second: 84.1%.");
  EXPECT_EQ(close.size(), 2U) << "two agents make no cycle";
  // The agent that wins most from weak ones loses to the one that nobody exploits.
  const Words upset =
      conclusions_of(results({"a", "b", "c"}, {pair(0, 1, -1, 0.1), pair(0, 2, 9, 0.1), pair(1, 2, 1, 0.1)}));
  EXPECT_EQ(upset[0], "Least exploitable: b, alone in the Nash average; no agent here wins from it.");
  expect_parts(upset[1], {"Wins most on average: a, ", "most of it from c (9.00 ± 0.20)",
                          ". It loses 1.00 ± 0.20 to b when the two meet."});
}

TEST(TournamentConclusions, SayNoMoreThanWasPlayed) {
  // Without all pairs a rating is an estimate, and there are no cycles to find.
  const Words gauntlet = conclusions_of(results({"a", "b", "c"}, {pair(0, 1, 1, 0.1), pair(0, 2, 2, 0.1)}));
  ASSERT_EQ(gauntlet.size(), 1U);
  EXPECT_TRUE(gauntlet[0].starts_with("Highest rating: a, 1.00 ± ")) << gauntlet[0];
  EXPECT_EQ(conclusions_of(results({"a", "b"}, {pair(0, 1, 0, 0.1)}))[1],
            "No agent wins most: the ratings of a and b are equal.");
}

// For two ratings that are means of two pairs each: a's less b's is (3 ab + ac - bc) / 3, with its own variance.
TEST(TournamentResults, HaveLikelihoodsOfSuperiority) {
  const Results three = results({"a", "b", "c"}, {pair(0, 1, 0.05, 0.1), pair(0, 2, 1, 0.1), pair(1, 2, 1, 0.1)});
  // (2 x 0.05 + 1 - 1) / 3 of variance (4 + 1 + 1) / 9 of 0.01.
  const double z = 0.1 / 3 / std::sqrt(0.06 / 9);
  EXPECT_NEAR(three.agents[0].superiority, 0.5 * std::erfc(-z / std::sqrt(2.0)), 1e-4);
  EXPECT_TRUE(std::isnan(three.agents[2].superiority));
  EXPECT_NEAR(superiority(three, 0, 1), 0.5 * std::erfc(-0.5 / std::sqrt(2.0)), 1e-4);
  EXPECT_NEAR(superiority(three, 1, 0), 1 - superiority(three, 0, 1), 1e-12);
  const nlohmann::ordered_json json = to_json(three);
  EXPECT_EQ(json["agents"][0]["los"], three.agents[0].superiority);
  EXPECT_TRUE(json["agents"][2]["los"].is_null());
  EXPECT_EQ(json["pairs"][0]["los"], superiority(three, 0, 1));
}

TEST(TournamentConclusions, NameTheCycles) {
  const Words sentences = conclusions_of(cycle());
  EXPECT_EQ(
      sentences[0],
      "Least exploitable: a mixture of p 33.3%, r 33.3%, s 33.3% (the Nash average); no agent here wins from it.");
  EXPECT_EQ(sentences[2], "Cycles: 1, of which 1 certain; the clearest: p beats r beats s beats p.");
  EXPECT_EQ(sentences[3],
            "Ratings: they explain 0.0% of the head-to-head results; the rest is non-transitivity or noise.");
}

TEST(TournamentReport, ShowsEverything) {
  const std::string page = report_of(cycle());
  EXPECT_EQ(xml_fault(page), "");
  for (const char* heading : {"Ratings", "Who beats whom", "Nash average", "Cycles", "How to read this"})
    EXPECT_TRUE(has(page, "<h2>" + std::string(heading) + "</h2>")) << heading;
  EXPECT_FALSE(has(page, "Learning curve"));
  EXPECT_EQ(count(page, "<svg"), 2);
  EXPECT_FALSE(has(page, "http"));
  EXPECT_TRUE(has(page, "p beats r beats s beats p"));
  EXPECT_FALSE(has(report_of(ordered()), "<h2>Cycles</h2>"));
}

TEST(TournamentReport, ManyAgentsHaveATable) {
  Words names;
  std::vector<PairResult> pairs;
  for (int a = 0; a < 9; ++a) {
    names.push_back("agent<" + std::to_string(a) + ">" + std::string(40, 'x'));
    for (int b = a + 1; b < 9; ++b) pairs.push_back(pair(a, b, b - a, 0.1));
  }
  const std::string page = report_of(results(names, pairs));
  EXPECT_EQ(xml_fault(page), "");
  EXPECT_EQ(count(page, "<svg"), 1);
  EXPECT_TRUE(has(page, "agent&lt;8&gt;" + std::string(40, 'x') + "</text>")) << "names are whole in charts";
}

// The curve connects the steps, with intervals to scale, and the other agents are horizontal lines.
TEST(TournamentReport, DrawsTheLearningCurve) {
  Results run =
      results({"step 200", "step 100", "rule", "random"}, {pair(0, 1, 1, 0.1), pair(0, 2, 1, 0.1), pair(0, 3, 3, 0.1),
                                                           pair(1, 2, 0, 0.1), pair(1, 3, 2, 0.1), pair(2, 3, 2, 0.1)});
  EXPECT_EQ(learning_curve(run), "") << "no checkpoints";
  for (AgentStanding& agent : run.agents)
    if (agent.name.starts_with("step ")) agent.step = std::stoi(agent.name.substr(5));
  const std::string curve = learning_curve(run);
  EXPECT_EQ(xml_fault(curve), "");
  for (const auto& [part, times] :
       {std::pair("<circle", 2), {"class=\"curve\"", 1}, {"class=\"mark\"", 2}, {"class=\"whisker\"", 6}})
    EXPECT_EQ(count(curve, part), times) << part;
  EXPECT_LT(curve.find("cx=\"208.0\""), curve.find("cx=\"370.0\"")) << "halfway and at the end: " << curve;
  const nlohmann::ordered_json json = to_json(run);
  ASSERT_EQ(json["curve"].size(), 2U);
  EXPECT_EQ(json["curve"][0]["step"], 100);
  EXPECT_NEAR(json["curve"][0]["rating"].get<double>(), 0.25, 1e-9);
  EXPECT_NEAR(json["curve"][1]["rating"].get<double>(), 1.25, 1e-9);
  const std::string page = report_of(run);
  EXPECT_EQ(xml_fault(page), "");
  EXPECT_TRUE(has(page, "<h2>Learning curve</h2>"));
  EXPECT_TRUE(
      has(conclusions_of(run)[2], "Training: from 0.25 ± 0.08 at step 100 to 1.25 ± 0.08 chips/hand at step 200"));
}

TEST(TournamentMarkdown, HasTheStandingAndThePairs) {
  EXPECT_EQ(to_markdown(results({"a|b", "c"}, {pair(0, 1, -1.5, 0.1)})),
            "| | agent | chips/hand | Nash |\n"
            "|---|---|---|---|\n"
            "| 1 | `c` | 0.75 ± 0.10 | 1.00 |\n"
            "| 2 | `a\\|b` | −0.75 ± 0.10 | 0.00 |\n"
            "\n"
            "| | 1 | 2 |\n"
            "|---|---|---|\n"
            "| 1 `c` |  | 1.50 ± 0.20 |\n"
            "| 2 `a\\|b` | −1.50 ± 0.20 |  |\n");
}

}  // namespace
}  // namespace dealer::tournament::report_test
