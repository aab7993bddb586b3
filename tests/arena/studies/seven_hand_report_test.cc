// Sentences follow the figures, and the report is a page that needs nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "arena/studies/seven_hand/conclusions.h"
#include "arena/studies/seven_hand/report.h"
#include "tests/support/well_formed.h"

namespace dealer::studies::seven_hand::seven_hand_report_test {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// How many sentences begin so.
std::ptrdiff_t count(const std::vector<std::string>& sentences, std::string_view begin) {
  return std::count_if(sentences.begin(), sentences.end(), [&](const std::string& s) { return s.starts_with(begin); });
}

Figures with_every_sentence() {
  Figures f;
  const Estimate seen{0.5, 0.01, 100};
  for (Estimate* figure : {&f.first_points, &f.first_wins, &f.first_win_rate, &f.ends.three_adjacent, &f.ends.majority,
                           &f.ends.drawn, &f.ends.turns, &f.win_middle_ends, &f.cards_middle_ends, &f.turn_middle_ends,
                           &f.cards_late_early, &f.middle_many_few, &f.sent_opposed_empty, &f.points_many_few_weak,
                           &f.points_few_many_strong, &f.classes[kManyWeak].beyond, &f.classes[kManyWeak].takes,
                           &f.states[kMoverThreat].all.chance, &f.states[kNamerThreat].all.chance})
    *figure = seen;
  f.ends.majority.value = 0.25;
  return f;
}

TEST(SevenHandConclusions, FlipWithTheFigures) {
  struct Case {
    std::function<void(Figures&, double)> set;  // how far above the level
    const char *above, *below, *neither;
  };
  const auto plain = [](Estimate Figures::*figure, double level = 0) {
    return [=](Figures& f, double by) { (f.*figure).value = level + by; };
  };
  const std::vector<Case> cases = {
      {plain(&Figures::first_points), "The first turn is an advantage: ", "The first turn is a disadvantage: ",
       "No difference was seen between the first turn and the second: "},
      {[](Figures& f, double by) { f.ends.majority.value = f.ends.three_adjacent.value - by; },
       "Three adjacent chips decide more hands than the majority: ",
       "The majority decides more hands than three adjacent chips: ",
       "No difference was seen between how many hands three adjacent chips and the majority decide: "},
      {plain(&Figures::win_middle_ends), "A chip in the middle (3, 4, 5) is worth more",
       "A chip at the ends (1, 2, 6, 7) is", "No difference was seen between what a chip in the middle"},
      {plain(&Figures::cards_middle_ends), "More cards lie in the middle", "Fewer cards lie in the middle",
       "No difference was seen between how many cards lie in the middle"},
      {plain(&Figures::turn_middle_ends), "The middle is filled later", "The middle is filled earlier",
       "No difference was seen between when the middle"},
      {plain(&Figures::cards_late_early), "More cards are laid in the last three",
       "Fewer cards are laid in the last three",
       "No difference was seen between how many cards are laid in the first three"},
      {plain(&Figures::middle_many_few), "Four or five cards are sent to the middle more",
       "Four or five cards are sent to the middle less", "No difference was seen between how often many cards and few"},
      {plain(&Figures::sent_opposed_empty), "Cards are sent to chips where the namer lies more",
       "Cards are sent to empty chips more", "No difference was seen between how often chips where the namer lies"},
      {[](Figures& f, double by) { f.states[kMoverThreat].all.chance.value = 1 + by; },
       "Cards are sent where the mover's third", "Cards are kept from where the mover's third",
       "No difference was seen between naming the mover's third"},
      {[](Figures& f, double by) { f.states[kNamerThreat].all.chance.value = 1 + by; },
       "Cards are sent where the namer's third", "Cards are kept from where the namer's third",
       "No difference was seen between naming the namer's third"},
      {[](Figures& f, double by) { f.classes[kManyWeak].beyond.value = by; }, "Many weak cards take more chips",
       "Many weak cards take fewer chips", "No difference was seen between the chips that many weak cards take"},
      {plain(&Figures::points_many_few_weak), "Hands in which many weak cards are laid end better",
       "Hands in which many weak cards are laid end worse",
       "No difference was seen between hands with many weak cards"},
      {plain(&Figures::points_few_many_strong), "Hands in which few strong cards are laid end better",
       "Hands in which few strong cards are laid end worse", "No difference was seen between hands with few strong"}};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto sentences = [&](double by) {
      Figures f = with_every_sentence();
      cases[i].set(f, by);
      std::vector<std::string> all = conclusions_of(f);
      EXPECT_EQ(all.size(), cases.size());
      return all;
    };
    EXPECT_EQ(count(sentences(0.1), cases[i].above), 1) << cases[i].above;
    EXPECT_EQ(count(sentences(-0.1), cases[i].below), 1) << cases[i].below;
    for (const double by : {0.005, -0.005})
      EXPECT_TRUE(sentences(by).back().starts_with(cases[i].neither)) << "what was not seen is last";
  }
}

