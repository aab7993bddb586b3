#include "agents/ofc/endgame.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "agents/ofc/last_turn_values.h"
#include "env/cards/shuffle.h"
#include "env/core/at.h"

namespace dealer::ofc {
namespace {

constexpr int kLastStreet = kStreets - 1;

// The order of play, counted from the first to act.
int order_of(const View& view, int seat) { return (seat - view.dealer - 1 + view.players) % view.players; }
bool is_in(const View& view, int seat) { return !view.out[at(seat)]; }
bool sees_end(const View& view, int seat) { return order_of(view, seat) < order_of(view, 0); }

}  // namespace

// The boards that a board becomes with two more cards, each evaluated once.
class Endgame::CompleteBoards {
 public:
  struct Complete {
    BoardValue value;
    double share = 0;
    bool known = false;
  };

  CompleteBoards(const Board& board, CardSet unseen, const EndOfHand& end, bool deals)
      : board_(board), unseen_(unseen), end_(end), deals_(deals), all_(at(size(unseen) * size(unseen))) {}

  const Board& board() const { return board_; }
  // Combines the ranks of its rows and the two cards, in the order of LastCards.
  const Complete& of(const std::array<HandRank, kRows>& rank, Card first, Card second) {
    Complete& complete = all_[at(index(first) * size(unseen_) + index(second))];
    if (complete.known) return complete;
    const BoardValue value = evaluate(rank, *end_.scoring);
    return complete = {value, end_.share(value, false, deals_), true};
  }

 private:
  int index(Card card) const { return size(unseen_ & (bit(card) - 1)); }

  Board board_;
  CardSet unseen_;
  EndOfHand end_;
  bool deals_;
  std::vector<Complete> all_;
};

Endgame::Endgame(const ModelPlay& play, const EndgameEffort& effort)
    : play_(play),
      effort_(effort),
      evaluator_(play.evaluator(0)),
      values_(std::size_t{kMaxPlacements} * (kMaxSeats - 1)),
      ends_(at(effort.ends)) {}

bool Endgame::covers(const View& view) {
  if (view.street == kLastStreet) return can_be_exact(view);
  if (view.street != kLastStreet - 1) return false;
  for (int seat = 1; seat < view.players; ++seat)
    if (is_in(view, seat) && view.fantasyland[at(seat)]) return false;
  return true;
}

void Endgame::value(const View& view, std::span<const Placement> placements, std::span<const float> by_network,
                    std::span<float> values) {
  std::vector<std::size_t> order(placements.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const bool last = view.street == kLastStreet;
  const std::size_t looked_at = last ? order.size() : std::min(order.size(), effort_.promising);
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(looked_at), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      return by_network[a] != by_network[b] ? by_network[a] > by_network[b] : a < b;
                    });
  if (last) {
    for (const std::size_t i : order)
      values[i] = static_cast<float>(last_turn_value(view, placements[i].board, play_.end_of_hand()).points);
    // The share that is subtracted later; for the best placement, as there.
    const std::size_t best = best_of(values.first(placements.size()));
    const auto share = static_cast<float>(play_.others_share(view, placements[best].board));
    for (const std::size_t i : order) values[i] += share;
    return;
  }
  sample_ends(view, placements[order.front()].board);
  const std::span<std::size_t> promising = std::span(order).first(looked_at);
  const float last_by_network = by_network[promising.back()];
  const float drop = value_fourth_turn(view, placements, promising, values) - last_by_network;
  // The unpromising placements stay below the promising ones, in the network's order.
  for (const std::size_t i : std::span(order).subspan(looked_at)) values[i] = by_network[i] + std::min(drop, 0.0F);
}

float Endgame::value_fourth_turn(const View& view, std::span<const Placement> placements,
                                 std::span<std::size_t> promising, std::span<float> values) const {
  std::vector<BoardValue> hidden;
  bool sees_any = false;
  for (int seat = 1; seat < view.players; ++seat) {
    if (!is_in(view, seat)) continue;
    sees_any |= sees_end(view, seat);
    for (const Ends& ends : ends_)
      if (!sees_end(view, seat)) hidden.push_back(evaluate(ends[at(seat)], play_.rules().scoring));
  }
  std::map<std::size_t, CompleteBoards> boards;  // by placement
  for (const std::size_t i : promising)
    boards.emplace(
        i, CompleteBoards(placements[i].board, kFullDeck & ~view.seen(), play_.end_of_hand(), view.dealer == 0));
  const auto mean = [&](std::size_t i, int first, int last) {
    double sum = 0;
    for (int k = first; k < last; ++k) sum += mean_of_last_turn(view, boards.at(i), ends_[at(k)], hidden);
    return sum / (last - first);
  };
  // Without a visible end all boards of the opponents are hidden, so one end represents all of them.
  const int ends = sees_any ? effort_.ends : 1, first_ends = std::min(effort_.first_ends, ends);
  for (const std::size_t i : promising) values[i] = static_cast<float>(mean(i, 0, first_ends));
  std::sort(promising.begin(), promising.end(),
            [&](std::size_t a, std::size_t b) { return values[a] != values[b] ? values[a] > values[b] : a < b; });
  const float share = static_cast<float>(first_ends) / static_cast<float>(ends);
  const std::size_t kept = first_ends < ends ? std::min(effort_.kept, promising.size()) : 0;
  float least = std::numeric_limits<float>::infinity();
  for (const std::size_t i : promising.first(kept)) {
    values[i] = share * values[i] + (1 - share) * static_cast<float>(mean(i, first_ends, ends));
    least = std::min(least, values[i]);
  }
  for (const std::size_t i : promising.subspan(kept)) least = values[i] = std::min(values[i], least);
  return least;
}

