// Clustered means and differences, against their definitions and against a known truth; the tree of figures, and the
// tables, charts and sentences made from it.
#include "arena/studies/figure.h"

#include "arena/report/grid.h"
#include "arena/report/sentences.h"
#include "arena/studies/estimate.h"
#include "env/core/student_t.h"
#include "tests/arena/studies/testing.h"

namespace dealer::studies::figure_test {
namespace {

using namespace test;

TEST(ClusterMean, IsTheRatioOfItsClusters) {
  ClusterMean mean;
  ClusteredRatio ratio;
  mean.add(4, 1);
  mean.add(4, 0);
  mean.add(5, 1);
  mean.add(9, 3, 4);
  ratio.add(1, 2);
  ratio.add(1, 1);
  ratio.add(3, 4);
  const Estimate estimate = mean.estimate();
  EXPECT_DOUBLE_EQ(estimate.value, ratio.ratio());
  EXPECT_DOUBLE_EQ(estimate.ci95, ratio.half_width95());
  EXPECT_EQ(estimate.count, 7);
  EXPECT_TRUE(estimate.known());
}

TEST(ClusterMean, OfTooLittleIsUnknown) {
  ClusterMean mean;
  EXPECT_FALSE(mean.estimate().known());
  EXPECT_EQ(to_json(mean.estimate()).dump(), R"({"value":null,"ci95":null,"n":0.0})");
  mean.add(0, 1);
  mean.add(0, 2);
  EXPECT_FALSE(mean.estimate().known());
  EXPECT_EQ(to_json(mean.estimate()).dump(), R"({"value":1.5,"ci95":null,"n":2.0})");
  EXPECT_FALSE(mean.estimate().above(0)) << "nothing is seen of one cluster";
  mean.add(1, 1);
  EXPECT_TRUE(mean.estimate().known());
}

TEST(ClusterMean, AShareThatNeverHappenedHasAnInterval) {
  ClusterMean never, always, sometimes;
  for (int i = 0; i < 30; ++i) {
    never.add(i, 0);
    always.add(i, 1);
    sometimes.add(i, i % 2);
  }
  // With that share, 95% of samples of 30 have a case.
  const double reach = 1 - std::pow(0.05, 1.0 / 30);
  EXPECT_NEAR(never.share().ci95, reach, 1e-12);
  EXPECT_NEAR(always.share().ci95, reach, 1e-12);
  EXPECT_NEAR(reach, 3.0 / 30, 0.006);
  EXPECT_EQ(never.estimate().ci95, 0);
  EXPECT_EQ(sometimes.share().ci95, sometimes.estimate().ci95);
}

// At least ten deals with scatter are required for an interval.
TEST(DealMean, HasAnIntervalWhereDealsWereSeenToDiffer) {
  DealMean varies, constant, inside, always;
  ClusterMean plain;
  for (int deal = 0; deal < 10; ++deal) {
    EXPECT_FALSE(varies.estimate().known()) << deal;
    EXPECT_FALSE(always.share().known()) << deal;
    varies.add(deal, deal % 3);
    plain.add(deal, deal % 3);
    // Thirds are rounded: rounding errors of their sums are not scatter.
    constant.add(deal, -20.0 / 3);
    inside.add(deal, 0.5);
    always.add(deal, 1);
  }
  EXPECT_EQ(varies.estimate().ci95, plain.estimate().ci95);
  EXPECT_TRUE(varies.estimate().known());
  EXPECT_FALSE(constant.estimate().known());
  EXPECT_DOUBLE_EQ(constant.estimate().value, -20.0 / 3);
  EXPECT_FALSE(inside.share().known());
  EXPECT_NEAR(always.share().ci95, 1 - std::pow(0.05, 0.1), 1e-12);
  EXPECT_EQ(to_json(constant.estimate())["ci95"], nullptr);
}

TEST(DealMean, ReachesNoFurtherThanSharesDo) {
  ClusterMean share;
  share.add(0, 0, 1);
  share.add(1, 9, 10);
  const Estimate estimate = share.share();
  EXPECT_GT(share.estimate().ci95, 0.9);
  EXPECT_DOUBLE_EQ(estimate.ci95, estimate.value) << "to nothing, and beyond all";
  EXPECT_EQ(estimate.low(), 0);
  EXPECT_EQ(estimate.high(), 1);
}

TEST(ClusterDifference, IsTheDifferenceOfTheMeans) {
  ClusterDifference difference;
  // The same three clusters, ten times.
  for (int i = 0; i < 30; i += 3) {
    difference.add(i, true, 3);
    difference.add(i, false, 1, 2);
    difference.add(i + 1, true, 5);
    difference.add(i + 1, false, 2);
    difference.add(i + 2, false, 3);
  }
  const Estimate estimate = difference.estimate();
  EXPECT_DOUBLE_EQ(estimate.value, 4 - 6.0 / 4);
  EXPECT_EQ(estimate.count, 60);
  // Residuals, each mean's divided by its number of cases: -1/2 + 2/4, 1/2 - 1/8, -3/8; t with 29 degrees of freedom.
  const double squares = (0 + 9.0 / 64 + 9.0 / 64) / 10;
  EXPECT_NEAR(estimate.ci95, student_t975(29) * std::sqrt(squares * 30 / 29), 1e-9);
}

TEST(ClusterDifference, OfTooLittleIsUnknown) {
  ClusterDifference difference, few_first, few_second;
  difference.add(0, true, 1);
  EXPECT_EQ(difference.estimate().count, 0);
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(difference.estimate().known()) << i;
    if (i > 0) difference.add(i, true, i % 2);
    difference.add(i, false, i % 3);
    if (i > 0) few_first.add(i, true, i % 2);
    few_first.add(i, false, i % 3);
    few_second.add(i, true, i % 3);
    if (i > 0) few_second.add(i, false, i % 2);
  }
  EXPECT_TRUE(difference.estimate().known());
  EXPECT_FALSE(few_first.estimate().known() || few_second.estimate().known()) << "nine deals";
}

// A few equal cases, or many, against a mean with scatter; and two that are always equal.
TEST(ClusterDifference, OfWhatNeverVariedIsUnknown) {
  ClusterDifference constant, together;
  for (int i = 0; i < 50; ++i) {
    constant.add(i, true, -20.0 / 3);
    constant.add(i, false, i % 4);
    together.add(i, true, i % 4 + 1.0 / 3);
    together.add(i, false, i % 4);
  }
  EXPECT_NEAR(constant.estimate().value, -20.0 / 3 - 1.46, 1e-12);
  EXPECT_FALSE(constant.estimate().known());
  EXPECT_FALSE(together.estimate().known());
}

TEST(ShareDifference, OfWhatNeverOrAlwaysHappenedIsWider) {
  for (const double end : {0.0, 1.0}) {
    ShareDifference difference, few;
    DealMean second;
    for (int i = 0; i < 40; ++i) {
      difference.add(i, true, end);
      difference.add(i, false, i % 4, 4);
      second.add(i, i % 4, 4);
      if (i < 9) few.add(i, true, end);
      few.add(i, false, i % 2);
    }
    const Estimate estimate = difference.estimate();
    EXPECT_DOUBLE_EQ(estimate.value, end - 0.375);
    EXPECT_NEAR(estimate.ci95, second.estimate().ci95 + 1 - std::pow(0.05, 1.0 / 40), 1e-9);
    EXPECT_EQ(estimate.least, -1);
    EXPECT_FALSE(few.estimate().known());
  }
}

// A share that is equal in every deal has no observed variance.
TEST(ShareDifference, OfAShareWithoutScatterIsUnknown) {
  for (const bool first : {true, false}) {
    ShareDifference difference;
    for (int deal = 0; deal < 20; ++deal) {
      difference.add(deal, first, 1, 2);
      difference.add(deal, !first, deal % 3, 2);
    }
    EXPECT_FALSE(difference.estimate().known());
  }
}

// Clusters that contribute to both means: the interval must cover the truth about 95 times in 100.
TEST(ClusterDifference, CoversTheTruth) {
  constexpr int kTrials = 2000;
  int covered = 0, narrow = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    RandomStream rng(29, static_cast<std::uint64_t>(trial));
    ClusterDifference difference;
    for (int i = 0; i < 60; ++i) {
      const double shared = 2.0 * static_cast<double>(rng.uniform());
      for (auto k = 1 + rng.below(3); k > 0; --k)
        difference.add(i, true, shared + static_cast<double>(rng.uniform()) + 0.25);
      for (auto k = rng.below(4); k > 0; --k)
        difference.add(i, false, 0.5 * shared + static_cast<double>(rng.uniform()));
    }
    const Estimate estimate = difference.estimate();
    covered += std::abs(estimate.value - 0.75) <= estimate.ci95 ? 1 : 0;
    narrow += estimate.above(0) ? 1 : 0;
  }
  // Four standard errors either way.
  EXPECT_NEAR(covered / static_cast<double>(kTrials), 0.95, 0.02);
  EXPECT_EQ(narrow, kTrials);
}

