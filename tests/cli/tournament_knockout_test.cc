// dealer tournament … --format knockout
#include <csignal>
#include <filesystem>

#include "tests/cli/run_dealer.h"
#include "tests/support/fake_agents.h"
#include "tests/support/file_limit.h"
#include "tests/support/well_formed.h"

namespace dealer::tournament_knockout_test {
namespace {

using test::contains;
using test::joined;
using test::ProgramResult;
using test::run_here;
using test::Words;

const Words kKnockout = {"tournament", "random", "random", "--format", "knockout",
                         "--players",  "4",      "--game", "holdem",   "--quiet"};

class KnockoutCommand : public test::CommandInFolder {
 protected:
  static ProgramResult knockout(const Words& more) { return run_here(joined(kKnockout, more)); }
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
  EXPECT_EQ(test::xml_fault(read("a/b/report.html")), "");
  const auto results = nlohmann::json::parse(read("a/b/results.json"));
  EXPECT_EQ(results["format"], "knockout");
  EXPECT_EQ(results["tournaments"], 3);
  EXPECT_EQ(results["games"], 6);
  EXPECT_EQ(results["agents"].size(), 2U);
  EXPECT_EQ(results["agents"][0]["places"].size(), 4U);
  EXPECT_TRUE(contains(read("hands.txt"), "tournament 2, seating 1: 0 random"));
}

TEST_F(KnockoutCommand, SameSeedSameResult) {
  const auto played = [](const Words& more) {
    return test::timeless_json_of(joined(kKnockout, joined({"--tournaments", "4"}, more)));
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
  test::expect_refused(kKnockout, {{{"rule", "rule", "rule"}, "4 players of 5 agents; expected a multiple of 5"},
                                   {{"--table-size", "11"}, "--table-size"},
                                   {{"--tournaments", "0"}, "--tournaments"},
                                   {{"--stack", "9999999"}, "stack"},
                                   {{"no_agent", "rule", "--out", at("none"), "--hands-log", at("none.txt")},
                                    "agent 'no_agent' cannot play this tournament, in which tables of"}});
  // Nothing was made for it.
  EXPECT_FALSE(std::filesystem::exists(at("none")));
  EXPECT_FALSE(std::filesystem::exists(at("none.txt")));
  test::refusal({"tournament", "random", "random", "--format", "knockout", "--players", "4", "--game", "kuhn"});
  const ProgramResult file = knockout({"--tournaments", "1", "--out", "/dev/null/x"});
  EXPECT_EQ(file.status, 1);
  EXPECT_TRUE(contains(file.err, "cannot make folder /dev/null/x: ")) << file.err;
}

TEST_F(KnockoutCommand, InterruptedItGoesOn) {
  int decisions = 0;
  test::register_random_agent("signalling", [&] {
    if (++decisions == 500) std::raise(SIGINT);
  });
  const auto play = [&](const std::string& name, const Words& more) {
    return run_here(
        joined({"tournament", "random", "signalling", "--format", "knockout", "--players", "4", "--game", "holdem",
                "--quiet", "--tournaments", "40", "--stack", "300", "--threads", "1", "--out", at(name)},
               more));
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
  EXPECT_EQ(nlohmann::json::parse(read("a/results.json"))["interrupted"], true);
  // A log without their hands, or none.
  const ProgramResult other = play("a", {"--hands-log", at("other.txt")});
  EXPECT_EQ(other.status, 2);
  EXPECT_EQ(other.err, "dealer: --hands-log '" + at("other.txt") + "': it lacks hands of the tournaments that '" +
                           at("a") + "' holds; leave it out, or start again in another folder\n");
  EXPECT_FALSE(std::filesystem::exists(at("other.txt")));
  EXPECT_EQ(play("a", {"--hands-log", at("a.txt")}).status, 0);
  EXPECT_EQ(play("b", {"--hands-log", at("b.txt")}).status, 0);
  for (const char* name : {"results.json", "report.html", "tournaments.txt", "knockout.yaml"})
    EXPECT_EQ(test::read_bytes(at("a") + '/' + name), test::read_bytes(at("b") + '/' + name)) << name;
  EXPECT_EQ(read("a.txt"), read("b.txt"));
  // The result again, without a hand.
  const int before = decisions;
  const ProgramResult again = play("a", {"--hands-log", at("a.txt"), "--json"});
  EXPECT_EQ(decisions, before);
  auto json = nlohmann::json::parse(again.out);
  json.erase("seconds");
  EXPECT_EQ(json, nlohmann::json::parse(read("a/results.json")));
  EXPECT_EQ(read("a.txt"), read("b.txt"));
}

TEST_F(KnockoutCommand, HandsThatWereNeverLoggedAreMissed) {
  ASSERT_EQ(knockout({"--tournaments", "1", "--out", at("a")}).status, 0);
  const std::string letter(100'000, 'x');
  write("hands.txt", letter);
  const ProgramResult more = knockout({"--tournaments", "2", "--out", at("a"), "--hands-log", at("hands.txt")});
  EXPECT_EQ(more.status, 2);
  EXPECT_TRUE(contains(more.err, "it lacks hands of the tournaments that '" + at("a") + "' holds")) << more.err;
  EXPECT_EQ(read("hands.txt"), letter);
}

TEST_F(KnockoutCommand, RefusesTheFolderOfSomethingElse) {
  ASSERT_EQ(run_here({"tournament", "random", "rule", "--game", "kuhn", "--deals", "10", "--out", at("pairs")}).status,
            0);
  const std::string report = read("pairs/report.html");
  test::expect_refused(kKnockout, {{{"--tournaments", "1", "--out", at("pairs")},
                                    " and no knockout; expected a new folder, or that of this knockout"}});
  EXPECT_EQ(read("pairs/report.html"), report);
  ASSERT_EQ(knockout({"--tournaments", "1", "--out", at("knockout")}).status, 0);
  test::refusal({"tournament", "random", "rule", "--game", "kuhn", "--out", at("knockout")});
  test::expect_refused(kKnockout, {{{"--tournaments", "1", "--seed", "2", "--out", at("knockout")},
                                    "holds a knockout with 'seed: 0', not 'seed: 2'"}});
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
