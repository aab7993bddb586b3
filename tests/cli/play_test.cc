#include <map>

#include "env/core/registry.h"
#include "frontends/terminal/screen_text.h"
#include "tests/cli/run_dealer.h"
#include "tests/cli/terminal_program.h"
#include "tests/support/tiers.h"

namespace dealer::test::play_test {
namespace {

// dealer play through a pipe, and in terminals of common widths.
const std::string kTakeFive = repeat("take\n\n", 5);

TEST(Play, PlaysAHandThroughAPipeWithoutColours) {
  const std::string out =
      output_of(run_dealer("play --agent rule --hint rule --seed 7 --hands 1", "rules\nhint\n" + kTakeFive));
  expect_none(out, {"\x1b"});
  expect_parts(out, {"You play ofc against rule; seed 7", "Hand 1", "royalties",
                     "rule would play: ", "you against rule: ", "Enter confirms", "After 1 hand: you "});
}

TEST(Play, TheEndOfInputQuits) {
  for (const char* input : {"", "help", "hint\nquit\n"})
    expect_parts(output_of(run_dealer("play --agent random --hint random --seed 1", input), false),
                 {"After 0 hands: you 0, random 0\n"});
}

TEST(Play, AnOpponentThatIsNotThereIsAnError) {
  const ProgramResult result =
      run_dealer("play --game leduc --agent exec:/nowhere/bot --hint random --seed 1 --hands 2", kTakeFive);
  EXPECT_EQ(result.status, 1);
  expect_parts(result.out, {"After 2 hands: you "});
  EXPECT_EQ(result.err,
            "dealer: agent 'exec:/nowhere/bot' made no playable decision; cannot start '/nowhere/bot': No such file or "
            "directory\n");
}

TEST(Play, CtrlCQuits) {
  const std::string out = output_of(run_script(
      "mkfifo typed && exec 3<>typed && { DEALER play --game leduc --agent random --hint random --seed 1 <typed >out "
      "2>err & } && player=$! && until grep -q '^> $' out 2>/dev/null; do sleep 0.05; kill -0 $player || exit 9; done; "
      "kill -INT $player; wait $player"));
  EXPECT_TRUE(out.ends_with("\nAfter 0 hands: you 0, random 0\n")) << out;
}

TEST(Play, ThreeSitAtATable) {
  expect_parts(
      output_of(run_dealer("play --agent rule --agent random --players 3 --hint rule --seed 2 --hands 1", kTakeFive)),
      {"against rule and random; seed 2", "you against rule: ", "you against random: "});
}

TEST(Play, WhereNobodyIsTrainedItSaysWhoPlays) {
  const auto begun = [](const std::string& arguments) {
    return output_of(run_dealer("play --seed 1 " + arguments, "quit\n"), false);
  };
  const std::string six = "--game 'holdem[limit=no_limit,players=5]'";
  expect_parts(std::regex_replace(begun(six), std::regex("\n"), " "),
               {"There is no trained agent for 'holdem[limit=no_limit,players=5]'; rule plays instead, a heuristic "
                "agent. --agent names another.  Hand 1 "});
  for (const std::string& other : {six + " --agent rule", std::string("--game holdem"), std::string("--game leduc")})
    expect_none(begun(other), {"No agent is trained"});
}

struct Look {
  int columns;
  std::vector<std::pair<std::string, std::string>> environment;
  bool color() const { return environment.front().first == "TERM"; }
};
const std::vector<std::pair<std::string, std::string>> kColours = {
    {"TERM", "xterm-256color"}, {"LC_ALL", "C.UTF-8"}, {"NO_COLOR", ""}};
const std::vector<std::pair<std::string, std::string>> kLetters = {
    {"TERM", "xterm-256color"}, {"LC_ALL", "C"}, {"NO_COLOR", ""}};
const std::vector<std::pair<std::string, std::string>> kPlain = {{"NO_COLOR", "1"}, {"TERM", "xterm"}};

int longest_line(const std::string& text) {
  int most = 0;
  for (const std::string& line : lines_of(text)) most = std::max(most, terminal::columns(plain(line)));
  return most;
}

// Lines may be broken between any words, and cards are separate.
std::string words_of(const std::string& text) { return std::regex_replace(text, std::regex("[\\s|*]+"), " "); }

class PlayedHand {
 public:
  // The first hand with a showdown, every player deciding like an adviser who seldom folds.
  PlayedHand(const std::string& game, const Look& look) : game_(game), look_(look) {
    const bool bets = !game.starts_with("ofc") && game != "seven_hand" && game != "kuhn" && game != "leduc" &&
                      !game.starts_with("mini_draw");
    const std::string agent = bets ? "rule:caller" : "rule";
    for (int seed = 1; seed <= 20 && !showdown_; ++seed) {
      const std::string log = (folder_ / "session.phhs").string();
      screen_ = run_in_terminal({"play", "--game", game, "--agent", agent, "--hint", agent, "--seed",
                                 std::to_string(seed), "--hands", "1", "--log", log},
                                look.columns, look.environment, [](const std::string& news) {
                                  return news.ends_with("(y/n) ") ? "y" : news.ends_with("\n> ") ? "take" : "";
                                });
      EXPECT_EQ(screen_.status, 0) << screen_.text;
      const ProgramResult replayed = run_here({"replay", log, "--hand", "1", "--json"});
      EXPECT_EQ(replayed.status, 0) << game << replayed.err << replayed.out;
      if (replayed.status != 0) return;
      observed_ = Json::parse(replayed.out);
      for (const Json& event : observed_["events"]) showdown_ = showdown_ || event["event"] == "shown";
    }
    EXPECT_TRUE(showdown_) << game;
  }

