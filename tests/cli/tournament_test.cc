#include <csignal>

#include "agents/nn/checkpoints.h"
#include "tests/cli/run_dealer.h"
#include "tests/support/fake_agents.h"
#include "tests/support/file_limit.h"
#include "tests/support/well_formed.h"

namespace dealer::test::tournament_test {
namespace {

class TournamentCommand : public CommandInFolder {
 protected:
  Words in(const std::string& out) const { return {"tournament", "--game", "kuhn", "--out", at(out), "--quiet"}; }
  ProgramResult play(const std::string& out, const Words& more) const { return run_here(joined(in(out), more)); }
};

TEST_F(TournamentCommand, PrintsAndWritesResults) {
  const Words words = {"random", "rule", "default", "--deals", "100"};
  const auto json = Json::parse(output_of(play("a", joined(words, {"--json"}))));
  EXPECT_EQ(json, Json::parse(read("a/results.json")));
  for (const char* each : {"agents", "pairs"}) EXPECT_EQ(json[each].size(), 3U);
  EXPECT_EQ(json["hands"], 600);
  EXPECT_EQ(xml_fault(read("a/report.html")), "");
  const std::string text = output_of(play("a", words));
  EXPECT_TRUE(text.starts_with("kuhn: 3 agents, 3 pairs, 600 hands\n\n")) << text;
  expect_parts(text,
               {"\n- Least exploitable: ", "\n- Wins most on average: ", "\nreport  " + at("a/report.html") + "\n"});
  const std::string markdown = play("a", joined(words, {"--markdown"})).out;
  EXPECT_TRUE(markdown.starts_with("| | agent | chips/hand | Nash |\n|---|")) << markdown;
}

TEST_F(TournamentCommand, RefusesMisuse) {
  expect_refused(in("x"),
                 {{{}, "no agent given; expected two agents or more, or --run RUN"},
                  {{"rule"}, "agent 'rule' alone given; a tournament needs two agents or more"},
                  {{"rule", "rule"}, "agent 'rule' is given twice"},
                  {{"rule", "random", "--format", "gauntlett"},
                   "did you mean 'gauntlet'?; formats: round_robin, gauntlet, knockout"},
                  {{"rule", "randm"}, "did you mean 'random'?"},
                  {{"rule", "random", "--deals", "1"}, "'1' is not allowed"},
                  {{"rule", "random", "--json", "--markdown"}, "--markdown"},
                  {{"--run", at("nothing")}, "has no checkpoint that can be loaded: expected files such as ", 1}});
  expect_refused({"tournament", "random", "rule"}, {{{}, "--out is missing; expected the folder of the results"}});
  EXPECT_FALSE(fs::exists(at("x")));
}

TEST_F(TournamentCommand, RefusesAnotherTournamentInTheFolder) {
  const Words words = {"random", "rule", "--deals", "4"};
  output_of(play("a", words));
  expect_refused(joined(in("a"), words), {{{"--seed", "9"}, "holds a tournament with 'seed: 0', not 'seed: 9'"}});
}

TEST_F(TournamentCommand, InterruptedItGoesOn) {
  register_random_agent("troubled", [decisions = 0]() mutable {
    if (++decisions == 500) std::raise(SIGTERM);
  });
  const Words words = {"random", "troubled", "rule", "--deals", "300", "--threads", "1"};
  const ProgramResult stopped = play("a", words);
  EXPECT_EQ(stopped.status, 143);
  EXPECT_EQ(stopped.out, "");
  EXPECT_EQ(stopped.err, "dealer: stopped after 0 of 3 pairs; the same command continues\n");
  EXPECT_FALSE(fs::exists(at("a/results.json")));
  EXPECT_EQ(play("a", words).status, 0);
  EXPECT_EQ(play("b", words).status, 0);
  EXPECT_EQ(read("a/results.json"), read("b/results.json"));
}

TEST_F(TournamentCommand, TellsOfAnAgentThatFails) {
  const Words words = {"random", "troubled", "rule", "--deals", "100", "--threads", "1", "--json"};
  register_random_agent("troubled", [] { throw std::runtime_error("out of ideas"); });
  const ProgramResult failed = play("a", words);
  EXPECT_EQ(failed.status, 1);
  EXPECT_TRUE(std::regex_match(
      failed.err, std::regex("dealer: 2 of 3 pairs failed, and the same command tries again; '.*' against '.*': agent "
                             "'troubled' in seat [01] of deal 0: out of ideas\n")))
      << failed.err;
  const auto json = Json::parse(failed.out);
  EXPECT_EQ(json, Json::parse(read("a/results.json")));
  EXPECT_TRUE(json["agents"][2]["rating"].is_null());
  int whole = 0;
  for (const auto& pair : json["pairs"]) whole += pair["failure"].is_null() && pair["deals"] == 100 ? 1 : 0;
  EXPECT_EQ(whole, 1);
  register_random_agent("troubled", [] {});
  EXPECT_EQ(play("a", words).status, 0);
}

// A tiny training, twice: its checkpoints, the baselines, and checkpoints whose files are gone by then.
TEST_F(TournamentCommand, RatesTheCheckpointsOfARun) {
  write("tiny.yaml", R"(
algorithm: afterstate_td
game: ofc
hands: 300
workers: 1
self_play: {tables: 8, turns_per_iteration: 20}
learner: {hidden_sizes: [16, 8], batch: 64}
checkpoint: {every_hands: 100, keep: 2}
evaluation: {every_hands: 150, deals: 2, final_deals: 2, opponents: [random]}
)");
  const std::string run = at("run");
  ASSERT_EQ(run_here({"train", at("tiny.yaml"), "--out", run, "--quiet"}).status, 0);
  const auto checkpoints = list_checkpoints(run);
  ASSERT_EQ(checkpoints.size(), 2U);
  const Words words = {"tournament", "--run", run, "--deals", "4", "--quiet"};
  const auto json = json_of(words);
  EXPECT_EQ(json["game"], "ofc");
  EXPECT_EQ(json["pairs"].size(), 10U);
  std::set<std::string> names;
  for (const auto& agent : json["agents"]) names.insert(agent["name"]);
  const std::string older = "step " + std::to_string(checkpoints[1].step);
  const std::string newer = "step " + std::to_string(checkpoints[0].step);
  EXPECT_EQ(names, (std::set<std::string>{older, newer, "random", "rule", "default"}));
  ASSERT_EQ(json["curve"].size(), 2U);
  EXPECT_EQ(json["curve"][0]["step"], checkpoints[1].step);
  EXPECT_EQ(json["curve"][1]["step"], checkpoints[0].step);
  const std::string page = read("run/tournament/report.html");
  EXPECT_EQ(xml_fault(page), "");
  EXPECT_TRUE(contains(page, "<h2>Learning curve</h2>"));

  // The older one leaves; its results stay, and a new agent does not meet it.
  fs::remove(checkpoints[1].path);
  const Words more = joined(words, {"rule:bold", "--json"});
  const ProgramResult second = run_here(more);
  ASSERT_EQ(second.status, 0) << second.err;
  const auto later = Json::parse(second.out);
  EXPECT_EQ(later["curve"].size(), 2U);
  EXPECT_EQ(later["pairs"].size(), 14U);
  EXPECT_TRUE(later["nash"].is_null());
  for (const auto& pair : later["pairs"])
    EXPECT_FALSE((pair["a"] == older && pair["b"] == "rule:bold") || (pair["b"] == older && pair["a"] == "rule:bold"));

  // An unreadable checkpoint is left out and reported; the newer one, already there, is handled like the
  // older.
  write_bytes(checkpoint_path(run, 7), "no weights");
  const ProgramResult third = run_here(more);
  EXPECT_EQ(third.status, 0);
  EXPECT_TRUE(contains(third.err, "dealer: left out: ")) << third.err;
  EXPECT_EQ(third.out, second.out);

  expect_refused({"tournament"}, {{{"--run", at("nowhere")}, "' is not a training run: there is no "},
                                  {{"--run", run, "--format", "gauntlet"}, "--run: checkpoints play everybody"}});
}

// docs/json-fields.md names exactly the fields of results.json.
TEST_F(TournamentCommand, ItsPageHasEveryField) {
  std::set<std::string> fields = {"clear_by", "certain", "means", "step"};
  ASSERT_EQ(play("a", {"random", "rule", "--deals", "4"}).status, 0);
  collect_fields(Json::parse(read("a/results.json")), fields);
  EXPECT_EQ(first_columns(read_bytes(fs::path(source_dir()) / "docs/json-fields.md")), fields);
}

// dealer tournament … --format knockout

const Words kKnockout = words_in("tournament random random --format knockout --players 4 --game holdem --quiet");

class KnockoutCommand : public CommandInFolder {
 protected:
  static ProgramResult knockout(const Words& more) { return run_here(joined(kKnockout, more)); }
};

TEST_F(KnockoutCommand, PrintsPlacesAndWritesTheReport) {
  const std::string text =
      output_of(knockout({"--tournaments", "3", "--stack", "300", "--out", at("a/b"), "--hands-log", at("hands.txt")}));
  EXPECT_TRUE(
      text.starts_with("holdem: knockout of 4 players at tables of at most 6, 300 chips each; bets, blinds and antes "
                       "double after every 10 hands\n3 tournaments in every seating, "))
      << text;
  expect_parts(text, {"\nrandom  2.50 (no interval)  25% (no interval)\n",
                      "\nsome intervals are unknown: all tournaments gave the same number there\n"});
  EXPECT_TRUE(text.ends_with("\nreport  " + at("a/b/report.html") + "\n"));
  EXPECT_EQ(xml_fault(read("a/b/report.html")), "");
  const auto results = Json::parse(read("a/b/results.json"));
  expect_members(results, {{"format", "knockout"}, {"tournaments", 3}, {"games", 6}});
  EXPECT_EQ(results["agents"].size(), 2U);
  EXPECT_EQ(results["agents"][0]["places"].size(), 4U);
  expect_parts(read("hands.txt"), {"tournament 2, seating 1: 0 random"});
}

TEST_F(KnockoutCommand, SameSeedSameResult) {
  const auto played = [](const Words& more) {
    return timeless_json_of(joined(kKnockout, joined({"--tournaments", "4"}, more)));
  };
  const auto one = played({"--seed", "7", "--threads", "1"});
  EXPECT_EQ(one, played({"--seed", "7", "--threads", "2"}));
  EXPECT_NE(one["table_hands"], played({"--seed", "8"})["table_hands"]);
  EXPECT_EQ(one["seed"], 7);
  EXPECT_EQ(played({"--no-duplicate"})["games"], 4);
  EXPECT_EQ(played({"--max-hands", "2", "--stack", "10000"})["undecided"], 8);
  EXPECT_EQ(played({"--raise-every", "3", "--table-size", "2"})["raise_every"], 3);
}

TEST_F(KnockoutCommand, RefusesMisuse) {
  expect_refused(kKnockout, {{{"rule", "rule", "rule"}, "4 players of 5 agents; expected a multiple of 5"},
                             {{"--table-size", "11"}, "--table-size"},
                             {{"--tournaments", "0"}, "--tournaments"},
                             {{"--stack", "9999999"}, "stack"},
                             {{"no_agent", "rule", "--out", at("none"), "--hands-log", at("none.txt")},
                              "agent 'no_agent' cannot play this tournament, in which tables of"}});
  // No files were written for it.
  EXPECT_FALSE(std::filesystem::exists(at("none")));
  EXPECT_FALSE(std::filesystem::exists(at("none.txt")));
  refusal({"tournament", "random", "random", "--format", "knockout", "--players", "4", "--game", "kuhn"});
  const ProgramResult file = knockout({"--tournaments", "1", "--out", "/dev/null/x"});
  EXPECT_EQ(file.status, 1);
  EXPECT_TRUE(contains(file.err, "cannot make folder /dev/null/x: ")) << file.err;
}

TEST_F(KnockoutCommand, InterruptedItGoesOn) {
  int decisions = 0;
  register_random_agent("signalling", [&] {
    if (++decisions == 500) std::raise(SIGINT);
  });
  const auto play = [&](const std::string& name, const std::string& log, const Words& more = {}) {
    Words words = words_in(
        "tournament random signalling --format knockout --players 4 --game holdem --quiet "
        "--tournaments 40 --stack 300 --threads 1 --out");
    return run_here(joined(joined(words, {at(name), "--hands-log", at(log)}), more));
  };
  const ProgramResult stopped = play("a", "a.txt");
  EXPECT_EQ(stopped.status, 130);
  std::smatch match;
  ASSERT_TRUE(std::regex_match(stopped.err, match,
                               std::regex("dealer: interrupted after ([0-9]+) of 40 tournaments; the result covers "
                                          "these, the same command continues\n")))
      << stopped.err;
  EXPECT_GT(std::stoi(match[1]), 1);
  expect_parts(stopped.out, {"\n" + match[1].str() + " tournaments in every seating, "});
  EXPECT_EQ(Json::parse(read("a/results.json"))["interrupted"], true);
  // A log without their hands.
  const ProgramResult other = play("a", "other.txt");
  EXPECT_EQ(other.status, 2);
  EXPECT_EQ(other.err, "dealer: --hands-log '" + at("other.txt") + "': it lacks hands of the tournaments in '" +
                           at("a") + "'; omit it, or start again in another folder\n");
  EXPECT_FALSE(std::filesystem::exists(at("other.txt")));
  // An unrelated file of the same length: it stays unchanged.
  const std::string letter(read("a.txt").size() + 100, 'x');
  test::write_bytes(at("letter.txt"), letter);
  EXPECT_EQ(play("a", "letter.txt").status, 2);
  EXPECT_EQ(read("letter.txt"), letter);
  for (const std::string name : {"a", "b"}) EXPECT_EQ(play(name, name + ".txt").status, 0);
  for (const std::string file : {"/results.json", "/report.html", "/tournaments.txt", "/knockout.yaml", ".txt"})
    EXPECT_EQ(read("a" + file), read("b" + file)) << file;
  // Prints the result again, without playing a hand.
  const int before = decisions;
  auto json = Json::parse(play("a", "a.txt", {"--json"}).out);
  EXPECT_EQ(decisions, before);
  json.erase("seconds");
  EXPECT_EQ(json, Json::parse(read("a/results.json")));
  EXPECT_EQ(read("a.txt"), read("b.txt"));
}

TEST_F(KnockoutCommand, HandsThatWereNeverLoggedAreMissed) {
  output_of(knockout({"--tournaments", "1", "--out", at("a")}));
  const std::string letter(100'000, 'x');
  write("hands.txt", letter);
  expect_refused(kKnockout, {{{"--tournaments", "2", "--out", at("a"), "--hands-log", at("hands.txt")},
                              "it lacks hands of the tournaments in '" + at("a") + "'"}});
  EXPECT_EQ(read("hands.txt"), letter);
}

TEST_F(KnockoutCommand, RefusesTheFolderOfSomethingElse) {
  output_of({"tournament", "random", "rule", "--game", "kuhn", "--deals", "10", "--out", at("pairs")});
  expect_refused(kKnockout, {{{"--tournaments", "1", "--out", at("pairs")},
                              " but no knockout; expected a new folder, or the folder of this knockout"}});
  output_of(knockout({"--tournaments", "1", "--out", at("knockout")}));
  refusal({"tournament", "random", "rule", "--game", "kuhn", "--out", at("knockout")});
}

TEST_F(KnockoutCommand, AFullDiskLosesNoResult) {
  const Words words = {"--tournaments", "3", "--out", at("a")};
  {
    const FileLimit limit(4000);
    const ProgramResult full = knockout(words);
    EXPECT_EQ(full.status, 1);
    EXPECT_TRUE(full.out.starts_with("holdem: knockout of 4 players")) << full.out;
    EXPECT_FALSE(contains(full.out, "report.html"));
    EXPECT_TRUE(full.err.starts_with("dealer: cannot write " + at("a/report.html") + ": ")) << full.err;
  }
  EXPECT_EQ(knockout(words).status, 0);
  EXPECT_TRUE(std::filesystem::exists(at("a/results.json")));
}

}  // namespace
}  // namespace dealer::test::tournament_test
