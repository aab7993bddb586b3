// Runs of studies: interrupted, resumed, multi-threaded, and in folders with other contents.
#include "arena/folder.h"
#include "arena/lines_file.h"
#include "arena/studies/game_log.h"
#include "arena/studies/strength.h"
#include "env/games/seven_hand/game.h"
#include "tests/arena/studies/testing.h"

namespace dealer::studies::run_test {
namespace {

using namespace test;

const Words kQuick = {"agent=random", "deals=60", "tries=0", "responses=0"};

StudyJob job(const Words& overrides = kQuick) { return read_study("seven_hand", overrides); }

Words with(const std::string& word, Words words = kQuick) {
  words.push_back(word);
  return words;
}

std::string all_files(const std::filesystem::path& folder) {
  std::string text;
  for (const char* name : {"config.yaml", "games.txt", "results.json", "report.html"})
    text += read_bytes(folder / name);
  return text;
}

using StudyRun = InFolder;

TEST_F(StudyRun, WritesItsFiles) {
  std::vector<std::int64_t> observed;
  const StudyOutcome outcome =
      run_study(job(), at("a"), {.progress = [&](std::int64_t done) { observed.push_back(done); }, .stop = {}});
  EXPECT_FALSE(outcome.interrupted);
  EXPECT_EQ(outcome.deals, 60);
  EXPECT_EQ(observed.front(), 0);
  EXPECT_EQ(observed.back(), 60);
  const auto json = nlohmann::ordered_json::parse(file("a/results.json"));
  EXPECT_EQ(json, outcome.results);
  expect_members(json, {{"study", "seven_hand"}, {"agent", "random"}, {"deals", 60}, {"hands", 120}, {"seed", 1}});
  EXPECT_EQ(json["figures"]["chips"].size(), 7U);
  EXPECT_EQ(json["figures"]["ends"]["turns"]["n"], 120);
  EXPECT_FALSE(json["conclusions"].empty());
  EXPECT_EQ(outcome.report, at("a/report.html"));
  EXPECT_TRUE(file("a/report.html").starts_with("<!DOCTYPE html>"));
}

// A report begins with the strength of the player, if known.
TEST_F(StudyRun, SaysHowStrongThePlayerIs) {
  const auto strength = [&](const Words& overrides) {
    const StudyOutcome outcome = run_study(job(overrides), at("a"));
    const std::string text = outcome.results["strength"];
    const std::string report = file("a/report.html");
    EXPECT_LT(report.find(text.substr(0, 24)), report.find("<h2")) << text;
    return text;
  };
  EXPECT_TRUE(has(strength(kQuick), "The exploitability of random in seven_hand was not measured"));
  const auto document = [](double bound) {
    return nlohmann::json{{"game", "seven_hand"}, {"against", "random"}, {"best", "rule"}, {"unit", "points"},
                          {"bound", bound},       {"ci95", 0.1},         {"deals", 7}};
  };
  const Words observed = with("exploited=" + at("e.json").string());
  write_bytes(at("e.json"), document(0.25).dump());
  EXPECT_TRUE(has(strength(observed), "rule wins 0.25 ± 0.10 points a hand from random in seven_hand (7 deals"));
  nlohmann::json other = document(9);
  other["game"] = "draw";
  write_bytes(at("e.json"), nlohmann::json::array({other, document(0.05)}).dump());
  EXPECT_TRUE(has(strength(observed), "found no response that beats random in seven_hand"));
  write_bytes(at("e.json"), R"({"game": "seven_hand"})");
  EXPECT_TRUE(has(error_message<FileError>([&] { strength(observed); }), "not the output of dealer exploit --json"));
  EXPECT_FALSE(shipped_exploited().empty());
}

// Every study, including its additional work: interrupted repeatedly on one thread it gives the same results as on two,
// and a finished one does not change when it is run again.
TEST_F(StudyRun, ThreadsAndStopsChangeNothing) {
  const struct {
    std::string study;
    int asked;  // until it is stopped
    Words words;
  } cases[] = {
      {"seven_hand", 2000, {"agent=random", "deals=300", "tries=0", "responses=0"}},
      {"seven_hand", 400, {"agent=random", "deals=10", "tries=70", "responses=12", "simulations=3"}},
      {"court", 700, {"games=['court_extra[players=2]', court_extra]", "agent=random", "deals=300", "samples=20"}},
      {"draw", 900, {"agents=[rule, random]", "deals=400", "checks=5"}},
      {"washizu", 900, {"agents=[random]", "deals=40", "games=[washizu, 'washizu[players=2,washizu=add]']"}},
      {"fantasyland", 150, {"deals=40", "rival_deals=12", "values=[0,20]", "openings=false"}}};
  for (const auto& [study, most, words] : cases) {
    SCOPED_TRACE(study);
    const auto path = [&](const std::string& what) { return at(study + std::to_string(most) + what); };
    run_study(read_study(study, with("threads=2", words)), path("whole"));
    const std::string whole = all_files(path("whole"));
    run_study(read_study(study, with("threads=1", words)), path("whole"));
    EXPECT_EQ(all_files(path("whole")), whole);
    int parts = 0;
    for (bool interrupted = true; interrupted; ++parts) {
      ASSERT_LT(parts, 100);
      std::atomic<int> asked = 0;
      interrupted = run_study(read_study(study, with("threads=1", words)), path("parts"),
                              {.progress = {}, .stop = [&] { return ++asked > most; }})
                        .interrupted;
      EXPECT_EQ(std::filesystem::exists(path("parts") / "results.json"), !interrupted);
    }
    EXPECT_GT(parts, 2);
    EXPECT_EQ(without_ends(all_files(path("parts"))), without_ends(whole));
    for (const char* file : {"tries.txt", "responses.txt", "rivals.txt", "odds.txt"})
      if (std::filesystem::exists(path("whole") / file)) {
        EXPECT_EQ(without_ends(read_bytes(path("parts") / file)), without_ends(read_bytes(path("whole") / file)));
      }
  }
}

// The state after a killed process: lines after the last mark, the last of them incomplete.
TEST_F(StudyRun, TornLinesAreCutOff) {
  run_study(job(), at("whole"));
  const std::string games = file("whole/games.txt");
  std::filesystem::create_directories(at("torn"));
  write_bytes(at("torn/config.yaml"), file("whole/config.yaml"));
  const std::size_t mark = games.find("deals ");
  write_bytes(at("torn/games.txt"), games.substr(0, games.find('\n', mark) + 300));
  const std::string games_file = at("torn/games.txt").string();
  testing::internal::CaptureStderr();
  EXPECT_GT(LinesFile(games_file, "deals").done(), 0);
  EXPECT_TRUE(testing::internal::GetCapturedStderr().starts_with("dealer: warning: " + games_file));
  run_study(job(), at("torn"));
  EXPECT_EQ(file("torn/results.json"), file("whole/results.json"));
  // A process killed before it had written anything.
  std::filesystem::create_directories(at("new"));
  write_bytes(at("new/games.txt"), "");
  run_study(job(), at("new"));
  EXPECT_EQ(all_files(at("new")), all_files(at("whole")));
}

TEST_F(StudyRun, EqualGamesAreDealtToEitherStarter) {
  const StudyJob study = job();
  const auto table = [&](int seating) {
    auto env = study.tables.front().game->new_env({.hold_hands = true});
    study.study->deal(*env, 17, seating);
    return env;
  };
  const auto first = table(0), second = table(1);
  const auto state = [](const std::unique_ptr<Env>& env) {
    return dynamic_cast<const TypedEnv<dealer::seven_hand::State>&>(*env).state();
  };
  for (const Seat seat : {0, 1}) EXPECT_EQ(state(first).hand(seat), state(second).hand(seat));
  EXPECT_EQ(first->current_player(), 1);
  EXPECT_EQ(second->current_player(), 0);
  // Including the cards drawn, whoever is first.
  const auto drawn = [](const std::unique_ptr<Env>& env) {
    while (dynamic_cast<const TypedEnv<dealer::seven_hand::State>&>(*env).state().turns() < 2)
      env->step(env->legal_actions().back());
    CardSet cards = 0;
    for (const Event& event : env->events(kOmniscient))
      if (event.kind == Event::Kind::kDrew && event.seat == 0)
        for (const CardId card : event.cards) cards |= bit(card);
    return cards;
  };
  EXPECT_EQ(drawn(first), drawn(second));
  EXPECT_EQ(size(drawn(first)), 3);
}

// By the first key that differs, even if it spans several lines.
TEST_F(StudyRun, FoldersTellHowConfigsDiffer) {
  const std::string config = "values:\n- 13\n- 16\ntraining: none\nnested:\n  a: 1\n  b: 2\n";
  { const StudyFolder folder(at("f"), config); }
  const auto said = [&](const std::string& other) {
    const std::string message = error_message<UsageError>([&] { StudyFolder(at("f"), other); });
    const std::size_t begin = message.find("holds a study ");
    return message.substr(begin + 14, message.find("; expected") - begin - 14);
  };
  EXPECT_NO_THROW(StudyFolder(at("f"), config));
  const std::pair<std::string, const char*> others[] = {
      {changed(config, "- 16\n", ""), "with 'values: [13, 16]', not 'values: [13]'"},
      {changed(changed(config, "none", "9s"), "b: 2", "b: 3"), "with 'training: none', not 'training: 9s'"},
      {changed(config, "b: 2", "b: 3"), "with 'nested: [a: 1, b: 2]', not 'nested: [a: 1, b: 3]'"},
      {changed(config, "training: none\n", ""), "with 'training: none', not without 'training'"},
      {config + "deals: 3\n", "without 'deals', not with 'deals: 3'"},
      {"training: none\n" + changed(config, "training: none\n", ""), "in another order"}};
  for (const auto& [other, difference] : others) EXPECT_EQ(said(other), difference);
}

TEST_F(StudyRun, RefusesFoldersOfSomethingElse) {
  run_study(job(), at("a"));
  const std::string before = all_files(at("a")), folder = at("a").string();
  const auto refusal = [&](const std::string& where, const Words& overrides = kQuick) {
    return error_message<UsageError>([&] { run_study(job(overrides), at(where)); });
  };
  const auto expect = [&](const Words& overrides, const char* there, const char* asked) {
    EXPECT_EQ(refusal("a", overrides),
              fmt::format("'{}' holds a study with '{}', not '{}'; expected a new folder, or the same config as in "
                          "{}/config.yaml",
                          folder, there, asked, folder));
  };
  expect({"agent=random", "deals=61"}, "deals: 60", "deals: 61");
  expect({"deals=60"}, "agent: random", "agent: default");
  expect(with("seed=2"), "seed: 1", "seed: 2");
  EXPECT_EQ(all_files(at("a")), before);

  std::filesystem::create_directories(at("other"));
  write_bytes(at("other/notes.txt"), "mine");
  EXPECT_EQ(refusal("other"),
            fmt::format("'{}' holds 'notes.txt' but no study; expected a new folder, or the folder of this study",
                        at("other").string()));
  EXPECT_FALSE(std::filesystem::exists(at("other/games.txt")));
  write_bytes(at("file"), "");
  EXPECT_TRUE(refuses<FileError>(fmt::format("cannot make folder {}: Not a directory", at("file").string()),
                                 [&] { run_study(job(), at("file")); }));
}

TEST_F(StudyRun, OneProcessAtATime) {
  const StudyJob study = job();
  const StudyFolder first(at("a"), study.config);
  EXPECT_EQ(error_message<UsageError>([&] { run_study(study, at("a")); }),
            fmt::format("'{}': another process is working on this study", at("a").string()));
}

TEST_F(StudyRun, RefusesGamesThatCannotBe) {
  run_study(job(), at("a"));
  const std::string summed = file("a/games.txt"), games = without_sums(summed);
  const auto refusal = [&](const std::string& text) {
    write_bytes(at("a/games.txt"), text);
    const std::string message = error_message<FileError>([&] { run_study(job(), at("a")); });
    EXPECT_EQ(file("a/games.txt"), text);
    const std::string file = at("a/games.txt").string() + ":";
    EXPECT_TRUE(message.starts_with(file) && message.ends_with("start again in another folder")) << message;
    return message.substr(file.size(), message.find(':', file.size()) - file.size()) + ":" +
           (has(message, "not a line of the study") ? "line" : "sum");
  };
  const std::size_t second = games.find('\n') + 1, third = games.find('\n', second) + 1;
  const std::size_t fourth = games.find('\n', third) + 1;
  const std::string whole = "deals 60\n";
  const std::tuple<const char*, std::string, const char*> wrong[] = {
      {"the first is missing", games.substr(second), "1:line"},
      {"the second is missing", games.substr(0, second) + games.substr(third), "2:line"},
      {"the deals above are not so many", games.substr(0, third) + whole, "3:line"},
      {"cut off", games.substr(0, second - 4) + "\n" + games.substr(second), "1:line"},
      {"too long", games.substr(0, second - 1) + " 52\n" + games.substr(second), "1:line"},
      {"no number", "0 0 0 x\n" + whole, "1:line"},
      {"no action", "0 0 0 99\n" + whole, "1:line"},
      {"not legal", "0 0 0 55\n" + whole, "1:line"}};
  for (const auto& [why, text, said] : wrong) EXPECT_EQ(refusal(text), said) << why;
  // A deal that ends after one of its seatings: detected once the others have been played.
  write_bytes(at("a/games.txt"), games.substr(0, fourth) + "deals 1\n");
  EXPECT_TRUE(refuses<FileError>("games.txt:4: this is not a line of the study", [&] { run_study(job(), at("a")); }));
  // Also another legal action.
  std::string altered = summed;
  altered[second - 2] = altered[second - 2] == '1' ? '2' : '1';
  EXPECT_TRUE(refusal(altered).ends_with(":sum"));
}

TEST(GameLog, WritesActionsAndAmounts) {
  std::vector<PlayedDecision> decisions = {{0, Decision(3), ""}, {1, Decision::bet_to(250), ""}, {0, Decision(0), ""}};
  const std::vector<int> seats = {0, 1};
  const std::vector<double> points = {1, -1};
  EXPECT_EQ(line_of({7, 1, 1, 2, seats, {}, decisions, points}), "7 1 2 3 =250 0\n");
}

TEST_F(StudyRun, AnAgentThatFailsEndsIt) {
  static std::atomic<int> decisions = 0;
  StudyJob failing = job(with("threads=1"));
  failing.tables.front().agent = random_agents("random", [](const Observation&) {
    if (++decisions == 3000) throw std::runtime_error("the network is down");
  });
  const std::string message = error_message<AgentFailure>([&] { run_study(failing, at("a")); });
  EXPECT_TRUE(message.starts_with("agent 'random' in seat ") && message.ends_with(": the network is down")) << message;
  EXPECT_GT(LinesFile(at("a/games.txt"), "deals").done(), 0);
  EXPECT_FALSE(std::filesystem::exists(at("a/results.json")));
  // The study can be resumed once the agent works again.
  run_study(failing, at("a"));
  run_study(job(), at("b"));
  EXPECT_EQ(file("a/results.json"), file("b/results.json"));
}

// Any game can be stored and replayed: amounts, several hands per episode, one seating.
TEST_F(StudyRun, ReplaysOtherGames) {
  const GamePtr game = make_game("holdem[limit=no_limit,episode=match,match_hands=3]");
  MatchOptions match;
  match.game = game;
  // Sometimes bets the minimum free amount.
  class Betting final : public RandomAgent {
   public:
    Decision act(const Observation& seen) override {
      const Decision decision = RandomAgent::act(seen);
      return seen.amounts.empty() || decision.action == 0 ? decision : Decision::bet_to(seen.amounts.low);
    }
  };
  match.agents = {agents_of<Betting>("betting"), make_agents("random", game)};
  match.deals = 5;
  match.seed = 3;
  match.duplicate = false;
  std::vector<std::vector<Event>> played, replayed;
  match.describe = [&](const PlayedHand& hand) {
    played.emplace_back(hand.events.begin(), hand.events.end());
    return line_of(hand);
  };
  std::string text;
  match.log = [&](std::string_view more) { text += more; };
  match.threads = 1;
  match.num_envs = 1;
  play_match(match);
  write_bytes(at("games.txt"), text + "deals 5\n");
  EXPECT_TRUE(has(text, "="));
  std::vector<std::int64_t> deals;
  const std::int64_t hands =
      replay_log(at("games.txt"), {.games = {game},
                                   .deals = 5,
                                   .seed = 3,
                                   .deal = [](Env& env, std::uint64_t seed, int) { env.reset(seed); },
                                   .begin_game = {},
                                   .hand =
                                       [&](std::int64_t deal, std::span<const Event> hand) {
                                         deals.push_back(deal);
                                         replayed.emplace_back(hand.begin(), hand.end());
                                       }})
          .front();
  EXPECT_EQ(hands, static_cast<std::int64_t>(played.size()));
  EXPECT_GT(hands, 5);
  EXPECT_EQ(replayed, played);
  EXPECT_EQ(deals.back(), 4);
}

// ---- Several games

// Two and three players, with different numbers of seatings.
const Words kGames = {"games=['court_extra[players=2]', court_extra]", "agent=random", "deals=40", "samples=20"};

TEST_F(StudyRun, SeveralGamesOneAfterTheOther) {
  std::vector<std::int64_t> observed;
  const StudyJob several = read_study("court", with("threads=1", kGames));
  EXPECT_EQ(several.all_deals(), 80);
  const StudyOutcome outcome =
      run_study(several, at("a"), {.progress = [&](std::int64_t done) { observed.push_back(done); }, .stop = {}});
  EXPECT_EQ(outcome.deals, 80);
  EXPECT_EQ(observed.front(), 0);
  EXPECT_EQ(observed.back(), 80);
  EXPECT_TRUE(std::is_sorted(observed.begin(), observed.end()));
  const auto& json = outcome.results;
  EXPECT_EQ(json["games"].dump(), R"([{"game":"court_extra[players=2]","agent":"random","hands":40},)"
                                  R"({"game":"court_extra","agent":"random","hands":40}])");
  EXPECT_FALSE(json.contains("game"));
  expect_members(json, {{"deals", 40}, {"hands", 80}});
  // Each is evaluated on its own hands, and both with one deck.
  const auto& figures = json["figures"];
  EXPECT_EQ(figures["decks"].size(), 1U);
  ASSERT_EQ(figures["games"].size(), 2U);
  for (const auto& game : figures["games"]) EXPECT_EQ(game["reached"]["n"], 40);
  EXPECT_EQ(figures["games"][1]["players"], 3);
  // The hands of the second game are those of a study of it alone, but for the numbers of the deals and so the cards.
  const std::string games = file("a/games.txt");
  EXPECT_TRUE(has(games, "\n39 "));
  EXPECT_TRUE(has(games, "\n79 "));
  EXPECT_TRUE(without_sums(games).ends_with("deals 80\n"));
  run_study(read_study("court", with("threads=2", kGames)), at("two"));
  EXPECT_EQ(all_files(at("two")), all_files(at("a")));
}

}  // namespace
}  // namespace dealer::studies::run_test
