#include "env/games/ofc/board.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <type_traits>

#include "env/core/error.h"
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
  EXPECT_EQ(rows_score(a, b), -1);
  EXPECT_FALSE(a.fantasyland);
  EXPECT_TRUE(b.fantasyland);
  EXPECT_FALSE(b.stays);
}

TEST(BoardTest, PaysEveryRoyaltyOfMiddleAndBack) {
  struct Case {
    std::string_view hand;
    int middle, back;
  };
  for (const auto& [hand, middle, back] : {Case{"Ks Jh 9d 4c 2s", 0, 0},
                                           {"Ks Kh 9d 4c 2s", 0, 0},
                                           {"Ks Kh 9d 9c 2s", 0, 0},
                                           {"Ks Kh Kd 9c 2s", 2, 0},
                                           {"5s 4h 3d 2c As", 4, 2},
                                           {"As Js 9s 4s 2s", 8, 4},
                                           {"Ks Kh Kd 9c 9s", 12, 6},
                                           {"Ks Kh Kd Kc 2s", 20, 10},
                                           {"5s 4s 3s 2s As", 30, 15},
                                           {"Ks Qs Js Ts As", 50, 25}}) {
    const HandRank rank = evaluate5(to_set(parse_cards(hand)));
    EXPECT_EQ(row_royalty(kMiddle, rank), middle) << hand;
    EXPECT_EQ(row_royalty(kBack, rank), back) << hand;
  }
}

TEST(BoardTest, PaysEveryRoyaltyOfTheFront) {
  for (int rank = 0; rank < kRanks; ++rank) {
    const CardSet pair = bit(make_card(rank, 0)) | bit(make_card(rank, 3));
    for (int kicker = 0; kicker < kRanks; ++kicker) {
      const HandRank front = evaluate3(pair | bit(make_card(kicker, 1)));
      const int expected = kicker == rank ? 10 + rank : std::max(0, rank - 3);
      EXPECT_EQ(row_royalty(kFront, front), expected) << rank << " " << kicker;
      EXPECT_EQ(enters_fantasyland(front), kicker == rank || rank >= 10);
    }
  }
  EXPECT_EQ(row_royalty(kFront, evaluate3(to_set(parse_cards("AsKsQs")))), 0);
  EXPECT_FALSE(enters_fantasyland(evaluate3(to_set(parse_cards("AsKsQs")))));
}

TEST(BoardTest, FoulsUnlessFrontIsBelowMiddleAndMiddleNotAboveBack) {
  EXPECT_FALSE(value_of("6s 6h As / 6d 6c Ah 3s 2h / Ks Kh Kd 9c 2s").foul);
  EXPECT_FALSE(value_of("2s 3h 5s / Kd Jc 9h 7s 6h / Ks Jh 9d 7c 6s").foul);
  EXPECT_TRUE(value_of("2s 3h 5s / Kd Jc 9h 8s 6h / Ks Jh 9d 7c 6s").foul);
  const BoardValue foul = value_of("As Ah Ad / Kd Kc 9h 8s 6h / Ks Kh 9d 9c 9s");
  EXPECT_TRUE(foul.foul);
  EXPECT_EQ(foul.total(), 0);
  EXPECT_FALSE(foul.fantasyland);
  EXPECT_FALSE(foul.stays);
}

TEST(BoardTest, FoulsLoseEverythingAndTwoFoulsNothing) {
  const BoardValue foul = value_of("As Ah Ad / Kd Kc 9h 8s 6h / Ks Kh 9d 9c 9s");
  const BoardValue fine = value_of("Qs Qh 4d / Ad Ac 4h 7s 6h / 2s 3s 5s 8s Js");
  EXPECT_EQ(fine.total(), 11);
  EXPECT_EQ(score(fine, foul), 17);
  EXPECT_EQ(score(foul, fine), -17);
  EXPECT_EQ(rows_score(foul, fine), -6);
  EXPECT_EQ(score(foul, foul), 0);
}

TEST(BoardTest, TiedRowsPayNothingAndBreakTheScoop) {
  const BoardValue a = value_of("9s 4h 2d / Ts Th 5d 4c 3s / As Kh Qd Jc Td");
  const BoardValue b = value_of("9h 4d 2c / 8s 8h 6d 5c 3h / Ah Kd Qc Js Tc");
  EXPECT_EQ(pair_score(a, b).rows, (std::array<int, 3>{0, 1, 0}));
  EXPECT_EQ(score(a, b), 1);
  EXPECT_EQ(score(a, a), 0);
  const BoardValue c = value_of("9h 4d 3c / 8s 8h 6d 5c 3h / 8d 7d 6c 5h 4s");
  EXPECT_EQ(score(c, a), -1 - 1 + 1);
}

