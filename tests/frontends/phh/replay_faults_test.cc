// Histories with faults, or with events that the rules do not allow at that moment.
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "env/core/registry.h"
#include "frontends/phh/history.h"
#include "tests/frontends/phh/replaying.h"

namespace dealer::phh::replay_faults_test {
namespace {

const std::string kHoldem = R"(variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 100]
actions = [
  'd dh p1 AsKh',
  'd dh p2 QsQd',
  'd dh p3 7c2d',
  'p3 cbr 6',
  'p1 cc',
  'p2 cc',
  'd db Qh3d4h',
  'p1 cc',
  'p2 cbr 20',
  'p3 f',
  'p1 cc',
  'd db 5c',
  'p1 cc',
  'p2 cc',
  'd db 9d',
  'p1 cc',
  'p2 cc',
  'p1 sm',
  'p2 sm QsQd',
]
finishing_stacks = [74, 132, 94]
)";
const std::string kRight = "right", kFinish = "finishing_stacks = [74, 132, 94]";

// The result of a hand with one change: the fault, or a part of it after "…".
struct Fault {
  std::string from, to, fault;
};
void expect_faults(const std::string& hand, const std::vector<Fault>& list) {
  for (const auto& [from, to, fault] : list) {
    const std::string found = faults(changed(hand, from, to));
    if (fault.starts_with("…"))
      EXPECT_NE(found.find(fault.substr(std::string("…").size())), std::string::npos) << to << ": " << found;
    else
      EXPECT_EQ(found, fault) << to;
  }
}

TEST(ReplayFaults, NameTheLineThatIsWrong) {
  expect_faults(kHoldem,
                {{"", "", kRight},
                 // The loser may show; the folded hand need not be known.
                 {"'p1 sm'", "'p1 sm AsKh'", kRight},
                 {"'p1 sm'", "'p1 sm As?\?'", kRight},
                 {"7c2d", "????", kRight},
                 {kFinish, "winnings = [0, 58, 0]", kRight},
                 // The rake.
                 {"132", "131", kRight},
                 {"132", "133", "27: p2 is said to finish with 133; it has 132"},
                 {"132", "102", "27: p2 is said to finish with 102; it has 132"},
                 {"[74, 132,", "[75, 131,", "…\n27: p2 is said to finish with 131; it has 132"},
                 {"5c", "As", "18: 'd db As': As is dealt twice"},
                 {"5c", "1c", "18: 'd db 1c': '1c' is not a card of the deck 'standard_52'"},
                 {"7c2d", "7c2d9s", "9: 'd dh p3 7c2d9s': more cards than a hand has"},
                 {"cbr 20", "cbr 200", "…a bet to 200; expected from 2 to 94"},
                 {"cbr 20", "cbr 1", "15: 'p2 cbr 1': a bet to 1; expected from 2 to 94"},
                 {"sm QsQd", "sm QsQc", "25: 'p2 sm QsQc': the player has QsQd"},
                 {"sm QsQd", "sm", "27: all who could win a pot have mucked"},
                 {"'p1 sm',\n  'p2 sm QsQd'", "'p2 sm'",
                  "26: p1 is said to finish with 74; it has 132\n26: p2 is said to finish with 132; it has 74"},
                 {"QsQd", "Qs?\?", kRight},
                 {"QsQd',\n  'd dh p3", "QsAs',\n  'd dh p3", "8: 'd dh p2 QsAs': As is dealt twice"},
                 {"  'p2 cc',\n  'p1 sm',\n  'p2 sm QsQd',\n", "", "22: the hand is not over: p2 is to act"},
                 {kFinish, "winnings = [0, 57, 0]", kRight},
                 {kFinish, "winnings = [0, 59, 0]", "27: p2 is said to win 59; it wins 58"},
                 {kFinish, "winnings = [0]", "27: winnings: 1 number for 3 players"},
                 {kFinish, "winnings = []", "27: winnings: 0 numbers for 3 players"},
                 {kFinish, "winnings = [0, 58, 0, 700]", "27: winnings: 4 numbers for 3 players"},
                 {kFinish, "winnings = 58", "27: winnings: expected a list of numbers, one for each player"},
                 {"'NT'", "'PO'", "10: 'p3 cbr 6': a card is missing before it"},
                 {"[1, 2, 0]", "[1, 2, 4]", "10: 'p3 cbr 6': out of turn; p1 is to act"},
                 {"[0, 0, 0]", "[2, 0, 0]", "…p1 is said to finish with 74; it has 72"},
                 {"'NT'", "'X-holdem'", "…expected the field '_game'"},
                 {"min_bet = 2", "min_bet = 2\n_game = 'holden'", "…did you mean 'holdem'?"}});
}

TEST(ReplayFaults, AreNoneInHandsOfOtherPrograms) {
  std::string deep = R"(variant = 'NT'
antes = [500, 500, 500]
blinds_or_straddles = [1000, 2000, 0]
min_bet = 2000
starting_stacks = [1125600, 2000000, 553500]
actions = ['d dh p1 Ac2d', 'd dh p2 ????', 'd dh p3 7h6h', 'p3 cbr 7000', 'p1 cbr 23000', 'p2 f', 'p3 cc',
  'd db Jc3d5c', 'p1 cbr 35000', 'p3 cc', 'd db 4h', 'p1 cbr 90000', 'p3 cbr 232600', 'p1 cbr 1067100', 'p3 cc',
  'p1 sm Ac2d', 'p3 sm 7h6h', 'd db Jh']
finishing_stacks = [572100, 1997500, 1109500]
)";
  // The hands are shown before the last card.
  expect_faults(deep, {{"", "", kRight}, {"Jh']", "Ac']", "8: 'd db Ac': Ac is dealt twice"}});
  // Stacks that do not cover the blinds.
  EXPECT_EQ(faults(R"(variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [5, 10, 0]
min_bet = 10
starting_stacks = [3, 8, 6]
actions = ['d dh p1 AsKh', 'd dh p2 QsQd', 'd dh p3 7c2d', 'p3 f', 'd db Qh3d4h', 'd db 5c', 'd db 9d', 'p2 sm QsQd',
  'p1 sm AsKh']
finishing_stacks = [0, 11, 6]
)"),
            kRight);
  // The hand of a player who wins when the others fold is unknown.
  const std::size_t fold = kHoldem.find("'p1 cc',\n  'd db 5c'");
  std::string text = kHoldem.substr(0, fold) + "'p1 f',\n]\nfinishing_stacks = [94, 112, 94]\n";
  EXPECT_EQ(faults(text), kRight);
  for (const char* cards : {"AsKh", "QsQd", "7c2d"}) text = changed(text, cards, "????");
  EXPECT_EQ(faults(text), kRight);
}