// What to do comes first.
TEST(SevenHandConclusions, TellWhatToDoAndWhatAnswers) {
  const Estimate zero{0, 0.01, 100};
  Figures f = with_every_sentence();
  const std::size_t before = conclusions_of(f).size();
  AdviceFigures& advice = f.advice;
  advice.tries = 100;
  for (Estimate* figure : {&advice.many_few_early, &advice.many_few_late, &advice.middle_ends_many,
                           &advice.middle_ends_few, &advice.opposed_empty})
    *figure = zero;
  EXPECT_EQ(conclusions_of(f).size(), before + 5) << "nothing is best for certain";
  advice.chips[0][3] = {0.05, 0.02, 100};
  advice.chips[0][4] = {0.5, 0.1, 29};
  advice.chips[0][5] = {0.5, 0.6, 100};
  advice.chips[4][0] = {0.2, 0.02, 100};
  advice.chips[4][1] = {0.1, 0.01, 100};
  advice.numbers[1][1] = {0.03, 0.02, 100};
  EXPECT_EQ(conclusions_of(f)[0],
            "Where to send them: the chips worth most to the namer, in points more than the mean chip: 1 card – chip 4 "
            "(0.05 ± 0.02), 5 cards – chip 1 (0.20 ± 0.02).");
  EXPECT_EQ(conclusions_of(f)[1],
            "How many to lay: the numbers worth most to the mover, in points more than the mean number: turn 2 – 2 "
            "cards (0.03 ± 0.02).");
  struct Case {
    Estimate* figure;
    const char *above, *below, *neither;
  };
  const auto flips = [&](const std::vector<Case>& cases) {
    for (const Case& one : cases)
      for (const double value : {0.1, -0.1, 0.005}) {
        *one.figure = {value, 0.01, 100};
        const char* const begin = value > 0.05 ? one.above : value < 0 ? one.below : one.neither;
        EXPECT_EQ(count(conclusions_of(f), begin), 1) << begin;
      }
  };
  flips({{&advice.middle_ends_many, "Four or five cards are better sent to the middle",
          "Four or five cards are better sent to the ends", "No difference was seen between sending four or five"},
         {&advice.middle_ends_few, "One or two cards are better sent to the middle",
          "One or two cards are better sent to the ends", "No difference was seen between sending one or two"},
         {&advice.opposed_empty, "Cards are better sent where the namer lies", "Cards are better sent to empty",
          "No difference was seen between sending cards where"},
         {&advice.many_few_early, "In the first three turns many cards are better", "In the first three turns few",
          "No difference was seen between laying many cards and few in the first"},
         {&advice.many_few_late, "In the last three turns many cards are better", "In the last three turns few",
          "No difference was seen between laying many cards and few in the last"}});
  ResponseFigures& responses = f.responses;
  for (Estimate* figure :
       {&responses.points, &responses.win_rate, &responses.classes[kManyWeak].points,
        &responses.classes[kManyWeak].less, &responses.cards, &responses.middle_many, &responses.middle_few})
    *figure = zero;
  EXPECT_EQ(conclusions_of(f).size(), before + 7) << "there was no responder";
  responses.responder = "default[simulations=9]";
  flips(
      {{&responses.points, "The agent beats its", "The agent loses to its", "No difference was seen between the agent"},
       {&responses.classes[kManyWeak].less, "Many weak cards do better", "Many weak cards do worse",
        "No difference was seen between many weak cards against"},
       {&responses.cards, "The responder lays more", "The responder lays fewer",
        "No difference was seen between how many cards the"},
       {&responses.middle_many, "The responder sends four or five cards to the middle more",
        "The responder sends four or five cards to the middle less",
        "No difference was seen between how often the responder and the agent send four"},
       {&responses.middle_few, "The responder sends one or two cards to the middle more",
        "The responder sends one or two cards to the middle less",
        "No difference was seen between how often the responder and the agent send one"}});
  const Estimate many_cases{0, 0.01, 30};
  for (const int chip : {0, 1, 2, 3, 4}) {
    Fare& fare = responses.sent[1][static_cast<std::size_t>(chip)];
    fare = {many_cases, {-0.1 * (chip + 1), 0.02, 60}};
  }
  responses.sent[1][4].points.count = 29;
  EXPECT_EQ(
      count(conclusions_of(f),
            "What the responder punishes most: in points a hand less those in the agent's own games: 2 cards at chip 4 "
            "(−0.40 ± 0.02), 2 cards at chip 3 (−0.30 ± 0.02), 2 cards at chip 2 (−0.20 ± 0.02)."),
      1);
}

