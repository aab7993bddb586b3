#include "tests/cli/run_dealer.h"
#include "tests/cli/terminal_program.h"

namespace dealer::help_test {
namespace {

using test::contains;
using test::joined;
using test::kAllCommands;
using test::options_in;
using test::ProgramResult;
using test::run_here;
using test::run_script;
using test::with_blanks;
using test::Words;

std::string help_of(const Words& words) {
  const ProgramResult result = run_here(joined(words, {"--help"}));
  EXPECT_EQ(result.status, 0) << result.err;
  return result.out;
}

// As the program writes it, without roff's escapes.
std::string manual() {
  const ProgramResult result = run_here({"help", "--man"});
  EXPECT_EQ(result.status, 0) << result.err;
  return std::regex_replace(result.out, std::regex(R"(\\-)"), "-");
}

Words completed(const Words& words) {
  const ProgramResult result = run_here(joined({"complete", "--"}, words));
  EXPECT_EQ(result.status, 0) << result.err;
  Words found;
  for (const std::string& line : test::lines_of(result.out)) found.push_back(line.substr(0, line.find('\t')));
  return found;
}

TEST(Help, HelpOfACommandIsTheCommandsHelp) {
  EXPECT_EQ(run_here({"help"}).out, run_here({"--help"}).out);
  for (const Words& command : kAllCommands) {
    const ProgramResult result = run_here(joined({"help"}, command));
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.err, "");
    // CLI11 lists what an option excludes in any order.
    const auto in_order = [](const std::string& text) {
      return std::regex_replace(text, std::regex("Excludes:.*"), "");
    };
    EXPECT_EQ(in_order(result.out), in_order(help_of(command)));
  }
  EXPECT_TRUE(contains(run_here({"help", "ofc"}).out, "Usage: dealer ofc "));
}

TEST(Help, AnUnknownCommandBringsTheNearest) {
  test::expect_refused({}, {{{"help", "mtach"}, "no command 'dealer mtach'; did you mean 'match'?; commands: train, "},
                            {{"help", "ofc", "scor"}, "did you mean 'score'?; commands: score, fantasyland"},
                            {{"help", "match", "more"}, "'dealer match' has no commands; see 'dealer match --help'"},
                            {{"help", "match", "--man"}, "--man"},
                            {{"completion", "fish"}, "'fish' is not allowed; expected bash or zsh"}});
}

TEST(Manual, HasEveryCommandAndOption) {
  const std::string page = manual();
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
      run_script(test::program() + " help --man >in; groff -man -Tascii -P-cbou -ww -rLL=78n in >out 2>err");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(contains(result.out, "--no-duplicate")) << result.out;
}

TEST(Complete, CommandsAndOptions) {
  EXPECT_EQ(completed({""}), (Words{"train", "best-response", "play", "match", "tournament", "bot", "study", "replay",
                                    "analyse", "solve", "exploit", "exploitability", "policy", "ofc", "hands", "games",
                                    "bench", "help", "completion"}));
  EXPECT_EQ(completed({"re"}), Words{"replay"});
  EXPECT_EQ(completed({"ofc", ""}), (Words{"score", "fantasyland"}));
  EXPECT_EQ(completed({"match", "--mo"}), Words{"--move-time"});
  for (const Words& command : kAllCommands) {
    const Words found = completed(joined(command, {"--"}));
    EXPECT_EQ(std::set<std::string>(found.begin(), found.end()), options_in(help_of(command))) << with_blanks(command);
  }
}

TEST(Complete, NamesThatAreKnownOnlyThen) {
  EXPECT_EQ(completed({"games", "stu"}), (Words{"stud", "stud_hi_lo"}));
  EXPECT_EQ(completed({"games", "stud", "ku"}), Words{"kuhn"});
  EXPECT_EQ(completed({"match", "rule", "ran"}), Words{"random"});
  EXPECT_EQ(completed({"match", "--game", "ku"}), Words{"kuhn"});
  EXPECT_EQ(completed({"match", "--game", "=", "ku"}), Words{"kuhn"}) << "as bash splits it";
  EXPECT_EQ(completed({"match", "--deals", "ra"}), Words{}) << "a number";
  EXPECT_EQ(completed({"match", "--strict", "ra"}), Words{"random"}) << "takes no value";
  EXPECT_EQ(completed({"play", "--agent", "rul"}),
            (Words{"rule", "rule:fair", "rule:expert", "rule:careful", "rule:bold"}));
  EXPECT_EQ(completed({"hands", "tar"}), Words{"tarot_78"});
  EXPECT_EQ(completed({"hands", "tarot_78", "tar"}), Words{}) << "one deck";
  EXPECT_EQ(completed({"hands", "--ranking", "ace"}), Words{"ace_to_five"});
  EXPECT_EQ(completed({"study", "sev"}), Words{"seven_hand"});
  EXPECT_EQ(completed({"train", "ofc_d"}), Words{"ofc_default"});
  EXPECT_EQ(completed({"bench", "train."}), (Words{"train.ofc", "train.draw", "train.draw.overlap", "train.adam"}));
  EXPECT_EQ(completed({"help", "gam"}), Words{"games"});
  EXPECT_EQ(completed({"solve", "mini_draw_s"}), Words{"mini_draw_single"});
  EXPECT_EQ(completed({"solve", "--game", "mini_draw_s"}), Words{"mini_draw_single"});
  EXPECT_EQ(completed({"solve", "kuhn", "--algorithm", "cfr"}), (Words{"cfr", "cfr_plus"}));
  EXPECT_EQ(completed({"completion", ""}), (Words{"bash", "zsh"}));
  EXPECT_EQ(completed({"replay", ""}), Words{}) << "a file";
}

// The agents are those of the game: "default" is a trained one.
TEST(Complete, AgentsOfTheGame) {
  const Words ofc = completed({"match", ""}), stud = completed({"match", "--game", "stud", ""});
  EXPECT_EQ(std::count(ofc.begin(), ofc.end(), "default"), 1);
  EXPECT_EQ(std::count(stud.begin(), stud.end(), "rule"), 1);
  EXPECT_NE(ofc, stud);
  // A game that is no option's value.
  EXPECT_EQ(completed({"policy", "stud", "--agent", ""}), stud);
  EXPECT_EQ(completed({"policy", "--seat", "1", "kuhn", "--agent", "d"}), Words{"default"});
  EXPECT_EQ(completed({"policy", "--game", "stud", "--agent", ""}), stud);
}

TEST(Complete, InBash) {
  const ProgramResult result = run_script(
      "bash -c 'source <(" + test::program() + " completion bash); COMP_WORDS=(" + test::program() +
          " match --game stu); COMP_CWORD=3; _dealer; echo \"${COMPREPLY[@]}\"; complete -p dealer' >out 2>err",
      "");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, "stud stud_hi_lo\ncomplete -o bashdefault -o default -F _dealer dealer\n");
}