// A hand as played by this program, at the stakes of the game named.
constexpr const char* kLimit = R"(variant = 'FT'
antes = [0, 0]
blinds_or_straddles = [5, 10]
small_bet = 10
big_bet = 20
starting_stacks = [1000, 1000]
actions = ['d dh p1 AsKh', 'd dh p2 QsQd', 'p2 f']
finishing_stacks = [1005, 995]
_game = 'holdem'
)";

TEST(ReplayFaults, OfStakesOtherThanThoseOfTheGameNamed) {
  expect_faults(kLimit, {{"", "", kRight},
                         {"'FT'", "'X-holdem'", "1: variant: X-holdem; by the rules of '_game' expected FT"},
                         {"[0, 0]", "[1, 999]", "2: antes: [1, 999]; by the rules of '_game' expected [0, 0]"},
                         {"[5, 10]", "[1, 10]", "…expected [5, 10]"},
                         {"small_bet = 10", "small_bet = 11", "…expected 10"},
                         {"big_bet = 20", "big_bet = 21", "…expected 20"},
                         {"big_bet = 20", "big_bet = 20\nmin_bet = 10", "…expected no such field"},
                         {"[1000, 1000]", "[7, 7]", "…starting_stacks: [7, 7]; by"},
                         {"finishing_stacks = [1005, 995]\n", "", "1: the field 'finishing_stacks' is missing"}});
}

