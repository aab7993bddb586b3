#include "env/cards/deck.h"
#include "env/hands/census.h"
#include "tests/cli/run_dealer.h"

namespace dealer::hands_test {
namespace {

using nlohmann::json;
using test::contains;
using test::ProgramResult;
using test::run_here;
using test::Words;

json report(const Words& words) { return test::json_of(test::joined({"hands"}, words)); }

class Hands : public test::CommandInFolder {};

TEST_F(Hands, JsonHasTheFieldsThatScriptsRelyOn) {
  const json document = report({"standard_52"});
  EXPECT_EQ(document["deck"], "standard_52");
  EXPECT_EQ(document["hand_size"], 5);
  EXPECT_EQ(document["total"], 2598960);
  EXPECT_EQ(document["ranking"], "high");
  EXPECT_EQ(document["remarks"], json::array());
  ASSERT_EQ(document["categories"].size(), 9U);
  const json pairs = document["categories"][2];
  EXPECT_EQ(pairs["code"], "P2");
  EXPECT_EQ(pairs["count"], 123552);
  EXPECT_NEAR(pairs["rarity"].get<double>(), 1.323, 0.0005);
  EXPECT_NEAR(pairs["ratio"].get<double>(), 8.889, 0.0005);
  EXPECT_EQ(pairs["verdict"], "X");
}

TEST_F(Hands, EveryShippedDeckIsCounted) {
  for (const std::string& name : deck_names()) {
    const json document = report({name});
    double sum = 0;
    for (const json& category : document["categories"]) sum += category["count"].get<double>();
    EXPECT_EQ(sum, document["total"].get<double>()) << name;
  }
  EXPECT_EQ(report({"standard_52", "--cards", "7"})["total"], 133784560);
  EXPECT_EQ(report({"washizu_replace_random"})["categories"][0]["count"], 1305158.84765625);
}

TEST_F(Hands, TheTableIsForPeople) {
  const ProgramResult result = run_here({"hands", "standard_52"});
  EXPECT_EQ(result.out,
            "standard_52, ranking high: 2598960 hands of five cards\n\n"
            "code  category           count  rarity    ratio  verdict\n"
            "NON   high card        1302540   0.300     2.00\n"
            "P1    one pair         1098240   0.374     1.19\n"
            "P2    two pair          123552   1.323     8.89  X\n"
            "K3    three of a kind    54912   1.675     2.25\n"
            "ST    straight           10200   2.406     5.38  X\n"
            "FL    flush               5108   2.707     2.00\n"
            "FH    full house          3744   2.841     1.36\n"
            "K4    four of a kind       624   3.620     6.00\n"
            "SF    straight flush        40   4.813    15.60\n"
            "\n"
            "X    ratio below 1.1: nearly as common; or above 3 where rarity is below 3: too large a step\n");
  EXPECT_TRUE(contains(run_here({"hands", "washizu_replace_random"}).out, "1305158.848"));
}

// Those that the table has, and no others.
TEST_F(Hands, VerdictsAreExplainedBelowTheTable) {
  const auto below = [&](const std::string& deck, const std::string& order) {
    const std::string file = at("r.yaml");
    write("r.yaml", "order: [" + order + "]\nties: category\n");
    const std::string text = run_here({"hands", deck, "--ranking", file}).out;
    return text.substr(std::min(text.size(), text.find("\n\n", text.find("verdict")) + 2));
  };
  EXPECT_EQ(below("standard_52", "NON, P1, K3, P2"),
            "X    ratio below 1.1: nearly as common; or above 3 where rarity is below 3: too large a step\n"
            "XXX  ratio below 1: more common than the category above it; the order contradicts the odds\n");
  const std::string none = run_here({"hands", "standard_52", "--compare", "As", "Ks"}).out;
  EXPECT_FALSE(contains(none, "ratio"));
}

TEST_F(Hands, CategoriesThatNeverWinAreRemarked) {
  const std::string file = at("r.yaml");
  write("r.yaml", "order:\n  - NON\n  - K4\n  - P1\n");
  const ProgramResult result = run_here({"hands", "standard_52", "--ranking", file, "--json"});
  EXPECT_EQ(result.status, 0);
  const std::string remark =
      file + ":3: order.1: the category 'K4' can never win: every hand that holds it counts as P1";
  EXPECT_EQ(result.err, "dealer: " + remark + "\n");
  const json document = json::parse(result.out);
  EXPECT_EQ(document["remarks"], json({remark}));
  EXPECT_EQ(document["categories"][1]["count"], 0);
  EXPECT_TRUE(document["categories"][1]["rarity"].is_null());
  EXPECT_TRUE(document["categories"][1]["ratio"].is_null());
  EXPECT_TRUE(contains(run_here({"hands", "standard_52", "--ranking", file}).out,
                       "K4    four of a kind        0       -        -\n"));
  // Reachable with five cards, never the best of seven.
  write("r.yaml", "order: [NON, TWO]\ncategories:\n  TWO: {by_suit: 2}\n");
  const json seven = report({"standard_52", "--ranking", file, "--cards", "7"});
  EXPECT_EQ(seven["remarks"].size(), 1U) << seven;
}

TEST_F(Hands, ThePictureShowsEveryCategory) {
  const std::string file = at("ladder.svg");
  ASSERT_EQ(run_here({"hands", "court_color_52", "--plot", file}).status, 0);
  const std::string svg = test::read_bytes(file);
  EXPECT_TRUE(svg.starts_with("<svg ")) << svg.substr(0, 100);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  for (const char* part : {">P1x<", ">colour flush<", ">1392120<", ">XX<", ">1 in 100k<", "prefers-color-scheme"})
    EXPECT_TRUE(contains(svg, part)) << part;
  // What people write themselves is escaped.
  const std::string ranking = at("r.yaml");
  write("r.yaml", "order: [NON, TW]\ncategories:\n  TW: {name: a<b & c, by_rank: 2}\n");
  ASSERT_EQ(run_here({"hands", "standard_52", "--ranking", ranking, "--plot", file}).status, 0);
  EXPECT_TRUE(contains(test::read_bytes(file), ">a&lt;b &amp; c<"));
  EXPECT_EQ(run_here({"hands", "standard_52", "--plot", at("no/where.svg")}).status, 1);
}

TEST_F(Hands, DrawsAreCountedOrSampled) {
  const json draw = report({"standard_52", "--draws", "1"})["draw"];
  EXPECT_EQ(draw["exact"], true);
  EXPECT_EQ(draw["goal"], "strength");
  EXPECT_NEAR(draw["value_dealt"].get<double>(), 0.5, 1e-9);
  EXPECT_NEAR(draw["value"].get<double>(), 0.698, 0.0005);
  EXPECT_EQ(draw["categories"].size(), 9U);
  EXPECT_EQ(draw["discarded"].size(), 6U);
  const json flush = report({"standard_52", "--draw-for", "FL", "--samples", "200", "--seed", "5"})["draw"];
  EXPECT_EQ(flush["exact"], false);
  EXPECT_EQ(flush["goal"], "FL");
  EXPECT_EQ(flush["samples"], 200);
  EXPECT_GT(flush["ci95"].get<double>(), 0);
  const ProgramResult table = run_here({"hands", "court_tarot_54", "--draw-for", "FL"});
  EXPECT_TRUE(contains(table.out, "discards chosen to reach FL or better as often as possible")) << table.out;
}

TEST_F(Hands, ComparisonsSayWhy) {
  const json result = report({"standard_52", "--compare", "As Ah Kd Kc 2s", "QsQhQd3c2d"});
  EXPECT_EQ(result["a"]["code"], "P2");
  EXPECT_EQ(result["b"]["code"], "K3");
  EXPECT_EQ(result["result"], -1);
  EXPECT_LT(result["a"]["value"], result["b"]["value"]);
  EXPECT_EQ(result["why"], "The second hand wins: three of a kind beats two pair.");
  EXPECT_EQ(report({"standard_52", "--compare", "As", "Ah"})["result"], 0);
  EXPECT_EQ(run_here({"hands", "standard_52[jokers=1]", "--compare", "As Ah X1 7c 2s", "Ks Kh Kd 7d 2c"}).out,
            "As Ah X1 7c 2s  three of a kind (K3)\n"
            "Ks Kh Kd 7d 2c  three of a kind (K3)\n"
            "The first hand wins: three of a kind each, and three aces beat three kings. In the first hand X1 is read "
            "as Ad.\n");
}

TEST_F(Hands, RefusesMisuse) {
  test::expect_refused({"hands", "standard_52"},
                       {{{"--compare", "As Ah", "Kd"}, "hands of 2 and 1 cards cannot be compared"},
                        {{"--compare", "As Zh", "Kd Kh"}, "'Zh' is no card of 'standard_52'; cards look like 2s, Ac"},
                        {{"--compare", "As As", "Kd Kh"}, "the card As is given twice"},
                        {{"--compare", "As X1", "Kd Kh"}, "'X1' is no card of 'standard_52'; it has no jokers"},
                        {{"--compare", "", "Kd Kh"}, "0 cards given; a hand has 1 to 7"},
                        {{"--cards", "6"}, "'6' is not allowed; expected 5 or 7"},
                        {{"--draws", "2"}, "'2' is not allowed; expected an integer from 0 to 1"},
                        {{"--draws", "1", "--cards", "7"}, "expected --cards 5"},
                        {{"--samples", "7"}, "expected --draws 1"},
                        {{"--draw-for", "PX"},
                         "no category 'PX'; did you mean 'P1'?; expected one of: NON, P1, P2, K3, ST, FL, FH, K4, SF"},
                        {{"--draws", "1", "--compare", "As", "Ks"}, "--compare goes with --ranking and --json only"},
                        {{"--ranking", "court_extra_52"}, "needs a suit without ranks"}});
  test::expect_refused({"hands"}, {{{"court_tarot_54[jokers=1]"}, "decks with trumps or extra suits take no jokers"},
                                   {{"standard_53"}, "did you mean 'standard_52'?"}});
}

}  // namespace
}  // namespace dealer::hands_test
