#include "agents/ofc/heuristic_agent.h"

#include <algorithm>
#include <array>
#include <bit>

#include "agents/ofc/turn_agent.h"

namespace dealer::ofc {
namespace {

constexpr int kQueen = 10;

// By HandCategory: what a made hand is good for, royalties and the row together.
constexpr std::array<double, 10> kMiddleWorth = {0, 1.5, 3, 5, 6, 9, 12, 20, 30, 50};
constexpr std::array<double, 10> kBackWorth = {0, 2, 5, 6, 8, 10, 12, 16, 21, 31};

bool one_suit(CardSet cards) { return (cards & ~suit_mask(suit_of(lowest(cards)))) == 0; }

// All ranks different and within five of each other; aces count high.
bool straight_in_sight(CardSet cards) {
  unsigned ranks = 0;
  for_each(cards, [&](Card card) { ranks |= 1U << rank_of(card); });
  return std::popcount(ranks) == size(cards) && std::bit_width(ranks) - std::countr_zero(ranks) <= 5;
}

double draw_worth(Row row, CardSet cards) {
  constexpr std::array<double, 5> kFlush = {0, 0, 0.5, 1.5, 3.5}, kStraight = {0, 0, 0.2, 0.7, 2};
  const auto count = static_cast<std::size_t>(size(cards));
  if (count < 2 || count > 4) return 0;
  const double scale = row == kBack ? 1 : 0.6;
  if (one_suit(cards)) return scale * kFlush[count];
  return straight_in_sight(cards) ? scale * kStraight[count] : 0;
}

double row_worth(Row row, CardSet cards) {
  const HandRank rank = dealer::evaluate(cards);
  const auto hand = static_cast<std::size_t>(category(rank));
  if (hand == 0 || row == kFront) return row == kFront ? 0 : draw_worth(row, cards);
  const double high = hand == 1 ? 0.06 * first_rank(rank) : 0;
  return (row == kMiddle ? kMiddleWorth : kBackWorth)[hand] + high;
}

double front_worth(CardSet cards) {
  const HandRank rank = dealer::evaluate(cards);
  switch (category(rank)) {
    case HandCategory::kPair:
      return first_rank(rank) >= kQueen ? 12 : std::max(0, first_rank(rank) - 3);
    case HandCategory::kTrips:
      return 20;
    default:
      return rank == 0 ? 0 : 0.05 * first_rank(rank);
  }
}

}  // namespace

double heuristic_value(const Board& board, int street) {
  constexpr std::array<double, 5> kDisorder = {3, 6, 10, 16, 30};
  const std::array<HandRank, 3> rank = {dealer::evaluate(board.row[kFront]), dealer::evaluate(board.row[kMiddle]),
                                        dealer::evaluate(board.row[kBack])};
  double worth =
      front_worth(board.row[kFront]) + row_worth(kMiddle, board.row[kMiddle]) + row_worth(kBack, board.row[kBack]);
  const double cost = kDisorder[static_cast<std::size_t>(street)];
  // High cards alone are no disorder while the row behind still grows.
  const auto disorder = [&](Row weak, Row strong) {
    const bool made = category(rank[weak]) != HandCategory::kHighCard || board.room(strong) == 0;
    if (!made || rank[weak] < rank[strong] || (rank[weak] == rank[strong] && strong == kBack)) return 0.0;
    // Two categories to make up are harder than one.
    const int gap = static_cast<int>(category(rank[weak])) - static_cast<int>(category(rank[strong]));
    return board.room(strong) == 0 ? 40.0 : cost * (1 + 0.5 * gap);
  };
  worth -= disorder(kFront, kMiddle) + disorder(kMiddle, kBack);
  // Big cards belong behind; the front stays free for what comes.
  for_each(board.row[kBack] | board.row[kMiddle], [&](Card card) { worth += 0.01 * rank_of(card); });
  return worth - 0.15 * (street < 3 ? size(board.row[kFront]) : 0);
}

namespace {

class Thumb final : public TurnAgent {
 public:
  using TurnAgent::TurnAgent;

 private:
  Placement choose(const View& view) override {
    PlacementBuffer placements;
    const auto count =
        static_cast<std::size_t>(enumerate_placements(view.board[0], view.hand, view.discards_left, placements));
    std::array<double, kMaxPlacements> worth;
    for (std::size_t i = 0; i < count; ++i) worth[i] = heuristic_value(placements[i].board, view.street);
    return placements[static_cast<std::size_t>(
        std::max_element(worth.begin(), worth.begin() + static_cast<std::ptrdiff_t>(count)) - worth.begin())];
  }
};

}  // namespace

std::unique_ptr<Agent> make_heuristic_agent(const GamePtr& game) { return std::make_unique<Thumb>(game); }

}  // namespace dealer::ofc
