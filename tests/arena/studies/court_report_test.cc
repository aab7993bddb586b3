// What is said of figures made by hand, and the page they become.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "arena/studies/court/report.h"
#include "tests/arena/studies/court_support.h"
#include "tests/arena/studies/figure_support.h"
#include "tests/support/well_formed.h"

namespace dealer::studies::court::court_report_test {
namespace {

using test::deck_with;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Two decks, the second a prototype of the first; a game of the first with showdowns.
Figures made_by_hand() {
  Figures figures;
  figures.decks = {deck_with("pasteboard", {0.5, 0.3, 0.2}, {0.2, 0.5, 0.3}),
                   deck_with("pasteboard_early", {0.3, 0.5, 0.2}, {0.5, 0.3, 0.2})};
  figures.decks[0].swapped = {{0, 1}, {0, 2}};
  figures.decks[0].discarded = {0.125, 0.5, 0.25, 0.125, 0, 0};
  figures.decks[0].strength_dealt = 0.5;
  figures.decks[0].strength = 0.6875;
  Figure categories = list();
  const auto category = [&](const char* code, double share, const Estimate& less) {
    categories.push_back(object({{"code", value(code)},
                                 {"share", Figure({share, 0.02, 400}, Unit::kPercent)},
                                 {"wins", Figure({share, 0.03, 400}, Unit::kPercent)},
                                 {"less", Figure(less, Unit::kPercentagePoints)}}));
  };
  category("NON", 0.3, {});
  category("P1", 0.2, {0.1, 0.02, 800});
  category("P2", 0.5, {-0.3, 0.04, 800});
  figures.games.push_back(object({{"game", value("slips[players=2]")},
                                  {"deck", value("pasteboard")},
                                  {"players", value(2)},
                                  {".deck", value(0)},
                                  {"reached", Figure({0.5, 0.01, 400}, Unit::kPercent)},
                                  {"categories", categories}}));
  return figures;
}

Subject subject_of(const Figures& figures) {
  Subject subject{"court", "slips", "my<\"agent\">&", 20, 40, 1, "0.1"};
  for (std::size_t g = 0; g < figures.games.size(); ++g)
    subject.games.push_back({figures.games[g].text("game"), "my<\"agent\">&", 40});
  return subject;
}

TEST(CourtConclusions, SayWhatTheFiguresSay) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(
      conclusions_of(made_by_hand()),
      (Words{
          "Best balanced as dealt: pasteboard (none, of 3 categories).",
          "Best balanced after one draw: pasteboard_early (none, of 3 categories).",
          "With all verdicts counted alike: the smallest share of categories with one has pasteboard (0 of 3) as "
          "dealt, pasteboard_early (0 of 3) after the draw.",
          "The draw changes which hands are rare: it puts categories in another order in 1 of 2 Court rankings; some "
          "stronger hand is the more common in 1 as dealt and in 1 after the draw.",
          "pasteboard and its prototypes: as dealt the best balanced is pasteboard (none), then pasteboard_early (1 "
          "XXX, 1 X); after the draw pasteboard_early (none), then pasteboard (1 XXX, 1 X).",
          "Showdowns go by other odds again: the weakest category is 30.0% of the hands there, of all hands "
          "after the best draw 20.0%; in 1 of 1 Court game some hand was seen at showdowns more often than "
          "the next weaker one.",
          "pasteboard: as dealt none, after the draw 1 XXX, 1 X; after the draw hand 1 comes more often than hand 0, "
          "hand "
          "2 than hand 0; at showdowns hand 2 comes more often than hand 1 (1 of 1 game).",
          "pasteboard_early: as dealt 1 XXX, 1 X, after the draw none; as dealt hand 1 comes more often than hand "
          "0."}));
}

TEST(CourtConclusions, FollowTheFigures) {
  Figures figures = made_by_hand();
  // Equal ones are named together.
  figures.decks[1] = deck_with("pasteboard_early", {0.5, 0.3, 0.2}, {0.5, 0.3, 0.2});
  std::vector<std::string> said = conclusions_of(figures);
  EXPECT_EQ(said[0],
            "Best balanced as dealt: pasteboard (none, of 3 categories) and pasteboard_early (none, of 3 categories).");
  EXPECT_TRUE(contains(said[4], "is pasteboard (none) as good as pasteboard_early (none); after")) << said[4];
  // What lies within its interval is not said.
  test::set(figures.games, "0/categories/2/less", {-0.3, 0.31, 800});
  EXPECT_EQ(contradictions_seen(figures.games[0], figures.decks[0]), "");
  said = conclusions_of(figures);
  EXPECT_TRUE(contains(said[5], "in 0 of 1 Court game")) << said[5];
  EXPECT_FALSE(contains(said[6], "showdowns")) << said[6];
  // Nor what was seen nine times; ten will do.
  const auto category = [](double count) {
    return object({{"share", Figure({0.01, 0.005, count}, Unit::kPercent)},
                   {"less", Figure({-0.01, 0.005, 1800}, Unit::kPercentagePoints)}});
  };
  EXPECT_FALSE(seen_against(category(900)));
  EXPECT_TRUE(seen_against(category(1000)));
  // Decks for comparison are neither the best nor counted.
  for (DeckOdds& deck : figures.decks) deck.court = false;
  said = conclusions_of(figures);
  EXPECT_TRUE(said[0].starts_with("pasteboard and its prototypes")) << said[0];
  EXPECT_TRUE(said[1].starts_with("pasteboard, for comparison: as dealt none")) << said[1];
  EXPECT_TRUE(conclusions_of({}).empty());
}

TEST(CourtConclusions, NamePairsByTheStronger) {
  const DeckOdds deck = deck_with("a", {0.1, 0.2, 0.3, 0.4}, {0.4, 0.3, 0.2, 0.1});
  EXPECT_EQ(
      text_of(deck.dealt.contradictions, deck),
      "hand 1 comes more often than hand 0, hand 2 than hand 0 and hand 1, hand 3 than hand 0, hand 1 and hand 2");
  EXPECT_EQ(text_of(deck.drawn.contradictions, deck), "");
  EXPECT_EQ(text_of(Verdicts{9, 1, 2, 3}), "1 XXX, 2 XX, 3 X");
  EXPECT_EQ(text_of(Verdicts{9, 0, 0, 0}), "none");
  EXPECT_EQ(contradictions_seen(made_by_hand().games[0], made_by_hand().decks[0]),
            "hand 2 comes more often than hand 1 by 30 ± 4 percentage points");
}

TEST(CourtFigures, AreInTheJson) {
  const auto json = to_json(made_by_hand());
  EXPECT_EQ(json["best_balanced"].dump(), R"({"dealt":["pasteboard"],"drawn":["pasteboard_early"]})");
  const auto& deck = json["decks"][0];
  EXPECT_EQ(deck["contradictions"].dump(), R"({"dealt":[],"drawn":[["NON","P1"],["NON","P2"]]})");
  EXPECT_EQ(deck["swapped"].dump(), R"([["NON","P1"],["NON","P2"]])");
  EXPECT_EQ(deck["verdicts"]["drawn"].dump(), R"({"categories":3,"xxx":1,"xx":0,"x":1})");
  EXPECT_EQ(deck["categories"][1]["code"], "P1");
  EXPECT_EQ(deck["categories"][1]["count"], 300);
  EXPECT_EQ(deck["categories"][1]["drawn"]["share"], 0.5);
  EXPECT_EQ(deck["categories"][1]["drawn"]["verdict"], "XXX");
  EXPECT_EQ(deck["categories"][1]["drawn"]["place"], 1);
  EXPECT_EQ(deck["categories"][1]["dealt"]["place"], 2);
  EXPECT_EQ(deck["strength"].dump(), R"({"dealt":0.5,"drawn":0.6875})");
  EXPECT_EQ(deck["discarded"].dump(), "[0.125,0.5,0.25,0.125,0.0,0.0]");
  const auto& game = json["games"][0];
  EXPECT_EQ(game["deck"], "pasteboard");
  EXPECT_EQ(game["players"], 2);
  EXPECT_EQ(game["categories"][2]["less"]["value"], -0.3);
  EXPECT_TRUE(game["categories"][0]["less"]["value"].is_null());
  Figures unknown = made_by_hand();
  unknown.decks[0].drawn.steps[0] = {};
  unknown.decks[0].drawn.steps[0].ci95 = std::numeric_limits<double>::infinity();
  const auto step = to_json(unknown)["decks"][0]["categories"][0]["drawn"];
  for (const char* key : {"ci95", "rarity", "ratio"}) EXPECT_TRUE(step[key].is_null()) << key;
}

TEST(CourtReport, WritesSharesWithThreeDigits) {
  EXPECT_EQ(share_text(0.560631), "56.1%");
  EXPECT_EQ(share_text(1), "100%");
  EXPECT_EQ(share_text(0.0509), "5.09%");
  EXPECT_EQ(share_text(0.0000031618), "0.000316%");
  EXPECT_EQ(share_text(8.5e-7), "0.0000850%");
  EXPECT_EQ(share_text(0), "0%");
}

TEST(CourtReport, PicturesTellTheOrders) {
  const std::string picture = picture_of_orders(made_by_hand().decks[0]);
  EXPECT_TRUE(contains(picture,
                       "The ranking: NON P1 P2. From common to rare as dealt: NON P1 P2. After the draw: P1 P2 "
                       "NON."));
  // Two come forward by the draw; the other line there and the three before do not.
  const auto lines = [&](const std::string& look) {
    std::size_t found = 0;
    const std::string end = "class=\"" + look + "\"/>";
    for (std::size_t at = picture.find(end); at != std::string::npos; at = picture.find(end, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(lines("second"), 2U);
  EXPECT_EQ(lines("whisker"), 4U);
}

TEST(CourtReport, IsOneWellFormedPageByItself) {
  for (const Figures& figures : {Figures(), made_by_hand()}) {
    const std::string page = report_of(subject_of(figures), figures);
    EXPECT_EQ(test::xml_fault(page), "");
    for (const char* outside :
         {"://", "src=", "href=", "url(", "@import", "<script", "<link", "<iframe", "nan", "inf<"})
      EXPECT_FALSE(contains(page, outside)) << outside;
    std::size_t pictures = 0;
    for (std::size_t at = page.find("<svg"); at != std::string::npos; at = page.find("<svg", at + 1), ++pictures)
      EXPECT_TRUE(contains(page.substr(at, page.find('>', at) - at), "role=\"img\" aria-label=\"")) << at;
    // Verdicts; the orders of each deck; showdowns.
    EXPECT_EQ(pictures, figures.decks.empty() ? 1U : 4U);
  }
  const std::string page = report_of(subject_of(made_by_hand()), made_by_hand());
  const std::size_t first = page.find("<li><strong>Best balanced as dealt:</strong>");
  ASSERT_NE(first, std::string::npos);
  EXPECT_LT(first, page.find("<h2>"));
  EXPECT_TRUE(contains(page, "Cards discarded, 0: 12.5%, 1: 50.0%, 2: 25.0%"));
  EXPECT_TRUE(contains(page, "from 50.0% to 68.8%"));
  EXPECT_TRUE(
      contains(page, "2 players, my&lt;&quot;agent&quot;&gt;&amp;: 50.0\u00a0±\u00a01.0% of the hands come to a"))
      << page;
  EXPECT_TRUE(contains(page, "hand 2 comes more often than hand 1 by 30\u00a0±\u00a04 percentage points."));
}

// The same game by two agents.
TEST(CourtReport, TellsGamesApartByWhoPlays) {
  Figures figures = made_by_hand();
  figures.games.push_back(Figure(figures.games[0]));
  Subject subject = subject_of(figures);
  subject.games[1].agent = "rule";
  const std::string page = report_of(subject, figures);
  EXPECT_TRUE(contains(page, ">2 players, rule</text>"));
  EXPECT_FALSE(contains(page, ">2 players</text>"));
}

TEST(CourtReport, SaysWhetherAllHandsWereCounted) {
  Figures figures = made_by_hand();
  const std::string counted = report_of(subject_of(figures), figures);
  EXPECT_TRUE(contains(counted, "2 rankings, all hands counted;"));
  EXPECT_TRUE(contains(counted, "all draws are counted"));
  for (DeckOdds& deck : figures.decks) deck.samples = 700;
  const std::string sampled = report_of(subject_of(figures), figures);
  EXPECT_FALSE(contains(sampled, "all hands counted;"));
  EXPECT_FALSE(contains(sampled, "all draws are counted"));
  EXPECT_TRUE(contains(sampled, "all draws of 700 hands by lot"));
}

}  // namespace
}  // namespace dealer::studies::court::court_report_test