  void expect_it_fits() const {
    EXPECT_LE(longest_line(screen_.text), look_.columns) << game_ << screen_.text;
    EXPECT_EQ(contains(screen_.text, "\x1b["), look_.color()) << game_;
    EXPECT_EQ(contains(screen_.text, "\u2665") || contains(screen_.text, "\u2660") ||
                  contains(screen_.text, "\u2666") || contains(screen_.text, "\u2663"),
              look_.environment == kColours)
        << game_;
  }

  // The output after the last typed line, compared with the log.
  void expect_the_showdown() const {
    const std::string end = plain(screen_.text.substr(screen_.typed)), words = words_of(end);
    std::map<int, int> pots;
    std::vector<int> stacks;
    for (const Json& event : observed_["events"]) {
      const std::string kind = event["event"];
      if (kind == "hand_begun") stacks = event["stacks"].get<std::vector<int>>();
      if (kind == "placed" || kind == "shown")
        for (std::size_t i = 0; i < event["cards"].size(); ++i) {
          const bool thrown = event.contains("places") && event["places"][i] == "discard";
          EXPECT_TRUE(thrown || contains(words, ' ' + event["cards"][i].get<std::string>() + ' '))
              << game_ << event << end;
        }
      if (kind == "shown" && !ofc_ && !line_) {
        EXPECT_TRUE(contains(words, " " + event["hand"].get<std::string>())) << game_ << event << end;
      }
      if (line_) continue;
      if (kind == "won") pots[event["pot"]] += event["amount"].get<int>();
      if (kind == "won") {
        EXPECT_TRUE(std::regex_search(words, std::regex(" wins? " + event["amount"].dump() + "\\b")))
            << game_ << event << end;
      }
      if (kind == "hand_ended" && !ofc_)
        for (std::size_t seat = 0; seat < stacks.size(); ++seat)
          expect_stack(end, observed_["players"][seat], stacks[seat] + event["net"][seat].get<int>());
    }
    for (const auto& [pot, chips] : pots)
      EXPECT_TRUE(std::regex_search(words, std::regex("pot( \\d)? " + std::to_string(chips) + " "))) << game_ << end;
    if (line_) {
      EXPECT_TRUE(contains(words, "this hand: ")) << end;
    } else if (ofc_) {
      EXPECT_TRUE(contains(words, "royalties ") && contains(words, "together ")) << end;
    } else {
      EXPECT_FALSE(pots.empty()) << game_;
      EXPECT_TRUE(contains(end, "\nShowdown")) << game_ << end;
    }
  }

 private:
  // On the line of that seat, after its position; names may be shortened in the middle.
  void expect_stack(const std::string& end, const std::string& name, int chips) const {
    const std::string start = name.substr(0, 4), tail = name.substr(name.size() - 1);
    for (const std::string& line : lines_of(end.substr(end.find("\nShowdown"))))
      if (std::regex_search(line, std::regex("^[A-Z0-9+]* *" + start)) &&
          std::regex_search(line, std::regex("[^ ]*" + tail + " +" + std::to_string(chips) + "( |$)")))
        return;
    ADD_FAILURE() << game_ << ": " << name << " has " << chips << '\n' << end;
  }

