#include "arena/tournament/cycles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "arena/confidence.h"

namespace dealer::tournament {
namespace {

constexpr double kNormal975 = 1.959963985;

struct Edge {
  double mean = 0;   // above 0 where there is one
  double clear = 0;  // by how much the interval is clear of zero
  bool certain = false;
};

// Who beats whom, beyond doubt.
class Beats {
 public:
  Beats(int agents, std::span<const PairEstimate> pairs)
      : agents_(agents), edges_(static_cast<std::size_t>(agents) * static_cast<std::size_t>(agents)) {
    const auto looked_at = static_cast<double>(
        std::count_if(pairs.begin(), pairs.end(), [](const PairEstimate& pair) { return pair.known(); }));
    for (const PairEstimate& pair : pairs) {
      if (!pair.known()) continue;
      const double reach = half_width95(pair), size = std::abs(pair.mean);
      if (size <= reach) continue;
      const double error = reach / kNormal975;
      const double by_chance = error > 0 ? std::erfc(size / error / std::numbers::sqrt2) : 0;
      const auto [winner, loser] = pair.mean > 0 ? std::pair(pair.a, pair.b) : std::pair(pair.b, pair.a);
      edge(winner, loser) = {size, size - reach, by_chance * looked_at < 0.05};
    }
  }

  int agents() const { return agents_; }
  const Edge& at(int winner, int loser) const { return edges_[index(winner, loser)]; }
  bool has(int winner, int loser) const { return at(winner, loser).mean > 0; }

 private:
  Edge& edge(int winner, int loser) { return edges_[index(winner, loser)]; }
  std::size_t index(int winner, int loser) const {
    return static_cast<std::size_t>(winner) * static_cast<std::size_t>(agents_) + static_cast<std::size_t>(loser);
  }

  int agents_;
  std::vector<Edge> edges_;
};

Cycle cycle_of(const Beats& beats, std::vector<int> agents) {
  Cycle cycle;
  cycle.agents = std::move(agents);
  cycle.clear_by = std::numeric_limits<double>::infinity();
  cycle.certain = true;
  for (std::size_t i = 0; i < cycle.agents.size(); ++i) {
    const Edge& edge = beats.at(cycle.agents[i], cycle.agents[(i + 1) % cycle.agents.size()]);
    cycle.means.push_back(edge.mean);
    cycle.clear_by = std::min(cycle.clear_by, edge.clear);
    cycle.certain = cycle.certain && edge.certain;
  }
  return cycle;
}

// A shortest way round from an agent back to it, over agents not smaller than itself; empty when there is none.
std::vector<int> shortest_from(const Beats& beats, int start) {
  std::vector<int> before(static_cast<std::size_t>(beats.agents()), -1);
  std::vector<int> queue = {start};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (int next = start; next < beats.agents(); ++next) {
      if (!beats.has(queue[i], next)) continue;
      if (next == start) {
        std::vector<int> way = {queue[i]};
        while (way.back() != start) way.push_back(before[static_cast<std::size_t>(way.back())]);
        std::reverse(way.begin(), way.end());
        return way;
      }
      if (before[static_cast<std::size_t>(next)] >= 0) continue;
      before[static_cast<std::size_t>(next)] = queue[i];
      queue.push_back(next);
    }
  }
  return {};
}

}  // namespace

double half_width95(const PairEstimate& pair) {
  return student_t975(static_cast<std::int64_t>(pair.degrees_of_freedom)) * std::sqrt(pair.variance);
}

Cycles find_cycles(int agents, std::span<const PairEstimate> pairs, std::size_t most) {
  const Beats beats(agents, pairs);
  Cycles cycles;
  std::vector<char> in_cycle(static_cast<std::size_t>(agents));
  const auto add = [&](std::vector<int> way) {
    for (const int agent : way) in_cycle[static_cast<std::size_t>(agent)] = 1;
    cycles.shown.push_back(cycle_of(beats, std::move(way)));
    ++cycles.found;
  };
  for (int a = 0; a < agents; ++a)
    for (int b = a + 1; b < agents; ++b)
      for (int c = a + 1; c < agents; ++c)
        if (beats.has(a, b) && beats.has(b, c) && beats.has(c, a)) add({a, b, c});
  for (int a = 0; a < agents; ++a) {
    if (in_cycle[static_cast<std::size_t>(a)] != 0) continue;
    const std::vector<int> way = shortest_from(beats, a);
    const bool is_new =
        std::none_of(way.begin(), way.end(), [&](int agent) { return in_cycle[static_cast<std::size_t>(agent)] != 0; });
    if (!way.empty() && is_new) add(way);
  }
  std::stable_sort(cycles.shown.begin(), cycles.shown.end(),
                   [](const Cycle& one, const Cycle& other) { return one.clear_by > other.clear_by; });
  if (cycles.shown.size() > most) cycles.shown.resize(most);
  return cycles;
}

}  // namespace dealer::tournament
