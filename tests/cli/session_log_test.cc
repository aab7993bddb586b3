// `dealer play --log` and `dealer replay --hand`.
#include <filesystem>
#include <sstream>

#include "frontends/phh/hand_history.h"
#include "frontends/terminal/screen_text.h"
#include "tests/cli/run_dealer.h"

namespace dealer::session_log_test {
namespace {

using nlohmann::json;
using test::contains;
using test::ProgramResult;
using test::run_dealer;
using test::run_here;

class SessionLog : public test::CommandInFolder {
 protected:
  std::string log() const { return at("session.phhs"); }
  std::string logged() const { return read("session.phhs"); }
  // Plays what the adviser says, so many lines; the session ends where they do.
  ProgramResult play(const std::string& game, int lines,
                     const std::string& more = "--agent rule --hint rule --seed 3") {
    std::string input;
    for (int i = 0; i < lines; ++i) input += "take\ny\n\n";
    return run_dealer("play --game '" + game + "' " + more + " --log " + log(), input);
  }
  json replayed() const { return json::parse(run_here({"replay", log(), "--json"}).out); }
  ProgramResult replay(const std::string& hand) const { return run_here({"replay", log(), "--hand", hand}); }
  static int hands_of(const std::string& out) {
    std::istringstream words(out.substr(out.rfind("\nAfter ") + 7));
    int hands = -1;
    words >> hands;
    return hands;
  }
};

TEST_F(SessionLog, WhatWasPlayedIsRightOfEveryKindOfGame) {
  for (const char* game : {"holdem[limit=no_limit,players=4]", "stud_hi_lo[players=3]", "draw[players=6]",
                           "triple_draw[players=6]", "washizu[players=3]", "court_tarot", "leduc", "mini_draw", "ofc",
                           "holdem[limit=no_limit,stack=400,episode=match]"}) {
    const ProgramResult session = play(game, 23);
    EXPECT_EQ(session.status, 0) << session.err;
    const json result = replayed();
    EXPECT_EQ(result["hands"], hands_of(session.out)) << game << session.out;
    EXPECT_GT(result["hands"], 0) << game;
    EXPECT_EQ(result["ok"], result["hands"]) << game << result;
  }
}

// Hands in which the cards ran out, and were shuffled again.
TEST_F(SessionLog, ReshufflesAndAmountsAreInIt) {
  EXPECT_EQ(play("triple_draw[players=6]", 80, "--agent random --hint random --seed 4 --hands 6").status, 0);
  EXPECT_EQ(replayed()["ok"], 6);
  const ProgramResult amounts = run_dealer(
      "play --game 'holdem[limit=no_limit]' --agent rule:caller --hint rule --seed 11 --hands 1 --log " + log(),
      "raise to 237\n\nbet 300\n\ncheck\n\ncheck\n\n");
  EXPECT_EQ(amounts.status, 0) << amounts.err;
  EXPECT_EQ(replayed()["hands"], 1) << "the file is written anew";
  EXPECT_EQ(replayed()["ok"], 1);
  EXPECT_TRUE(contains(logged(), "cbr 237")) << logged();
  EXPECT_TRUE(contains(logged(), "players = ['rule:caller', 'you']") ||
              contains(logged(), "players = ['you', 'rule:caller']"));
}

// A hand that was not played to its end leaves nothing.
TEST_F(SessionLog, OnlyWholeHandsAreWritten) {
  const ProgramResult none = play("holdem", 1);
  EXPECT_EQ(hands_of(none.out), 0) << none.out;
  EXPECT_FALSE(std::filesystem::exists(log()));
  write("session.phhs", "kept");
  EXPECT_EQ(hands_of(play("holdem", 1).out), 0);
  EXPECT_EQ(logged(), "kept") << "until there is something to write";
  const int hands = hands_of(play("kuhn", 30).out);
  EXPECT_GT(hands, 3);
  EXPECT_EQ(replayed()["ok"], hands);
}

TEST_F(SessionLog, AFullDiskLeavesWholeHands) {
  std::string typed;
  for (int i = 0; i < 200; ++i) typed += "take\n\n";
  const ProgramResult full =
      test::run_script("ulimit -f 8; DEALER play --game kuhn --agent random --hint random --seed 1 --log " + log() +
                           " <in 2>err | tail -n 1 >out",
                       typed);
  EXPECT_EQ(full.err, "dealer: cannot write " + log() + ": File too large\n");
  EXPECT_GT(replayed()["hands"], 3);
  EXPECT_EQ(replayed()["ok"], replayed()["hands"]);
}

TEST_F(SessionLog, AKilledSessionLeavesWholeHands) {
  const ProgramResult killed = test::run_script(
      "mkfifo typed && exec 3<>typed && { DEALER play --game kuhn --agent random --hint random --seed 1 --log " +
      log() +
      " <typed >out 2>err & } && player=$! && for i in 1 2 3 4 5 6 7 8 9; do printf 'take\\ny\\n\\n' >&3; done && "
      "until grep -q finishing_stacks " +
      log() + " 2>/dev/null; do sleep 0.05; kill -0 $player || exit 9; done; kill -KILL $player; wait $player; true");
  EXPECT_EQ(killed.status, 0) << killed.err;
  EXPECT_GT(replayed()["hands"], 0);
  EXPECT_EQ(replayed()["ok"], replayed()["hands"]);
}

TEST_F(SessionLog, FilesThatCannotBe) {
  test::expect_refused({}, {{{"play", "--game", "kuhn", "--log", ""}, "'' is not allowed; expected the path of a file"},
                            {{"match", "rule", "rule", "--log", ""}, "'' is not allowed; expected the path of a file"},
                            {{"play", "--game", "kuhn", "--log", "/no/such/folder/x"},
                             "dealer: cannot write /no/such/folder/x: No such file or directory",
                             1}});
  const ProgramResult full =
      run_dealer("play --game kuhn --agent random --hint random --seed 1 --log /dev/full", "take\ny\n\ntake\ny\n\n");
  EXPECT_EQ(full.status, 1);
  EXPECT_EQ(full.err, "dealer: cannot write /dev/full: No space left on device\n");
}

class ReplayHand : public SessionLog {
 protected:
  // Every card that the actions of that hand name, in the order of the file.
  static std::vector<std::string> cards_of(const std::string& file, const std::string& heading) {
    phh::HistoryReader reader(test::read_bytes(file), "x");
    std::vector<std::string> cards;
    while (const auto hand = reader.next())
      if (hand->heading == heading)
        for (const phh::HandAction& action : hand->actions)
          cards.insert(cards.end(), action.cards.begin(), action.cards.end());
    return cards;
  }
};

TEST_F(ReplayHand, ShowsAllTheCardsOfTheFile) {
  for (const char* game :
       {"holdem[players=4]", "stud", "triple_draw[players=3]", "washizu[players=2]", "court_color"}) {
    ASSERT_EQ(play(game, 40).status, 0);
    for (const char* number : {"1", "2"}) {
      const ProgramResult shown = replay(number);
      EXPECT_EQ(shown.status, 0) << shown.err;
      EXPECT_TRUE(shown.out.starts_with(std::string("Hand ") + number + " of ")) << shown.out;
      const std::vector<std::string> cards = cards_of(log(), number);
      EXPECT_GE(cards.size(), 4U) << game;
      for (const std::string& card : cards)
        EXPECT_TRUE(card == "-" || contains(shown.out, ' ' + card)) << game << ' ' << card << '\n' << shown.out;
      EXPECT_FALSE(contains(shown.out, "##")) << "every hand is told" << shown.out;
      EXPECT_TRUE(contains(shown.out, "\npot ") && contains(shown.out, "\nthis hand: ")) << shown.out;
    }
  }
}

// The same as its events say, street by street.
TEST_F(ReplayHand, GoesStreetByStreet) {
  ASSERT_EQ(
      run_dealer(
          "play --game 'holdem[limit=no_limit]' --agent rule:caller --hint rule --seed 11 --hands 1 --log " + log(),
          "raise to 237\n\nbet 300\n\ncheck\n\ncheck\n\n")
          .status,
      0);
  const std::string out = replay("1").out;
  std::size_t at = 0;
  for (const char* part :
       {"Hand 1", "\nyou post the small blind of 50\n", "\nBefore the flop\npot 150\n", "\nyou raise to 237\n",
        "\non the board: ", "\nFlop\npot 474\nboard ", "\nyou bet 300\n", "\nTurn\n", "\nyou check\n", "\nRiver\n",
        "\nShowdown\nboard ", "\npot 1074\n", "\nthis hand: you "}) {
    const std::size_t found = out.find(part, at);
    ASSERT_NE(found, std::string::npos) << part << '\n' << out;
    at = found;
  }
  const json document = json::parse(run_here({"replay", log(), "--hand", "1", "--json"}).out);
  EXPECT_EQ(document["players"], json::parse(R"(["you","rule:caller"])"));
  EXPECT_EQ(document["game"], "holdem[limit=no_limit]");
  EXPECT_EQ(document["events"].front()["event"], "hand_begun");
  EXPECT_EQ(document["events"].back()["event"], "hand_ended");
  EXPECT_TRUE(document["errors"].empty());
}

TEST_F(ReplayHand, OtherGamesAreShownToo) {
  ASSERT_EQ(play("ofc", 12).status, 0);
  const std::string ofc = replay("1").out;
  for (const char* part : {"Hand 1 of ofc\n", "  front   ", "  back    ", "* ", " discard\n", "this hand: you "})
    EXPECT_TRUE(contains(ofc, part)) << part << ofc;
  ASSERT_EQ(play("mini_draw", 40).status, 0);
  const std::string small = replay("2").out;
  for (const char* part : {"Hand 2 of mini_draw\n", "\nBefore the draw\npot 2\n", "\npot "})
    EXPECT_TRUE(contains(small, part)) << part << small;
}

TEST_F(ReplayHand, HandsOfAMatchAreNamedByTheirHeading) {
  ASSERT_EQ(run_here({"match", "random", "rule", "--game", "holdem", "--deals", "3", "--log", log()}).status, 0);
  const ProgramResult heading = replay("1-1-0");
  EXPECT_EQ(heading.status, 0) << heading.err;
  EXPECT_TRUE(contains(heading.out, "rule") && contains(heading.out, "random")) << heading.out;
  const ProgramResult number = replay("4");
  EXPECT_EQ(number.out.substr(number.out.find('\n')), heading.out.substr(heading.out.find('\n')));
  test::expect_refused({"replay", log(), "--hand", "7"},
                       {{{}, "has no hand '7' that can be read; expected 1 to 6, or a heading"}});
}

TEST_F(ReplayHand, UnknownCardsLieFaceDown) {
  test::write_bytes(log(),
                    "variant = 'NT'\nantes = [0, 0, 0]\nblinds_or_straddles = [50, 100, 0]\nmin_bet = 100\n"
                    "starting_stacks = [1000, 1000, 1000]\nactions = ['d dh p1 ?"
                    "?"
                    "?"
                    "?', 'd dh p2 AsAh', 'd dh p3 KcQc', "
                    "'p3 cbr 300', 'p1 f', 'p2 cc', 'd db 2s7d9h', 'p2 cc', 'p3 f']\n"
                    "finishing_stacks = [950, 1350, 700]\n");
  const ProgramResult result = replay("1");
  EXPECT_EQ(result.status, 0) << result.err << result.out;
  for (const char* part : {"  p1     950       ##  ##   folded\n", "  p2    1350       Ah  As   wins 650\n",
                           "D p3     700       Kc  Qc   folded\n", "\np2 wins 650\n"})
    EXPECT_TRUE(contains(result.out, part)) << part << result.out;
}

TEST_F(ReplayHand, AWrongHandIsShownUpToTheFault) {
  ASSERT_EQ(play("holdem", 30).status, 0);
  std::string text = logged();
  const std::string field = "finishing_stacks = [";
  text.insert(text.find(field) + field.size(), "1");
  write("session.phhs", text);
  const ProgramResult result = replay("1");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.out, "\nBefore the flop\n") && contains(result.out, "is said to finish with 1"))
      << result.out;
  EXPECT_EQ(result.err, "dealer: " + log() + ": hand 1 is wrong\n");
  EXPECT_EQ(replay("2").status, 0) << "the others are right";
}

TEST_F(ReplayHand, FitsTheTerminal) {
  ASSERT_EQ(play("stud[players=6]", 40).status, 0);
  for (const int width : {50, 80}) {
    const ProgramResult result = run_dealer("replay " + log() + " --hand 1", "", "COLUMNS=" + std::to_string(width));
    std::istringstream lines(result.out);
    int longest = 0;
    for (std::string line; std::getline(lines, line);) longest = std::max(longest, terminal::columns(line));
    EXPECT_LE(longest, width) << result.out;
    EXPECT_GT(longest, width - 15) << result.out;
  }
}

}  // namespace
}  // namespace dealer::session_log_test
