// `dealer serve`: answers about runs, reports, hand histories and charts, and the analyser at its tables.
#include "cli/opening_charts.h"
#include "cli/serve_handlers.h"
#include "cli/serve_timed_agents.h"
#include "env/core/error.h"
#include "frontends/phh/replay.h"
#include "tests/cli/run_dealer.h"
#include "tests/frontends/web/web_sitting.h"

namespace dealer::test::serve_test {
namespace {

// A folder for `dealer serve --folder`, and its answers.
class Served {
 public:
  explicit Served(const fs::path& folder) : specs_(folder / "runs"), handlers_(cli::serve_handlers(specs_, folder)) {}

  WebAnswer answer(const std::string& target, const std::string& body = "") const {
    WebRequest request;
    request.method = body.empty() ? "GET" : "POST";
    request.target = target;
    request.body = body;
    const std::string path = request.path();
    const web::WebHandler* best = nullptr;
    std::size_t length = 0;
    for (const auto& [below, handler] : handlers_) {
      if (!path.starts_with(below) || below.size() < length) continue;
      best = &handler;
      length = below.size();
    }
    return (*best)(request);
  }
  Json json(const std::string& target, const std::string& body = "") const {
    return Json::parse(answer(target, body).body);
  }

 private:
  web::WebSpecs specs_;
  web::WebServer::Handlers handlers_;
};

Json printed(const Words& words) {
  const ProgramResult result = run_here(words);
  EXPECT_EQ(result.status, 0) << result.err;
  return Json::parse(result.out);
}

TEST(ServeRuns, TellsWhatDealerRunsTellsAndTheFiguresAsTheyCome) {
  const TempFolder folder;
  const fs::path run = folder.path() / "runs" / "k";
  const ProgramResult trained =
      run_here({"train", "kuhn", "hands=200", "self_play.tables=4", "learner.batch=32", "evaluation.deals=2",
                "evaluation.final_deals=2", "--quiet", "--out", run.string()});
  ASSERT_EQ(trained.status, 0) << trained.err;
  const Served served(folder.path());
  Json runs = served.json("/api/runs"), observed = printed({"runs", (folder.path() / "runs").string(), "--json"});
  for (Json* list : {&runs, &observed}) list->at(0).erase("age_seconds");
  EXPECT_EQ(runs, observed);
  const Json of_run = served.json("/api/runs/k");
  EXPECT_EQ(of_run["config"], read_bytes((run / "config.yaml").string()));
  EXPECT_EQ(of_run["running"], false);
  EXPECT_TRUE(of_run["result"].is_object());

  const std::string metrics = read_bytes((run / "metrics.jsonl").string());
  const Json all = served.json("/api/runs/k/metrics");
  EXPECT_EQ(all["lines"].size(), static_cast<std::size_t>(std::ranges::count(metrics, '\n')));
  EXPECT_EQ(all["next"], metrics.size());
  std::ofstream(run / "metrics.jsonl", std::ios::app) << "{\"step\":7}\n{\"step\":";
  const Json more = served.json("/api/runs/k/metrics?from=" + std::to_string(metrics.size()));
  EXPECT_EQ(more["lines"], (Json{{{"step", 7}}}));
  EXPECT_EQ(more["next"], metrics.size() + 11);
  EXPECT_EQ(more["reset"], false);
  const Json shorter = served.json("/api/runs/k/metrics?from=100000000");
  EXPECT_EQ(shorter["reset"], true);
  EXPECT_EQ(shorter["lines"].size(), all["lines"].size() + 1);

  const phh::FileReplay hands = phh::replay_text(served.answer("/api/runs/k/hands?hands=4").body);
  EXPECT_EQ(hands.hands, 4);
  EXPECT_EQ(hands.ok, 4);
  for (const char* wrong : {"/api/runs/none", "/api/runs/..", "/api/runs/%2e%2e%2fruns", "/api/runs/k/secrets"})
    EXPECT_THROW(served.answer(wrong), web::NotFound) << wrong;
  EXPECT_THROW(served.answer("/api/runs/k/hands?hands=0"), UsageError);
}

TEST(ServeReports, ServesFilesOfTheFolderAndNoOthers) {
  const TempFolder outside, folder;
  const auto write = [&](const std::string& name, const std::string& text) {
    fs::create_directories((folder.path() / name).parent_path());
    write_bytes((folder.path() / name).string(), text);
  };
  write_bytes((outside.path() / "secret.txt").string(), "secret");
  write("cup final/report.html", "<title>The cup</title>");
  write("cup final/tournament.yaml", "a: 1");
  write("cup final/results.json", "{}");
  write("match.html", "<title>A match</title>");
  write(".hidden/report.html", "<title>Hidden</title>");
  write("program.exe", "x");
  fs::create_symlink(outside.path() / "secret.txt", folder.path() / "link.txt");
  fs::create_directory_symlink(outside.path(), folder.path() / "linked");
  const Served served(folder.path());
  const Json reports = served.json("/api/reports");
  ASSERT_EQ(reports.size(), 2U);
  for (const Json& report : reports) {
    const bool cup = report["name"] == "cup final";
    EXPECT_EQ(report["kind"], cup ? "tournament" : "analysis");
    EXPECT_EQ(report["title"], cup ? "The cup" : "A match");
    const WebAnswer page = served.answer(report["page"].get<std::string>() + "?token=x");
    EXPECT_EQ(page.body, fmt::format("<title>{}</title>", report["title"].get<std::string>()));
    EXPECT_TRUE(page.headers.at(0).second.starts_with("sandbox"));
  }
  EXPECT_EQ(served.answer("/files/cup%20final/results.json").body, "{}");
  for (const std::string& wrong :
       {std::string("/files/"), std::string("/files"), std::string("/files/link.txt"),
        std::string("/files/linked/secret.txt"), std::string("/files/.hidden/report.html"),
        std::string("/files/program.exe"), std::string("/files/cup%20final"), std::string("/files/none.txt"),
        "/files/../" + outside.path().filename().string() + "/secret.txt",
        "/files/%2e%2e/" + outside.path().filename().string() + "/secret.txt",
        "/files/" + (outside.path() / "secret.txt").string(), "/files//" + (outside.path() / "secret.txt").string()})
    EXPECT_THROW(served.answer(wrong), web::NotFound) << wrong;
}

TEST(ServeHistories, ReplaysHandsStepByStep) {
  const TempFolder folder;
  const Served served(folder.path());
  const std::string text = read_bytes(source_dir() + "/tests/frontends/phh/ours.phhs");
  const Json replay = served.json("/api/replay?hands=100", text);
  EXPECT_EQ(replay["errors"], Json::array());
  EXPECT_GT(replay["hands"].size(), 10U);
  std::size_t decisions = 0;
  for (const Json& hand : replay["hands"]) {
    if (hand["steps"].empty()) continue;
    Json events = Json::array();
    for (const Json& step : hand["steps"]) {
      events.insert(events.end(), step["events"].begin(), step["events"].end());
      const bool last = &step == &hand["steps"].back();
      EXPECT_EQ(step["decision"].is_null(), last) << hand["name"];
      if (last) continue;
      ++decisions;
      const Json& decision = step["decision"];
      EXPECT_TRUE(std::ranges::any_of(step["legal"], [&](const Json& legal) {
        return decision["index"].is_null() ? legal["index"].is_null() : legal["index"] == decision["index"];
      })) << step;
    }
    EXPECT_EQ(events, hand["events"]) << hand["name"];
    EXPECT_FALSE(hand["result"].empty());
  }
  EXPECT_GT(decisions, 100U);
  EXPECT_EQ(served.json("/api/replay?from=3&hands=2", text)["hands"][0]["number"], 3);
  const Json broken = served.json("/api/replay", "variant = 'FT'\n");
  EXPECT_EQ(broken["hands"], Json::array());
  EXPECT_FALSE(broken["errors"].empty());
  EXPECT_THROW(served.answer("/api/replay"), UsageError);
  // A hand must not make the server read an arbitrary file as a game.
  std::string path = text;
  for (std::size_t at = 0; (at = path.find("_game = '", at)) != path.npos;) path.replace(at += 9, 0, "/etc/");
  ASSERT_NE(path, text);
  EXPECT_THROW(served.answer("/api/replay", path), UsageError);
  EXPECT_THROW(served.answer("/api/analyse", path), UsageError);
}

TEST(ServeHistories, AnalysesAsTheCommandDoes) {
  const TempFolder folder;
  const std::string log = (folder.path() / "match.phhs").string();
  ASSERT_EQ(run_here({"match", "rule", "random", "--game", "leduc", "--deals", "3", "--log", log}).status, 0);
  const Served served(folder.path());
  const Json observed = served.json("/api/analyse?agent=default", read_bytes(log));
  const Json command = printed({"analyse", log, "--agent", "default", "--json"});
  EXPECT_EQ(observed["decisions"], command["decisions"]);
  EXPECT_FALSE(observed["decisions"].empty());
  EXPECT_EQ(observed["hands_in_file"], 6);
  EXPECT_THROW(served.answer("/api/analyse?agent=exec:true", read_bytes(log)), UsageError);
}

TEST(ServeCharts, TellWhatTheCommandsTell) {
  const TempFolder folder;
  const Served served(folder.path());
  EXPECT_EQ(served.json("/api/charts/preflop?game=holdem&agent=default&after=raise"),
            printed({"policy", "holdem", "--agent", "default", "--after", "raise", "--json"}));
  EXPECT_THROW(served.answer("/api/charts/preflop?game=ofc"), UsageError);
  EXPECT_EQ(served.json("/api/charts/starting-hands?game=razz&agent=rule&after=bet"),
            printed({"policy", "razz", "--agent", "rule", "--after", "bet", "--json"}));
  EXPECT_THROW(served.answer("/api/charts/starting-hands?game=holdem"), UsageError);
  EXPECT_EQ(served.json("/api/charts/openings?agent=random"),
            printed({"policy", "ofc", "--agent", "random", "--json"}));
  Json hands = printed({"hands", "court_tarot_54", "--json"});
  hands.erase("remarks");
  EXPECT_EQ(served.json("/api/hands?deck=court_tarot_54"), hands);
  EXPECT_THROW(served.answer("/api/hands?deck=../decks/standard_52"), UsageError);
  const Json opening = served.json("/api/charts/openings?cards=AsAhAdKsKh");
  std::size_t cards = 0;
  for (const Json& row : opening["best"]) cards += row.size();
  EXPECT_EQ(cards, 5U);
  EXPECT_GE(opening["value"], opening["second_value"]);
  EXPECT_EQ(served.json("/api/charts/openings?cards=7c7dAc2hAh")["cards"], "AhAc7d7c2h") << "suits stay as they are";
  const Json played = served.json("/api/charts/openings?agent=rule&cards=AsAhAdKsKh");
  EXPECT_FALSE(played.contains("second"));
  EXPECT_GE(played["fantasyland"], 0.0);
  for (const char* wrong : {"", "AsAh", "AsAsAsAsAs", "hello"})
    EXPECT_THROW(served.answer(std::string("/api/charts/openings?cards=") + wrong), UsageError) << wrong;
}

TEST(ServeCharts, EndWhereTheAgentThinksTooLong) {
  const GamePtr game = make_game("draw");
  const AgentFactoryPtr slow = cli::within(std::chrono::seconds(0), make_agents("random", game));
  EXPECT_THROW(cli::starting_hands_json(*game, "random", *slow, "", 1), UsageError);
  const AgentFactoryPtr quick = cli::within(std::chrono::hours(1), make_agents("random", game));
  EXPECT_EQ(cli::starting_hands_json(*game, "random", *quick, "", 1),
            cli::starting_hands_json(*game, "random", *make_agents("random", game), "", 1));
}

TEST(ServeAnalyser, AdvisesAndReviewsAtTheTable) {
  web::TableSetup setup = setup_of("ofc", {"me", "random"});
  setup.adviser = make_agents("default", setup.game);
  web::TableAnalyser analyser = cli::serve_analyser(setup);
  Sitting sitting(std::move(setup), std::move(analyser));
  const auto person = sitting.sit();
  sitting.settle();
  const Json request = person->last("request");
  sitting.table->take(0, {{"type", "advise"}, {"id", request["id"]}});
  sitting.settle();
  const Json advice = person->last("advice");
  EXPECT_EQ(advice["id"], request["id"]);
  EXPECT_EQ(advice["plays"].size(), 5U);
  EXPECT_EQ(advice["method"], "network");
  ASSERT_FALSE(advice["values"].empty());
  EXPECT_EQ(advice["chances"]["turns"][0]["turn"].size(), 5U);
  EXPECT_GE(advice["values"][0]["value"], advice["values"][1]["value"]);
  EXPECT_GT(advice["chances"]["foul"], 0);
  // The probabilities refer to the advised choice, which can be played.
  for (const Json& play : advice["plays"]) {
    sitting.table->take(0, {{"type", "answer"}, {"id", person->last("request")["id"]}, {"index", play["index"]}});
    sitting.settle();
  }
  for (; person->last("hand_over").is_null(); sitting.settle())
    sitting.table->take(0, answer_to(person->last("request"), 0));
  sitting.table->take(0, {{"type", "review"}});
  sitting.settle();
  const Json review = person->last("review");
  ASSERT_FALSE(review["decisions"].empty()) << review;
  EXPECT_EQ(review["decisions"][0]["loss"], 0);
  for (const Json& decision : review["decisions"]) EXPECT_EQ(decision["seat"], 0);
}

TEST(ServeAnalyser, ValuesTheFirstDecisionWhereEachIsATurn) {
  web::TableSetup setup = setup_of("draw", {"me", "rule:caller"});
  setup.adviser = make_agents("default", setup.game);
  web::TableAnalyser analyser = cli::serve_analyser(setup);
  Sitting sitting(std::move(setup), std::move(analyser));
  const auto person = sitting.sit();
  bool drew = false;
  for (sitting.settle(); person->last("hand_over").is_null(); sitting.settle()) {
    const Json request = person->last("request");
    sitting.table->take(0, {{"type", "advise"}, {"id", request["id"]}});
    sitting.settle();
    const Json advice = person->last("advice");
    const bool draws = request["legal"][0]["kind"] == "keep" || request["legal"][0]["kind"] == "discard";
    const auto numbered = std::ranges::count_if(request["legal"], [](const Json& c) { return !c["index"].is_null(); });
    EXPECT_EQ(std::ssize(advice["policy"]), numbered) << advice;
    if (!draws) {
      EXPECT_EQ(advice["plays"].size(), 1U) << advice;
    }
    ASSERT_FALSE(advice["values"].empty()) << advice;
    EXPECT_TRUE(std::ranges::any_of(request["legal"], [&](const Json& choice) {
      return choice["text"] == advice["values"][0]["text"];
    })) << advice;
    drew = drew || draws;
    EXPECT_TRUE(advice["chances"].contains(draws ? "discards" : "share")) << advice;
    sitting.table->take(0, answer_to(request, 1));
  }
  EXPECT_TRUE(drew);
}

}  // namespace
}  // namespace dealer::test::serve_test
