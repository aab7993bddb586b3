#include "agents/poker/last_round.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "env/core/at.h"

namespace dealer::resolve {
namespace {

using poker::Chips;
using poker::kCall;
using poker::kFirstBet;
using poker::kFold;

// What is looked at after so many bets in this round.
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

// Sums of what is held with each card.
using ByCard = std::array<float, kMaxDeckCards>;

}  // namespace

std::vector<Hand> hands_beside(const poker::GameRules& rules, std::span<const CardId> board) {
  std::vector<CardId> left;
  for (const CardId card : std::span(rules.new_deck).first(at(rules.deck->cards_in_play())))
    if (std::find(board.begin(), board.end(), card) == board.end()) left.push_back(card);
  std::sort(left.begin(), left.end());
  std::vector<Hand> hands;
  std::vector<CardId> all(board.begin(), board.end());
  all.resize(board.size() + 2);
  for (std::size_t b = 1; b < left.size(); ++b)
    for (std::size_t a = 0; a < b; ++a) {
      all[board.size()] = left[a];
      all[board.size() + 1] = left[b];
      hands.push_back({{left[a], left[b]}, rules.high->compiled().evaluate(all)});
    }
  std::sort(hands.begin(), hands.end(),
            [](const Hand& a, const Hand& b) { return std::tie(a.value, a.cards) < std::tie(b.value, b.cards); });
  return hands;
}

LastRound::LastRound(const poker::State& root, std::span<const Decision> path, std::vector<Hand> hands, Ranges ranges)
    : hands_(std::move(hands)), ranges_(std::move(ranges)) {
  add(root, path, 0);
}

int LastRound::add(const poker::State& state, std::span<const Decision> path, int bets) {
  const int index = static_cast<int>(nodes_.size());
  nodes_.emplace_back();
  Node node;
  const betting::Bets& chips = state.bets();
  if (state.hand_over()) {
    const bool folded = chips.live_count() == 1;
    node.kind = folded ? Node::Kind::kFold : Node::Kind::kShowdown;
    node.seat = chips.is_live(0) ? 1 : 0;
    node.amount = static_cast<float>(std::min(chips.paid(0), chips.paid(1)));
    nodes_[at(index)] = node;
    return index;
  }
  node.seat = state.current_player();
  std::vector<Decision> options = usual_decisions(state, bets);
  if (!path.empty() && std::find(options.begin(), options.end(), path.front()) == options.end())
    options.push_back(path.front());
  node.options = static_cast<int>(options.size());
  node.table = regret_.size();
  regret_.resize(regret_.size() + options.size() * hands_.size());
  sum_.resize(regret_.size());
  std::vector<int> children;
  for (const Decision& option : options) {
    poker::State next = state;
    play_and_hold(next, option);
    const bool goes_on = !path.empty() && option == path.front();
    children.push_back(
        add(next, goes_on ? path.subspan(1) : std::span<const Decision>(), bets + (is_bet(option) ? 1 : 0)));
  }
  node.first = children_.size();
  children_.insert(children_.end(), children.begin(), children.end());
  decisions_.insert(decisions_.end(), options.begin(), options.end());
  nodes_[at(index)] = node;
  return index;
}

std::span<const Decision> LastRound::unusual(const poker::State& root, std::span<const Decision> path) {
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

void LastRound::strategy(const Node& node, const std::vector<float>& numbers, std::vector<float>& out) const {
  const std::size_t count = hands_.size(), options = at(node.options);
  out.resize(options * count);
  const float* const from = numbers.data() + node.table;
  std::vector<float> total(count);
  for (std::size_t o = 0; o < options; ++o)
    for (std::size_t h = 0; h < count; ++h) total[h] += from[o * count + h];
  const float even = 1.0F / static_cast<float>(options);
  for (std::size_t o = 0; o < options; ++o)
    for (std::size_t h = 0; h < count; ++h) out[o * count + h] = total[h] > 0 ? from[o * count + h] / total[h] : even;
}

// What the seat wins with each hand, summed over the other's hands that share no card with it.
std::vector<float> LastRound::after_fold(const Node& node, Seat seat, const std::vector<float>& other) const {
  ByCard with{};
  float all = 0;
  for (std::size_t h = 0; h < hands_.size(); ++h) {
    all += other[h];
    for (const CardId card : hands_[h].cards) with[card] += other[h];
  }
  const float amount = node.seat == seat ? -node.amount : node.amount;
  std::vector<float> value(hands_.size());
  for (std::size_t h = 0; h < hands_.size(); ++h)
    value[h] = amount * (all - with[hands_[h].cards[0]] - with[hands_[h].cards[1]] + other[h]);
  return value;
}

std::vector<float> LastRound::after_showdown(const Node& node, const std::vector<float>& other) const {
  const std::size_t count = hands_.size();
  std::vector<float> value(count);
  ByCard with{};
  float all = 0;
  const auto beside = [&](std::size_t h) { return all - with[hands_[h].cards[0]] - with[hands_[h].cards[1]]; };
  // Weaker hands twice and equal ones once, less all: the weaker less the stronger.
  for (std::size_t begin = 0; begin < count;) {
    std::size_t end = begin;
    for (; end < count && hands_[end].value == hands_[begin].value; ++end) value[end] = beside(end);
    for (std::size_t h = begin; h < end; ++h) {
      all += other[h];
      for (const CardId card : hands_[h].cards) with[card] += other[h];
    }
    for (; begin < end; ++begin) value[begin] += beside(begin);
  }
  for (std::size_t h = 0; h < count; ++h) value[h] = node.amount * (value[h] - beside(h));
  return value;
}

// The values of the seat's hands, against the other's hands as likely as they have come here.
std::vector<float> LastRound::walk(int index, Seat seat, const std::vector<float>& own, const std::vector<float>& other,
                                   Mode mode) {
  const Node& node = nodes_[at(index)];
  if (node.kind == Node::Kind::kFold) return after_fold(node, seat, other);
  if (node.kind == Node::Kind::kShowdown) return after_showdown(node, other);
  const std::size_t count = hands_.size(), options = at(node.options);
  std::vector<float> play, value(count), reach(count);
  strategy(node, mode == Mode::kLearn ? regret_ : sum_, play);
  if (node.seat != seat) {
    for (std::size_t o = 0; o < options; ++o) {
      for (std::size_t h = 0; h < count; ++h) reach[h] = other[h] * play[o * count + h];
      const std::vector<float> part = walk(children_[node.first + o], seat, own, reach, mode);
      for (std::size_t h = 0; h < count; ++h) value[h] += part[h];
    }
    return value;
  }
  std::vector<std::vector<float>> parts;
  for (std::size_t o = 0; o < options; ++o) {
    for (std::size_t h = 0; h < count; ++h) reach[h] = own[h] * play[o * count + h];
    parts.push_back(walk(children_[node.first + o], seat, reach, other, mode));
    for (std::size_t h = 0; h < count; ++h)
      value[h] = mode == Mode::kBest ? (o == 0 ? parts[o][h] : std::max(value[h], parts[o][h]))
                                     : value[h] + play[o * count + h] * parts[o][h];
  }
  if (mode != Mode::kLearn) return value;
  const auto weight = static_cast<float>(iterations_);
  for (std::size_t o = 0; o < options; ++o) {
    float* const regret = regret_.data() + node.table + o * count;
    float* const sum = sum_.data() + node.table + o * count;
    for (std::size_t h = 0; h < count; ++h) {
      regret[h] = std::max(0.0F, regret[h] + parts[o][h] - value[h]);
      sum[h] += weight * own[h] * play[o * count + h];
    }
  }
  return value;
}

void LastRound::run(int iterations) {
  for (int i = 0; i < iterations; ++i) {
    ++iterations_;
    for (Seat seat = 0; seat < 2; ++seat) walk(0, seat, ranges_[at(seat)], ranges_[at(1 - seat)], Mode::kLearn);
  }
}

LastRound::Policy LastRound::policy(std::span<const Decision> path) const {
  const Node* node = nodes_.data();
  for (const Decision& decision : path) {
    const auto first = decisions_.begin() + static_cast<std::ptrdiff_t>(node->first);
    node = &nodes_[at(children_[node->first + at(std::find(first, first + node->options, decision) - first)])];
  }
  std::vector<float> by_option;
  strategy(*node, sum_, by_option);
  Policy policy;
  const std::size_t count = hands_.size(), options = at(node->options);
  for (std::size_t o = 0; o < options; ++o) policy.actions.push_back(decisions_[node->first + o].action);
  for (std::size_t h = 0; h < count; ++h)
    for (std::size_t o = 0; o < options; ++o) policy.rows.push_back(by_option[o * count + h]);
  return policy;
}

double LastRound::exploitability() {
  double sum = 0, deals = 0;
  Node nobody;
  nobody.seat = 1;
  nobody.amount = 1;
  const std::vector<float> beside = after_fold(nobody, 0, ranges_[1]);
  for (std::size_t h = 0; h < hands_.size(); ++h)
    deals += static_cast<double>(ranges_[0][h]) * static_cast<double>(beside[h]);
  for (Seat seat = 0; seat < 2; ++seat) {
    const std::vector<float> best = walk(0, seat, ranges_[at(seat)], ranges_[at(1 - seat)], Mode::kBest);
    for (std::size_t h = 0; h < hands_.size(); ++h)
      sum += static_cast<double>(ranges_[at(seat)][h]) * static_cast<double>(best[h]);
  }
  return sum / deals;
}

}  // namespace dealer::resolve
