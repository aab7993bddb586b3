#include "arena/studies/fantasyland/chain.h"

#include <Eigen/Dense>
#include <cmath>

#include "arena/confidence.h"
#include "env/core/at.h"
#include "env/core/student_t.h"

namespace dealer::studies::fantasyland {
namespace {

// Indexed by ChainState.
constexpr Named kStates[] = {{"dealer", "one, who deals"}, {"other", "one, who does not"}, {"both", "both"}};

// The successor state of a step, and the sign of its value from the view of the player concerned.
struct Next {
  int state = -1;  // none
  double sign = 0;
};
Next next_of(int state, int step) {
  switch (step) {
    case kSameNext:
      return {state == kBothThere ? kDealerThere : state, 1};
    case kSwappedNext:
      return {state == kDealerThere || state == kBothThere ? kOtherThere : kDealerThere, -1};
    case kBothNext:
      return {kBothThere, state == kOtherThere ? -1.0 : 1.0};
    default:
      return {};
  }
}

using Values = Eigen::Matrix<double, kChainStates, 1>;
using Square = Eigen::Matrix<double, kChainStates, kChainStates>;

}  // namespace

ChainCounter::ChainCounter() {
  const Figure state = object({{"share", share()},  // of all hands
                               {"points", mean()},  // per hand, of the player there; with two, of the dealer
                               {"next", counters("nobody% same% swapped% both%")}});
  figures_ = object({{"value", Figure(Estimate(), Unit::kNumber)},
                     {"direct", mean()},
                     {"normal", share()},
                     {"alone", state},
                     {"dealer", state},
                     {"other", state},
                     {"both", state},
                     {"values", by_name(kStates, Figure(Estimate(), Unit::kNumber))}});
}

void ChainCounter::add(std::int64_t deal, const Hand& hand) {
  const Side& dealer = hand.sides[at(hand.dealer)];
  const Side& other = hand.sides[at(1 - hand.dealer)];
  int state = -1;
  if (dealer.in_fantasyland || other.in_fantasyland)
    state = !other.in_fantasyland ? kDealerThere : !dealer.in_fantasyland ? kOtherThere : kBothThere;
  figures_["normal"].add(deal, when(state < 0));
  for (int s = 0; s < kChainStates; ++s) figures_[kStates[s].name]["share"].add(deal, when(s == state));
  figures_["alone"]["share"].add(deal, when(state == kDealerThere || state == kOtherThere));
  if (state < 0) {
    since_ = 0;
    entered_ = dealer.next == other.next ? -1 : dealer.next ? hand.dealer : 1 - hand.dealer;
    return;
  }
  const Side& own = state == kOtherThere ? other : dealer;
  const Side& against = state == kOtherThere ? dealer : other;
  const int step = own.next ? (against.next ? kBothNext : kSameNext) : against.next ? kSwappedNext : kNobodyNext;
  rows_.push_back(
      {deal, static_cast<std::int8_t>(state), static_cast<std::int8_t>(step), static_cast<float>(own.points)});
  const auto count = [&](Figure& into) {
    into["points"].add(deal, own.points);
    into["next"].choose(deal, step);
  };
  count(figures_[kStates[state].name]);
  if (state != kBothThere) count(figures_["alone"]);
  if (entered_ < 0) return;
  since_ += hand.sides[at(entered_)].points;
  if (hand.over()) figures_["direct"].add(deal, since_);
}

Figure ChainCounter::figures() const {
  Figure figures = figures_;
  set_values(figures);
  return figures;
}

void ChainCounter::set_values(Figure& f) const {
  // (diag(n) - N) v = y: visits, signed steps between states, points.
  Square system = Square::Zero();
  Values points = Values::Zero(), visits = Values::Zero();
  for (const Row& row : rows_) {
    ++visits(row.state);
    points(row.state) += static_cast<double>(row.points);
    system(row.state, row.state) += 1;
    const Next next = next_of(row.state, row.step);
    if (next.state >= 0) system(row.state, next.state) -= next.sign;
  }
  // A state that never occurred is given the value 0.
  for (int s = 0; s < kChainStates; ++s)
    if (visits(s) == 0) system(s, s) = 1;
  const Eigen::FullPivLU<Square> solver(system);
  if (visits(kDealerThere) == 0 || visits(kOtherThere) == 0 || !solver.isInvertible()) return;
  const Values value = solver.solve(points);
  const Square inverse = solver.inverse();

  // The squared influence of the Bellman residuals, summed over deals.
  Square squares = Square::Zero();
  Values moved = Values::Zero();
  std::int64_t deals = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    const Next next = next_of(row.state, row.step);
    const double residual =
        static_cast<double>(row.points) + (next.state >= 0 ? next.sign * value(next.state) : 0) - value(row.state);
    moved += inverse.col(row.state) * residual;
    if (i + 1 < rows_.size() && rows_[i + 1].deal == row.deal) continue;
    squares += moved * moved.transpose();
    moved.setZero();
    ++deals;
  }
  const auto estimate = [&](const Values& weight, double count) {
    Estimate result{weight.dot(value), std::numeric_limits<double>::infinity(), count};
    const double moved_by = weight.dot(squares * weight);
    if (deals < kFewestDeals || moved_by <= 0) return result;
    const auto n = static_cast<double>(deals);
    result.ci95 = student_t975(deals - 1) * std::sqrt(moved_by * n / (n - 1));
    return result;
  };
  for (int s = 0; s < kChainStates; ++s)
    if (visits(s) > 0) f["values"].set(kStates[s].name, Figure(estimate(Values::Unit(s), visits(s)), Unit::kNumber));
  f.set("value", Figure(estimate((Values::Unit(kDealerThere) + Values::Unit(kOtherThere)) / 2,
                                 visits(kDealerThere) + visits(kOtherThere)),
                        Unit::kNumber));
}

}  // namespace dealer::studies::fantasyland
