#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "agents/agent_registry.h"
#include "agents/random_agent.h"
#include "tests/cli/command_in_folder.h"
#include "tests/support/paths.h"
#include "tests/support/well_formed.h"

namespace dealer::study_test {
namespace {

using test::contains;
using test::ProgramResult;
using test::read_bytes;
using test::run_here;
using test::Words;

class StudyCommand : public test::CommandInFolder {
 protected:
  ProgramResult study(const std::string& out, const Words& more) const {
    return run({"study", "seven_hand", "tries=0", "responses=0", "--out", at(out)}, more);
  }
};

TEST_F(StudyCommand, ListsTheStudies) {
  const ProgramResult list = run_here({"study"});
  EXPECT_EQ(list.status, 0) << list.err;
  EXPECT_TRUE(contains('\n' + list.out, "\nseven_hand     7-Hand Poker: ")) << list.out;
  EXPECT_TRUE(contains('\n' + list.out, "\ncourt          Court Poker: ")) << list.out;
  const auto json = nlohmann::json::parse(run_here({"study", "--json"}).out);
  const auto seven =
      std::find_if(json.begin(), json.end(), [](const auto& row) { return row["name"] == "seven_hand"; });
  ASSERT_NE(seven, json.end());
  EXPECT_EQ((*seven)["game"], "seven_hand");
}

TEST_F(StudyCommand, WritesResultsAndReport) {
  const ProgramResult result = study("a", {"agent=random", "deals=30", "--json", "--quiet"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(nlohmann::json::parse(result.out), nlohmann::json::parse(read_bytes(at("a/results.json"))));
  EXPECT_EQ(test::xml_fault(read_bytes(at("a/report.html"))), "");
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
  EXPECT_EQ(test::xml_fault(read_bytes(at("c/report.html"))), "");
}

TEST_F(StudyCommand, RefusesMisuseInOneLine) {
  const auto refusal = [](const Words& words) {
    const ProgramResult result = run_here(words);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  EXPECT_EQ(refusal({"study", "seven_hand"}),
            "dealer: 'dealer study': --out is missing; expected the folder of the results\n");
  EXPECT_EQ(refusal({"study", "--out", at("x")}),
            "dealer: 'dealer study': --out is given without a study; 'dealer study' lists them\n");
  EXPECT_EQ(refusal({"study", "deals=5", "--out", at("x")}),
            "dealer: 'deals=5' is no study; expected the name of one before its overrides\n");
  EXPECT_EQ(refusal({"study", "seven_hand", "ofc", "--out", at("x")}),
            "dealer: 'ofc' is no override; expected key=value after the study\n");
  EXPECT_EQ(refusal({"study", "seven_hand", "deals=5", "deals=6", "--out", at("x")}),
            "dealer: override 'deals=6': 'deals' is given twice: there is override 'deals=5' already\n");
  EXPECT_TRUE(contains(refusal({"study", "seven", "--out", at("x")}), "there is no study 'seven'"));
  EXPECT_TRUE(contains(refusal({"study", "seven_hand", "--out", ""}), "expected the path of a folder"));
  EXPECT_FALSE(std::filesystem::exists(at("x")));
}

// Plays at random; one of its decisions sends the program a signal.
class Signalling final : public RandomAgent {
 public:
  explicit Signalling(int* decisions) : decisions_(decisions) {}
  Decision act(const Observation& observation) override {
    if (++*decisions_ == 4000) std::raise(SIGINT);
    return RandomAgent::act(observation);
  }

 private:
  int* decisions_;
};

void register_signalling(const std::string& name, int* decisions) {
  register_agent_kind(name, {.make =
                                 [decisions](const Spec& spec, const GamePtr&) {
                                   agent_options(spec).finish();
                                   return make_factory(to_string(spec),
                                                       [decisions] { return std::make_unique<Signalling>(decisions); });
                                 },
                             .plays = {},
                             .what = "sends a signal",
                             .recognises = {}});
}

TEST_F(StudyCommand, InterruptedItGoesOn) {
  static int decisions = 0;
  register_signalling("signalling", &decisions);
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
  EXPECT_EQ(read_bytes(at("a/results.json")), read_bytes(at("b/results.json")));
}

TEST_F(StudyCommand, SweepsARule) {
  const Words words = {"agent=random", "deals=20", "--quiet", "--sweep", "game.ties=nobody,first_mover"};
  Words json = words;
  json.emplace_back("--json");
  const ProgramResult result = study("a", json);
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(nlohmann::json::parse(result.out), nlohmann::json::parse(read_bytes(at("a/results.json"))));
  const ProgramResult text = study("a", words);
  EXPECT_TRUE(
      text.out.starts_with("seven_hand[ties=nobody]: random against itself, 20 deals, 40 hands\n"
                           "seven_hand[ties=first_mover]: random against itself, 20 deals, 40 hands\n\n- "))
      << text.out;
  EXPECT_TRUE(contains(text.out, "\nreport  " + at("a/report.html") + "\n"));
}

TEST_F(StudyCommand, RefusesSweepsInOneLine) {
  const auto refusal = [&](const Words& more) {
    const ProgramResult result = study("x", more);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  const std::string two = "game.ties=nobody,first_mover";
  EXPECT_EQ(refusal({"--sweep", two, "--sweep", "game.margin=true,false"}),
            "dealer: 'dealer study': --sweep is given twice; see 'dealer study --help'\n");
  EXPECT_EQ(refusal({"--train-budget", "10m"}), "dealer: 'dealer study': --train-budget is given without --sweep\n");
  EXPECT_EQ(refusal({"--sweep", two, "--train-config", "seven_hand"}),
            "dealer: 'dealer study': --train-config is given without --train-budget\n");
  for (const char* time : {"10", "m", "0s", "-5m", "1d", "1e9h", "nans"})
    EXPECT_EQ(refusal({"--sweep", two, "--train-budget", time}),
              std::string("dealer: --train-budget: '") + time +
                  "' is not allowed; expected a time for each value, as 90s, 10m or 2h\n");
  EXPECT_TRUE(contains(refusal({"--sweep", two, "--train-budget", "10m", "--train-config", "seven_hnd"}),
                       "there is no training config 'seven_hnd'; did you mean 'seven_hand'?"));
  EXPECT_TRUE(contains(refusal({"--sweep", "game.tise=nobody,first_mover"}), "did you mean 'ties'?"));
  EXPECT_EQ(run_here({"study", "seven_hand", "--sweep", two}).err,
            "dealer: 'dealer study': --out is missing; expected the folder of the results\n");
  EXPECT_EQ(run_here({"study", "--sweep", two}).err,
            "dealer: 'dealer study': --sweep is given without a study; 'dealer study' lists them\n");
  EXPECT_EQ(run_here({"study", "seven_hand", "--sweep", two, "--train-budget", "1m", "--out", at("x[a]")}).err,
            "dealer: --out: '" + at("x[a]") +
                "' cannot be part of the name of an agent; expected a path without brackets for a sweep that trains\n");
  EXPECT_FALSE(std::filesystem::exists(at("x")));
}

TEST_F(StudyCommand, AnInterruptedSweepGoesOn) {
  static int decisions = 0;
  register_signalling("signalling_once", &decisions);
  const Words words = {"agent=signalling_once",       "deals=150", "threads=1", "--quiet", "--sweep",
                       "game.ties=nobody,first_mover"};
  const ProgramResult stopped = study("a", words);
  EXPECT_EQ(stopped.status, 130);
  EXPECT_TRUE(std::regex_match(
      stopped.err,
      std::regex("dealer: stopped in game.ties=nobody after [0-9]+ of 150 deals; the same command goes on\n")))
      << stopped.err;
  EXPECT_EQ(study("a", words).status, 0);
  EXPECT_EQ(study("b", words).status, 0);
  EXPECT_EQ(read_bytes(at("a/results.json")), read_bytes(at("b/results.json")));
}

// The real trainer, stopped as soon as it has begun, then with few hands.
TEST_F(StudyCommand, TrainsForEachValue) {
  test::write_bytes(at("tiny.yaml"),
                    "extends: washizu_heads_up\nhands: 100000000\nworkers: 1\nself_play: {tables: 4, steps: 8}\n"
                    "learner: {batch: 32}\ncheckpoint: {every_hands: 100000000}\n");
  const std::string study = "study washizu --out " + at("s") +
                            " 'games=[\"washizu[players=2]\"]' deals=4 --quiet --sweep " +
                            "game.washizu=replace_random,add --train-budget 20s --train-config " + at("tiny.yaml");
  const std::string run = at("s/runs/game.washizu=replace_random");
  const ProgramResult stopped = test::run_script(test::program() + " " + study + " >out 2>err & until [ -s '" + run +
                                                     "/metrics.jsonl' ] || ! kill -0 $!; do sleep 0.05; "
                                                     "done; kill -INT $!; wait $!",
                                                 "");
  EXPECT_EQ(stopped.status, 130) << stopped.err;
  EXPECT_TRUE(contains(
      stopped.err,
      "dealer: stopped in game.washizu=replace_random while its agent was trained; the same command goes on\n"))
      << stopped.err;
  EXPECT_FALSE(std::filesystem::is_empty(run + "/checkpoints"));
  // The first goes on with its own config, the second has none yet.
  std::string config = read_bytes(run + "/config.yaml");
  config.replace(config.find("hands: 100000000"), 16, "hands: 20");
  test::write_bytes(run + "/config.yaml", config);
  std::string tiny = read_bytes(at("tiny.yaml"));
  tiny.replace(tiny.find("hands: 100000000"), 16, "hands: 20");
  test::write_bytes(at("tiny.yaml"), tiny);
  const ProgramResult result = test::run_dealer(study + " --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  for (const auto& value : json["values"]) {
    EXPECT_EQ(value["games"][0]["agent"], at("s/runs/" + value["folder"].get<std::string>() + "/model.safetensors"));
    EXPECT_EQ(value["games"][0]["other_rules"], false);
  }
  // Nothing is trained or played again: without a trainer's time, and with the same results.
  std::filesystem::remove_all(at("s/runs/game.washizu=add/checkpoints"));
  EXPECT_EQ(test::run_dealer(study + " --json").out, result.out);
}

// docs/studies.md names every field of results.json, and no other.
TEST_F(StudyCommand, ItsPageHasEveryField) {
  std::set<std::string> fields, told;
  const auto collect = [&](const auto& self, const nlohmann::json& json) -> void {
    for (const auto& [name, value] : json.items()) {
      if (json.is_object()) fields.insert(name);
      if (value.is_structured()) self(self, value);
    }
  };
  const std::vector<Words> studies = {
      {"seven_hand", "agent=random", "tries=8", "responses=2", "simulations=3"},
      {"draw", "agents=[random]"},
      {"washizu", "agents=[random]"},
      {"court", "agent=random", "samples=10", "games=['court_extra[players=2]', court_color]"}};
  for (const Words& each : studies) {
    Words words = {"study"};
    words.insert(words.end(), each.begin(), each.end());
    for (const std::string& more : {std::string("--out"), at(each[0]), std::string("deals=4"), std::string("--quiet")})
      words.push_back(more);
    const ProgramResult result = run_here(words);
    ASSERT_EQ(result.status, 0) << result.err;
    collect(collect, nlohmann::json::parse(read_bytes(at(each[0] + "/results.json"))));
  }
  ASSERT_EQ(study("swept", {"agent=random", "deals=4", "--quiet", "--sweep", "game.ties=nobody,first_mover"}).status,
            0);
  collect(collect, nlohmann::json::parse(read_bytes(at("swept/results.json"))));
  const std::string page = read_bytes(std::filesystem::path(test::source_dir()) / "docs/studies.md");
  const std::regex row("\n\\| (`[^|]*)\\|"), name("`([a-z_0-9]+)`");
  for (auto line = std::sregex_iterator(page.begin(), page.end(), row); line != std::sregex_iterator(); ++line) {
    const std::string first = (*line)[1];
    for (auto field = std::sregex_iterator(first.begin(), first.end(), name); field != std::sregex_iterator(); ++field)
      told.insert((*field)[1]);
  }
  for (const std::string& field : fields) EXPECT_TRUE(told.contains(field)) << field;
  for (const std::string& field : told) EXPECT_TRUE(fields.contains(field)) << field;
}

}  // namespace
}  // namespace dealer::study_test
