#include <fmt/format.h>

#include <csignal>

#include "env/core/version.h"
#include "tests/cli/run_dealer.h"
#include "tests/cli/terminal_program.h"

namespace dealer::test::help_test {
namespace {

std::string help_of(const Words& words) { return output_of(run_here(joined(words, {"--help"}))); }

Words completed(const Words& words) {
  Words found;
  for (const std::string& line : lines_of(output_of(joined({"complete", "--"}, words))))
    found.push_back(line.substr(0, line.find('\t')));
  return found;
}

TEST(Help, OfEveryCommandHasAnExampleAndIsThatOfTheOption) {
  const std::string all = run_here({"--help"}).out;
  EXPECT_EQ(run_here({"help"}).out, all);
  // CLI11 lists the exclusions of an option in arbitrary order.
  const auto in_order = [](const std::string& text) { return std::regex_replace(text, std::regex("Excludes:.*"), ""); };
  for (const Words& command : kAllCommands) {
    const std::string name = "dealer " + with_blanks(command), help = help_of(command);
    EXPECT_EQ(in_order(output_of(run_here(joined({"help"}, command)))), in_order(help));
    expect_parts(help, {"Usage: " + name + ' ', "\nExample"});
    expect_parts(help.substr(std::min(help.size(), help.find("\nExample"))), {name});
    expect_parts(all, {"\n  " + command[0] + ' '});
  }
  expect_parts(run_here({"help", "ofc"}).out, {"Usage: dealer ofc "});
}

TEST(Help, AnUnknownCommandBringsTheNearest) {
  expect_refused({}, {{{"help", "mtach"}, "no command 'dealer mtach'; did you mean 'match'?; commands: train, "},
                      {{"help", "ofc", "scor"}, "did you mean 'score'?; commands: score, fantasyland"},
                      {{"help", "match", "more"}, "'dealer match' has no commands; see 'dealer match --help'"},
                      {{"help", "match", "--man"}, "--man"},
                      {{"completion", "fish"}, "'fish' is not allowed; expected bash or zsh"}});
}

TEST(Manual, HasEveryCommandAndOption) {
  // Without roff's escapes.
  const std::string page = std::regex_replace(output_of({"help", "--man"}), std::regex(R"(\\-)"), "-");
  for (const Words& command : kAllCommands) {
    const std::size_t section = page.find("\n.SS dealer " + with_blanks(command) + "\n");
    ASSERT_NE(section, std::string::npos) << with_blanks(command);
    const std::string text = page.substr(section + 1, page.find("\n.S", section + 5) - section);
    const std::set<std::string> options = options_in(help_of(command));
    ASSERT_TRUE(options.count("--help") == 1) << with_blanks(command);
    for (const std::string& option : options)
      EXPECT_TRUE(contains(text, "\\fB" + option + "\\fR")) << with_blanks(command) << ' ' << option << ":\n" << text;
  }
  EXPECT_TRUE(contains(page, "\\fB--version\\fR"));
}

TEST(Manual, IsGoodRoff) {
  if (std::system("command -v groff >/dev/null") != 0) GTEST_SKIP() << "no groff";  // NOLINT
  const ProgramResult result =
      run_script(program() + " help --man >in; groff -man -Tascii -P-cbou -ww -rLL=78n in >out 2>err");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(contains(result.out, "--no-duplicate")) << result.out;
}

TEST(Complete, CommandsAndOptions) {
  EXPECT_EQ(completed({""}), words_in("train runs models plot sweep best-response play match tournament bot serve "
                                      "study replay analyse solve exploit "
                                      "exploitability policy ofc hands games bench help completion"));
  for (const Words& command : kAllCommands) {
    const Words found = completed(joined(command, {"--"}));
    EXPECT_EQ(std::set<std::string>(found.begin(), found.end()), options_in(help_of(command))) << with_blanks(command);
  }
}

// The last word is incomplete; "-" stands for an empty word.
TEST(Complete, NamesThatAreKnownOnlyThen) {
  for (const auto& [typed, found] : {std::pair("re", "replay"),
                                     {"ofc -", "score fantasyland"},
                                     {"match --mo", "--move-time"},
                                     {"games stu", "stud stud_hi_lo"},
                                     {"games stud ku", "kuhn"},
                                     {"match rule ran", "random"},
                                     {"match --game ku", "kuhn"},
                                     {"match --game = ku", "kuhn"},    // as bash splits it
                                     {"match --deals ra", ""},         // a number
                                     {"match --strict ra", "random"},  // takes no value
                                     {"play --agent rul", "rule rule:fair rule:expert rule:careful rule:bold"},
                                     {"hands tar", "tarot_78"},
                                     {"hands tarot_78 tar", ""},  // one deck
                                     {"hands --ranking ace", "ace_to_five"},
                                     {"study sev", "seven_hand"},
                                     {"train ofc_d", "ofc_default"},
                                     {"bench train.", "train.ofc train.draw train.draw.overlap train.adam"},
                                     {"help gam", "games"},
                                     {"solve mini_draw_s", "mini_draw_single"},
                                     {"solve --game mini_draw_s", "mini_draw_single"},
                                     {"solve kuhn --algorithm cfr", "cfr cfr_plus"},
                                     {"completion -", "bash zsh"},
                                     {"replay -", ""}}) {  // a file
    Words words = words_in(typed);
    if (words.back() == "-") words.back().clear();
    EXPECT_EQ(completed(words), words_in(found)) << typed;
  }
}

// The agents of the game: "default" is a trained one.
TEST(Complete, AgentsOfTheGame) {
  const Words ofc = completed({"match", ""}), stud = completed({"match", "--game", "stud", ""});
  EXPECT_EQ(std::count(ofc.begin(), ofc.end(), "default"), 1);
  EXPECT_EQ(std::count(stud.begin(), stud.end(), "rule"), 1);
  EXPECT_NE(ofc, stud);
  // The game is not an option's value.
  EXPECT_EQ(completed({"policy", "stud", "--agent", ""}), stud);
  EXPECT_EQ(completed({"policy", "--seat", "1", "kuhn", "--agent", "d"}), Words{"default"});
  EXPECT_EQ(completed({"policy", "--game", "stud", "--agent", ""}), stud);
}

TEST(Complete, InBash) {
  const ProgramResult result = run_script(
      "bash -c 'source <(" + program() + " completion bash); COMP_WORDS=(" + program() +
          " match --game stu); COMP_CWORD=3; _dealer; echo \"${COMPREPLY[@]}\"; complete -p dealer' >out 2>err",
      "");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, "stud stud_hi_lo\ncomplete -o bashdefault -o default -F _dealer dealer\n");
}

// bash by default splits rule:tight into three words and replaces the last; without the colon among the word-break
// characters it is one.
TEST(Complete, InBashWordsWithAColon) {
  const auto replies = [](const std::string& words, int at, const std::string& before = {}) {
    const ProgramResult result = run_script(
        "bash -c 'source <(" + program() + " completion bash); " + before + " COMP_WORDS=(" + program() + " " + words +
            "); COMP_CWORD=" + std::to_string(at) + "; _dealer; echo \"${COMPREPLY[@]}\"' >out 2>err",
        "");
    EXPECT_EQ(result.err, "");
    return result.out;
  };
  EXPECT_EQ(replies("match --game holdem rule : ti", 6), "tight\n");
  EXPECT_EQ(replies("match --game holdem rule :", 5), "fair tight loose caller\n");
  EXPECT_EQ(replies("match --game ofc rule : bold rule : c", 9), "careful\n");
  EXPECT_EQ(replies("play --game holdem --agent rule : tight --hi", 8), "--hint\n");
  EXPECT_EQ(replies("match --game holdem rule:ti", 4, "COMP_WORDBREAKS=\" \";"), "rule:tight\n");
  EXPECT_EQ(replies("match --game holdem ru", 4), "rule rule:fair rule:tight rule:loose rule:caller\n");
  EXPECT_EQ(replies("match --game kuhn rule : t", 6), "\n") << "without styles";
}

// Through bash itself: with the Tab key, in a terminal.
TEST(Complete, InBashWithTheTabKey) {
  Terminal terminal("/bin/bash", {"--norc", "--noprofile", "-i"}, 120,
                    {{"TERM", "dumb"}, {"LC_ALL", "C"}, {"PS1", "shell$ "}});
  ASSERT_TRUE(terminal.wait_for("shell$ "));
  const std::string dealer = program();
  terminal.type("PATH=" + dealer.substr(0, dealer.rfind('/')) + ":$PATH; source <(dealer completion bash)\n");
  ASSERT_TRUE(terminal.wait_for("\nshell$ "));
  terminal.type("dealer match --game holdem rule:ti\t");
  ASSERT_TRUE(terminal.wait_for("rule:tight ")) << terminal.news();
  terminal.type("rule:lo\t");
  ASSERT_TRUE(terminal.wait_for("rule:loose ")) << terminal.news();
  terminal.type(
      "\x15"
      "exit\n");
  terminal.wait([](const std::string&) { return false; });
}

TEST(Complete, InZsh) {
  if (std::system("command -v zsh >/dev/null") != 0) GTEST_SKIP() << "no zsh";  // NOLINT
  const ProgramResult result =
      run_script("zsh -fc 'autoload -Uz compinit; compinit -D; source <(" + program() +
                     " completion zsh); compadd() { print -l -- $found }; words=(" + program() +
                     " match --game stu); CURRENT=4; _dealer; print $_comps[dealer]' >out 2>err",
                 "");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, "stud\nstud_hi_lo\n_dealer\n");
}

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
  for (const char* words : {"match random random --log", "hands standard_52 --plot", "hands standard_52 --ranking",
                            "hands standard_52 --draw-for", "train --out", "train --runs", "train --resume",
                            "play --log", "play --hint", "replay"})
    expect_refused(words_in(words), {{{""}, empty}});
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
  const std::string configs = source_dir() + "/configs/";
  const TempFolder folder;
  const std::string nothing = (folder / "empty.yaml").string();
  write_bytes(nothing, "---\n");
  expect_refused({},
                 {{{"games", configs + "train/ofc.yaml"},
                   "this is a training config, as its key 'algorithm' says; expected a game"},
                  {{"games", configs + "decks/standard_52.yaml"}, "this is a deck, as its key 'suits' says"},
                  {{"hands", configs + "games/leduc.yaml"}, "this is a game, as its key 'game' says; expected a deck"},
                  {{"hands", configs + "train/ofc.yaml"}, "this is a training config"},
                  {{"hands", "standard_52", "--ranking", configs + "decks/standard_52.yaml"}, "expected a ranking"},
                  {{"games", nothing}, "the file is empty; expected a game"},
                  {{"hands", nothing}, "the file is empty; expected a deck"}});
}

