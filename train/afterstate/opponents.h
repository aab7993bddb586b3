#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "agents/agent.h"
#include "agents/search/state_evaluator.h"
#include "env/core/at.h"
#include "env/core/random.h"

namespace dealer {

struct OpponentSettings {
  std::vector<AgentFactoryPtr> agents = {};  // one per table, in rotation; empty: none
  double share = 0;                          // share of the tables
};
inline OpponentSettings make_opponents(const std::vector<std::string>& specs, double share, const GamePtr& game) {
  OpponentSettings settings{{}, share};
  for (const std::string& spec : specs) settings.agents.push_back(make_agents(spec, game));
  return settings;
}

// Fixed opponents: at the first tables one of them has all seats but one, from which the learner learns. The learner's
// seat rotates from table to table.
class Opponents {
 public:
  Opponents(const OpponentSettings& settings, const Game& game, int tables, std::uint64_t seed)
      : seats_(game.players()), width_(static_cast<std::size_t>(game.observation_spec().size())), seed_(seed) {
    if (settings.agents.empty()) return;
    const auto with_opponents = static_cast<std::size_t>(settings.share * tables);
    for (std::size_t table = 0; table < with_opponents; ++table)
      agents_.push_back(settings.agents[table % settings.agents.size()]->make());
  }

  // True if a fixed opponent plays this seat at that table.
  bool play(int table, Seat seat) const {
    return static_cast<std::size_t>(table) < agents_.size() && seat != (table + 1) % seats_;
  }

  // Lets the opponent to move play while `same_turn` of the table's state holds. Its seed is derived from the table's,
  // so that its play does not depend on when it is asked.
  template <class Tables, class SameTurn>
  void take_turn(Tables& tables, int table, const SameTurn& same_turn) {
    Agent& agent = *agents_[at(table)];
    const auto& state = tables.state(table);
    agent.reset(state.current_player(), derive(seed_, static_cast<std::uint64_t>(table)));
    do {
      observe_turn(state, width_, seen_);
      tables.play(table, agent.act(seen_).action);
    } while (same_turn(state));
  }

 private:
  int seats_;
  std::size_t width_;  // size of an observation
  std::uint64_t seed_;
  std::vector<std::unique_ptr<Agent>> agents_;  // at the first tables
  Observation seen_;
};

}  // namespace dealer