TEST(ReplayFaults, DoNotHideTheNextHand) {
  const FileReplay result = replay("[1]\nvariant = 'NT'\n\n[2]\n" + kHoldem);
  EXPECT_EQ(result.hands, 2);
  EXPECT_EQ(result.ok, 1);
  EXPECT_EQ(faults("[1]\nvariant = 'NT'\n\n[2]\n" + kHoldem), "1: the field 'antes' is missing");
  EXPECT_TRUE(faults("").ends_with(": there is no hand in it")) << faults("");
}

// Hands of `count` decisions, always the first legal one, of an episode.
std::string played(const std::string& spec, int count) {
  const GamePtr game = make_game(spec);
  const auto env = game->new_env({.hold_hands = true});
  env->reset(1);
  std::string text;
  std::vector<double> before(static_cast<std::size_t>(game->players()));
  for (int number = 0; number < count; ++number) {
    if (number > 0) env->next_hand();
    HandPlayed hand{1, number, {}, {}, before};
    while (!env->hand_over()) {
      const Decision decision = env->legal_actions().front();
      hand.moves.emplace_back(env->current_player(), env->decision_to_string(decision));
      env->step(decision);
    }
    for (std::size_t seat = 0; seat < before.size(); ++seat) hand.points[seat] = env->returns()[seat] - before[seat];
    before = env->returns();
    const std::vector<Event> events = env->events(kOmniscient);
    hand.events = events;
    text += fmt::format("[{}]\n{}\n", number, to_string(history_of(*game, hand, {})));
  }
  return text;
}

// Exactly one suit for each rank.
TEST(ReplayFaults, OfWhatWasTakenOut) {
  std::string text = played("washizu[washizu=replace_random,episode=hand]", 1);
  EXPECT_EQ(faults(text), kRight);
  const std::size_t end = text.find('\'', text.find("_taken_out = '") + 14);
  for (const std::string& other : {std::string(text).insert(end, "s"), std::string(text).erase(end - 1, 1)})
    EXPECT_NE(faults(other).find("_taken_out: expected a suit for each of the ranks"), std::string::npos) << other;
}

TEST(ReplayFaults, OfMoves) {
  const std::string text = played("ofc", 1), finish = "finishing_stacks = ";
  EXPECT_EQ(faults(text), kRight);
  expect_faults(text, {{"antes = [0", "antes = [5", "…: antes: [5, 0]; by the rules of '_game' expected [0, 0]"},
                       {finish, "_finishing = ", "…the field 'finishing_stacks' is missing"},
                       {"'p", "'p9", "…"}});
  const std::string kuhn = played("kuhn", 1);
  EXPECT_NE(faults(kuhn + changed(changed(kuhn, "_hand = 0", "_hand = 1"), "[0]", "[1]"))
                .find("hand 1 of an episode that is over"),
            std::string::npos);
  const std::string match = played("ofc[episode=match,match.hands=3]", 3);
  EXPECT_EQ(replay(match).ok, 3);
  const std::size_t second = match.find("\n[1]") + 1, third = match.find("\n[2]") + 1;
  for (const std::string& some : {match.substr(second), match.substr(0, second) + match.substr(third)})
    EXPECT_NE(faults(some).find("expected the hands before it directly before it"), std::string::npos) << some;
}

using Actions = std::vector<std::string>;

// A hand of a standard variant as another program would write it, and the exact same with `_game`. Actions start on the
// first line, followed by the stakes.
struct WrittenHand {
  Actions actions;
  std::string stakes, game;

