#include "agents/ofc/random_agent.h"

#include "agents/agent_registry.h"
#include "agents/ofc/turn_agent.h"
#include "env/core/random.h"

namespace dealer::ofc {
namespace {

class Random final : public TurnAgent {
 public:
  using TurnAgent::TurnAgent;

  void reset(Seat seat, std::uint64_t seed) override {
    TurnAgent::reset(seat, seed);
    rng_ = RandomStream(seed);
  }

  std::optional<std::vector<double>> policy(const Observation& observation) override {
    if (decode(observation).fantasyland[0]) return TurnAgent::policy(observation);
    const std::size_t legal = observation.legal_actions().size();
    return std::vector<double>(legal, 1.0 / static_cast<double>(legal));
  }

 private:
  Placement choose(const View& view) override {
    Placement chosen{view.board[0], 0};
    int discards_left = view.discards_left;
    int places_left = view.places_left;
    for_each(view.hand, [&](Card card) {
      std::array<Place, kPlaces> legal{};
      std::uint32_t count = 0;
      for (const Row row : {kFront, kMiddle, kBack})
        if (places_left > 0 && chosen.board.room(row) > 0) legal[count++] = static_cast<Place>(row);
      if (discards_left > 0) legal[count++] = kToDiscard;
      const Place place = legal[rng_.below(count)];
      (place == kToDiscard ? chosen.discards : chosen.board.row[static_cast<std::size_t>(place)]) |= bit(card);
      --(place == kToDiscard ? discards_left : places_left);
    });
    return chosen;
  }

  RandomStream rng_;
};

}  // namespace

AgentFactoryPtr make_random_agents(const Spec& spec, const GamePtr& game) {
  agent_options(spec).finish();
  return make_factory(to_string(spec), [game] { return std::make_unique<Random>(game); });
}

}  // namespace dealer::ofc
