#include "cli/serve_timed_agents.h"

#include "agents/evaluator.h"
#include "env/core/error.h"

namespace dealer::cli {
namespace {

using Clock = std::chrono::steady_clock;

class TimedAgent final : public Agent {
 public:
  TimedAgent(std::unique_ptr<Agent> agent, Clock::time_point end) : agent_(std::move(agent)), end_(end) {}

  void reset(Seat seat, std::uint64_t seed) override { agent_->reset(seat, seed); }
  Decision act(const Observation& observation) override {
    check();
    return agent_->act(observation);
  }
  bool observes() const override { return agent_->observes(); }
  void on_events(std::span<const Event> events) override { agent_->on_events(events); }
  std::optional<std::vector<double>> policy(const Observation& observation) override {
    check();
    return agent_->policy(observation);
  }

 private:
  void check() const {
    if (Clock::now() >= end_) throw UsageError("it takes too long for this; expected one that decides faster");
  }

  std::unique_ptr<Agent> agent_;
  Clock::time_point end_;
};

class TimedAgents final : public AgentFactory {
 public:
  TimedAgents(AgentFactoryPtr agents, Clock::time_point end)
      : AgentFactory(agents->spec()), agents_(std::move(agents)), end_(end) {}

  std::unique_ptr<Agent> make() const override { return std::make_unique<TimedAgent>(agents_->make(), end_); }
  void expect_there() const override { agents_->expect_there(); }
  EvaluatorAttributes attributes() const override { return agents_->attributes(); }
  std::unique_ptr<PositionEvaluator> make_evaluator() const override { return agents_->make_evaluator(); }
  std::optional<double> option(std::string_view name) const override { return agents_->option(name); }

 private:
  AgentFactoryPtr agents_;
  Clock::time_point end_;
};

}  // namespace

AgentFactoryPtr within(Clock::duration limit, AgentFactoryPtr agents) {
  return std::make_shared<TimedAgents>(std::move(agents), Clock::now() + limit);
}

}  // namespace dealer::cli
