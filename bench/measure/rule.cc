#include <memory>
#include <vector>

#include "agents/agent.h"
#include "bench/measure/measure.h"
#include "env/core/thread_seconds.h"

namespace dealer {

double measure_rule(const GamePtr& game, double seconds) {
  const AgentFactoryPtr rule = make_agents("rule", game);
  std::vector<std::unique_ptr<Agent>> agents;
  for (Seat seat = 0; seat < game->players(); ++seat) agents.push_back(rule->make());
  const auto env = game->new_env();
  Observation observation;
  Step step;
  std::int64_t hands = 0;
  const double start = thread_seconds();
  for (std::uint64_t episode = 0; episode == 0 || thread_seconds() - start < seconds; ++episode) {
    env->reset(episode);
    for (Seat seat = 0; seat < game->players(); ++seat)
      agents[static_cast<std::size_t>(seat)]->reset(seat, derive(episode, static_cast<std::uint64_t>(seat)));
    while (!env->terminated()) {
      const Seat seat = env->current_player();
      env->observe(seat, observation);
      env->step(agents[static_cast<std::size_t>(seat)]->act(observation), step);
      hands += step.hands_finished;
    }
  }
  return static_cast<double>(hands) / (thread_seconds() - start);
}

}  // namespace dealer
