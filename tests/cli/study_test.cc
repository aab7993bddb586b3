#include <csignal>
#include <filesystem>

#include "tests/cli/run_dealer.h"
#include "tests/support/fake_agents.h"
#include "tests/support/well_formed.h"

namespace dealer::study_test {
namespace {

using test::contains;
using test::expect_refused;
using test::joined;
using test::ProgramResult;
using test::run_here;
using test::Words;

const Words kTwoTies = {"--sweep", "game.ties=nobody,first_mover"};

class StudyCommand : public test::CommandInFolder {
 protected:
  Words study_in(const std::string& out) const {
    return {"study", "seven_hand", "tries=0", "responses=0", "--out", at(out)};
  }
  ProgramResult study(const std::string& out, const Words& more) const { return run_here(joined(study_in(out), more)); }
};

TEST_F(StudyCommand, ListsTheStudies) {
  const ProgramResult list = run_here({"study"});
  EXPECT_EQ(list.status, 0) << list.err;
  EXPECT_TRUE(contains('\n' + list.out, "\nseven_hand     7-Hand Poker: ")) << list.out;
  EXPECT_TRUE(contains('\n' + list.out, "\ncourt          Court Poker: ")) << list.out;
  const auto json = test::json_of({"study"});
  const auto seven =
      std::find_if(json.begin(), json.end(), [](const auto& row) { return row["name"] == "seven_hand"; });
  ASSERT_NE(seven, json.end());
  EXPECT_EQ((*seven)["game"], "seven_hand");
}

TEST_F(StudyCommand, WritesResultsAndReport) {
  const ProgramResult result = study("a", {"agent=random", "deals=30", "--json", "--quiet"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(nlohmann::json::parse(result.out), nlohmann::json::parse(read("a/results.json")));
  EXPECT_EQ(test::xml_fault(read("a/report.html")), "");
  const ProgramResult text = study("a", {"agent=random", "deals=30"});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_TRUE(text.out.starts_with("seven_hand: random against itself, 30 deals, 60 hands\n\n- ")) << text.out;
  EXPECT_TRUE(contains(text.out, "\nreport  " + at("a/report.html") + "\n"));
}

TEST_F(StudyCommand, TellsOfEveryGame) {
  const ProgramResult text = run_here({"study", "court", "--out", at("c"), "agent=random", "deals=20", "samples=10",
                                       "games=['court_extra[players=2]', court_color]", "--quiet"});
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_TRUE(
      text.out.starts_with("court_extra[players=2]: random against itself, 20 deals, 20 hands\n"
                           "court_color: random against itself, 20 deals, 20 hands\n\n- "))
      << text.out;
  EXPECT_EQ(test::xml_fault(read("c/report.html")), "");
}

TEST_F(StudyCommand, RefusesMisuse) {
  const Words out = {"--out", at("x")};
  expect_refused({"study", "seven_hand"}, {{{}, "'dealer study': --out is missing; expected the folder of the results"},
                                           {{"--out", ""}, "expected the path of a folder"},
                                           {joined({"ofc"}, out), "'ofc' is no override; expected key=value"},
                                           {joined({"deals=5", "deals=6"}, out), "'deals' is given twice"}});
  expect_refused({"study"}, {{out, "--out is given without a study; 'dealer study' lists them"},
                             {joined({"deals=5"}, out), "'deals=5' is no study; expected the name of one"},
                             {joined({"seven"}, out), "there is no study 'seven'"}});
  EXPECT_FALSE(std::filesystem::exists(at("x")));
}

// One decision sends the program a signal.
TEST_F(StudyCommand, InterruptedItGoesOn) {
  test::register_random_agent("signalling", [decisions = 0]() mutable {
    if (++decisions == 4000) std::raise(SIGINT);
  });
  const Words words = {"agent=signalling", "deals=200", "threads=1", "--quiet"};
  const ProgramResult stopped = study("a", words);
  EXPECT_EQ(stopped.status, 130);
  EXPECT_EQ(stopped.out, "");
  std::smatch match;
  ASSERT_TRUE(std::regex_match(stopped.err, match,
                               std::regex("dealer: stopped after ([0-9]+) of 200 deals; the same command goes on\n")))
      << stopped.err;
  EXPECT_GT(std::stoi(match[1]), 10);
  EXPECT_FALSE(std::filesystem::exists(at("a/results.json")));
  EXPECT_EQ(study("a", words).status, 0);
  EXPECT_EQ(study("b", words).status, 0);
  EXPECT_EQ(read("a/results.json"), read("b/results.json"));
}

TEST_F(StudyCommand, SweepsARule) {
  const Words words = joined({"agent=random", "deals=20", "--quiet"}, kTwoTies);
  const ProgramResult result = study("a", joined(words, {"--json"}));
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(nlohmann::json::parse(result.out), nlohmann::json::parse(read("a/results.json")));
  const ProgramResult text = study("a", words);
  EXPECT_TRUE(
      text.out.starts_with("seven_hand[ties=nobody]: random against itself, 20 deals, 40 hands\n"
                           "seven_hand[ties=first_mover]: random against itself, 20 deals, 40 hands\n\n- "))
      << text.out;
  EXPECT_TRUE(contains(text.out, "\nreport  " + at("a/report.html") + "\n"));
}

TEST_F(StudyCommand, RefusesSweeps) {
  const Words budget = joined(kTwoTies, {"--train-budget"});
  std::vector<test::Refused> cases = {
      {joined(kTwoTies, {"--sweep", "game.margin=true,false"}), "--sweep is given twice"},
      {{"--train-budget", "10m"}, "--train-budget is given without --sweep"},
      {joined(kTwoTies, {"--train-config", "seven_hand"}), "--train-config is given without --train-budget"},
      {joined(budget, {"10m", "--train-config", "seven_hnd"}), "did you mean 'seven_hand'?"},
      {{"--sweep", "game.tise=nobody,first_mover"}, "did you mean 'ties'?"}};
  for (const std::string time : {"10", "m", "0s", "-5m", "1d", "1e9h", "nans"})
    cases.push_back(
        {joined(budget, {time}),
         "--train-budget: '" + time + "' is not allowed; expected a time for each value, as 90s, 10m or 2h"});
  expect_refused(study_in("x"), cases);
  expect_refused(joined({"study", "seven_hand"}, kTwoTies),
                 {{{}, "--out is missing"},
                  {{"--train-budget", "1m", "--out", at("x[a]")}, "cannot be part of the name of an agent"}});
  expect_refused(joined({"study"}, kTwoTies), {{{}, "--sweep is given without a study"}});
  EXPECT_FALSE(std::filesystem::exists(at("x")));
}

TEST_F(StudyCommand, AnInterruptedSweepGoesOn) {
  test::register_random_agent("signalling", [decisions = 0]() mutable {
    if (++decisions == 4000) std::raise(SIGINT);
  });
  const Words words = joined({"agent=signalling", "deals=150", "threads=1", "--quiet"}, kTwoTies);
  const ProgramResult stopped = study("a", words);
  EXPECT_EQ(stopped.status, 130);
  EXPECT_TRUE(std::regex_match(
      stopped.err,
      std::regex("dealer: stopped in game.ties=nobody after [0-9]+ of 150 deals; the same command goes on\n")))
      << stopped.err;
  EXPECT_EQ(study("a", words).status, 0);
  EXPECT_EQ(study("b", words).status, 0);
  EXPECT_EQ(read("a/results.json"), read("b/results.json"));
}

// The real trainer, stopped as soon as it has begun, then with few hands.
TEST_F(StudyCommand, TrainsForEachValue) {
  write("tiny.yaml",
        "extends: seven_hand\nhands: 100000000\nworkers: 1\nself_play: {tables: 4, turns_per_iteration: 8}\n"
        "learner: {batch: 32}\ncheckpoint: {every_hands: 100000000}\n");
  const std::string study = "study seven_hand tries=0 responses=0 deals=4 --quiet --out " + at("s") +
                            " --sweep game.ties=nobody,first_mover --train-budget 20s --train-config " +
                            at("tiny.yaml");
  const std::string run = at("s/runs/game.ties=nobody");
  const ProgramResult stopped = test::run_script("DEALER " + study + " >out 2>err & until [ -s '" + run +
                                                 "/metrics.jsonl' ] || ! kill -0 $!; do sleep 0.05; "
                                                 "done; kill -INT $!; wait $!");
  EXPECT_EQ(stopped.status, 130) << stopped.err;
  EXPECT_TRUE(contains(stopped.err,
                       "dealer: stopped in game.ties=nobody while its agent was trained; the same command goes on\n"))
      << stopped.err;
  EXPECT_FALSE(std::filesystem::is_empty(run + "/checkpoints"));
  // The first goes on with its own config, the second has none yet.
  for (const std::string& file : {run + "/config.yaml", at("tiny.yaml")})
    test::write_bytes(file, test::replaced(test::read_bytes(file), "hands: 100000000", "hands: 20"));
  const ProgramResult result = test::run_dealer(study + " --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  for (const auto& value : json["values"]) {
    EXPECT_EQ(value["games"][0]["agent"], at("s/runs/" + value["folder"].get<std::string>() + "/model.safetensors"));
    EXPECT_EQ(value["games"][0]["other_rules"], false);
  }
  // Nothing is trained or played again: without a trainer's time, and with the same results.
  std::filesystem::remove_all(at("s/runs/game.ties=first_mover/checkpoints"));
  EXPECT_EQ(test::run_dealer(study + " --json").out, result.out);
}

// docs/studies.md names every field of results.json, and no other.
TEST_F(StudyCommand, ItsPageHasEveryField) {
  std::set<std::string> fields;
  const std::vector<Words> studies = {
      {"seven_hand", "agent=random", "tries=8", "responses=2", "simulations=3"},
      {"draw", "agents=[random]"},
      {"washizu", "agents=[random]"},
      {"court", "agent=random", "samples=10", "games=['court_extra[players=2]', court_color]"}};
  for (const Words& each : studies) {
    const ProgramResult result =
        run_here(joined(joined({"study"}, each), {"--out", at(each[0]), "deals=4", "--quiet"}));
    ASSERT_EQ(result.status, 0) << result.err;
    test::collect_fields(nlohmann::json::parse(read(each[0] + "/results.json")), fields);
  }
  ASSERT_EQ(study("swept", joined({"agent=random", "deals=4", "--quiet"}, kTwoTies)).status, 0);
  test::collect_fields(nlohmann::json::parse(read("swept/results.json")), fields);
  const auto page = std::filesystem::path(test::source_dir()) / "docs/studies.md";
  EXPECT_EQ(test::first_columns(test::read_bytes(page)), fields);
}

}  // namespace
}  // namespace dealer::study_test
