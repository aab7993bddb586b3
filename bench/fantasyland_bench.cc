#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <vector>

#include "agents/ofc/fantasyland.h"

namespace dealer::ofc {
namespace {

CardSet deal(int count, std::mt19937& random) {
  CardSet cards = 0;
  while (size(cards) < count) cards |= bit(static_cast<Card>(random() % kCards));
  return cards;
}

// Solves another random hand each time; counters: percentiles in microseconds, mean royalty, share that stays.
template <class Solve>
void run(benchmark::State& state, int cards, Solve solve) {
  std::mt19937 random(2024);
  std::vector<double> times;
  double royalties = 0, stays = 0;
  for (auto _ : state) {
    const CardSet hand = deal(cards, random);
    const auto before = std::chrono::steady_clock::now();
    const Setting setting = solve(hand);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - before;
    state.SetIterationTime(time.count());
    times.push_back(time.count() * 1e6);
    royalties += setting.royalties;
    stays += setting.stays ? 1 : 0;
  }
  std::sort(times.begin(), times.end());
  const auto count = static_cast<double>(times.size());
  state.counters["p50"] = times[times.size() / 2];
  state.counters["p99"] = times[times.size() * 99 / 100];
  state.counters["royalties"] = royalties / count;
  state.counters["stays"] = stays / count;
}

void royalties_only(benchmark::State& state) {
  run(state, static_cast<int>(state.range(0)), [](CardSet hand) { return solve_fantasyland(hand); });
}
BENCHMARK(royalties_only)->DenseRange(13, 17)->UseManualTime()->Unit(benchmark::kMicrosecond);

void staying_worth_10(benchmark::State& state) {
  run(state, 14, [](CardSet hand) { return solve_fantasyland(hand, {.stay_value = 10}); });
}
BENCHMARK(staying_worth_10)->UseManualTime()->Unit(benchmark::kMicrosecond);

// The argument is the number of sampled opponents.
void with_rows_and_scoop(benchmark::State& state) {
  std::mt19937 random(1);
  std::vector<Board> opponents;
  for (auto i = state.range(0); i > 0; --i) opponents.push_back(solve_fantasyland(deal(13, random)).board);
  const RowValues rows = row_values_against(opponents);
  run(state, 14, [&](CardSet hand) { return solve_fantasyland(hand, {.stay_value = 10, .rows = &rows}); });
}
BENCHMARK(with_rows_and_scoop)->Arg(1)->Arg(256)->Arg(4096)->UseManualTime()->Unit(benchmark::kMicrosecond);

void trying_every_setting(benchmark::State& state) {
  run(state, 14, [](CardSet hand) { return solve_fantasyland_reference(hand); });
}
BENCHMARK(trying_every_setting)->UseManualTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace dealer::ofc