TEST(Program, MisuseOfEveryCommandIsOneLine) {
  for (const char* words :
       {"match rule", "games ofc[players=4]", "games ofc[palyers=2]", "bench --seconds -1", "play --players 1",
        "play --players 4", "play --players x", "play --agent nobody", "play --agent random --agent random"})
    refusal(words_in(words));
  for (const Words& words : std::vector<Words>{{"games", ""}, {"two\nlines"}}) refusal(words);
}

TEST(Program, MessagesHaveOneLineWhateverWasTyped) {
  EXPECT_EQ(cli::one_line("a\nb\x1b[31mc\x7f"), "a\\nb\\x1b[31mc\\x7f");
  EXPECT_EQ(cli::one_line("Zähler"), "Zähler");
  expect_refused({"games", "no\nsuch"}, {{{}, "no\\nsuch"}});
}

TEST(Program, TellsVersions) {
  const std::string out = output_of(run_dealer("--version"));
  EXPECT_TRUE(out.starts_with("dealer " + version() + "\nlibtorch ")) << out;
  expect_parts(out, {"\nBLAS ", ", kernel ", "\nevaluator compiled for "});
  EXPECT_EQ(run_dealer("-V").out, out);
}

TEST(Program, WarnsOfAnOldKernelOnlyWhenItIsForced) {
  const std::string chosen = output_of(run_dealer("--version", "", "env -u OPENBLAS_CORETYPE"), false);
  expect_none(chosen, {"warning"});
  if (!contains(chosen, "BLAS OpenBLAS")) GTEST_SKIP() << "libtorch runs with another BLAS";
  expect_parts(output_of(run_dealer("--version", "", "OPENBLAS_CORETYPE=Prescott"), false),
               {", kernel Prescott\n", "because OPENBLAS_CORETYPE is 'Prescott'; set OPENBLAS_CORETYPE="});
}

