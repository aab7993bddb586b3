#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "env/cards/deck.h"
#include "env/hands/census.h"
#include "tests/cli/run_dealer.h"
#include "tests/support/temp_folder.h"

namespace dealer::hands_test {
namespace {

using nlohmann::json;
using test::contains;
using test::ProgramResult;
using test::run_dealer;
using test::run_here;

json report(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "hands");
  arguments.emplace_back("--json");
  const ProgramResult result = run_here(arguments);
  EXPECT_EQ(result.status, 0) << result.err;
  return json::parse(result.out);
}

std::string refusal(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "hands");
  const ProgramResult result = run_here(arguments);
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "");
  return result.err;
}

TEST(Hands, JsonHasTheFieldsThatScriptsRelyOn) {
  const ProgramResult result = run_dealer("hands standard_52 --json");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  const json document = json::parse(result.out);
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

TEST(Hands, EveryShippedDeckIsCounted) {
  for (const std::string& name : deck_names()) {
    const json document = report({name});
    double sum = 0;
    for (const json& category : document["categories"]) sum += category["count"].get<double>();
    EXPECT_EQ(sum, document["total"].get<double>()) << name;
  }
  EXPECT_EQ(report({"standard_52", "--cards", "7"})["total"], 133784560);
  EXPECT_EQ(report({"washizu_replace_random"})["categories"][0]["count"], 1305158.84765625);
}

TEST(Hands, TheTableIsForPeople) {
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
TEST(Hands, VerdictsAreExplainedBelowTheTable) {
  const test::TempFolder folder;
  const auto below = [&](const std::string& deck, const std::string& order) {
    const std::string file = (folder / "r.yaml").string();
    test::write_bytes(file, "order: [" + order + "]\nties: category\n");
    const std::string text = run_here({"hands", deck, "--ranking", file}).out;
    return text.substr(std::min(text.size(), text.find("\n\n", text.find("verdict")) + 2));
  };
  EXPECT_EQ(below("standard_52", "NON, P1, K3, P2"),
            "X    ratio below 1.1: nearly as common; or above 3 where rarity is below 3: too large a step\n"
            "XXX  ratio below 1: more common than the category above it; the order contradicts the odds\n");
  const std::string none = run_here({"hands", "standard_52", "--compare", "As", "Ks"}).out;
  EXPECT_FALSE(contains(none, "ratio"));
}

TEST(Hands, CategoriesThatNeverWinAreRemarked) {
  const test::TempFolder folder;
  const std::string file = (folder / "r.yaml").string();
  test::write_bytes(file, "order:\n  - NON\n  - K4\n  - P1\n");
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
  test::write_bytes(file, "order: [NON, TWO]\ncategories:\n  TWO: {by_suit: 2}\n");
  const json seven = report({"standard_52", "--ranking", file, "--cards", "7"});
  EXPECT_EQ(seven["remarks"].size(), 1U) << seven;
}

TEST(Hands, ThePictureShowsEveryCategory) {
  const test::TempFolder folder;
  const std::string file = (folder / "ladder.svg").string();
  ASSERT_EQ(run_here({"hands", "court_color_52", "--plot", file}).status, 0);
  const std::string svg = test::read_bytes(file);
  EXPECT_TRUE(svg.starts_with("<svg ")) << svg.substr(0, 100);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  for (const char* part : {">P1x<", ">colour flush<", ">1392120<", ">XX<", ">1 in 100k<", "prefers-color-scheme"})
    EXPECT_TRUE(contains(svg, part)) << part;
  // What people write themselves is escaped.
  const std::string ranking = (folder / "r.yaml").string();
  test::write_bytes(ranking, "order: [NON, TW]\ncategories:\n  TW: {name: a<b & c, by_rank: 2}\n");
  ASSERT_EQ(run_here({"hands", "standard_52", "--ranking", ranking, "--plot", file}).status, 0);
  EXPECT_TRUE(contains(test::read_bytes(file), ">a&lt;b &amp; c<"));
  EXPECT_EQ(run_here({"hands", "standard_52", "--plot", (folder / "no/where.svg").string()}).status, 1);
}

TEST(Hands, DrawsAreCountedOrSampled) {
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

TEST(Hands, ComparisonsSayWhy) {
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

TEST(Hands, MisuseIsOneLine) {
  EXPECT_EQ(refusal({"standard_52", "--compare", "As Ah", "Kd"}),
            "dealer: hands of 2 and 1 cards cannot be compared; expected as many cards, or five to seven each\n");
  EXPECT_EQ(refusal({"standard_52", "--compare", "As Zh", "Kd Kh"}),
            "dealer: 'Zh' is no card of 'standard_52'; cards look like 2s, Ac\n");
  EXPECT_EQ(refusal({"standard_52", "--compare", "As As", "Kd Kh"}), "dealer: the card As is given twice\n");
  EXPECT_EQ(refusal({"standard_52", "--compare", "As X1", "Kd Kh"}),
            "dealer: 'X1' is no card of 'standard_52'; it has no jokers\n");
  EXPECT_EQ(refusal({"standard_52", "--compare", "", "Kd Kh"}), "dealer: 0 cards given; a hand has 1 to 7\n");
  EXPECT_TRUE(contains(refusal({"standard_52", "--cards", "6"}), "'6' is not allowed; expected 5 or 7"));
  EXPECT_TRUE(
      contains(refusal({"standard_52", "--draws", "2"}), "'2' is not allowed; expected an integer from 0 to 1"));
  EXPECT_EQ(refusal({"standard_52", "--draws", "1", "--cards", "7"}),
            "dealer: draws are made by hands of five; expected --cards 5 with them\n");
  EXPECT_EQ(refusal({"standard_52", "--samples", "7"}),
            "dealer: --samples says how draws are counted; expected --draws 1 with it\n");
  EXPECT_EQ(
      refusal({"standard_52", "--draw-for", "PX"}),
      "dealer: the ranking 'high' has no category 'PX'; did you mean 'P1'?; expected one of: NON, P1, P2, K3, ST, FL, "
      "FH, K4, SF\n");
  EXPECT_EQ(refusal({"standard_52", "--draws", "1", "--compare", "As", "Ks"}),
            "dealer: --compare goes with --ranking and --json only\n");
  EXPECT_EQ(refusal({"court_tarot_54[jokers=1]"}),
            "dealer: override 'jokers=1': jokers: decks with trumps or extra suits take no jokers; expected 0\n");
  EXPECT_TRUE(contains(refusal({"standard_53"}), "there is no deck 'standard_53'; did you mean 'standard_52'?"));
  EXPECT_TRUE(contains(refusal({"standard_52", "--ranking", "court_extra_52"}), "needs a suit without ranks"));
}

}  // namespace
}  // namespace dealer::hands_test
