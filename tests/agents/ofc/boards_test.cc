
#include "agents/ofc/fantasyland.h"
#include "agents/ofc/features.h"
#include "agents/ofc/placements.h"
#include "agents/ofc/row_distribution.h"
#include "agents/ofc/row_values.h"
#include "tests/agents/ofc/ofc_support.h"
#include "tests/support/testing.h"

namespace dealer::ofc::boards_test {
namespace {

using test::cards;

int count(const Board& board, CardSet hand, int discards) {
  PlacementBuffer buffer;
  return enumerate_placements(board, hand, discards, buffer);
}

Board board(std::string_view front, std::string_view middle, std::string_view back) {
  return {{cards(front), cards(middle), cards(back)}};
}

TEST(Placements, AreSoMany) {
  struct Case {
    const char *front, *middle, *back, *hand;
    int discards, placements;
  };
  for (const Case& c : {
           Case{"", "", "", "As Kd 7h 7c 2s", 0, 232},
           {"Qs", "7h 7c", "As Ad", "2s 3d 4h", 1, 27},
           {"Qs Qd 2c", "7h 7c", "As Ad", "2s 3d 4h", 1, 3 * 4},              // front full: two rows for two cards
           {"Qs Qd 2c", "7h 7c 8s 8d 9c", "As Ad Kd", "2s 3d 4h", 1, 3},      // the discard alone is free
           {"Qs Qd 2c", "7h 7c 8s 8d", "As Ad Kd Ks", "2s 3d 4h", 1, 3 * 2},  // one place in two rows each
           {"Qs Qd", "", "", "2s 3d 4h 5c", 0, 16 + 4 * 8},                   // none or one of them in front
           {"Qs", "7h 7c", "As Ad", "3d 4h", 0, 9},                           // parts of a turn
           {"Qs", "7h 7c", "As Ad", "3d 4h", 1, 6},
           {"Qs", "7h 7c", "As Ad", "3d", 1, 1},
           {"Qs", "7h 7c", "As Ad", "", 0, 1},
       })
    EXPECT_EQ(count(board(c.front, c.middle, c.back), cards(c.hand), c.discards), c.placements) << c.front << c.hand;
}

TEST(Placements, AreDistinctCompleteAndInTheOrderOfTheActions) {
  const Board before = board("Qs", "7h 7c", "As Ad");
  const CardSet hand = cards("2s 3d 4h");
  PlacementBuffer buffer;
  const auto n = at(enumerate_placements(before, hand, 1, buffer));
  const auto path = [&](const Placement& p) {
    std::vector<int> places;
    for_each(hand, [&](Card card) {
      int place = 3;
      for (int row = 0; row < kRows; ++row)
        if ((p.board.row[at(row)] & bit(card)) != 0) place = row;
      places.push_back(place);
    });
    return places;
  };
  for (std::size_t i = 0; i < n; ++i) {
    const Placement& p = buffer[i];
    EXPECT_EQ(p.board.cards() | p.discards, before.cards() | hand);
    EXPECT_EQ(p.board.cards() & p.discards, CardSet{0});
    EXPECT_EQ(size(p.discards), 1);
    for (std::size_t row = 0; row < kRows; ++row) {
      EXPECT_EQ(p.board.row[row] & before.row[row], before.row[row]);
      EXPECT_LE(size(p.board.row[row]), kRowSize[row]);
    }
    if (i > 0) {
      EXPECT_LT(path(buffer[i - 1]), path(p));
    }
  }
}

TEST(Placements, RefuseWhatIsNoTurn) {
  EXPECT_THROW(count({}, cards("2s 3s 4s 5s 6s 7s"), 0), UsageError);
  EXPECT_THROW(count({}, cards("2s 3s 4s 5s 6s"), 1), UsageError);
  EXPECT_THROW(count({}, cards("2s"), 2), UsageError);
  EXPECT_THROW(count({}, cards("2s"), -1), UsageError);
  EXPECT_THROW(count(board("Qs Qd 2c", "7h 7c 8s 8d 9c", "As Ad Kd Ks"), cards("2s 3d 4h"), 1), UsageError);
}

struct Position {
  Board own, other;
  CardSet live = kFullDeck;
};

// Random boards of 5, 7, 9, 11 or 13 cards each.
Position random_position(RandomStream& rng) {
  Position position;
  std::array<Card, kCards> deck;
  for (std::size_t i = 0; i < kCards; ++i) deck[i] = static_cast<Card>(i);
  for (std::size_t i = kCards; i > 1; --i) std::swap(deck[i - 1], deck[rng.below(static_cast<std::uint32_t>(i))]);
  std::size_t next = 0;
  for (Board* board : {&position.own, &position.other}) {
    for (std::uint32_t left = 5 + 2 * rng.below(5); left > 0;) {
      const auto row = static_cast<Row>(rng.below(3));
      if (board->room(row) == 0) continue;
      board->row[row] |= bit(deck[next]);
      position.live &= ~bit(deck[next++]);
      --left;
    }
  }
  // Some additional cards seen by the observer.
  for (std::uint32_t discards = rng.below(5); discards > 0; --discards) position.live &= ~bit(deck[next++]);
  return position;
}

std::set<int> set_of(const FeatureList& list) { return {list.feature.begin(), list.feature.begin() + list.count}; }

CardSet rename_suits(CardSet cards, const std::array<int, 4>& suit) {
  CardSet renamed = 0;
  for_each(cards, [&](Card card) { renamed |= bit(make_card(rank_of(card), suit[at(suit_of(card))])); });
  return renamed;
}

TEST(OfcFeatures, AreFewUniqueAndInRange) {
  RandomStream rng(1);
  for (int i = 0; i < 20'000; ++i) {
    const Position p = random_position(rng);
    const FeatureList list = features(p.own, p.other, p.live, i % 7 == 0);
    ASSERT_LE(list.count, kMaxActive);
    const std::set<int> set = set_of(list);
    ASSERT_EQ(static_cast<int>(set.size()), list.count) << to_string(p.own) << " against " << to_string(p.other);
    ASSERT_LT(*set.rbegin(), kFeatures);
  }
}

TEST(OfcFeatures, DoNotDependOnTheNamesOfTheSuits) {
  RandomStream rng(2);
  for (int i = 0; i < 5'000; ++i) {
    const Position p = random_position(rng);
    std::array<int, 4> suit = {0, 1, 2, 3};
    for (std::size_t s = 4; s > 1; --s) std::swap(suit[s - 1], suit[rng.below(static_cast<std::uint32_t>(s))]);
    Position q;
    for (std::size_t row = 0; row < kRows; ++row) {
      q.own.row[row] = rename_suits(p.own.row[row], suit);
      q.other.row[row] = rename_suits(p.other.row[row], suit);
    }
    q.live = rename_suits(p.live, suit);
    ASSERT_EQ(set_of(features(p.own, p.other, p.live, false)), set_of(features(q.own, q.other, q.live, false)));
  }
}

// By hand: the flush and straight features of a row, and that they vanish when the row can no longer become one.
TEST(OfcFeatures, SeeDraws) {
  const auto row_features = [](const char* cards, CardSet dead) {
    FeatureList list;
    const CardSet row = to_set(parse_cards(cards));
    add_row_features(kOwn, kBack, row, row_hand(kBack, row), kFullDeck & ~row & ~dead, list);
    return set_of(list);
  };
  const int base = row_base(kOwn, kBack);
  const int flush = base + kGroupFeatures + kSizeFeatures, straight = flush + kFlushFeatures;
  const int straight_flush = straight + kStraightFeatures;
  // Four hearts, nine live; open-ended: four fives and four tens, of which the hearts complete the straight flush.
  std::set<int> set = row_features("6h 7h 8h 9h", 0);
  EXPECT_TRUE(set.contains(flush + 3 * 11 + 9));
  EXPECT_TRUE(set.contains(straight + 3 * 9 + 8));
  EXPECT_TRUE(set.contains(straight_flush + 3));
  // Two suits: a straight only; with three fives gone five outs are left.
  set = row_features("6h 7h 8h 9s", to_set(parse_cards("5s 5h 5d")));
  EXPECT_TRUE(set.contains(straight + 3 * 9 + 5));
  EXPECT_TRUE(std::none_of(set.begin(), set.end(), [&](int f) { return f >= flush && f < straight; }));
  // The ace is low in the wheel and high in Broadway, never in between.
  EXPECT_TRUE(row_features("As 2h 3d 4c", 0).contains(straight + 3 * 9 + 4));
  EXPECT_TRUE(row_features("As Kh Qd Jc", 0).contains(straight + 3 * 9 + 4));
  set = row_features("As Kh 2d 3c", 0);
  EXPECT_TRUE(std::none_of(set.begin(), set.end(), [&](int f) { return f >= straight && f < straight_flush; }));
  // A pair ends the straight; its two live cards are counted.
  set = row_features("6h 6s", 0);
  EXPECT_TRUE(set.contains(base + 4 * 10 + 4 + 2));
  EXPECT_TRUE(std::none_of(set.begin(), set.end(), [&](int f) { return f >= flush && f <= straight_flush; }));
}

// The live cards after an opening of these cards, with others seen elsewhere.
Live live_after(std::string_view own, std::string_view others, int street) {
  View view;
  view.discards = cards(own);
  view.board[1].row[kBack] = cards(others);
  view.street = street;
  return Live::after_turn(view, 0.6, 4);
}

double chance_of(const RowDistribution& distribution, HandCategory hand) {
  double sum = 0;
  for (int i = 0; i < distribution.count; ++i) {
    const RowEnd& end = distribution.ends[at(i)];
    if (category(end.rank) == hand) sum += static_cast<double>(end.chance);
  }
  return sum;
}

TEST(Live, CountsWhatMayStillCome) {
  const Live live = live_after("As Ks Qs Js 2d", "9s 8s 7s", 1);
  EXPECT_EQ(size(live.cards), 44);
  EXPECT_EQ(live.coming, 9);
  EXPECT_DOUBLE_EQ(live.chance, 0.6 * 9 / 44);
}

TEST(Live, AtLeastIsBinomial) {
  const Live live = live_after("As Ks Qs Js 2d", "", 0);
  const double p = live.chance, q = 1 - p;
  EXPECT_EQ(live.at_least(0, 4), 1);
  EXPECT_EQ(live.at_least(-1, 4), 1);
  EXPECT_EQ(live.at_least(3, 2), 0);
  EXPECT_NEAR(live.at_least(1, 4), 1 - std::pow(q, 4), 1e-12);
  EXPECT_NEAR(live.at_least(2, 3), 3 * p * p * q + p * p * p, 1e-12);
  EXPECT_NEAR(live.at_least(4, 4), std::pow(p, 4), 1e-12);
  EXPECT_EQ(live_after("As", "", 4).at_least(1, 13), 0);
}

TEST(RowDistribution, CompleteRowsAreExact) {
  const Live live = live_after("As", "", 1);
  for (const auto& [row, text] :
       {std::pair{kFront, "Ks Kd 2c"}, {kMiddle, "As Kd 9h 4c 2d"}, {kBack, "2s 5s 9s Js Ks"}}) {
    const RowDistribution distribution = row_distribution(row, cards(text), live);
    ASSERT_EQ(distribution.count, 1);
    EXPECT_EQ(distribution.ends[0].rank, dealer::evaluate(cards(text)));
    EXPECT_EQ(distribution.ends[0].chance, 1);
  }
}

// All rows of up to four cards drawn at random.
TEST(RowDistribution, IsADistributionFromStrongToWeak) {
  RandomStream rng(5);
  for (int trial = 0; trial < 20000; ++trial) {
    CardSet held = 0;
    const Row row = static_cast<Row>(rng.below(3));
    for (auto n = static_cast<int>(rng.below(static_cast<std::uint32_t>(kRowSize[row]) + 1)); size(held) < n;)
      held |= bit(static_cast<Card>(rng.below(kCards)));
    View view;
    view.board[0].row[row] = held;
    view.street = static_cast<int>(rng.below(5));
    const RowDistribution distribution = row_distribution(row, held, Live::after_turn(view, 0.6, 4));
    ASSERT_GE(distribution.count, 1);
    ASSERT_LE(distribution.count, kMaxRowEnds);
    double sum = 0;
    for (std::size_t i = 0; i < at(distribution.count); ++i) {
      EXPECT_GE(distribution.ends[i].chance, 0);
      sum += static_cast<double>(distribution.ends[i].chance);
      if (i > 0) {
        EXPECT_GE(distribution.ends[i - 1].rank, distribution.ends[i].rank);
      }
    }
    EXPECT_NEAR(sum, 1, 1e-5) << dealer::to_string(held);
    EXPECT_EQ(distribution.ends[at(distribution.count - 1)].rank, dealer::evaluate(held)) << dealer::to_string(held);
  }
}

TEST(RowDistribution, NoMoreCardsNoMoreHopes) {
  const RowDistribution distribution = row_distribution(kBack, cards("As Ks Qs Js"), live_after("As Ks Qs Js", "", 4));
  EXPECT_EQ(chance_of(distribution, HandCategory::kHighCard), 1);
}

TEST(RowDistribution, DeadCardsKillDraws) {
  const CardSet flush = cards("As 9s 5s 3s");
  const auto chance = [&](std::string_view dead) {
    return chance_of(row_distribution(kBack, flush, live_after("As 9s 5s 3s", dead, 2)), HandCategory::kFlush);
  };
  EXPECT_GT(chance(""), chance("Ks Qs Js"));
  EXPECT_GT(chance("Ks Qs Js"), 0.2);
  EXPECT_EQ(chance("Ks Qs Js Ts 8s 7s 6s 4s 2s"), 0);

  const auto trips = [&](std::string_view dead) {
    return chance_of(row_distribution(kFront, cards("Qs Qd"), live_after("Qs Qd", dead, 1)), HandCategory::kTrips);
  };
  EXPECT_GT(trips(""), trips("Qh"));
  EXPECT_EQ(trips("Qh Qc"), 0);
}

TEST(RowDistribution, DrawsAreOfTheRightKind) {
  const Live live = live_after("2d", "", 1);
  const RowDistribution open = row_distribution(kMiddle, cards("9s 8d 7h 6c"), live);
  const RowDistribution gutshot = row_distribution(kMiddle, cards("Ts 8d 7h 6c"), live);
  EXPECT_GT(chance_of(open, HandCategory::kStraight), 1.5 * chance_of(gutshot, HandCategory::kStraight));
  EXPECT_EQ(chance_of(open, HandCategory::kFlush), 0);
  // Two pair in four cards can become a full house and nothing else.
  const RowDistribution two_pair = row_distribution(kBack, cards("9s 9d 4h 4c"), live);
  EXPECT_GT(chance_of(two_pair, HandCategory::kFullHouse), 0.2);
  EXPECT_NEAR(chance_of(two_pair, HandCategory::kFullHouse) + chance_of(two_pair, HandCategory::kTwoPair), 1, 1e-6);
  const RowDistribution trips = row_distribution(kBack, cards("9s 9d 9h 4c"), live);
  EXPECT_GT(chance_of(trips, HandCategory::kQuads), 0.05);
  const RowDistribution royal = row_distribution(kBack, cards("As Ks Qs Js"), live);
  EXPECT_GT(chance_of(royal, HandCategory::kRoyalFlush), 0.05);
}

Board random_board(RandomStream& rng) { return solve_fantasyland(test::random_cards(rng, kMinFantasylandCards)).board; }

const Board kFoul = parse_board("As Ah Ad / Kd Kc 9h 8s 6h / Ks Kh 9d 9c 9s");

TEST(RowValuesTest, AreTheRowsOfThePairScore) {
  RandomStream random(1);
  std::vector<Board> opponents;
  opponents.reserve(100);
  for (int i = 0; i < 100; ++i) opponents.push_back(i % 10 == 0 ? kFoul : random_board(random));
  const RowValues rows = row_values_against(opponents);
  ASSERT_TRUE(rows.has_scoop());
  for (int i = 0; i < 200; ++i) {
    const BoardValue own = evaluate(random_board(random));
    std::array<double, kRows> expected{};
    double scoop = 0;
    for (const Board& opponent : opponents) {
      const PairScore score = pair_score(own, evaluate(opponent));
      for (std::size_t row = 0; row < kRows; ++row) expected[row] += score.rows[row] / 100.0;
      scoop += score.scoop / 100.0;
    }
    for (const Row row : {kFront, kMiddle, kBack}) EXPECT_NEAR(rows.value(row, own.rank[row]), expected[row], 1e-6);
    EXPECT_NEAR(rows.scoop(own.rank[kFront], own.rank[kMiddle], own.rank[kBack]), scoop, 1e-12);
    EXPECT_LE(scoop, rows.scoop_ceiling(own.rank[kMiddle], own.rank[kBack]) + 1e-12);
    EXPECT_LE(rows.scoop_ceiling(own.rank[kMiddle], own.rank[kBack]), rows.scoop_ceiling(own.rank[kBack]));
  }
}

TEST(RowValuesTest, AgainstAKnownBoardTheGoalIsTheScore) {
  RandomStream random(2);
  for (int i = 0; i < 100; ++i) {
    const Board opponent = i == 0 ? kFoul : random_board(random);
    const RowValues rows = row_values_against(opponent);
    const CardSet cards = test::random_cards(random, 14);
    const Setting setting = solve_fantasyland(cards, {.rows = &rows});
    const BoardValue other = evaluate(opponent);
    const int best = score(evaluate(setting.board), other);
    EXPECT_EQ(setting.value, best + other.total());
    EXPECT_GE(best, score(evaluate(solve_fantasyland(cards).board), other));
  }
}

TEST(RowValuesTest, CeilingIsTheGreatestValueUpToTheRank) {
  std::vector<float> values(kHandRanks, -1);
  values[10] = 3;
  values[20] = 2;
  RowValues rows;
  rows.set(kMiddle, values);
  EXPECT_FALSE(rows.has_scoop());
  EXPECT_EQ(rows.value(kMiddle, 20), 2);
  EXPECT_EQ(rows.ceiling(kMiddle, 9), -1);
  EXPECT_EQ(rows.ceiling(kMiddle, 10), 3);
  EXPECT_EQ(rows.ceiling(kMiddle, kHandRanks - 1), 3);
  EXPECT_EQ(rows.value(kFront, 20), 0);
}

TEST(RowValuesTest, RefusesWhatIsNoTableAndNoSample) {
  RowValues rows;
  std::vector<float> values(kHandRanks - 1);
  EXPECT_THROW(rows.set(kBack, values), UsageError);
  values.push_back(std::numeric_limits<float>::infinity());
  EXPECT_THROW(rows.set(kBack, values), UsageError);
  EXPECT_THROW(row_values_against(std::vector<Board>{}), UsageError);
  EXPECT_THROW(row_values_against(std::vector<Board>(kMaxSampledBoards + 1, kFoul)), UsageError);
}

}  // namespace
}  // namespace dealer::ofc::boards_test
