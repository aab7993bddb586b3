#include "agents/policy/policy_agent.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "agents/agent_registry.h"
#include "agents/evaluator.h"
#include "agents/policy/softmax.h"
#include "env/core/at.h"
#include "env/core/error.h"
#include "env/core/random.h"

namespace dealer {
namespace {

// The data shared by the agents and batches of a factory, and its copy with private scratch memory.
struct Player {
  std::shared_ptr<const PolicyNetwork> network;
  EncoderPtr encoder;
  float temperature, threshold;
};

// Rows for the network: added one by one, then computed as a batch.
class Rows {
 public:
  explicit Rows(const Player& player) : player_(player), layers_(player.network->relu_layers()) {}

  // Appends a row to be computed.
  void add(const Observation& observation) {
    const auto width = at(player_.network->inputs());
    if (observation.data.size() + player_.network->input_features.size() != width)
      throw UsageError(fmt::format("an observation of {} numbers; expected {}", observation.data.size(),
                                   width - player_.network->input_features.size()));
    if (observation.legal_mask == 0) throw UsageError("there is nothing to choose: the observer is not to act");
    inputs_.insert(inputs_.end(), observation.data.begin(), observation.data.end());
    if (player_.encoder) {
      inputs_.resize(inputs_.size() + player_.network->input_features.size());
      player_.encoder->encode(observation.data.data(),
                              &inputs_[inputs_.size() - player_.network->input_features.size()]);
    }
    legal_.push_back(observation.legal_mask);
  }
  int rows() const { return static_cast<int>(legal_.size()); }
  void compute() {
    const auto width = at(player_.network->actions()) + 1;
    outputs_.resize(legal_.size() * width);
    probability_.resize(width);
    layers_.forward(inputs_.data(), rows(), outputs_.data());
  }
  // The policy of the row, until the next call.
  const std::vector<float>& policy(int row) {
    masked_softmax(output(row), legal_[at(row)], player_.network->actions(), player_.temperature, probability_.data());
    if (player_.threshold > 0)
      apply_threshold(std::span(probability_).first(at(player_.network->actions())), player_.threshold);
    return probability_;
  }
  LegalMask legal(int row) const { return legal_[at(row)]; }
  double value(int row) const { return player_.network->value_unit * output(row)[player_.network->actions()]; }
  void clear() {
    inputs_.clear();
    legal_.clear();
  }

 private:
  const float* output(int row) const { return outputs_.data() + at(row) * at(player_.network->actions() + 1); }

  Player player_;
  ReluLayers layers_;
  std::vector<float> inputs_, outputs_, probability_;
  std::vector<LegalMask> legal_;
};

class PolicyAgent final : public Agent {
 public:
  explicit PolicyAgent(const Player& player) : rows_(player) {}

  void reset(Seat, std::uint64_t seed) override { rng_ = RandomStream(seed); }
  Decision act(const Observation& observation) override {
    compute(observation);
    return pick(rows_.policy(0).data(), observation.legal_mask, rng_.uniform());
  }
  std::optional<std::vector<double>> policy(const Observation& observation) override {
    compute(observation);
    const std::vector<float>& all = rows_.policy(0);
    std::vector<double> legal;
    double sum = 0;
    for (LegalMask rest = observation.legal_mask; rest != 0; rest &= rest - 1) {
      legal.push_back(static_cast<double>(all[at(std::countr_zero(rest))]));
      sum += legal.back();
    }
    for (double& p : legal) p /= sum;
    return legal;
  }
  std::optional<double> value(const Observation& observation) override {
    compute(observation);
    return rows_.value(0);
  }

 private:
  void compute(const Observation& observation) {
    rows_.clear();
    rows_.add(observation);
    rows_.compute();
  }

  Rows rows_;
  RandomStream rng_;
};

class PolicyBatch final : public AgentBatch {
 public:
  PolicyBatch(const Player& player, int tables) : rows_(player), rng_(at(tables)) {}

  void reset(int table, Seat, std::uint64_t seed) override { rng_of(table) = RandomStream(seed); }
  void add(int table, const Observation& observation, Decision& decision) override {
    RandomStream& rng = rng_of(table);
    rows_.add(observation);
    asked_.push_back({&rng, &decision});
  }
  void flush() override {
    rows_.compute();
    for (int row = 0; row < rows_.rows(); ++row) {
      const Question& question = asked_[at(row)];
      *question.decision = pick(rows_.policy(row).data(), rows_.legal(row), question.rng->uniform());
    }
    rows_.clear();
    asked_.clear();
  }

 private:
  struct Question {
    RandomStream* rng;
    Decision* decision;
  };

  RandomStream& rng_of(int table) {
    if (table < 0 || at(table) >= rng_.size())
      throw UsageError(fmt::format("there is no table {}; tables are 0 to {}", table, rng_.size() - 1));
    return rng_[at(table)];
  }

  Rows rows_;
  std::vector<RandomStream> rng_;  // by table
  std::vector<Question> asked_;
};

class PolicyEvaluator final : public PositionEvaluator {
 public:
  explicit PolicyEvaluator(const Player& player) : actions_(at(player.network->actions())), rows_(player) {}

  EvaluatorAttributes attributes() const override { return kAttributes; }
  void evaluate(std::span<const Observation> seen, std::span<double> policy, std::span<double> value) override {
    rows_.clear();
    for (const Observation& observation : seen) rows_.add(observation);
    rows_.compute();
    for (std::size_t row = 0; row < seen.size(); ++row) {
      const auto number = static_cast<int>(row);
      if (!policy.empty()) std::copy_n(rows_.policy(number).begin(), actions_, &policy[row * actions_]);
      if (!value.empty()) value[row] = rows_.value(number);
    }
  }

  static constexpr EvaluatorAttributes kAttributes{.policy = true, .value = true, .cheap = true};

 private:
  std::size_t actions_;
  Rows rows_;
};

class PolicyFactory final : public AgentFactory {
 public:
  PolicyFactory(std::string spec, Player player) : AgentFactory(std::move(spec)), player_(std::move(player)) {}
  std::unique_ptr<Agent> make() const override { return std::make_unique<PolicyAgent>(player_); }
  std::unique_ptr<AgentBatch> make_batch(int tables) const override {
    return std::make_unique<PolicyBatch>(player_, tables);
  }
  EvaluatorAttributes attributes() const override { return PolicyEvaluator::kAttributes; }
  std::unique_ptr<PositionEvaluator> make_evaluator() const override {
    return std::make_unique<PolicyEvaluator>(player_);
  }

 private:
  Player player_;
};

}  // namespace

AgentFactoryPtr make_policy_agents(std::string spec, std::shared_ptr<const PolicyNetwork> network, const GamePtr& game,
                                   double temperature, std::optional<double> threshold) {
  const double least = threshold.value_or(network->threshold);
  EncoderPtr encoder = network->input_features.empty() ? nullptr : make_encoder(game);
  return std::make_shared<PolicyFactory>(
      std::move(spec),
      Player{std::move(network), std::move(encoder), static_cast<float>(temperature), static_cast<float>(least)});
}

AgentFactoryPtr make_policy_agents(const Spec& spec, const std::filesystem::path& file, const GamePtr& game) {
  Config options = agent_options(spec);
  const double temperature = options.get_double("temperature", 1, 0, 100);
  const auto network = std::make_shared<const PolicyNetwork>(load_policy_network(read_safetensors(file), game));
  const double threshold = options.get_double("threshold", network->threshold, 0, 1);
  options.finish();
  return make_policy_agents(to_string(spec), network, game, temperature, threshold);
}

}  // namespace dealer
