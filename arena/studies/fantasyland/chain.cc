#include "arena/studies/fantasyland/chain.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "arena/confidence.h"
#include "env/core/at.h"
#include "env/core/student_t.h"

namespace dealer::studies::fantasyland {
namespace {

// Indexed by PlayersThere.
constexpr Named kWhoIsThere[] = {{"dealer", "one, who deals"}, {"other", "one, who does not"}, {"both", "both"}};

int there_in(ChainState state) {
  return state.over() ? -1 : state.other == 0 ? kDealerThere : state.dealer == 0 ? kOtherThere : kBothThere;
}

Figure unknown() { return {Estimate(), Unit::kNumber}; }

}  // namespace

ChainCounter::ChainCounter(const dealer::ofc::Bonus& bonus) {
  const std::set<std::uint8_t> sizes(bonus.fantasyland_cards.begin(), bonus.fantasyland_cards.end());
  sizes_.assign(sizes.begin(), sizes.end());
  const Figure there = object({{"share", share()},  // of all hands
                               {"points", mean()},  // per hand, of the player there; with two, of the dealer
                               {"next", counters("nobody% same% swapped% both%")}});
  Figure by_size = list();
  for (const std::uint8_t size : sizes_)
    by_size.push_back(object({{"cards", value(size)},
                              {"counts", Figure()},  // the value that the agent assumes, if known
                              {"share", share()},    // of the chains that one player enters alone
                              {"value", unknown()},
                              {"direct", mean()}}));
  figures_ = object({{"value", unknown()},
                     {"direct", mean()},
                     {"sizes", by_size},
                     {"normal", share()},
                     {"alone", there},
                     {"dealer", there},
                     {"other", there},
                     {"both", there},
                     {"values", by_name(kWhoIsThere, unknown())}});
}

void ChainCounter::add(std::int64_t deal, const Hand& hand) {
  const Side& dealer = hand.sides[at(hand.dealer)];
  const Side& other = hand.sides[at(1 - hand.dealer)];
  const ChainState state{dealer.fantasyland, other.fantasyland}, next{dealer.next, other.next};
  const int there = there_in(state);
  figures_["normal"].add(deal, when(there < 0));
  for (int t = 0; t < kPlayersThere; ++t) figures_[kWhoIsThere[t].name]["share"].add(deal, when(t == there));
  figures_["alone"]["share"].add(deal, when(there == kDealerThere || there == kOtherThere));
  if (there < 0) {
    since_ = 0;
    const int then = there_in(next);
    entered_ = then == kDealerThere ? hand.dealer : then == kOtherThere ? 1 - hand.dealer : -1;
    if (entered_ < 0) return;
    size_ = std::ranges::find(sizes_, hand.sides[at(entered_)].next) - sizes_.begin();
    figures_["sizes"].choose(deal, size_, "share");
    return;
  }
  rows_.push_back({deal, state, next, static_cast<float>(dealer.points)});
  const Side& own = there == kOtherThere ? other : dealer;
  const Side& against = there == kOtherThere ? dealer : other;
  const int step =
      own.next > 0 ? (against.next > 0 ? kBothNext : kSameNext) : (against.next > 0 ? kSwappedNext : kNobodyNext);
  const auto count = [&](Figure& into) {
    into["points"].add(deal, own.points);
    into["next"].choose(deal, step);
  };
  count(figures_[kWhoIsThere[there].name]);
  if (there != kBothThere) count(figures_["alone"]);
  if (entered_ < 0) return;
  since_ += hand.sides[at(entered_)].points;
  if (!hand.over()) return;
  figures_["direct"].add(deal, since_);
  figures_["sizes"][size_]["direct"].add(deal, since_);
}

void ChainCounter::set_counts(const std::function<std::optional<double>(int cards)>& counts) {
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    const std::optional<double> points = counts(sizes_[i]);
    figures_["sizes"][i].set("counts", points ? value(*points) : Figure());
  }
}

Figure ChainCounter::figures() const {
  Figure figures = figures_;
  set_values(figures);
  return figures;
}

void ChainCounter::set_values(Figure& f) const {
  using Vector = Eigen::VectorXd;
  using Square = Eigen::MatrixXd;
  std::map<ChainState, Eigen::Index> index;
  for (const Row& row : rows_) index.try_emplace(row.state, 0);
  Eigen::Index states = 0;
  for (auto& [state, number] : index) number = states++;
  const auto number_of = [&](ChainState state) {
    const auto found = index.find(state);
    return found == index.end() ? Eigen::Index{-1} : found->second;
  };

  // (diag(n) - N) v = y: visits, steps between states, points; v and y of the dealer.
  Square system = Square::Zero(states, states);
  Vector points = Vector::Zero(states), visits = Vector::Zero(states);
  for (const Row& row : rows_) {
    const Eigen::Index from = number_of(row.state), to = number_of(row.next);
    ++visits(from);
    points(from) += static_cast<double>(row.points);
    system(from, from) += 1;
    if (to >= 0) system(from, to) -= 1;
  }
  const Eigen::FullPivLU<Square> solver(system);
  if (states == 0 || !solver.isInvertible()) return;
  const Vector value = solver.solve(points);
  const Square inverse = solver.inverse();

  // The squared influence of the Bellman residuals, summed over deals.
  Square squares = Square::Zero(states, states);
  Vector moved = Vector::Zero(states);
  std::int64_t deals = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    const Eigen::Index from = number_of(row.state), to = number_of(row.next);
    moved += inverse.col(from) * (static_cast<double>(row.points) + (to >= 0 ? value(to) : 0) - value(from));
    if (i + 1 < rows_.size() && rows_[i + 1].deal == row.deal) continue;
    squares += moved * moved.transpose();
    moved.setZero();
    ++deals;
  }
  // The estimate of a weighted sum of the states' values.
  const auto estimate = [&](const Vector& weight) {
    const double count = weight.cwiseSign().cwiseAbs().dot(visits), moved_by = weight.dot(squares * weight);
    Estimate result{weight.dot(value), std::numeric_limits<double>::infinity(), count};
    if (deals >= kFewestDeals && moved_by > 0) {
      const auto n = static_cast<double>(deals);
      result.ci95 = student_t975(deals - 1) * std::sqrt(moved_by * n / (n - 1));
    }
    return Figure(result, Unit::kNumber);
  };

  // By who is there, from that player's view; those alone as often with each number of cards as players enter with it.
  Vector dealer = Vector::Zero(states), other = dealer, both = dealer;
  bool all_known = true;
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    const Estimate share = f.estimate(fmt::format("sizes/{}/share", i));
    const double entries = share.count > 0 ? share.value : 0;
    const Eigen::Index with_dealer = number_of({sizes_[i], 0}), with_other = number_of({0, sizes_[i]});
    if (with_dealer >= 0) dealer(with_dealer) = entries;
    if (with_other >= 0) other(with_other) = -entries;
    if (with_dealer >= 0 && with_other >= 0)
      f["sizes"][i].set("value", estimate((Vector::Unit(states, with_dealer) - Vector::Unit(states, with_other)) / 2));
    else if (entries > 0)
      all_known = false;
  }
  for (const auto& [state, number] : index)
    if (there_in(state) == kBothThere) both(number) = visits(number);
  if (both.sum() > 0) f["values"].set("both", estimate(both / both.sum()));
  if (!all_known || dealer.isZero()) return;
  f["values"].set("dealer", estimate(dealer));
  f["values"].set("other", estimate(other));
  f.set("value", estimate((dealer + other) / 2));
}

}  // namespace dealer::studies::fantasyland
