// Who shows at the showdown, and who is paid (docs/rules/betting.md).
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/env/games/poker/table.h"

namespace dealer::poker::showdown_test {
namespace {

const GameRules& draw(int players, const std::string& more = "") {
  static std::vector<std::pair<std::string, std::unique_ptr<GameRules>>> known;
  const std::string text = "procedure: draw\nplayers: " + std::to_string(players) + "\n" + more;
  for (const auto& [name, rules] : known)
    if (name == text) return *rules;
  return *known.emplace_back(text, std::make_unique<GameRules>(rules_of(text))).second;
}

// Everybody checks and stands pat, then the given actions of the last round, by the seats in order. The end is held.
State play_through(State state, const std::vector<Action>& last_round) {
  while (state.street() == 0) state.apply_and_hold(kCall);
  while (state.drawing()) state.apply_and_hold(state.rules().first_discard());
  for (const Action action : last_round) state.apply_and_hold(action);
  return state;
}

const std::vector<std::string> kHands = {"2c 4d 6h 8s Tc",   // 0: the dealer, ten high
                                         "Ks Kd 5h 7s 9c",   // 1: kings
                                         "As Ad 3h 6s 9d",   // 2: aces
                                         "Qs Qd 2h 6d 9h"};  // 3: queens

// The end of a hand that all have checked and stood pat before: the last round by the seats in order from the dealer's
// left, who was in the showdown, who of them showed, and what they got.
struct End {
  std::string what;
  std::string rules;  // but for the draw
  std::vector<std::string> hands;
  std::vector<Action> last_round;
  SeatSet showdown, shown;
  std::vector<Chips> payout;
  std::vector<Chips> chips = {};
};

TEST(Showdown, WinnersShowAndLosersMuck) {
  const std::vector<Action> checks(4, kCall);
  const std::vector<std::string> two(kHands.begin(), kHands.begin() + 2);
  std::vector<std::string> tied = kHands;
  tied[3] = "Ah Ac 3c 6c 9s";
  const End ends[] = {
      {"the first to act shows kings, the next beats them", "", kHands, checks, 0b1111, 0b0110, {0, 0, 40, 0}},
      {"the last to raise shows queens first, the dealer mucks, kings beat queens, aces beat kings",
       "",
       kHands,
       {kCall, kFirstBet, kFirstBet, kCall, kCall, kCall},
       0b1111,
       0b1110,
       {0, 0, 200, 0}},
      {"a hand that ties is shown", "", tied, checks, 0b1111, 0b1110, {0, 0, 20, 20}},
      {"nobody shows when all others fold", "", two, {kFirstBet, kFold}, 0, 0, {0, 40}},
      {"with an all-in player everybody shows",
       "episode: match\nmatch_hands: 5\n",
       kHands,
       {kCall, kCall, kCall},
       0b1111,
       0b1111,
       {0, 0, 40, 0},
       {1000, 10, 1000, 1990}},
      {"by option everybody shows", "show_all: true\n", kHands, checks, 0b1111, 0b1111, {0, 0, 40, 0}},
      {"the first to act has folded: the next shows first",
       "",
       kHands,
       {kFold, kCall, kCall, kCall},
       0b1101,
       0b0100,
       {0, 0, 40, 0}},
  };
  for (const End& end : ends) {
    SCOPED_TRACE(end.what);
    GivenHand given(draw(static_cast<int>(end.hands.size()), end.rules), end.hands);
    if (!end.chips.empty()) given.chips(end.chips);
    const State state = play_through(given.play(), end.last_round);
    const HandRecord hand = state.last_hand();
    EXPECT_EQ(hand.showdown, end.showdown);
    EXPECT_EQ(hand.shown, end.shown);
    for (std::size_t seat = 0; seat < end.payout.size(); ++seat) {
      EXPECT_EQ(hand.payout[seat], end.payout[seat]);
      EXPECT_EQ(hand.net[seat], end.payout[seat] - state.bets().paid(static_cast<Seat>(seat)));
    }
  }
}

TEST(Showdown, TheOddChipGoesLeftOfTheDealerOrOffTheTable) {
  for (const bool discard : {false, true}) {
    const GameRules& rules = draw(3, std::string("ante: 1\n") + (discard ? "odd_chips: discard\n" : ""));
    const std::vector<std::string> hands = {"2c 4d 6h 8s Tc", "Ks Kd 5h 7s 9c", "Kh Kc 5s 7h 9d"};
    const State state = play_through(GivenHand(rules, hands).play(), {kCall, kCall, kCall});
    const HandRecord hand = state.last_hand();
    EXPECT_EQ(hand.payout[1], discard ? 1 : 2);
    EXPECT_EQ(hand.payout[2], 1);
    EXPECT_EQ(hand.odd_chips, discard ? 1 : 0);
    EXPECT_EQ(state.discard_pile(), discard ? 1 : 0);
  }
}

TEST(Showdown, AnAllInPlayerWinsTheOriginalPotAlone) {
  const GameRules& rules = draw(3, "episode: match\nmatch_hands: 5\nlimit: no_limit\nmin_bet: 10\nstack: 1000\n");
  GivenHand given(rules, {"Ks Kd 5h 7s 9c", "As Ad 3h 6s 9d", "Qs Qd 2h 6d 9h"});
  State state = given.chips({1500, 50, 1450}).play();
  state.bet_to(40);  // seat 1, all in
  state.bet_to(140);
  state.apply(kCall);
  state = play_through(state, {kCall, kCall});
  const HandRecord hand = state.last_hand();
  EXPECT_EQ(hand.pots, 2);
  EXPECT_EQ(hand.pot_chips[0], 150);
  EXPECT_EQ(hand.pot_chips[1], 200);
  EXPECT_EQ(hand.payout[1], 150);
  EXPECT_EQ(hand.payout[0], 200);
}

TEST(Showdown, HighAndLowShareThePot) {
  const GameRules rules = rules_of("procedure: stud\nplayers: 2\nlow: eight_or_better\nante: 5\n");
  // Seat 0 makes kings full and no low, seat 1 a six low.
  GivenHand given(rules, {"Ks Kd Kh Qs Qd 9c 8h", "As 2d 3h 4c 6s Jc Jd"});
  State state = given.checked(5).play();
  while (!state.hand_over()) state.apply(kCall);
  const HandRecord hand = state.last_hand();
  EXPECT_EQ(hand.pot_high[0], 0b01);
  EXPECT_EQ(hand.pot_low[0], 0b10);
  EXPECT_EQ(hand.payout[0], 5);
  EXPECT_EQ(hand.payout[1], 5);
  EXPECT_EQ(hand.shown, 0b11);
}

TEST(Showdown, WithoutALowHandHighTakesAll) {
  const GameRules rules = rules_of("procedure: stud\nplayers: 2\nlow: eight_or_better\nante: 5\n");
  State state = GivenHand(rules, {"Ks Kd Kh Qs Qd 9c 8h", "As 2d 3h 4c Ts Jc Jd"}).checked(5).play();
  while (!state.hand_over()) state.apply(kCall);
  EXPECT_EQ(state.last_hand().payout[0], 10);
}

// A part of what a seat observes: the entries that are not 0.
std::vector<int> part(const State& state, Seat seat, std::string_view name) {
  const ObservationSpec spec = State::observation_spec(state.rules());
  const ObservationPart& part = *spec.find(name);
  const std::vector<float> data = observed(state, seat);
  std::vector<int> entries;
  for (int i = 0; i < part.size(); ++i)
    if (data[static_cast<std::size_t>(part.offset + i)] != 0) entries.push_back(i);
  return entries;
}

TEST(Shown, EverybodySeesWhatWasShownAndWhoMucked) {
  const GameRules& rules = draw(4);
  const State state = play_through(GivenHand(rules, kHands).play(), {kCall, kCall, kCall, kCall});
  // Seat 1 shows kings, seat 2 aces; 3 and the dealer muck. Seat 3 sees the dealer, 1 and 2 on its left, in this order.
  EXPECT_EQ(part(state, 3, "showdown"), (std::vector<int>{1, 3, 4, 6}));
  std::vector<int> cards;
  for (const char* hand : {"5h 7s 9c Kd Ks", "3h 6s 9d Ad As"})
    for (const CardId card : rules.deck->parse(hand)) cards.push_back(card);
  std::sort(cards.begin(), cards.end());
  EXPECT_EQ(part(state, 3, "shown"), cards);
  const View view = state.view(3);
  EXPECT_TRUE(view.player[1].showed && view.player[2].showed);
  EXPECT_TRUE(view.player[0].mucked && view.player[3].mucked);
  EXPECT_EQ(text_of(rules, view.player[2].shown), "3h 6s 9d As Ad");
  EXPECT_TRUE(view.player[0].shown.empty() && view.player[0].cards.empty());
  EXPECT_NE(state.to_string(3).find("seat 2 shows Ad As 9d 6s 3h: one pair, aces"), std::string::npos)
      << state.to_string(3);
  // Seat 1 showed itself.
  EXPECT_EQ(part(state, 1, "showdown"), (std::vector<int>{0, 2, 5, 7}));
  EXPECT_EQ(state.view(1).own().shown.size(), 5U);
}

TEST(Shown, HandsThatDifferInWhatWasShownAreObservedToDiffer) {
  std::vector<std::string> other = kHands;
  other[2] = "Ah Ac 3h 6s 9d";
  const auto end = [&](const std::vector<std::string>& hands, const std::vector<Action>& actions) {
    State state = play_through(GivenHand(draw(4), hands).play(), actions);
    EXPECT_TRUE(state.hand_over());
    return observed(state, 3);
  };
  const std::vector<Action> checks = {kCall, kCall, kCall, kCall}, folds = {kFirstBet, kFold, kFold, kFold};
  EXPECT_NE(end(kHands, checks), end(other, checks));
  // What is mucked stays hidden, and so does everything when all others fold.
  other = kHands;
  other[0] = "2d 4c 6c 8h Th";
  EXPECT_EQ(end(kHands, checks), end(other, checks));
  EXPECT_EQ(end(kHands, folds), end(other, folds));
}

TEST(Shown, NothingBeforeTheEndNorAfterTheNextDeal) {
  const GameRules& rules = draw(2, "episode: match\nmatch_hands: 5\nshow_all: true\n");
  State state = GivenHand(rules, {kHands[0], kHands[1]}).play();
  EXPECT_TRUE(part(state, 0, "shown").empty());
  EXPECT_TRUE(part(state, 0, "showdown").empty());
  state = play_through(state, {kCall, kCall});
  EXPECT_EQ(part(state, 0, "shown").size(), 5U);
  EXPECT_EQ(part(state, 0, "showdown"), (std::vector<int>{0, 2}));
  state.next_hand();
  EXPECT_TRUE(part(state, 0, "shown").empty());
  EXPECT_TRUE(part(state, 0, "showdown").empty());
}

TEST(Match, ChipsAreCarriedOverPlayersGoOutAndTheButtonMoves) {
  const GameRules& rules = draw(3, "episode: match\nlimit: no_limit\nmin_bet: 10\nstack: 100\n");
  State state = GivenHand(rules, {"Ks Kd 5h 7s 9c", "As Ad 3h 6s 9d", "Qs Qd 2h 6d 9h"}).play();
  state.bet_to(90);
  state.apply(kCall);
  state.apply(kFold);
  state = play_through(state, {});
  EXPECT_EQ(state.hands_finished(), 1);
  EXPECT_EQ(state.last_hand().net, (std::array<Chips, kMaxSeats>{-10, 110, -100}));
  EXPECT_EQ(state.statistics(1)[4].numerator, 1) << "won";
  state.next_hand();
  EXPECT_FALSE(state.hand_over());
  EXPECT_EQ(state.statistics(1)[4].denominator, 0);
  EXPECT_TRUE(state.is_out(2));
  EXPECT_EQ(state.chips(0), 90);
  EXPECT_EQ(state.chips(1), 210);
  EXPECT_EQ(state.dealer(), 1);
  EXPECT_EQ(state.reward(2), 0);
  EXPECT_EQ(state.return_of(2), -100);
  EXPECT_NE(state.current_player(), kTerminal);
}

}  // namespace
}  // namespace dealer::poker::showdown_test
