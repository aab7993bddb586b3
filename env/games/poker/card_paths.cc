#include <algorithm>
#include <bit>
#include <functional>

#include "env/core/at.h"
#include "env/games/poker/hidden_cards.h"

namespace dealer::poker {
namespace {

// Uniform in [0, 1), 53 bits.
double unit(RandomStream& rng) { return static_cast<double>(rng.bits64() >> 11) * 0x1p-53; }

}  // namespace

// Upper bounds of the factors of Walk, for any choice of discarded places.
class CardPaths::Bounds {
 public:
  Bounds(const BettingHistory& history, const std::vector<Seat>& showing, const std::array<int, kMaxStocks>& cards)
      : stocks_(static_cast<int>(history.stocks.size())), cards_(cards) {
    // For each seat, its number of places by stock.
    std::array<std::array<int, kMaxStocks>, kMaxSeats> given{};
    std::array<int, kMaxSeats> held{};
    using Kind = BettingHistory::Step::Kind;
    for (const BettingHistory::Step& step : history.steps) {
      const auto seat = at(step.seat);
      if (step.kind == Kind::kDealt) {
        given[seat][at(step.stock)] += step.count;
        held[seat] += step.count;
        continue;
      }
      const int count = step.kind == Kind::kFolded ? held[seat] : step.count;
      held[seat] -= count;
      if (step.stock != BettingHistory::kNoStock) add(given[seat], count, step.stock);
    }
    for (std::size_t k = 0; k < showing.size(); ++k)
      add(given[at(showing[k])], held[at(showing[k])], stocks_ + static_cast<int>(k));
  }

  // The bound for the next card; calls for the earlier ones come first, in order.
  double next(int from, int goal) {
    const double bound = from > 0 ? forward(from, goal) : total_[at(goal)] - ended_[at(goal)];
    ++ended_[at(goal)];
    for (int stock = std::max(from, 1); from > 0 && stock < std::min(goal, stocks_); ++stock) ++passed_[at(stock)];
    return bound;
  }

 private:
  void add(const std::array<int, kMaxStocks>& given, int count, int goal) {
    total_[at(goal)] += count;
    for (std::size_t stock = 0; stock < given.size(); ++stock) most_[stock][at(goal)] += std::min(given[stock], count);
  }

  double forward(int from, int goal) const {
    std::array<double, kMaxGoals> reach{};
    reach[at(from)] = 1;
    for (int to = from + 1; to <= goal; ++to)
      if (to == goal || to < stocks_) reach[at(to)] = best(reach, from, std::min(to, stocks_), to);
    return reach[at(goal)];
  }

  // The number of places with a goal is public, their stocks are not: the bound uses the likeliest places of
  // each.
  double best(const std::array<double, kMaxGoals>& reach, int from, int end, int to) const {
    std::array<std::pair<double, int>, kMaxStocks> by_place;
    std::size_t count = 0;
    for (int stock = from; stock < end; ++stock) {
      if (reach[at(stock)] <= 0) continue;
      const int cards = std::max(1, cards_[at(stock)] - passed_[at(stock)]);
      by_place[count++] = {reach[at(stock)] / cards, most_[at(stock)][at(to)]};
    }
    std::sort(by_place.begin(), by_place.begin() + static_cast<std::ptrdiff_t>(count), std::greater<>());
    int places = total_[at(to)] - ended_[at(to)];
    double chance = 0;
    for (std::size_t i = 0; i < count && places > 0; ++i) {
      const int used = std::min(places, by_place[i].second);
      chance += by_place[i].first * used;
      places -= used;
    }
    return std::min(chance, 1.0);
  }

  int stocks_;
  const std::array<int, kMaxStocks>& cards_;
  std::array<std::array<int, kMaxGoals>, kMaxStocks> most_{};  // most places of a stock that may have gone to a goal
  std::array<int, kMaxGoals> total_{}, ended_{};
  std::array<int, kMaxStocks> passed_{};
};

CardPaths::CardPaths(const BettingHistory& history, const std::vector<Seat>& showing,
                     const std::vector<std::vector<CardId>>& shown)
    : stocks_(static_cast<int>(history.stocks.size())) {
  for (int stock = 0; stock < stocks_; ++stock) cards_[at(stock)] = history.stocks[at(stock)].hidden;
  cards_[at(stocks_ - 1)] += history.left - history.left_transparent;
  Case common;
  for (const BettingHistory::Need& need : history.needs) common.needs.push_back({need.card, need.from, need.to});
  for (std::size_t k = 0; k < shown.size(); ++k)
    for (const CardId card : shown[k]) {
      if (history.last_stock[card] == BettingHistory::kNoStock) return;
      common.needs.push_back({card, history.last_stock[card], stocks_ + static_cast<int>(k)});
    }
  add_cases(history, 0, common, Bounds(history, showing, cards_));
  double sum = 0;
  for (const Case& one : cases_) sum += one.up_to;
  double up_to = 0;
  for (Case& one : cases_) one.up_to = up_to += one.up_to / sum;
}

// Tries all assignments of the splits from the given one on.
void CardPaths::add_cases(const BettingHistory& history, std::size_t split, const Case& so_far, const Bounds& bounds) {
  if (split == history.splits.size()) return add_case(so_far, bounds);
  const BettingHistory::Split& next = history.splits[split];
  for (unsigned before = 0; before < 1U << next.cards.size(); ++before) {
    if (std::popcount(before) != next.before) continue;
    Case more = so_far;
    more.before.push_back(before);
    for (std::size_t i = 0; i < next.cards.size(); ++i) {
      const int goal = next.stock + ((before >> i & 1) != 0 ? 0 : 1);
      if (next.cards[i].from < goal) more.needs.push_back({next.cards[i].card, next.cards[i].from, goal});
    }
    add_cases(history, split + 1, more, bounds);
  }
}

void CardPaths::add_case(Case complete, Bounds bounds) {
  std::stable_sort(complete.needs.begin(), complete.needs.end(), [](const Need& a, const Need& b) {
    return std::pair(a.from == 0, a.goal) < std::pair(b.from == 0, b.goal);
  });
  complete.up_to = 1;
  for (Need& need : complete.needs) complete.up_to *= need.bound = bounds.next(need.from, need.goal);
  if (complete.up_to > 0) cases_.push_back(std::move(complete));
}

// Walks one card after the other through the places that are still free.
class CardPaths::Walk {
 public:
  Walk(const CardPaths& paths, const Hops& places, RandomStream& rng, std::vector<Hop>& hops)
      : stocks_(paths.stocks_), cards_(paths.cards_), free_(places), rng_(rng), hops_(hops) {}

