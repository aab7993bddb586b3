#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "agents/agent_registry.h"
#include "env/core/error.h"
#include "frontends/c/handles.h"

namespace dealer::capi {
namespace {

// Converts the observation for the agent; it must be of the agent's own seat.
const Observation& seen_by(dc_agent& handle, const dc_observation* observation) {
  if (handle.seat == kTerminal) throw UsageError("the agent has no seat yet: dc_agent_reset() comes first");
  read_observation(*handle.game, get(observation, "observation"), handle.seen);
  if (handle.seen.player != handle.seat)
    throw UsageError(
        fmt::format("observation of seat {} given to the agent at seat {}", handle.seen.player, handle.seat));
  return handle.seen;
}

void need_to_act(const Observation& seen) {
  if (seen.legal_mask == 0) throw UsageError("there is nothing to choose: the observer is not to act");
}

// What the agents of one dc_agents_from_functions() share.
struct Shared {
  std::string name;
  dc_agent_functions functions;
  GamePtr game;
};

// An agent implemented by C functions. A failure that such a function reports becomes an Error that names the agent and
// the function.
class FunctionAgent final : public Agent {
 public:
  explicit FunctionAgent(std::shared_ptr<const Shared> shared)
      : shared_(std::move(shared)), self_(shared_->functions.context) {
    if (shared_->functions.open == nullptr) return;
    self_ = shared_->functions.open(shared_->functions.context);
    if (self_ == nullptr) throw Error(fmt::format("agent '{}': open() returned NULL", shared_->name));
  }
  ~FunctionAgent() override {
    if (shared_->functions.close != nullptr) shared_->functions.close(self_);
  }
  FunctionAgent(const FunctionAgent&) = delete;
  FunctionAgent& operator=(const FunctionAgent&) = delete;

  void reset(Seat seat, std::uint64_t seed) override {
    if (shared_->functions.reset != nullptr) check("reset", shared_->functions.reset(self_, seat, seed));
  }
  Decision act(const Observation& observation) override {
    const dc_observation seen = {observation.data.data(), observation.data.size(), observation.legal_mask,
                                 to_c(observation.amounts), observation.player};
    dc_decision decision = {DC_NO_ACTION, 0};
    check("act", shared_->functions.act(self_, &seen, &decision));
    return from_c(decision);
  }
  bool observes() const override { return shared_->functions.hear != nullptr; }
  void on_events(std::span<const Event> events) override {
    auto list = nlohmann::json::array();
    for (const Event& event : events) list.push_back(to_json(event, *shared_->game));
    check("hear", shared_->functions.hear(self_, list.dump().c_str()));
  }

 private:
  void check(std::string_view function, int result) const {
    if (result != 0) throw Error(fmt::format("agent '{}': {}() returned {}", shared_->name, function, result));
  }

  std::shared_ptr<const Shared> shared_;
  void* self_;
};

AgentFactoryPtr make_function_agents(const char* name, const dc_agent_functions& functions, const GamePtr& game) {
  const auto shared = std::make_shared<const Shared>(Shared{name, functions, game});
  return make_factory(name, [shared] { return std::make_unique<FunctionAgent>(shared); });
}

}  // namespace
}  // namespace dealer::capi

using namespace dealer;
using namespace dealer::capi;

dc_status dc_agents_open(const dc_game* game, const char* spec, dc_agents** agents) {
  return guard([&] {
    need(game, "game");
    need(spec, "spec");
    need(agents, "agents");
    *agents = new dc_agents{game->game, make_agents(spec, game->game)};
  });
}

dc_status dc_agents_from_functions(const dc_game* game, const char* name, const dc_agent_functions* functions,
                                   dc_agents** agents) {
  return guard([&] {
    need(game, "game");
    need(name, "name");
    need(functions, "functions");
    need(reinterpret_cast<const void*>(functions->act), "functions->act");
    need(agents, "agents");
    *agents = new dc_agents{game->game, make_function_agents(name, *functions, game->game)};
  });
}

void dc_agents_free(dc_agents* agents) { delete agents; }

dc_status dc_agent_open(const dc_agents* agents, dc_agent** agent) {
  return guard([&] {
    need(agents, "agents");
    need(agent, "agent");
    *agent = new dc_agent{agents->game, agents->agents->make(), kTerminal, {}};
  });
}

void dc_agent_free(dc_agent* agent) { delete agent; }

dc_status dc_agent_reset(dc_agent* agent, int32_t seat, uint64_t seed) {
  return guard([&] {
    need_index("seat", seat, get(agent, "agent").game->players());
    agent->agent->reset(seat, seed);
    agent->seat = seat;
  });
}

dc_status dc_agent_act(dc_agent* agent, const dc_observation* observation, dc_decision* decision) {
  return guard([&] {
    const Observation& seen = seen_by(get(agent, "agent"), observation);
    need(decision, "decision");
    need_to_act(seen);
    const Decision chosen = agent->agent->act(seen);
    if (const std::string why = illegal_reason(chosen, seen.legal_mask, seen.amounts, *agent->game); !why.empty())
      throw Error("the agent's decision is not legal: " + why);
    *decision = to_c(chosen);
  });
}

dc_status dc_agent_policy(dc_agent* agent, const dc_observation* observation, double* probabilities, size_t count,
                          int32_t* known) {
  return guard([&] {
    const Observation& seen = seen_by(get(agent, "agent"), observation);
    need(probabilities, "probabilities");
    need_count("probabilities", count, static_cast<std::size_t>(agent->game->num_actions()));
    need(known, "known");
    need_to_act(seen);
    const std::optional<std::vector<double>> policy = agent->agent->policy(seen);
    *known = policy ? 1 : 0;
    if (!policy) return;
    std::fill_n(probabilities, count, 0.0);
    const std::vector<Action> legal = seen.legal_actions();
    for (std::size_t i = 0; i < legal.size(); ++i) probabilities[legal[i]] = (*policy)[i];
  });
}

dc_status dc_agent_value(dc_agent* agent, const dc_observation* observation, double* value, int32_t* known) {
  return guard([&] {
    const Observation& seen = seen_by(get(agent, "agent"), observation);
    need(value, "value");
    need(known, "known");
    const std::optional<double> expected = agent->agent->value(seen);
    *known = expected ? 1 : 0;
    if (expected) *value = *expected;
  });
}

dc_status dc_agent_hears(dc_agent* agent, int32_t* observes) {
  return guard([&] {
    need(agent, "agent");
    get(observes, "hears") = agent->agent->observes() ? 1 : 0;
  });
}

dc_status dc_agent_hear(dc_agent* agent, const dc_env* env, dc_cursor* cursor) {
  return guard([&] {
    need(agent, "agent");
    need(env, "env");
    need(cursor, "cursor");
    if (agent->seat == kTerminal) throw UsageError("the agent has no seat yet: dc_agent_reset() comes first");
    need_same_game("a table", env->env->game(), *agent->game);
    const std::vector<Event> events = env->env->events(agent->seat, {cursor->episode, cursor->hand, cursor->next});
    const EventCursor now = env->env->cursor();
    if (agent->agent->observes() && !events.empty()) agent->agent->on_events(events);
    *cursor = {now.episode, now.hand, now.next};
  });
}
