#include <csignal>

#include "tests/cli/run_dealer.h"
#include "tests/support/fake_agents.h"
#include "tests/support/well_formed.h"

namespace dealer::test::study_test {
namespace {

const Words kTwoTies = {"--sweep", "game.ties=nobody,first_mover"};

class StudyCommand : public CommandInFolder {
 protected:
  Words study_in(const std::string& out) const {
    return {"study", "seven_hand", "tries=0", "responses=0", "--out", at(out)};
  }
  ProgramResult study(const std::string& out, const Words& more) const { return run_here(joined(study_in(out), more)); }
};

TEST_F(StudyCommand, ListsTheStudies) {
  const ProgramResult list = run_here({"study"});
  EXPECT_EQ(list.status, 0) << list.err;
  expect_parts('\n' + list.out, {"\nseven_hand     7-Hand Poker: ", "\ncourt          Court Poker: "});
  const auto json = json_of({"study"});
  const auto seven =
      std::find_if(json.begin(), json.end(), [](const auto& row) { return row["name"] == "seven_hand"; });
  ASSERT_NE(seven, json.end());
  EXPECT_EQ((*seven)["game"], "seven_hand");
}

TEST_F(StudyCommand, WritesResultsAndReport) {
  const Words words = {"agent=random", "deals=30"};
  const std::string json = output_of(study("a", joined(words, {"--json", "--quiet"})));
  EXPECT_EQ(Json::parse(json), Json::parse(read("a/results.json")));
  EXPECT_EQ(xml_fault(read("a/report.html")), "");
  const std::string text = output_of(study("a", words), false);
  EXPECT_TRUE(text.starts_with("seven_hand: random against itself, 30 deals, 60 hands\n\n- ")) << text;
  expect_parts(text, {"\nreport  " + at("a/report.html") + "\n"});
}

TEST_F(StudyCommand, TellsOfEveryGame) {
  const std::string text = output_of({"study", "court", "--out", at("c"), "agent=random", "deals=20", "samples=10",
                                      "games=['court_extra[players=2]', court_color]", "--quiet"});
  EXPECT_TRUE(
      text.starts_with("court_extra[players=2]: random against itself, 20 deals, 20 hands\n"
                       "court_color: random against itself, 20 deals, 20 hands\n\n- "))
      << text;
  EXPECT_EQ(xml_fault(read("c/report.html")), "");
}

TEST_F(StudyCommand, RefusesMisuse) {
  const Words out = {"--out", at("x")};
  expect_refused({"study", "seven_hand"}, {{{}, "'dealer study': --out is missing; expected the folder of the results"},
                                           {{"--out", ""}, "expected the path of a folder"},
                                           {joined({"ofc"}, out), "'ofc' is not an override; expected key=value"},
                                           {joined({"deals=5", "deals=6"}, out), "'deals' is given twice"}});
  expect_refused({"study"}, {{out, "--out is given without a study; 'dealer study' lists them"},
                             {joined({"deals=5"}, out), "'deals=5' is not a study; expected the name of one"},
                             {joined({"seven"}, out), "there is no study 'seven'"}});
  EXPECT_FALSE(std::filesystem::exists(at("x")));
}

// One decision sends the program a signal.
TEST_F(StudyCommand, InterruptedItGoesOn) {
  for (const bool sweeps : {false, true}) {
    SCOPED_TRACE(sweeps);
    register_random_agent("signalling", [decisions = 0]() mutable {
      if (++decisions == 4000) std::raise(SIGINT);
    });
    const Words words = joined({"agent=signalling", "deals=200", "threads=1", "--quiet"}, sweeps ? kTwoTies : Words());
    const std::string first = sweeps ? "a" : "c", second = sweeps ? "b" : "d";
    const ProgramResult stopped = study(first, words);
    EXPECT_EQ(stopped.status, 130);
    EXPECT_EQ(stopped.out, "");
    std::smatch match;
    ASSERT_TRUE(std::regex_match(
        stopped.err, match,
        std::regex("dealer: stopped( in game.ties=nobody)? after ([0-9]+) of 200 deals; the same command continues\n")))
        << stopped.err;
    EXPECT_EQ(match[1].matched, sweeps);
    EXPECT_GT(std::stoi(match[2]), 10);
    EXPECT_FALSE(std::filesystem::exists(at(first + "/results.json")));
    for (const std::string& name : {first, second}) EXPECT_EQ(study(name, words).status, 0);
    EXPECT_EQ(read(first + "/results.json"), read(second + "/results.json"));
  }
}

TEST_F(StudyCommand, SweepsARule) {
  const Words words = joined({"agent=random", "deals=20", "--quiet"}, kTwoTies);
  const std::string json = output_of(study("a", joined(words, {"--json"})));
  EXPECT_EQ(Json::parse(json), Json::parse(read("a/results.json")));
  const std::string text = output_of(study("a", words));
  EXPECT_TRUE(
      text.starts_with("seven_hand[ties=nobody]: random against itself, 20 deals, 40 hands\n"
                       "seven_hand[ties=first_mover]: random against itself, 20 deals, 40 hands\n\n- "))
      << text;
  expect_parts(text, {"\nreport  " + at("a/report.html") + "\n"});
}

TEST_F(StudyCommand, RefusesSweeps) {
  const Words budget = joined(kTwoTies, {"--train-budget"});
  std::vector<Refused> cases = {
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

// The real trainer, stopped right after its start, then with few hands.
TEST_F(StudyCommand, TrainsForEachValue) {
  write("tiny.yaml",
        "extends: seven_hand\nhands: 100000000\nworkers: 1\nself_play: {tables: 4, turns_per_iteration: 8}\n"
        "learner: {batch: 32}\ncheckpoint: {every_hands: 100000000}\n");
  const std::string study = "study seven_hand tries=0 responses=0 deals=4 --quiet --out " + at("s") +
                            " --sweep game.ties=nobody,first_mover --train-budget 20s --train-config " +
                            at("tiny.yaml");
  const std::string run = at("s/runs/game.ties=nobody");
  const ProgramResult stopped = run_script("DEALER " + study + " >out 2>err & until [ -s '" + run +
                                           "/metrics.jsonl' ] || ! kill -0 $!; do sleep 0.05; "
                                           "done; kill -INT $!; wait $!");
  EXPECT_EQ(stopped.status, 130) << stopped.err;
  expect_parts(stopped.err,
               {"dealer: stopped in game.ties=nobody while its agent was trained; the same command continues\n"});
  EXPECT_FALSE(std::filesystem::is_empty(run + "/checkpoints"));
  // The first run continues with its own config, the second has none yet.
  for (const std::string& file : {run + "/config.yaml", at("tiny.yaml")})
    write_bytes(file, replaced(read_bytes(file), "hands: 100000000", "hands: 20"));
  const ProgramResult result = run_dealer(study + " --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const auto json = Json::parse(result.out);
  for (const auto& value : json["values"]) {
    expect_members(
        value["games"][0],
        {{"agent", at("s/runs/" + value["folder"].get<std::string>() + "/model.safetensors")}, {"other_rules", false}});
  }
  // No training or play is repeated: no training time, and the same results.
  std::filesystem::remove_all(at("s/runs/game.ties=first_mover/checkpoints"));
  EXPECT_EQ(run_dealer(study + " --json").out, result.out);
}

// docs/study-fields.md names exactly the fields of results.json.
TEST_F(StudyCommand, ItsPageHasEveryField) {
  std::set<std::string> fields;
  const std::vector<Words> studies = {
      {"seven_hand", "agent=random", "tries=8", "responses=2", "simulations=3"},
      {"draw", "agents=[random]", "checks=2"},
      {"washizu", "agents=[random]"},
      {"court", "agent=random", "samples=10", "games=['court_extra[players=2]', court_color]"}};
  for (const Words& each : studies) {
    const ProgramResult result =
        run_here(joined(joined({"study"}, each), {"--out", at(each[0]), "deals=4", "--quiet"}));
    ASSERT_EQ(result.status, 0) << result.err;
    collect_fields(Json::parse(read(each[0] + "/results.json")), fields);
  }
  ASSERT_EQ(study("swept", joined({"agent=random", "deals=4", "--quiet"}, kTwoTies)).status, 0);
  collect_fields(Json::parse(read("swept/results.json")), fields);
  const auto page = std::filesystem::path(source_dir()) / "docs/study-fields.md";
  EXPECT_EQ(first_columns(read_bytes(page)), fields);
}

}  // namespace
}  // namespace dealer::test::study_test
