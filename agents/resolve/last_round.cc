#include "agents/resolve/last_round.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

#include "env/core/at.h"

namespace dealer::resolve {
namespace {

using poker::Chips;
using poker::kCall;
using poker::kFirstBet;
using poker::kFold;

// The bets among the legal actions that are looked at, after so many bets in this round.
std::vector<Action> bets_of(LegalMask legal, int before) {
  std::vector<Action> all;
  for (LegalMask rest = legal >> kFirstBet << kFirstBet; rest != 0; rest &= rest - 1)
    all.push_back(std::countr_zero(rest));
  if (before == 0 || all.empty()) return all;
  if (before > 1 || all.size() == 1) return {all.back()};
  return {all[all.size() / 2], all.back()};
}

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
  const LegalMask legal = state.legal_mask();
  std::vector<Decision> options;
  if ((legal >> kFold & 1) != 0 && chips.to_call() > 0) options.emplace_back(kFold);
  options.emplace_back(kCall);
  for (const Action bet : bets_of(legal, bets)) options.emplace_back(bet);
  std::size_t taken = options.size();
  if (!path.empty()) {
    taken = at(std::find(options.begin(), options.end(), path.front()) - options.begin());
    if (taken == options.size()) options.push_back(path.front());
  }
  if (path.empty() && actions_.empty()) {
    end_ = index;
    for (const Decision& option : options) actions_.push_back(option.action);
  }
  node.options = static_cast<int>(options.size());
  node.table = regret_.size();
  regret_.resize(regret_.size() + options.size() * hands_.size());
  sum_.resize(regret_.size());
  // The path comes first, so that its end is the first node without one.
  std::vector<int> children(options.size());
  std::vector<std::size_t> order(options.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (taken < order.size())
    std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(taken),
                order.begin() + static_cast<std::ptrdiff_t>(taken) + 1);
  for (const std::size_t option : order) {
    poker::State next = state;
    play_and_hold(next, options[option]);
    const bool is_bet = options[option].is_amount() || options[option].action >= kFirstBet;
    children[option] =
        add(next, option == taken ? path.subspan(1) : std::span<const Decision>(), bets + (is_bet ? 1 : 0));
  }
  node.first = children_.size();
  children_.insert(children_.end(), children.begin(), children.end());
  nodes_[at(index)] = node;
  return index;
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
  // Hands that are weaker, from the weakest on; then hands that are stronger, from the strongest on.
  const auto sweep = [&](float amount, const auto& at_step) {
    ByCard with{};
    float all = 0;
    for (std::size_t begin = 0; begin < count;) {
      std::size_t end = begin;
      const HandValue equal = hands_[at_step(begin)].value;
      for (; end < count && hands_[at_step(end)].value == equal; ++end) {
        const std::size_t h = at_step(end);
        value[h] += amount * (all - with[hands_[h].cards[0]] - with[hands_[h].cards[1]]);
      }
      for (; begin < end; ++begin) {
        const std::size_t h = at_step(begin);
        all += other[h];
        for (const CardId card : hands_[h].cards) with[card] += other[h];
      }
    }
  };
  sweep(node.amount, [](std::size_t i) { return i; });
  sweep(-node.amount, [count](std::size_t i) { return count - 1 - i; });
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

std::vector<float> LastRound::policy() const {
  std::vector<float> by_option, rows;
  strategy(nodes_[at(end_)], sum_, by_option);
  const std::size_t count = hands_.size(), options = actions_.size();
  rows.resize(by_option.size());
  for (std::size_t o = 0; o < options; ++o)
    for (std::size_t h = 0; h < count; ++h) rows[h * options + o] = by_option[o * count + h];
  return rows;
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
