// The counters of the study on hand-made hands.
#include "arena/studies/fantasyland/choices.h"
#include "arena/studies/fantasyland/play.h"
#include "env/core/random_action.h"
#include "env/games/ofc/game.h"
#include "tests/arena/studies/fantasyland_support.h"

namespace dealer::studies::fantasyland::fantasyland_play_test {
namespace {

using namespace test;
using dealer::ofc::kFront;
using dealer::ofc::kMiddle;

const dealer::ofc::Rules kRules;

// Seat 0 deals. Seat 1 has queens in front in the second turn and enters; seat 0 has kings in the third and fouls.
std::vector<Event> normal_hand() {
  return WrittenHand(0)
      .place(1, 0, "Qs / 9s 9h / Ts Th")
      .place(0, 0, "Kd / 2c 5d / 8c Jc")
      .place(1, 1, "Qh / 9d / / 3s")
      .place(0, 1, "/ 6c / Qc / 4s")
      .place(1, 2, "/ 4h / Td / 3d")
      .place(0, 2, "Kc / / 2d / 5h")
      .place(1, 3, "/ 7h / Tc / 6h")
      .place(0, 3, "/ 8d / 4c / 6s")
      .place(1, 4, "5s / / 8s / 7d")
      .place(0, 4, "As / 3h / / 7c")
      .end(-20);
}

// Seat 1 is there and stays with trips in front; seat 0 has aces in front at once and enters.
std::vector<Event> hand_against_fantasyland() {
  return WrittenHand(0, {1}, 1)
      .place(1, 0, "2s 2h 2d / 9s 9h 9d 4c 4d / Ts Th Td Tc 3s / 7c")
      .place(0, 0, "As Ah / Ks Kh / 5s")
      .place(0, 1, "/ Kd / 5h / 3h")
      .place(0, 2, "/ 6s / 5d / 3d")
      .place(0, 3, "Qd / / 5c / 3c")
      .place(0, 4, "/ 7h / 6h / 8h")
      .end(-6);
}

std::vector<Event> last_hand() {
  return WrittenHand(0, {0, 1}, 2)
      .place(1, 0, "2s 3h 4d / 9s 9h 7d 4c 5d / Ts Th Jd Qc 3s / 7c")
      .place(0, 0, "As 2h 3d / 6s 6h 8d Jc 2d / Ks Kh Qd Jh 5s / 9c")
      .end(9);
}

TEST(FantasylandHand, IsReadFromItsEvents) {
  const Hand hand = read_hand(normal_hand(), kRules);
  EXPECT_EQ(hand.dealer, 0);
  EXPECT_EQ(hand.first(), 1);
  const Side& entering = hand.sides[1];
  const Side& fouling = hand.sides[0];
  EXPECT_TRUE(entering.next == 14 && !entering.value.foul && entering.points == 20);
  EXPECT_TRUE(fouling.value.foul && fouling.next == 0 && fouling.points == -20);
  EXPECT_FALSE(hand.over());
  EXPECT_EQ(entering.board.row[kFront], cards("Qs Qh 5s"));
  // The first to act saw an empty board, the second the first's opening.
  EXPECT_EQ(entering.turns[0].other, Board());
  EXPECT_EQ(fouling.turns[0].other, (Board{{cards("Qs"), cards("9s 9h"), cards("Ts Th")}}));
  const Turn& third = fouling.turns[2];
  EXPECT_EQ(third.dealt, cards("Kc 2d 5h"));
  EXPECT_EQ(third.before, (Board{{cards("Kd"), cards("2c 5d 6c"), cards("8c Jc Qc")}}));
  EXPECT_EQ(third.after, (Board{{cards("Kd Kc"), cards("2c 5d 6c"), cards("8c Jc Qc 2d")}}));
  EXPECT_EQ(third.other.row[kMiddle], cards("9s 9h 9d 4h"));

  const Hand second = read_hand(hand_against_fantasyland(), kRules);
  EXPECT_EQ(second.number, 1);
  EXPECT_TRUE(second.sides[1].fantasyland == 14 && second.sides[1].next == 14 && second.sides[0].next == 14);
  EXPECT_EQ(second.sides[0].turns[4].other, Board());
  EXPECT_TRUE(read_hand(last_hand(), kRules).over());
}

// In random games, compared with the table's own record.
class FantasylandHandOf : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Games, FantasylandHandOf, testing::Values("ofc", "ofc_progressive"));

TEST_P(FantasylandHandOf, AgreesWithTheTable) {
  const GamePtr game = make_game(GetParam());
  const auto& ofc = *dealer::ofc::as_ofc(*game);
  const auto agents = make_agents("rule", game);
  int hands = 0, there = 0, fouls = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto env = game->new_env({.hold_hands = true});
    env->reset(seed);
    const Seats seats = make_seats(agents, *game);
    for (Seat seat = 0; seat < 2; ++seat) seats[at(seat)]->reset(seat, seed);
    for (;;) {
      while (!env->hand_over()) {
        const Seat seat = env->current_player();
        env->step(seats[at(seat)]->act(env->observe(seat)));
      }
      const Hand hand = read_hand(env->events(kOmniscient), ofc.rules().scoring);
      const auto& record = dynamic_cast<const TypedEnv<dealer::ofc::State>&>(*env).state().last_hand();
      ++hands;
      EXPECT_EQ(hand.dealer, record.dealer);
      for (std::size_t s = 0; s < 2; ++s) {
        const Side& side = hand.sides[s];
        EXPECT_EQ(side.board, record.board[s]);
        EXPECT_EQ(side.points, record.points[s]);
        EXPECT_EQ(side.value.foul, record.foul[s]);
        EXPECT_EQ(side.next, record.next[s]);
        EXPECT_EQ(side.fantasyland, record.fantasyland[s]);
        there += side.fantasyland > 0 ? 1 : 0;
        fouls += side.value.foul ? 1 : 0;
        if (side.fantasyland > 0) continue;
        CardSet dealt = 0;
        for (int t = 0; t < kStreets; ++t) {
          const Turn& turn = side.turns[at(t)];
          EXPECT_EQ(size(turn.dealt), t == 0 ? 5 : 3);
          EXPECT_EQ(size(turn.before.cards()), t == 0 ? 0 : 3 + 2 * t);
          EXPECT_EQ(size(turn.after.cards()), 5 + 2 * t);
          EXPECT_EQ(dealt & turn.dealt, CardSet{0});
          dealt |= turn.dealt;
          const bool first = hand.first() == static_cast<int>(s);
          const int seen = hand.sides[1 - s].fantasyland > 0 ? 0 : first ? (t == 0 ? 0 : 3 + 2 * t) : 5 + 2 * t;
          EXPECT_EQ(size(turn.other.cards()), seen);
        }
        EXPECT_EQ(side.turns[4].after, side.board);
      }
      EXPECT_EQ(hand.over(), env->terminated());
      if (env->terminated()) break;
      env->next_hand();
    }
  }
  EXPECT_GT(hands, 60);
  EXPECT_GT(there, 3);
  EXPECT_GT(fouls, 3);
}