TEST(SevenHandConclusions, HaveTheirFigures) {
  Figures f = with_every_sentence();
  f.first_points = {0.25, 0.03, 100};
  f.first_win_rate = {0.625, 0.015, 100};
  EXPECT_EQ(conclusions_of(f)[0],
            "The first turn is an advantage: who has it wins 62.5 ± 1.5% of the hands, draws counting half, and 0.25 ± "
            "0.03 points a hand.");
}

TEST(SevenHandConclusions, SayNothingOfWhatIsUnknown) {
  EXPECT_TRUE(conclusions_of(Figures()).empty());
  Figures f = with_every_sentence();
  f.first_points.ci95 = std::numeric_limits<double>::infinity();
  EXPECT_EQ(conclusions_of(f).size(), conclusions_of(with_every_sentence()).size() - 1);
}

const Subject kSubject{"seven_hand", "seven_hand", "my<\"agent\">&", 20, 40, 1, "0.1"};

TEST(SevenHandReport, IsOneWellFormedPageByItself) {
  Figures whole = with_every_sentence();
  whole.advice.tries = 5;
  whole.advice.chips[0][3] = whole.responses.sent[2][2].less = {-0.25, 0.1, 40};
  whole.responses.responder = "my<agent>[simulations=9]";
  for (const Figures& figures : {Figures(), with_every_sentence(), whole}) {
    const std::string page = report_of(kSubject, figures);
    EXPECT_EQ(test::xml_fault(page), "");
    EXPECT_TRUE(contains(page, "my&lt;&quot;agent&quot;&gt;&amp; against itself"));
    for (const char* outside :
         {"://", "src=", "href=", "url(", "@import", "<script", "<link", "<iframe", "nan", "inf<"})
      EXPECT_FALSE(contains(page, outside)) << outside;
    // Every picture says in words what it shows.
    std::size_t pictures = 0;
    for (std::size_t at = page.find("<svg"); at != std::string::npos; at = page.find("<svg", at + 1), ++pictures) {
      EXPECT_TRUE(contains(page.substr(at, page.find('>', at) - at), "role=\"img\" aria-label=\"")) << at;
    }
    // Three of what to do, six of the responder.
    EXPECT_EQ(pictures, figures.advice.tries > 0 ? 21U : 12U);
    EXPECT_EQ(contains(page, "<h2>What to send where</h2>"), figures.advice.tries > 0);
    EXPECT_EQ(contains(page, "my&lt;agent&gt;[simulations=9], knows the agent's policy"), figures.advice.tries > 0);
    EXPECT_EQ(contains(page, ">−0.25</text>"), figures.advice.tries > 0);
    EXPECT_TRUE(contains(page, "prefers-color-scheme: dark"));
    EXPECT_TRUE(contains(page, "@media print"));
    EXPECT_TRUE(contains(page, "width=device-width"));
  }
}

TEST(SevenHandReport, OpensWithTheConclusions) {
  const std::string page = report_of(kSubject, with_every_sentence());
  const std::size_t first = page.find("<li><strong>The first turn is an advantage:</strong>");
  ASSERT_NE(first, std::string::npos);
  EXPECT_LT(first, page.find("<h2>"));
  EXPECT_LT(first, page.find("<svg"));
}

TEST(SevenHandReport, NamesAreDistinct) {
  std::set<std::string_view> names, titles;
  for (int s = 0; s < kChipStates; ++s) {
    names.insert(name_of(static_cast<ChipState>(s)));
    titles.insert(title_of(static_cast<ChipState>(s)));
  }
  EXPECT_EQ(names.size(), std::size_t{kChipStates});
  EXPECT_EQ(titles.size(), std::size_t{kChipStates});
}

}  // namespace
}  // namespace dealer::studies::seven_hand::seven_hand_report_test
