#include <sys/resource.h>

#include <cstdint>
#include <filesystem>

#include "tests/cli/run_dealer.h"

namespace dealer::replay_test {
namespace {

using test::contains;
using test::ProgramResult;
using test::run_here;

class Replay : public test::CommandInFolder {
 protected:
  std::string log(const std::string& game, const std::string& threads = "2") {
    const std::string file = at("match.phhs");
    const ProgramResult result =
        run_here({"match", "random", "random", "--game", game, "--hands", "40", "--threads", threads, "--log", file});
    EXPECT_EQ(result.status, 0) << result.err;
    return file;
  }
};

TEST_F(Replay, FindsALoggedMatchRight) {
  for (const char* game : {"holdem[limit=no_limit]", "draw", "kuhn", "ofc"}) {
    const auto json = test::json_of({"replay", log(game)});
    EXPECT_GE(json["hands"], 80) << game;
    EXPECT_EQ(json["ok"], json["hands"]) << game;
    EXPECT_TRUE(json["errors"].empty()) << game;
  }
}

TEST_F(Replay, DoesNotDependOnTheNumberOfThreads) {
  const std::string one = test::read_bytes(log("stud", "1"));
  EXPECT_EQ(one, test::read_bytes(log("stud", "3")));
  EXPECT_TRUE(contains(one, "players = ['random', 'random']"));
}

TEST_F(Replay, NamesWhatIsWrong) {
  const std::string file = log("holdem");
  std::string text = test::read_bytes(file);
  const std::string field = "finishing_stacks = [";
  text.insert(text.find(field) + field.size(), "1");
  test::write_bytes(file, text);
  const ProgramResult result = run_here({"replay", file, "--json"});
  EXPECT_EQ(result.status, 1);
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["ok"], json["hands"].get<int>() - 1);
  ASSERT_EQ(json["errors"].size(), 1U);
  EXPECT_EQ(json["errors"][0]["hand"], "0-0-0");
  EXPECT_GT(json["errors"][0]["line"], 5);
  EXPECT_TRUE(contains(json["errors"][0]["message"], "p1 is said to finish with 1"));
  const ProgramResult shown = run_here({"replay", file, "--show"});
  EXPECT_TRUE(contains(shown.out, "# replayed: every card, action and payout is right")) << shown.out.substr(0, 500);
  EXPECT_TRUE(contains(shown.out, "80 hands, 79 right"));
}

TEST_F(Replay, RefusesFilesThatAreNone) {
  test::expect_refused({}, {{{"replay", at("none.phh")}, "cannot read", 1},
                            {{"match", "random", "random", "--log", "/no/such/folder/x"}, "/no/such/folder/x", 1}});
}

TEST_F(Replay, ReadsAPipe) {
  const std::string file = log("stud");
  const ProgramResult result = test::run_dealer("replay -", test::read_bytes(file));
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, "80 hands, 80 right\n");
  const ProgramResult wrong = test::run_dealer("replay - --json", "[a]\nvariant = 'NT'\n");
  EXPECT_EQ(wrong.status, 1);
  EXPECT_EQ(nlohmann::json::parse(wrong.out)["errors"][0]["line"], 1);
  EXPECT_EQ(wrong.err, "dealer: standard input: 1 of 1 hands are wrong\n");
  const ProgramResult nothing = test::run_dealer("replay -", "");
  EXPECT_EQ(nothing.status, 1);
  EXPECT_EQ(nothing.out + nothing.err, "dealer: standard input: there is no hand in it\n") << "said once";
}

// The most memory that a program started here has held, in MiB.
long peak_of_programs() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return usage.ru_maxrss / 1024;
}

TEST_F(Replay, GivesUpOnInputWithoutEnd) {
  const std::string file = log("kuhn"), huge = at("huge.phhs");
  ASSERT_EQ(test::run_dealer("replay " + file).status, 0);
  const long before = peak_of_programs();
  test::write_bytes(huge, test::read_bytes(file));
  std::filesystem::resize_file(huge, std::uintmax_t{10} << 30);
  const std::string stops = "nothing behind ";
  for (const std::string command :
       {"</dev/zero DEALER replay -", "DEALER replay /dev/zero", "yes 2>/dev/null | DEALER replay -",
        "yes '[1]' 2>/dev/null | DEALER replay -", "yes '' 2>/dev/null | DEALER replay -"}) {
    const ProgramResult result = test::run_script("(" + command + ") >out 2>err");
    EXPECT_EQ(result.status, 1) << command;
    EXPECT_TRUE(contains(result.out, stops)) << command << result.out.substr(0, 300);
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << command << result.err.substr(0, 300);
  }
  const ProgramResult result = test::run_dealer("replay " + huge);
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.out, stops)) << result.out.substr(0, 300);
  EXPECT_TRUE(contains(result.out, "\n81 hands, ") || contains(result.out, "\n80 hands, "))
      << result.out.substr(0, 300);
  EXPECT_LT(peak_of_programs() - before, 200);
}

}  // namespace
}  // namespace dealer::replay_test
