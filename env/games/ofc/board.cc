#include "env/games/ofc/board.h"

#include <algorithm>

#include "env/core/error.h"

namespace dealer::ofc {

namespace {

int compare(int a, int b) { return (a > b) - (a < b); }

std::string row_sizes_wanted() { return "a board is 3 / 5 / 5 cards, front / middle / back"; }

}  // namespace

int row_royalty(Row row, HandRank rank, const Royalties& royalties) {
  const HandCategory hand = category(rank);
  if (row == kMiddle) return royalties.middle[static_cast<std::size_t>(hand)];
  if (row == kBack) return royalties.back[static_cast<std::size_t>(hand)];
  if (hand == HandCategory::kHighCard) return 0;
  const auto of = static_cast<std::size_t>(first_rank(rank));
  return hand == HandCategory::kPair ? royalties.front_pair[of] : royalties.front_trips[of];
}

bool Bonus::progressive() const {
  return std::any_of(fantasyland_cards.begin(), fantasyland_cards.end(),
                     [&](std::uint8_t cards) { return cards != fantasyland_cards[0]; });
}

int entry_cards(HandRank front, const Bonus& bonus) {
  const HandCategory hand = category(front);
  if (hand == HandCategory::kTrips) return bonus.fantasyland_cards[kAfterTrips];
  const int rank = first_rank(front);
  if (hand != HandCategory::kPair || rank < bonus.entry_pair_rank) return 0;
  return bonus.fantasyland_cards[rank == kRanks - 1 ? kAfterAces : rank == kRanks - 2 ? kAfterKings : kAfterPair];
}

bool stays_in_fantasyland(HandRank front, HandRank back, const Bonus& bonus) {
  return category(back) >= bonus.stay_back ||
         (category(front) == HandCategory::kTrips && first_rank(front) >= bonus.stay_trips_rank);
}

BoardValue evaluate(const std::array<HandRank, kRows>& rank, const Rules& rules) {
  BoardValue value;
  value.rank = rank;
  value.foul = value.rank[kFront] >= value.rank[kMiddle] || value.rank[kMiddle] > value.rank[kBack];
  if (value.foul) return value;
  for (const Row row : {kFront, kMiddle, kBack}) {
    value.royalties[row] = static_cast<std::int16_t>(row_royalty(row, value.rank[row], rules.royalties));
  }
  value.fantasyland = static_cast<std::uint8_t>(entry_cards(value.rank[kFront], rules.bonus));
  if (stays_in_fantasyland(value.rank[kFront], value.rank[kBack], rules.bonus))
    value.stays = rules.bonus.fantasyland_cards[kAfterStay];
  return value;
}

BoardValue evaluate(const Board& board, const Rules& rules) {
  const std::array rank = {evaluate3(board.row[kFront]), evaluate5(board.row[kMiddle]), evaluate5(board.row[kBack])};
  return evaluate(rank, rules);
}

PairScore pair_score(const BoardValue& a, const BoardValue& b, const Bonus& bonus) {
  PairScore result;
  result.royalties = a.total() - b.total();
  if (a.foul && b.foul) return result;
  int won = 0;
  for (const Row row : {kFront, kMiddle, kBack}) {
    const int sign = a.foul ? -1 : b.foul ? 1 : compare(a.rank[row], b.rank[row]);
    result.rows[row] = sign * bonus.row_point;
    won += sign;
  }
  if (won == kRows) result.scoop = bonus.scoop;
  if (won == -kRows) result.scoop = -bonus.scoop;
  return result;
}

int rows_score(const BoardValue& a, const BoardValue& b, const Bonus& bonus) {
  const PairScore result = pair_score(a, b, bonus);
  return result.total() - result.royalties;
}

int score(const BoardValue& a, const BoardValue& b, const Bonus& bonus) { return pair_score(a, b, bonus).total(); }

Board parse_board(std::string_view text) {
  Board board;
  std::string_view rest = text;
  for (std::size_t row = 0; row < kRows; ++row) {
    const auto slash = rest.find('/');
    if ((slash == std::string_view::npos) != (row == kBack)) {
      throw ParseError("board '" + std::string(text) + "' has not three rows: " + row_sizes_wanted());
    }
    const CardSet cards = to_set(parse_cards(rest.substr(0, slash)));
    if (size(cards) != kRowSize[row]) {
      throw ParseError("the " + std::string(kRowNames[row]) + " of board '" + std::string(text) + "' has " +
                       std::to_string(size(cards)) + " cards: " + row_sizes_wanted());
    }
    if (const CardSet twice = cards & board.cards(); twice != 0) {
      throw ParseError("card " + to_string(lowest(twice)) + " is twice on board '" + std::string(text) + "'");
    }
    board.row[row] = cards;
    rest.remove_prefix(slash == std::string_view::npos ? rest.size() : slash + 1);
  }
  return board;
}

std::string to_string(const Board& board) {
  return to_string(board.row[kFront]) + " / " + to_string(board.row[kMiddle]) + " / " + to_string(board.row[kBack]);
}

}  // namespace dealer::ofc
