#include "agents/small/rule_agent.h"

#include <array>
#include <bit>
#include <memory>

#include "agents/agent_registry.h"
#include "env/games/small/game.h"

namespace dealer::small {
namespace {

class RuleAgent final : public Agent {
 public:
  RuleAgent(std::shared_ptr<const Game> game, int samples) : game_(std::move(game)), samples_(samples) {}

  void reset(Seat, std::uint64_t seed) override { rng_ = RandomStream(seed); }

  Decision act(const Observation& observation) override {
    std::array<double, 64> sum{};
    for (int n = 0; n < samples_; ++n) {
      const State state = State::sample_state(game_->rules(), observation.data, rng_);
      for (const Action action : observation.legal_actions())
        sum[static_cast<std::size_t>(action)] += play_out(state, action, observation.player);
    }
    const std::vector<Action> legal = observation.legal_actions();
    Action best = legal.front();
    for (const Action action : legal)
      if (sum[static_cast<std::size_t>(action)] > sum[static_cast<std::size_t>(best)]) best = action;
    return best;
  }

 private:
  // Everybody acts at random after the action.
  double play_out(State state, Action action, Seat seat) {
    state.apply(action);
    while (state.current_player() != kTerminal) {
      std::uint64_t legal = state.legal_mask();
      for (auto skip = rng_.below(static_cast<std::uint32_t>(std::popcount(legal))); skip > 0; --skip)
        legal &= legal - 1;
      state.apply(std::countr_zero(legal));
    }
    return state.return_of(seat);
  }

  std::shared_ptr<const Game> game_;
  int samples_;
  RandomStream rng_;
};

}  // namespace

AgentFactoryPtr make_rule_agents(const Spec& spec, const GamePtr& game) {
  Config options = agent_options(spec);
  constexpr int kSamples = 200;
  const int samples = options.get_int<int>("samples", kSamples, 1, 1'000'000);
  options.finish();
  const auto small = std::dynamic_pointer_cast<const Game>(game);
  return make_factory(to_string(spec), [=] { return std::make_unique<RuleAgent>(small, samples); });
}

}  // namespace dealer::small
