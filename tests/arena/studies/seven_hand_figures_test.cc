// The figures of the placement study on hand-made hands, counted by hand.
#include "arena/studies/seven_hand/counter.h"
#include "arena/studies/seven_hand/kinds.h"
#include "env/games/seven_hand/game.h"
#include "tests/arena/studies/testing.h"
#include "tests/support/seven_hand.h"

namespace dealer::studies::seven_hand::seven_hand_figures_test {
namespace {

using namespace test;

// A hand-made hand: each seat gets cards as needed.
class ScriptedHand {
 public:
  // The initial cards of the seats, up to eight each; the others are the lowest available.
  ScriptedHand(std::string_view seat0, std::string_view seat1, Seat dealer)
      : state_(dealt(dealer::seven_hand::as_seven_hand(*game_)->rules(), seat0, seat1, dealer)) {}

  // The seat to act lays these cards, and the other names the chip, 1 to 7.
  ScriptedHand& lay(const std::string& cards, int chip) {
    const int before = state_.turns();
    for_each(to_set(parse_cards(cards)), [&](Card card) { state_.apply_and_hold(card); });
    if (!state_.naming() && state_.turns() == before) state_.apply_and_hold(dealer::seven_hand::kStop);
    if (state_.turns() == before) state_.apply_and_hold(dealer::seven_hand::kFirstChip + chip - 1);
    return *this;
  }
  // Lays the `count` lowest cards in hand.
  ScriptedHand& lay_low(int count, int chip) {
    CardSet cards = 0;
    for (int i = 0; i < count; ++i) cards |= bit(lowest(state_.hand(state_.current_player()) & ~cards));
    return lay(to_string(cards), chip);
  }
  bool over() const { return state_.hand_over(); }
  const dealer::seven_hand::State& state() const { return state_; }
  std::vector<Event> events() const {
    std::vector<Event> all;
    state_.events(all);
    return all;
  }
  Hand hand() const { return read_hand(events()); }