  std::string fault(const Actions& changed, bool exact) const {
    return faults(fmt::format("actions = ['{}']\n{}{}", fmt::join(changed, "',\n '"), stakes, exact ? game : ""));
  }
};

// One change of the actions: "+ACTION" inserts one, "=ACTION" replaces one, "<N" moves it there; and the fault under
// either reading.
struct Change {
  std::size_t at;
  std::string change, fault;
  std::string standard = {};  // if the standard's fault differs from that with `_game`
};
Actions changed_actions(Actions actions, const Change& change) {
  const auto at = actions.begin() + static_cast<std::ptrdiff_t>(change.at);
  const std::string rest = change.change.substr(1);
  if (change.change[0] == '+') {
    actions.insert(at, rest);
  } else if (change.change[0] == '=') {
    *at = rest;
  } else {
    const std::string action = *at;
    actions.erase(at);
    actions.insert(actions.begin() + std::stoi(rest), action);
  }
  return actions;
}
void expect_both(const WrittenHand& hand, const std::vector<Change>& list) {
  EXPECT_EQ(hand.fault(hand.actions, true) + hand.fault(hand.actions, false), kRight + kRight);
  for (const Change& change : list)
    for (const bool exact : {false, true})
      EXPECT_EQ(hand.fault(changed_actions(hand.actions, change), exact),
                exact || change.standard.empty() ? change.fault : change.standard)
          << change.change << exact;
}

const WrittenHand kNoLimit = {{"d dh p1 AsKh", "d dh p2 QsQd", "d dh p3 7c2d", "p3 f", "p1 cc", "p2 cc", "d db Qh3d4h",
                               "p1 cbr 2", "p2 cc", "d db 5c", "p1 cc", "p2 cbr 4", "p1 f"},
                              "variant = 'NT'\nantes = [0, 0, 0]\nblinds_or_straddles = [1, 2, 0]\nmin_bet = 2\n"
                              "starting_stacks = [200, 200, 200]\nfinishing_stacks = [196, 204, 200]\n",
                              "_game = 'holdem[players=3,limit=no_limit,min_bet=2,stack=200,blinds=[1,2]]'\n"};

TEST(StrictReplay, RefusesWhatCannotHappenNow) {
  expect_both(kNoLimit, {// Cards when all others have folded, or too early.
                         {13, "+d db 9d", "14: 'd db 9d': the hand is over"},
                         {13, "+d dh p2 9d", "14: 'd dh p2 9d': more cards than a hand has",
                          "14: 'd dh p2 9d': the hand is over"},
                         {6, "<5", "6: 'd db Qh3d4h': no cards are dealt now; p2 is to act"},
                         {9, "<7", "8: 'd db 5c': no cards are dealt now; p1 is to act"},
                         // Actions before the cards, without cards, or out of turn.
                         {3, "<2", "3: 'p3 f': a card is missing before it"},
                         {7, "<6", "7: 'p1 cbr 2': a card is missing before it"},
                         {5, "+p3 cc", "6: 'p3 cc': p3 has folded"},
                         {13, "+p1 cc", "14: 'p1 cc': p1 has folded"},
                         {13, "+p2 cc", "14: 'p2 cc': the hand is over"},
                         {4, "<3", "4: 'p1 cc': out of turn; p3 is to act"},
                         {3, "=p1 f", "4: 'p1 f': out of turn; p3 is to act"},
                         {12, "=p3 f", "13: 'p3 f': p3 has folded"},
                         // Cards held by folded players, and chips that do not exist.
                         {9, "=d db 7c", "10: 'd db 7c': 7c is dealt twice"},
                         {7, "=p1 cbr 16777216", "8: 'p1 cbr 16777216': there are not so many chips",
                          "8: 'p1 cbr 16777216': a bet to 16777216; expected from 2 to 198"},
                         // Showing when no hand may be shown.
                         {7, "+p1 sm AsKh", "8: 'p1 sm AsKh': nobody shows now; p1 is to act"},
                         {13, "+p1 sm AsKh", "14: 'p1 sm AsKh': p1 has folded"}});
}

