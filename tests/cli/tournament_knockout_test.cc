// dealer tournament … --format knockout
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/command_in_folder.h"
#include "tests/support/well_formed.h"

namespace dealer {
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
  EXPECT_TRUE(contains(text.out, "\nrandom      2.50 ± 0.00    25.00 ± 0.00%\n")) << text.out;
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
  EXPECT_TRUE(contains(file.err, "cannot make the folder '/dev/null/x'")) << file.err;
}

}  // namespace
}  // namespace dealer