TEST(FantasylandHand, StandsByRows) {
  const auto board = [](const char* front, const char* middle, const char* back) {
    return Board{{cards(front), cards(middle), cards(back)}};
  };
  const Board own = board("Qs", "9s 9h", "Ts Th");
  EXPECT_EQ(standing_of(own, board("Kd", "2c 5d", "8c Jc")), kAhead);
  EXPECT_EQ(standing_of(board("Kd", "2c 5d", "8c Jc"), own), kBehind);
  EXPECT_EQ(standing_of(own, own), kLevel);
  EXPECT_EQ(standing_of(own, board("Kd", "2c 5d", "Ts Th")), kLevel);
  EXPECT_EQ(standing_of(own, Board()), kAhead);
}

class PlayOfThree : public testing::Test {
 protected:
  PlayOfThree() { add(0); }
  void add(std::int64_t deal) {
    for (const auto& events : {normal_hand(), hand_against_fantasyland(), last_hand()}) {
      const Hand hand = read_hand(events, kRules);
      counter_.add(deal, hand);
      choices_.add(deal, hand);
    }
  }
  PlayCounter counter_{Fronts{kRules.bonus}};
  ChoiceCounter choices_{Fronts{kRules.bonus}};
};

// Royalties: 7 for queens, 2 for trips in the middle, 10 for the back; then 9 for aces and 2 for kings. Seat 1 acts
// first in the normal hand. Aces: the other stayed there, too, so the value of what followed is unknown.
TEST_F(PlayOfThree, CountsItsHands) {
  const Figure& f = counter_.figures();
  expect_figures(f, R"(
    play: hands=3 normal/foul=1/3 normal/entry=2/3*3 against_normal/entry=0.5*2 against_fantasyland/entry=1
    play: stays=1/3*3 foul_there=0 first_points=17
    fronts/QQ: entries=0.5 foul=0 hand=20 after=-3 total=17 turns/1/total=17
    fronts/KK: entries=0 foul=1 hand=0*0 turns/2/entered=0
    fronts/AA: hand=-6 total=3 after=0*0 turns/0/entered=1 turns/1/entered=0*0
    fronts/trips: foul=0*0
    tries: never/share=0*3 turns/0/share=1/3 turns/1/share=1/3 turns/2/share=1/3 turns/3/entered=0*0 turns/4/entered=0*0
    tries/turns: 0/total=3 1/entered=1 1/hand=20 2/foul=1 2/total=-17
    tries: standings/ahead/hand=20 standings/behind/hand=-20 standings/level/hand=0*0 ahead_behind=1
    tries: other_open/hand=20 other_tries/hand=-20 other_there/hand=-6 early=1 late=0*0
  )");
  EXPECT_DOUBLE_EQ(f.estimate("play/against_normal/royalties").value,
                   (7 + 2 + read_hand(normal_hand(), kRules).sides[1].value.royalties[2]) / 2.0);
  const double apart =
      f.estimate("tries/standings/ahead/total").value - f.estimate("tries/standings/behind/total").value;
  EXPECT_DOUBLE_EQ(f.estimate("tries/ahead_behind_total").value, apart);
  EXPECT_NE(apart, 0);
}

