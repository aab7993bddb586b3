// The output of dealer games, dealer hands and dealer bench.
#include "env/cards/card.h"
#include "env/cards/deck.h"
#include "env/core/error.h"
#include "env/core/random.h"
#include "env/core/registry.h"
#include "env/hands/census.h"
#include "tests/cli/run_dealer.h"

namespace dealer::test::figures_test {
namespace {

TEST(Games, ListsEveryGame) {
  const Json games = json_of({"games"});
  const std::string table = run_here({"games"}).out;
  ASSERT_EQ(games.size(), game_names().size());
  for (std::size_t i = 0; i < games.size(); ++i) {
    const GamePtr game = make_game(game_names()[i]);
    expect_members(games[i], {{"name", game->name()}, {"observation", game->observation_spec().size()}});
    EXPECT_FALSE(games[i].contains("observation_spec"));
    expect_parts(table, {"\n" + game->name() + " "});
  }
}

// Tried one by one: the option `players` accepts exactly the range given.
TEST(Games, PlayersAreWhatTheRulesTake) {
  for (const std::string& name : game_names()) {
    const GamePtr game = make_game(name);
    const auto [low, high] = game->player_range();
    EXPECT_TRUE(low <= game->players() && game->players() <= high) << name;
    for (int players = 1; players <= kMaxPlayers + 1; ++players) {
      const std::string spec = name + "[players=" + std::to_string(players) + ']';
      if (low == high && players == low) continue;  // some accept only one number, others have no such key
      if (players >= low && players <= high)
        EXPECT_EQ(make_game(spec)->players(), players) << spec;
      else
        EXPECT_THROW(make_game(spec), ConfigError) << spec;
    }
  }
}

// Twenty cards suffice for three players: five each, and five to draw.
TEST(Games, PlayersAreNoMoreThanTheCardsAllow) {
  const TempFolder folder;
  const std::string deck = (folder / "small.yaml").string();
  write_bytes(deck,
              "ranks: 2 3 4 5 6\nsuits:\n  spades: {symbol: s}\n  hearts: {symbol: h}\n"
              "  diamonds: {symbol: d}\n  clubs: {symbol: c}\n");
  EXPECT_EQ(make_game("draw[deck=" + deck + ']')->player_range(), std::pair(2, 3));
  EXPECT_NO_THROW(make_game("draw[deck=" + deck + ",players=3]"));
  EXPECT_THROW(make_game("draw[deck=" + deck + ",players=4]"), ConfigError);
}

TEST(Games, OptionsThatSayNothingOfPlayersLeaveThemOpen) {
  const Json games = json_of(
      {"games", "holdem[limit=no_limit]", "holdem[players=4]", "draw[deck=court_tarot_54]", "ofc", "ofc[players=3]"});
  const Json players = {{2, 10}, {4, 4}, {2, 6}, {2, 3}, {3, 3}};
  for (std::size_t i = 0; i < players.size(); ++i) EXPECT_EQ(games[i]["players"], players[i]) << games[i]["name"];
  expect_members(games[3], {{"actions", 4}, {"unit", "points"}});
  EXPECT_EQ(games[4]["name"], "ofc[players=3]");
}

TEST(Games, ANamedGameShowsItsOptionsAndObservationSpec) {
  const Json game = json_of({"games", "ofc[points.scoop=6]"})[0];
  const std::string table = run_here({"games", "ofc[points.scoop=6]"}).out;
  expect_parts(table, {"\n  players: 2\n", "\n  points:\n    row: 1\n    scoop: 6\n"});
  EXPECT_FALSE(contains(table, "game: ofc"));
  EXPECT_TRUE(contains(game["rules"], "\n  scoop: 6\n"));
  int next = 0;
  for (const Json& part : game["observation_spec"]) {
    EXPECT_EQ(part["offset"], next) << part;
    int size = 1;
    for (const int extent : part["shape"]) size *= extent;
    next += size;
    EXPECT_LE(part["low"], part["high"]);
    EXPECT_FALSE(part["meaning"].get<std::string>().empty());
    expect_parts(table, {part["meaning"]});
  }
  EXPECT_EQ(game["observation"], next);
  expect_refused({"games", "oofc"}, {{{}, "there is no game 'oofc'; did you mean 'ofc'?"}});
}

Json report(const Words& words) { return json_of(joined({"hands"}, words)); }

class Hands : public CommandInFolder {};

TEST_F(Hands, JsonHasTheFieldsThatScriptsRelyOn) {
  const Json document = report({"standard_52"});
  expect_members(
      document,
      {{"deck", "standard_52"}, {"hand_size", 5}, {"total", 2598960}, {"ranking", "high"}, {"remarks", Json::array()}});
  ASSERT_EQ(document["categories"].size(), 9U);
  const Json pairs = document["categories"][2];
  expect_members(pairs, {{"code", "P2"}, {"count", 123552}, {"verdict", "X"}});
  EXPECT_NEAR(pairs["rarity"].get<double>(), 1.323, 0.0005);
  EXPECT_NEAR(pairs["ratio"].get<double>(), 8.889, 0.0005);
}

TEST_F(Hands, OtherSizesAndRankingsAreCounted) {
  EXPECT_EQ(report({"standard_52", "--cards", "7"})["total"], 133784560);
  const Json badugi = report({"standard_52", "--ranking", "badugi"});
  expect_members(badugi, {{"hand_size", 4}, {"total", 270725}});
  EXPECT_EQ(badugi["categories"][3]["count"], 17160);
  EXPECT_EQ(report({"washizu_replace_random"})["categories"][0]["count"], 1305158.84765625);
}

TEST_F(Hands, TheTableIsForPeople) {
  EXPECT_EQ(run_here({"hands", "standard_52"}).out,
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
  expect_parts(run_here({"hands", "washizu_replace_random"}).out, {"1305158.848"});
  // The legend explains exactly the verdicts in the table.
  write("r.yaml", "order: [NON, P1, K3, P2]\nties: category\n");
  const std::string text = run_here({"hands", "standard_52", "--ranking", at("r.yaml")}).out;
  EXPECT_EQ(text.substr(text.find("\n\n", text.find("verdict")) + 2),
            "X    ratio below 1.1: nearly as common; or above 3 where rarity is below 3: too large a step\n"
            "XXX  ratio below 1: more common than the category above it; the order contradicts the odds\n");
  expect_none(run_here({"hands", "standard_52", "--compare", "As", "Ks"}).out, {"ratio"});
}

TEST_F(Hands, CategoriesThatNeverWinAreRemarked) {
  const std::string file = at("r.yaml");
  write("r.yaml", "order:\n  - NON\n  - K4\n  - P1\n");
  const ProgramResult result = run_here({"hands", "standard_52", "--ranking", file, "--json"});
  EXPECT_EQ(result.status, 0);
  const std::string warning =
      file + ":3: order.1: the category 'K4' can never win: every hand that holds it counts as P1";
  EXPECT_EQ(result.err, "dealer: " + warning + "\n");
  const Json document = Json::parse(result.out);
  EXPECT_EQ(document["remarks"], Json({warning}));
  expect_members(document["categories"][1], {{"count", 0}, {"rarity", nullptr}, {"ratio", nullptr}});
  expect_parts(run_here({"hands", "standard_52", "--ranking", file}).out,
               {"K4    four of a kind        0       -        -\n"});
  // Reachable with five cards, never the best of seven.
  write("r.yaml", "order: [NON, TWO]\ncategories:\n  TWO: {by_suit: 2}\n");
  EXPECT_EQ(report({"standard_52", "--ranking", file, "--cards", "7"})["remarks"].size(), 1U);
}

TEST_F(Hands, ThePictureShowsEveryCategory) {
  const std::string file = at("ladder.svg");
  ASSERT_EQ(run_here({"hands", "court_color_52", "--plot", file}).status, 0);
  const std::string svg = read("ladder.svg");
  EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n")) << svg;
  expect_parts(svg, {">P1x<", ">colour flush<", ">1392120<", ">XX<", ">1 in 100k<", "prefers-color-scheme"});
  // User-supplied text is escaped.
  write("r.yaml", "order: [NON, TW]\ncategories:\n  TW: {name: a<b & c, by_rank: 2}\n");
  ASSERT_EQ(run_here({"hands", "standard_52", "--ranking", at("r.yaml"), "--plot", file}).status, 0);
  expect_parts(read("ladder.svg"), {">a&lt;b &amp; c<"});
  EXPECT_EQ(run_here({"hands", "standard_52", "--plot", at("no/where.svg")}).status, 1);
}

TEST_F(Hands, DrawsAreCountedOrSampled) {
  const Json draw = report({"standard_52", "--draws", "1"})["draw"];
  expect_members(draw, {{"exact", true}, {"goal", "strength"}});
  EXPECT_NEAR(draw["value_dealt"].get<double>(), 0.5, 1e-9);
  EXPECT_NEAR(draw["value"].get<double>(), 0.698, 0.0005);
  EXPECT_EQ(draw["categories"].size(), 9U);
  EXPECT_EQ(draw["discarded"].size(), 6U);
  const Json flush = report({"standard_52", "--draw-for", "FL", "--samples", "200", "--seed", "5"})["draw"];
  expect_members(flush, {{"exact", false}, {"goal", "FL"}, {"samples", 200}});
  EXPECT_GT(flush["ci95"].get<double>(), 0);
  expect_parts(run_here({"hands", "court_tarot_54", "--draw-for", "FL"}).out,
               {"discards chosen to reach FL or better as often as possible"});
}

TEST_F(Hands, ComparisonsSayWhy) {
  const Json result = report({"standard_52", "--compare", "As Ah Kd Kc 2s", "QsQhQd3c2d"});
  expect_members(result, {{"result", -1}, {"why", "The second hand wins: three of a kind beats two pair."}});
  EXPECT_EQ(result["a"]["code"], "P2");
  EXPECT_EQ(result["b"]["code"], "K3");
  EXPECT_LT(result["a"]["value"], result["b"]["value"]);
  EXPECT_EQ(report({"standard_52", "--compare", "As", "Ah"})["result"], 0);
  expect_parts(run_here({"hands", "standard_52[jokers=1]", "--compare", "As Ah X1 7c 2s", "Ks Kh Kd 7d 2c"}).out,
               {"As Ah X1 7c 2s  three of a kind (K3)\nKs Kh Kd 7d 2c  three of a kind (K3)\nThe first hand wins: ",
                "In the first hand X1 is read as Ad.\n"});
}

TEST_F(Hands, RefusesMisuse) {
  expect_refused({"hands", "standard_52"},
                 {{{"--compare", "As Ah", "Kd"}, "hands of 2 and 1 cards cannot be compared"},
                  {{"--compare", "As Zh", "Kd Kh"}, "'Zh' is not a card of 'standard_52'; cards look like 2s, Ac"},
                  {{"--compare", "As As", "Kd Kh"}, "the card As is given twice"},
                  {{"--compare", "As X1", "Kd Kh"}, "'X1' is not a card of 'standard_52'; it has no jokers"},
                  {{"--compare", "", "Kd Kh"}, "0 cards given; a hand has 1 to 7"},
                  {{"--cards", "6"}, "'6' is not allowed; expected 4, 5 or 7"},
                  {{"--draws", "2"}, "'2' is not allowed; expected an integer from 0 to 1"},
                  {{"--draws", "1", "--cards", "7"}, "expected --cards 5"},
                  {{"--samples", "7"}, "--samples needs --draws 1"},
                  {{"--draw-for", "PX"}, "no category 'PX'; did you mean 'P1'?; expected one of: NON, P1, P2, K3, ST"},
                  {{"--draws", "1", "--compare", "As", "Ks"}, "--compare allows only --ranking and --json beside it"},
                  {{"--ranking", "court_extra_52"}, "needs a suit without ranks"}});
  expect_refused({"hands"}, {{{"court_tarot_54[jokers=1]"}, "decks with trumps or extra suits take no jokers"},
                             {{"standard_53"}, "did you mean 'standard_52'?"}});
}

Json figures(const Words& names) { return json_of(joined({"bench", "--seconds", "0.02"}, names)); }

TEST(Bench, ReportsTheContractsFields) {
  const ProgramResult result =
      run_here({"bench", "--seconds", "0.02", "--json", "evaluate5", "fantasyland14", "env.ofc[players=3]"});
  ASSERT_EQ(result.status, 0) << result.err;
  expect_parts(result.err, {"evaluate5"});
  const Json list = Json::parse(result.out);
  ASSERT_EQ(list.size(), 3U);
  expect_members(list[0], {{"name", "evaluate5"}, {"unit", "hands/s"}});
  EXPECT_EQ(list[1]["name"], "fantasyland14");
  EXPECT_EQ(list[2]["name"], "env.ofc[players=3]");
  for (const Json& figure : list) EXPECT_GT(figure["value"], 0);
  for (const std::size_t compared : {0U, 1U}) {
    EXPECT_GT(list[compared]["peer"], 0);
    // For hands a second, more is better; for milliseconds a hand, less.
    const double value = list[compared]["value"], peer = list[compared]["peer"];
    const double better = list[compared]["unit"] == "hands/s" ? value / peer : peer / value;
    EXPECT_NEAR(list[compared]["ratio"].get<double>(), better, 1e-9 * better);
  }
}

TEST(Bench, ShowsALineForEachFigure) {
  const Words names = {"evaluate7", "agents.rule.draw", "agents.rule.leduc", "agents.rule.ofc[players=3]"};
  const ProgramResult result = run_here(joined({"bench", "--seconds", "0.02"}, names));
  EXPECT_EQ(result.status, 0) << result.err;
  const Words lines = lines_of(result.out);
  ASSERT_EQ(lines.size(), names.size()) << result.out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_TRUE(lines[i].starts_with(names[i] + ' ')) << result.out;
    expect_parts(lines[i], {"hands/s"});
  }
}

TEST(Bench, AnUnknownNameBringsTheNearest) {
  expect_refused({"bench"}, {{{"evaluat5"}, "there is no benchmark 'evaluat5'; did you mean 'evaluate5'?"},
                             {{"env.ofx"}, "did you mean 'env.ofc'?"},
                             {{"env.ofc[players=9]"}, "players"},
                             {{"agents.rule."}, "there is no benchmark 'agents.rule.'"},
                             {{"agents.rule.drew"}, "did you mean 'agents.rule.draw'?"},
                             {{"solve.holdem", "--seconds", "0.02"}, "holdem"}});
}

TEST(Bench, MeasuresSolvingAndDrawnStates) {
  const Json solved = figures({"solve.leduc", "solve.kuhn[cards=4]"});
  EXPECT_EQ(solved[0]["unit"], "iter/s");
  // At least a thousand iterations a second.
  EXPECT_GT(solved[0]["value"], 1000);
  EXPECT_GT(solved[1]["value"], solved[0]["value"]);
  const Json drawn = figures({"sample.leduc", "sample.draw[players=3]", "sample.ofc"});
  ASSERT_EQ(drawn.size(), 3U);
  for (const Json& figure : drawn) {
    EXPECT_EQ(figure["unit"], "draws/s");
    EXPECT_GT(figure["value"], 1000);
    EXPECT_GT(figure["make_us"], 0);
  }
}

const std::string kA = "Kd Qd 6h / 5h 5c 3h 3c 6s / Js Jh Jd 7s 7d";
const std::string kB = "Ad Ac Qh / As Ah Ts Td 2s / 5d 6d 7h 8d 9d";
const std::string kWorked = R"({"points":[-6,6],"royalties":[6,11],"foul":[false,false],"fantasyland":[false,true]})"
                            "\n";

TEST(OfcScore, ScoresTheWorkedExample) {
  EXPECT_EQ(output_of(run_dealer("ofc score '" + kA + "' '" + kB + "'")), kWorked);
  EXPECT_EQ(run_here({"ofc", "score", kA, kB, "--json"}).out, kWorked);
  // C fouls: it loses all rows to A and B and pays their royalties.
  EXPECT_EQ(output_of({"ofc", "score", kA, kB, "4h 4d Kc / 2h 8c 9c Tc Jc / 3s 4s 5s 8s Kh"}),
            R"({"points":[6,23,-29],"royalties":[6,11,0],"foul":[false,false,true],"fantasyland":[false,true,false]})"
            "\n");
}

TEST(OfcScore, AnswersALineForEveryDeal) {
  EXPECT_EQ(output_of(run_dealer("ofc score --stdin", kA + ";" + kB + "\n\n" + kB + " ; " + kA)),
            kWorked + R"({"points":[6,-6],"royalties":[11,6],"foul":[false,false],"fantasyland":[true,false]})" + '\n');
  EXPECT_EQ(output_of(run_dealer("ofc score --stdin", "\xEF\xBB\xBF" + kA + ";" + kB + "\n")), kWorked);
  EXPECT_EQ(output_of(run_dealer("ofc score --stdin")), "");
}

TEST(OfcScore, ABadLineIsNamedAndTheLinesBeforeAreWhole) {
  const ProgramResult result =
      run_dealer("ofc score --stdin", kA + ";" + kB + "\n\n" + kA + "\n" + kA + ";" + kB + "\n");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, kWorked);
  EXPECT_EQ(result.err, "dealer: line 3: 1 boards given; expected 2 or 3\n");
}

TEST(OfcScore, RefusesWhatIsNoDeal) {
  expect_refused({"ofc", "score"}, {{{kA, kA}, "card 3h is on two boards of the deal"},
                                    {{kA}, "1 boards given; expected 2 or 3"},
                                    {{kA, "Ad Ac Qh"}, "has not three rows"},
                                    {{kA, "Ad Ac Zh / As Ah Ts Td 2s / 5d 6d 7h 8d 9d"}, "'Zh' is not a card"},
                                    {{}, "give either 2 or 3 boards or --stdin"},
                                    {{kA, kB, "--stdin"}, "give either 2 or 3 boards or --stdin"},
                                    {{kA, kB, "--game", "oofc"}, "did you mean 'ofc'?"}});
}

TEST(OfcScore, ScoresByTheRulesNamed) {
  const ProgramResult result = run_here({"ofc", "score", kA, kB, "--game", "ofc[points.row=2]"});
  EXPECT_EQ(Json::parse(result.out)["points"], Json({-7, 7}));
}

TEST(OfcFantasyland, SetsAHandForRoyaltiesAndForStaying) {
  const std::string cards = "9s 9h Qs As Ts 9d Ks 6h 6c 7d 5s Kh Qh 9c";
  EXPECT_EQ(output_of({"ofc", "fantasyland", cards}),
            R"({"front":"Kh Ks Qh","middle":"As Qs Ts 9s 5s","back":"9c 9d 9h 6c 6h","discard":"7d",)"
            R"("royalties":22,"stays":false,"value":22.0})"
            "\n");
  const std::string staying = R"({"front":"Qh 6c 6h","middle":"As Ks Qs Ts 5s","back":"Kh 9c 9d 9h 9s","discard":"7d",)"
                              R"("royalties":19,"stays":true,"value":28.5})"
                              "\n";
  EXPECT_EQ(run_here({"ofc", "fantasyland", cards, "--stay-value", "9.5"}).out, staying);
  // The cards as separate words.
  EXPECT_EQ(run_dealer("ofc fantasyland --stay-value 9.5 " + cards).out, staying);
}

TEST(OfcFantasyland, AnswersALineForEveryHand) {
  RandomStream rng(11);
  std::string input;
  std::vector<CardSet> hands(50);
  for (CardSet& hand : hands) {
    while (size(hand) < 14) hand |= bit(static_cast<Card>(rng.below(kCards)));
    input += to_string(hand) + "\n";
  }
  const Words lines = lines_of(run_dealer("ofc fantasyland --stdin", input).out);
  ASSERT_EQ(lines.size(), hands.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto json = Json::parse(lines[i]);
    std::string all;
    for (const char* row : {"front", "middle", "back", "discard"}) all += json[row].get<std::string>();
    EXPECT_EQ(to_set(parse_cards(all)), hands[i]) << lines[i];
  }
}

TEST(OfcFantasyland, RefusesWhatIsNoHand) {
  EXPECT_EQ(run_here({"ofc", "fantasyland", "As Kd"}).err, "dealer: 2 cards given; a Fantasyland hand has 13 to 17\n");
  EXPECT_EQ(run_dealer("ofc fantasyland --stdin", "As Kd As\n").err, "dealer: line 1: card As is given twice\n");
  EXPECT_EQ(run_here({"ofc", "fantasyland"}).status, 2);
}

}  // namespace
}  // namespace dealer::test::figures_test