void Endgame::sample_ends(const View& view, const Board& own) {
  RandomStream rng(effort_.seed, view.seen());  // the same position always gets the same cards
  for (Ends& ends : ends_) {
    std::copy_n(view.board, ends.size(), ends.begin());
    ends[0] = own;
    CardSet left = kFullDeck & ~view.seen();
    for (int i = 1; i <= view.players; ++i) {  // the dealer is the last
      const int seat = (view.dealer + i) % view.players;
      Board& board = ends[at(seat)];
      if (seat == 0 || !is_in(view, seat) || size(board.cards()) != kPlacedCards[kStreets - 3]) continue;
      board = place_by_network(view, seat, ends, take_random(left, 3, rng));
    }
    for (int seat = 1; seat < view.players; ++seat) {
      Board& board = ends[at(seat)];
      if (is_in(view, seat) && !board.complete()) board = place_last(view, seat, board, take_random(left, 3, rng));
    }
  }
}

Board Endgame::place_by_network(const View& view, int seat, const Ends& boards, CardSet hand) {
  View theirs = view;
  for (int other = 0; other < view.players; ++other) {
    const int from = (seat + other) % view.players;
    theirs.board[other] = boards[at(from)];
    theirs.out[at(other)] = view.out[at(from)];
  }
  theirs.dealer = (view.dealer - seat + view.players) % view.players;
  theirs.hand = hand;
  theirs.discards = view.discards;  // cards that are not live either
  PlacementBuffer placements;
  const auto count = at(enumerate_placements(theirs.board[0], hand, 1, placements));
  evaluator_.add(theirs, std::span(placements).first(count), play_.end_of_hand(), values_.data());
  evaluator_.flush();
  std::array<float, kMaxPlacements> totals;
  add_up(std::span(values_).first(count * at(view.players - 1)), std::span(totals).first(count));
  return placements[best_of(std::span(totals).first(count))].board;
}

Board Endgame::place_last(const View& view, int seat, const Board& board, CardSet hand) const {
  PlacementBuffer placements;
  const int count = enumerate_placements(board, hand, 1, placements);
  double most = -std::numeric_limits<double>::infinity();
  Board best;
  for (int i = 0; i < count; ++i) {
    const BoardValue value = evaluate(placements[at(i)].board, play_.rules().scoring);
    const double worth = play_.value_against_unseen_board(value, view.dealer == seat);
    if (worth <= most) continue;
    most = worth;
    best = placements[at(i)].board;
  }
  return best;
}

double Endgame::mean_of_last_turn(const View& view, CompleteBoards& boards, const Ends& ends,
                                  std::span<const BoardValue> hidden) const {
  const Rules& scoring = play_.rules().scoring;
  std::array<BoardValue, kMaxSeats> seen{};
  std::size_t known = 0;
  CardSet left = kFullDeck & ~view.seen();
  for (int seat = 1; seat < view.players; ++seat) {
    if (!is_in(view, seat) || !sees_end(view, seat)) continue;
    seen[known++] = evaluate(ends[at(seat)], scoring);
    left &= ~ends[at(seat)].cards();
  }
  const LastCards<float> cards(boards.board(), left, [&](const auto& rank, Card a, Card b) {
    const auto& own = boards.of(rank, a, b);
    double open = 0, worth = 0;
    for (const BoardValue& other : hidden) open += own.share + rows_score(own.value, other, scoring.bonus);
    for (std::size_t i = 0; i < known; ++i) worth += own.share + rows_score(own.value, seen[i], scoring.bonus);
    return static_cast<float>(worth + open / effort_.ends);
  });
  return cards.mean();
}

}  // namespace dealer::ofc