TEST(Estimate, IsAboveWhereItsIntervalIs) {
  const Estimate estimate{0.5, 0.2, 10};
  EXPECT_TRUE(estimate.above(0.29) && !estimate.above(0.31) && estimate.below(0.71) && !estimate.below(0.69));
}

constexpr Named kHands[] = {{"pair", "a pair"}, {"trips", "three of a kind"}};

// Twelve deals of two hands each; in six of them the first raises.
Figure counted() {
  Figure f = object({{"opens", counters("raises% points apart-%")},
                     {"hands", list_of(kHands, "hand", counters("share% wins"))},
                     {"turns", list(2, share())},
                     {".note", value("a note")},
                     {"none", value(nullptr)},
                     {"never", share()}});
  for (int deal = 0; deal < 12; ++deal) {
    f["opens"]["raises"].add(deal, when(deal % 2 == 0));
    f["opens"]["points"].add(deal, deal, 2);
    f["opens"]["apart"].compare(deal, true, when(deal % 2 == 0));
    f["opens"]["apart"].compare(deal, false, when(deal % 4 == 0));
    f["hands"].choose(deal, deal < 9 ? "pair" : "trips", "share");
    f["hands"]["trips"]["wins"].add(deal, deal % 3);
    f["turns"].choose(deal, deal == 0 ? -1 : 1);
  }
  return f;
}

