#include "agents/ofc/last_turn_values.h"

#include "agents/ofc/fantasyland.h"
#include "agents/ofc/placements.h"
#include "agents/ofc/playouts.h"
#include "env/cards/shuffle.h"
#include "env/games/ofc/state.h"
#include "tests/agents/ofc/ofc_support.h"
#include "tests/support/testing.h"

namespace dealer::ofc::last_turn_values_test {
namespace {

using test::cards;

// All three-card subsets of a set.
std::vector<CardSet> deals_of(CardSet set) {
  std::vector<CardSet> deals;
  for (CardSet a = set; a != 0; a &= a - 1)
    for (CardSet b = a & (a - 1); b != 0; b &= b - 1)
      for (CardSet c = b & (b - 1); c != 0; c &= c - 1)
        deals.push_back(bit(lowest(a)) | bit(lowest(b)) | bit(lowest(c)));
  return deals;
}

// A number that distinguishes boards by their ranks.
double mark(const std::array<HandRank, kRows>& rank, Card /*first*/ = 0, Card /*second*/ = 0) {
  std::uint64_t hash = 1;
  for (const HandRank row : rank) hash = (hash ^ row) * 0x9e3779b97f4a7c15ULL;
  return static_cast<double>(hash >> 40);
}

TEST(LastCards, AreSetAsWellAsCanBe) {
  const CardSet rest = cards("2c 5d 9s Jh Jd Ac 8h");
  for (const Board& board : {Board{{cards("Kd Kc"), cards("9h 9c 4d 4s"), cards("As Ah Ad 7d 7c")}},
                             Board{{cards("Kd"), cards("9h 9c 4d 4s 3s"), cards("As Ah Ad 7d 7c")}},
                             Board{{cards("Kd Kc Ks"), cards("9h 9c 4d 4s 3s"), cards("As Ah Ad")}},
                             Board{{cards("Kd Kc Ks"), cards("9h 9c 4d 4s"), cards("As Ah Ad 7d")}}}) {
    const LastCards<double> last(board, rest, mark);
    double sum = 0, slow = 0;
    for (const CardSet hand : deals_of(rest)) {
      PlacementBuffer placements;
      const int count = enumerate_placements(board, hand, 1, placements);
      double best = -1;
      for (int i = 0; i < count; ++i) best = std::max(best, mark(evaluate(placements[at(i)].board).rank));
      EXPECT_EQ(last.best(hand), best);
      slow += best;
    }
    last.for_each_deal([&](double value) { sum += value; });
    EXPECT_EQ(sum, slow);
    EXPECT_EQ(last.deals(), 35U);
    EXPECT_NEAR(last.mean(), slow / 35, 1e-9 * slow);
  }
}

// As many cards as are unseen in a game, more than the number of parallel sums.
TEST(LastCards, MeanIsOfAllDeals) {
  const Board board{{cards("Kd"), cards("9h 9c 4d 4s 3s"), cards("As Ah Ad 7d 7c")}};
  for (const int left_out : {0, 1, 5, 9, 20, 33, 38}) {
    CardSet rest = kFullDeck & ~board.cards();
    for (int i = 0; i < left_out; ++i) rest &= rest - 1;
    const LastCards<double> last(board, rest, mark);
    double sum = 0;
    last.for_each_deal([&](double value) { sum += value; });
    const double mean = sum / static_cast<double>(last.deals());
    EXPECT_NEAR(last.mean(), mean, 1e-12 * mean) << left_out;
  }
}

class LastTurnValues : public testing::Test {
 protected:
  LastTurnValues() {
    for (const bool deals : {false, true}) chain_.at(14, 0, deals) = deals ? 9 : 11;
  }
  // Two pairs in front of the last turn of an opponent, who may still enter Fantasyland or foul.
  View view(int players) const {
    View view;
    view.players = players;
    view.dealer = 1;
    view.street = 4;
    view.board[0].row = {cards("Kd Kc"), cards("9h 9c 4d 4s"), cards("As Ac Ah 7d 7c")};
    view.hand = cards("Kh 2d 2s");
    view.discards = cards("2c 3c 5c");
    view.board[1].row = {cards("Qd Qc"), cards("Td Tc 8d 8c"), cards("6s 6c 6h 5d 5h")};
    return view;
  }
  // The slow way: the mean over all cards that seat 1 may get of the observer's result, without the observer's
  // Fantasyland. Seat 1 maximises its value against everybody; ties go to the reply that costs the observer more.
  double answered(const View& at_table, const BoardValue& mine, const BoardValue* last = nullptr) const {
    const std::vector<CardSet> deals = deals_of(kFullDeck & ~at_table.seen());
    double sum = 0;
    for (const CardSet hand : deals) {
      PlacementBuffer replies;
      const int n = enumerate_placements(at_table.board[1], hand, 1, replies);
      double most = -1000, points = 0;
      for (int r = 0; r < n; ++r) {
        const BoardValue theirs = evaluate(replies[at(r)].board);
        const double ticket = theirs.fantasyland != 0 ? 9 : 0, takes = score(mine, theirs) - ticket;
        double gets = score(theirs, mine) + mine.total() + ticket;
        if (last != nullptr) gets += score(theirs, *last) + last->total() + ticket;
        if (gets < most || (gets == most && takes >= points)) continue;
        most = gets;
        points = takes;
      }
      sum += points;
    }
    return sum / static_cast<double>(deals.size());
  }
  EndOfHand end() const { return {&kStandardRules, &chain_, 0}; }
  double share(const BoardValue& value, bool deals) const {
    return value.total() + (value.fantasyland != 0 ? (deals ? 9 : 11) : 0);
  }
  ChainValues chain_;
};

TEST_F(LastTurnValues, AreMeansOverAllReplies) {
  const View at_table = view(2);
  ASSERT_TRUE(can_be_exact(at_table));
  const std::size_t deals = deals_of(kFullDeck & ~at_table.seen()).size();
  for (const auto& [board, discards] : test::placements_of(at_table.board[0], at_table.hand, 1)) {
    const BoardValue mine = evaluate(board);
    const LastTurnValue value = last_turn_value(at_table, board, end());
    EXPECT_EQ(value.deals, static_cast<std::int64_t>(deals));
    EXPECT_NEAR(value.points, answered(at_table, mine) + (mine.fantasyland != 0 ? 11 : 0), 1e-9) << to_string(board);
  }
}

TEST_F(LastTurnValues, CountCompleteBoardsAsTheyAre) {
  View at_table = view(3);
  at_table.board[1].row[kFront] |= cards("2h");
  at_table.board[1].row[kMiddle] |= cards("3d");
  at_table.board[2].row = {cards("Jd Js 3h"), cards("Qs Qh 8s 8h 3s"), cards("4c 4h Th Ts 5s")};
  ASSERT_TRUE(can_be_exact(at_table));
  Board board = at_table.board[0];
  board.row[kFront] |= cards("2d");
  board.row[kMiddle] |= cards("2s");
  const BoardValue mine = evaluate(board), next = evaluate(at_table.board[1]), last = evaluate(at_table.board[2]);
  ASSERT_TRUE(mine.fantasyland != 0 && next.fantasyland != 0 && last.fantasyland == 0);
  const LastTurnValue value = last_turn_value(at_table, board, end());
  EXPECT_EQ(value.deals, 1);
  EXPECT_DOUBLE_EQ(value.points, score(mine, next) + 11 - 9 + score(mine, last) + 11);
  at_table.out[1] = true;
  EXPECT_DOUBLE_EQ(last_turn_value(at_table, board, end()).points, score(mine, last) + 11);
}

// The last player faces both others, and the best reply to one may not be best against the other.
TEST_F(LastTurnValues, OpponentsMayPlayAgainstEachOther) {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    std::vector<Card> deck;
    for_each(kFullDeck, [&](Card card) { deck.push_back(card); });
    RandomStream rng(seed, 1);
    shuffle_first(std::span(deck), deck.size(), rng);
    std::size_t drawn = 0;
    const auto draw = [&](int cards) {
      CardSet set = 0;
      for (; cards > 0; --cards) set |= bit(deck[drawn++]);
      return set;
    };
    View at_table;
    at_table.players = 3;
    at_table.dealer = 1;
    at_table.street = 4;
    // Boards without foul, so that the rows matter.
    const FantasylandGoal goal{0, nullptr, &kStandardRules};
    for (std::size_t seat = 0; seat < 3; ++seat) at_table.board[seat] = solve_fantasyland(draw(13), goal).board;
    for (const Row row : {kFront, kMiddle}) at_table.board[1].row[row] &= at_table.board[1].row[row] - 1;
    ASSERT_TRUE(can_be_exact(at_table));
    const BoardValue mine = evaluate(at_table.board[0]), last = evaluate(at_table.board[2]);
    const double expected = answered(at_table, mine, &last) + score(mine, last) + 2 * (mine.fantasyland != 0 ? 11 : 0) -
                            (last.fantasyland != 0 ? 11 : 0);
    EXPECT_NEAR(last_turn_value(at_table, at_table.board[0], end()).points, expected, 1e-9) << seed;
  }
}

TEST_F(LastTurnValues, NeedAnEndInSight) {
  View at_table = view(3);
  EXPECT_FALSE(can_be_exact(at_table)) << "seat 2 has set nothing";
  at_table.out[2] = true;
  EXPECT_TRUE(can_be_exact(at_table));
  at_table.fantasyland[1] = 14;
  EXPECT_FALSE(can_be_exact(at_table));
  at_table.fantasyland[1] = 0;
  at_table.out[2] = false;
  at_table.board[2] = at_table.board[1];
  EXPECT_FALSE(can_be_exact(at_table)) << "two are open";
}

PlayedOut ends(double first, double second) { return {{first, second}}; }

TEST(NStepEstimator, WithoutDealsItIsTheNetworksWord) {
  const NStepEstimator means(std::vector<double>{3, 1}, 2);
  std::vector<double> values(2);
  means.weigh(std::vector<std::size_t>{0, 1}, values);
  EXPECT_EQ(values, (std::vector<double>{3, 1}));
  EXPECT_EQ(means.deals(0), 0);
  EXPECT_EQ(means.error(0), 0);
}

// Corrections by hand: placement 0 has -1 and +1, then +2 and +2; placement 1 has +1 and +3, then -1 and +1.
TEST(NStepEstimator, CorrectionsCountByHowSureTheyAre) {
  NStepEstimator means(std::vector<double>{3, 1}, 2);
  const std::vector<std::size_t> left{0, 1};
  means.add(left, std::vector{ends(2, 4), ends(2, 1)}, 2);
  means.add(left, std::vector{ends(4, 6), ends(4, 5)}, 2);
  std::vector<double> values(2);
  means.weigh(left, values);
  // First horizon: in each deal the corrections lie 1 off their mean: squares 2 + 2, one degree of freedom each.
  const double first = 0.16 / (0.16 + 2.0 / 2);
  // Second: 1.5 off in one deal, 0.5 in the other: 4.5 + 0.5.
  const double second = 0.04 / (0.04 + 2.5 / 2);
  EXPECT_NEAR(values[0], 3 + (1 - first) + (1 + second), 1e-12);
  EXPECT_NEAR(values[1], 1 + (1 + first) + (1 - second), 1e-12);
  EXPECT_EQ(means.deals(1), 2);
  // Variances of the means: of placement 0 2 / 2 and 0, of placement 1 2 / 2 and 2 / 2.
  EXPECT_NEAR(means.error(0), 1, 1e-12);
  EXPECT_NEAR(means.error(1), std::sqrt(2.0), 1e-12);
  // The remaining variance is weight * noise, for either placement.
  EXPECT_NEAR(means.difference_error(0), std::sqrt(2 * (first * 2.0 / 2 + second * 2.5 / 2)), 1e-12);
}

TEST(NStepEstimator, PartsAddUp) {
  NStepEstimator all(std::vector<double>{0, 1, 2}, 2), part(std::vector<double>{0, 1, 2}, 2),
      other(std::vector<double>{0, 1, 2}, 2);
  const std::vector<std::size_t> left{0, 1, 2};
  RandomStream rng(1);
  for (int deal = 0; deal < 20; ++deal) {
    std::vector<PlayedOut> results;
    for (int i = 0; i < 3; ++i) results.push_back(ends(rng.uniform(), rng.uniform()));
    all.add(left, results, 2);
    (deal < 7 ? part : other).add(left, results, 2);
  }
  part.add(other);
  std::vector<double> values(3), sums(3);
  all.weigh(left, values);
  part.weigh(left, sums);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(values[i], sums[i], 1e-12);
    EXPECT_NEAR(all.error(i), part.error(i), 1e-12);
    EXPECT_EQ(part.deals(i), 20);
  }
}

// With many deals the data dominate, at any horizon.
TEST(NStepEstimator, ManyDealsOverruleTheNetwork) {
  NStepEstimator means(std::vector<double>{1, 0}, 2);
  const std::vector<std::size_t> left{0, 1};
  RandomStream rng(2);
  std::vector<double> values(2);
  for (int deal = 0; deal < 20000; ++deal) {
    const double noise = 4 * (rng.uniform() - 0.5), more = 8 * (rng.uniform() - 0.5);
    means.add(left, std::vector{ends(1 + noise, -0.5 + noise + more), ends(-noise, 0.5 - noise - more)}, 2);
    if (deal == 0) means.weigh(left, values);
  }
  EXPECT_GT(values[0], values[1]) << "after one deal the network is still believed";
  means.weigh(left, values);
  EXPECT_NEAR(values[0], -0.5, 0.1);
  EXPECT_NEAR(values[1], 0.5, 0.1);
}

}  // namespace
}  // namespace dealer::ofc::last_turn_values_test