// bash, as people have it, takes rule:tight for three words and replaces the last; without the colon among the
// characters that break words it is one.
TEST(Complete, InBashWordsWithAColon) {
  const auto replies = [](const std::string& words, int at, const std::string& before = {}) {
    const ProgramResult result = run_script(
        "bash -c 'source <(" + test::program() + " completion bash); " + before + " COMP_WORDS=(" + test::program() +
            " " + words + "); COMP_CWORD=" + std::to_string(at) + "; _dealer; echo \"${COMPREPLY[@]}\"' >out 2>err",
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
  test::Terminal terminal("/bin/bash", {"--norc", "--noprofile", "-i"}, 120,
                          {{"TERM", "dumb"}, {"LC_ALL", "C"}, {"PS1", "shell$ "}});
  ASSERT_TRUE(terminal.wait_for("shell$ "));
  const std::string program = test::program();
  terminal.type("PATH=" + program.substr(0, program.rfind('/')) + ":$PATH; source <(dealer completion bash)\n");
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
      run_script("zsh -fc 'autoload -Uz compinit; compinit -D; source <(" + test::program() +
                     " completion zsh); compadd() { print -l -- $found }; words=(" + test::program() +
                     " match --game stu); CURRENT=4; _dealer; print $_comps[dealer]' >out 2>err",
                 "");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, "stud\nstud_hi_lo\n_dealer\n");
}

}  // namespace
}  // namespace dealer::help_test
