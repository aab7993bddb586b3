// A run of the study of Fantasyland, its sentences and its page.
#include "arena/studies/fantasyland/chain.h"
#include "arena/studies/fantasyland/choices.h"
#include "arena/studies/fantasyland/play.h"
#include "arena/studies/fantasyland/report.h"
#include "tests/arena/studies/testing.h"

namespace dealer::studies::fantasyland::fantasyland_study_test {
namespace {

using namespace test;

const Words kQuick = {"deals=40", "rival_deals=12", "values=[0,20]", "openings=false"};

StudyJob job(const Words& overrides = kQuick) { return read_study("fantasyland", overrides); }

using FantasylandStudyRun = InFolder;

TEST_F(FantasylandStudyRun, TellsOfItsWork) {
  std::set<std::string> units;
  std::int64_t last = 0, of = 0;
  StudyHooks hooks;
  hooks.work = [&](std::string_view unit, std::int64_t done, std::int64_t total) {
    units.insert(std::string(unit));
    last = done;
    of = total;
  };
  const StudyOutcome outcome = run_study(job(), at("a"), hooks);
  EXPECT_EQ(units, std::set<std::string>{"deals of matches"});
  EXPECT_EQ(last, 3 * 12);
  EXPECT_EQ(of, 3 * 12);
  const auto& figures = outcome.results["figures"];
  EXPECT_EQ(figures["rivals"].size(), 3U);
  EXPECT_EQ(figures["rivals"][0]["counts"], nullptr);
  EXPECT_EQ(figures["rivals"][2]["counts"], 20);
  EXPECT_EQ(figures["rivals"][2]["agent"], "default[fantasyland=20]");
  EXPECT_GT(figures["counts"], 5);
  EXPECT_EQ(figures["openings"], nullptr);
  EXPECT_EQ(figures["fronts"].size(), 4U);
  // Every third hand of self-play enters or so.
  EXPECT_GT(figures["play"]["normal"]["entry"]["value"], 0.1);
  EXPECT_EQ(figures["play"]["hands"]["n"], 40);
}

TEST_F(FantasylandStudyRun, AnyAgentCanBeStudied) {
  const auto figures =
      run_study(job({"agent=rule", "deals=30", "values=[]", "openings=false"}), at("rule")).results["figures"];
  EXPECT_EQ(figures["counts"], nullptr);
  EXPECT_TRUE(figures["rivals"].empty());
  EXPECT_FALSE(std::filesystem::exists(at("rule/rivals.txt")));
}

TEST_F(FantasylandStudyRun, ComesToWhatItDid) {
  expect_recorded("fantasyland", "agent=rule deals=60 values=[] openings=false");
}

// Rules are options of the study's game.
TEST_F(FantasylandStudyRun, FollowsItsGame) {
  const StudyOutcome outcome = run_study(
      job({"game=ofc[fantasyland.cards=16,fantasyland.entry_pair=JJ]", "deals=30", "values=[]", "openings=false"}),
      at("a"));
  EXPECT_EQ(outcome.results["figures"]["fronts"].size(), 5U);
  EXPECT_EQ(outcome.results["figures"]["fronts"][0]["front"], "JJ");
  EXPECT_EQ(outcome.results["figures"]["choices"][0]["rank"], "J");
  EXPECT_TRUE(has(read_bytes(at("a/report.html")), "with 16 cards,"));
}

TEST_F(FantasylandStudyRun, ValuesEachNumberOfCards) {
  const auto figures =
      run_study(job({"game=ofc_progressive", "deals=200", "values=[]", "openings=false"}), at("a")).results["figures"];
  const auto& sizes = figures["chain"]["sizes"];
  ASSERT_EQ(sizes.size(), 4U);
  double shares = 0, counts = 0;
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(sizes[i]["cards"], 14 + i);
    EXPECT_GT(sizes[i]["counts"], counts) << "the agent prefers more cards";
    counts = sizes[i]["counts"];
    shares += sizes[i]["share"]["value"].get<double>();
  }
  EXPECT_NEAR(shares, 1, 1e-9);
  EXPECT_EQ(figures["counts"], sizes[0]["counts"]);
  const std::string page = read_bytes(at("a/report.html"));
  expect_parts(page, {"with 14 to 17 cards,", "the agent assumes", "Some fronts lead to more cards"});
}

TEST(FantasylandStudyConfig, RefusesWhatItCannotStudy) {
  const std::pair<const char*, const char*> cases[] = {
      {"game=seven_hand agent=rule", "game: 'seven_hand' is not Open-Face Chinese poker, the subject of this study"},
      {"game=ofc[players=3]", "game: 'ofc[players=3]' is not for two players, as this study needs"},
      {"game=ofc[episode=hand]", "game: 'ofc[episode=hand]' does not play chains; expected episode=chain"},
      {"game=ofc_progressive",
       "values: 'ofc_progressive' has Fantasyland hands of several sizes, so no value holds for all of them; expected "
       "values: []"},
      {"agent=rule openings=false", "'rule' has no option for the value of Fantasyland ("},
      {"agent=rule values=[]", "'rule' gives no values of placements; expected a trained agent without search, or"},
      {"values=[5,5]", "5 is given twice"},
      {"values=[5,2000]", "values"},
      {"rival_deals=1", "rival_deals: 1 is not allowed"},
      {"value=[5]", "did you mean 'values'?"}};
  for (const auto& [overrides, why] : cases)
    EXPECT_TRUE(refuses<UsageError>(why, [&, o = overrides] { job(words_in(o)); })) << overrides;
}

const Subject kSubject{"fantasyland", "ofc", "my<\"agent\">&", 20, 40, 1, "0.1"};

const Fronts kFronts{dealer::ofc::Bonus()};
const std::vector<OpeningAdvice> kAdvice = {{1 + 9 * 2, 2 + 9 * 2, 1.5, 1.25, 0.2, 0.3}};

// The figures without any hand.
Figure unknown() {
  const PlayCounter play(kFronts);
  return object({{"counts", Figure()},
                 {"chain", ChainCounter().figures()},
                 {"play", play.figures()["play"]},
                 {"fronts", play.figures()["fronts"]},
                 {"tries", play.figures()["tries"]},
                 {"chase", Figure(Estimate(), Unit::kNumber)},
                 {"rivals", list()},
                 {"choices", ChoiceCounter(kFronts).figures()},
                 {"openings", Figure()},
                 {".rival_hands", value(0)}});
}

// The unchanged agent does best, with 0 or 20 it does worse.
Figure with_every_sentence() {
  const Estimate seen{0.5, 0.01, 100};
  Figure f = unknown();
  for (const char* const part : {"chain", "play", "fronts", "tries", "choices", "chase"}) set_all(f[part], seen);
  for (const char* const standing : {"ahead", "behind"}) set_all(f["tries"]["standings"][standing], {});
  for (const char* const rank : {"Q", "K", "A"}) set_all(f["choices"][rank]["second"]["turns"], {});
  f.set("counts", value(10.4));
  f["chain"]["sizes"][0].set("counts", value(10.4));
  set(f, "chain/sizes/0/value", {10.1, 0.2, 100});
  for (const Figure& counts : {Figure(), value(0), value(20)})
    f["rivals"].push_back(object({{"agent", value("a")},
                                  {"counts", counts},
                                  {"best", value(counts.is_null())},
                                  {"score", Figure({0.25, 0.05, 100}, Unit::kNumber)},
                                  {"less_than_best", Figure({-0.5, 0.1, 100}, Unit::kNumber)},
                                  {"foul", Figure(seen, Unit::kPercent)},
                                  {"entry", Figure(seen, Unit::kPercent)},
                                  {"stays", Figure(seen, Unit::kPercent)},
                                  {"against", list(3, Figure(seen, Unit::kNumber))}}));
  f.set("openings", count_chart({{canonical(to_set(parse_cards("As Kd Qd 7c 2h"))), 24}}, kAdvice, kFronts, 1));
  return f;
}

TEST(FantasylandConclusions, FollowTheFigures) {
  const Figure f = with_every_sentence();
  const Words all = conclusions_of(f);
  ASSERT_EQ(all.size(), 12U);
  expect_parts(all[0], {"10.1 ± 0.2 points (the agent assumes 10.40, which is too high): "});
  expect_parts(all[1], {"its own 10.4 ", "0.25 ± 0.05 points", "all others do worse"});
  expect_parts(all[9], {"least", "the agent with 0 ", "50.0 ± 1.0%", "0.50 ± 0.10 points"});
  expect_parts(all[10], {"most", "the agent with 20 "});
  expect_parts(all[6], {"Q in hand", "there 50.0 ± 1.0%, 50.0 ± 1.0%, 50.0 ± 1.0%, 50.0 ± 1.0%, 50.0 ± 1.0% of",
                        " –, –, –, –, –."});
  EXPECT_TRUE(has(all[11], "By front: ")) << "no difference was seen";
  expect_parts(all[5], {"Openings", "0.25 points more"});

  const auto with = [&](std::size_t sentence, const std::string& path, const Estimate& estimate,
                        const std::string& other = {}, const Estimate& of_other = {}) {
    Figure changed = f;
    set(changed, path, estimate);
    if (!other.empty()) set(changed, other, of_other);
    return conclusions_of(changed).at(sentence);
  };
  EXPECT_TRUE(has(with(0, "chain/sizes/0/value", {10.7, 0.2, 100}), "too low"));
  EXPECT_TRUE(has(with(0, "chain/sizes/0/value", {10.5, 0.2, 100}), "10.40)"));
  Figure uncounted = f;
  uncounted["chain"]["sizes"][0].set("counts", Figure());
  expect_parts(conclusions_of(uncounted)[0], {"10.1 ± 0.2 points: "});
  Figure sizes = f;
  sizes["chain"].set("sizes", list(3, f["chain"]["sizes"][0]));
  sizes["chain"]["sizes"][1].set("cards", value(15));
  sizes["chain"]["sizes"][1].set("counts", Figure());
  set(sizes, "chain/sizes/1/value", {});
  sizes["chain"]["sizes"][2].set("cards", value(17));
  expect_parts(conclusions_of(sizes)[0],
               {"10.1 ± 0.2 points with 14 cards (the agent assumes 10.40, which is too high), "
                "10.1 ± 0.2 with 17 cards (the agent"});
  const Estimate unseen{-0.05, 0.1, 100};
  expect_parts(with(1, "rivals/2/less_than_best", unseen), {"no difference was seen", "those with 20."});
  EXPECT_TRUE(has(with(11, "rivals/2/less_than_best", unseen), "no difference was seen"));
  EXPECT_TRUE(has(all[3], "more than"));
  EXPECT_TRUE(has(with(3, "tries/early_late", {-0.5, 0.01, 100}), "less than"));
  EXPECT_TRUE(has(with(11, "tries/early_late", {0, 0.01, 100}), "no difference seen"));
  // The entry rate and the winnings are independent.
  const auto ahead = [&](double rate, double total, std::size_t sentence) {
    return with(sentence, "tries/ahead_behind", {rate, 0.01, 100}, "tries/ahead_behind_total", {total, 0.01, 100});
  };
  expect_parts(all[4], {"ahead enter more", "win more: "});
  expect_parts(ahead(-0.5, -0.5, 4), {"behind enter more", "win more: "});
  expect_parts(ahead(-0.5, 0.5, 4), {"behind enter more", "win less: "});
  expect_parts(ahead(0.5, 0, 4), {"ahead enter more", "no difference was seen in what"});
  expect_parts(ahead(0, 0.5, 4), {"ahead win more", "no difference was seen in how often"});
  expect_parts(ahead(0, -0.5, 4), {"behind win more", "no difference was seen in how often"});
  expect_parts(ahead(0, 0, 11), {"No difference was seen", "ahead", "behind"});
  expect_parts(ahead(0, 0.25, 4), {"a difference of 0.0 ± 1.0 percentage points", "a difference of 0.250 ± 0.010."});
  // If only aces and trips qualify there is no second pair to compare.
  Figure few = f;
  few.set("fronts", list(2, f["fronts"][0]));
  EXPECT_EQ(conclusions_of(few).size(), all.size() - 1);
  EXPECT_TRUE(conclusions_of(unknown()).empty());
}

TEST(FantasylandReport, IsOneWellFormedPageByItself) {
  for (const bool known : {false, true}) {
    const std::string page = report_of(kSubject, known ? with_every_sentence() : unknown(), kAdvice);
    expect_page(page, count(page, "<svg"));
    EXPECT_TRUE(has(page, "my&lt;&quot;agent&quot;&gt;&amp; plays itself"));
    // A script only if there is a chart to search.
    EXPECT_EQ(contains(page, "<script"), known);
    EXPECT_EQ(contains(page, "<noscript>"), known);
  }
  const std::string page = report_of(kSubject, with_every_sentence(), kAdvice);
  EXPECT_TRUE(has(page, "<figcaption>A queen in hand: "));
  EXPECT_TRUE(has(page, "<figcaption>An ace in hand: "));
  EXPECT_LT(page.find("<li><strong>Entering Fantasyland is worth"), page.find("<h2>"));
  EXPECT_TRUE(has(page, "AsKhQh7d2c"));
  EXPECT_TRUE(has(page, "id=\"opening-table\">ExSWABkAFB4=</script>"));
}

// docs/study-fields-fantasyland.md names every field of the figures, and no other.
TEST_F(FantasylandStudyRun, ItsPageHasEveryField) {
  Figure f = with_every_sentence();
  Figure& choice = f["choices"]["Q"]["first"];
  const Figure cell = object({{"middle", value("")}, {"back", value("")}, {"in_front", share()}});
  choice["later"].push_back(cell);
  choice["by_turn"].push_back(joined(object({{"turn", value(1)}}), cell));
  std::set<std::string> fields, observed;
  const auto collect = [&](const auto& self, const nlohmann::ordered_json& json) -> void {
    for (const auto& [name, value] : json.items()) {
      if (json.is_object()) fields.insert(name);
      if (value.is_structured()) self(self, value);
    }
  };
  collect(collect, f.to_json());
  const std::string page = read_bytes(std::filesystem::path(source_dir()) / "docs/study-fields-fantasyland.md");
  const std::regex row("\n\\| (`[^|]*)\\|"), name("`([a-z_0-9]+)`");
  for (auto line = std::sregex_iterator(page.begin(), page.end(), row); line != std::sregex_iterator(); ++line) {
    const std::string first = (*line)[1];
    for (auto field = std::sregex_iterator(first.begin(), first.end(), name); field != std::sregex_iterator(); ++field)
      observed.insert((*field)[1]);
  }
  for (const char* of_every_figure : {"value", "ci95", "n"}) fields.erase(of_every_figure);
  EXPECT_EQ(observed, fields);
}

}  // namespace
}  // namespace dealer::studies::fantasyland::fantasyland_study_test
