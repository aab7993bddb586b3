// Reports about a tournament.
#include "arena/knockout/report.h"

#include "tests/arena/testing.h"

namespace dealer::knockout::report_test {
namespace {

using namespace test;

// Three agents of known places among twelve players.
Result known() {
  Result result;
  result.game = "ofc";
  result.unit = "points";
  result.players = 12;
  result.table_size = 3;
  result.stack = 200;
  result.raise_every = 10;
  result.tournaments = 50;
  result.games = 150;
  const std::vector<std::pair<std::string, double>> agents = {
      {"rule", 6.5}, {"exec:a <b> & c", 9.25}, {"search", 3.75}};
  for (const auto& [spec, place] : agents) {
    AgentPlaces agent;
    agent.spec = spec;
    agent.place = {place, 0.5, 600};
    agent.wins = {1 / place, 0.02, 600};
    agent.places.assign(12, {1.0 / 12, 0.01, 600});
    result.agents.push_back(agent);
  }
  result.agents[1].failures.hands[0] = 7;
  result.failed_tournaments = 3;
  result.differences = {{0, 1, {-2.75, 0.8, 600}, 0.984}, {0, 2, {2.75, 0.8, 600}, 0.02}, {1, 2, {5.5, 0.9, 600}, 0}};
  return result;
}

TEST(KnockoutReport, RanksByMeanPlace) { EXPECT_EQ(ranking(known()), (std::vector<int>{2, 0, 1})); }

TEST(KnockoutReport, ConcludesWhoIsInFront) {
  Result result = known();
  Words sentences = conclusions(result);
  ASSERT_EQ(sentences.size(), 5U);
  EXPECT_EQ(
      sentences[0],
      "3 search: finishes in place 3.8 ± 0.5 on average and each of its 4 entries wins 27 ± 2% of the tournaments");
  EXPECT_EQ(sentences[3], "3 search and 1 rule: the first finishes ahead (likelihood of superiority 98.0%)");
  EXPECT_EQ(sentences[4], "1 rule and 2 exec:a <b> & c: the first finishes ahead (likelihood of superiority 98.4%)");
  EXPECT_EQ(comparisons(result), (Words{sentences[3], sentences[4]}));
  result.differences[0].place.ci95 = 3;
  EXPECT_EQ(conclusions(result)[4],
            "1 rule and 2 exec:a <b> & c: no difference was seen (likelihood of superiority 98.4%)");
  result.players = 3;
  EXPECT_EQ(conclusions(result)[0],
            "3 search: finishes in place 3.8 ± 0.5 on average and wins 27 ± 2% of its tournaments");
}

TEST(KnockoutReport, SaysWhereNoIntervalIsKnown) {
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  Result result = known();
  EXPECT_EQ(unknown_intervals(result), "");
  for (AgentPlaces& agent : result.agents) agent.place.ci95 = agent.wins.ci95 = kUnknown;
  for (PlaceDifference& difference : result.differences) difference.place.ci95 = kUnknown;
  result.differences[0].place.value = 0;
  const Words sentences = conclusions(result);
  ASSERT_EQ(sentences.size(), 5U);
  EXPECT_EQ(sentences[3], "3 search and 1 rule: the first finishes ahead, the same in all tournaments");
  EXPECT_EQ(sentences[4], "1 rule and 2 exec:a <b> & c: no difference was seen, the same in all tournaments");
  EXPECT_EQ(unknown_intervals(result), "some intervals are unknown: all tournaments gave the same number there");
  const std::string page = report(result);
  EXPECT_EQ(xml_fault(page), "");
  EXPECT_TRUE(has(page, "some intervals are unknown"));
  EXPECT_FALSE(has(page, "± inf"));
  EXPECT_FALSE(has(page, "± 0.00"));
  result.tournaments = result.failed_tournaments + 1;
  EXPECT_EQ(unknown_intervals(result), "no interval is known: there was one tournament");
  EXPECT_EQ(conclusions(result).size(), 3U);
  result.tournaments = result.failed_tournaments;
  EXPECT_EQ(conclusions(result), Words{"Nothing was measured: every tournament was excluded."});
}

TEST(KnockoutReport, IsAPageByItself) {
  const std::string page = report(known());
  EXPECT_EQ(xml_fault(page), "");
  EXPECT_FALSE(has(page, "<script"));
  EXPECT_FALSE(has(page, "<b>")) << "names are escaped";
  EXPECT_TRUE(has(page, "failed in 7 hands"));
  EXPECT_TRUE(has(page, "3 of 50 tournaments excluded from all places"));
  EXPECT_TRUE(has(page, "exec:a &lt;b&gt; &amp; c</text>")) << "names are whole in charts";
  EXPECT_TRUE(has(page, "11–12")) << "places in groups that fit";
  EXPECT_TRUE(has(page, "points count x2, x3 ... after every 10 hands"));
}

TEST(KnockoutReport, UnknownFiguresAreNull) {
  Result result = known();
  result.agents[0].place = {};
  const nlohmann::ordered_json json = to_json(result);
  EXPECT_TRUE(json["agents"][0]["place"].is_null());
  EXPECT_TRUE(json["agents"][0]["ci95"].is_null());
  EXPECT_EQ(json["format"], "knockout");
  expect_members(json["agents"][2], {{"place", 3.75}, {"wins_ci95", 0.02}});
  EXPECT_EQ(json["failed_tournaments"], 3);
  EXPECT_EQ(json["differences"][0]["los"], 0.984);
  EXPECT_EQ(json["agents"][1]["failures"]["error"], 7);
  EXPECT_EQ(json["agents"][1]["places"].size(), 12U);
  EXPECT_EQ(json["differences"][1]["place"], 2.75);
}

}  // namespace
}  // namespace dealer::knockout::report_test
