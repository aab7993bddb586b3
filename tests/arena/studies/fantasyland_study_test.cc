// The study of Fantasyland as it is carried out, its sentences and its page.
#include <gtest/gtest.h>

#include <atomic>
#include <regex>
#include <set>

#include "arena/studies/fantasyland/conclusions.h"
#include "arena/studies/fantasyland/report.h"
#include "arena/studies/fantasyland/study.h"
#include "arena/studies/run.h"
#include "env/core/error.h"
#include "tests/support/error_message.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"
#include "tests/support/well_formed.h"

namespace dealer::studies::fantasyland::fantasyland_study_test {
namespace {

using test::error_message;
using test::read_bytes;
using Words = std::vector<std::string>;

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

const Words kQuick = {"deals=40", "rival_deals=12", "values=[0,20]", "openings=false"};

StudyJob job(const Words& overrides = kQuick) { return read_study("fantasyland", overrides); }
Words with(const std::string& word, Words words = kQuick) {
  words.push_back(word);
  return words;
}

class FantasylandStudyRun : public testing::Test {
 protected:
  std::filesystem::path at(std::string_view name) const { return folder_ / name; }
  std::string results(std::string_view folder) const {
    return read_bytes(at(folder) / "results.json") + read_bytes(at(folder) / "report.html");
  }
  test::TempFolder folder_;
};

TEST_F(FantasylandStudyRun, ThreadsAndStopsChangeNothing) {
  const StudyOutcome outcome = run_study(job(with("threads=1")), at("one"));
  EXPECT_FALSE(outcome.interrupted);
  run_study(job(with("threads=2")), at("two"));
  EXPECT_EQ(results("one"), results("two"));
  EXPECT_EQ(read_bytes(at("one/rivals.txt")), read_bytes(at("two/rivals.txt")));
  // Stopped before the self-play, and in the matches.
  StudyHooks hooks;
  hooks.stop = [] { return true; };
  EXPECT_TRUE(run_study(job(with("threads=1")), at("parts"), hooks).interrupted);
  std::atomic<bool> at_work = false;
  hooks.stop = [&] { return at_work.load(); };
  hooks.work = [&](std::string_view, std::int64_t, std::int64_t) { at_work = true; };
  const StudyOutcome part = run_study(job(with("threads=1")), at("parts"), hooks);
  EXPECT_TRUE(part.interrupted);
  EXPECT_EQ(part.deals, 40);
  EXPECT_FALSE(std::filesystem::exists(at("parts/results.json")));
  EXPECT_FALSE(run_study(job(with("threads=1")), at("parts")).interrupted);
  EXPECT_EQ(results("parts"), results("one"));
  const auto json = nlohmann::ordered_json::parse(read_bytes(at("one/results.json")));
  EXPECT_EQ(json["figures"]["rivals"].size(), 3U);
  EXPECT_EQ(json["figures"]["rivals"][0]["counts"], nullptr);
  EXPECT_EQ(json["figures"]["rivals"][2]["counts"], 20);
  EXPECT_EQ(json["figures"]["rivals"][2]["agent"], "default[fantasyland=20]");
  EXPECT_GT(json["figures"]["counts"], 5);
  EXPECT_EQ(json["figures"]["openings"], nullptr);
  EXPECT_EQ(json["figures"]["fronts"].size(), 4U);
  // Every third hand of self-play enters or so.
  EXPECT_GT(json["figures"]["play"]["normal"]["entry"]["value"], 0.1);
  EXPECT_EQ(json["figures"]["play"]["hands"]["n"], 40);
}

TEST_F(FantasylandStudyRun, TellsOfItsWork) {
  std::set<std::string> units;
  std::int64_t last = 0, of = 0;
  StudyHooks hooks;
  hooks.work = [&](std::string_view unit, std::int64_t done, std::int64_t total) {
    units.insert(std::string(unit));
    last = done;
    of = total;
  };
  run_study(job(), at("a"), hooks);
  EXPECT_EQ(units, std::set<std::string>{"deals of matches"});
  EXPECT_EQ(last, 3 * 12);
  EXPECT_EQ(of, 3 * 12);
}

TEST_F(FantasylandStudyRun, AnyAgentCanBeStudied) {
  const Words words = {"agent=rule", "deals=30", "values=[]", "openings=false"};
  const StudyOutcome outcome = run_study(job(words), at("rule"));
  EXPECT_EQ(outcome.results["figures"]["counts"], nullptr);
  EXPECT_TRUE(outcome.results["figures"]["rivals"].empty());
  EXPECT_FALSE(outcome.results["conclusions"].empty());
  EXPECT_FALSE(std::filesystem::exists(at("rule/rivals.txt")));
}

// Rules are variables of the study.
TEST_F(FantasylandStudyRun, FollowsItsGame) {
  const StudyOutcome outcome = run_study(
      job({"game=ofc[fantasyland.cards=16,fantasyland.entry_pair=JJ]", "deals=30", "values=[]", "openings=false"}),
      at("a"));
  EXPECT_EQ(outcome.results["figures"]["fronts"].size(), 5U);
  EXPECT_EQ(outcome.results["figures"]["fronts"][0]["front"], "JJ");
  EXPECT_EQ(outcome.results["figures"]["choices"][0]["rank"], "J");
  EXPECT_TRUE(contains(read_bytes(at("a/report.html")), "with 16 cards"));
}

TEST(FantasylandStudyConfig, RefusesWhatItCannotStudy) {
  const auto refusal = [](const Words& overrides) { return error_message<UsageError>([&] { job(overrides); }); };
  EXPECT_EQ(refusal({"game=seven_hand", "agent=rule"}),
            "override 'game=seven_hand': game: 'seven_hand' is not Open-Face Chinese poker, which this study is of");
  EXPECT_EQ(refusal({"game=ofc[players=3]"}),
            "override 'game=ofc[players=3]': game: 'ofc[players=3]' is not for two players, which this study is of");
  EXPECT_EQ(
      refusal({"game=ofc[episode=hand]"}),
      "override 'game=ofc[episode=hand]': game: 'ofc[episode=hand]' does not play chains; expected episode=chain");
  EXPECT_TRUE(contains(refusal({"agent=rule", "openings=false"}), "'rule' cannot be told what to count Fantasyland ("));
  EXPECT_TRUE(
      contains(refusal({"agent=rule", "values=[]"}),
               "'rule' tells no values of placements; expected a trained agent without search, or openings: false"));
  EXPECT_TRUE(contains(refusal({"values=[5,5]"}), "5 is given twice"));
  EXPECT_TRUE(contains(refusal({"values=[5,2000]"}), "values"));
  EXPECT_TRUE(contains(refusal({"rival_deals=1"}), "rival_deals: 1 is not allowed"));
  EXPECT_TRUE(contains(refusal({"value=[5]"}), "did you mean 'values'?"));
}

const Subject kSubject{"fantasyland", "ofc", "my<\"agent\">&", 20, 40, 1, "0.1"};

Figures with_every_sentence() {
  Figures f{Fronts{dealer::ofc::Bonus()}};
  const Estimate seen{0.5, 0.01, 100};
  f.counted = 10.4;
  f.chain.value = {10.1, 0.2, 100};
  f.play.normal = {seen, seen, seen};
  f.play.stays = seen;
  f.play.fronts.assign(4, {seen, seen, seen, seen, seen});
  f.play.kinds.resize(4);
  f.play.early = f.play.late = f.play.early_late = f.play.ahead_behind = f.play.ahead_behind_total = seen;
  f.choices.resize(3);
  for (auto& rank : f.choices) rank[kFirstCard].turns.fill(seen);
  f.rivals.rivals.resize(3);
  f.rivals.own = 0;
  f.rivals.best = 0;
  f.rivals.rivals[1].value = 0;
  f.rivals.rivals[2].value = 20;
  for (RivalFigures& rival : f.rivals.rivals) {
    rival.score = {0.25, 0.05, 100};
    rival.less_than_best = {-0.5, 0.1, 100};
    rival.entry = rival.foul = rival.stays = seen;
    rival.against.resize(3, seen);
  }
  f.openings = {{canonical(to_set(parse_cards("As Kd Qd 7c 2h"))), 24}};
  f.advice = {{1 + 9 * 2, 2 + 9 * 2, 1.5, 1.25, 0.2, 0.3}};
  f.chart = count_chart(f.openings, f.advice, f.fronts, 1);
  return f;
}

TEST(FantasylandConclusions, FollowTheFigures) {
  const Figures f = with_every_sentence();
  const std::vector<std::string> all = conclusions_of(f);
  ASSERT_EQ(all.size(), 12U);
  EXPECT_EQ(all[0],
            "Entering Fantasyland is worth 10.1 ± 0.2 points: what its hands bring against a player who is not there, "
            "until nobody is in Fantasyland; the agent counts 10.40, which is more.");
  EXPECT_TRUE(contains(all[1],
                       "the one that counts its own 10.4 does best, 0.25 ± 0.05 points a hand against all "
                       "others; all others do worse."));
  EXPECT_TRUE(contains(all[9], "To chase it the least: who counts 0 enters from 50.0 ± 1.0%"));
  EXPECT_TRUE(contains(all[9], "wins 0.50 ± 0.10 points a hand less than the best."));
  EXPECT_TRUE(contains(all[10], "To chase it the most: who counts 20"));
  EXPECT_TRUE(all[4].starts_with("Ahead it works more often than behind and brings more: "));
  EXPECT_TRUE(all[6].starts_with(
      "Q in hand: of the times that it could and need not, the first queen goes in front 50.0 ± 1.0%, 50.0 ± 1.0%, "
      "50.0 ± 1.0%, 50.0 ± 1.0%, 50.0 ± 1.0% in turns 1 to 5; the second beside it –, –, –, –, –."))
      << all[6];
  EXPECT_TRUE(all[11].starts_with("By front: ")) << "no difference was seen";
  EXPECT_TRUE(all[5].starts_with("Openings: the best placement is worth 0.25 points more than the next"));

  const auto changed = [&](auto change, std::size_t sentence) {
    Figures other = f;
    change(other);
    return conclusions_of(other).at(sentence);
  };
  EXPECT_TRUE(changed([](Figures& o) { o.chain.value.value = 10.7; }, 0).ends_with("10.40, which is less."));
  EXPECT_TRUE(changed([](Figures& o) { o.chain.value.value = 10.5; }, 0).ends_with("the agent counts 10.40."));
  EXPECT_TRUE(changed([](Figures& o) { o.counted.reset(); }, 0).ends_with("until nobody is in Fantasyland."));
  EXPECT_TRUE(contains(changed([](Figures& o) { o.rivals.rivals[2].less_than_best.value = -0.05; }, 1),
                       "no difference was seen between it and who counts 20."));
  EXPECT_TRUE(contains(changed([](Figures& o) { o.rivals.rivals[2].less_than_best.value = -0.05; }, 11),
                       "which is no difference seen"));
  EXPECT_TRUE(contains(changed([](Figures&) {}, 3), "which is more than the"));
  EXPECT_TRUE(contains(changed([](Figures& o) { o.play.early_late.value = -0.5; }, 3), "which is less than the"));
  EXPECT_TRUE(contains(changed([](Figures& o) { o.play.early_late.value = 0; }, 11), "no difference seen from"));
  // How often it works and what it brings are told apart.
  const auto ahead = [&](double rate, double total, std::size_t sentence) {
    return changed([&](Figures& o) { o.play.ahead_behind.value = rate, o.play.ahead_behind_total.value = total; },
                   sentence);
  };
  EXPECT_TRUE(ahead(-0.5, -0.5, 4).starts_with("Behind it works more often than ahead and brings more: "));
  EXPECT_TRUE(ahead(-0.5, 0.5, 4).starts_with("Behind it works more often than ahead and brings less: "));
  EXPECT_TRUE(ahead(0.5, 0, 4).starts_with(
      "Ahead it works more often than behind; no difference was seen in what it brings: "));
  EXPECT_TRUE(
      ahead(0, 0.5, 4).starts_with("Ahead it brings more than behind; no difference was seen in how often it works: "));
  EXPECT_TRUE(ahead(0, -0.5, 4).starts_with("Behind it brings more than ahead; no difference"));
  EXPECT_TRUE(
      ahead(0, 0, 11).starts_with("No difference was seen between ahead and behind, in how often it works and"));
  EXPECT_TRUE(ahead(0, 0.25, 4)
                  .ends_with("which differs by 0.0 ± 1.0 percentage points; that hand and those that follow bring – "
                             "and – points, which "
                             "differs by 0.250 ± 0.010."))
      << ahead(0, 0.25, 4);
  // With aces and trips alone there is no second pair to compare.
  Figures few = f;
  few.play.fronts.resize(2);
  EXPECT_EQ(conclusions_of(few).size(), all.size() - 1);
  EXPECT_TRUE(conclusions_of(Figures{Fronts{dealer::ofc::Bonus()}}).empty());
}

TEST(FantasylandReport, IsOneWellFormedPageByItself) {
  Figures empty{Fronts{dealer::ofc::Bonus()}};
  empty.play.fronts.resize(4);
  empty.play.kinds.resize(4);
  empty.choices.resize(3);
  for (const Figures& figures : {empty, with_every_sentence()}) {
    const std::string page = report_of(kSubject, figures);
    // The script stands in a section that may hold anything but its own end.
    const std::size_t begin = page.find("<![CDATA["), end = page.find("]]>");
    EXPECT_EQ(begin == std::string::npos, end == std::string::npos);
    const std::string marked = begin == std::string::npos ? page : page.substr(0, begin) + page.substr(end + 3);
    EXPECT_EQ(test::xml_fault(marked), "");
    EXPECT_TRUE(contains(page, "my&lt;&quot;agent&quot;&gt;&amp; against itself"));
    for (const char* outside : {"://", "src=", "href=", "url(", "@import", "<link", "<iframe", "nan", "inf<", "fetch("})
      EXPECT_FALSE(contains(page, outside)) << outside;
    // A script only where there is a chart to search.
    EXPECT_EQ(contains(page, "<script"), figures.chart.has_value());
    EXPECT_EQ(contains(page, "<noscript>"), figures.chart.has_value());
  }
  const std::string page = report_of(kSubject, with_every_sentence());
  EXPECT_TRUE(contains(page, "<figcaption>A queen in hand: "));
  EXPECT_TRUE(contains(page, "<figcaption>An ace in hand: "));
  EXPECT_LT(page.find("<li><strong>Entering Fantasyland is worth"), page.find("<h2>"));
  EXPECT_TRUE(contains(page, "AsKhQh7d2c"));
  EXPECT_TRUE(contains(page, "id=\"opening-table\">ExSWABkAFB4=</script>"));
}

// docs/studies-fantasyland.md names every field of the figures, and no other.
TEST_F(FantasylandStudyRun, ItsPageHasEveryField) {
  Figures f = with_every_sentence();
  f.choices[0][kFirstCard].later[0][0] = {0.5, 0.1, 10};
  f.choices[0][kFirstCard].holdings[1][0][0] = {0.5, 0.1, 10};
  std::set<std::string> fields, told;
  const auto collect = [&](const auto& self, const nlohmann::ordered_json& json) -> void {
    for (const auto& [name, value] : json.items()) {
      if (json.is_object()) fields.insert(name);
      if (value.is_structured()) self(self, value);
    }
  };
  collect(collect, to_json(f));
  const std::string page = read_bytes(std::filesystem::path(test::source_dir()) / "docs/studies-fantasyland.md");
  const std::regex row("\n\\| (`[^|]*)\\|"), name("`([a-z_0-9]+)`");
  for (auto line = std::sregex_iterator(page.begin(), page.end(), row); line != std::sregex_iterator(); ++line) {
    const std::string first = (*line)[1];
    for (auto field = std::sregex_iterator(first.begin(), first.end(), name); field != std::sregex_iterator(); ++field)
      told.insert((*field)[1]);
  }
  for (const char* of_every_figure : {"value", "ci95", "n"}) fields.erase(of_every_figure);
  EXPECT_EQ(told, fields);
}

}  // namespace
}  // namespace dealer::studies::fantasyland::fantasyland_study_test