TEST(Streams, OutputThatCannotBeWrittenIsAFailure) {
  for (const char* arguments : {"games --json", "--version", "--help", "play --agent random --hint random"}) {
    for (const char* to : {">/dev/full", ">&-"}) {
      const ProgramResult result = run_dealer(arguments, "quit\n", "", to);
      EXPECT_EQ(result.status, 1) << arguments << to;
      EXPECT_TRUE(result.err.starts_with("dealer: cannot write to ")) << arguments << to << ": " << result.err;
      EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << arguments << to << ": " << result.err;
    }
  }
}

// The status of a program ended by SIGPIPE, as reported by the shell; the reader has read enough.
TEST(Streams, AClosedPipeEndsQuietly) {
  std::string deals, lines;
  for (int i = 0; i < 20'000; ++i) {
    deals += "Kd Qd 6h/5h 5c 3h 3c 6s/Js Jh Jd 7s 7d;Ad Ac Qh/As Ah Ts Td 2s/5d 6d 7h 8d 9d\n";
    lines += "rules\n";
  }
  for (const auto& [command, input] : {std::pair("ofc score --stdin", &deals),
                                       {"match random random --game kuhn --hands 20000 --log /dev/stdout", &deals},
                                       {"play --agent random --hint random", &lines}}) {
    const ProgramResult result =
        run_script(fmt::format("(DEALER {} <in 2>err; echo $? >out) | head -c 10 >/dev/null", command), *input);
    EXPECT_EQ(result.out, fmt::format("{}\n", 128 + SIGPIPE)) << command;
    EXPECT_EQ(result.err, "") << command;
  }
}

