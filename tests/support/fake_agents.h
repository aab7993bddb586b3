#pragma once

#include <bit>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agents/agent_registry.h"
#include "agents/random_agent.h"

namespace dealer::test {

// An agent made of functions. It plays the lowest legal action, knows no policy and no value and is told no events
// unless a function says otherwise.
class FakeAgent final : public Agent {
 public:
  struct Functions {
    std::function<Decision(const Observation&)> act = nullptr;
    std::function<void(Seat, std::uint64_t seed)> reset = nullptr;
    std::function<void(std::span<const Event>)> hear = nullptr;
    std::function<std::vector<double>(const Observation&)> policy = nullptr;
    std::function<double(const Observation&)> value = nullptr;
    std::function<std::string(const Observation&)> explain = nullptr;
  };

  explicit FakeAgent(Functions functions) : own_(std::move(functions)) {}
  void reset(Seat seat, std::uint64_t seed) override {
    if (own_.reset) own_.reset(seat, seed);
  }
  Decision act(const Observation& observation) override {
    return own_.act ? own_.act(observation) : std::countr_zero(observation.legal_mask);
  }
  bool hears() const override { return own_.hear != nullptr; }
  void hear(std::span<const Event> events) override { own_.hear(events); }
  std::optional<std::vector<double>> policy(const Observation& observation) override {
    return own_.policy ? std::optional(own_.policy(observation)) : std::nullopt;
  }
  std::optional<double> value(const Observation& observation) override {
    return own_.value ? std::optional(own_.value(observation)) : std::nullopt;
  }
  std::string explain(const Observation& observation) override {
    return own_.explain ? own_.explain(observation) : Agent::explain(observation);
  }

 private:
  Functions own_;
};

// Makes agents by a function, and says how many tables they are best asked for together.
class FakeFactory final : public AgentFactory {
 public:
  FakeFactory(std::string spec, std::function<std::unique_ptr<Agent>()> make, int tables_at_once = 1)
      : spec_(std::move(spec)), make_(std::move(make)), tables_(tables_at_once) {}
  std::unique_ptr<Agent> make() const override { return make_(); }
  int tables_at_once() const override { return tables_; }
  const std::string& spec() const override { return spec_; }

 private:
  std::string spec_;
  std::function<std::unique_ptr<Agent>()> make_;
  int tables_;
};

// Agents that share these functions.
inline AgentFactoryPtr fake_agents(std::string spec, FakeAgent::Functions functions = {}) {
  return std::make_shared<FakeFactory>(
      std::move(spec), [functions = std::move(functions)] { return std::make_unique<FakeAgent>(functions); });
}

// The spec `name` stands for an agent that calls `before_act`, which may throw or raise a signal, and then plays at
// random. The function registered last counts, also for the agents that are there already.
inline void register_random_agent(const std::string& name, std::function<void()> before_act) {
  class Calling final : public RandomAgent {
   public:
    explicit Calling(std::shared_ptr<std::function<void()>> call) : call_(std::move(call)) {}
    Decision act(const Observation& observation) override {
      (*call_)();
      return RandomAgent::act(observation);
    }

   private:
    std::shared_ptr<std::function<void()>> call_;
  };
  static std::map<std::string, std::shared_ptr<std::function<void()>>> calls;
  auto& call = calls[name];
  if (call) {
    *call = std::move(before_act);
    return;
  }
  call = std::make_shared<std::function<void()>>(std::move(before_act));
  register_agent_kind(name, {.make =
                                 [call](const Spec& spec, const GamePtr&) {
                                   agent_options(spec).finish();
                                   return make_factory(to_string(spec),
                                                       [call] { return std::make_unique<Calling>(call); });
                                 },
                             .plays = {},
                             .what = "plays at random, as a test likes it",
                             .recognises = {}});
}

}  // namespace dealer::test
