#include "train/policy/opponent.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <string>
#include <vector>

#include "agents/agent_error.h"
#include "agents/policy/softmax.h"
#include "env/core/env_text.h"
#include "env/core/error.h"

namespace dealer {
namespace {

class NetworkOpponent final : public Opponent {
 public:
  explicit NetworkOpponent(const PolicyNetwork& network)
      : actions_(network.actions()),
        width_(static_cast<std::size_t>(network.inputs())),
        layers_(network.relu_layers()) {}

  void decide(std::span<const Question> questions) override {
    const auto outputs = static_cast<std::size_t>(actions_) + 1;
    inputs_.resize(questions.size() * width_);
    outputs_.resize(questions.size() * outputs);
    for (std::size_t i = 0; i < questions.size(); ++i)
      std::copy(questions[i].inputs.begin(), questions[i].inputs.end(), &inputs_[i * width_]);
    layers_.forward(inputs_.data(), static_cast<int>(questions.size()), outputs_.data());
    for (std::size_t i = 0; i < questions.size(); ++i)
      masked_softmax(&outputs_[i * outputs], questions[i].legal, actions_, 1, questions[i].probability);
  }

 private:
  int actions_;
  std::size_t width_;
  ReluLayers layers_;
  std::vector<float> inputs_, outputs_;
};

class AgentOpponent final : public Opponent {
 public:
  AgentOpponent(const AgentFactory& agent, const Game& game)
      : spec_(agent.spec()),
        actions_(game.num_actions()),
        together_(std::max(1, agent.tables_at_once())),
        batch_(agent.make_batch(together_)) {
    expect_there(agent);
    if (batch_->observes())
      throw UsageError(fmt::format(
          "agent '{}' observes the events of its table; expected one that decides by what it sees", agent.spec()));
    observations_.resize(static_cast<std::size_t>(together_));
    decisions_.resize(observations_.size());
  }

  void decide(std::span<const Question> questions) override {
    for (; !questions.empty(); questions = questions.subspan(std::min(questions.size(), observations_.size())))
      decide_some(questions.subspan(0, std::min(questions.size(), observations_.size())));
  }

 private:
  // A failing agent's decision is unknown, and the learner must not learn from a substitute: ends the training.
  void decide_some(std::span<const Question> questions) {
    naming_agent(spec_, [&] { ask(questions); });
    for (std::size_t i = 0; i < questions.size(); ++i) {
      std::fill_n(questions[i].probability, actions_, 0.0F);
      questions[i].probability[decisions_[i].action] = 1;
    }
  }

  void ask(std::span<const Question> questions) {
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const Question& question = questions[i];
      observations_[i] = {
          question.seat, {question.observation.begin(), question.observation.end()}, question.legal, {}};
      batch_->reset(static_cast<int>(i), question.seat, question.seed);
      decisions_[i] = {};
      batch_->add(static_cast<int>(i), observations_[i], decisions_[i]);
    }
    batch_->flush();
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const Decision& decision = decisions_[i];
      if (const std::exception_ptr alone =
              decision == Decision() ? batch_->failure(static_cast<int>(i)) : std::exception_ptr())
        std::rethrow_exception(alone);
      if (decision.is_amount() || !in_mask(decision.action, questions[i].legal))
        throw AgentError(FailureKind::kIllegal,
                         decision.is_amount() ? illegal_amount_message(decision.amount, {})
                                              : illegal_action_message(decision.action, questions[i].legal, actions_));
    }
  }

  std::string spec_;
  int actions_, together_;
  std::unique_ptr<AgentBatch> batch_;
  std::vector<Observation> observations_;
  std::vector<Decision> decisions_;
};

}  // namespace

std::unique_ptr<Opponent> make_opponent(const PolicyNetwork& network) {
  return std::make_unique<NetworkOpponent>(network);
}

std::unique_ptr<Opponent> make_opponent(const AgentFactory& agent, const Game& game) {
  return std::make_unique<AgentOpponent>(agent, game);
}

}  // namespace dealer