TEST(FantasylandTries, AreEarlyUntilTheThirdTurn) {
  for (int turn = 0; turn < kStreets; ++turn) {
    Hand hand;
    for (int t = turn; t < kStreets; ++t) hand.sides[0].turns[at(t)].after.row[dealer::ofc::kFront] = cards("Qs Qd");
    PlayCounter counter{Fronts{kRules.bonus}};
    counter.add(0, hand);
    EXPECT_EQ(counter.figures().estimate("tries/early").count, turn < 3 ? 1 : 0) << turn;
    EXPECT_EQ(counter.figures().estimate("tries/late").count, turn < 3 ? 0 : 1) << turn;
  }
}

// The queen of the opening and the king: in front. Later a queen went to the back, one with one place left to front. No
// pair can come in the last place of a front. Two kings of an opening went to the middle, two aces to the front; a
// third king beside them had no place there.
TEST_F(PlayOfThree, ChoicesAreThoseThatExisted) {
  const Figure choices = choices_.figures();
  expect_figures(choices, R"(
    Q/first: turns/0=1*1 turns/1=0*1 turns/3=0*0 .later/0/0=0*1
    Q/second: turns/1=1*1 .later/0/1=0*0 .later/1/1=1*1 standings/ahead=1*1
    K/second: turns/2=1 standings/behind=1*1
    : K/pair/turns/0=0*1 K/first/turns/1=0*0 A/pair/turns/0=1
  )");
  EXPECT_EQ(choices["Q"]["second"]["later"].to_json().dump(),
            R"([{"middle":"low_pair","back":"low_pair","in_front":{"value":1.0,"ci95":null,"n":1.0}}])");
  EXPECT_EQ(choices["Q"]["second"]["by_turn"][0].to_json()["turn"], 2);
  // Nobody is ahead against Fantasyland.
  double standing = 0, later = 0;
  for (std::size_t r = 0; r < choices.size(); ++r)
    for (const Named& of : cases()) {
      const Figure& choice = choices[r][of.name];
      for (const Named& how : standings()) standing += choice["standings"][how.name].estimate().count;
      for (int t = 1; t < kStreets; ++t) later += choice["turns"][t].estimate().count;
    }
  EXPECT_LE(standing, later);
  EXPECT_GT(standing, 0);
}

TEST(FantasylandChoices, RowsHoldWhatTheyAre) {
  constexpr int kQueen = 10;
  const std::tuple<const char*, int, Holding> rows[] = {
      {"", kQueen, kNothing},       {"As Kd", kQueen, kNothing},       {"Js Jd Ac", kQueen, kLowPair},
      {"Qs Qd", kQueen, kHighPair}, {"Qs Qd", kQueen + 1, kLowPair},   {"Js Jd 2c 2d", kQueen, kTwoPair},
      {"Js Jd Jc", kQueen, kTrips}, {"2s 3s 4s 5s", kQueen, kNothing}, {"2s 3d 4c 5d 6d", kQueen, kStraightOrBetter}};
  for (const auto& [row, rank, held] : rows) EXPECT_EQ(holding_of(cards(row), rank), held) << row;
}

TEST(FantasylandFronts, FollowTheRules) {
  const Fronts usual{dealer::ofc::Bonus()};
  EXPECT_EQ(usual.kinds(), 4);
  for (const auto& [front, kind] :
       rows_in("Qs Qd: 0; Qs Qd Ah: 0; As Ad 2h: 2; 2s 2d 2h: 3; Js Jd Ah: -1; As Kd Qh: -1; : -1"))
    EXPECT_EQ(usual.kind_of(cards(front)), std::stoi(kind)) << front;
  EXPECT_EQ(usual.name(0), "QQ");
  EXPECT_EQ(usual.name(3), "trips");
  EXPECT_EQ(usual.rank_name(1), "king");
  dealer::ofc::Bonus easier;
  easier.entry_pair_rank = 9;
  const Fronts easy{easier};
  EXPECT_EQ(easy.kinds(), 5);
  EXPECT_EQ(easy.kind_of(cards("Js Jd Ah")), 0);
  EXPECT_EQ(easy.kind_of(cards("2s 2d 2h")), 4);
  EXPECT_EQ(easy.rank_letter(0), "J");
}

}  // namespace
}  // namespace dealer::studies::fantasyland::fantasyland_play_test
