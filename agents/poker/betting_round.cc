#include "agents/poker/betting_round.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "env/core/at.h"

namespace dealer::resolve {
namespace {

using poker::kCall;
using poker::kFirstBet;
using poker::kFold;

// The decisions considered after this many bets in the round.
std::vector<Decision> usual_decisions(const poker::State& state, int bets) {
  const LegalMask legal = state.legal_mask();
  std::vector<Decision> decisions;
  if ((legal >> kFold & 1) != 0 && state.bets().to_call() > 0) decisions.emplace_back(kFold);
  decisions.emplace_back(kCall);
  std::vector<Action> all;
  for (LegalMask rest = legal >> kFirstBet << kFirstBet; rest != 0; rest &= rest - 1)
    all.push_back(std::countr_zero(rest));
  if (bets == 1 && all.size() > 2) all = {all[all.size() / 2], all.back()};
  if (bets > 1 && all.size() > 1) all = {all.back()};
  decisions.insert(decisions.end(), all.begin(), all.end());
  return decisions;
}

bool is_bet(const Decision& decision) { return decision.is_amount() || decision.action >= kFirstBet; }

std::size_t padded(std::size_t columns) { return (columns + kSimdWidth - 1) / kSimdWidth * kSimdWidth; }

}  // namespace

BettingRound::BettingRound(const poker::State& root, std::span<const Decision> path,
                           std::shared_ptr<const Matchups> matchups, Ranges ranges)
    : matchups_(std::move(matchups)), count_(matchups_->hands().size()), ranges_(std::move(ranges)) {
  add(root, path, root.street(), 0);
  regret_.resize(children_.size() * count_);
  sum_ = strategy_ = regret_;
  value_.resize(nodes_.size() * count_);
  reach_.fill(value_);
  ends_.resize(count_ * padded(std::max(columns_[0], columns_[1])));
  won_ = ends_;
  match_all(regret_);
}

std::size_t BettingRound::add(const poker::State& state, std::span<const Decision> path, int street, int bets) {
  const std::size_t index = nodes_.size();
  nodes_.emplace_back();
  Node node;
  const betting::Bets& chips = state.bets();
  if (state.hand_over() || state.street() > street) {
    const bool folded = chips.live_count() == 1;
    node.kind = folded ? Node::Kind::kFold : Node::Kind::kShowdown;
    node.seat = chips.is_live(0) ? 1 : 0;
    node.amount = static_cast<float>(std::min(chips.paid(0), chips.paid(1)));
    node.column = columns_[folded ? 0 : 1]++;
    nodes_[index] = node;
    return index;
  }
  node.seat = state.current_player();
  std::vector<Decision> options = usual_decisions(state, bets);
  if (!path.empty() && std::find(options.begin(), options.end(), path.front()) == options.end())
    options.push_back(path.front());
  node.options = options.size();
  std::vector<std::size_t> children;
  for (const Decision& option : options) {
    poker::State next = state;
    play_and_hold(next, option);
    const bool goes_on = !path.empty() && option == path.front();
    children.push_back(
        add(next, goes_on ? path.subspan(1) : std::span<const Decision>(), street, bets + (is_bet(option) ? 1 : 0)));
  }
  node.first = children_.size();
  children_.insert(children_.end(), children.begin(), children.end());
  decisions_.insert(decisions_.end(), options.begin(), options.end());
  nodes_[index] = node;
  return index;
}

std::span<const Decision> BettingRound::unusual(const poker::State& root, std::span<const Decision> path) {
  poker::State state = root;
  std::size_t length = 0;
  int bets = 0;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const std::vector<Decision> usual = usual_decisions(state, bets);
    if (std::find(usual.begin(), usual.end(), path[i]) == usual.end()) length = i + 1;
    play_and_hold(state, path[i]);
    bets += is_bet(path[i]) ? 1 : 0;
  }
  return path.first(length);
}

void BettingRound::match(const Node& node, const Table& numbers, float* strategy) const {
  const float* const from = row(numbers, node.first);
  const float even = 1.0F / static_cast<float>(node.options);
  for (std::size_t h = 0; h < count_; ++h) {
    float total = 0;
    for (std::size_t o = 0; o < node.options; ++o) total += std::max(0.0F, from[o * count_ + h]);
    const float scale = total > 0 ? 1 / total : 0, rest = total > 0 ? 0 : even;
    for (std::size_t o = 0; o < node.options; ++o)
      strategy[o * count_ + h] = std::max(0.0F, from[o * count_ + h]) * scale + rest;
  }
}

void BettingRound::match_all(const Table& numbers) {
  for (const Node& node : nodes_)
    if (node.kind == Node::Kind::kDecision) match(node, numbers, row(strategy_, node.first));
}

void BettingRound::find_reach(Seat seat) {
  Table& reach = reach_[at(seat)];
  std::copy(ranges_[at(seat)].begin(), ranges_[at(seat)].end(), reach.begin());
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const Node& node = nodes_[n];
    const float* const here = row(reach, n);
    for (std::size_t o = 0; o < node.options; ++o) {
      float* const next = row(reach, children_[node.first + o]);
      const float* const play = row(strategy_, node.first + o);
      if (node.seat == seat)
        for (std::size_t h = 0; h < count_; ++h) next[h] = here[h] * play[h];
      else
        std::copy_n(here, count_, next);
    }
  }
}

