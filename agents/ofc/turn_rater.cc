#include "agents/ofc/turn_rater.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "agents/ofc/turn_agent.h"
#include "env/core/error.h"

namespace dealer::ofc {
namespace {

// How far the network's difference between two placements is usually off, in points (HorizonMeans).
constexpr double kNetworkDoubt = 0.25;

std::string text_of(const Placement& placement) {
  std::string text = to_string(placement.board);
  if (placement.discards != 0) text += fmt::format("  discard {}", dealer::to_string(placement.discards));
  return text;
}

class TurnRater final : public ChoiceRater {
 public:
  TurnRater(const GamePtr& game, std::shared_ptr<const ModelPlay> play)
      : game_(game), play_(std::move(play)), evaluator_(play_->evaluator()) {}

  ChoiceRating rate(const Observation& seen, std::span<const Action> given, std::uint64_t seed) override {
    const View view = decode_turn(play_->rules(), seen);
    RandomStream any(seed);
    const State root = State::Sampler(play_->rules(), seen.data).draw(any);
    ChoiceRating rating;
    if (view.fantasyland[0]) {
      rating.method = "exact";
      rating.choices = rate_settings(view, *play_, root, given);
    } else {
      rating.method = "network";
      rating.doubt = kNetworkDoubt;
      rating.choices = rate_placements(view, root);
    }
    const Placement chosen = placement_of(root, given);
    rating.given = static_cast<std::size_t>(
        std::find_if(rating.choices.begin(), rating.choices.end(),
                     [&](const RatedChoice& choice) { return placement_of(root, choice.actions) == chosen; }) -
        rating.choices.begin());
    rating.difference = rating.choices.front().value - rating.choices[rating.given].value;
    // Settings of the same worth.
    if (view.fantasyland[0] && *rating.difference < 1e-9) {
      rating.difference = 0;
      rating.favourite = rating.given;
    }
    return rating;
  }

 private:
  std::vector<RatedChoice> rate_placements(const View& view, const State& root) {
    const auto count =
        static_cast<std::size_t>(enumerate_placements(view.board[0], view.hand, view.discards_left, placements_));
    evaluator_.add(view, std::span(placements_.data(), count), play_->end_of_hand(), values_.data());
    evaluator_.flush();
    add_up(std::span(values_.data(), count * static_cast<std::size_t>(view.players - 1)),
           std::span(totals_.data(), count));
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return totals_[a] > totals_[b]; });
    // What placements are compared by is the observer's share; the others' is that of the best one for all.
    const double others = play_->others_share(view, placements_[order.front()].board);
    std::vector<RatedChoice> choices;
    for (const std::size_t i : order) {
      const Placement& placement = placements_[i];
      choices.push_back({line_of(TurnPlan(placement.board, view.discards | placement.discards), root),
                         text_of(placement), static_cast<double>(totals_[i]) - others, 0, 0});
    }
    return choices;
  }

  GamePtr game_;
  std::shared_ptr<const ModelPlay> play_;
  AfterstateEvaluator evaluator_;
  PlacementBuffer placements_;
  std::array<float, kMaxPlacements*(kMaxSeats - 1)> values_;
  std::array<float, kMaxPlacements> totals_;
};

}  // namespace

Placement placement_of(State root, std::span<const Action> turn) {
  const Seat me = root.current_player();
  const CardSet before = root.discards(me);
  const int street = root.street();
  for (const Action action : turn) {
    const bool mine = root.current_player() == me && root.street() == street;
    if (!mine || action < 0 || action >= kPlaces || (root.legal_mask() >> action & 1) == 0)
      throw UsageError("these actions are no turn of the player to act");
    root.apply_and_hold(action);
  }
  return {root.board(me), root.discards(me) & ~before};
}

Line line_of(const TurnPlan& plan, State state) {
  const Seat me = state.current_player();
  Line line;
  while (state.current_player() == me && plan.fits(state.board(me), state.discards(me), state.hand(me))) {
    line.push_back(plan.next(state.hand(me)));
    state.apply_and_hold(line.back());
  }
  return line;
}

double setting_value(const Board& board, const FantasylandGoal& goal, int opponents) {
  const BoardValue value = evaluate(board, *goal.rules);
  const Bonus& bonus = goal.rules->bonus;
  if (value.foul) return -opponents * static_cast<double>(3 * bonus.row_point + bonus.scoop);
  double worth = value.total() + (value.stays ? goal.stay_value : 0);
  if (goal.rows != nullptr) {
    for (const Row row : {kFront, kMiddle, kBack}) worth += goal.rows->value(row, value.rank[row]);
    if (goal.rows->has_scoop()) worth += goal.rows->scoop(value.rank[kFront], value.rank[kMiddle], value.rank[kBack]);
  }
  return opponents * worth;
}

std::vector<RatedChoice> rate_settings(const View& view, const ModelPlay& play, const State& root,
                                       std::span<const Action> given) {
  const FantasylandGoal goal = play.fantasyland_goal();
  const int others = opponents(view);
  const auto rated = [&](Line line) {
    const Placement set = placement_of(root, line);
    return RatedChoice{std::move(line), text_of(set), setting_value(set.board, goal, others), 0, 0};
  };
  std::vector<RatedChoice> choices = {rated(line_of(plan_fantasyland(view, goal), root))};
  if (Line line(given.begin(), given.end()); line != choices.front().actions) choices.push_back(rated(std::move(line)));
  return choices;
}

std::unique_ptr<ChoiceRater> make_turn_rater(const GamePtr& game, std::shared_ptr<const ModelPlay> play) {
  return std::make_unique<TurnRater>(game, std::move(play));
}

}  // namespace dealer::ofc