TEST(BoardTest, FantasylandContinuesWithFrontTripsOrBackQuads) {
  EXPECT_TRUE(value_of("2s 2h 2d / 5s 6h 7d 8c 9s / As Js 9c 4s 3s").foul);
  EXPECT_TRUE(value_of("2s 2h 2d / 5s 6h 7d 8c 9s / As Js Ts 4s 3s").stays);
  EXPECT_TRUE(value_of("Ks 8h 2d / 5s 5h 7d 8c 9s / As Ah Ad Ac 3s").stays);
  EXPECT_TRUE(value_of("Ks 8h 2c / 5s 5h 7d 8c 9s / Ad 5d 4d 3d 2d").stays);
  EXPECT_FALSE(value_of("Ks Kh 3d / 5s 5h 5d 7c 9s / Ad Ac As Qh Qs").stays);
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

// A second scorer that shares nothing with the first: a row's strength is a text whose alphabetical order is the order
// of hands, "prefix loses" included.
struct Slow {
  std::array<std::string, 3> row;
  std::array<int, 3> royalty{};
  bool foul = false, entry = false, stay = false;
};

// The ranks as letters, most frequent first; shape gets how often each of them occurs.
std::string grouped(const std::vector<Card>& cards, std::string& shape) {
  std::vector<std::pair<int, char>> groups;
  for (int rank = 0; rank < kRanks; ++rank) {
    const auto times = std::count_if(cards.begin(), cards.end(), [&](Card card) { return card / 4 == rank; });
    if (times > 0) groups.emplace_back(static_cast<int>(times), static_cast<char>('a' + rank));
  }
  std::sort(groups.rbegin(), groups.rend());
  std::string letters;
  for (const auto& [times, letter] : groups) {
    shape += static_cast<char>('0' + times);
    letters += letter;
  }
  return letters;
}

std::string slow_row(const std::vector<Card>& cards) {
  std::string shape;
  std::string letters = grouped(cards, shape);
  const bool flush = cards.size() == 5 &&
                     std::all_of(cards.begin(), cards.end(), [&](Card card) { return card % 4 == cards.front() % 4; });
  if (letters == "mdcba") letters = "dcba";
  const bool run = shape == "11111" && std::string("mlkjihgfedcba").find(letters) != std::string::npos;
  char category = '0';
  if (flush && run) {
    category = letters.front() == 'm' ? '9' : '8';
  } else if (shape.front() == '4') {
    category = '7';
  } else if (shape == "32") {
    category = '6';
  } else if (flush) {
    category = '5';
  } else if (run) {
    category = '4';
  } else if (shape.front() == '3') {
    category = '3';
  } else if (shape.starts_with("22")) {
    category = '2';
  } else if (shape.front() == '2') {
    category = '1';
  }
  return category + letters;
}

int slow_royalty(std::size_t row, const std::string& hand) {
  static constexpr std::array<int, 10> kMiddlePays = {0, 0, 0, 2, 4, 8, 12, 20, 30, 50};
  if (row == 0) {
    const int rank = hand[1] - 'a' + 2;
    if (hand[0] == '3') return rank + 8;
    return hand[0] == '1' && rank > 5 ? rank - 5 : 0;
  }
  const int pays = kMiddlePays[static_cast<std::size_t>(hand[0] - '0')];
  return row == 1 ? pays : hand[0] == '3' ? 0 : pays / 2;
}

Slow slow_value(const std::vector<Card>& deal, std::size_t from) {
  Slow value;
  for (std::size_t row = 0; row < 3; ++row) {
    const std::size_t count = row == 0 ? 3 : 5;
    const auto first = deal.begin() + static_cast<std::ptrdiff_t>(from);
    value.row[row] = slow_row({first, first + static_cast<std::ptrdiff_t>(count)});
    value.royalty[row] = slow_royalty(row, value.row[row]);
    from += count;
  }
  value.foul = !(value.row[0] < value.row[1] && value.row[1] <= value.row[2]);
  if (value.foul) value.royalty = {};
  value.entry = !value.foul && (value.row[0][0] == '3' || value.row[0] > "1j~");
  value.stay = !value.foul && (value.row[0][0] == '3' || value.row[2][0] >= '7');
  return value;
}

int slow_score(const Slow& a, const Slow& b) {
  int rows = 0;
  for (std::size_t row = 0; row < 3; ++row) rows += a.row[row] > b.row[row] ? 1 : a.row[row] < b.row[row] ? -1 : 0;
  if (a.foul != b.foul) rows = a.foul ? -3 : 3;
  if (a.foul && b.foul) rows = 0;
  if (std::abs(rows) == 3) rows *= 2;
  for (std::size_t row = 0; row < 3; ++row) rows += a.royalty[row] - b.royalty[row];
  return rows;
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

TEST(BoardTest, AgreesWithAnIndependentScorerOnAMillionBoards) {
  std::mt19937 random(20240611);
  const int deals = test::repetitions(500'000);
  int legal = 0, royal = 0, entries = 0, stays = 0, scoops = 0;
  for (int deal = 0; deal < deals; ++deal) {
    std::vector<Card> deck = random_deck(random);
    // Rows in descending order of strength are rare by chance.
    for (const std::size_t from : {0U, 13U}) {
      const auto at = deck.begin() + static_cast<std::ptrdiff_t>(from);
      if (slow_row({at + 3, at + 8}) > slow_row({at + 8, at + 13})) std::swap_ranges(at + 3, at + 8, at + 8);
    }
    const std::array<Slow, 2> slow = {slow_value(deck, 0), slow_value(deck, 13)};
    const std::array<BoardValue, 2> fast = {evaluate(board_of(deck, 0)), evaluate(board_of(deck, 13))};
    for (std::size_t side = 0; side < 2; ++side) {
      ASSERT_EQ(fast[side].foul, slow[side].foul) << to_string(board_of(deck, 13 * side));
      ASSERT_EQ(fast[side].fantasyland, slow[side].entry) << to_string(board_of(deck, 13 * side));
      ASSERT_EQ(fast[side].stays, slow[side].stay) << to_string(board_of(deck, 13 * side));
      for (std::size_t row = 0; row < 3; ++row) {
        ASSERT_EQ(fast[side].royalties[row], slow[side].royalty[row]) << to_string(board_of(deck, 13 * side));
      }
      legal += slow[side].foul ? 0 : 1;
      royal += fast[side].total() > 0 ? 1 : 0;
      entries += slow[side].entry ? 1 : 0;
      stays += slow[side].stay ? 1 : 0;
    }
    ASSERT_EQ(score(fast[0], fast[1]), slow_score(slow[0], slow[1]))
        << to_string(board_of(deck, 0)) << " against " << to_string(board_of(deck, 13));
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