TEST(Figures, AreFoundByTheirPaths) {
  const Figure f = counted();
  expect_figures(f, R"(
    : opens/raises=0.5 opens/points=66/24 opens/apart=0.25 turns/0=0 turns/1=11/12*12
    hands: pair/share=0.75 0/share=0.75 -1/wins=1
  )");
  EXPECT_EQ(f["opens"]["apart"].unit(), Unit::kPercentagePoints);
  EXPECT_TRUE(f["none"].is_null());
  EXPECT_FALSE(f["never"].is_null());
  for (const char* const wrong : {"opens/folds", "hands/quads", "hands/2", "hands/-3", "opens/raises/x", "none/x"})
    EXPECT_THROW(f.at(wrong), std::out_of_range) << wrong;
}

TEST(Figures, AreWrittenAsJson) {
  Figure f = object({{"hands", list_of(kHands, "hand", counters("share%"))}, {".note", value(1)}, {"n", value(2)}});
  f.set("n", value(3));
  f.set("more", list(1, by_name(kHands, share())));
  EXPECT_EQ(f.to_json().dump(),
            R"({"hands":[{"hand":"pair","share":{"value":null,"ci95":null,"n":0.0}},)"
            R"({"hand":"trips","share":{"value":null,"ci95":null,"n":0.0}}],"n":3,)"
            R"("more":[{"pair":{"value":null,"ci95":null,"n":0.0},"trips":{"value":null,"ci95":null,"n":0.0}}]})");
}

TEST(Figures, FillTexts) {
  const Figure f = counted();
  EXPECT_EQ(f.fill("{opens/raises} raise; {.note}; {none}; {never}"), "50 ± 33% raise; a note; –; –");
  EXPECT_TRUE(f.fill("by {opens/apart}.").ends_with(" percentage points.")) << f.fill("by {opens/apart}.");
  EXPECT_TRUE(f.text("opens/apart").ends_with("%")) << "in tables";
}

TEST(Sayings, AreChosenByTheirFigure) {
  const auto said = [](double value, double level) {
    const Figure f = object({{"a", Figure({value, 0.1, 50}, Unit::kNumber)}, {"b", mean()}});
    Sentences say;
    const Saying sayings[] = {{"a", "more", "less", "as much", "{a} points", level},
                              {"b", "unknown", "unknown", "unknown", "never said"},
                              {.figure = "a", .above = "always", .rest = "said"}};
    say.say(f, sayings);
    return say.take();
  };
  EXPECT_EQ(said(0.5, 0), (Words{"more: 0.50 ± 0.10 points.", "always: said."}));
  EXPECT_EQ(said(-0.5, 0), (Words{"less: −0.50 ± 0.10 points.", "always: said."}));
  EXPECT_EQ(said(0.5, 1), (Words{"less: 0.50 ± 0.10 points.", "always: said."}));
  EXPECT_EQ(said(0.05, 0), (Words{"always: said.", "as much: 0.05 ± 0.10 points."})) << "what was not seen is last";
}

