#pragma once

#include "arena/knockout/knockout.h"
#include "tests/arena/testing.h"

namespace dealer::test {

inline knockout::Options knockout_of(const std::string& game, Words agents, int players, std::int64_t tournaments) {
  knockout::Options options;
  options.game = make_game(game);
  options.agents = std::move(agents);
  options.players = players;
  options.tournaments = tournaments;
  options.seed = 4;
  return options;
}

// Adds agents by name to the known ones.
inline void enter(knockout::Options& options, const AgentFactoryPtr& agents) {
  options.make = [agents](const std::string& spec, const GamePtr& game) {
    return spec == agents->spec() ? agents : make_agents(spec, game);
  };
}

}  // namespace dealer::test
