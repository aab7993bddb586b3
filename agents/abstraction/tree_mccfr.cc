#include "agents/abstraction/tree_mccfr.h"

#include <fmt/format.h>

#include "env/core/error.h"
#include "env/games/small/game.h"

namespace dealer::abstraction {

// What a seat has done so far.
struct TreeMccfr::Seat {
  CardSet dealt = 0;
  int step = 0, option = 0;  // of its draw
  bool drawn = false;
};

TreeMccfr::TreeMccfr(const tabular::GameTree& tree, const BucketMccfrOptions& options,
                     const tabular::SolverOptions& common)
    : tree_(tree), places_(tree.sets().size()) {
  const small::Game* const game = small::as_small(tree.game(), small::Variant::kDraw);
  if (game == nullptr)
    throw UsageError(fmt::format("bucket_mccfr is for draw games; '{}' is none", tree.game().spec()));
  hand_ = game->rules().options().hand;
  cards_ = std::make_unique<MiniCards>(game->rules(), options.buckets);
  public_ = cards_->public_tree();
  solver_ = std::make_unique<Solver>(public_, ExternalSampling<MiniCards>(public_, *cards_), options, common.seed,
                                     common.threads);
  find_places(small::State::start(game->rules()), public_.nodes[0], {});
}

void TreeMccfr::find_places(const small::State& state, const PublicNode& node, std::array<Seat, 2> seats) {
  const dealer::Seat seat = state.current_player();
  if (seat == kTerminal) return;
  if (seat == kChance) {
    for (const ChanceOutcome& outcome : state.chance_outcomes()) {
      small::State next = state;
      next.apply(outcome.action);
      find_places(next, node, seats);
    }
    return;
  }
  for (dealer::Seat each = 0; each < 2; ++each)
    if (Seat& one = seats[static_cast<std::size_t>(each)]; one.dealt == 0) one.dealt = state.hand(each);
  Seat& mine = seats[static_cast<std::size_t>(seat)];
  const bool drawing = node.kind == PublicNode::Kind::kDraw;
  std::vector<float> seen(static_cast<std::size_t>(tree_.game().observation_spec().size()));
  state.observe(seat, seen.data());
  Place& place = places_[static_cast<std::size_t>(tree_.find(seat, seen))];
  const int bucket =
      mine.drawn ? cards_->second_bucket(mine.dealt, MiniCards::thrown(mine.dealt, mine.option), state.hand(seat))
                 : cards_->first_bucket(mine.dealt);
  place.first = node.base + std::int64_t{bucket} * node.options;
  place.step = drawing ? mine.step : -1;
  place.thrown = drawing ? mine.option : 0;
  int i = 0;
  for (LegalMask rest = state.legal_mask(); rest != 0; rest &= rest - 1, ++i) {
    const Action action = std::countr_zero(rest);
    small::State next = state;
    next.apply(action);
    if (!drawing) {
      find_places(next, public_.child(node, i), seats);
      continue;
    }
    std::array<Seat, 2> after = seats;
    Seat& me = after[static_cast<std::size_t>(seat)];
    if (action == small::kDiscard) me.option |= 1 << me.step;
    me.drawn = ++me.step == hand_;
    find_places(next, me.drawn ? public_.child(node, cards_->cards_of(me.option)) : node, after);
  }
}

tabular::Policy TreeMccfr::expanded(const std::vector<double>& policy) const {
  tabular::Policy all = uniform_policy(tree_);
  for (std::size_t s = 0; s < places_.size(); ++s) {
    const tabular::GameTree::InformationSet& set = tree_.sets()[s];
    const Place& place = places_[s];
    const double* const from = &policy[static_cast<std::size_t>(place.first)];
    double* const to = &all.probability[static_cast<std::size_t>(set.first)];
    if (place.step < 0) {
      std::copy_n(from, set.actions, to);
      continue;
    }
    // Card by card: discards that begin with what has been decided and keep this card, and those that throw it.
    std::array<double, 2> sum{};
    const int decided = (1 << place.step) - 1;
    for (int option = 0; option < 1 << hand_; ++option)
      if ((option & decided) == place.thrown) sum[static_cast<std::size_t>(option >> place.step & 1)] += from[option];
    if (sum[0] + sum[1] <= 0) continue;
    to[0] = sum[0] / (sum[0] + sum[1]);
    to[1] = sum[1] / (sum[0] + sum[1]);
  }
  return all;
}

}  // namespace dealer::abstraction