// The winner may show elsewhere or declare no show, not here; and others deal in any order, card by card.
TEST(StrictReplay, OtherProgramsMayDoMore) {
  Actions by_card = kNoLimit.actions;
  by_card.erase(by_card.begin(), by_card.begin() + 3);
  for (const char* deal : {"d dh p3 2d", "d dh p2 Qd", "d dh p1 Kh", "d dh p3 7c", "d dh p2 Qs", "d dh p1 As"})
    by_card.insert(by_card.begin(), deal);
  const Actions hidden = changed_actions(kNoLimit.actions, {13, "+p2 sm", ""});
  const Actions shown = changed_actions(kNoLimit.actions, {13, "+p2 sm QsQd", ""});
  const Actions swapped = changed_actions(kNoLimit.actions, {0, "<1", ""});
  for (const Actions& actions : {by_card, hidden, shown, swapped}) EXPECT_EQ(kNoLimit.fault(actions, false), kRight);
  EXPECT_TRUE(kNoLimit.fault(by_card, true).starts_with("1: "));
  EXPECT_EQ(kNoLimit.fault(shown, true), "14: 'p2 sm QsQd': nobody shows now");
  EXPECT_EQ(kNoLimit.fault(swapped, true), "1: 'd dh p2 QsQd': expected 'd dh p1 AsKh'");
  EXPECT_EQ(kNoLimit.fault(changed_actions(shown, {14, "+p2 sm QsQd", ""}), false),
            "15: 'p2 sm QsQd': the player has shown or mucked its hand");
}

const WrittenHand kStud = {{"d dh p1 AsKhQd", "d dh p2 9s8h2c", "d dh p3 7s6h3d", "p2 pb", "p3 f", "p1 cc",
                            "d dh p1 4s", "d dh p2 Kc", "p2 cc", "p1 cbr 10", "p2 f"},
                           "variant = 'F7S'\nantes = [1, 1, 1]\nbring_in = 3\nsmall_bet = 10\nbig_bet = 20\n"
                           "starting_stacks = [200, 200, 200]\nfinishing_stacks = [205, 196, 199]\n",
                           "_game = 'stud[players=3,min_bet=10,big_bet=20,stack=200,ante=1,bring_in=3]'\n"};

TEST(StrictReplay, RefusesTheWrongBringInAndCardsOfFoldedPlayers) {
  expect_both(kStud, {{3, "=p3 pb", "4: 'p3 pb': out of turn; p2 is to act"},
                      {3, "=p2 cc", "4: 'p2 cc': expected 'p2 pb'",
                       "4: 'p2 cc': expected 'p2 pb' or a completion to the small bet"},
                      {6, "+d dh p3 5c", "7: 'd dh p3 5c': p3 has folded"},
                      {7, "+d dh p3 5c", "8: 'd dh p3 5c': p3 has folded"},
                      {8, "+d dh p3 5c", "9: 'd dh p3 5c': p3 has folded"},
                      {11, "+d dh p2 5c", "12: 'd dh p2 5c': p2 has folded"}});
  EXPECT_TRUE(kStud.fault(changed_actions(kStud.actions, {6, "+p1 pb", ""}), true).starts_with("7: 'p1 pb': "));
}

const WrittenHand kDraw = {
    {"d dh p1 AsKsQs2d3d", "d dh p2 AhKhQh2c3c", "d dh p3 AdKdQd4c5c", "p1 cbr 10", "p2 f", "p3 cc", "p1 sd 2d",
     "d dh p1 7c", "p3 sd 4c", "d dh p3 5h", "p1 cc", "p3 cc", "p1 sm AsKsQs7c3d", "p3 sm AdKdQd5c5h"},
    "variant = 'X-draw'\nantes = [10, 10, 10]\nblinds_or_straddles = [0, 0, 0]\nsmall_bet = 10\n"
    "big_bet = 20\nstarting_stacks = [1000, 1000, 1000]\nfinishing_stacks = [980, 990, 1030]\n"
    "_game = 'draw[players=3,stack=1000,min_bet=10,big_bet=20,ante=10]'\n",
    ""};