  const std::string game_;
  const bool ofc_ = game_.starts_with("ofc");
  const bool line_ = game_ == "seven_hand";  // of chips
  const Look look_;
  const TempFolder folder_;
  Screen screen_;
  Json observed_;
  bool showdown_ = false;
};

void expect_every_game(const Look& look) {
  const std::vector<std::string> games = game_names();
  ASSERT_GE(games.size(), 16U);
  for (const std::string& game : games) {
    const PlayedHand hand(game, look);
    if (testing::Test::HasFailure()) return;
    hand.expect_it_fits();
    hand.expect_the_showdown();
  }
}

TEST(PlayTable, EveryGameIn80Columns) { expect_every_game({80, kColours}); }
TEST(PlayTable, EveryGameIn50ColumnsWithoutColours) { expect_every_game({50, kPlain}); }
// Three seconds each for every game; width and colours are independent.
TEST(PlayTableThorough, EveryGameIn50Columns) { expect_every_game({50, kColours}); }
TEST(PlayTableThorough, EveryGameIn80ColumnsWithoutColours) { expect_every_game({80, kPlain}); }

// Crowded tables, and letters in locales without symbols.
TEST(PlayTable, ManyPlayersIn50Columns) {
  for (const char* game :
       {"holdem[players=10,limit=no_limit]", "stud[players=8,bring_in=5]", "draw[players=6]", "triple_draw[players=6]",
        "washizu[players=6]", "court_tarot[players=6]", "ofc[players=3]"}) {
    const PlayedHand hand(game, {50, kLetters});
    if (HasFailure()) return;
    hand.expect_it_fits();
    hand.expect_the_showdown();
  }
}

TEST(PlayTable, FollowsTheTerminalsWidth) {
  Terminal terminal(
      program(),
      {"play", "--game", "draw[players=6]", "--agent", "rule[style=caller]", "--hint", "rule", "--seed", "3"}, 100,
      kPlain);
  ASSERT_TRUE(terminal.wait(at_prompt));
  for (const int columns : {50, 100, 44}) {
    terminal.resize(columns);
    std::string news;
    for (const char* line : {"rules\n", "take\n"}) {
      terminal.type(line);
      ASSERT_TRUE(terminal.wait(at_prompt));
      news = terminal.news();
      EXPECT_LE(longest_line(news), columns) << news;
      EXPECT_TRUE(columns < 100 || longest_line(news) > 55) << news;
    }
    // A table drawn for another width would have unnecessary line breaks or shortened names.
    EXPECT_EQ(count(news, "##  ##  ##  ##  ##"), 5) << news;
    EXPECT_EQ(count(news, "##"), 25) << news;
    EXPECT_EQ(contains(news, "rule[style=caller] 5  "), columns == 100) << news;
  }
  terminal.type("quit\n");
  terminal.wait([](const std::string&) { return false; });
  EXPECT_EQ(terminal.end().status, 0);
}

TEST(PlayTable, LongTextsAreWrapped) {
  const Words typed = {"rules", "help", "hint", "score", "quit"};
  for (const std::string& game : game_names())
    for (const int columns : all_tests() ? std::vector{40, 50, 80} : std::vector{40}) {
      std::size_t next = 0;
      const Screen screen =
          run_in_terminal({"play", "--game", game, "--agent", "random", "--hint", "rule", "--seed", "1"}, columns,
                          kPlain, [&](const std::string&) { return typed.at(next++); });
      EXPECT_EQ(screen.status, 0) << game;
      EXPECT_LE(longest_line(screen.text), columns) << game << screen.text;
      EXPECT_GT(longest_line(screen.text), columns - 12) << game << " does not use the width" << screen.text;
    }
}

// Lines typed at a terminal: keys that edit, complete and end them.

// Types these lines, one at every prompt, then quits.
Screen type(const std::vector<std::string>& lines, const std::string& terminal = "xterm-256color") {
  std::size_t next = 0;
  Screen screen = run_in_terminal(
      {"play", "--game", "holdem[limit=no_limit]", "--agent", "rule:caller", "--hint", "rule", "--seed", "1"}, 80,
      {{"TERM", terminal}, {"LC_ALL", "C.UTF-8"}, {"NO_COLOR", "1"}},
      [&](const std::string&) { return next < lines.size() ? lines[next++] : "quit"; });
  EXPECT_EQ(screen.status, 0) << screen.text;
  EXPECT_TRUE(screen.sane) << "the shell gets its terminal back";
  EXPECT_TRUE(contains(screen.text, "\nAfter ")) << screen.text;
  screen.text = plain(screen.text);
  return screen;
}

const std::string kLeft = "\x1b[D", kUp = "\x1b[A", kHome = "\x01", kDeleteBack = "\x7f", kEndOfInput = "\x04";

TEST(LineEditor, KeysEditTheLine) {
  // "call" with a wrong letter that is deleted, and a missing one inserted.
  expect_parts(type({"cxal" + kLeft + kLeft + kDeleteBack + kHome + "\x05l"}).text, {"\nyou call 50\n"});
  expect_parts(type({"aise 250" + kHome + "r"}).text, {"\nyou raise to 250\n"});
}

TEST(LineEditor, KeysThatWriteNothingAreNotShown) {
  for (const char* terminal : {"xterm-256color", "dumb"}) {
    const Screen screen = type({"k\x1b[D\x1b[C\x1b[2~\x1b[15~\x1bOP\x1b[1;5C\x1b[200~\x16\x1bz"}, terminal);
    expect_none(screen.text, {"[D'", "~'", "'k[", "OP'"});
    EXPECT_TRUE(contains(screen.text, "you cannot check now")) << screen.text;
  }
}

TEST(LineEditor, TheLinesBeforeComeBack) {
  const std::string text = type({"r 250", "b 300", kUp, kUp + kUp}).text;
  // 300 again on the turn, and on the river the line before it; history keeps a repeated line once.
  expect_parts(text, {"\nyou raise to 250\n", "\nyou bet 250\n"});
  EXPECT_EQ(count(text, "\nyou bet 300\n"), 2) << text;
}

TEST(LineEditor, TabCompletesWords) {
  expect_parts(type({"ra\t250"}).text, {"\nyou raise to 250\n"});  // a word and the blank behind it
  expect_parts(type({"sc\t"}).text, {"Score: you 0"});             // commands, too
  expect_parts(type({"h\t\t\x15score"}).text, {"help", "hint"});   // lists the candidates
}

TEST(LineEditor, CtrlCAndTheEndOfInputTellTheScore) {
  for (const std::string& key : {std::string("\x03"), kEndOfInput})
    expect_parts(type({"call", key}).text, {"\nAfter 0 hands: you 0, rule:caller 0\n"});
}

TEST(LineEditor, CtrlDDeletesAndEndsAndIsNotShown) {
  const Screen screen = type({"xcall" + kHome + kEndOfInput, kEndOfInput});
  expect_parts(screen.text, {"\nyou call 50\n", "\nAfter 0 hands"});
  expect_none(screen.text, {"^D"});
}

// Run by bash: stopped twice and resumed, keeping the typed text.
TEST(LineEditor, StandsThereAgainAfterAStop) {
  Terminal terminal("/bin/bash", {"--norc", "--noprofile", "-i"}, 80,
                    {{"TERM", "xterm-256color"}, {"LC_ALL", "C.UTF-8"}, {"NO_COLOR", "1"}, {"PS1", "shell$ "}});
  ASSERT_TRUE(terminal.wait_for("shell$ "));
  terminal.type(program() + " play --game holdem --agent rule:caller --hint rule --seed 1\n");
  ASSERT_TRUE(terminal.wait_for("\n> "));
  terminal.type("ca");
  ASSERT_TRUE(terminal.wait_for("ca"));
  for (int i = 0; i < 2; ++i) {
    terminal.type("\x1a");
    ASSERT_TRUE(terminal.wait_for("shell$ ")) << terminal.news();
    EXPECT_TRUE(contains(terminal.news(), "Stopped")) << terminal.news();
    terminal.type("fg\n");
    ASSERT_TRUE(terminal.wait_for("\n> ca")) << terminal.news();
  }
  terminal.type("ll\n");
  ASSERT_TRUE(terminal.wait_for("\n> ")) << terminal.news();
  EXPECT_TRUE(contains(terminal.news(), "\nyou call 5\n")) << terminal.news();
  terminal.type("quit\n");
  ASSERT_TRUE(terminal.wait_for("shell$ ")) << terminal.news();
  EXPECT_TRUE(contains(terminal.news(), "\nAfter 0 hands")) << terminal.news();
  terminal.type("exit\n");
  terminal.wait([](const std::string&) { return false; });
  EXPECT_EQ(terminal.end().status, 0);
}

TEST(LineEditor, LeavesTheTerminalInOrderWhenItIsEnded) {
  for (const int signal : {SIGTERM, SIGHUP, SIGQUIT}) {
    Terminal terminal(program(), {"play", "--game", "kuhn", "--agent", "rule", "--hint", "rule"}, 80,
                      {{"TERM", "xterm-256color"}});
    ASSERT_TRUE(terminal.wait_for("\n> "));
    terminal.signal(signal);
    terminal.wait([](const std::string&) { return false; });
    const Screen screen = terminal.end();
    EXPECT_EQ(screen.signal, signal);
    EXPECT_TRUE(screen.sane) << signal;
  }
}

}  // namespace
}  // namespace dealer::test::play_test
