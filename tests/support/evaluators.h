#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "agents/evaluator.h"
#include "env/core/random.h"

// Evaluators for tests, as lc0's backends "trivial", "random" and "recording".
namespace dealer::test {

// Says of every position what a function writes: the weights of the legal actions, in any unit, and returns its value.
class FunctionEvaluator : public PositionEvaluator {
 public:
  // row: one number an action, all 0.
  using Function = std::function<double(const Observation& seen, std::span<double> row)>;
  FunctionEvaluator(int actions, Function function)
      : actions_(static_cast<std::size_t>(actions)), function_(std::move(function)) {}

  EvaluatorAttributes attributes() const override { return {.policy = true, .value = true, .cheap = true}; }
  void evaluate(std::span<const Observation> seen, std::span<double> policy, std::span<double> value) override {
    std::vector<double> row(actions_);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      std::fill(row.begin(), row.end(), 0);
      const double worth = function_(seen[i], row);
      double sum = 0;
      for (const double each : row) sum += each;
      for (std::size_t a = 0; !policy.empty() && a < actions_; ++a) policy[i * actions_ + a] = row[a] / sum;
      if (!value.empty()) value[i] = worth;
    }
  }

 private:
  std::size_t actions_;
  Function function_;
};

// Every legal action with the same probability; no position is worth anything.
class UniformEvaluator final : public FunctionEvaluator {
 public:
  explicit UniformEvaluator(int actions)
      : FunctionEvaluator(actions, [](const Observation& seen, std::span<double> row) {
          for (LegalMask rest = seen.legal_mask; rest != 0; rest &= rest - 1)
            row[static_cast<std::size_t>(std::countr_zero(rest))] = 1;
          return 0.0;
        }) {}
};

// Probabilities and a value from -1 to 1 that follow from the observation and the seed alone.
class RandomEvaluator final : public FunctionEvaluator {
 public:
  explicit RandomEvaluator(int actions, std::uint64_t seed = 0)
      : FunctionEvaluator(actions, [seed](const Observation& seen, std::span<double> row) {
          std::uint64_t hash = derive(seed, static_cast<std::uint64_t>(seen.player));
          for (const float x : seen.data) hash = mix64(hash ^ std::bit_cast<std::uint32_t>(x));
          RandomStream rng(hash);
          for (LegalMask rest = seen.legal_mask; rest != 0; rest &= rest - 1)
            row[static_cast<std::size_t>(std::countr_zero(rest))] = 0.01 + static_cast<double>(rng.uniform());
          return 2 * static_cast<double>(rng.uniform()) - 1;
        }) {}
};

// Passes questions on and notes them.
class RecordingEvaluator final : public PositionEvaluator {
 public:
  struct Question {
    std::size_t positions;
    bool policy, value;
    bool operator==(const Question&) const = default;
  };
  RecordingEvaluator(std::unique_ptr<PositionEvaluator> asked, std::vector<Question>& questions)
      : asked_(std::move(asked)), questions_(questions) {}

  EvaluatorAttributes attributes() const override { return asked_->attributes(); }
  void evaluate(std::span<const Observation> seen, std::span<double> policy, std::span<double> value) override {
    questions_.push_back({seen.size(), !policy.empty(), !value.empty()});
    asked_->evaluate(seen, policy, value);
  }

 private:
  std::unique_ptr<PositionEvaluator> asked_;
  std::vector<Question>& questions_;
};

// Agents of an evaluator that is made anew for everybody who asks; they take the likeliest action.
class EvaluatorAgents final : public AgentFactory {
 public:
  using Make = std::function<std::unique_ptr<PositionEvaluator>()>;
  EvaluatorAgents(std::string spec, int actions, Make make)
      : AgentFactory(std::move(spec)), actions_(static_cast<std::size_t>(actions)), make_(std::move(make)) {}
  std::unique_ptr<Agent> make() const override { return std::make_unique<Player>(make_(), actions_); }
  EvaluatorAttributes attributes() const override { return make_()->attributes(); }
  std::unique_ptr<PositionEvaluator> make_evaluator() const override { return make_(); }

 private:
  class Player final : public Agent {
   public:
    Player(std::unique_ptr<PositionEvaluator> evaluator, std::size_t actions)
        : evaluator_(std::move(evaluator)), policy_(actions) {}
    void reset(Seat, std::uint64_t) override {}
    Decision act(const Observation& seen) override {
      evaluator_->evaluate(std::span(&seen, 1), policy_);
      return static_cast<Action>(std::max_element(policy_.begin(), policy_.end()) - policy_.begin());
    }

   private:
    std::unique_ptr<PositionEvaluator> evaluator_;
    std::vector<double> policy_;
  };

  std::size_t actions_;
  Make make_;
};

}  // namespace dealer::test
