#include "cli/program.h"

#include "env/core/version.h"
#include "tests/cli/run_dealer.h"

namespace dealer::program_test {
namespace {

using test::contains;
using test::expect_refused;
using test::ProgramResult;
using test::run_dealer;
using test::run_here;
using test::Words;

TEST(Program, NamesTheNearestCommandAndOption) {
  expect_refused({}, {{{}, "a command is missing after 'dealer'; commands: train, "},
                      {{"mtach", "a", "b"}, "no command 'dealer mtach'; did you mean 'match'?; commands: train, "},
                      {{"ofc"}, "a command is missing after 'dealer ofc'; commands: score, fantasyland; "},
                      {{"ofc", "scores", "x"}, "did you mean 'score'?; commands: score, fantasyland"},
                      {{"--hepl"}, "did you mean '--help'?"}});
  expect_refused({"match", "random", "random"},
                 {{{"--hnads", "5"}, "'dealer match' has no option '--hnads'; did you mean '--hands'?; "},
                  {{"--hands=5", "--jsno=1"}, "'dealer match' has no option '--jsno'; did you mean '--json'?; "}});
}

TEST(Program, ValuesAreRefusedWithWhatIsAllowed) {
  expect_refused({}, {{{"match"}, "dealer: 'dealer match': AGENT is required; see 'dealer match --help'"},
                      {{"ofc", "fantasyland", "--stay-value", "nan"},
                       "dealer: 'dealer ofc fantasyland': --stay-value: 'nan' is not allowed; expected a number, as in "
                       "9.5; see 'dealer ofc fantasyland --help'"}});
  expect_refused(
      {"match", "random", "random"},
      {{{"--hands"}, "the value of --hands is missing"},
       {{"--hands", "0"}, "--hands: '0' is not allowed; expected an integer from 1 to 1000000000;"},
       {{"--seed", "-1"}, "--seed: '-1' is not allowed; expected an integer from 0 to 18446744073709551615;"},
       {{"--threads", "-1"}, "--threads"},
       {{"--game", "oofc"}, "did you mean 'ofc'?"},
       {{"--log="}, "--log"},
       {{"--game="}, "--game"}});
  const std::string empty = "'' is not allowed; expected ";
  for (const Words& words : std::vector<Words>{{"match", "random", "random", "--log", ""},
                                               {"hands", "standard_52", "--plot", ""},
                                               {"hands", "standard_52", "--ranking", ""},
                                               {"hands", "standard_52", "--draw-for", ""},
                                               {"train", "--out", ""},
                                               {"train", "--runs", ""},
                                               {"train", "--resume", ""},
                                               {"play", "--hint", ""},
                                               {"replay", ""}})
    expect_refused(words, {{{}, empty}});
}

TEST(Program, OptionsAreGivenOnce) {
  expect_refused({"match", "random", "random"},
                 {{{"--hands", "5", "--hands", "5"}, "'dealer match': --hands is given twice"},
                  {{"--game", "kuhn", "--game", "kuhn"}, "'dealer match': --game is given twice"},
                  {{"--log", "x", "--log", "x"}, "'dealer match': --log is given twice"},
                  {{"--strict", "--hands=1", "--strict"}, "'dealer match': --strict is given twice"}});
  expect_refused(
      {}, {{{"games", "--json", "--json"}, "'dealer games': --json is given twice"},
           {{"play", "--hands", "1", "--hands", "2"}, "'dealer play': --hands is given twice"},
           {{"train", "--out", "a", "--out", "b"}, "'dealer train': --out is given twice"},
           {{"games", "ofc[players=2,players=3]"}, "option 'players' is given twice"},
           {{"match", "rule[samples=5,samples=6]", "random", "--game", "holdem"}, "option 'samples' is given twice"},
           {{"match", "rule:bold[style=fair]", "random"}, "'style' is given twice"}});
}

TEST(Program, NamesEveryOptionThatIsAllowed) {
  expect_refused({}, {{{"match", "default[cautoin=1]", "random"},
                       "unknown key 'cautoin'; did you mean 'caution'? allowed: caution, fantasyland"},
                      {{"match", "rule[stile=tight]", "random", "--game", "holdem"}, "allowed: style, samples"},
                      {{"games", "holdem[jokerz=1]"}, "check_raise, open_fold, bets, odd_chips"}});
}

TEST(Program, SaysWhatIsWrongWithBlinds) {
  for (const auto& [blinds, message] :
       {std::pair("[100,50]", "blinds: the small blind, 100, is more than the big blind, 50; expected two numbers"),
        {"[100]", "blinds: 1 number is given"},
        {"[1,2,4]", "blinds: 3 numbers are given"},
        {"[0,0]", "blinds: the big blind is 0"}})
    expect_refused({"games", std::string("holdem[blinds=") + blinds + ']'}, {{{}, message}});
}

TEST(Program, ConfigsOfAnotherKindAreRefused) {
  const std::string configs = test::source_dir() + "/configs/";
  const test::TempFolder folder;
  const std::string nothing = (folder / "empty.yaml").string();
  test::write_bytes(nothing, "---\n");
  expect_refused({},
                 {{{"games", configs + "train/ofc.yaml"},
                   "this is a training config, as its key 'algorithm' says; expected a game"},
                  {{"games", configs + "decks/standard_52.yaml"}, "this is a deck, as its key 'suits' says"},
                  {{"hands", configs + "games/leduc.yaml"}, "this is a game, as its key 'game' says; expected a deck"},
                  {{"hands", configs + "train/ofc.yaml"}, "this is a training config"},
                  {{"hands", "standard_52", "--ranking", configs + "decks/standard_52.yaml"}, "expected a ranking"},
                  {{"games", nothing}, "there is nothing in it; expected a game"},
                  {{"hands", nothing}, "there is nothing in it; expected a deck"}});
}

TEST(Program, MisuseOfEveryCommandIsOneLine) {
  for (const Words& words : std::vector<Words>{{"match", "rule"},
                                               {"games", "oofc"},
                                               {"games", ""},
                                               {"games", "ofc[players=4]"},
                                               {"games", "ofc[palyers=2]"},
                                               {"bench", "evaluat5"},
                                               {"bench", "--seconds", "-1"},
                                               {"hands", "standard_53"},
                                               {"play", "--players", "1"},
                                               {"play", "--players", "4"},
                                               {"play", "--players", "x"},
                                               {"play", "--agent", "nobody"},
                                               {"play", "--agent", "random", "--agent", "random"},
                                               {"two\nlines"}})
    test::refusal(words);
}

TEST(Program, MessagesHaveOneLineWhateverWasTyped) {
  EXPECT_EQ(cli::one_line("a\nb\x1b[31mc\x7f"), "a\\nb\\x1b[31mc\\x7f");
  EXPECT_EQ(cli::one_line("Zähler"), "Zähler");
  expect_refused({"games", "no\nsuch"}, {{{}, "no\\nsuch"}});
}

TEST(Program, EverySubcommandHelpsWithAnExample) {
  const std::string all = run_here({"--help"}).out;
  for (const Words& command : test::kAllCommands) {
    const std::string name = "dealer " + test::with_blanks(command);
    const ProgramResult result = run_here(test::joined(command, {"--help"}));
    EXPECT_EQ(result.status, 0) << name;
    EXPECT_EQ(result.err, "") << name;
    EXPECT_TRUE(contains(result.out, "Usage: " + name + ' ')) << result.out;
    const std::size_t examples = result.out.find("\nExample");
    ASSERT_NE(examples, std::string::npos) << result.out;
    EXPECT_TRUE(contains(result.out.substr(examples), name)) << result.out;
    EXPECT_TRUE(contains(all, "\n  " + command[0] + ' ')) << all;
  }
}

TEST(Program, TellsVersions) {
  const ProgramResult result = run_dealer("--version");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(result.out.starts_with("dealer " + version() + "\nlibtorch ")) << result.out;
  for (const char* part : {"\nBLAS ", ", kernel ", "\nevaluator compiled for "})
    EXPECT_TRUE(contains(result.out, part)) << result.out;
  EXPECT_EQ(run_dealer("-V").out, result.out);
}

TEST(Program, WarnsOfAnOldKernelOnlyWhenItIsForced) {
  const ProgramResult chosen = run_dealer("--version", "", "env -u OPENBLAS_CORETYPE");
  EXPECT_EQ(chosen.status, 0);
  EXPECT_FALSE(contains(chosen.out, "warning")) << chosen.out;
  if (!contains(chosen.out, "BLAS OpenBLAS")) GTEST_SKIP() << "libtorch runs with another BLAS";
  const ProgramResult forced = run_dealer("--version", "", "OPENBLAS_CORETYPE=Prescott");
  EXPECT_EQ(forced.status, 0);
  EXPECT_TRUE(contains(forced.out, ", kernel Prescott\n")) << forced.out;
  EXPECT_TRUE(contains(forced.out, "because OPENBLAS_CORETYPE is 'Prescott'; set OPENBLAS_CORETYPE=")) << forced.out;
}

}  // namespace
}  // namespace dealer::program_test
