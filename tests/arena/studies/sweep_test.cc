// Studies run for each value of a rule.
#include "arena/studies/sweep/sweep.h"

#include "arena/report/charts.h"
#include "arena/studies/sweep/figures.h"
#include "arena/studies/sweep/run.h"
#include "env/core/crc32c.h"
#include "tests/arena/studies/testing.h"

namespace dealer::studies::sweep_test {
namespace {

using namespace test;
using Json = nlohmann::ordered_json;

SweepRequest request(const std::string& study, const std::string& sweep, const Words& overrides,
                     const std::string& training = {}) {
  SweepRequest all{study, overrides, {}, {}, training};
  read_key_and_values(sweep, all);
  return all;
}
Sweep sweep_of(const std::string& study, const std::string& sweep, const Words& overrides,
               const std::string& training = {}) {
  return make_sweep(request(study, sweep, overrides, training));
}
std::string refusal(const std::string& study, const std::string& sweep, const Words& overrides,
                    const std::string& training = {}) {
  return error_message<UsageError>([&] { sweep_of(study, sweep, overrides, training); });
}

const Words kSeven = {"agent=random", "deals=30", "tries=0", "responses=0"};
const Words kWashizu = {"agent=random", "deals=6"};

// ---- What is asked for

TEST(SweepRequests, CommasInsideBracketsAndQuotesDoNotSeparate) {
  const auto values = [](const std::string& text) { return request("seven_hand", text, {}).values; };
  EXPECT_EQ(values("k=1,2,x"), (Words{"1", "2", "x"}));
  EXPECT_EQ(values("k=[a,b],[c],{d: 1, e: 2}"), (Words{"[a,b]", "[c]", "{d: 1, e: 2}"}));
  EXPECT_EQ(values("k=a[b,c=[d,e]],\"f,[\",'g]'"), (Words{"a[b,c=[d,e]]", "\"f,[\"", "'g]'"}));
  EXPECT_EQ(request("seven_hand", "a.b=c=d,e", {}).key, "a.b");
  EXPECT_EQ(values("a.b=c=d,e"), (Words{"c=d", "e"}));
}

TEST(SweepRequests, RefusesWhatIsNoListOfValues) {
  std::string many = "k=0";
  for (int i = 1; i <= 20; ++i) many += fmt::format(",{}", i);
  const std::string none = " is not KEY=V1,V2,..., as in game.fantasyland.cards=13,14,15",
                    rest = "; expected two to 20 values, KEY=V1,V2,...";
  const std::pair<std::string, std::string> cases[] = {
      {"ties", ": 'ties'" + none},
      {"=1,2", ": '=1,2'" + none},
      {"k=", " k: there is no value" + rest},
      {"k=1", " k: '1' is one value" + rest},
      {"k=1,", " k: a value is empty" + rest},
      {"k=1,2,1", " k: '1' is given twice" + rest},
      {"k=1,[2", " k: '1,[2' has an unbalanced bracket or quote" + rest},
      {many, " k: there are 21 values" + rest}};
  for (const auto& [text, why] : cases)
    EXPECT_TRUE(refuses<UsageError>("--sweep" + why, [&, &text = text] { request("seven_hand", text, {}); }));
}

// ---- Its studies

TEST(Sweeps, TheRuleIsSetInAllGamesAndThoseThatBecomeEqualAreOne) {
  const Sweep sweep = sweep_of("washizu", "game.washizu=replace_suit,add", kWashizu);
  ASSERT_EQ(sweep.values.size(), 2U);
  const SweepValue& add = sweep.values[1];
  EXPECT_EQ(add.name, "game.washizu=add");
  EXPECT_EQ(add.folder, add.name);
  ASSERT_EQ(add.tables.size(), 1U);
  EXPECT_EQ(add.tables[0].game, "washizu[players=2,washizu=add]");
  EXPECT_EQ(add.tables[0].label, "washizu[players=2]");
  const StudyJob job = job_of(sweep, add);
  EXPECT_TRUE(job.tables.front().game->spec() == add.tables[0].game && job.tables.size() == 1 && job.deals == 6);
  // Another rule makes all four distinct, with labels for each.
  const Sweep four =
      sweep_of("washizu", "game.ante=1,2",
               {"agents=[random,rule,rule,rule]",
                "games=['washizu[players=2]','washizu[players=2]','washizu[players=2,washizu=replace_suit]',"
                "'washizu[players=2,washizu=add]']"});
  ASSERT_EQ(four.values[1].tables.size(), 4U);
  EXPECT_EQ(four.values[1].tables[0].label, "washizu[players=2], random");
  EXPECT_EQ(four.values[1].tables[1].label, "washizu[players=2], rule");
  EXPECT_EQ(four.values[1].tables[3].label, "washizu[players=2,washizu=add]");
  const StudyJob second = job_of(four, four.values[1]);
  EXPECT_EQ(second.tables[3].game->spec(), "washizu[players=2,washizu=add,ante=2]");
  EXPECT_EQ(second.tables[0].agent->spec(), "random");
  EXPECT_EQ(second.tables[3].agent->spec(), "rule");
}

TEST(Sweeps, AnyKeyOfTheStudyWillDo) {
  const Sweep sweep = sweep_of("seven_hand", "agent=rule,random,search[simulations=2],search[simulations=3]",
                               {"deals=10", "tries=0", "responses=0"});
  EXPECT_EQ(sweep.values[0].folder, "agent=rule");
  EXPECT_EQ(sweep.values[3].name, "agent=search[simulations=3]");
  EXPECT_EQ(sweep.values[3].folder, "agent=search_simulations=3_");
  EXPECT_EQ(job_of(sweep, sweep.values[3]).tables.front().agent->spec(), "search[simulations=3]");
  EXPECT_EQ(sweep.values[3].tables[0].label, "seven_hand");
  // Names that become equal when characters are replaced.
  const Sweep games = sweep_of("seven_hand", "game='seven_hand[margin=true]',\"seven_hand[margin=true]\"", kSeven);
  EXPECT_EQ(games.values[0].folder, "game=_seven_hand_margin=true__");
  EXPECT_EQ(games.values[1].folder, "game=_seven_hand_margin=true__-2");
}

TEST(Sweeps, WhatCannotBeIsRefusedBeforeAnythingIsPlayed) {
  const auto expect = [](const char* study, const char* sweep, const char* overrides, const char* why) {
    EXPECT_TRUE(has(refusal(study, sweep, words_in(overrides)), why));
  };
  expect("fantasyland", "game.fantasyland.crads=13,14", "",
         "--sweep game.fantasyland.crads: 'ofc': override 'fantasyland.crads=13': unknown key 'fantasyland.crads'; did "
         "you mean 'fantasyland.cards'?");
  expect("fantasyland", "game.fantasyland.cards=13,18", "", "fantasyland.cards: 18 is not allowed");
  expect("fantasyland", "fantasyland.cards=13,14", "", "; expected --sweep game.fantasyland.cards=13,14");
  expect("fantasyland", "game.fantasyland.cards=14,+14", "", "14 and +14 are the same rules; expected each once");
  expect("fantasyland", "valeus=1,2", "", "'valeus=1': unknown key 'valeus'; did you mean 'values'?");
  for (const char* key : {"seed", "deals", "threads", "study"})
    expect("seven_hand", fmt::format("{}=1,2", key).c_str(), "", fmt::format("'{}' cannot be swept", key).c_str());
  expect("seven_hand", "agent=rule,random", "agent=rule", "the key is swept; expected its values only after --sweep");
  // A study that the rule makes impossible, and agents that do not support it.
  expect("fantasyland", "game.episode=chain,hand", "agent=rule values=[] openings=false",
         "--sweep game.episode=hand: override 'game=\"ofc[episode=hand]\"': game: 'ofc[episode=hand]' does not play");
  expect(
      "washizu", "game.jokers=1,2", "agents=[default]",
      "--sweep game.jokers=2: 'default' cannot play it: agent 'default' does not play 'washizu[players=2,jokers=2]'");
  expect("washizu", "game.jokers=1,2", "agents=[default]", "; expected agent=rule, or --train-budget to train one for");
  // An option that one of the games does not have.
  expect("draw", "game.fantasyland.cards=13,14", "", "'draw': override 'fantasyland.cards=13'");
}

TEST(Sweeps, AgentsThatAreTrainedAreNotNamed) {
  EXPECT_EQ(refusal("washizu", "game.ante=1,2", {"agent=rule"}, "10m"),
            "'agent=rule': agents are trained for each value; expected no named agents");
  EXPECT_EQ(refusal("seven_hand", "agent=rule,random", {"tries=0", "responses=0"}, "10m"),
            "--sweep agent: agents are trained for each value; expected another key");
}

// ---- Carried out

using SweepRun = InFolder;

TEST_F(SweepRun, EachValueIsTheStudyWithThatRule) {
  const Sweep sweep = sweep_of("washizu", "game.washizu=replace_suit,add", kWashizu);
  const SweepOutcome outcome = run_sweep(sweep, at("s"));
  EXPECT_EQ(outcome.stopped, "");
  EXPECT_EQ(outcome.results, Json::parse(file("s/results.json")));
  for (const char* mixing : {"replace_suit", "add"}) {
    run_study(read_study("washizu", {"agents=[random]", "deals=6",
                                     fmt::format("games=[\"washizu[players=2,washizu={}]\"]", mixing)}),
              at(mixing));
    EXPECT_EQ(files(mixing), files(fmt::format("s/game.washizu={}", mixing)));
    EXPECT_EQ(read_bytes(at(mixing) / "config.yaml"),
              read_bytes(at(fmt::format("s/game.washizu={}/config.yaml", mixing))));
  }
  const Json alone = Json::parse(file("add/results.json"));
  const Json& raise = outcome.results["figures"][2];
  EXPECT_EQ(raise["figure"], "raise");
  EXPECT_EQ(raise["unit"], "share");
  EXPECT_EQ(raise["values"][1], alone["figures"]["games"][0]["betting"]["all"]["first"]["raise"]);
  EXPECT_EQ(outcome.results["values"][1]["games"][0]["game"], "washizu[players=2,washizu=add]");
  EXPECT_EQ(outcome.results["values"][1]["games"][0]["hands"], alone["hands"]);
  EXPECT_EQ(xml_fault(read_bytes(outcome.report)), "");
}

TEST_F(SweepRun, StoppedItGoesOnAndFinishedValuesAreNotPlayedAgain) {
  const Sweep sweep = sweep_of("seven_hand", "game.ties=nobody,second_mover,first_mover", kSeven);
  run_sweep(sweep, at("whole"));
  std::atomic<bool> stop = false;
  SweepHooks hooks;
  hooks.stop = [&] { return stop.load(); };
  hooks.study = [&](const SweepValue& value, const StudyJob&) {
    if (value.value == "second_mover") stop = true;
    return StudyHooks{};
  };
  EXPECT_EQ(run_sweep(sweep, at("parts"), hooks).stopped, "game.ties=second_mover after 0 of 30 deals");
  EXPECT_FALSE(std::filesystem::exists(at("parts/results.json")));
  // Finished studies are not even evaluated again.
  write_bytes(at("parts/game.ties=nobody/games.txt"), "");
  Words played;
  stop = false;
  hooks.study = [&](const SweepValue& value, const StudyJob&) {
    played.push_back(value.value);
    return StudyHooks{};
  };
  const std::string before = files("whole");
  const auto expect_played = [&](const std::string& folder, const Words& expected) {
    played.clear();
    EXPECT_EQ(run_sweep(sweep, at(folder), hooks).stopped, "");
    EXPECT_EQ(played, expected);
    EXPECT_EQ(files(folder), before);
  };
  expect_played("parts", {"second_mover", "first_mover"});
  // Results of another version of the program, or altered ones, are evaluated again.
  const std::string results = file("whole/game.ties=nobody/results.json");
  Json old = Json::parse(results);
  old["version"] = "0.0.1";
  const auto sum = [](std::string_view text) { return fmt::format("{:08x}", crc32c(text)); };
  write_bytes(at("whole/game.ties=nobody/results.json"), old.dump(2));
  write_bytes(at("whole/values.txt"), changed(without_sums(file("whole/values.txt")), sum(results), sum(old.dump(2))));
  expect_played("whole", {"nobody"});
  std::string altered = results;
  altered[altered.find("\"value\": 0.") + 11] ^= 1;
  EXPECT_NO_THROW(Json::parse(altered));
  write_bytes(at("whole/game.ties=nobody/results.json"), altered);
  expect_played("whole", {"nobody"});
  // So are those without a record of being finished.
  std::filesystem::remove(at("whole/values.txt"));
  expect_played("whole", {"nobody", "second_mover", "first_mover"});
  expect_played("whole", {});
}

TEST_F(SweepRun, RefusesFoldersOfSomethingElse) {
  run_sweep(sweep_of("seven_hand", "game.ties=nobody,first_mover", kSeven), at("s"));
  const auto said = [&](const std::string& folder, const std::string& sweep, const Words& overrides) {
    return error_message<UsageError>([&] { run_sweep(sweep_of("seven_hand", sweep, overrides), at(folder)); });
  };
  const auto expect = [&](const std::string& sweep, const Words& overrides, const char* how) {
    EXPECT_EQ(said("s", sweep, overrides),
              fmt::format("'{}' holds a sweep with {}; expected a new folder, or the same config as in {}",
                          at("s").string(), how, at("s/sweep.yaml").string()));
  };
  expect("game.margin=true,false", kSeven, "'sweep: game.ties', not 'sweep: game.margin'");
  expect("game.ties=nobody,second_mover", kSeven,
         "'values: [nobody, first_mover]', not 'values: [nobody, second_mover]'");
  expect("game.ties=nobody,first_mover", {"agent=random", "deals=31"},
         "'overrides: [\"agent=random\", \"deals=30\", \"tries=0\", \"responses=0\"]', not "
         "'overrides: [\"agent=random\", \"deals=31\"]'");
  // The number of threads does not matter.
  EXPECT_EQ(run_sweep(sweep_of("seven_hand", "game.ties=nobody,first_mover",
                               {"agent=random", "threads=1", "deals=30", "tries=0", "responses=0"}),
                      at("s"))
                .stopped,
            "");
  run_study(read_study("seven_hand", kSeven), at("study"));
  EXPECT_TRUE(has(said("study", "game.ties=nobody,first_mover", kSeven), "but no sweep; expected a new folder"));
  EXPECT_TRUE(has(error_message<UsageError>([&] { run_study(read_study("seven_hand", kSeven), at("s")); }),
                  "but no study; expected a new folder"));
}

TEST_F(SweepRun, TrainedAgentsPlayTheRuleThatTheyWereTrainedFor) {
  const Sweep sweep = sweep_of("draw", "game.ante=5,10", {"deals=4"}, "10m");
  Words asked;
  SweepHooks hooks;
  hooks.train = [&](const SweepValue& value, const SweepTable& table,
                    const std::filesystem::path& run) -> std::optional<std::string> {
    asked.push_back(fmt::format("{} {} {} {}", value.value, table.base, table.game, run.filename().string()));
    if (asked.size() == 4) return std::nullopt;
    return table.base == "lowball" ? "random" : "rule";
  };
  EXPECT_EQ(run_sweep(sweep, at("s"), hooks).stopped, "game.ante=10 while its agent was trained");
  EXPECT_EQ(asked, (Words{"5 draw draw[ante=5] game.ante=5-1", "5 lowball lowball[ante=5] game.ante=5-2",
                          "10 draw draw[ante=10] game.ante=10-1", "10 lowball lowball[ante=10] game.ante=10-2"}));
  const SweepOutcome outcome = run_sweep(sweep, at("s"), hooks);
  EXPECT_EQ(outcome.results["values"][1]["games"].dump(),
            R"([{"game":"draw[ante=10]","agent":"rule","hands":4,"other_rules":false},)"
            R"({"game":"lowball[ante=10]","agent":"random","hands":4,"other_rules":false}])");
  EXPECT_EQ(outcome.results["training"], "10m");
  EXPECT_TRUE(has(read_bytes(outcome.report), "For every value an agent was trained under that rule"));
}

TEST(Sweeps, SaysWhichAgentsWereMadeForOtherRules) {
  for (const auto& [agent, game, other] : {std::tuple("default", "ofc[fantasyland.cards=13]", true),
                                           {"default[fantasyland=12]", "ofc[fantasyland.cards=13]", true},
                                           {"default", "ofc[fantasyland.cards=14]", false},
                                           {"rule", "ofc[fantasyland.cards=13]", false},
                                           {"default", "washizu[players=2]", false}})
    EXPECT_EQ(trained_for_other_rules(agent, *make_game(game)), other) << agent << ' ' << game;
}

// Every study has its headlines at the declared pointers.
TEST_F(SweepRun, AnyStudyCanBeSwept) {
  const std::vector<std::tuple<std::string, std::string, Words>> sweeps = {
      {"court", "game.ante=5,10", {"agent=random", "deals=4", "samples=10", "games=['court_extra[players=2]']"}},
      {"draw", "game.ante=5,10", {"agent=random", "deals=4", "games=[draw]"}},
      {"fantasyland", "game.fantasyland.cards=13,14", {"agent=rule", "deals=4", "values=[]", "openings=false"}},
      {"seven_hand", "game.margin=true,false", {"agent=random", "deals=4", "tries=4", "responses=1", "simulations=2"}},
      {"washizu", "game.ante=1,2", {"agent=random", "deals=4", "games=['washizu[players=2]']"}}};
  std::set<std::string> kinds;
  for (const auto& [study, sweep, overrides] : sweeps) {
    SCOPED_TRACE(study);
    kinds.insert(study);
    run_sweep(sweep_of(study, sweep, overrides), at(study));
    const std::span<const Headline> headlines = study_kinds().find(study)->second.headlines;
    const Json json = Json::parse(file(study + "/results.json"));
    ASSERT_GE(headlines.size(), 4U);
    ASSERT_EQ(json["figures"].size(), headlines.size());
    EXPECT_EQ(xml_fault(file(study + "/report.html")), "");
    for (const SweepValue& value : sweep_of(study, sweep, overrides).values) {
      const Json own = Json::parse(read_bytes(at(study) / value.folder / "results.json"))["figures"];
      for (const Headline& headline : headlines) {
        const std::string item = headline.list.empty() ? "" : std::string(headline.list) + "/0";
        EXPECT_TRUE(own.contains(Json::json_pointer(item + std::string(headline.pointer)))) << headline.pointer;
      }
    }
  }
  for (const std::string& name : config_names("configs/studies")) EXPECT_TRUE(kinds.contains(name)) << name;
}

// ---- What is said

// Results of a study as figures_of() reads them.
Json results_of(const std::string& study, const Json& figures) { return {{"study", study}, {"figures", figures}}; }

Json figure(double value, double ci95) { return {{"value", value}, {"ci95", ci95}, {"n", 50}}; }

Words said_of(const std::vector<Json>& first_moves, const std::string& values) {
  Sweep sweep;
  sweep.request = request("seven_hand", "k=" + values, {});
  std::vector<Json> results;
  for (std::size_t i = 0; i < sweep.request.values.size(); ++i) {
    sweep.values.push_back({sweep.request.values[i], "", "", {}, {}});
    results.push_back(results_of("seven_hand", {{"first_move", {{"win_rate", first_moves[i]}}}}));
  }
  return conclusions_of(sweep, figures_of(sweep, results));
}

TEST(SweepConclusions, AreChosenByTheFigures) {
  const std::string what = "wins of the first player to move: ";
  const Json half = figure(0.5, 0.01), more = figure(0.55, 0.02), most = figure(0.6, 0.01);
  const auto begins = [&](const std::vector<Json>& first_moves, const char* values, const char* how) {
    EXPECT_TRUE(has('|' + said_of(first_moves, values).at(0), '|' + what + how));
  };
  EXPECT_EQ(said_of({half, more, most}, "1,2,3"),
            Words{what + "rises from value to value; least with 1, 50.0 ± 1.0%, and most with 3, 60.0 ± 1.0%; they "
                         "differ by 10 ± 2 percentage points."});
  begins({most, more, half}, "1,2,3", "falls");
  // Not monotone in the values, or not numbers.
  for (const char* values : {"3,2,1", "a,b,c"}) begins({half, more, most}, values, "least");
  begins({half, figure(0.65, 0.02), most}, "1,2,3", "least");
  // Touching intervals.
  begins({figure(0.5, 0.03), figure(0.55, 0.021)}, "1,2", "no difference was seen: ");
  begins({figure(0.5, 0.03), figure(0.55, 0.019)}, "1,2", "rises");
  // Unknown figures are omitted.
  EXPECT_TRUE(said_of({half, {{"value", nullptr}, {"ci95", nullptr}, {"n", 0}}}, "1,2").empty());
  EXPECT_TRUE(said_of({half, {{"value", 0.9}, {"ci95", nullptr}, {"n", 1}}}, "1,2").empty());
  EXPECT_EQ(said_of({3, 3}, "1,2"), Words{what + "the same with all values, 300%."});
}

TEST(SweepConclusions, TheLeastAndTheMostOfMany) {
  const auto apart = [](std::size_t count) {
    std::vector<Estimate> values(count, {1, 0.5, 9});
    values[1] = {0, 0.25, 9};
    values[2] = {};
    values.back() = {3, 1, 9};
    return extremes_of(values);
  };
  EXPECT_EQ(apart(6).least, 1U);
  EXPECT_EQ(apart(6).most, 5U);
  EXPECT_DOUBLE_EQ(apart(6).apart.value, 3);
  EXPECT_DOUBLE_EQ(apart(6).apart.ci95, 1.25) << "five are known";
  EXPECT_DOUBLE_EQ(apart(11).apart.ci95, 1.25 * 4.47 / 3.92);
  EXPECT_EQ(extremes_of({{1, 0.5, 9}, {}}).apart.count, 0);
  EXPECT_EQ(extremes_of({{}, {2, 0.5, 9}, {3, 0.5, 9}}).least, 1U) << "what is unknown is not the least";
}

// With equal values, the extremes differ significantly at most once in twenty times.
TEST(SweepConclusions, ChanceAloneIsSeldomTakenForADifference) {
  RandomStream rng(5);
  const auto uniform = [&] { return (static_cast<double>(rng.below(1 << 30)) + 0.5) / (1 << 30); };
  const auto normal = [&] { return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform()); };
  for (const std::size_t count : {2U, 5U, 6U, 10U, 20U}) {
    constexpr int kSweeps = 20'000;
    int wrong = 0;
    std::vector<Estimate> values(count);
    for (int i = 0; i < kSweeps; ++i) {
      for (Estimate& value : values) value = {normal(), 1.96, 100};
      wrong += extremes_of(values).apart.above(0) ? 1 : 0;
    }
    const double share = static_cast<double>(wrong) / kSweeps;
    EXPECT_LT(share, 0.056) << count;
    EXPECT_GT(share, count < 5 ? 0.004 : 0.04) << count;
  }
}

TEST(PointChart, PointsStandWhereTheirNumbersAre) {
  PointChart chart;
  chart.what = "of";
  chart.at = {13, 14, 17};
  chart.labels = {"13", "14", "17"};
  chart.points = {{10, 1, 5}, {}, {14, 0, 5}};
  chart.axis = "cards";
  const std::string text = point_chart(chart);
  EXPECT_EQ(xml_fault(text), "");
  EXPECT_EQ(count(text, "<circle"), 2);
  EXPECT_EQ(count(text, "\"whisker\""), 3) << "of one point";
  EXPECT_EQ(count(text, "\"curve\""), 0) << "nothing is joined to what is unknown";
  expect_parts(text, {">13</text>", ">14</text>", ">17</text>"});
  chart.points[1] = {11, 1, 5};
  EXPECT_EQ(count(point_chart(chart), "\"curve\""), 2);
  // 70 and 348 are the ends of the line.
  expect_parts(point_chart(chart), {"<circle cx=\"70.0\"", "<circle cx=\"139.5\"", "<circle cx=\"348.0\""});
  for (Estimate& point : chart.points) point = {3, 0, 1};
  EXPECT_EQ(xml_fault(point_chart(chart)), "") << "all are equal";
  expect_none(point_chart(chart), {"nan"});
}

}  // namespace
}  // namespace dealer::studies::sweep_test