// A folded hand determines which cards can be drawn, and a player who shows must show all cards.
TEST(StrictReplay, ReadsDrawsToTheLetter) {
  const std::string unknown = "d dh p2 " + std::string(10, '?');
  expect_both(kDraw, {{7, "<8", "8: 'p3 sd 4c': a card is missing before it"},
                      {9, "<10", "10: 'p1 cc': a card is missing before it"},
                      {10, "+d dh p2 7h", "11: 'd dh p2 7h': more cards than a hand has"},
                      {8, "+p1 sd 3d", "9: 'p1 sd 3d': there is no draw left"},
                      {1, "=" + unknown,
                       "2: '" + unknown + "': a deciding card is unknown, so that the hand cannot be replayed"},
                      {13, "=p3 sm", "14: 'p3 sm': expected 'p3 sm AdKdQd5c5h'"},
                      {14, "+p2 sm AhKhQh2c3c", "15: 'p2 sm AhKhQh2c3c': p2 has folded"}});
  const auto starts = [](const Actions& actions, const std::string& fault) {
    EXPECT_TRUE(kDraw.fault(actions, true).starts_with(fault)) << kDraw.fault(actions, true);
  };
  starts(changed_actions(kDraw.actions, {6, "<8", ""}), "7: ");
  starts(changed_actions(kDraw.actions, {13, "=p3 sm AdKdQd????", ""}), "14:");
  starts({kDraw.actions.begin(), kDraw.actions.end() - 1}, "13: 'p3 sm AdKdQd5c5h' is missing");
  // A folded hand comes back only with the discards, when the stock is used up.
  starts({"d dh p1 AsKsQs2d3d", "d dh p2 AhKhQh2c3c", "d dh p3 AdKdQd4c5c", "p1 cbr 10", "p2 f", "p3 cc", "p1 sd 2d",
          "d dh p1 Ah", "p3 sd", "p1 cc", "p3 cc", "p1 sm AsKsQs3dAh", "p3 sm"},
         "8: 'd dh p1 Ah': cards lie where they cannot");
}

TEST(StrictReplay, ComparesSeatsAndNames) {
  for (const auto& [more, fault] :
       {std::pair("seats = [1, 2, 3]\nseat_count = 3\nplayers = ['a', 'b', 'c']\n", "right"),
        {"seats = [2, 1, 3]\n", "23: the seats are not in clockwise order, the dealer's last"},
        {"seats = [1, 2, 9]\n", "23: 3 players do not fit into 3 seats of their own"},
        {"seats = [1, 2, 3, 4]\n", "23: seats: 4 numbers for 3 players"},
        {"seat_count = 4\n", "23: seat_count: 4; by the rules of '_game' expected 3"},
        {"players = ['a', 'b']\n", "23: players: 2 names for 3 players"}})
    EXPECT_EQ((WrittenHand{kDraw.actions, kDraw.stakes, more}.fault(kDraw.actions, true)), fault);
}

TEST(StrictReplay, RefusesABetBeforeTheDrawWhereThereIsNone) {
  EXPECT_EQ(faults(R"(variant = 'X-draw'
antes = [10, 10]
blinds_or_straddles = [0, 0]
small_bet = 20
big_bet = 20
starting_stacks = [1000, 1000]
actions = ['d dh p1 AdTd9h9s2c', 'd dh p2 QcJs8c8d8s', 'p1 cbr 20', 'p1 sd', 'p2 sd', 'p1 cc', 'p2 cc']
finishing_stacks = [990, 1010]
_game = 'draw[betting_before_draw=false]'
)"),
            "7: 'p1 cbr 20': nobody may bet before the draw");
}

}  // namespace
}  // namespace dealer::phh::replay_faults_test
