// vector_rate GAME TABLES STEPS: plays random actions through VectorEnv, as bench/python/rates.py does from Python, and
// prints decisions per second and the number of hands, which must be the same in both.
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "env/core/error.h"
#include "env/core/random.h"
#include "env/core/random_action.h"
#include "env/core/registry.h"

int main(int argc, char** argv) {
  using namespace dealer;
  if (argc != 4) {
    fmt::print(stderr, "usage: vector_rate GAME TABLES STEPS\n");
    return 2;
  }
  try {
    const GamePtr game = make_game(argv[1]);
    const int tables = std::atoi(argv[2]), steps = std::atoi(argv[3]);
    const auto envs = game->new_vector_env(tables, 1);
    const OwnedBatch owned(*game, tables, {.truncated = true});
    std::vector<Action> actions(static_cast<std::size_t>(tables));
    std::uint64_t random = mix64(1);
    envs->reset(1, owned.batch());
    const auto play = [&](int count) {
      for (int i = 0; i < count; ++i) {
        for (std::size_t t = 0; t < actions.size(); ++t) actions[t] = random_action(owned.batch().legal[t], random);
        envs->step(actions, owned.batch());
      }
    };
    play(steps / 10);
    const auto start = std::chrono::steady_clock::now();
    play(steps);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    fmt::print("{:.0f} {}\n", static_cast<double>(tables) * steps / seconds, envs->hands_finished());
    return 0;
  } catch (const Error& error) {
    fmt::print(stderr, "vector_rate: {}\n", error.what());
    return error.exit_status();
  }
}