void BettingRound::find_ends(Seat seat) {
  const Table& other = reach_[at(1 - seat)];
  for (const Node::Kind kind : {Node::Kind::kFold, Node::Kind::kShowdown}) {
    const bool fold = kind == Node::Kind::kFold;
    const std::size_t columns = padded(columns_[fold ? 0 : 1]);
    for (std::size_t n = 0; n < nodes_.size(); ++n)
      if (nodes_[n].kind == kind)
        for (std::size_t h = 0; h < count_; ++h) ends_[h * columns + nodes_[n].column] = row(other, n)[h];
    const std::span ends(ends_.data(), count_ * columns), won(won_.data(), count_ * columns);
    fold ? matchups_->folds(ends, columns, won) : matchups_->showdowns(ends, columns, won);
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const Node& node = nodes_[n];
      if (node.kind != kind) continue;
      const float amount = fold && node.seat == seat ? -node.amount : node.amount;
      for (std::size_t h = 0; h < count_; ++h) row(value_, n)[h] = amount * won_[h * columns + node.column];
    }
  }
}

void BettingRound::learn(Seat seat) {
  find_reach(0);
  find_reach(1);
  find_ends(seat);
  // Before iteration t earlier positive regrets are weighted by (t - 1)^1.5 / ((t - 1)^1.5 + 1), negative ones by one
  // half, and the average so far by ((t - 1) / t)^3.
  const float past = static_cast<float>(iterations_ - 1), power = past * std::sqrt(past);
  const float gained = power / (power + 1), lost = 0.5F;
  const float share = past / static_cast<float>(iterations_), averaged = share * share * share;
  for (std::size_t n = nodes_.size(); n-- > 0;) {
    const Node& node = nodes_[n];
    if (node.kind != Node::Kind::kDecision) continue;
    float* const value = row(value_, n);
    std::fill_n(value, count_, 0.0F);
    for (std::size_t o = 0; o < node.options; ++o) {
      const float* const part = row(value_, children_[node.first + o]);
      const float* const play = row(strategy_, node.first + o);
      if (node.seat == seat)
        for (std::size_t h = 0; h < count_; ++h) value[h] += play[h] * part[h];
      else
        for (std::size_t h = 0; h < count_; ++h) value[h] += part[h];
    }
    if (node.seat != seat) continue;
    const float* const own = row(reach_[at(seat)], n);
    for (std::size_t o = 0; o < node.options; ++o) {
      const float* const part = row(value_, children_[node.first + o]);
      const float* const play = row(strategy_, node.first + o);
      float* const regret = row(regret_, node.first + o);
      float* const sum = row(sum_, node.first + o);
      for (std::size_t h = 0; h < count_; ++h) {
        regret[h] = regret[h] * (regret[h] > 0 ? gained : lost) + part[h] - value[h];
        sum[h] = sum[h] * averaged + own[h] * play[h];
      }
    }
    match(node, regret_, row(strategy_, node.first));
  }
}

void BettingRound::run(int iterations) {
  for (int i = 0; i < iterations; ++i) {
    ++iterations_;
    for (Seat seat = 0; seat < 2; ++seat) learn(seat);
  }
}

BettingRound::Policy BettingRound::policy(std::span<const Decision> path) const {
  const Node* node = nodes_.data();
  for (const Decision& decision : path) {
    const auto first = decisions_.begin() + static_cast<std::ptrdiff_t>(node->first);
    const auto last = first + static_cast<std::ptrdiff_t>(node->options);
    node = &nodes_[children_[node->first + at(std::find(first, last, decision) - first)]];
  }
  std::vector<float> by_option(node->options * count_);
  match(*node, sum_, by_option.data());
  Policy policy;
  for (std::size_t o = 0; o < node->options; ++o) policy.actions.push_back(decisions_[node->first + o].action);
  for (std::size_t h = 0; h < count_; ++h)
    for (std::size_t o = 0; o < node->options; ++o) policy.rows.push_back(by_option[o * count_ + h]);
  return policy;
}

double BettingRound::exploitability() {
  match_all(sum_);
  double sum = 0;
  for (Seat seat = 0; seat < 2; ++seat) {
    find_reach(1 - seat);
    find_ends(seat);
    for (std::size_t n = nodes_.size(); n-- > 0;) {
      const Node& node = nodes_[n];
      if (node.kind != Node::Kind::kDecision) continue;
      float* const value = row(value_, n);
      std::copy_n(row(value_, children_[node.first]), count_, value);
      for (std::size_t o = 1; o < node.options; ++o) {
        const float* const part = row(value_, children_[node.first + o]);
        for (std::size_t h = 0; h < count_; ++h)
          value[h] = node.seat == seat ? std::max(value[h], part[h]) : value[h] + part[h];
      }
    }
    for (std::size_t h = 0; h < count_; ++h)
      sum += static_cast<double>(ranges_[at(seat)][h]) * static_cast<double>(value_[h]);
  }
  match_all(regret_);
  // The number of deals in the ranges: pairs of hands that share no card.
  const std::size_t columns = kSimdWidth;
  AlignedFloats held(count_ * columns), beside(held);
  for (std::size_t h = 0; h < count_; ++h) held[h * columns] = ranges_[1][h];
  matchups_->folds(held, columns, beside);
  double deals = 0;
  for (std::size_t h = 0; h < count_; ++h)
    deals += static_cast<double>(ranges_[0][h]) * static_cast<double>(beside[h * columns]);
  return sum / deals;
}

}  // namespace dealer::resolve
