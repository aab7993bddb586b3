// The tree of figures, and the tables, charts and sentences over it.
#include "arena/studies/figure.h"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "arena/studies/report/grid.h"
#include "arena/studies/report/sentences.h"
#include "tests/arena/studies/figure_support.h"

namespace dealer::studies::figure_test {
namespace {

constexpr Named kHands[] = {{"pair", "a pair"}, {"trips", "three of a kind"}};

using test::contains;

// Twelve deals of two hands each; of six of them the first raises.
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
  EXPECT_DOUBLE_EQ(f.estimate("opens/raises").value, 0.5);
  EXPECT_DOUBLE_EQ(f.estimate("opens/points").value, 66.0 / 24);
  EXPECT_DOUBLE_EQ(f.estimate("opens/apart").value, 0.25);
  EXPECT_DOUBLE_EQ(f.estimate("hands/pair/share").value, 0.75);
  EXPECT_DOUBLE_EQ(f.estimate("hands/0/share").value, 0.75);
  EXPECT_DOUBLE_EQ(f.estimate("hands/-1/wins").value, 1);
  EXPECT_DOUBLE_EQ(f.estimate("turns/0").value, 0);
  EXPECT_DOUBLE_EQ(f.estimate("turns/1").value, 11.0 / 12);
  EXPECT_EQ(f.estimate("turns/1").count, 12);
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
  using Words = std::vector<std::string>;
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
  EXPECT_EQ(test::xml_fault(text), "");
  return text;
}

TEST(Grids, BecomeCharts) {
  const Figure f = counted();
  const Grid turns{f, "turn", entries(2, "#", "turns/#"), {{"share", "*"}}};
  const std::string bars = page_of([&](Page& page) { add_bars(page, turns, "Turns, {opens/raises}.", 0.5); });
  EXPECT_TRUE(contains(bars, "<figcaption>Turns, 50\u00a0±\u00a033%.</figcaption>"));
  EXPECT_TRUE(contains(bars, "class=\"mark\"") && contains(bars, ">92%</text>")) << bars;
  EXPECT_TRUE(contains(bars, "<th scope=\"col\">share</th><th scope=\"col\">of</th>"));
  EXPECT_TRUE(contains(bars, "<td>12</td>"));
  // What is unknown has no row in charts, but where it is wanted in heat maps.
  const Grid wins{f["hands"], "hand", entries(kHands), columns("wins")};
  const std::string dots = page_of([&](Page& page) { add_dots(page, wins, "axis", "Wins."); });
  EXPECT_FALSE(contains(dots, "a pair"));
  EXPECT_TRUE(contains(dots, "three of a kind") && contains(dots, ">axis</text>"));
  const auto heat = [&](const Heat& how) { return page_of([&](Page& page) { add_heat(page, wins, how, "Wins."); }); };
  EXPECT_FALSE(contains(heat({.axis = "x"}), "a pair"));
  EXPECT_TRUE(contains(heat({.axis = "x", .all_rows = true}), ">a pair</text>"));
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
  // Against the largest that is certain, 0.4: 0.25 of it, and what may be nothing is pale.
  EXPECT_TRUE(contains(differences, "fill-opacity=\"0.62\"") && contains(differences, ">+25%</text>")) << differences;
  EXPECT_TRUE(contains(differences, "fill-opacity=\"0.04\"") && contains(differences, ">±10</text>")) << differences;
}

}  // namespace
}  // namespace dealer::studies::figure_test
