// The sentences agree with the figures, and the report is a self-contained page.
#include "arena/studies/seven_hand/advice.h"
#include "arena/studies/seven_hand/counter.h"
#include "arena/studies/seven_hand/report.h"
#include "tests/arena/studies/testing.h"

namespace dealer::studies::seven_hand::seven_hand_report_test {
namespace {

using namespace test;

Figure advice() {
  AdviceCounter counter;
  counter.add({});
  return counter.figures();
}

// All figures known, without hands; with advice and a responder if requested.
Figure with_every_sentence(bool whole = false) {
  Figure f = Counter().figures(whole ? advice() : Figure(), whole ? "my<agent>[simulations=9]" : "");
  set_all(f, {0.5, 0.01, 100});
  set(f, "ends/majority", {0.25, 0.01, 100});
  if (!whole) return f;
  // No choice is significantly best or worst.
  for (const char* const table : {"chips", "numbers"}) set_all(f["advice"][table], {0, 0.01, 100});
  set_all(f["responses"]["sent"], {0, 0.01, 100});
  return f;
}

TEST(SevenHandConclusions, FlipWithTheFigures) {
  EXPECT_EQ(conclusions_of(with_every_sentence()).size(), 13U);
  EXPECT_EQ(conclusions_of(with_every_sentence(true)).size(), 13U + 10);
  std::vector<Flip> flips = {{"first_move/points", "turn", "an advantage", "disadvantage"},
                             {"differences/win_middle_ends", "worth", "chip in the middle", "chip at the ends"},
                             {"differences/cards_middle_ends", "cards", "more", "fewer"},
                             {"differences/turn_middle_ends", "filled", "later", "earlier"},
                             {"differences/cards_late_early", "lays", "more", "fewer"},
                             {"differences/middle_many_few", "middle", "more", "less"},
                             {"differences/sent_opposed_empty", "empty chips", "has cards more", "empty chips more"},
                             {"states/mover_threat/all/chance", "mover's third", "more", "less", 1},
                             {"states/namer_threat/all/chance", "namer's third", "more", "less", 1},
                             {"classes/many_weak/beyond", "showdowns", "more", "fewer"},
                             {"differences/points_many_few_weak", "weak", "better", "worse"},
                             {"differences/points_few_many_strong", "strong", "better", "worse"},
                             {"ends/majority", "decide", "majority decides", "chips decide", 0.5}};
  expect_flips(with_every_sentence(), flips, conclusions_of);
  flips = {{"advice/differences/middle_ends_many", "or five", "to the middle than", "to the ends than"},
           {"advice/differences/middle_ends_few", "or two", "to the middle than", "to the ends than"},
           {"advice/differences/opposed_empty", "empty chips", "sent to chips where", "sent to empty"},
           {"advice/differences/many_few_early", "first three turns", "lay many", "lay few"},
           {"advice/differences/many_few_late", "last three turns", "lay many", "lay few"},
           {"responses/points", "best response", "beats", "loses"},
           {"responses/classes/many_weak/less", "many weak", "better", "worse"},
           {"responses/differences/cards", "lay", "more", "fewer"},
           {"responses/differences/middle_many", "or five", "more", "less"},
           {"responses/differences/middle_few", "or two", "more", "less"}};
  expect_flips(with_every_sentence(true), flips, conclusions_of);
}

// Advice comes first: the best choice of each row that is significant, with at least thirty cases.
TEST(SevenHandConclusions, TellWhatToDoAndWhatAnswers) {
  Figure f = with_every_sentence(true);
  set(f, "advice/chips/0/3", {0.05, 0.02, 100});
  set(f, "advice/chips/0/4", {0.5, 0.1, 29});
  set(f, "advice/chips/0/5", {0.5, 0.6, 100});
  set(f, "advice/chips/4/0", {0.2, 0.02, 100});
  set(f, "advice/chips/4/1", {0.1, 0.01, 100});
  set(f, "advice/numbers/1/1", {0.03, 0.02, 100});
  EXPECT_TRUE(has(conclusions_of(f)[0], ": 1 card – chip 4 (0.05 ± 0.02), 5 cards – chip 1 (0.20 ± 0.02), in "));
  EXPECT_TRUE(has(conclusions_of(f)[1], ": turn 2 – 2 cards (0.03 ± 0.02), in "));
  for (const int chip : {0, 1, 2, 3, 4}) {
    const std::string path = "responses/sent/1/" + std::to_string(chip);
    set(f, path + "/points", {0, 0.01, chip == 4 ? 29.0 : 30.0});
    set(f, path + "/less", {-0.1 * (chip + 1), 0.02, 60});
  }
  const Words said = conclusions_of(f);
  EXPECT_EQ(std::count_if(said.begin(), said.end(),
                          [](const std::string& sentence) {
                            return has(sentence,
                                       ": 2 cards at chip 4 (−0.40 ± 0.02), 2 cards at chip 3 (−0.30 ± 0.02), "
                                       "2 cards at chip 2 (−0.20 ± 0.02), in ");
                          }),
            1);
}

TEST(SevenHandConclusions, HaveTheirFigures) {
  Figure f = with_every_sentence();
  set(f, "first_move/points", {0.25, 0.03, 100});
  set(f, "first_move/win_rate", {0.625, 0.015, 100});
  expect_parts(conclusions_of(f)[0], {"first turn", "62.5 ± 1.5%", "0.25 ± 0.03"});
}

TEST(SevenHandConclusions, SayNothingOfWhatIsUnknown) {
  EXPECT_TRUE(conclusions_of(Counter().figures({}, "")).empty());
  Figure f = with_every_sentence();
  set(f, "first_move/points", {0.5, INFINITY, 100});
  EXPECT_EQ(conclusions_of(f).size(), conclusions_of(with_every_sentence()).size() - 1);
}

const Subject kSubject{"seven_hand", "seven_hand", "my<\"agent\">&", 20, 40, 1, "0.1"};

TEST(SevenHandReport, IsOneWellFormedPageByItself) {
  const std::string known = report_of(kSubject, with_every_sentence());
  EXPECT_LT(known.find("<li><strong>The first turn is an advantage:</strong>"), known.find("<h2>"));
  Figure whole = with_every_sentence(true);
  for (const char* const path : {"advice/chips/0/3", "responses/sent/2/2/less"}) set(whole, path, {-0.25, 0.1, 40});
  for (const Figure& figures : {Counter().figures({}, ""), with_every_sentence(), whole}) {
    const bool has_all = !figures["advice"].is_null();
    const std::string page = report_of(kSubject, figures);
    // Three of the advice, six of the responder.
    expect_page(page, has_all ? 21 : 12);
    EXPECT_TRUE(has(page, "my&lt;&quot;agent&quot;&gt;&amp; plays itself"));
    for (const char* const part :
         {"<h2>What to send where</h2>", "my&lt;agent&gt;[simulations=9], knows the agent's policy", ">−0.25</text>"})
      EXPECT_EQ(contains(page, part), has_all) << part;
  }
}

}  // namespace
}  // namespace dealer::studies::seven_hand::seven_hand_report_test
