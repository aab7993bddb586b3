// dealer tournament … --format knockout
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "agents/agent_registry.h"
#include "agents/random_agent.h"
#include "tests/cli/command_in_folder.h"
#include "tests/support/file_limit.h"
#include "tests/support/well_formed.h"

namespace dealer::tournament_knockout_test {
namespace {

using test::contains;
using test::ProgramResult;
using test::read_bytes;
using test::run_here;
using test::Words;

class KnockoutCommand : public test::CommandInFolder {
 protected:
  static ProgramResult knockout(const Words& more) {
    return run(
        {"tournament", "random", "random", "--format", "knockout", "--players", "4", "--game", "holdem", "--quiet"},
        more);
  }
};

TEST_F(KnockoutCommand, PrintsPlacesAndWritesTheReport) {
  const ProgramResult text =
      knockout({"--tournaments", "3", "--stack", "300", "--out", at("a/b"), "--hands-log", at("hands.txt")});
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_TRUE(
      text.out.starts_with("holdem: knockout of 4 players at tables of 6 at most, 300 chips each; bets, blinds "
                           "and antes double after every 10 hands\n3 tournaments in every seating, "))
      << text.out;
  EXPECT_TRUE(
      contains(text.out, "\nagent             place  each entry wins\nrandom         2.50 ± ?       25.00 ± ?%\n"))
      << text.out;
  EXPECT_TRUE(contains(text.out, "\n\n± ?: no interval is known: all tournaments gave the same number\n")) << text.out;
  EXPECT_TRUE(text.out.ends_with("\nreport  " + at("a/b/report.html") + "\n"));
  EXPECT_EQ(test::xml_fault(read_bytes(at("a/b/report.html"))), "");
  const auto results = nlohmann::json::parse(read_bytes(at("a/b/results.json")));
  EXPECT_EQ(results["format"], "knockout");
  EXPECT_EQ(results["tournaments"], 3);
  EXPECT_EQ(results["games"], 6);
  EXPECT_EQ(results["agents"].size(), 2U);
  EXPECT_EQ(results["agents"][0]["places"].size(), 4U);
  EXPECT_TRUE(contains(read_bytes(at("hands.txt")), "tournament 2, seating 1: 0 random"));
}

TEST_F(KnockoutCommand, SameSeedSameResult) {
  const auto played = [](const Words& more) {
    Words words = {"--json", "--tournaments", "4"};
    words.insert(words.end(), more.begin(), more.end());
    auto json = nlohmann::json::parse(knockout(words).out);
    json.erase("seconds");
    return json;
  };
  const auto one = played({"--seed", "7", "--threads", "1"});
  EXPECT_EQ(one, played({"--seed", "7", "--threads", "2"}));
  EXPECT_NE(one["table_hands"], played({"--seed", "8"})["table_hands"]);
  EXPECT_EQ(one["seed"], 7);
  EXPECT_EQ(played({"--no-duplicate"})["games"], 4);
  EXPECT_EQ(played({"--max-hands", "2", "--stack", "10000"})["undecided"], 8);
  EXPECT_EQ(played({"--raise-every", "3", "--table-size", "2"})["raise_every"], 3);
}

TEST_F(KnockoutCommand, RefusesMisuseInOneLine) {
  const auto refusal = [](const Words& more) {
    const ProgramResult result = knockout(more);
    EXPECT_EQ(result.status, 2) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    return result.err;
  };
  EXPECT_TRUE(contains(refusal({"rule", "rule", "rule"}), "4 players of 5 agents; expected a multiple of 5"));
  EXPECT_TRUE(contains(refusal({"--table-size", "11"}), "--table-size"));
  EXPECT_TRUE(contains(refusal({"--tournaments", "0"}), "--tournaments"));
  EXPECT_TRUE(contains(refusal({"--stack", "9999999"}), "stack"));
  EXPECT_TRUE(contains(refusal({"no_agent", "rule", "--out", at("none"), "--hands-log", at("none.txt")}),
                       "agent 'no_agent' cannot play this tournament, in which tables of"));
  // Nothing was made for it.
  EXPECT_FALSE(std::filesystem::exists(at("none")));
  EXPECT_FALSE(std::filesystem::exists(at("none.txt")));
  EXPECT_EQ(
      run_here({"tournament", "random", "random", "--format", "knockout", "--players", "4", "--game", "kuhn"}).status,
      2);
  const ProgramResult file = knockout({"--tournaments", "1", "--out", "/dev/null/x"});
  EXPECT_EQ(file.status, 1);
  EXPECT_TRUE(contains(file.err, "cannot make folder /dev/null/x: ")) << file.err;
}

// Plays at random; one of its decisions sends the program a signal.
class SignallingPlayer final : public RandomAgent {
 public:
  static inline std::atomic<int> decisions = 0;
  Decision act(const Observation& observation) override {
    if (++decisions == 500) std::raise(SIGINT);
    return RandomAgent::act(observation);
  }
};

TEST_F(KnockoutCommand, InterruptedItGoesOn) {
  register_agent_kind("signalling_player",
                      {.make =
                           [](const Spec& spec, const GamePtr&) {
                             return make_factory(to_string(spec), [] { return std::make_unique<SignallingPlayer>(); });
                           },
                       .plays = {},
                       .what = "sends a signal",
                       .recognises = {}});
  const auto play = [&](const std::string& name, const Words& more) {
    Words words = {
        "tournament", "random",  "signalling_player", "--format", "knockout", "--players", "4",         "--game",
        "holdem",     "--quiet", "--tournaments",     "40",       "--stack",  "300",       "--threads", "1",
        "--out",      at(name)};
    return run(std::move(words), more);
  };
  const ProgramResult stopped = play("a", {"--hands-log", at("a.txt")});
  EXPECT_EQ(stopped.status, 130);
  std::smatch match;
  ASSERT_TRUE(std::regex_match(stopped.err, match,
                               std::regex("dealer: interrupted after ([0-9]+) of 40 tournaments; the result is that of "
                                          "these, the same command goes on\n")))
      << stopped.err;
  EXPECT_GT(std::stoi(match[1]), 1);
  EXPECT_TRUE(contains(stopped.out, "\n" + match[1].str() + " tournaments in every seating, ")) << stopped.out;
  EXPECT_EQ(nlohmann::json::parse(read_bytes(at("a/results.json")))["interrupted"], true);
  // A log without their hands, or none.
  const ProgramResult other = play("a", {"--hands-log", at("other.txt")});
  EXPECT_EQ(other.status, 2);
  EXPECT_EQ(other.err, "dealer: --hands-log '" + at("other.txt") + "': it lacks hands of the tournaments that '" +
                           at("a") + "' holds; leave it out, or start again in another folder\n");
  EXPECT_FALSE(std::filesystem::exists(at("other.txt")));
  EXPECT_EQ(play("a", {"--hands-log", at("a.txt")}).status, 0);
  EXPECT_EQ(play("b", {"--hands-log", at("b.txt")}).status, 0);
  for (const char* name : {"results.json", "report.html", "tournaments.txt", "knockout.yaml"})
    EXPECT_EQ(read_bytes(at("a") + '/' + name), read_bytes(at("b") + '/' + name)) << name;
  EXPECT_EQ(read_bytes(at("a.txt")), read_bytes(at("b.txt")));
  // The result again, without a hand.
  const int before = SignallingPlayer::decisions;
  const ProgramResult again = play("a", {"--hands-log", at("a.txt"), "--json"});
  EXPECT_EQ(SignallingPlayer::decisions, before);
  auto json = nlohmann::json::parse(again.out);
  json.erase("seconds");
  EXPECT_EQ(json, nlohmann::json::parse(read_bytes(at("a/results.json"))));
  EXPECT_EQ(read_bytes(at("a.txt")), read_bytes(at("b.txt")));
}

TEST_F(KnockoutCommand, HandsThatWereNeverLoggedAreMissed) {
  ASSERT_EQ(knockout({"--tournaments", "1", "--out", at("a")}).status, 0);
  const std::string letter(100'000, 'x');
  test::write_bytes(at("hands.txt"), letter);
  const ProgramResult more = knockout({"--tournaments", "2", "--out", at("a"), "--hands-log", at("hands.txt")});
  EXPECT_EQ(more.status, 2);
  EXPECT_TRUE(contains(more.err, "it lacks hands of the tournaments that '" + at("a") + "' holds")) << more.err;
  EXPECT_EQ(read_bytes(at("hands.txt")), letter);
}

TEST_F(KnockoutCommand, RefusesTheFolderOfSomethingElse) {
  ASSERT_EQ(run_here({"tournament", "random", "rule", "--game", "kuhn", "--deals", "10", "--out", at("pairs")}).status,
            0);
  const std::string report = read_bytes(at("pairs/report.html"));
  const ProgramResult pairs = knockout({"--tournaments", "1", "--out", at("pairs")});
  EXPECT_EQ(pairs.status, 2);
  EXPECT_TRUE(contains(pairs.err, " and no knockout; expected a new folder, or that of this knockout")) << pairs.err;
  EXPECT_EQ(read_bytes(at("pairs/report.html")), report);
  ASSERT_EQ(knockout({"--tournaments", "1", "--out", at("knockout")}).status, 0);
  EXPECT_EQ(run_here({"tournament", "random", "rule", "--game", "kuhn", "--out", at("knockout")}).status, 2);
  EXPECT_EQ(knockout({"--tournaments", "1", "--seed", "2", "--out", at("knockout")}).err,
            "dealer: '" + at("knockout") +
                "' holds a knockout with 'seed: 0', not 'seed: 2'; expected a new folder, or the same config as in " +
                at("knockout/knockout.yaml") + "\n");
}

TEST_F(KnockoutCommand, AFullDiskLosesNoResult) {
  const Words words = {"--tournaments", "3", "--out", at("a")};
  {
    const test::FileLimit limit(4000);
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
}  // namespace dealer::tournament_knockout_test
