#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "agents/agent_registry.h"
#include "agents/nn/checkpoints.h"
#include "agents/random_agent.h"
#include "tests/cli/run_dealer.h"
#include "tests/support/paths.h"
#include "tests/support/well_formed.h"

namespace dealer::tournament_test {
namespace {

namespace fs = std::filesystem;
using test::contains;
using test::ProgramResult;
using test::read_bytes;
using test::run_here;
using Words = std::vector<std::string>;

class TournamentCommand : public testing::Test {
 protected:
  std::string at(std::string_view name) const { return (folder_ / name).string(); }
  ProgramResult play(const std::string& out, const Words& more) const {
    Words words = {"tournament", "--game", "kuhn", "--out", at(out), "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return run_here(words);
  }
  static std::string refusal(const ProgramResult& result) {
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.out, "");
    return result.err;
  }
  test::TempFolder folder_;
};

TEST_F(TournamentCommand, PrintsAndWritesResults) {
  const ProgramResult result = play("a", {"random", "rule", "default", "--deals", "100", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json, nlohmann::json::parse(read_bytes(at("a/results.json"))));
  EXPECT_EQ(json["agents"].size(), 3U);
  EXPECT_EQ(json["pairs"].size(), 3U);
  EXPECT_EQ(json["hands"], 600);
  EXPECT_EQ(test::xml_fault(read_bytes(at("a/report.html"))), "");
  const ProgramResult text = play("a", {"random", "rule", "default", "--deals", "100"});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_TRUE(text.out.starts_with("kuhn: 3 agents, 3 pairs, 600 hands\n\n")) << text.out;
  EXPECT_TRUE(contains(text.out, "\n- Best: ")) << text.out;
  EXPECT_TRUE(contains(text.out, "\nreport  " + at("a/report.html") + "\n")) << text.out;
  const ProgramResult markdown = play("a", {"random", "rule", "default", "--deals", "100", "--markdown"});
  EXPECT_TRUE(markdown.out.starts_with("| | agent | chips/hand | Nash |\n|---|")) << markdown.out;
}

TEST_F(TournamentCommand, RefusesMisuseInOneLine) {
  EXPECT_EQ(refusal(run_here({"tournament", "random", "rule"})),
            "dealer: 'dealer tournament': --out is missing; expected the folder of the results\n");
  EXPECT_EQ(refusal(play("x", {})), "dealer: no agent given; expected two agents or more, or --run RUN\n");
  EXPECT_EQ(refusal(play("x", {"rule"})), "dealer: agent 'rule' alone given; a tournament needs two agents or more\n");
  EXPECT_EQ(refusal(play("x", {"rule", "rule"})),
            "dealer: agent 'rule' is given twice; an agent plays under one name\n");
  EXPECT_EQ(
      refusal(play("x", {"rule", "random", "--format", "gauntlett"})),
      "dealer: there is no format 'gauntlett'; did you mean 'gauntlet'?; formats: round_robin, gauntlet, knockout\n");
  EXPECT_TRUE(contains(refusal(play("x", {"rule", "randm"})), "did you mean 'random'?"));
  EXPECT_TRUE(contains(refusal(play("x", {"rule", "random", "--deals", "1"})), "'1' is not allowed"));
  EXPECT_TRUE(contains(refusal(play("x", {"rule", "random", "--json", "--markdown"})), "--markdown"));
  EXPECT_FALSE(fs::exists(at("x")));
  const ProgramResult no_run = play("x", {"--run", at("nothing")});
  EXPECT_EQ(no_run.status, 1);
  EXPECT_EQ(no_run.err, "dealer: '" + at("nothing") + "' has no checkpoint that can be loaded: expected files as " +
                            checkpoint_path(at("nothing"), 0).string() + "\n");
}

TEST_F(TournamentCommand, RefusesAnotherTournamentInTheFolder) {
  ASSERT_EQ(play("a", {"random", "rule", "--deals", "4"}).status, 0);
  EXPECT_EQ(refusal(play("a", {"random", "rule", "--deals", "4", "--seed", "9"})),
            "dealer: '" + at("a") +
                "' holds a tournament with 'seed: 0', not 'seed: 9'; expected a new folder, or the same config as in " +
                at("a") + "/tournament.yaml\n");
  EXPECT_EQ(
      refusal(run_here({"tournament", "random", "rule", "--game", "leduc", "--out", at("a")})),
      "dealer: '" + at("a") +
          "' holds a tournament with 'rules.game: kuhn', not 'rules.game: leduc'; expected a new folder, or the same "
          "config as in " +
          at("a") + "/tournament.yaml\n");
}

TEST_F(TournamentCommand, ResultsThatWereAlteredAreNotBelieved) {
  ASSERT_EQ(play("a", {"random", "rule", "--deals", "4"}).status, 0);
  std::string pairs = read_bytes(at("a/pairs.txt"));
  pairs.replace(pairs.find("\"deals\":4"), 9, "\"deals\":3");
  test::write_bytes(at("a/pairs.txt"), pairs);
  const ProgramResult altered = play("a", {"random", "rule", "--deals", "4"});
  EXPECT_EQ(altered.status, 1);
  EXPECT_EQ(altered.err.find("dealer: " + at("a/pairs.txt") + ":5: lines 4 to 5 are not what was written: "), 0U)
      << altered.err;
  EXPECT_EQ(altered.err.find('\n'), altered.err.size() - 1) << "a line";
  EXPECT_EQ(read_bytes(at("a/pairs.txt")), pairs);
}

TEST_F(TournamentCommand, AFileThatHasChangedIsNoticed) {
  const fs::path models = fs::path(test::source_dir()) / "models";
  fs::copy_file(models / "solved_kuhn.safetensors", at("mine.safetensors"));
  const Words words = {at("mine.safetensors"), "rule", "--deals", "4"};
  ASSERT_EQ(play("a", words).status, 0);
  EXPECT_EQ(play("a", words).status, 0);
  // The same player, but other bytes.
  std::string bytes = read_bytes(at("mine.safetensors"));
  ASSERT_EQ(run_here({"solve", "kuhn", "--iterations", "3", "--out", at("mine.safetensors")}).status, 0);
  ASSERT_NE(read_bytes(at("mine.safetensors")), bytes);
  EXPECT_EQ(refusal(play("a", words)),
            "dealer: agent '" + at("mine.safetensors") + "' is not what it was when it played in '" + at("a") +
                "': " + at("mine.safetensors") + " has changed; expected a new folder, or the agent as it was\n");
}

// Plays at random; it sends the program a signal, or fails, as it is told.
class Troubled final : public RandomAgent {
 public:
  static inline int signal_at = 0, fail_at = 0, decisions = 0;
  Decision act(const Observation& observation) override {
    ++decisions;
    if (decisions == signal_at) std::raise(SIGTERM);
    if (fail_at > 0 && decisions >= fail_at) throw std::runtime_error("out of ideas");
    return RandomAgent::act(observation);
  }
};

void register_troubled() {
  static const bool once = [] {
    register_agent_kind("troubled", {.make =
                                         [](const Spec& spec, const GamePtr&) {
                                           agent_options(spec).finish();
                                           return make_factory(to_string(spec),
                                                               [] { return std::make_unique<Troubled>(); });
                                         },
                                     .plays = {},
                                     .what = "has troubles",
                                     .recognises = {}});
    return true;
  }();
  static_cast<void>(once);
}

TEST_F(TournamentCommand, InterruptedItGoesOn) {
  register_troubled();
  const Words words = {"random", "troubled", "rule", "--deals", "300", "--threads", "1"};
  Troubled::decisions = Troubled::fail_at = 0;
  Troubled::signal_at = 500;
  const ProgramResult stopped = play("a", words);
  EXPECT_EQ(stopped.status, 143);
  EXPECT_EQ(stopped.out, "");
  EXPECT_EQ(stopped.err, "dealer: stopped after 0 of 3 pairs; the same command goes on\n");
  EXPECT_FALSE(fs::exists(at("a/results.json")));
  EXPECT_EQ(play("a", words).status, 0);
  EXPECT_EQ(play("b", words).status, 0);
  EXPECT_EQ(read_bytes(at("a/results.json")), read_bytes(at("b/results.json")));
}

TEST_F(TournamentCommand, TellsOfAnAgentThatFails) {
  register_troubled();
  const Words words = {"random", "troubled", "rule", "--deals", "100", "--threads", "1", "--json"};
  Troubled::decisions = Troubled::signal_at = 0;
  Troubled::fail_at = 1;
  const ProgramResult failed = play("a", words);
  EXPECT_EQ(failed.status, 1);
  EXPECT_TRUE(std::regex_match(
      failed.err, std::regex("dealer: 2 of 3 pairs failed, the same command tries them again; '.*' against '.*': agent "
                             "'troubled' in seat [01] of deal 0: out of ideas\n")))
      << failed.err;
  const auto json = nlohmann::json::parse(failed.out);
  EXPECT_EQ(json, nlohmann::json::parse(read_bytes(at("a/results.json"))));
  EXPECT_TRUE(json["agents"][2]["rating"].is_null());
  int whole = 0;
  for (const auto& pair : json["pairs"]) whole += pair["failure"].is_null() && pair["deals"] == 100 ? 1 : 0;
  EXPECT_EQ(whole, 1);
  Troubled::fail_at = 0;
  EXPECT_EQ(play("a", words).status, 0);
}

// A tiny training, twice: its checkpoints, the baselines, and those whose files are gone by then.
TEST_F(TournamentCommand, RatesTheCheckpointsOfARun) {
  test::write_bytes(at("tiny.yaml"), R"(
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
  const Words words = {"tournament", "--run", run, "--deals", "4", "--quiet", "--json"};
  const ProgramResult first = run_here(words);
  ASSERT_EQ(first.status, 0) << first.err;
  const auto json = nlohmann::json::parse(first.out);
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
  const std::string page = read_bytes(run + "/tournament/report.html");
  EXPECT_EQ(test::xml_fault(page), "");
  EXPECT_TRUE(contains(page, "<h2>Learning curve</h2>"));

  // The older one goes; what it has played stays, and an agent that comes does not meet it.
  fs::remove(checkpoints[1].path);
  Words more = words;
  more.emplace_back("rule:bold");
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

  EXPECT_EQ(refusal(run_here({"tournament", "--run", at("nowhere")})),
            "dealer: '" + at("nowhere") + "' is no training run: there is no " + at("nowhere") + "/config.yaml\n");
  EXPECT_EQ(refusal(run_here({"tournament", "--run", run, "--format", "gauntlet"})),
            "dealer: --run: checkpoints play everybody; expected --format round_robin\n");
}

// docs/tournaments.md names every field of results.json, and no other.
TEST_F(TournamentCommand, ItsPageHasEveryField) {
  std::set<std::string> fields = {"clear_by", "certain", "means", "step"}, told;
  ASSERT_EQ(play("a", {"random", "rule", "--deals", "4"}).status, 0);
  const auto collect = [&](const auto& self, const nlohmann::json& json) -> void {
    for (const auto& [name, value] : json.items()) {
      if (json.is_object()) fields.insert(name);
      if (value.is_structured()) self(self, value);
    }
  };
  collect(collect, nlohmann::json::parse(read_bytes(at("a/results.json"))));
  const std::string page = read_bytes(fs::path(test::source_dir()) / "docs/tournaments.md");
  const std::regex row("\n\\| (`[^|]*)\\|"), name("`([a-z_0-9]+)`");
  for (auto line = std::sregex_iterator(page.begin(), page.end(), row); line != std::sregex_iterator(); ++line) {
    const std::string first = (*line)[1];
    for (auto field = std::sregex_iterator(first.begin(), first.end(), name); field != std::sregex_iterator(); ++field)
      told.insert((*field)[1]);
  }
  EXPECT_EQ(told, fields);
}

}  // namespace
}  // namespace dealer::tournament_test
