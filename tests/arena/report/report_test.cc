// The building blocks of reports: text, pages, pictures.
#include "arena/report/charts.h"
#include "arena/report/page.h"
#include "arena/report/picture.h"
#include "arena/report/text.h"
#include "tests/arena/studies/testing.h"

namespace dealer::studies::report_test {
namespace {

using namespace test;

TEST(WellFormed, FindsFaults) {
  EXPECT_EQ(xml_fault("<!DOCTYPE html>\n<a b=\"1\">x &amp; y<c/></a>\n"), "");
  for (const char* bad : {"<a>", "<a></b>", "<a></a><b></b>", "<a b=1></a>", "<a b=\"1\" b=\"2\"></a>", "<a>&nbsp;</a>",
                          "<a b=\"&\"/>", "x<a/>", "<a>\xff</a>", "<a", "", "<a></a></a>"})
    EXPECT_NE(xml_fault(bad), "") << bad;
}

TEST(ReportText, IsEscaped) { EXPECT_EQ(escape("a<b> &\n\"c\"\x01 ±"), "a&lt;b&gt; &amp;\n&quot;c&quot; ±"); }

TEST(ReportText, NumbersShowWhatIsKnown) {
  EXPECT_EQ(fixed(-0.254, 2), "−0.25");
  EXPECT_EQ(fixed(-0.001, 2), "0.00");
  EXPECT_EQ(fixed(3, 0), "3");
  for (const auto& [reach, digits] : {std::pair(0.03, 2), {0.016, 3}, {2, 0}, {1.5, 1}, {40, 0}, {1e-9, 4}})
    EXPECT_EQ(digits_of(reach), digits) << reach;
  const std::tuple<Estimate, Unit, const char*, const char*> texts[] = {
      {{3.14159, 0.043, 10}, Unit::kNumber, "3.14 ± 0.04", "3.14"},
      {{3.14159, 0.00043, 10}, Unit::kNumber, "3.1416 ± 0.0004", "3.14"},
      {{0.52345, 0.012, 10}, Unit::kPercent, "52.3 ± 1.2%", "52.3%"},
      {{0.52345, 0.00012, 10}, Unit::kPercent, "52.345 ± 0.012%", "52.3%"},
      {{0.5, INFINITY, 1}, Unit::kPercent, "50% (no interval)", "50%"},
      {{2.5, INFINITY, 1}, Unit::kNumber, "2.50 (no interval)", "2.50"},
      // For shares of 0 or 1, no insignificant digits.
      {{1, 0.000015, 12, 0, 1}, Unit::kPercent, "100 (99.9 to 100)%", "100.0%"},
      {{0, 0.000015, 12, 0, 1}, Unit::kPercent, "0 (0 to 0.1)%", "0.0%"},
      {{1, 0.26, 12, 0, 1}, Unit::kPercent, "100 (74 to 100)%", "100%"},
      {{0.9, 0.23, 12, 0, 1}, Unit::kPercent, "90 (67 to 100)%", "90%"},
      {{0, 0.07, 12, 0, 1}, Unit::kPercent, "0 (0 to 7)%", "0%"},
      {{0.9, 0.1, 12, 0, 1}, Unit::kPercent, "90 ± 10%", "90%"},
      {{}, Unit::kNumber, "–", "–"}};
  for (const auto& [estimate, unit, whole, value] : texts) {
    EXPECT_EQ(text_of(estimate, unit), whole);
    EXPECT_EQ(value_text(estimate, unit), value);
  }
  EXPECT_EQ(percentage_points({-0.021, 0.003, 10}), "−2.1 ± 0.3 percentage points");
}

TEST(ReportScale, HoldsBothEndsInRoundSteps) {
  const std::array<double, 5> cases[] = {
      {0, 1, 0, 1, 0.5}, {0, 3.9, 0, 4, 1}, {-0.3, 0.5, -0.4, 0.6, 0.2}, {0, 0, 0, 1, 0.5}, {0, 130, 0, 150, 50}};
  for (const auto& [from, to, low, high, step] : cases) {
    const Scale scale = scale_for(from, to, 4);
    EXPECT_DOUBLE_EQ(scale.low, low);
    EXPECT_DOUBLE_EQ(scale.high, high);
    EXPECT_DOUBLE_EQ(scale.step, step);
  }
}

TEST(ReportPage, EscapesAllText) {
  Page page("T<", "L&");
  page.heading("H<");
  page.paragraph("P\"");
  page.list({"head & more: rest < 1", "no head"});
  page.table({{"a<", "b"}, {"c&", "d"}});
  page.figure(Picture(10, "w<").finish(), "C<", {{"x", "y"}, {"1", "2 ± 1"}});
  const std::string text = page.finish("F<");
  EXPECT_EQ(xml_fault(text), "");
  EXPECT_TRUE(has(text, "<li><strong>head &amp; more:</strong> rest &lt; 1</li>"));
  EXPECT_TRUE(has(text, "<h1>T&lt;</h1>"));
  EXPECT_TRUE(has(text, "<th scope=\"row\">c&amp;</th><td>d</td>"));
  EXPECT_TRUE(has(text, "aria-label=\"w&lt;\""));
}

// A few of them are shown, the others on demand.
TEST(ReportPage, ConclusionsBeginWithAFew) {
  const auto page_of = [](std::size_t sentences) {
    Page page("T", "L");
    Words list;
    for (std::size_t i = 0; i < sentences; ++i) list.push_back("no " + std::to_string(i) + ": x");
    page.conclusions(list);
    return page.finish("F");
  };
  const std::string few = page_of(6), many = page_of(9);
  EXPECT_FALSE(has(few, "<details"));
  EXPECT_EQ(count(few, "<li>"), 6);
  EXPECT_EQ(xml_fault(many), "");
  EXPECT_EQ(count(many, "<li>"), 9);
  const std::size_t more = many.find("<details class=\"more\"><summary>… 3 more</summary>");
  ASSERT_NE(more, std::string::npos);
  EXPECT_LT(many.find("no 5"), more);
  EXPECT_GT(many.find("no 6"), more);
}

TEST(ReportPage, DetailsKeepTheirLines) {
  Page page("T", "L");
  Page::Entry entry;
  entry.details = "board  3h\nseat 0 4<\n";
  page.entries({entry});
  EXPECT_TRUE(has(page.finish("F"), "<pre>board  3h\nseat 0 4&lt;\n</pre>"));
}

TEST(ReportCharts, LeaveOutWhatIsUnknown) {
  BarChart chart;
  chart.what = "what";
  chart.labels = {"a", "b", "c"};
  chart.bars = {{0.5, 0.1, 10}, {}, {1, INFINITY, 1}};
  chart.mark = 0.7;
  const std::string bars = bar_chart(chart);
  EXPECT_EQ(xml_fault(bars), "");
  EXPECT_EQ(count(bars, "<rect"), 2);
  EXPECT_EQ(count(bars, "class=\"whisker\""), 3) << "one interval";
  EXPECT_EQ(count(bars, "class=\"mark\""), 1);
  EXPECT_FALSE(has(bars, "inf"));

  DotChart dots;
  dots.series = {"one", "two"};
  dots.rows = {{"r", {{0.5, 0.1, 10}, {}}}, {"s", {{0.2, 0.1, 10}, {2, INFINITY, 1}}}};
  const std::string text = dot_chart(dots);
  EXPECT_EQ(xml_fault(text), "");
  EXPECT_EQ(count(text, "<circle"), 3 + 2U) << "and the legend";
  EXPECT_EQ(count(text, "class=\"whisker\""), 2 * 3);
}

// A bar of half the scale has half the height, and its interval is in the right place.
TEST(ReportCharts, AreToScale) {
  BarChart chart;
  chart.labels = {"a", "b"};
  chart.bars = {{1, 0, 2}, {0.5, 0.25, 2}};
  const std::string bars = bar_chart(chart);
  EXPECT_TRUE(has(bars, "height=\"156.0\""));
  EXPECT_TRUE(has(bars, "height=\"78.0\""));
  EXPECT_TRUE(contains(bars, "y1=\"139.0\"") && contains(bars, "y2=\"61.0\"")) << bars;
}

TEST(ReportCharts, AShareIsNoMoreThanAll) {
  BarChart chart;
  chart.unit = Unit::kPercent;
  chart.labels = {"a"};
  chart.bars = {{1, 0.2, 2}};
  const std::string bars = bar_chart(chart);
  EXPECT_TRUE(has(bars, ">100%</text>"));
  EXPECT_FALSE(has(bars, ">150%</text>"));
}

// Shares are not below 0, however wide the interval; and no whisker leaves the scale.
TEST(ReportCharts, IntervalsEndWhereSharesDo) {
  const Estimate wide{0.5, 6, 12, 0, 1};
  EXPECT_EQ(wide.low(), 0);
  EXPECT_EQ(wide.high(), 1);
  BarChart bars;
  bars.unit = Unit::kPercent;
  bars.labels = {"a"};
  bars.bars = {wide};
  DotChart dots;
  dots.unit = Unit::kPercent;
  dots.series = {"one"};
  dots.rows = {{"r", {wide}}};
  for (const std::string& text : {bar_chart(bars), dot_chart(dots)}) {
    EXPECT_TRUE(contains(text, ">0%</text>") && contains(text, ">100%</text>")) << text;
    EXPECT_EQ(count(text, "−"), 0) << text;
    EXPECT_EQ(count(text, "00%</text>"), 1) << text;
  }
  // An interval that is wider than the chart.
  dots.rows[0].dots[0] = {0.9, 0.4, 12};
  const std::string clipped = dot_chart(dots);
  EXPECT_TRUE(has(clipped, "x2=\"362.0\""));
  for (const char* beyond : {"x2=\"4", "x2=\"5"}) EXPECT_FALSE(has(clipped, beyond));
}

TEST(ReportCharts, HeatFollowsTheWeight) {
  HeatMap map;
  map.rows = {"r"};
  map.columns = {"a", "b", "c"};
  map.cells = {{{0.25, "x", ""}, {-0.75, "y", "z"}, {7, "w", ""}}};
  const std::string text = heat_map(map);
  EXPECT_EQ(xml_fault(text), "");
  EXPECT_TRUE(has(text, "class=\"first\" fill-opacity=\"0.25\""));
  EXPECT_TRUE(has(text, "class=\"second\" fill-opacity=\"0.75\""));
  EXPECT_TRUE(has(text, "class=\"first\" fill-opacity=\"0.99\""));
}

}  // namespace
}  // namespace dealer::studies::report_test