// The status of a command is the same whether or not its standard error can be written.
TEST(Streams, StandardErrorThatCannotBeWrittenChangesNoStatus) {
  for (const auto& [arguments, status] :
       {std::pair("games", 0), std::pair("nosuch", 2), std::pair("replay /dev/null", 1),
        std::pair("match random random --game kuhn --hands 2", 0), std::pair("play --agent random --hint random", 0),
        std::pair("train no_such_config", 2)}) {
    for (const char* to : {"2>/dev/full", "2>&-"})
      EXPECT_EQ(run_dealer(arguments, "quit\n", "", to).status, status) << arguments << to;
    const int nowhere = run_dealer(arguments, "quit\n", "", "2>&- >/dev/full").status;
    EXPECT_EQ(nowhere, status == 0 ? 1 : status) << arguments;
  }
}

TEST(Streams, AFileThatMayNotGrowIsAFailureWithAMessage) {
  for (const auto& [command, file] :
       {std::pair("match random random --game kuhn --hands 2000 --log x.phhs >/dev/null", "x.phhs"),
        {"hands standard_52 --plot x.svg >/dev/null", "x.svg"},
        {"games ofc --json >out", "to standard output"}}) {
    const ProgramResult result = run_script(fmt::format("ulimit -f 1; DEALER {} 2>err", command));
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.err, fmt::format("dealer: cannot write {}: File too large\n", file));
  }
}

}  // namespace
}  // namespace dealer::test::help_test
