#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "env/core/random_action.h"
#include "env/core/registry.h"

namespace dealer {
namespace {

// Decisions per second of a table with random play; with `listeners`, each seat gets before its decisions the events
// since its previous one, as in matches.
void listen(benchmark::State& state, const std::string& spec, bool listeners) {
  const GamePtr game = make_game(spec);
  const auto env = game->new_env({.hold_hands = true});
  std::vector<EventCursor> observed(static_cast<std::size_t>(game->players()));
  std::uint64_t random = mix64(1), seed = 0;
  std::size_t events = 0;
  for (auto _ : state) {
    if (env->hand_over()) {
      if (env->terminated())
        env->reset(++seed);
      else
        env->next_hand();
      observed.assign(observed.size(), listeners ? env->cursor() : EventCursor());
      continue;
    }
    const Seat seat = env->current_player();
    if (listeners) {
      events += env->events(seat, observed[static_cast<std::size_t>(seat)]).size();
      observed[static_cast<std::size_t>(seat)] = env->cursor();
    }
    env->step(random_action(env->legal_mask(), random));
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["events"] = static_cast<double>(events) / static_cast<double>(state.iterations());
}

BENCHMARK_CAPTURE(listen, holdem_no_limit, "holdem[limit=no_limit,stack=20000]", true);
BENCHMARK_CAPTURE(listen, holdem_six, "holdem[players=6]", true);
BENCHMARK_CAPTURE(listen, triple_draw, "triple_draw", true);
BENCHMARK_CAPTURE(listen, stud, "stud", true);
BENCHMARK_CAPTURE(listen, ofc, "ofc", true);
BENCHMARK_CAPTURE(listen, seven_hand, "seven_hand", true);
BENCHMARK_CAPTURE(listen, leduc, "leduc", true);
BENCHMARK_CAPTURE(listen, holdem_six_deaf, "holdem[players=6]", false);
BENCHMARK_CAPTURE(listen, ofc_deaf, "ofc", false);

}  // namespace
}  // namespace dealer