  // Adds the hops of the card; returns its factor, 0 when it cannot have reached its goal.
  double go(const Need& need) { return need.from > 0 ? forward(need) : backward(need); }

 private:
  double forward(const Need& need) {
    std::array<double, kMaxGoals> chance;
    const int last = std::min(need.goal, stocks_);
    chance[at(need.goal)] = 1;
    const auto ways = [&](int stock, int next) { return free_[at(stock)][at(next)] * chance[at(next)]; };
    for (int stock = last - 1; stock >= need.from; --stock) {
      double sum = ways(stock, need.goal);
      for (int next = stock + 1; next < last; ++next) sum += ways(stock, next);
      chance[at(stock)] = sum > 0 ? sum / cards_[at(stock)] : 0;
    }
    const double factor = chance[at(need.from)];
    if (factor <= 0) return 0;
    for (int stock = need.from; stock != need.goal;) {
      std::array<double, kMaxGoals> weight{};
      for (int next = stock + 1; next < last; ++next) weight[at(next)] = ways(stock, next);
      weight[at(need.goal)] = ways(stock, need.goal);
      const int next = pick(weight, stock + 1, need.goal);
      take(need.card, stock, next);
      stock = next;
    }
    return factor;
  }

  double backward(const Need& need) {
    // Number of ways from stock 0 into a place of each stock, by place.
    std::array<double, kMaxGoals> ways{};
    ways[0] = 1;
    const auto into = [&](int stock, int goal) { return free_[at(stock)][at(goal)] * ways[at(stock)]; };
    const int last = std::min(need.goal, stocks_);
    for (int stock = 1; stock < last; ++stock) {
      double sum = 0;
      for (int from = 0; from < stock; ++from) sum += into(from, stock);
      ways[at(stock)] = sum > 0 ? sum / cards_[at(stock)] : 0;
    }
    double factor = 0;
    for (int stock = 0; stock < last; ++stock) factor += into(stock, need.goal);
    if (factor <= 0) return 0;
    for (int goal = need.goal; goal > 0;) {
      std::array<double, kMaxGoals> weight{};
      const int end = std::min(goal, stocks_);
      for (int stock = 0; stock < end; ++stock) weight[at(stock)] = into(stock, goal);
      const int stock = pick(weight, 0, end - 1);
      take(need.card, stock, goal);
      goal = stock;
    }
    return factor;
  }

  // Samples one of first .. last in proportion to the weights.
  int pick(const std::array<double, kMaxGoals>& weight, int first, int last) {
    double sum = 0;
    for (int i = first; i <= last; ++i) sum += weight[at(i)];
    double where = unit(rng_) * sum;
    int picked = last;
    for (int i = last; i >= first; --i) {
      if (weight[at(i)] <= 0) continue;
      picked = i;
      if (where < weight[at(i)]) break;
      where -= weight[at(i)];
    }
    return picked;
  }

  void take(CardId card, int stock, int goal) {
    hops_.push_back({card, static_cast<std::int8_t>(stock), static_cast<std::int8_t>(goal)});
    --free_[at(stock)][at(goal)];
    --cards_[at(stock)];
  }

  const int stocks_;
  std::array<int, kMaxStocks> cards_;
  Hops free_;
  RandomStream& rng_;
  std::vector<Hop>& hops_;
};

bool CardPaths::draw(const Hops& places, RandomStream& rng, Paths& paths) const {
  paths.hops.clear();
  const double where = unit(rng);
  const auto found = std::find_if(cases_.begin(), cases_.end(), [&](const Case& one) { return where < one.up_to; });
  const Case& chosen = found != cases_.end() ? *found : cases_.back();
  paths.before = &chosen.before;
  Walk walk(*this, places, rng, paths.hops);
  double keep = 1;
  for (const Need& need : chosen.needs) {
    const double factor = walk.go(need);
    if (factor <= 0) return false;
    keep *= factor / need.bound;
  }
  paths.kept = unit(rng) < keep;
  return true;
}

}  // namespace dealer::poker