TEST(Grids, HaveAFigureInEachCell) {
  const Figure f = counted();
  const Grid grid{f["hands"], "hand", entries(kHands), columns("share wins")};
  EXPECT_EQ(cells_of(grid), (Cells{{"hand", "share", "wins"},
                                   {"a pair", "75 (46 to 100)%", "–"},
                                   {"three of a kind", "25 (0 to 54)%", grid.of.text("trips/wins")}}));
  EXPECT_EQ(grid.cell(1, 1).estimate().value, 1);
  const std::vector<Entry> turns = entries(2, "turn #", "turns/#", 1, "below/#");
  EXPECT_EQ(turns[1].title, "turn 2");
  EXPECT_EQ(turns[1].path, "turns/1");
  EXPECT_EQ(turns[1].below, "below/1");
}

std::string page_of(const std::function<void(Page& page)>& write) {
  Page page("title", "lead");
  write(page);
  const std::string text = page.finish("end");
  EXPECT_EQ(xml_fault(text), "");
  return text;
}

TEST(Grids, BecomeCharts) {
  const Figure f = counted();
  const Grid turns{f, "turn", entries(2, "#", "turns/#"), {{"share", "*"}}};
  const std::string bars = page_of([&](Page& page) { add_bars(page, turns, "Turns, {opens/raises}.", 0.5); });
  EXPECT_TRUE(has(bars, "<figcaption>Turns, 50\u00a0±\u00a033%.</figcaption>"));
  EXPECT_TRUE(contains(bars, "class=\"mark\"") && contains(bars, ">92%</text>")) << bars;
  EXPECT_TRUE(has(bars, "<th scope=\"col\">share</th><th scope=\"col\">of</th>"));
  EXPECT_TRUE(has(bars, "<td>12</td>"));
  // Unknown figures have no row in charts, but may have one in heat maps.
  const Grid wins{f["hands"], "hand", entries(kHands), columns("wins")};
  const std::string dots = page_of([&](Page& page) { add_dots(page, wins, "axis", "Wins."); });
  EXPECT_FALSE(has(dots, "a pair"));
  EXPECT_TRUE(contains(dots, "three of a kind") && contains(dots, ">axis</text>"));
  const auto heat = [&](const Heat& how) { return page_of([&](Page& page) { add_heat(page, wins, how, "Wins."); }); };
  EXPECT_FALSE(has(heat({.axis = "x"}), "a pair"));
  EXPECT_TRUE(has(heat({.axis = "x", .all_rows = true}), ">a pair</text>"));
}

TEST(Grids, HeatMapsAreShadedByWhatTheyShow) {
  const Figure f = list(1, object({{"a", Figure({0.25, 0.1, 40}, Unit::kPercent)},
                                   {"b", Figure({-0.5, 0.1, 8}, Unit::kPercent)},
                                   {"c", Figure({0.05, 0.1, 9}, Unit::kPercent)}}));
  const auto map = [&](Shade shade, const std::string& below) {
    std::vector<Entry> shown = columns("a b c");
    for (Entry& column : shown) column.below = below;
    return page_of([&](Page& page) { add_heat(page, {f, "", {{"row", "0"}}, shown}, {"x", shade}, "A map."); });
  };
  const std::string values = map(Shade::kValue, "count"), relative = map(Shade::kRelative, "*/b"),
                    differences = map(Shade::kDifference, "");
  EXPECT_TRUE(contains(values, "fill-opacity=\"0.25\"") && contains(values, ">25%</text>") && contains(values, ">40<"));
  EXPECT_TRUE(contains(relative, "class=\"first\" fill-opacity=\"0.50\"") && contains(relative, ">−50.0%</text>"));
  // Relative to the largest significant figure, 0.4: 0.25 of it, and insignificant ones are pale.
  EXPECT_TRUE(contains(differences, "fill-opacity=\"0.62\"") && contains(differences, ">+25%</text>")) << differences;
  EXPECT_TRUE(contains(differences, "fill-opacity=\"0.04\"") && contains(differences, ">±10</text>")) << differences;
}

}  // namespace
}  // namespace dealer::studies::figure_test
