#include "agents/abstraction/holdem_tree.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "env/core/error.h"

namespace dealer::abstraction {
namespace {

using poker::kCall;
using poker::kFirstBet;
using poker::kFold;

// Sizes beyond these, as parts of the pot, count as one; between them one is `middle`, the size of a usual bet.
constexpr double kSmallest = 1.0 / 16, kLargest = 64, kMiddle = 0.5;

LegalMask options_of(LegalMask legal, Chips to_call) { return to_call > 0 ? legal : legal & ~(LegalMask{1} << kFold); }

}  // namespace

// What happened, as far as the state does not tell.
struct HoldemTree::Course {
  int street = 0, bets = 0, before = 0, bettor = 0;  // bettor: 0 nobody on this street, else the position plus 1
};

Spot spot_of(const poker::View& view, LegalMask legal) {
  const auto other = static_cast<std::size_t>(1 - view.me);
  Spot spot;
  spot.street = view.street;
  spot.position = view.me == view.dealer ? 1 : 0;
  for (const poker::PastAction& action : view.actions) {
    if (action.action != kFirstBet) continue;
    if (action.round == view.round) ++spot.bets;
    if (action.round == view.round - 1) spot.before = action.seat == view.dealer ? 2 : 1;
  }
  spot.pot = view.own().paid + view.player[other].paid;
  spot.to_call = view.to_call;
  spot.behind = std::min(view.own().stack - view.to_call, view.player[other].stack);
  spot.options = options_of(legal, view.to_call);
  return spot;
}

HoldemTree::HoldemTree(const poker::GameRules& rules, double step) : rules_(rules) {
  double limit = kMiddle * std::sqrt(step);
  while (limit > kSmallest) limit /= step;
  for (; limit < kLargest; limit *= step) sizes_.push_back(limit);
  poker::State state;
  state.reset_and_hold(rules, 0);
  add(state, {});
  courses_.clear();
}

int HoldemTree::size(std::int64_t part, std::int64_t whole) const {
  if (part <= 0) return 0;
  const double ratio = static_cast<double>(part) / static_cast<double>(whole);
  return 1 + static_cast<int>(std::upper_bound(sizes_.begin(), sizes_.end(), ratio) - sizes_.begin());
}

HoldemTree::Key HoldemTree::key(const Spot& spot) const {
  Key key = {spot.street, spot.position, spot.bets, spot.before, static_cast<std::int64_t>(spot.options)};
  if (spot.street == 0) {
    key[5] = spot.pot;
    key[6] = spot.to_call;
    key[7] = spot.behind;
  } else {
    key[5] = size(spot.to_call, spot.pot - spot.to_call);
    key[6] = size(spot.behind, spot.pot + spot.to_call);
  }
  return key;
}

std::int32_t HoldemTree::add(const poker::State& state, const Course& course) {
  const betting::Bets& bets = state.bets();
  static_assert(std::is_trivially_copyable_v<betting::Bets> && std::has_unique_object_representations_v<betting::Bets>);
  std::string bytes(sizeof bets + 2, '\0');
  std::memcpy(bytes.data(), &bets, sizeof bets);
  bytes[sizeof bets] = static_cast<char>(course.bets);
  bytes[sizeof bets + 1] = static_cast<char>(3 * course.before + course.bettor);
  if (!state.hand_over()) {
    if (const auto found = courses_.find(bytes); found != courses_.end()) return found->second;
  }
  if (tree_.nodes.size() >= PublicTree::kMaxNodes) refuse_public_tree();
  const auto index = static_cast<std::int32_t>(tree_.nodes.size());
  const Seat first = 1 - state.dealer();
  PublicNode node;
  tree_.nodes.emplace_back();
  group_.push_back(-1);
  if (state.hand_over()) {
    const bool folded = bets.live_count() == 1;
    node.kind = folded ? PublicNode::Kind::kFold : PublicNode::Kind::kShowdown;
    node.amount = bets.is_live(first) ? bets.paid(1 - first) : -bets.paid(first);
    tree_.nodes[static_cast<std::size_t>(index)] = node;
    return index;
  }
  courses_.emplace(std::move(bytes), index);
  const Seat seat = state.current_player();
  Spot spot;
  spot.street = state.street();
  spot.position = seat == first ? 0 : 1;
  spot.bets = course.bets;
  spot.before = course.before;
  spot.pot = bets.paid(0) + bets.paid(1);
  spot.to_call = bets.to_call();
  spot.behind = std::min(bets.stack(seat) - spot.to_call, bets.stack(1 - seat));
  spot.options = options_of(state.legal_mask(), spot.to_call);
  const auto [known, fresh] = known_.emplace(key(spot), static_cast<std::int32_t>(groups_.size()));
  if (fresh) groups_.push_back({spot, 0});
  group_[static_cast<std::size_t>(index)] = known->second;
  node.position = static_cast<std::uint8_t>(spot.position);
  node.stage = static_cast<std::uint8_t>(spot.street);
  node.options = static_cast<std::uint8_t>(std::popcount(spot.options));
  std::vector<std::int32_t> children;
  for (LegalMask rest = spot.options; rest != 0; rest &= rest - 1) {
    const Action action = std::countr_zero(rest);
    poker::State next = state;
    next.apply_and_hold(action);
    Course then = course;
    if (action >= kFirstBet) {
      ++then.bets;
      then.bettor = spot.position + 1;
    }
    if (!next.hand_over() && next.street() != state.street()) then = {next.street(), 0, then.bettor, 0};
    children.push_back(add(next, then));
  }
  node.first = static_cast<std::int32_t>(tree_.children.size());
  tree_.children.insert(tree_.children.end(), children.begin(), children.end());
  tree_.nodes[static_cast<std::size_t>(index)] = node;
  return index;
}

void HoldemTree::lay_out(std::span<const int> buckets) {
  for (Group& group : groups_)
    group.base =
        tree_.add_block(buckets[static_cast<std::size_t>(group.first.street)], std::popcount(group.first.options)).base;
  for (std::size_t i = 0; i < tree_.nodes.size(); ++i)
    if (group_[i] >= 0) tree_.nodes[i].base = groups_[static_cast<std::size_t>(group_[i])].base;
}

const HoldemTree::Group& HoldemTree::find(const Spot& spot) const {
  const Key wanted = key(spot);
  if (const auto found = known_.find(wanted); found != known_.end())
    return groups_[static_cast<std::size_t>(found->second)];
  // By what counts most first; sizes by their logarithm.
  const auto sizes = [](const Spot& of) {
    return std::array{std::log2(static_cast<double>(of.to_call) / of.pot + kSmallest),
                      std::log2(static_cast<double>(of.behind) / (of.pot + of.to_call) + kSmallest)};
  };
  const auto distance = [&](const Spot& other) {
    const std::array<double, 2> mine = sizes(spot), its = sizes(other);
    return std::tuple(std::abs(spot.street - other.street), std::abs(spot.position - other.position),
                      (spot.to_call > 0) != (other.to_call > 0), std::abs(spot.bets - other.bets),
                      spot.before != other.before, std::popcount(spot.options ^ other.options),
                      std::abs(mine[0] - its[0]) + std::abs(mine[1] - its[1]));
  };
  return *std::min_element(groups_.begin(), groups_.end(),
                           [&](const Group& a, const Group& b) { return distance(a.first) < distance(b.first); });
}

}  // namespace dealer::abstraction
