// Studies of several games: in one folder in order, independent of threads and interruptions; their reports are
// self-contained pages, and their sentences agree with the figures.
#include "arena/studies/draw/counter.h"
#include "arena/studies/draw/report.h"
#include "arena/studies/games.h"
#include "arena/studies/washizu/counter.h"
#include "arena/studies/washizu/report.h"
#include "tests/arena/studies/testing.h"

namespace dealer::studies::several_games_test {
namespace {

using namespace test;

using SeveralGames = InFolder;

// Only in Washizu poker's betting there is no check.
TEST_F(SeveralGames, ReportsOfWashizuSayWhetherOneMayCheck) {
  const auto report = [&](const std::string& game) {
    run_study(read_study("washizu", {"agents=[random]", "deals=4", "games=[\"" + game + "\"]"}), at(game));
    return read_bytes(at(game) / "report.html");
  };
  EXPECT_TRUE(has(report("washizu[players=2]"), "There is no check"));
  const std::string other = report("draw[players=2,betting_before_draw=false]");
  EXPECT_FALSE(has(other, "There is no check"));
  EXPECT_TRUE(has(other, "who does not bet checks"));
}

// Each game has its own draw tables: the best discards of lowball keep no pairs.
TEST_F(SeveralGames, RulePlayersThrowWhatMakesTheBestHand) {
  const StudyOutcome outcome = run_study(read_study("draw", {"agents=[rule]", "deals=300"}), at("a"));
  for (const auto& game : outcome.results["figures"]["games"]) {
    const auto& discards = game["draws"][0]["discards"][0];
    EXPECT_EQ(discards["hand"], "all");
    EXPECT_GT(discards["best"]["value"].get<double>(), 0.6) << game["game"];
    EXPECT_LT(discards["cost"]["value"].get<double>(), 0.01) << game["game"];
  }
}

// A match in each game measures the gain of standing pat with weak hands.
TEST_F(SeveralGames, StandingPatIsTested) {
  const StudyOutcome outcome = run_study(read_study("draw", {"agents=[default]", "deals=20", "checks=30"}), at("a"));
  for (const auto& game : outcome.results["figures"]["games"]) {
    ASSERT_EQ(game["checks"].size(), 2U);
    EXPECT_EQ(game["checks"][0]["prefers"], "weak_pat");
    const std::string name = game["game"];
    MatchOptions match;
    match.game = make_game(name);
    match.agents = {make_agents("default[prefers=weak_draw]", match.game), make_agents("default", match.game)};
    match.deals = 30;
    match.seed = derive(1, 0x434845434b);
    EXPECT_NEAR(game["checks"][1]["points"]["value"].get<double>(), play_match(match).agents[0].points.ratio(), 1e-6);
    EXPECT_NE(game["checks"][0]["points"], game["checks"][1]["points"]);
  }
  const std::string report = read_bytes(at("a/report.html"));
  EXPECT_TRUE(has(report, "stands pat with every weak hand at the last draw"));
  const StudyOutcome rule = run_study(read_study("draw", {"agents=[rule]", "deals=2", "checks=2"}), at("b"));
  EXPECT_TRUE(rule.results["figures"]["games"][0]["checks"].empty()) << "rule tells no policy";
}

TEST_F(SeveralGames, GamesHaveCardsOfTheirOwn) {
  run_study(read_study("draw", {"games=[draw, draw]", "agents=[random, rule]", "deals=30", "checks=0"}), at("a"));
  const auto games = nlohmann::json::parse(read_bytes(at("a/results.json")))["figures"]["games"];
  EXPECT_NE(games[0]["hands_dealt"], games[1]["hands_dealt"]);
}

TEST_F(SeveralGames, GamesThatCannotBeAreRefused) {
  const Words words = {"games=[draw, lowball]", "agents=[random]", "deals=2", "checks=0"};
  run_study(read_study("draw", words), at("a"));
  const std::string games = without_sums(read_bytes(at("a/games.txt")));
  const std::string hand = games.substr(0, games.find('\n') + 1);
  write_bytes(at("a/games.txt"), games + "4" + hand.substr(1) + "deals 5\n");
  const std::string message = error_message<FileError>([&] { run_study(read_study("draw", words), at("a")); });
  EXPECT_TRUE(has(message, "this is not a line of the study"));
}

TEST(SeveralGamesConfig, RefusesWhatCannotBeStudied) {
  const auto expect = [](const char* study, const Words& words, const std::string& why) {
    EXPECT_TRUE(refuses<UsageError>(why, [&] { read_study(study, words); }));
  };
  for (const auto& [game, why] :
       {std::pair<std::string, std::string>{"stud", "is not draw poker, the subject of this study"},
        {"ofc", "is not draw poker, the subject of this study"},
        {"draw[jokers=1]", "is not played with 52 cards, which this study needs"},
        {"draw[ranking=high_ace_low]", "has another ranking than high alone or ace_to_five alone"},
        {"draw[low=ace_to_five]", "has another ranking than high alone or ace_to_five alone"},
        {"draw[betting_before_draw=false]", "has no betting before the draw, which this study needs"},
        {"draw[episode=match,match_hands=3]", "is a match; the study takes single hands"}})
    expect("draw", {"games=[draw, \"" + game + "\"]", "agents=[rule]"}, ": games.1: '" + game + "' " + why);
  expect("washizu", {"games=[draw]", "agents=[rule]"}, "games.0: 'draw' has several draws, or betting before the draw");
  expect("washizu", {"games=[holdem]", "agents=[rule]"}, "games.0: 'holdem' is not draw poker, as Washizu poker is");
  expect("draw", {"agents=[rule, rule, rule]"}, "agents: 3 agents for 2 games; expected one for all of them, or one");
  expect("draw", {"games=[]"}, "games: the list is empty; expected one game or more");
  expect("draw", {"agnet=rule"}, "did you mean 'agents'?");
  expect("draw", {"agent=rule", "agents=[rule]"}, "'agents' is given twice");
  EXPECT_NO_THROW(read_study("draw", {"games=[triple_draw, \"draw[players=6]\"]", "agents=[rule]"}));
  EXPECT_NO_THROW(read_study("washizu", {"games=[\"washizu[washizu=none]\"]", "agents=[rule]"}));
}

// However the file names agents, an override may name them the other way; the folder's config records the result.
TEST(SeveralGamesConfig, AnAgentStandsInPlaceOfAListAndAListOfAnAgent) {
  const StudyJob one = read_study("washizu", {"agent=search[simulations=2]"});
  EXPECT_EQ(one.tables.front().agent->spec(), "search[simulations=2]");
  EXPECT_EQ(one.tables.back().agent->spec(), "search[simulations=2]");
  EXPECT_EQ(one.config, read_study("washizu", {"agents=[\"search[simulations=2]\"]"}).config);
  const StudyJob list = read_study("court", {"games=[court_extra, draw]", "agents=[rule, random]"});
  EXPECT_EQ(list.tables[1].agent->spec(), "random");
  EXPECT_FALSE(has(list.config, "\nagent:"));
  EXPECT_FALSE(has(list.config, "\nsubstitute:"));
}

TEST(SeveralGamesConfig, EqualGamesByEqualAgentsAreOne) {
  const auto played = [](const StudyJob& job) {
    Words all;
    for (const StudyJob::Table& table : job.tables) all.push_back(table.game->spec() + " " + table.agent->spec());
    return all;
  };
  const Words one = {"washizu[players=2] rule", "washizu[players=2,washizu=replace_suit] rule",
                     "washizu[players=2,washizu=add] rule"};
  const StudyJob job = read_study(
      "washizu", {"games=[\"washizu[players=2]\", \"washizu[players=2]\", \"washizu[players=2,washizu=replace_suit]\", "
                  "\"washizu[players=2,washizu=add]\"]",
                  "agents=[rule]", "deals=40"});
  EXPECT_EQ(played(job), one);
  EXPECT_EQ(job.all_deals(), 3 * 40);
  EXPECT_EQ(played(read_study("draw", {"games=[draw, lowball, draw]", "agents=[rule, random, random]"})),
            (Words{"draw rule", "lowball random", "draw random"}));
  // Rejected games are named by their place in the list.
  EXPECT_TRUE(refuses<UsageError>("games.2: 'stud' is not draw poker", [] {
    read_study("draw", {"games=[draw, draw, stud]", "agents=[rule]"});
  }));
}

const Estimate kSeen{0.5, 0.01, 100};
const std::vector<const draw::Kinds*> kKinds = {&draw::high_kinds(), &draw::low_kinds()};

Subject subject_of(const std::string& first, const std::string& second) {
  return {"draw", first, "my<agent>&", 20, 40, 1, "0.1", {{first, "my<agent>&", 20}, {second, "rule", 20}}};
}

// The figures of games without a hand, and with every figure known.
Figure draw_figures(bool known = true) {
  std::vector<Figure> games;
  for (const draw::Kinds* kinds : kKinds) games.push_back(draw::Counter(*kinds, 2, 1, {}).figures());
  Figure all = games_of(subject_of("hi<gh", "low"), games);
  if (known) set_all(all, kSeen);
  return all;
}
Figure washizu_figures(bool known = true) {
  std::vector<Figure> games;
  for (const char* const mixing : {"replace_random", "add"})
    games.push_back(
        joined(object({{"mixing", value(mixing)}, {".checks", value("")}}), washizu::Counter({}).figures()));
  Figure all = games_of(subject_of("washizu", "washizu"), games);
  if (known) set_all(all, kSeen);
  return all;
}
Words said_of_draw(const Figure& figures) { return draw::conclusions_of(figures, kKinds); }

TEST(DrawConclusions, FlipWithTheFigures) {
  for (const std::string game : {"games/0/", "games/1/"})
    expect_flips(draw_figures(),
                 {{game + "differences/opens_last_first", "last", "more", "less"},
                  {game + "differences/opens_weak_middle", "weakest hands", "more", "less"},
                  {game + "draws/0/pat/worth_bluff_draw", "from the draw", "more", "less"},
                  {game + "draws/0/pat/folds_pat_draw", "folds", "more", "fewer"}},
                 said_of_draw);
}

TEST(WashizuConclusions, FlipWithTheFigures) {
  for (const std::string game : {"games/0/", "games/1/"})
    expect_flips(washizu_figures(),
                 {{game + "worth/dealt", "dealt", "win more", "win less"},
                  {game + "worth/like", "equal strength", "win more", "win less"},
                  {game + "differences/thrown_visible_hidden", "discarded", "more", "less"},
                  {game + "differences/bluffs_many_few", "bluffs", "more than", "less than"},
                  {game + "differences/value_many_few", "hands", "raise more", "raise less"},
                  {game + "differences/folds_many_few", "folds", "gets more", "gets fewer"}},
                 washizu::conclusions_of);
}

// Names of games, with their agents where the games alone are ambiguous.
TEST(SeveralGamesReport, TellsGamesApart) {
  Figure draws = draw_figures();
  EXPECT_EQ(titles_of(draws), (Words{"hi<gh", "low"}));
  draws["games"][1].set("game", value("hi<gh"));
  EXPECT_EQ(titles_of(draws), (Words{"hi<gh, my<agent>&", "hi<gh, rule"}));
  EXPECT_TRUE(said_of_draw(draws)[1].starts_with("hi<gh, rule – "));
  Figure mixings = washizu_figures();
  EXPECT_EQ(washizu::mixing_titles(mixings), (Words{"replace_random", "add"}));
  mixings["games"][1].set("mixing", value("replace_random"));
  EXPECT_EQ(washizu::mixing_titles(mixings), (Words{"replace_random, my<agent>&", "replace_random, rule"}));
  // Other rules with the same mixing.
  mixings["games"][1].set("game", value("washizu[players=2]"));
  EXPECT_EQ(washizu::mixing_titles(mixings), (Words{"washizu", "washizu[players=2]"}));
}

// The first of each game, then the second ones; non-significant differences are last.
TEST(SeveralGamesConclusions, AreInTheOrderOfTheirWeight) {
  Figure f = washizu_figures();
  set(f, "games/0/worth/like", {0, 0.01, 100});
  const Words said = washizu::conclusions_of(f);
  ASSERT_EQ(said.size(), 16U);
  expect_parts(said[0], {"add – ", "equal strength"});
  expect_parts(said[1], {"replace_random – ", "bluffs more"});
  expect_parts(said[2], {"add – ", "bluffs more"});
  expect_parts(said[15], {"replace_random – ", "o difference was seen", "equal strength"});
}

TEST(SeveralGamesConclusions, SayNothingOfWhatIsUnknown) {
  EXPECT_TRUE(said_of_draw(draw_figures(false)).empty());
  EXPECT_TRUE(washizu::conclusions_of(washizu_figures(false)).empty());
}

TEST(SeveralGamesConclusions, HaveTheirFigures) {
  Figure f = draw_figures();
  set(f, "games/0/positions/1/opens", {0.75, 0.02, 100});
  expect_parts(said_of_draw(f)[0], {"hi<gh – ", "opens more often", "50.0 ± 1.0%", "75 ± 2%"});
  // With a single game there are no names to distinguish.
  const Figure one = games_of(subject_of("hi<gh", "low"), {f["games"][0]});
  EXPECT_FALSE(has(said_of_draw(one)[0], " – "));
}

TEST(SeveralGamesReport, IsOneWellFormedPageByItself) {
  const Subject subject = subject_of("draw", "low");
  for (const bool known : {true, false}) {
    const std::string draw = draw::report_of(subject, draw_figures(known), kKinds);
    expect_page(draw, 10);
    expect_page(washizu::report_of(subject, washizu_figures(known)), 10);
    EXPECT_TRUE(has(draw, "my&lt;agent&gt;&amp; plays"));
  }
  const Figure two_draws = games_of(subject, {draw::Counter(draw::high_kinds(), 2, 2, {}).figures()});
  expect_page(draw::report_of(subject, two_draws, kKinds), 7);
  EXPECT_TRUE(has(washizu::report_of(subject, washizu_figures()), "The heuristic agent 'rule'"));
}

}  // namespace
}  // namespace dealer::studies::several_games_test
