#include "agents/ofc/fantasyland.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <vector>

#include "bench/measure/measure.h"

namespace dealer {
namespace {

template <class Solve>
double median_microseconds(double seconds, Solve solve) {
  using std::chrono::steady_clock;
  std::mt19937 random(14);
  std::vector<double> times;
  const auto start = steady_clock::now();
  do {
    CardSet cards = 0;
    while (size(cards) < 14) cards |= bit(static_cast<Card>(random() % kCards));
    const auto before = steady_clock::now();
    const ofc::Setting setting = solve(cards);
    const auto after = steady_clock::now();
    // Uses the setting, so that it is not optimised away.
    if (setting.board.complete()) times.push_back(std::chrono::duration<double, std::micro>(after - before).count());
  } while (std::chrono::duration<double>(steady_clock::now() - start).count() < seconds);
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

}  // namespace

double measure_fantasyland14(double seconds) {
  return median_microseconds(seconds, [](CardSet cards) { return ofc::solve_fantasyland(cards); });
}

double measure_fantasyland14_reference(double seconds) {
  return median_microseconds(seconds, [](CardSet cards) { return ofc::solve_fantasyland_reference(cards); });
}

}  // namespace dealer
