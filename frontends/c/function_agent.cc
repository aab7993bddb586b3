#include "frontends/c/function_agent.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "agents/agent_registry.h"
#include "env/core/error.h"
#include "frontends/c/handles.h"

namespace dealer::capi {
namespace {

struct Shared {
  std::string name;
  dc_agent_functions functions;
  GamePtr game;
};

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

}  // namespace

AgentFactoryPtr make_function_agents(std::string name, const dc_agent_functions& functions, GamePtr game) {
  const auto shared = std::make_shared<const Shared>(Shared{name, functions, std::move(game)});
  return make_factory(std::move(name), [shared] { return std::make_unique<FunctionAgent>(shared); });
}

}  // namespace dealer::capi
