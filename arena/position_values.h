#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "agents/agent.h"
#include "env/core/env.h"

namespace dealer {

// What whole positions are worth to every seat, what is hidden from some of them included: for control variates, which
// may take anything for it.
class PositionValues {
 public:
  virtual ~PositionValues() = default;
  // Notes a position. `often`: it stands alone against many others, and a value that is found by chance should be found
  // with more care; in the mean it is the same.
  virtual void add(const Env& table, std::uint64_t seed, bool often) = 0;
  // worth: [positions since the last call, players]; the returns expected at the end of the episode, in the game's
  // unit.
  virtual void compute(std::span<double> worth) = 0;
};

// By what agents say that the position is worth to the seat to act. Of two players the other has the opposite; of more
// the others share it evenly. Throws UsageError naming the agents when they tell no values of this game; they must
// outlive the values.
std::unique_ptr<PositionValues> agent_values(const AgentFactory& agents, const Game& game);
bool tells_values(const AgentFactory& agents, const Game& game);

// Of betting games: what everybody gets when from here on nobody bets, folds or discards any more, the mean of a few
// deals of the cards to come. Throws UsageError on any other game.
std::unique_ptr<PositionValues> showdown_values(const Game& game);
bool is_betting_game(const Game& game);
inline constexpr std::string_view kShowdownValues = "showdown";

// Where values come from.
struct ValueSource {
  AgentFactoryPtr agents;  // null: showdowns
  std::string name() const { return agents ? agents->spec() : std::string(kShowdownValues); }
  std::unique_ptr<PositionValues> make(const Game& game) const {
    return agents ? agent_values(*agents, game) : showdown_values(game);
  }
};
// "showdown", or the agent of that spec; of an empty one showdowns in betting games, elsewhere the first network
// among those who play that tells values, or else the game's "default". Throws UsageError when that tells none.
ValueSource value_source(std::string_view spec, const GamePtr& game, std::span<const AgentFactoryPtr> players);

}  // namespace dealer
