#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
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
    std::function<void(std::span<const Event>)> on_events = nullptr;
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
  bool observes() const override { return own_.on_events != nullptr; }
  void on_events(std::span<const Event> events) override { own_.on_events(events); }
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

// A batch made of functions, which may throw. It plays the lowest legal action unless a function says otherwise.
class FakeBatch final : public AgentBatch {
 public:
  struct Question {
    int table;
    const Observation* seen;
    Decision* decision;
  };
  struct Functions {
    std::function<void(const Observation&)> add = nullptr;
    // Answers all questions, in place of `act`.
    std::function<void(std::span<const Question>)> flush = nullptr;
    // Answers one question; what it throws is the failure of that table.
    std::function<Decision(const Observation&)> act = nullptr;
  };

  explicit FakeBatch(Functions functions) : own_(std::move(functions)) {}
  void reset(int, Seat, std::uint64_t) override {}
  void add(int table, const Observation& observation, Decision& decision) override {
    if (own_.add) own_.add(observation);
    questions_.push_back({table, &observation, &decision});
  }
  void flush() override {
    EXPECT_FALSE(questions_.empty()) << "asked for answers to no question";
    failures_.clear();
    const std::vector<Question> questions = std::exchange(questions_, {});
    if (own_.flush) return own_.flush(questions);
    for (const Question& each : questions) {
      try {
        *each.decision = own_.act ? own_.act(*each.seen) : std::countr_zero(each.seen->legal_mask);
      } catch (...) {
        failures_[each.table] = std::current_exception();
      }
    }
  }
  std::exception_ptr failure(int table) override {
    const auto found = failures_.find(table);
    return found == failures_.end() ? nullptr : found->second;
  }

 private:
  Functions own_;
  std::vector<Question> questions_;
  std::map<int, std::exception_ptr> failures_;
};

// Makes agents and batches by functions, and says how many tables they are best asked for together.
class FakeFactory final : public AgentFactory {
 public:
  using Make = std::function<std::unique_ptr<Agent>()>;
  using MakeBatch = std::function<std::unique_ptr<AgentBatch>(int tables)>;

  FakeFactory(std::string spec, Make make, int tables_at_once = 1, MakeBatch make_batch = {})
      : AgentFactory(std::move(spec)),
        make_(std::move(make)),
        make_batch_(std::move(make_batch)),
        tables_(tables_at_once) {}
  std::unique_ptr<Agent> make() const override { return make_(); }
  std::unique_ptr<AgentBatch> make_batch(int tables) const override {
    return make_batch_ ? make_batch_(tables) : AgentFactory::make_batch(tables);
  }
  int tables_at_once() const override { return tables_; }

 private:
  Make make_;
  MakeBatch make_batch_;
  int tables_;
};

// Agents that decide in batches, each batch with a copy of these functions.
inline AgentFactoryPtr fake_batches(std::string spec, FakeBatch::Functions functions, int tables_at_once = 64) {
  return std::make_shared<FakeFactory>(
      std::move(spec), [] { return nullptr; }, tables_at_once,
      [functions = std::move(functions)](int) { return std::make_unique<FakeBatch>(functions); });
}

// Agents that share these functions.
inline AgentFactoryPtr fake_agents(std::string spec, FakeAgent::Functions functions = {}) {
  return std::make_shared<FakeFactory>(
      std::move(spec), [functions = std::move(functions)] { return std::make_unique<FakeAgent>(functions); });
}

// Agents that call `before_act`, which may throw, and then play at random.
inline AgentFactoryPtr random_agents(std::string spec, std::function<void(const Observation&)> before_act,
                                     int tables_at_once = 1) {
  class Calling final : public RandomAgent {
   public:
    explicit Calling(std::function<void(const Observation&)> call) : call_(std::move(call)) {}
    Decision act(const Observation& observation) override {
      call_(observation);
      return RandomAgent::act(observation);
    }

   private:
    std::function<void(const Observation&)> call_;
  };
  return std::make_shared<FakeFactory>(
      std::move(spec), [call = std::move(before_act)] { return std::make_unique<Calling>(call); }, tables_at_once);
}

// The spec `name` stands for an agent that calls `before_act`, which may throw or raise a signal, and then plays at
// random. The function registered last counts, also for the agents that are there already.
inline void register_random_agent(const std::string& name, std::function<void()> before_act) {
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
                                   return random_agents(
                                       to_string(spec), [call](const Observation&) { (*call)(); }, 64);
                                 },
                             .plays = {},
                             .what = "plays at random, as a test likes it",
                             .recognises = {}});
}

}  // namespace dealer::test
