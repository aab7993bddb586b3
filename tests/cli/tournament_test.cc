#include <csignal>
#include <filesystem>
#include <stdexcept>

#include "agents/nn/checkpoints.h"
#include "tests/cli/run_dealer.h"
#include "tests/support/fake_agents.h"
#include "tests/support/well_formed.h"

namespace dealer::tournament_test {
namespace {

namespace fs = std::filesystem;
using test::contains;
using test::expect_refused;
using test::joined;
using test::ProgramResult;
using test::run_here;
using test::Words;

class TournamentCommand : public test::CommandInFolder {
 protected:
  Words in(const std::string& out) const { return {"tournament", "--game", "kuhn", "--out", at(out), "--quiet"}; }
  ProgramResult play(const std::string& out, const Words& more) const { return run_here(joined(in(out), more)); }
};

TEST_F(TournamentCommand, PrintsAndWritesResults) {
  const ProgramResult result = play("a", {"random", "rule", "default", "--deals", "100", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json, nlohmann::json::parse(read("a/results.json")));
  EXPECT_EQ(json["agents"].size(), 3U);
  EXPECT_EQ(json["pairs"].size(), 3U);
  EXPECT_EQ(json["hands"], 600);
  EXPECT_EQ(test::xml_fault(read("a/report.html")), "");
  const ProgramResult text = play("a", {"random", "rule", "default", "--deals", "100"});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_TRUE(text.out.starts_with("kuhn: 3 agents, 3 pairs, 600 hands\n\n")) << text.out;
  EXPECT_TRUE(contains(text.out, "\n- Best: ")) << text.out;
  EXPECT_TRUE(contains(text.out, "\nreport  " + at("a/report.html") + "\n")) << text.out;
  const ProgramResult markdown = play("a", {"random", "rule", "default", "--deals", "100", "--markdown"});
  EXPECT_TRUE(markdown.out.starts_with("| | agent | chips/hand | Nash |\n|---|")) << markdown.out;
}

TEST_F(TournamentCommand, RefusesMisuse) {
  expect_refused(in("x"), {{{}, "no agent given; expected two agents or more, or --run RUN"},
                           {{"rule"}, "agent 'rule' alone given; a tournament needs two agents or more"},
                           {{"rule", "rule"}, "agent 'rule' is given twice"},
                           {{"rule", "random", "--format", "gauntlett"},
                            "did you mean 'gauntlet'?; formats: round_robin, gauntlet, knockout"},
                           {{"rule", "randm"}, "did you mean 'random'?"},
                           {{"rule", "random", "--deals", "1"}, "'1' is not allowed"},
                           {{"rule", "random", "--json", "--markdown"}, "--markdown"},
                           {{"--run", at("nothing")}, "has no checkpoint that can be loaded: expected files as ", 1}});
  expect_refused({"tournament", "random", "rule"}, {{{}, "--out is missing; expected the folder of the results"}});
  EXPECT_FALSE(fs::exists(at("x")));
}

TEST_F(TournamentCommand, RefusesAnotherTournamentInTheFolder) {
  const Words words = {"random", "rule", "--deals", "4"};
  ASSERT_EQ(play("a", words).status, 0);
  expect_refused(
      joined(in("a"), words),
      {{{"--seed", "9"}, "'" + at("a") + "' holds a tournament with 'seed: 0', not 'seed: 9'; expected a new folder"}});
  expect_refused({"tournament", "random", "rule", "--game", "leduc", "--out", at("a")},
                 {{{}, "holds a tournament with 'rules.game: kuhn', not 'rules.game: leduc'; expected a new folder"}});
}

TEST_F(TournamentCommand, ResultsThatWereAlteredAreNotBelieved) {
  ASSERT_EQ(play("a", {"random", "rule", "--deals", "4"}).status, 0);
  std::string pairs = test::read_bytes(at("a/pairs.txt"));
  pairs.replace(pairs.find("\"deals\":4"), 9, "\"deals\":3");
  test::write_bytes(at("a/pairs.txt"), pairs);
  const ProgramResult altered = play("a", {"random", "rule", "--deals", "4"});
  EXPECT_EQ(altered.status, 1);
  EXPECT_EQ(altered.err.find("dealer: " + at("a/pairs.txt") + ":5: lines 4 to 5 are not what was written: "), 0U)
      << altered.err;
  EXPECT_EQ(altered.err.find('\n'), altered.err.size() - 1) << "a line";
  EXPECT_EQ(test::read_bytes(at("a/pairs.txt")), pairs);
}

TEST_F(TournamentCommand, AFileThatHasChangedIsNoticed) {
  const fs::path models = fs::path(test::source_dir()) / "models";
  fs::copy_file(models / "solved_kuhn.safetensors", at("mine.safetensors"));
  const Words words = {at("mine.safetensors"), "rule", "--deals", "4"};
  ASSERT_EQ(play("a", words).status, 0);
  EXPECT_EQ(play("a", words).status, 0);
  // The same player, but other bytes.
  const std::string bytes = read("mine.safetensors");
  ASSERT_EQ(run_here({"solve", "kuhn", "--iterations", "3", "--out", at("mine.safetensors")}).status, 0);
  ASSERT_NE(read("mine.safetensors"), bytes);
  expect_refused(joined(in("a"), words), {{{},
                                           at("mine.safetensors") + " has changed; expected a new folder, or the "
                                                                    "agent as it was"}});
}

TEST_F(TournamentCommand, InterruptedItGoesOn) {
  test::register_random_agent("troubled", [decisions = 0]() mutable {
    if (++decisions == 500) std::raise(SIGTERM);
  });
  const Words words = {"random", "troubled", "rule", "--deals", "300", "--threads", "1"};
  const ProgramResult stopped = play("a", words);
  EXPECT_EQ(stopped.status, 143);
  EXPECT_EQ(stopped.out, "");
  EXPECT_EQ(stopped.err, "dealer: stopped after 0 of 3 pairs; the same command goes on\n");
  EXPECT_FALSE(fs::exists(at("a/results.json")));
  EXPECT_EQ(play("a", words).status, 0);
  EXPECT_EQ(play("b", words).status, 0);
  EXPECT_EQ(read("a/results.json"), read("b/results.json"));
}

TEST_F(TournamentCommand, TellsOfAnAgentThatFails) {
  const Words words = {"random", "troubled", "rule", "--deals", "100", "--threads", "1", "--json"};
  test::register_random_agent("troubled", [] { throw std::runtime_error("out of ideas"); });
  const ProgramResult failed = play("a", words);
  EXPECT_EQ(failed.status, 1);
  EXPECT_TRUE(std::regex_match(
      failed.err, std::regex("dealer: 2 of 3 pairs failed, the same command tries them again; '.*' against '.*': agent "
                             "'troubled' in seat [01] of deal 0: out of ideas\n")))
      << failed.err;
  const auto json = nlohmann::json::parse(failed.out);
  EXPECT_EQ(json, nlohmann::json::parse(read("a/results.json")));
  EXPECT_TRUE(json["agents"][2]["rating"].is_null());
  int whole = 0;
  for (const auto& pair : json["pairs"]) whole += pair["failure"].is_null() && pair["deals"] == 100 ? 1 : 0;
  EXPECT_EQ(whole, 1);
  test::register_random_agent("troubled", [] {});
  EXPECT_EQ(play("a", words).status, 0);
}

// A tiny training, twice: its checkpoints, the baselines, and those whose files are gone by then.
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
  const auto json = test::json_of(words);
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
  EXPECT_EQ(test::xml_fault(page), "");
  EXPECT_TRUE(contains(page, "<h2>Learning curve</h2>"));

  // The older one goes; what it has played stays, and an agent that comes does not meet it.
  fs::remove(checkpoints[1].path);
  const Words more = joined(words, {"rule:bold", "--json"});
  const ProgramResult second = run_here(more);
  ASSERT_EQ(second.status, 0) << second.err;
  const auto later = nlohmann::json::parse(second.out);
  EXPECT_EQ(later["curve"].size(), 2U);
  EXPECT_EQ(later["pairs"].size(), 14U);
  EXPECT_TRUE(later["nash"].is_null());
  for (const auto& pair : later["pairs"])
    EXPECT_FALSE((pair["a"] == older && pair["b"] == "rule:bold") || (pair["b"] == older && pair["a"] == "rule:bold"));

  // A checkpoint that cannot be read is left out and told; the newer one, already there, is missed no more than the
  // older.
  test::write_bytes(checkpoint_path(run, 7), "no weights");
  const ProgramResult third = run_here(more);
  EXPECT_EQ(third.status, 0);
  EXPECT_TRUE(contains(third.err, "dealer: left out: ")) << third.err;
  EXPECT_EQ(third.out, second.out);

  expect_refused({"tournament"}, {{{"--run", at("nowhere")}, "' is no training run: there is no "},
                                  {{"--run", run, "--format", "gauntlet"}, "--run: checkpoints play everybody"}});
}

// docs/tournaments.md names every field of results.json, and no other.
TEST_F(TournamentCommand, ItsPageHasEveryField) {
  std::set<std::string> fields = {"clear_by", "certain", "means", "step"};
  ASSERT_EQ(play("a", {"random", "rule", "--deals", "4"}).status, 0);
  test::collect_fields(nlohmann::json::parse(read("a/results.json")), fields);
  EXPECT_EQ(test::first_columns(test::read_bytes(fs::path(test::source_dir()) / "docs/tournaments.md")), fields);
}

}  // namespace
}  // namespace dealer::tournament_test