 private:
  GamePtr game_ = make_game("seven_hand");
  dealer::seven_hand::State state_;
};

// Seat 0 begins and takes the chips 3, 4 and 2; seat 1 takes 5 and has cards at 1.
ScriptedHand three_adjacent() {
  ScriptedHand played("As Ah Ks Kh Qs Qh 2s 3s", "Ad Ac Kd Kc Qd Qc 2h 3h", 1);
  played.lay("As Ah", 3).lay("2h", 3);
  played.lay("Ks Kh Qs", 4).lay("3h", 4);
  played.lay("Qh", 5).lay("Qd Qc", 1);
  played.lay("2s", 7).lay("Kd", 5);
  played.lay("4s 4h 4d 4c 5s", 2).lay_low(1, 2);
  EXPECT_TRUE(played.over());
  return played;
}

// Seat 1 begins; an ace against an ace at chip 1, then pairs of it lose everywhere.
ScriptedHand tied_at_first() {
  ScriptedHand played("As Kh Kd Kc 2s 2h 2d 2c", "Ah 9s 9h 8s 8h 7s 7h 3s", 0);
  played.lay("Ah", 1).lay("As", 1);
  played.lay("9s", 2).lay("Kh", 2);
  played.lay("8s", 3).lay("Kd", 3);
  played.lay("7s", 4).lay("Kc", 4);
  EXPECT_TRUE(played.over());
  return played;
}

TEST(SevenHandHand, IsReadFromItsEvents) {
  const Hand hand = three_adjacent().hand();
  EXPECT_EQ(hand.turns, 10);
  EXPECT_EQ(hand.line, (Line{kNotYet, kStarter, kStarter, kStarter, kSecond, kNotYet, kNotYet}));
  EXPECT_EQ(hand.three_adjacent(), 1);
  EXPECT_EQ(hand.points, 1);
  EXPECT_EQ(hand.points_of(kSecond), -1);
  EXPECT_TRUE(hand.win(kStarter) == 1 && hand.win(kSecond) == 0);
  EXPECT_TRUE(hand.chips(kStarter) == 3 && hand.chips(kSecond) == 1);
  EXPECT_EQ(hand.showdown, (std::array<bool, kChips>{false, true, true, true, true, false, false}));
  EXPECT_EQ(hand.second[4], kSecond);
  // The second player's third turn: two queens, sent to chip 1.
  const Laying& laying = hand.layings[5];
  EXPECT_EQ(laying.role, kSecond);
  EXPECT_EQ(laying.turn, 3);
  EXPECT_EQ(laying.cards, to_set(parse_cards("Qd Qc")));
  EXPECT_EQ(laying.chip, 0);
  EXPECT_EQ(laying.free, 0b1110011U);
  EXPECT_EQ(laying.line, (Line{kNotYet, kNotYet, kStarter, kStarter, kNotYet, kNotYet, kNotYet}));
  EXPECT_EQ(laying.opposite, (std::array<int, kChips>{0, 0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(laying.outcome, Laying::kUnseen);
  EXPECT_EQ(hand.layings[0].outcome, Laying::kTaken);
  EXPECT_EQ(hand.layings[1].outcome, Laying::kLost);
}

TEST(SevenHandHand, KnowsTiesAndSeats) {
  const Hand hand = tied_at_first().hand();
  EXPECT_EQ(hand.line, (Line{kNobody, kSecond, kSecond, kSecond, kNotYet, kNotYet, kNotYet}));
  EXPECT_EQ(hand.layings[0].outcome, Laying::kTied);
  EXPECT_EQ(hand.layings[1].outcome, Laying::kTied);
  EXPECT_EQ(hand.points, -1) << "seat 1 began and lost";
  EXPECT_EQ(hand.three_adjacent(), 1);
  Hand nobodys;
  for (const int owner : {kNobody, kNotYet}) {
    nobodys.line.fill(owner);
    EXPECT_EQ(nobodys.three_adjacent(), -1);
  }
}

bool is_in(std::string_view name, const Laying& laying, int chip) {
  std::size_t state = 0;
  while (chip_states()[state].name != name) ++state;
  return seven_hand::is_in(state, laying, chip);
}

TEST(SevenHandHand, KnowsHowTheLineStands) {
  const Laying laying = three_adjacent().hand().layings[7];  // the second player's king, which went to chip 5
  const std::pair<const char*, const char*> cases[] = {
      {"middle", "5"},         {"ends", "267"},        {"empty", "26"},      {"opposed", "57"},
      {"against_equal", "57"}, {"against_fewer", ""},  {"against_more", ""}, {"open_beside", "67"},
      {"mover_beside", ""},    {"namer_beside", "25"}, {"mover_threat", ""}, {"namer_threat", "25"}};
  for (const auto& [state, chips] : cases) {
    std::string found;
    for (int chip = 0; chip < kChips; ++chip)
      if (laying.is_free(chip) && is_in(state, laying, chip)) found += std::to_string(chip + 1);
    EXPECT_EQ(found, chips) << state;
  }
  // The starter's five cards a turn later: chip 5 is the second player's now.
  const Laying fives = three_adjacent().hand().layings[8];
  EXPECT_TRUE(is_in("mover_threat", fives, 1));
  EXPECT_TRUE(is_in("mover_beside", fives, 1));
  EXPECT_TRUE(is_in("namer_beside", fives, 5));
  EXPECT_FALSE(is_in("open_beside", fives, 5));
  EXPECT_FALSE(is_in("mover_threat", fives, 5));
}

// One hand, so every figure is its count. At the chips 3, 4 and 5 lie eight cards in six groups, at 1, 2 and 7 nine in
// four. A single card could go to chip 5 with 7, 6, 5 and 4 open chips, and went there twice.
TEST(SevenHandCounter, CountsOneHand) {
  Counter counter;
  counter.add(0, three_adjacent().hand());
  const Figure f = counter.figures({}, "");
  expect_figures(f, R"(
    chips/2: cards=1.5*2 turn=1*2 used=1*2 showdowns=1*1 taken_by_second=0*1 taken_by_starter=1*1 tied=0*1 win_rate=1*1
    chips/4: turn=3.5*2 taken_by_second=1*1 win_rate=0*1
    chips: 0/used=0.5*2 0/showdowns=0*1 5/used=0*2 5/cards=0*0
    turns/0: cards=1.5*2 numbers/0=0.5*2 numbers/1=0.5*2 numbers/2=0*2 chips/2=1*2
    turns: 1/cards=2*2 2/chips/0=0.5*2 2/cards_at/0=2*1 4/cards=3*2 5/cards=0*0
    differences: win_middle_ends=-1/3*4 cards_middle_ends=-0.75*10 turn_middle_ends=-25/12*10 cards_late_early=4/3*8
    sent: 0/4/rate=0.5*4 4/1/rate=1*1
    states/namer_threat: all/rate=0.4*5 few/rate=0.4*5 many/rate=0*0
    states/mover_threat: all/rate=0.5*4 many/rate=1*1 many/chance=3*1/3
    wins: middle/2=1*1 middle/1=0*1 middle/0=0*0 ends/1=1*1 ends/0=0*1 both/2/1=1*1 both/1/0=0*1 both/1/1=0*0
    first_move: points=1*1 wins=1*1
    ends: three_adjacent=1*1 majority=0*1 drawn=0*1 three_with_fewer=0*1 rows/1=1*1 rows/0=0*1 turns=10*1 showdowns=4*1
    ends/margins: 3=1*1
  )");
  const double by_chance = 1.0 / 7 + 1.0 / 6 + 1.0 / 5 + 1.0 / 4;
  EXPECT_NEAR(f.estimate("sent/0/4/chance").value, 2 / by_chance, 1e-12);
  EXPECT_NEAR(f.estimate("sent/0/4/chance").count, by_chance, 1e-12);
  // Opposed to the namer's, 3, 4, 5 and 2.
  const Estimate opposed = f.estimate("states/opposed/all/rate");
  EXPECT_DOUBLE_EQ(opposed.value * opposed.count, 4);
  EXPECT_DOUBLE_EQ(f.estimate("differences/sent_opposed_empty").value,
                   f.estimate("states/opposed/all/chance").value - f.estimate("states/empty/all/chance").value);
  EXPECT_EQ(f.estimate("differences/middle_many_few").count, 0) << "many cards had no chip in the middle to go to";
}

// A share of 0 or 1 has its interval, also relative to random naming:
// five cards had three open chips.
TEST(SevenHandCounter, WhatWasAlwaysNamedHasAnInterval) {
  Counter counter;
  for (int deal = 0; deal < 12; ++deal) counter.add(deal, three_adjacent().hand());
  const Figure f = counter.figures({}, "");
  for (const std::string path : {"sent/4/1", "sent/4/0", "states/mover_threat/many"}) {
    const Estimate rate = f.estimate(path + "/rate"), chance = f.estimate(path + "/chance");
    EXPECT_NEAR(rate.ci95, 1 - std::pow(0.05, 1.0 / 12), 1e-12) << path;
    EXPECT_NEAR(chance.ci95, 3 * rate.ci95, 1e-12) << path;
  }
}

// A laid hand with these cards and a known outcome, for groups alone.
Laying group(const std::string& cards, Laying::Outcome outcome) {
  Laying laying;
  laying.cards = to_set(parse_cards(cards));
  laying.outcome = outcome;
  return laying;
}

TEST(SevenHandGroups, AreRankedAmongThoseOfTheStudy) {
  GroupCounter counter;
  // Four cards: four groups, one per quarter. One card: the ace above the king.
  counter.add(0, group("2s 3h 4d 6c", Laying::kLost), -1);
  counter.add(0, group("2s 2h 4d 6c", Laying::kTaken), 1);
  counter.add(1, group("Ks Kh 4d 6c", Laying::kTied), -1);
  counter.add(1, group("As Ah Ad 6c", Laying::kTaken), 1);
  counter.add(1, group("Kd", Laying::kUnseen), -1);
  counter.add(2, group("Ac", Laying::kTaken), 2);
  Figure f = Counter().figures({}, "");
  counter.count(f);
  // From weak to strong: 6 high, K, A, twos, kings, aces. A half of two, ties counting half: at 1/4 the king, at 3/4
  // the ace.
  expect_figures(f, R"(
    groups/3: 0/share=1/6 1/share=1/6 2/share=1/6 3/share=1/6 0/takes=0 2/takes=0.5 3/points=1
    groups/3: 0/strength=0.5/6 3/strength=5.5/6 3/beyond=0.5/6
    groups/0: 1/points=-1 1/showdowns=0 1/takes=0*0 3/points=2
    classes: many_weak/points=-1 many_strong/points=1 few_strong/points=2 few_weak/points=0*0 many_weak/share=1/6
    differences: points_few_many_strong=1 points_many_few_weak=0*0
  )");
}

// Groups of the agent and responses of its responder are compared deal by deal.
TEST(SevenHandGroups, OfOneDealAreOneCase) {
  GroupCounter counter;
  ClusterDifference expected;
  for (int deal = 0; deal < 12; ++deal) {
    counter.add(deal, group("Kd", Laying::kLost), -1);
    counter.add(deal, group("Ac", Laying::kTaken), deal % 3);
    counter.add_response(deal, group("Ac", Laying::kTaken), deal % 4);
    expected.add(deal, true, deal % 4);
    expected.add(deal, false, deal % 3);
  }
  Figure f = Counter().figures({}, "");
  f.set("responses", ResponseCounter().figures("responder"));
  counter.count(f);
  const Estimate less = f.estimate("responses/classes/few_strong/less");
  EXPECT_DOUBLE_EQ(less.value, expected.estimate().value);
  EXPECT_DOUBLE_EQ(less.ci95, expected.estimate().ci95);
}

TEST(SevenHandGroups, ClassesAreFewAndManyWeakAndStrong) {
  const std::tuple<int, int, const char*> cases[] = {{1, 0, "few_weak"},  {2, 3, "few_strong"},  {3, 0, ""},
                                                     {4, 0, "many_weak"}, {5, 3, "many_strong"}, {5, 1, ""},
                                                     {2, 2, ""}};
  for (const auto& [count, quarter, name] : cases) EXPECT_EQ(class_of(count, quarter), name) << count << ' ' << quarter;
}

TEST(SevenHandStudy, ComesToWhatItDid) {
  expect_recorded("seven_hand", "agent=random deals=25 tries=120 responses=8 simulations=3");
}

}  // namespace
}  // namespace dealer::studies::seven_hand::seven_hand_figures_test
