#include "tests/cli/run_dealer.h"

namespace dealer::play_test {
namespace {

using test::contains;
using test::ProgramResult;
using test::run_dealer;

std::string turns(int count) {
  std::string input;
  for (int i = 0; i < count; ++i) input += "take\n\n";
  return input;
}

TEST(Play, PlaysAHandThroughAPipeWithoutColours) {
  const ProgramResult result =
      run_dealer("play --agent rule --hint rule --seed 7 --hands 1", "rules\nhint\n" + turns(5));
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_FALSE(contains(result.out, "\x1b"));
  for (const char* part : {"You play ofc against rule; seed 7", "Hand 1", "royalties",
                           "rule would play: ", "you against rule: ", "Enter confirms", "After 1 hand: you "})
    EXPECT_TRUE(contains(result.out, part)) << part << '\n' << result.out;
}

TEST(Play, TheSameSeedPlaysTheSame) {
  const std::string arguments = "play --agent rule --hint rule --hands 1 --seed ";
  const std::string once = run_dealer(arguments + "9", turns(5)).out;
  EXPECT_EQ(once, run_dealer(arguments + "9", turns(5)).out);
  EXPECT_NE(once, run_dealer(arguments + "10", turns(5)).out);
}

TEST(Play, TheEndOfInputQuits) {
  for (const char* input : {"", "help", "hint\nquit\n"}) {
    const ProgramResult result = run_dealer("play --agent random --hint random --seed 1", input);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_TRUE(contains(result.out, "After 0 hands: you 0, random 0\n")) << result.out;
  }
}

TEST(Play, AnOpponentThatIsNotThereIsAnError) {
  const ProgramResult result =
      run_dealer("play --game leduc --agent exec:/nowhere/bot --hint random --seed 1 --hands 2", turns(5));
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.out, "After 2 hands: you ")) << result.out;
  EXPECT_EQ(result.err,
            "dealer: agent 'exec:/nowhere/bot' made no decision that could be played: cannot start '/nowhere/bot': No "
            "such file or directory\n");
}

// The program waits for input that does not come.
TEST(Play, CtrlCQuits) {
  const ProgramResult result = test::run_script(
      "mkfifo typed && exec 3<>typed && { DEALER play --game leduc --agent random --hint random --seed 1 <typed >out "
      "2>err & } && player=$! && until grep -q '^> $' out 2>/dev/null; do sleep 0.05; kill -0 $player || exit 9; done; "
      "kill -INT $player; wait $player");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(result.out.ends_with("\nAfter 0 hands: you 0, random 0\n")) << result.out;
}

TEST(Play, AmountsAreTyped) {
  const ProgramResult result =
      run_dealer("play --game 'holdem[limit=no_limit]' --agent rule:caller --seed 11 --hands 1",
                 "raise to 237\n\nbet 10000\nbet 300\n\ncheck\n\ncheck\n\n");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  for (const char* part : {"\nyou raise to 237\n", "\nyou cannot bet 10000; you may: ", "\nyou bet 300\n", " shows ",
                           "\nAfter 1 hand: you "})
    EXPECT_TRUE(contains(result.out, part)) << part << '\n' << result.out;
}

TEST(Play, ThreeSitAtATable) {
  const ProgramResult result =
      run_dealer("play --agent rule --agent random --players 3 --hint rule --seed 2 --hands 1", turns(5));
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "against rule and random; seed 2")) << result.out;
  EXPECT_TRUE(contains(result.out, "you against rule: ")) << result.out;
  EXPECT_TRUE(contains(result.out, "you against random: ")) << result.out;
}

}  // namespace
}  // namespace dealer::play_test
