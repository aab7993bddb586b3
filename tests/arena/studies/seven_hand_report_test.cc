// Sentences follow the figures, and the report is a page that needs nothing else.
#include <gtest/gtest.h>

#include <algorithm>

#include "arena/studies/seven_hand/advice.h"
#include "arena/studies/seven_hand/counter.h"
#include "arena/studies/seven_hand/report.h"
#include "tests/arena/studies/figure_support.h"
#include "tests/support/well_formed.h"

namespace dealer::studies::seven_hand::seven_hand_report_test {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// How many sentences begin so.
std::ptrdiff_t count(const std::vector<std::string>& sentences, std::string_view begin) {
  return std::count_if(sentences.begin(), sentences.end(), [&](const std::string& s) { return s.starts_with(begin); });
}

Figure advice() {
  AdviceCounter counter;
  counter.add({});
  return counter.figures();
}

// The figures of no hand, with every figure known; with what to do and a responder where they are wanted.
Figure with_every_sentence(bool whole = false) {
  Figure f = Counter().figures(whole ? advice() : Figure(), whole ? "my<agent>[simulations=9]" : "");
  test::set_all(f, {0.5, 0.01, 100});
  test::set(f, "ends/majority", {0.25, 0.01, 100});
  if (!whole) return f;
  // Nothing is best or worst for certain.
  for (const char* const table : {"chips", "numbers"}) test::set_all(f["advice"][table], {0, 0.01, 100});
  test::set_all(f["responses"]["sent"], {0, 0.01, 100});
  return f;
}

TEST(SevenHandConclusions, FlipWithTheFigures) {
  EXPECT_EQ(conclusions_of(with_every_sentence()).size(), 13U);
  EXPECT_EQ(conclusions_of(with_every_sentence(true)).size(), 13U + 10);
  const std::vector<test::Flip> flips = {
      {"first_move/points", "The first turn is an advantage: ", "The first turn is a disadvantage: ",
       "No difference was seen between the first turn and the second: "},
      {"differences/win_middle_ends", "A chip in the middle (3, 4, 5) is worth more",
       "A chip at the ends (1, 2, 6, 7) is", "No difference was seen between what a chip in the middle"},
      {"differences/cards_middle_ends", "More cards lie in the middle", "Fewer cards lie in the middle",
       "No difference was seen between how many cards lie in the middle"},
      {"differences/turn_middle_ends", "The middle is filled later", "The middle is filled earlier",
       "No difference was seen between when the middle"},
      {"differences/cards_late_early", "More cards are laid in the last three",
       "Fewer cards are laid in the last three",
       "No difference was seen between how many cards are laid in the first three"},
      {"differences/middle_many_few", "Four or five cards are sent to the middle more",
       "Four or five cards are sent to the middle less", "No difference was seen between how often many cards and few"},
      {"differences/sent_opposed_empty", "Cards are sent to chips where the namer lies more",
       "Cards are sent to empty chips more", "No difference was seen between how often chips where the namer lies"},
      {"states/mover_threat/all/chance", "Cards are sent where the mover's third",
       "Cards are kept from where the mover's third", "No difference was seen between naming the mover's third", 1},
      {"states/namer_threat/all/chance", "Cards are sent where the namer's third",
       "Cards are kept from where the namer's third", "No difference was seen between naming the namer's third", 1},
      {"classes/many_weak/beyond", "Many weak cards take more chips", "Many weak cards take fewer chips",
       "No difference was seen between the chips that many weak cards take"},
      {"differences/points_many_few_weak", "Hands in which many weak cards are laid end better",
       "Hands in which many weak cards are laid end worse",
       "No difference was seen between hands with many weak cards"},
      {"differences/points_few_many_strong", "Hands in which few strong cards are laid end better",
       "Hands in which few strong cards are laid end worse", "No difference was seen between hands with few strong"}};
  test::expect_flips(with_every_sentence(), flips, conclusions_of);
  test::expect_flips(with_every_sentence(),
                     {{"ends/majority", "The majority decides more hands than three adjacent chips: ",
                       "Three adjacent chips decide more hands than the majority: ",
                       "No difference was seen between how many hands three adjacent chips and the majority", 0.5}},
                     conclusions_of);
  test::expect_flips(
      with_every_sentence(true),
      {{"advice/differences/middle_ends_many", "Four or five cards are better sent to the middle",
        "Four or five cards are better sent to the ends", "No difference was seen between sending four or five"},
       {"advice/differences/middle_ends_few", "One or two cards are better sent to the middle",
        "One or two cards are better sent to the ends", "No difference was seen between sending one or two"},
       {"advice/differences/opposed_empty", "Cards are better sent where the namer lies",
        "Cards are better sent to empty", "No difference was seen between sending cards where"},
       {"advice/differences/many_few_early", "In the first three turns many cards are better",
        "In the first three turns few", "No difference was seen between laying many cards and few in the first"},
       {"advice/differences/many_few_late", "In the last three turns many cards are better",
        "In the last three turns few", "No difference was seen between laying many cards and few in the last"},
       {"responses/points", "The agent beats its", "The agent loses to its",
        "No difference was seen between the agent"},
       {"responses/classes/many_weak/less", "Many weak cards do better", "Many weak cards do worse",
        "No difference was seen between many weak cards against"},
       {"responses/differences/cards", "The responder lays more", "The responder lays fewer",
        "No difference was seen between how many cards the"},
       {"responses/differences/middle_many", "The responder sends four or five cards to the middle more",
        "The responder sends four or five cards to the middle less",
        "No difference was seen between how often the responder and the agent send four"},
       {"responses/differences/middle_few", "The responder sends one or two cards to the middle more",
        "The responder sends one or two cards to the middle less",
        "No difference was seen between how often the responder and the agent send one"}},
      conclusions_of);
}

// What to do comes first: the best of each row that is certain, of thirty cases or more.
TEST(SevenHandConclusions, TellWhatToDoAndWhatAnswers) {
  Figure f = with_every_sentence(true);
  test::set(f, "advice/chips/0/3", {0.05, 0.02, 100});
  test::set(f, "advice/chips/0/4", {0.5, 0.1, 29});
  test::set(f, "advice/chips/0/5", {0.5, 0.6, 100});
  test::set(f, "advice/chips/4/0", {0.2, 0.02, 100});
  test::set(f, "advice/chips/4/1", {0.1, 0.01, 100});
  test::set(f, "advice/numbers/1/1", {0.03, 0.02, 100});
  EXPECT_EQ(conclusions_of(f)[0],
            "Where to send them: the chips worth most to the namer, in points more than the mean chip: 1 card – chip 4 "
            "(0.05 ± 0.02), 5 cards – chip 1 (0.20 ± 0.02).");
  EXPECT_EQ(conclusions_of(f)[1],
            "How many to lay: the numbers worth most to the mover, in points more than the mean number: turn 2 – 2 "
            "cards (0.03 ± 0.02).");
  for (const int chip : {0, 1, 2, 3, 4}) {
    const std::string path = "responses/sent/1/" + std::to_string(chip);
    test::set(f, path + "/points", {0, 0.01, chip == 4 ? 29.0 : 30.0});
    test::set(f, path + "/less", {-0.1 * (chip + 1), 0.02, 60});
  }
  EXPECT_EQ(
      count(conclusions_of(f),
            "What the responder punishes most: in points a hand less those in the agent's own games: 2 cards at chip 4 "
            "(−0.40 ± 0.02), 2 cards at chip 3 (−0.30 ± 0.02), 2 cards at chip 2 (−0.20 ± 0.02)."),
      1);
}

TEST(SevenHandConclusions, HaveTheirFigures) {
  Figure f = with_every_sentence();
  test::set(f, "first_move/points", {0.25, 0.03, 100});
  test::set(f, "first_move/win_rate", {0.625, 0.015, 100});
  EXPECT_EQ(conclusions_of(f)[0],
            "The first turn is an advantage: who has it wins 62.5 ± 1.5% of the hands, draws counting half, and 0.25 ± "
            "0.03 points a hand.");
}

TEST(SevenHandConclusions, SayNothingOfWhatIsUnknown) {
  EXPECT_TRUE(conclusions_of(Counter().figures({}, "")).empty());
  Figure f = with_every_sentence();
  test::set(f, "first_move/points", {0.5, INFINITY, 100});
  EXPECT_EQ(conclusions_of(f).size(), conclusions_of(with_every_sentence()).size() - 1);
}

const Subject kSubject{"seven_hand", "seven_hand", "my<\"agent\">&", 20, 40, 1, "0.1"};

TEST(SevenHandReport, IsOneWellFormedPageByItself) {
  Figure whole = with_every_sentence(true);
  for (const char* const path : {"advice/chips/0/3", "responses/sent/2/2/less"})
    test::set(whole, path, {-0.25, 0.1, 40});
  for (const Figure& figures : {Counter().figures({}, ""), with_every_sentence(), whole}) {
    const bool has_all = !figures["advice"].is_null();
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
    EXPECT_EQ(pictures, has_all ? 21U : 12U);
    EXPECT_EQ(contains(page, "<h2>What to send where</h2>"), has_all);
    EXPECT_EQ(contains(page, "my&lt;agent&gt;[simulations=9], knows the agent's policy"), has_all);
    EXPECT_EQ(contains(page, ">−0.25</text>"), has_all);
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

}  // namespace
}  // namespace dealer::studies::seven_hand::seven_hand_report_test
