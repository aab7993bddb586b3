// dealer replay, with and without --hand, on the logs of dealer match and dealer play.
#include <sys/resource.h>

#include "frontends/phh/hand_history.h"
#include "frontends/terminal/screen_text.h"
#include "tests/cli/run_dealer.h"

namespace dealer::test::replay_test {
namespace {

class Replay : public CommandInFolder {
 protected:
  std::string log(const std::string& game, const std::string& threads = "2") {
    output_of({"match", "random", "random", "--game", game, "--hands", "40", "--threads", threads, "--log", file_});
    return file_;
  }
  // Changes the first finishing stack given.
  void falsify() const {
    const std::string field = "finishing_stacks = [";
    write_bytes(file_, changed(read_bytes(file_), field, field + '1'));
  }
  const std::string file_ = at("match.phhs");
};

TEST_F(Replay, FindsALoggedMatchRight) {
  for (const char* game : {"holdem[limit=no_limit]", "draw", "kuhn", "ofc"}) {
    const Json result = json_of({"replay", log(game)});
    EXPECT_GE(result["hands"], 80) << game;
    expect_members(result, {{"ok", result["hands"]}, {"errors", Json::array()}});
  }
}

TEST_F(Replay, DoesNotDependOnTheNumberOfThreads) {
  const std::string one = read_bytes(log("stud", "1"));
  EXPECT_EQ(one, read_bytes(log("stud", "3")));
  expect_parts(one, {"players = ['random', 'random']"});
}

TEST_F(Replay, NamesWhatIsWrong) {
  log("holdem");
  falsify();
  const ProgramResult result = run_here({"replay", file_, "--json"});
  EXPECT_EQ(result.status, 1);
  const Json observed = Json::parse(result.out);
  EXPECT_EQ(observed["ok"], observed["hands"].get<int>() - 1);
  ASSERT_EQ(observed["errors"].size(), 1U);
  EXPECT_EQ(observed["errors"][0]["hand"], "0-0-0");
  EXPECT_GT(observed["errors"][0]["line"], 5);
  expect_parts(observed["errors"][0]["message"], {"p1 is said to finish with 1"});
  expect_parts(run_here({"replay", file_, "--show"}).out,
               {"# replayed: every card, action and payout is correct", "80 hands, 79 correct"});
}

TEST_F(Replay, RefusesFilesThatAreNone) {
  const std::string folder = "/no/such/folder/x", missing = ": No such file or directory";
  expect_refused({}, {{{"replay", at("none.phh")}, "cannot read", 1},
                      {{"match", "random", "random", "--log", folder}, folder, 1},
                      {{"play", "--game", "kuhn", "--log", folder}, "dealer: cannot write " + folder + missing, 1}});
}

TEST_F(Replay, ReadsAPipe) {
  log("stud");
  EXPECT_EQ(output_of(run_dealer("replay -", read("match.phhs"))), "80 hands, 80 correct\n");
  const ProgramResult wrong = run_dealer("replay - --json", "[a]\nvariant = 'NT'\n");
  EXPECT_EQ(wrong.status, 1);
  EXPECT_EQ(Json::parse(wrong.out)["errors"][0]["line"], 1);
  EXPECT_EQ(wrong.err, "dealer: standard input: 1 of 1 hand is wrong\n");
  const ProgramResult nothing = run_dealer("replay -", "");
  EXPECT_EQ(nothing.status, 1);
  EXPECT_EQ(nothing.out + nothing.err, "dealer: standard input: there is no hand in it\n") << "said once";
}

// Peak memory of a program started here, in MiB.
long peak_of_programs() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return usage.ru_maxrss / 1024;
}

TEST_F(Replay, GivesUpOnInputWithoutEnd) {
  const std::string file = log("kuhn"), huge = at("huge.phhs");
  output_of(run_dealer("replay " + file));
  const long before = peak_of_programs();
  write_bytes(huge, read_bytes(file));
  std::filesystem::resize_file(huge, std::uintmax_t{10} << 30);
  for (const std::string command :
       {"</dev/zero DEALER replay -", "DEALER replay /dev/zero", "yes 2>/dev/null | DEALER replay -",
        "yes '[1]' 2>/dev/null | DEALER replay -", "yes '' 2>/dev/null | DEALER replay -"}) {
    const ProgramResult result = run_script("(" + command + ") >out 2>err");
    EXPECT_EQ(result.status, 1) << command;
    expect_parts(result.out, {"nothing after "});
    EXPECT_EQ(count(result.err, "\n"), 1) << command << result.err.substr(0, 300);
  }
  const ProgramResult result = run_dealer("replay " + huge);
  EXPECT_EQ(result.status, 1);
  expect_parts(result.out, {"nothing after "});
  EXPECT_TRUE(std::regex_search(result.out, std::regex("\n8[01] hands, "))) << result.out.substr(0, 300);
  EXPECT_LT(peak_of_programs() - before, 200);
}

// A hand of a .phh file has no heading: its name is its number.
TEST_F(Replay, ShowsAHandWithoutHeading) {
  write_bytes(at("one.phh"), R"(variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [0.50, 1]
min_bet = 1
starting_stacks = [100, 100]
actions = ['d dh p1 ????', 'd dh p2 ????', 'p2 f']
)");
  EXPECT_EQ(json_of({"replay", at("one.phh"), "--hand", "1"})["hand"], "1");
  expect_parts(run_here({"replay", at("one.phh"), "--hand", "1"}).out, {"Hand 1: NT", "p1 posts the blind of 1.00"});
}

class SessionLog : public Replay {
 protected:
  SessionLog() { std::filesystem::remove(file_); }
  std::string logged() const { return read("match.phhs"); }
  // Plays the adviser's choice for that many lines; the session ends with the input. Returns the output.
  std::string play(const std::string& game, std::size_t lines,
                   const std::string& more = "--agent rule --hint rule --seed 3") {
    return output_of(
        run_dealer("play --game '" + game + "' " + more + " --log " + file_, repeat("take\ny\n\n", lines)));
  }
  // A hand with amounts, against the same opponent.
  void play_amounts() const {
    output_of(run_dealer(
        "play --game 'holdem[limit=no_limit]' --agent rule:caller --hint rule --seed 11 --hands 1 --log " + file_,
        "raise to 237\n\nbet 10000\nbet 300\n\ncheck\n\ncheck\n\n"));
  }
  Json replayed() const { return Json::parse(run_here({"replay", file_, "--json"}).out); }
  // At least that many hands, all of them correct.
  void expect_right(int hands) const {
    const Json result = replayed();
    EXPECT_GE(result["hands"], hands) << result;
    EXPECT_EQ(result["ok"], result["hands"]) << result;
  }
  ProgramResult replay(const std::string& hand) const { return run_here({"replay", file_, "--hand", hand}); }
  static int hands_of(const std::string& out) { return std::stoi(out.substr(out.rfind("\nAfter ") + 7)); }
};

TEST_F(SessionLog, WhatWasPlayedIsRightOfEveryKindOfGame) {
  for (const char* game : {"holdem[limit=no_limit,players=4]", "stud_hi_lo[players=3]", "draw[players=6]",
                           "triple_draw[players=6]", "washizu[players=3]", "court_tarot", "leduc", "mini_draw", "ofc",
                           "holdem[limit=no_limit,stack=400,episode=match]"}) {
    const std::string out = play(game, 23);
    EXPECT_EQ(replayed()["hands"], hands_of(out)) << game << out;
    expect_right(1);
  }
}

// Hands in which the stock was used up and reshuffled.
TEST_F(SessionLog, ReshufflesAndAmountsAreInIt) {
  play("triple_draw[players=6]", 80, "--agent random --hint random --seed 4 --hands 6");
  expect_right(6);
  play_amounts();
  EXPECT_EQ(replayed()["hands"], 1) << "the file is written anew";
  expect_right(1);
  EXPECT_TRUE(contains(logged(), "players = ['rule:caller', 'you']") ||
              contains(logged(), "players = ['you', 'rule:caller']"));
}

// An unfinished hand leaves no trace.
TEST_F(SessionLog, OnlyWholeHandsAreWritten) {
  EXPECT_EQ(hands_of(play("holdem", 1)), 0);
  EXPECT_FALSE(std::filesystem::exists(file_));
  write_bytes(file_, "kept");
  EXPECT_EQ(hands_of(play("holdem", 1)), 0);
  EXPECT_EQ(logged(), "kept") << "until there is something to write";
  const int hands = hands_of(play("kuhn", 30));
  EXPECT_EQ(replayed()["ok"], hands);
  expect_right(4);
}

TEST_F(SessionLog, AFullDiskLeavesWholeHands) {
  const std::string play_kuhn = "DEALER play --game kuhn --agent random --hint random --seed 1 --log ";
  const ProgramResult full =
      run_script("ulimit -f 8; " + play_kuhn + file_ + " <in 2>err | tail -n 1 >out", repeat("take\n\n", 200));
  EXPECT_EQ(full.err, "dealer: cannot write " + file_ + ": File too large\n");
  expect_right(4);
  const ProgramResult none = run_script(play_kuhn + "/dev/full <in >out 2>err", repeat("take\ny\n\n", 2));
  EXPECT_EQ(none.status, 1);
  EXPECT_EQ(none.err, "dealer: cannot write /dev/full: No space left on device\n");
}

TEST_F(SessionLog, AKilledSessionLeavesWholeHands) {
  output_of(run_script(
      "mkfifo typed && exec 3<>typed && { DEALER play --game kuhn --agent random --hint random --seed 1 --log " +
      file_ +
      " <typed >out 2>err & } && player=$! && for i in 1 2 3 4 5 6 7 8 9; do printf 'take\\ny\\n\\n' >&3; done "
      "&& until grep -q finishing_stacks " +
      file_ + " 2>/dev/null; do sleep 0.05; kill -0 $player || exit 9; done; kill -KILL $player; wait $player; true"));
  expect_right(1);
}

// Every card in the actions of that hand, in the order of the file.
Words cards_of(const std::string& text, const std::string& heading) {
  phh::HistoryReader reader(text, "x");
  Words cards;
  while (const auto hand = reader.next())
    if (hand->heading == heading)
      for (const phh::HandAction& action : hand->actions)
        cards.insert(cards.end(), action.cards.begin(), action.cards.end());
  return cards;
}

TEST_F(SessionLog, AHandIsShownWithAllTheCardsOfTheFile) {
  for (const char* game :
       {"holdem[players=4]", "stud", "triple_draw[players=3]", "washizu[players=2]", "court_color"}) {
    play(game, 40);
    for (const char* number : {"1", "2"}) {
      const std::string shown = output_of(replay(number));
      EXPECT_TRUE(shown.starts_with(std::string("Hand ") + number + " of ")) << shown;
      const Words cards = cards_of(logged(), number);
      EXPECT_GE(cards.size(), 4U) << game;
      for (const std::string& card : cards)
        EXPECT_TRUE(card == "-" || contains(shown, ' ' + card)) << game << ' ' << card << '\n' << shown;
      expect_parts(shown, {"\npot ", "\nthis hand: "});
      expect_none(shown, {"##"});  // every hand is in the output
    }
  }
}

// Equal to its events, street by street.
TEST_F(SessionLog, AHandIsShownStreetByStreet) {
  play_amounts();
  const std::string out = replay("1").out;
  std::size_t at = 0;
  for (const char* part :
       {"Hand 1", "\nyou post the small blind of 50\n", "\nBefore the flop\npot 150\n", "\nyou raise to 237\n",
        "\non the board: ", "\nFlop\npot 474\nboard ", "\nyou bet 300\n", "\nTurn\n", "\nyou check\n", "\nRiver\n",
        "\nShowdown\nboard ", "\npot 1074\n", "\nthis hand: you "}) {
    at = out.find(part, at);
    ASSERT_NE(at, std::string::npos) << part << '\n' << out;
  }
  const Json document = json_of({"replay", file_, "--hand", "1"});
  expect_members(document, {{"players", {"you", "rule:caller"}}, {"game", "holdem[limit=no_limit]"}});
  EXPECT_EQ(document["events"].front()["event"], "hand_begun");
  EXPECT_EQ(document["events"].back()["event"], "hand_ended");
  EXPECT_TRUE(document["errors"].empty());
}

TEST_F(SessionLog, HandsOfOtherGamesAreShownToo) {
  play("ofc", 12);
  expect_parts(replay("1").out, {"Hand 1 of ofc\n", "  front   ", "  back    ", "* ", " discard\n", "this hand: you "});
  play("mini_draw", 40);
  expect_parts(replay("2").out, {"Hand 2 of mini_draw\n", "\nBefore the draw\npot 2\n", "\npot "});
}

TEST_F(SessionLog, HandsOfAMatchAreNamedByTheirHeading) {
  output_of({"match", "random", "rule", "--game", "holdem", "--deals", "3", "--log", file_});
  const std::string heading = output_of(replay("1-1-0")), number = replay("4").out;
  expect_parts(heading, {"rule", "random"});
  EXPECT_EQ(number.substr(number.find('\n')), heading.substr(heading.find('\n')));
  expect_refused({"replay", file_, "--hand", "7"},
                 {{{}, "has no hand '7' that can be read; expected 1 to 6, or a heading"}});
}

TEST_F(SessionLog, UnknownCardsLieFaceDown) {
  write_bytes(file_, R"(variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [1000, 1000, 1000]
actions = ['d dh p1 ????', 'd dh p2 AsAh', 'd dh p3 KcQc', 'p3 cbr 300', 'p1 f', 'p2 cc', 'd db 2s7d9h', 'p2 cc', 'p3 f']
finishing_stacks = [950, 1350, 700]
)");
  expect_parts(output_of(replay("1")),
               {"Hand 1: NT, no-limit hold'em\n", "\n  p1 gets ?? ??\n", "\n  p2 gets As Ah\n", "\nFlop, pot 650\n",
                "\np2 wins 650\n", "\n  p1 finishes with 950 (-50)\n", "\n  p2 finishes with 1350 (+350)\n"});
}

// Another site's hand, in money with decimals.
constexpr const char* kOnline = R"(variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [0.50, 1, 0]
min_bet = 1
starting_stacks = [100, 100, 62.50]
actions = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????', 'p3 cbr 6.25', 'p1 f', 'p2 cc', 'd db 2s7d9h', 'p2 cc', 'p3 f']
winnings = [0, 12.35, 0]
players = ['Ann', 'Bob', 'Cid']
)";

