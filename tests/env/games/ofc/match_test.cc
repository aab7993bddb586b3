// What hands pay, where the button goes, how chains and matches end (docs/rules/ofc.md). Positions are set up
// through the observation: what it says is placed as it says, the rest is dealt at random.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "env/games/ofc/observation_parts.h"
#include "tests/env/games/ofc/rule_sets.h"
#include "tests/env/harness/random_play.h"

namespace dealer::ofc::match_test {
namespace {

CardSet cards(std::string_view text) { return to_set(parse_cards(text)); }

// Before the last turn of a hand: everybody else is done, seat `me` (the dealer, who is last) holds three cards.
struct LastTurn {
  int me = 0;
  std::vector<std::string> others;  // complete boards, from my left
  std::string front, middle, back;  // eleven cards
  std::string hand;
  std::vector<int> points;  // by seat, in a match
  int hands = 0;
};

State last_turn(const GameRules& rules, const LastTurn& position) {
  const int n = rules.players;
  const ObservationParts parts(n);
  std::vector<float> data(static_cast<std::size_t>(parts.size));
  const auto set = [&](int index, float value) { data[static_cast<std::size_t>(index)] = value; };
  CardSet used = cards(position.hand);
  const auto write = [&](int rel, const std::vector<std::string>& rows) {
    int placed = 0;
    for (int row = 0; row < kRows; ++row)
      for (const Card card : parse_cards(rows[static_cast<std::size_t>(row)])) {
        // Any order will do: five cards on the first street, two on every other.
        const int street = placed < 5 ? 0 : (placed - 3) / 2;
        set(parts.rows + (rel * kRows + row) * kCards + card, static_cast<float>(street + 1) / 5);
        used |= bit(card);
        ++placed;
      }
  };
  write(0, {position.front, position.middle, position.back});
  for (int rel = 1; rel <= static_cast<int>(position.others.size()); ++rel) {
    const Board board = parse_board(position.others[static_cast<std::size_t>(rel - 1)]);
    write(rel, {to_string(board.row[0]), to_string(board.row[1]), to_string(board.row[2])});
  }
  for (int rel = 0; rel < n; ++rel) {
    const int seat = (position.me + rel) % n;
    if (position.points.empty()) continue;
    const int points = position.points[static_cast<std::size_t>(seat)];
    set(parts.points + rel, static_cast<float>(points) / static_cast<float>(n * rules.start_points));
    if (points == 0) set(parts.out + rel, 1);
  }
  CardSet discards = 0;
  for (int street = 1; street <= 3; ++street) {
    const Card card = lowest(kFullDeck & ~used & ~discards);
    discards |= bit(card);
    set(parts.discards + card, static_cast<float>(street + 1) / 5);
  }
  for_each(cards(position.hand), [&](Card card) { set(parts.hand + card, 1); });
  set(parts.next + lowest(cards(position.hand)), 1);
  set(parts.dealer, 1);
  set(parts.turn, 1);
  set(parts.seat + position.me, 1);
  set(parts.street + 4, 1);
  set(parts.places_left, 2.0F / 13);
  set(parts.discards_left, 1.0F / 4);
  set(parts.hands, static_cast<float>(position.hands) / kHandsScale);
  RandomStream rng(1);
  return State::Sampler(rules, data).draw(rng);
}

std::vector<double> returns(const State& state) {
  std::vector<double> result;
  for (Seat seat = 0; seat < state.rules().players; ++seat) result.push_back(state.return_of(seat));
  return result;
}

std::vector<int> points(const State& state) {
  std::vector<int> result;
  for (Seat seat = 0; seat < state.rules().players; ++seat) result.push_back(state.points(seat));
  return result;
}

// The boards of the worked example in docs/rules. A, to finish its board with 6h and 7d (discarding 2c), scores -6.
const std::string kBoardB = "Ad Ac Qh / As Ah Ts Td 2s / 5d 6d 7h 8d 9d";
LastTurn worked_example() {
  LastTurn position;
  position.others = {kBoardB};
  position.front = "Kd Qd";
  position.middle = "5h 5c 3h 3c 6s";
  position.back = "Js Jh Jd 7s";
  position.hand = "2c 6h 7d";
  return position;
}
void finish_worked_example(State& state) {
  state.apply(kToDiscard);
  state.apply(kToFront);  // then 7d has only the back
}

State after_last_turn(const GameRules& rules, const LastTurn& position) {
  State state = last_turn(rules, position);
  finish_worked_example(state);
  return state;
}

// Boards of the cards that the worked example leaves.
const std::string kWeak = "4s 3s 2h / 8s 7c 6c 4h 2d / Ks 9s 8h 5s 3d";  // no pair anywhere, no foul
const std::string kFoul = "Kh Ks 4h / 9s 8s 6c 4c 2h / Qs Th 7c 4d 3s";
const std::string kStrong = "Th Tc 8s / 4s 5s 6c 7c 8h / Ks Kh Kc 4h 4d";  // royalties 5 + 4 + 6

TEST(OfcScore, TheWorkedExample) {
  const GameRules rules = rules_for(2, Episode::kHand);
  const State state = after_last_turn(rules, worked_example());
  EXPECT_EQ(state.current_player(), kTerminal);
  EXPECT_EQ(returns(state), (std::vector<double>{-6, 6}));
  EXPECT_EQ(state.reward(0), -6);
  const HandRecord& record = state.last_hand();
  EXPECT_EQ(record.royalties[0], 6);
  EXPECT_EQ(record.royalties[1], 11);
  EXPECT_FALSE(record.next[0]);
  EXPECT_TRUE(record.next[1]);
  EXPECT_EQ(record.dealer, 0);
}

TEST(OfcScore, ThreePlayersAreScoredPairwise) {
  const GameRules rules = rules_for(3, Episode::kHand);
  LastTurn position = worked_example();
  position.me = 1;
  // The foul loses six to both and pays their royalties, 6 to A and 11 to B.
  position.others = {kBoardB, kFoul};
  const State state = after_last_turn(rules, position);
  // Seat 1 is A, seat 2 is B, seat 0 fouls.
  EXPECT_EQ(returns(state), (std::vector<double>{-(6 + 6) - (6 + 11), -6 + 12, 6 + 17}));
  EXPECT_TRUE(state.last_hand().foul[0]);
  EXPECT_EQ(state.last_hand().scoops[0], -2);
  EXPECT_EQ(state.last_hand().scoops[1], 1);
}

TEST(OfcButton, StaysWhileSomebodyEntersFantasyland) {
  const GameRules rules = rules_for(2, Episode::kChain);
  const State state = after_last_turn(rules, worked_example());
  ASSERT_EQ(state.current_player(), 1);
  EXPECT_EQ(state.hands_finished(), 1);
  EXPECT_EQ(state.dealer(), 0);
  EXPECT_FALSE(state.in_fantasyland(0));
  EXPECT_TRUE(state.in_fantasyland(1));
  EXPECT_EQ(size(state.hand(1)), 14);
  EXPECT_EQ(size(state.hand(0)), 5);
  EXPECT_EQ(state.reward(1), 6);
}

TEST(OfcButton, MovesLeftOtherwise) {
  const GameRules rules = rules_for(2, Episode::kMatch);
  LastTurn position = worked_example();
  position.points = {200, 200};
  position.others = {kWeak};
  const State state = after_last_turn(rules, position);
  ASSERT_NE(state.current_player(), kTerminal);
  EXPECT_EQ(state.dealer(), 1);
  EXPECT_EQ(state.current_player(), 0);
}

TEST(OfcChain, EndsWhenNobodyIsInFantasyland) {
  const GameRules rules = rules_for(2, Episode::kChain);
  LastTurn position = worked_example();
  position.others = {kWeak};
  const State state = after_last_turn(rules, position);
  EXPECT_EQ(state.current_player(), kTerminal);
  EXPECT_EQ(state.hands_finished(), 1);
}

// Sets a Fantasyland hand: of many random ways one that stays, if there is one, else one without foul. Four of a kind
// goes to the back.
void set_well(State& state, RandomStream& rng) {
  const Seat seat = state.current_player();
  CardSet quads = 0;
  for (int rank = 0; rank < kRanks; ++rank)
    if (const CardSet four = CardSet{0xf} << (4 * rank); (state.hand(seat) & four) == four) quads = four;
  State best = state;
  int best_value = -1;
  for (int i = 0; i < 100 && best_value < 2; ++i) {
    State next = state;
    Board board;
    for (int moved = 0; moved < 14 && next.current_player() == seat && next.hands_finished() == 0; ++moved) {
      const bool to_back = (quads & bit(lowest(next.hand(seat)))) != 0 && ((next.legal_mask() >> kToBack) & 1) != 0;
      next.apply(to_back ? Action{kToBack} : test::random_action(next.legal_mask(), rng));
    }
    board = next.hands_finished() > 0 ? next.last_hand().board[seat] : next.board(seat);
    const BoardValue value = evaluate(board);
    if ((value.stays ? 2 : value.foul ? 0 : 1) <= best_value) continue;
    best_value = value.stays ? 2 : value.foul ? 0 : 1;
    best = next;
  }
  state = best;
}

TEST(OfcChain, StaysInFantasylandByFourOfAKindAndLeavesOtherwise) {
  const GameRules rules = rules_for(2, Episode::kChain);
  RandomStream rng(11);
  int stayed = 0, left = 0;
  for (std::uint64_t seed = 0; stayed < 5 || left < 5; ++seed) {
    ASSERT_LT(seed, 3000U);
    State state = dealt(rules, {true, true, false}, 0, seed);
    set_well(state, rng);
    set_well(state, rng);
    const HandRecord& record = state.last_hand();
    ASSERT_EQ(state.hands_finished(), 1);
    bool anybody = false;
    for (Seat seat = 0; seat < 2; ++seat) {
      const Board& board = record.board[seat];
      const bool stays = !record.foul[seat] && (category(evaluate5(board.row[kBack])) >= HandCategory::kQuads ||
                                                category(evaluate3(board.row[kFront])) == HandCategory::kTrips);
      EXPECT_EQ(record.next[seat], stays) << to_string(board);
      anybody = anybody || stays;
      stayed += stays ? 1 : 0;
      left += stays ? 0 : 1;
    }
    EXPECT_EQ(state.current_player() == kTerminal, !anybody);
    if (!anybody) continue;
    EXPECT_EQ(state.dealer(), 0);
    for (Seat seat = 0; seat < 2; ++seat) {
      EXPECT_EQ(state.in_fantasyland(seat), record.next[seat]);
      EXPECT_EQ(size(state.hand(seat)), record.next[seat] ? 14 : 5);
    }
  }
}

TEST(OfcMatch, ALoserPaysNoMoreThanTheyHave) {
  const GameRules rules = rules_for(2, Episode::kMatch);
  LastTurn position = worked_example();
  position.points = {4, 396};
  const State state = after_last_turn(rules, position);
  EXPECT_EQ(state.current_player(), kTerminal);
  EXPECT_EQ(points(state), (std::vector<int>{0, 400}));
  EXPECT_EQ(state.reward(0), -4);
  EXPECT_EQ(state.reward(1), 4);
  EXPECT_EQ(returns(state), (std::vector<double>{-200, 200}));
  EXPECT_TRUE(state.is_out(0));
  EXPECT_TRUE(state.valid());
  // Both still see the boards of the showdown.
  EXPECT_TRUE(state.view(1).board[1] == state.board(0));
  EXPECT_TRUE(state.view(0).board[0].complete());
}

TEST(OfcMatch, WinnersArePaidInSeatOrderFromTheDealersLeft) {
  const GameRules rules = rules_for(3, Episode::kMatch);
  LastTurn position = worked_example();
  position.others = {kBoardB, kStrong};
  position.points = {200, 200, 200};
  const State rich = after_last_turn(rules, position);
  // A pays 6 to B. Seat 2 scoops A: 6, and 15 - 6 royalties. B against seat 2: +1 -1 -1 and 11 - 15.
  const int first = rich.last_hand().points[1], second = rich.last_hand().points[2];
  EXPECT_EQ(first, 6 - 5);
  EXPECT_EQ(second, 15 + 5);
  EXPECT_EQ(rich.last_hand().points[0], -first - second);
  // Too little for both: the player on the dealer's left comes first.
  for (const int has : {1, 2, 5, 20}) {
    position.points = {has, 300, 300 - has};
    const State state = after_last_turn(rules, position);
    const int to_first = std::min(has, first), to_second = std::min(has - to_first, second);
    EXPECT_EQ(points(state), (std::vector<int>{0, 300 + to_first, 300 - has + to_second})) << has;
    EXPECT_EQ(points(state)[0] + points(state)[1] + points(state)[2], 600);
  }
}

TEST(OfcMatch, TheOthersPlayOnWithoutAPlayerWhoIsOut) {
  const GameRules rules = rules_for(3, Episode::kMatch);
  LastTurn position = worked_example();
  position.others = {kBoardB, kStrong};
  position.points = {3, 297, 300};
  State state = after_last_turn(rules, position);
  ASSERT_NE(state.current_player(), kTerminal);
  EXPECT_TRUE(state.is_out(0));
  // The dealer is out, so the button moves although seat 1 enters Fantasyland.
  EXPECT_TRUE(state.in_fantasyland(1));
  EXPECT_EQ(state.dealer(), 1);
  RandomStream rng(9);
  for (int hands = state.hands_finished(); state.hands_finished() == hands;) {
    EXPECT_NE(state.current_player(), 0);
    EXPECT_EQ(state.hand(0), 0U);
    state.apply(test::random_action(state.legal_mask(), rng));
  }
  EXPECT_FALSE(state.last_hand().played[0]);
  EXPECT_EQ(state.last_hand().points[0], 0);
  EXPECT_EQ(state.last_hand().points[1], -state.last_hand().points[2]);
}

TEST(OfcMatch, FirstOutEndsIfSoAgreed) {
  GameRules rules = rules_for(3, Episode::kMatch);
  rules.first_out_ends = true;
  LastTurn position = worked_example();
  position.others = {kBoardB, kStrong};
  position.points = {3, 297, 300};
  const State state = after_last_turn(rules, position);
  EXPECT_EQ(state.current_player(), kTerminal);
}

TEST(OfcMatch, WhoIsOutEntersNoFantasylandAndHoldsNoButton) {
  const GameRules rules = rules_for(3, Episode::kMatch);
  LastTurn position = worked_example();
  // Seat 2 has queens in front and no foul, but its one point goes to seat 1.
  position.others = {"Jc 8d 7c / As Ah Ac 6c 5d / Ks Kh Kc Ts Td", "Qs Qc 3s / 4s 4h 2h 2d 9s / 8s 8h 9h 9c 5s"};
  position.points = {200, 399, 1};
  const State state = after_last_turn(rules, position);
  ASSERT_NE(state.current_player(), kTerminal);
  EXPECT_TRUE(state.last_hand().next[2]);
  EXPECT_TRUE(state.is_out(2));
  EXPECT_FALSE(state.in_fantasyland(2));
  EXPECT_EQ(points(state), (std::vector<int>{197, 403, 0}));
  EXPECT_EQ(state.dealer(), 1) << "nobody still in the match enters, so the button moves";
}

TEST(OfcMatch, EndsAfterTheAgreedHands) {
  GameRules rules = rules_for(2, Episode::kMatch);
  rules.match_hands = 6;
  for (const int before : {4, 5}) {
    LastTurn position = worked_example();
    position.points = {200, 200};
    position.hands = before;
    const State state = after_last_turn(rules, position);
    EXPECT_EQ(state.current_player() == kTerminal, before == 5);
    EXPECT_EQ(points(state), (std::vector<int>{194, 206}));
  }
}

TEST(OfcMatch, PointsCountMoreAfterEverySoManyHands) {
  GameRules rules = rules_for(2, Episode::kMatch);
  rules.multiplier_every = 3;
  for (const auto& [hands, factor] : {std::pair{0, 1}, {2, 1}, {3, 2}, {5, 2}, {6, 3}, {30, 11}}) {
    LastTurn position = worked_example();
    position.points = {200, 200};
    position.hands = hands;
    State state = last_turn(rules, position);
    EXPECT_EQ(state.multiplier(), factor);
    finish_worked_example(state);
    EXPECT_EQ(points(state), (std::vector<int>{200 - 6 * factor, 200 + 6 * factor}));
  }
  const GameRules chain = rules_for(2, Episode::kChain);
  EXPECT_EQ(dealt(chain, {}, 0).multiplier(), 1);
}

TEST(OfcMatch, TheFirstDealerIsDrawnByLot) {
  const GameRules rules = rules_for(3, Episode::kMatch);
  std::array<int, 3> count{};
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    State state;
    state.reset(rules, seed);
    ++count[static_cast<std::size_t>(state.dealer())];
  }
  for (const int c : count) EXPECT_NEAR(c, 1000, 130);
}

}  // namespace
}  // namespace dealer::ofc::match_test
