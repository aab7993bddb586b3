#include "agents/ofc/turn_agent.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "env/core/error.h"

namespace dealer::ofc {

bool MacroAction::fits(const Board& board, CardSet discards, CardSet hand) const {
  for (std::size_t row = 0; row < kRows; ++row)
    if ((board.row[row] & ~board_.row[row]) != 0) return false;
  return (discards & ~discards_) == 0 && (board.cards() | discards | hand) == (board_.cards() | discards_);
}

Place MacroAction::next(CardSet hand) const {
  const CardSet card = hand & -hand;
  if ((board_.row[kFront] & card) != 0) return kToFront;
  if ((board_.row[kMiddle] & card) != 0) return kToMiddle;
  return (board_.row[kBack] & card) != 0 ? kToBack : kToDiscard;
}

namespace {

// In heads-up self-play, strong agents value a Fantasyland hand at nine to ten points.
constexpr double kStayValue = 9;
// By the number of Fantasyland cards less 13: estimated_chain_values() for the standard rules.
constexpr std::array<double, 5> kRelativeValues = {0.6, 1, 1.5, 2.3, 3};

// Calls f(subset) for every subset of `count` cards.
template <class F>
void for_each_subset(CardSet cards, int count, F&& f, CardSet chosen = 0) {
  if (count == 0) {
    f(chosen);
    return;
  }
  for (CardSet rest = cards; size(rest) >= count;) {
    const CardSet card = rest & -rest;
    rest ^= card;
    for_each_subset(rest, count - 1, f, chosen | card);
  }
}

// Tries every setting that keeps the placed cards; rows with a low upper bound are skipped. Only needed if the solver
// cannot choose freely, so it need not be as fast.
struct Completion {
  const Board& placed;
  CardSet hand;
  const FantasylandGoal& goal;
  double best = -std::numeric_limits<double>::infinity();
  Board board{};

  double row_value(Row row, HandRank rank) const {
    const int royalty = row_royalty(row, rank, goal.rules->royalties);
    return goal.rows == nullptr ? royalty : royalty + goal.rows->value(row, rank);
  }

  double scoop(HandRank front, HandRank middle, HandRank back) const {
    return goal.rows != nullptr && goal.rows->has_scoop() ? goal.rows->scoop(front, middle, back) : 0;
  }

  // An upper bound on the value of front, staying and scoop.
  double most_beside_rows() const {
    const Royalties& paid = goal.rules->royalties;
    double most = std::max(*std::max_element(paid.front_pair.begin(), paid.front_pair.end()),
                           *std::max_element(paid.front_trips.begin(), paid.front_trips.end()));
    most += std::max(0.0, goal.stay_value);
    if (goal.rows == nullptr) return most;
    constexpr HandRank kStrongest = kHandRanks - 1;
    most += goal.rows->ceiling(kFront, kStrongest);
    return goal.rows->has_scoop() ? most + goal.rows->scoop_ceiling(kStrongest) : most;
  }

  void run() {
    const double bound = most_beside_rows();
    for_each_subset(hand, placed.room(kBack), [&](CardSet to_back) {
      const CardSet back = placed.row[kBack] | to_back;
      const HandRank back_rank = evaluate5(back);
      const double back_value = row_value(kBack, back_rank);
      for_each_subset(hand & ~to_back, placed.room(kMiddle), [&](CardSet to_middle) {
        const CardSet middle = placed.row[kMiddle] | to_middle;
        const HandRank middle_rank = evaluate5(middle);
        if (middle_rank > back_rank) return;
        const double rows = back_value + row_value(kMiddle, middle_rank);
        if (rows + bound <= best) return;
        for_each_subset(hand & ~to_back & ~to_middle, placed.room(kFront), [&](CardSet to_front) {
          const CardSet front = placed.row[kFront] | to_front;
          const HandRank front_rank = evaluate3(front);
          if (front_rank >= middle_rank) return;
          const bool stays = stays_in_fantasyland(front_rank, back_rank, goal.rules->bonus);
          const double value = rows + row_value(kFront, front_rank) + (stays ? goal.stay_value : 0) +
                               scoop(front_rank, middle_rank, back_rank);
          if (value <= best) return;
          best = value;
          board = {{front, middle, back}};
        });
      });
    });
  }
};

// Fills the rows from the front with the lowest cards.
Board fill(Board board, CardSet hand) {
  for (std::size_t row = 0; row < kRows; ++row) {
    for (; size(board.row[row]) < kRowSize[row]; hand &= hand - 1) board.row[row] |= hand & -hand;
  }
  return board;
}

const Game& ofc_game(const GamePtr& game) {
  const Game* ofc = as_ofc(*game);
  if (ofc == nullptr) throw UsageError(fmt::format("a player of OFC cannot play '{}'", game->spec()));
  return *ofc;
}

}  // namespace

double usual_stay_value(const GameRules& rules, int opponents) {
  if (rules.episode == Episode::kHand) return 0;
  return kStayValue * relative_fantasyland_value(rules.scoring.bonus.fantasyland_cards[kAfterStay]) * opponents;
}

double relative_fantasyland_value(int cards) { return kRelativeValues[at(cards - kMinFantasylandCards)]; }

int opponents(const View& view) {
  int count = 0;
  for (int rel = 1; rel < view.players; ++rel) count += view.out[at(rel)] ? 0 : 1;
  return count;
}

MacroAction plan_fantasyland(const View& view, const FantasylandGoal& goal) {
  const CardSet cards = view.board[0].cards() | view.discards | view.hand;
  const Setting setting = solve_fantasyland(cards, goal);
  const MacroAction plan(setting.board, setting.discards);
  if (plan.fits(view.board[0], view.discards, view.hand)) return plan;
  Completion completion{view.board[0], view.hand, goal};
  completion.run();
  if (!completion.board.complete()) completion.board = fill(view.board[0], view.hand);
  return {completion.board, cards & ~completion.board.cards()};
}

View decode_turn(const GameRules& rules, const Observation& observation) {
  const View view = State::decode(rules, observation.data);
  if (view.turn != 0 || view.hand == 0) throw UsageError("there is nothing to choose: the observer is not to act");
  return view;
}

TurnAgent::TurnAgent(const GamePtr& game) : game_(game), rules_(&ofc_game(game).rules()) {}

void TurnAgent::reset(Seat /*seat*/, std::uint64_t /*seed*/) { plan_ = {}; }

const MacroAction& TurnAgent::plan(const View& view) {
  if (plan_.fits(view.board[0], view.discards, view.hand)) return plan_;
  if (view.fantasyland[0]) {
    plan_ = choose_fantasyland(view);
  } else {
    const Placement chosen = choose(view);
    plan_ = MacroAction(chosen.board, view.discards | chosen.discards);
  }
  return plan_;
}

MacroAction TurnAgent::choose_fantasyland(const View& view) {
  return plan_fantasyland(
      view, {.stay_value = usual_stay_value(*rules_, opponents(view)), .rows = nullptr, .rules = &rules_->scoring});
}

Decision TurnAgent::act(const Observation& observation) {
  // Later cards of a turn need no other player's board.
  const OwnCards own = State::decode_own(*rules_, observation.data);
  if (plan_.goes_on(own)) return plan_.next(own.hand);
  return plan(decode(observation)).next(own.hand);
}

std::optional<std::vector<double>> TurnAgent::policy(const Observation& observation) {
  const Action chosen = act(observation).action;
  std::vector<double> probabilities;
  for (const Action action : observation.legal_actions()) probabilities.push_back(action == chosen ? 1 : 0);
  return probabilities;
}

}  // namespace dealer::ofc
