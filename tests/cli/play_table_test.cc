// Hands of every game, played in a terminal as wide as people have them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "env/core/registry.h"
#include "frontends/terminal/screen_text.h"
#include "tests/cli/run_dealer.h"
#include "tests/cli/terminal_program.h"
#include "tests/support/paths.h"
#include "tests/support/tiers.h"

namespace dealer::play_table_test {
namespace {

using nlohmann::json;
using test::contains;
using test::Screen;

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

// Lines may be broken anywhere between words, and cards stand apart.
std::string words_of(const std::string& text) { return std::regex_replace(text, std::regex("[\\s|*]+"), " "); }

class PlayedHand {
 public:
  // The first hand with a showdown, everybody deciding as an adviser does who seldom folds.
  PlayedHand(const std::string& game, const Look& look) : game_(game), look_(look) {
    const bool bets = !game.starts_with("ofc") && game != "seven_hand" && game != "kuhn" && game != "leduc" &&
                      !game.starts_with("mini_draw");
    const std::string agent = bets ? "rule:caller" : "rule";
    for (int seed = 1; seed <= 20 && !showdown_; ++seed) {
      const std::string log = (folder_ / "session.phhs").string();
      screen_ = test::run_in_terminal({"play", "--game", game, "--agent", agent, "--hint", agent, "--seed",
                                       std::to_string(seed), "--hands", "1", "--log", log},
                                      look.columns, look.environment, [](const std::string& news) {
                                        return news.ends_with("(y/n) ") ? "y" : news.ends_with("\n> ") ? "take" : "";
                                      });
      EXPECT_EQ(screen_.status, 0) << screen_.text;
      const test::ProgramResult replayed = test::run_here({"replay", log, "--hand", "1", "--json"});
      EXPECT_EQ(replayed.status, 0) << game << replayed.err << replayed.out;
      if (replayed.status != 0) return;
      told_ = json::parse(replayed.out);
      for (const json& event : told_["events"]) showdown_ = showdown_ || event["event"] == "shown";
    }
    EXPECT_TRUE(showdown_) << game;
  }

  void expect_it_fits() const {
    std::istringstream lines(screen_.text);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(terminal::columns(test::plain(line)), look_.columns) << game_ << line;
    EXPECT_EQ(contains(screen_.text, "\x1b["), look_.color()) << game_;
    EXPECT_EQ(contains(screen_.text, "\u2665") || contains(screen_.text, "\u2660") ||
                  contains(screen_.text, "\u2666") || contains(screen_.text, "\u2663"),
              look_.environment == kColours)
        << game_;
  }

  // What stands there after the last line that was typed, against what the log says.
  void expect_the_showdown() const {
    const std::string end = test::plain(screen_.text.substr(screen_.typed)), words = words_of(end);
    std::map<int, int> pots;
    std::vector<int> stacks;
    for (const json& event : told_["events"]) {
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
          expect_stack(end, told_["players"][seat], stacks[seat] + event["net"][seat].get<int>());
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

  const Screen& screen() const { return screen_; }

 private:
  // In the line of that seat; names may be shortened in the middle.
  void expect_stack(const std::string& end, const std::string& name, int chips) const {
    const std::string start = name.substr(0, 4), tail = name.substr(name.size() - 1);
    std::istringstream lines(end.substr(end.find("\nShowdown")));
    for (std::string line; std::getline(lines, line);)
      if (line.size() > 6 && line.substr(2, start.size()) == start &&
          std::regex_search(line, std::regex("[^ ]*" + tail + " +" + std::to_string(chips) + "( |$)")))
        return;
    ADD_FAILURE() << game_ << ": " << name << " has " << chips << '\n' << end;
  }

  const std::string game_;
  const bool ofc_ = game_.starts_with("ofc");
  const bool line_ = game_ == "seven_hand";  // of chips
  const Look look_;
  const test::TempFolder folder_;
  Screen screen_;
  json told_;
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
// Three seconds each for every game; width and colours do not depend on one another.
TEST(PlayTableThorough, EveryGameIn50Columns) { expect_every_game({50, kColours}); }
TEST(PlayTableThorough, EveryGameIn80ColumnsWithoutColours) { expect_every_game({80, kPlain}); }

// The crowded tables, and letters where the locale has no symbols.
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

// From the next line on everything fits into the terminal as it is then.
TEST(PlayTable, FollowsTheTerminalsWidth) {
  test::Terminal terminal(
      test::program(),
      {"play", "--game", "draw[players=6]", "--agent", "rule[style=caller]", "--hint", "rule", "--seed", "3"}, 100,
      kPlain);
  const auto longest = [&] {
    int most = 0;
    std::istringstream lines(terminal.news());
    for (std::string line; std::getline(lines, line);) most = std::max(most, terminal::columns(line));
    return most;
  };
  ASSERT_TRUE(terminal.wait(test::at_prompt));
  for (const int columns : {50, 100, 44}) {
    terminal.resize(columns);
    for (const char* line : {"rules", "take"}) {
      terminal.type(std::string(line) + '\n');
      ASSERT_TRUE(terminal.wait(test::at_prompt));
      EXPECT_LE(longest(), columns) << terminal.news();
      EXPECT_TRUE(columns < 100 || longest() > 55) << terminal.news();
    }
    // A table drawn for another width would have its hands broken or its names shortened without need.
    const std::string news = terminal.news();
    std::istringstream lines(news);
    int hands = 0;
    for (std::string line; std::getline(lines, line);) {
      if (!contains(line, "##")) continue;
      EXPECT_TRUE(contains(line, "##  ##  ##  ##  ##")) << news;
      ++hands;
    }
    EXPECT_EQ(hands, 5) << news;
    EXPECT_EQ(contains(news, "rule[style=caller] 5  "), columns == 100) << news;
  }
  terminal.type("quit\n");
  terminal.wait([](const std::string&) { return false; });
  EXPECT_EQ(terminal.end().status, 0);
}

// Rules and help, too. The width of 40 is the hardest.
TEST(PlayTable, LongTextsAreWrapped) {
  const std::vector<int> widths = test::all_tests() ? std::vector{40, 50, 80} : std::vector{40};
  for (const std::string& game : game_names()) {
    for (const int columns : widths) {
      int line = 0;
      const Screen screen =
          test::run_in_terminal({"play", "--game", game, "--agent", "random", "--hint", "rule", "--seed", "1"}, columns,
                                kPlain, [&](const std::string&) {
                                  return std::vector<std::string>{"rules", "help", "hint", "score", "quit"}.at(
                                      static_cast<std::size_t>(line++));
                                });
      EXPECT_EQ(screen.status, 0) << game;
      std::istringstream lines(screen.text);
      int longest = 0;
      for (std::string text; std::getline(lines, text);) longest = std::max(longest, terminal::columns(text));
      EXPECT_LE(longest, columns) << game << screen.text;
      EXPECT_GT(longest, columns - 12) << game << " does not use the terminal's width" << screen.text;
    }
  }
}

}  // namespace
}  // namespace dealer::play_table_test
