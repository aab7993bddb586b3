#include "env/games/poker/card_paths.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace dealer::poker {
namespace {

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Uniform in [0, 1), 53 bits.
double unit(RandomStream& rng) { return static_cast<double>(rng.bits64() >> 11) * 0x1p-53; }

}  // namespace

// The largest chance with which a card can get from a stock to a goal, whichever places were discarded.
class CardPaths::Bounds {
 public:
  Bounds(const Course& course, const std::vector<Seat>& showing, const std::array<int, kMaxStocks>& cards)
      : stocks_(static_cast<int>(course.stocks.size())), cards_(cards) {
    // Of each seat, the places that it has, by stock.
    std::array<std::array<int, kMaxStocks>, kMaxSeats> given{};
    std::array<int, kMaxSeats> held{};
    using Kind = Course::Step::Kind;
    for (const Course::Step& step : course.steps) {
      const auto seat = at(step.seat);
      if (step.kind == Kind::kDealt) {
        given[seat][at(step.stock)] += step.count;
        held[seat] += step.count;
        continue;
      }
      const int count = step.kind == Kind::kFolded ? held[seat] : step.count;
      held[seat] -= count;
      if (step.stock != Course::kNoStock) add(given[seat], count, step.stock);
    }
    for (std::size_t k = 0; k < showing.size(); ++k)
      add(given[at(showing[k])], held[at(showing[k])], stocks_ + static_cast<int>(k));
  }

  double of(int from, int goal) const {
    std::array<double, kMaxGoals> reach{};
    reach[at(from)] = 1;
    for (int to = from + 1; to <= goal; ++to) {
      if (to != goal && to >= stocks_) continue;
      reach[at(to)] = best(reach, from, std::min(to, stocks_), to);
    }
    return reach[at(goal)];
  }

  // What a card before has taken: one place that went to the goal, and perhaps one of every stock on the way.
  void take(int from, int goal) {
    take_places(goal, 1);
    pass(from, goal);
  }
  void take_places(int goal, int count) { ended_[at(goal)] += count; }
  void pass(int from, int goal) {
    for (int stock = from; stock < std::min(goal, stocks_); ++stock) ++passed_[at(stock)];
  }

 private:
  void add(const std::array<int, kMaxStocks>& given, int count, int goal) {
    total_[at(goal)] += count;
    for (std::size_t stock = 0; stock < given.size(); ++stock) most_[stock][at(goal)] += std::min(given[stock], count);
  }

  // Places that went to a goal are counted, of which stocks they are is not known: at best of those whose every place
  // is the likeliest.
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
  std::array<std::array<int, kMaxGoals>, kMaxStocks> most_{};
  std::array<int, kMaxGoals> total_{}, ended_{};
  std::array<int, kMaxStocks> passed_{};
};

