// What reports are written with: text, pages, pictures.
#include <gtest/gtest.h>

#include <cmath>

#include "arena/studies/report/charts.h"
#include "arena/studies/report/page.h"
#include "arena/studies/report/picture.h"
#include "arena/studies/report/text.h"
#include "tests/arena/studies/figure_support.h"

namespace dealer::studies::report_test {
namespace {

using test::contains;

TEST(WellFormed, FindsFaults) {
  EXPECT_EQ(test::xml_fault("<!DOCTYPE html>\n<a b=\"1\">x &amp; y<c/></a>\n"), "");
  for (const char* bad : {"<a>", "<a></b>", "<a></a><b></b>", "<a b=1></a>", "<a b=\"1\" b=\"2\"></a>", "<a>&nbsp;</a>",
                          "<a b=\"&\"/>", "x<a/>", "<a>\xff</a>", "<a", "", "<a></a></a>"})
    EXPECT_NE(test::xml_fault(bad), "") << bad;
}

TEST(ReportText, IsEscaped) { EXPECT_EQ(escape("a<b> &\n\"c\"\x01 ±"), "a&lt;b&gt; &amp;\n&quot;c&quot; ±"); }

TEST(ReportText, NumbersShowWhatIsKnown) {
  EXPECT_EQ(fixed(-0.254, 2), "−0.25");
  EXPECT_EQ(fixed(-0.001, 2), "0.00");
  EXPECT_EQ(fixed(3, 0), "3");
  EXPECT_EQ(digits_of(0.03), 2);
  EXPECT_EQ(digits_of(0.016), 3);
  EXPECT_EQ(digits_of(2), 0);
  EXPECT_EQ(digits_of(1.5), 1);
  EXPECT_EQ(digits_of(40), 0);
  EXPECT_EQ(digits_of(1e-9), 4);
  EXPECT_EQ(text_of({3.14159, 0.043, 10}, Unit::kNumber), "3.14 ± 0.04");
  EXPECT_EQ(text_of({0.52345, 0.012, 10}, Unit::kPercent), "52.3 ± 1.2%");
  EXPECT_EQ(value_text({0.52345, 0.012, 10}, Unit::kPercent), "52.3%");
  EXPECT_EQ(value_text({3.14159, 0.00043, 10}, Unit::kNumber), "3.14");
  EXPECT_EQ(value_text({0.52345, 0.00012, 10}, Unit::kPercent), "52.3%");
  EXPECT_EQ(percentage_points({-0.021, 0.003, 10}), "−2.1 ± 0.3 percentage points");
  EXPECT_EQ(text_of({0.5, INFINITY, 1}, Unit::kPercent), "50 ± ?%");
  EXPECT_EQ(text_of({0.9, 0.23, 12, 0, 1}, Unit::kPercent), "90 (67 to 100)%");
  EXPECT_EQ(text_of({0, 0.07, 12, 0, 1}, Unit::kPercent), "0 (0 to 7)%");
  EXPECT_EQ(text_of({0.9, 0.1, 12, 0, 1}, Unit::kPercent), "90 ± 10%");
  EXPECT_EQ(text_of({}, Unit::kNumber), "–");
  EXPECT_EQ(value_text({}, Unit::kPercent), "–");
}

TEST(ReportScale, HoldsBothEndsInRoundSteps) {
  const auto expect = [](const Scale& scale, double low, double high, double step) {
    EXPECT_DOUBLE_EQ(scale.low, low);
    EXPECT_DOUBLE_EQ(scale.high, high);
    EXPECT_DOUBLE_EQ(scale.step, step);
  };
  expect(scale_for(0, 1, 4), 0, 1, 0.5);
  expect(scale_for(0, 3.9, 4), 0, 4, 1);
  expect(scale_for(-0.3, 0.5, 4), -0.4, 0.6, 0.2);
  expect(scale_for(0, 0, 4), 0, 1, 0.5);
  expect(scale_for(0, 130, 4), 0, 150, 50);
}

TEST(ReportPage, EscapesAllItIsTold) {
  Page page("T<", "L&");
  page.heading("H<");
  page.paragraph("P\"");
  page.list({"head & more: rest < 1", "no head"});
  page.table({{"a<", "b"}, {"c&", "d"}});
  page.figure(Picture(10, "w<").finish(), "C<", {{"x", "y"}, {"1", "2 ± 1"}});
  const std::string text = page.finish("F<");
  EXPECT_EQ(test::xml_fault(text), "");
  EXPECT_TRUE(contains(text, "<li><strong>head &amp; more:</strong> rest &lt; 1</li>"));
  EXPECT_TRUE(contains(text, "<h1>T&lt;</h1>"));
  EXPECT_TRUE(contains(text, "<th scope=\"row\">c&amp;</th><td>d</td>"));
  EXPECT_TRUE(contains(text, "aria-label=\"w&lt;\""));
}

// A few of them at once, the others on demand.
TEST(ReportPage, ConclusionsBeginWithAFew) {
  const auto page_of = [](std::size_t sentences) {
    Page page("T", "L");
    std::vector<std::string> list;
    for (std::size_t i = 0; i < sentences; ++i) list.push_back("no " + std::to_string(i) + ": x");
    page.conclusions(list);
    return page.finish("F");
  };
  const std::string few = page_of(6), many = page_of(9);
  EXPECT_FALSE(contains(few, "<details"));
  EXPECT_EQ(test::count_of(few, "<li>"), 6U);
  EXPECT_EQ(test::xml_fault(many), "");
  EXPECT_EQ(test::count_of(many, "<li>"), 9U);
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
  EXPECT_TRUE(contains(page.finish("F"), "<pre>board  3h\nseat 0 4&lt;\n</pre>"));
}

TEST(ReportCharts, LeaveOutWhatIsUnknown) {
  BarChart chart;
  chart.what = "what";
  chart.labels = {"a", "b", "c"};
  chart.bars = {{0.5, 0.1, 10}, {}, {1, INFINITY, 1}};
  chart.mark = 0.7;
  const std::string bars = bar_chart(chart);
  EXPECT_EQ(test::xml_fault(bars), "");
  EXPECT_EQ(test::count_of(bars, "<rect"), 2U);
  EXPECT_EQ(test::count_of(bars, "class=\"whisker\""), 3U) << "one interval";
  EXPECT_EQ(test::count_of(bars, "class=\"mark\""), 1U);
  EXPECT_FALSE(contains(bars, "inf"));

  DotChart dots;
  dots.series = {"one", "two"};
  dots.rows = {{"r", {{0.5, 0.1, 10}, {}}}, {"s", {{0.2, 0.1, 10}, {2, INFINITY, 1}}}};
  const std::string text = dot_chart(dots);
  EXPECT_EQ(test::xml_fault(text), "");
  EXPECT_EQ(test::count_of(text, "<circle"), 3U + 2U) << "and the legend";
  EXPECT_EQ(test::count_of(text, "class=\"whisker\""), 2U * 3);
}

// A bar of half the scale is half as high, and its interval where it belongs.
TEST(ReportCharts, AreToScale) {
  BarChart chart;
  chart.labels = {"a", "b"};
  chart.bars = {{1, 0, 2}, {0.5, 0.25, 2}};
  const std::string bars = bar_chart(chart);
  EXPECT_TRUE(contains(bars, "height=\"156.0\"")) << bars;
  EXPECT_TRUE(contains(bars, "height=\"78.0\"")) << bars;
  EXPECT_TRUE(contains(bars, "y1=\"139.0\"") && contains(bars, "y2=\"61.0\"")) << bars;
}

TEST(ReportCharts, AShareIsNoMoreThanAll) {
  BarChart chart;
  chart.unit = Unit::kPercent;
  chart.labels = {"a"};
  chart.bars = {{1, 0.2, 2}};
  const std::string bars = bar_chart(chart);
  EXPECT_TRUE(contains(bars, ">100%</text>"));
  EXPECT_FALSE(contains(bars, ">150%</text>"));
}

// Nor less than nothing, however wide its interval; and no whisker leaves the scale.
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
    EXPECT_EQ(test::count_of(text, "−"), 0U) << text;
    EXPECT_EQ(test::count_of(text, "00%</text>"), 1U) << text;
  }
  // An interval that is wider than the chart.
  dots.rows[0].dots[0] = {0.9, 0.4, 12};
  const std::string clipped = dot_chart(dots);
  EXPECT_TRUE(contains(clipped, "x2=\"362.0\"")) << clipped;
  for (const char* beyond : {"x2=\"4", "x2=\"5"}) EXPECT_FALSE(contains(clipped, beyond)) << clipped;
}

TEST(ReportCharts, HeatFollowsTheWeight) {
  HeatMap map;
  map.rows = {"r"};
  map.columns = {"a", "b", "c"};
  map.cells = {{{0.25, "x", ""}, {-0.75, "y", "z"}, {7, "w", ""}}};
  const std::string text = heat_map(map);
  EXPECT_EQ(test::xml_fault(text), "");
  EXPECT_TRUE(contains(text, "class=\"first\" fill-opacity=\"0.25\""));
  EXPECT_TRUE(contains(text, "class=\"second\" fill-opacity=\"0.75\""));
  EXPECT_TRUE(contains(text, "class=\"first\" fill-opacity=\"0.99\""));
}

}  // namespace
}  // namespace dealer::studies::report_test
