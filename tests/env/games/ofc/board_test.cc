#include "env/games/ofc/board.h"

#include <gtest/gtest.h>

#include <random>
#include <type_traits>

#include "env/core/error.h"
#include "tests/env/games/ofc/referee.h"
#include "tests/env/games/ofc/rule_sets.h"
#include "tests/support/tiers.h"

namespace dealer::ofc::board_test {
namespace {

static_assert(std::is_trivially_copyable_v<Board>);

BoardValue value_of(std::string_view text) { return evaluate(parse_board(text)); }

TEST(BoardTest, ScoresTheWorkedExampleOfTheRules) {
  const BoardValue a = value_of("Kd Qd 6h / 5h 5c 3h 3c 6s / Js Jh Jd 7s 7d");
  const BoardValue b = value_of("Ad Ac Qh / As Ah Ts Td 2s / 5d 6d 7h 8d 9d");
  EXPECT_EQ(a.royalties, (std::array<std::int16_t, 3>{0, 0, 6}));
  EXPECT_EQ(b.royalties, (std::array<std::int16_t, 3>{9, 0, 2}));
  const PairScore result = pair_score(a, b);
  EXPECT_EQ(result.rows, (std::array<int, 3>{-1, -1, 1}));
  EXPECT_EQ(result.scoop, 0);
  EXPECT_EQ(result.royalties, -5);
  EXPECT_EQ(score(a, b), -6);
  EXPECT_EQ(score(b, a), 6);
  EXPECT_FALSE(a.fantasyland);
  EXPECT_TRUE(b.fantasyland);
  EXPECT_FALSE(b.stays);
}

// Hands too rare at random for the referee test: royal flushes, trips of every rank in front.
TEST(BoardTest, PaysRareRoyalties) {
  const HandRank royal = evaluate5(to_set(parse_cards("Ks Qs Js Ts As")));
  EXPECT_EQ(row_royalty(kMiddle, royal), 50);
  EXPECT_EQ(row_royalty(kBack, royal), 25);
  for (int rank = 0; rank < kRanks; ++rank) {
    const HandRank trips = evaluate3(CardSet{0b111} << (4 * rank));
    EXPECT_EQ(row_royalty(kFront, trips), 10 + rank);
    EXPECT_EQ(entry_cards(trips), 14);
  }
}

TEST(BoardTest, AStrongerFrontEntersFantasylandWithMoreCards) {
  Rules rules;
  rules.bonus.fantasyland_cards = {14, 15, 16, 17, 13};
  rules.bonus.entry_pair_rank = 9;
  const auto behind = [&](const std::string& front) {
    return evaluate(parse_board(front + " / 7s 8h 9d Tc Jh / 2s 4s 6s 8s 9s"), rules);
  };
  EXPECT_EQ(behind("Ts Th 3d").fantasyland, 0);
  EXPECT_EQ(behind("Js Jd 3d").fantasyland, 14);
  EXPECT_EQ(behind("Qs Qh 3d").fantasyland, 14);
  EXPECT_EQ(behind("Ks Kh 3d").fantasyland, 15);
  EXPECT_EQ(behind("As Ah 3d").fantasyland, 16);
  EXPECT_EQ(behind("3s 3h 3d").fantasyland, 17);
  EXPECT_EQ(behind("3s 3h 3d").stays, 13);
  EXPECT_EQ(behind("As Ah 3d").stays, 0);
  EXPECT_EQ(evaluate(parse_board("As Ah 3d / 2s 3h 5d 7c 9h / 4s 4h 6s 8s 9s"), rules).fantasyland, 0) << "a foul";
  EXPECT_TRUE(rules.bonus.progressive());
  EXPECT_FALSE(kStandardRules.bonus.progressive());
}

TEST(BoardTest, OtherRulesAreObeyed) {
  Rules rules;
  rules.royalties.back[static_cast<std::size_t>(HandCategory::kStraight)] = 7;
  rules.bonus = {.row_point = 2,
                 .scoop = 5,
                 .entry_pair_rank = 11,
                 .stay_trips_rank = 1,
                 .stay_back = HandCategory::kStraightFlush};
  const BoardValue queens = evaluate(parse_board("Qs Qh 2d / Ah Ad 7d 8c 9s / As Kh Qd Jc Td"), rules);
  EXPECT_EQ(queens.total(), 14);
  EXPECT_FALSE(queens.fantasyland);
  EXPECT_TRUE(evaluate(parse_board("Ks Kh 2d / Ah Ad 7d 8c 9s / As Kc Qd Jc Td"), rules).fantasyland);
  EXPECT_FALSE(evaluate(parse_board("2s 2h 2d / 5s 6h 7d 8c 9s / As Js Ts 4s 3s"), rules).stays);
  EXPECT_TRUE(evaluate(parse_board("3s 3h 3d / 5s 6h 7d 8c 9s / As Js Ts 4s 2s"), rules).stays);
  EXPECT_FALSE(evaluate(parse_board("Ks 8h 2d / 5s 5h 7d 8c 9s / As Ah Ad Ac 3s"), rules).stays);
  const BoardValue low = evaluate(parse_board("4s 3h 2s / 5s 5h 7h 8d 9d / 6s 6h 7s 8s Ts"), rules);
  EXPECT_EQ(score(queens, low, rules.bonus), 6 + 5 + 14);
}

TEST(BoardTest, ParsesWhatItPrints) {
  const std::string text = "Kd Qd 6h / 6s 5c 5h 3c 3h / Jd Jh Js 7d 7s";
  EXPECT_EQ(to_string(parse_board(text)), text);
  EXPECT_EQ(to_string(parse_board("qdKd6h/5h5c3h3c6s/JsJhJd7s7d")), text);
}

TEST(BoardTest, RefusesWhatIsNoBoard) {
  for (const std::string_view text :
       {"", "Kd Qd 6h", "Kd Qd 6h / 5h 5c 3h 3c 6s", "Kd Qd / 5h 5c 3h 3c 6s / Js Jh Jd 7s 7d",
        "Kd Qd 6h 2s / 5h 5c 3h 3c 6s / Js Jh Jd 7s 7d", "Kd Qd 6h / 5h 5c 3h 3c / Js Jh Jd 7s 7d",
        "Kd Qd 6h / 5h 5c 3h 3c 6s / Js Jh Jd 7s 7d / 2s", "Kd Qd 6h / 5h 5c 3h 3c 6s / Js Jh Jd 7s 7d /",
        "Kd Qd 6h / 5h 5c 3h 3c 6h / Js Jh Jd 7s 7d", "Kd Kd 6h / 5h 5c 3h 3c 6s / Js Jh Jd 7s 7d",
        "Kd Qx 6h / 5h 5c 3h 3c 6s / Js Jh Jd 7s 7d", "Kd Qd 6h / 5h 5c 3h 3c 6s / Js Jh Jd 7s 7"}) {
    EXPECT_THROW(parse_board(text), ParseError) << text;
  }
}

// Every other deck is cut to a few ranks or suits: royalties, tied rows and legal boards become frequent.
std::vector<Card> random_deck(std::mt19937& random) {
  std::vector<Card> deck;
  const auto kind = random() % 4;
  const auto ranks = random() % (1U << kRanks);
  for (Card card = 0; card < kCards; ++card) {
    if (kind == 1 && card % 4 > 1) continue;
    if (kind == 2 && ((ranks >> (card / 4)) & 1U) == 0) continue;
    deck.push_back(card);
  }
  if (deck.size() < 26) return random_deck(random);
  for (std::size_t i = 0; i < 26; ++i) std::swap(deck[i], deck[i + random() % (deck.size() - i)]);
  return deck;
}

Board board_of(const std::vector<Card>& deal, std::size_t from) {
  Board board;
  for (std::size_t i = 0; i < 13; ++i) board.row[i < 3 ? 0 : i < 8 ? 1 : 2] |= bit(deal[from + i]);
  return board;
}

// The slow referee shares no code with the scorer.
TEST(BoardTest, AgreesWithTheRefereeOnAMillionBoards) {
  std::mt19937 random(20240611);
  const int deals = test::repetitions(500'000);
  int legal = 0, royal = 0, entries = 0, stays = 0, scoops = 0;
  for (int deal = 0; deal < deals; ++deal) {
    std::vector<Card> deck = random_deck(random);
    std::array<Board, 2> board = {board_of(deck, 0), board_of(deck, 13)};
    std::array<test::Verdict, 2> slow;
    std::array<BoardValue, 2> fast;
    for (std::size_t side = 0; side < 2; ++side) {
      test::Referee::Rows rows;
      for (const Row row : {kFront, kMiddle, kBack}) rows[std::string(kRowNames[row])] = names(board[side].row[row]);
      // Rows in descending order of strength are rare by chance.
      if (test::strength(rows["middle"]) > test::strength(rows["back"])) {
        std::swap(rows["middle"], rows["back"]);
        std::swap(board[side].row[kMiddle], board[side].row[kBack]);
      }
      slow[side] = test::judge(rows);
      fast[side] = evaluate(board[side]);
    }
    for (std::size_t side = 0; side < 2; ++side) {
      ASSERT_EQ(fast[side].foul, slow[side].foul) << to_string(board[side]);
      ASSERT_EQ(fast[side].fantasyland != 0, slow[side].enters) << to_string(board[side]);
      ASSERT_EQ(fast[side].stays != 0, slow[side].stays) << to_string(board[side]);
      for (std::size_t row = 0; row < 3; ++row)
        ASSERT_EQ(fast[side].royalties[row], slow[side].royalty.at(std::string(kRowNames[row])))
            << to_string(board[side]);
      legal += slow[side].foul ? 0 : 1;
      royal += fast[side].total() > 0 ? 1 : 0;
      entries += slow[side].enters ? 1 : 0;
      stays += slow[side].stays ? 1 : 0;
    }
    ASSERT_EQ(score(fast[0], fast[1]), test::compare(slow[0], slow[1]))
        << to_string(board[0]) << " against " << to_string(board[1]);
    // Without royalties, which a foul does not get.
    ASSERT_EQ(rows_score(fast[0], fast[1]) + slow[0].royalties() - slow[1].royalties(),
              test::compare(slow[0], slow[1]));
    scoops += pair_score(fast[0], fast[1]).scoop != 0 ? 1 : 0;
  }
  EXPECT_GT(legal, deals / 5);
  EXPECT_GT(royal, deals / 25);
  EXPECT_GT(entries, deals / 500);
  EXPECT_GT(stays, deals / 5000);
  EXPECT_GT(scoops, deals / 5);
}

}  // namespace
}  // namespace dealer::ofc::board_test