CardPaths::CardPaths(const Course& course, const std::vector<Seat>& showing,
                     const std::vector<std::vector<CardId>>& shown)
    : stocks_(static_cast<int>(course.stocks.size())) {
  for (int stock = 0; stock < stocks_; ++stock) cards_[at(stock)] = course.stocks[at(stock)].hidden;
  cards_[at(stocks_ - 1)] += course.left - course.left_transparent;
  Bounds bounds(course, showing, cards_);
  const auto add = [&](CardId card, int from, int goal, Bounds& bounds_now) {
    const Need need{card, from, goal, bounds_now.of(from, goal)};
    bounds_now.take(from, goal);
    return need;
  };
  for (const Course::Need& need : course.needs) needs_.push_back(add(need.card, need.from, need.to, bounds));
  for (std::size_t k = 0; k < shown.size(); ++k)
    for (const CardId card : shown[k]) {
      const int from = course.last_stock[card];
      if (from == Course::kNoStock) {
        possible_ = false;
        return;
      }
      needs_.push_back(add(card, from, stocks_ + static_cast<int>(k), bounds));
    }
  for (const Need& need : needs_) possible_ &= need.bound > 0;
  for (const Course::Split& split : course.splits) {
    Split& choice = splits_.emplace_back();
    double sum = 0;
    for (unsigned before = 0; before < 1U << split.cards.size(); ++before) {
      if (std::popcount(before) != split.before) continue;
      Option option{before, 1, 1, {}};
      Bounds bounds_now = bounds;
      for (std::size_t i = 0; i < split.cards.size(); ++i) {
        const int goal = split.stock + ((before >> i & 1) != 0 ? 0 : 1);
        if (split.cards[i].from == goal) continue;
        option.needs.push_back(add(split.cards[i].card, split.cards[i].from, goal, bounds_now));
        option.bound *= option.needs.back().bound;
      }
      if (option.bound <= 0) continue;
      sum += option.bound;
      choice.options.push_back(std::move(option));
    }
    possible_ &= sum > 0;
    for (Option& option : choice.options) option.weight = option.bound / sum;
    bounds.take_places(split.stock + 1, static_cast<int>(split.cards.size()) - split.before);
    for (const Course::Split::Card& card : split.cards) bounds.pass(card.from, split.stock + 1);
  }
}

// One after the other through the places that are still free.
class CardPaths::Walk {
 public:
  Walk(const CardPaths& paths, const Hops& places, RandomStream& rng) : paths_(paths), free_(places), rng_(rng) {
    cards_ = paths.cards_;
  }

  // The chance that the card gets to its goal; 0: it cannot. Otherwise its hops are added.
  double go(const Need& need, std::vector<Hop>& hops) {
    std::array<double, kMaxGoals> chance;
    const int last = std::min(need.goal, paths_.stocks_);
    chance[at(need.goal)] = 1;
    for (int stock = last - 1; stock >= need.from; --stock) {
      double sum = free_[at(stock)][at(need.goal)];
      for (int next = stock + 1; next < last; ++next) sum += free_[at(stock)][at(next)] * chance[at(next)];
      chance[at(stock)] = sum > 0 ? sum / cards_[at(stock)] : 0;
    }
    const double reached = chance[at(need.from)];
    if (reached <= 0) return 0;
    for (int stock = need.from; stock != need.goal;) {
      double where = unit(rng_) * chance[at(stock)] * cards_[at(stock)];
      int next = need.goal;
      for (int i = stock + 1; i < last; ++i) {
        const double part = free_[at(stock)][at(i)] * chance[at(i)];
        if (part > 0 && where < part) {
          next = i;
          break;
        }
        where -= part;
      }
      if (next == need.goal && free_[at(stock)][at(next)] == 0) continue;  // rounding
      hops.push_back({need.card, static_cast<std::int8_t>(stock), static_cast<std::int8_t>(next)});
      --free_[at(stock)][at(next)];
      --cards_[at(stock)];
      stock = next;
    }
    return reached;
  }

 private:
  const CardPaths& paths_;
  Hops free_;
  std::array<int, kMaxStocks> cards_;
  RandomStream& rng_;
};

bool CardPaths::draw(const Hops& places, RandomStream& rng, Paths& paths) const {
  paths.hops.clear();
  paths.before.clear();
  Walk walk(*this, places, rng);
  double keep = 1;
  const auto go = [&](const std::vector<Need>& needs) {
    for (const Need& need : needs) {
      const double chance = walk.go(need, paths.hops);
      if (chance <= 0) return false;
      keep *= chance / need.bound;
    }
    return true;
  };
  if (!go(needs_)) return false;
  for (const Split& split : splits_) {
    double where = unit(rng);
    std::size_t i = 0;
    while (i + 1 < split.options.size() && where >= split.options[i].weight) where -= split.options[i++].weight;
    paths.before.push_back(split.options[i].before);
    if (!go(split.options[i].needs)) return false;
  }
  paths.kept = unit(rng) < keep;
  return true;
}

}  // namespace dealer::poker