TEST_F(SessionLog, ShowsHandsOfOtherPeopleInTheirMoney) {
  write_bytes(file_, kOnline);
  EXPECT_EQ(output_of(run_here({"replay", file_})), "1 hand, 1 correct (1 raked)\n");
  expect_parts(output_of(replay("1")), {"\n  Ann posts the blind of 0.50\n", "\n  Cid raises to 6.25\n",
                                        "\nFlop, pot 13.00\n", "\nBob wins 12.35\n", "\nrake 0.65\n"});
  const Json document = json_of({"replay", file_, "--hand", "1"});
  expect_members(
      document, {{"game", nullptr}, {"variant", "NT"}, {"players", {"Ann", "Bob", "Cid"}}, {"remarks", {"rake 0.65"}}});
  EXPECT_EQ(document["events"][1].dump(),
            R"({"all_in":false,"amount":0.5,"event":"posted","seat":0,"street":0,"what":"blind"})");
}

TEST_F(SessionLog, SeveralFilesAndFoldersHaveOneSummary) {
  std::filesystem::create_directories(at("sub/deep"));
  write("sub/a.phh", kOnline);
  write("sub/deep/b.phhs", std::string("[x]\n") + kOnline + "\n[y]\n" + changed(kOnline, "p1 f", "p2 f"));
  write("sub/notes.txt", "no history");
  write("c.phh", kOnline);
  const ProgramResult text = run_here({"replay", at("sub"), at("c.phh")});
  EXPECT_EQ(text.status, 1);
  EXPECT_EQ(text.out, at("sub/deep/b.phhs") +
                          ":17: hand y: 'p2 f': out of turn; p1 is to act\n4 hands in 3 files, 3 correct (3 raked)\n");
  EXPECT_EQ(text.err, "dealer: 3 files: 1 of 4 hands are wrong\n");
  const Json json = Json::parse(run_here({"replay", at("sub"), at("c.phh"), "--json"}).out);
  expect_members(json, {{"hands", 4}, {"ok", 3}, {"files", 3}, {"raked", 3}, {"unfinished", 0}, {"undecided", 0}});
  EXPECT_EQ(json["errors"][0]["file"], at("sub/deep/b.phhs"));
  expect_refused({}, {{{"replay", at("sub"), "--hand", "1"}, "--hand shows a hand of one file; there are 2 files", 2},
                      {{"replay", at("sub"), at("none.phh")}, "cannot read", 1}});
  std::filesystem::create_directories(at("empty"));
  expect_refused({}, {{{"replay", at("empty")}, "there is no .phh or .phhs file in it", 1}});
}

TEST_F(SessionLog, AWrongHandIsShownUpToTheFault) {
  play("holdem", 30);
  falsify();
  const ProgramResult result = replay("1");
  EXPECT_EQ(result.status, 1);
  expect_parts(result.out, {"\nBefore the flop\n", "is said to finish with 1"});
  EXPECT_EQ(result.err, "dealer: " + file_ + ": hand 1 is wrong\n");
  EXPECT_EQ(replay("2").status, 0) << "the others are right";
}

TEST_F(SessionLog, AHandFitsTheTerminal) {
  play("stud[players=6]", 40);
  for (const int width : {50, 80}) {
    int longest = 0;
    for (const std::string& line :
         lines_of(run_dealer("replay " + file_ + " --hand 1", "", "COLUMNS=" + std::to_string(width)).out))
      longest = std::max(longest, terminal::columns(line));
    EXPECT_LE(longest, width);
    EXPECT_GT(longest, width - 15);
  }
}

}  // namespace
}  // namespace dealer::test::replay_test
