// A learner in one file, for docs/contributing.md: regret matching by outcome sampling (Lanctot, Waugh, Zinkevich and
// Bowling, "Monte Carlo sampling for regret minimization in extensive games", 2009). It plays single hands at an
// ordinary table; the tree of the game only numbers the information sets.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "agents/tabular/solution_file.h"
#include "env/core/error.h"
#include "env/core/random.h"
#include "train/trainer.h"

namespace dealer::examples {

struct RegretSettings {
  std::uint64_t seed = 1;
  std::int64_t hands = 0, hands_per_iteration = 0;
  double exploration = 0;  // probability of a uniformly random action of the seat that learns
};

class RegretLearner final : public Trainer {
 public:
  RegretLearner(const RegretSettings& settings, GamePtr game)
      : settings_(settings),
        game_(std::move(game)),
        tree_(*game_),
        env_(game_->new_env()),
        regret_(at(tree_.sequences())),
        sum_(regret_.size()) {}

  void iterate() override {
    for (std::int64_t i = 0; i < settings_.hands_per_iteration && !done(); ++i, ++hands_) play_hand();
    ++iterations_;
  }
  std::int64_t iterations() const override { return iterations_; }
  std::int64_t hands() const override { return hands_; }
  std::int64_t hands_to_play() const override { return settings_.hands; }
  void set_hands_to_play(std::int64_t hands) override { settings_.hands = hands; }

  // The mean positive regret a hand falls to 0 where play approaches an equilibrium.
  TrainerReport take_report() override {
    double regret = 0;
    for (const double each : regret_) regret += std::max(0.0, each);
    regret /= static_cast<double>(std::max<std::int64_t>(1, hands_));
    return {.metrics = {{"regret", regret}}, .timings = {}, .live = {{"regret", regret}}};
  }

  // The average policy, as a file that is an agent at once. Another format needs an agent kind of its own.
  TensorFile save_model() const override {
    return to_file(tree_, normalised(tree_, sum_), {"regret", iterations_, settings_.seed, 0});
  }
  std::vector<std::pair<std::string, AgentFactoryPtr>> agents() const override {
    return {{"", tabular::make_solution_agents(save_model(), game_)}};
  }

  // The random numbers of a hand depend on its number alone, so these tensors are the whole state.
  TensorFile save() const override {
    TensorFile file = save_model();
    file.tensors["trainer.regret"] = tabular::to_tensor(regret_);
    file.tensors["trainer.sum"] = tabular::to_tensor(sum_);
    file.tensors["trainer.progress"] = tabular::to_tensor(std::vector{hands_, iterations_});
    return file;
  }
  void load(const TensorFile& file) override {
    tabular::read_policy(file, tree_);  // refuses a file of another game
    const std::vector<std::int64_t>& progress = file.get<std::int64_t>("trainer.progress", {2});
    if (progress[0] < 0 || progress[1] < 0) throw CheckpointError(file.name + ": its progress is negative");
    regret_ = file.get_finite<double>("trainer.regret", {tree_.sequences()});
    sum_ = tabular::read_numbers(file, "trainer.sum", tree_.sequences(), 0);
    hands_ = progress[0];
    iterations_ = progress[1];
  }

 private:
  struct Move {
    std::size_t first, action;  // its information set's first sequence, and the action that was drawn
    std::vector<double> policy;
  };

  // One seat learns and explores; the others play their current policies, from which the average is made.
  void play_hand() {
    RandomStream rng(settings_.seed, static_cast<std::uint64_t>(hands_));
    const Seat learner = static_cast<Seat>(hands_ % tree_.players());
    env_->reset(rng.bits64());
    std::vector<Move> moves;  // of the learner
    double reach = 1;         // probability with which the learner drew all of them
    while (!env_->terminated()) {
      const Seat seat = env_->current_player();
      const tabular::GameTree::InformationSet& set = tree_.sets()[at(tree_.find(seat, env_->observe(seat).data))];
      const std::size_t first = at(set.first), actions = at(set.actions);
      std::vector<double> policy(actions), drawn;
      tabular::normalise(&regret_[first], set.actions, policy.data());
      const double explored = seat == learner ? settings_.exploration : 0;
      for (const double p : policy) drawn.push_back((1 - explored) * p + explored / set.actions);
      std::size_t action = 0;
      for (double point = rng.uniform(); action + 1 < actions && (point -= drawn[action]) >= 0;) ++action;
      if (seat == learner) {
        reach *= drawn[action];
        moves.push_back({first, action, std::move(policy)});
      } else {
        for (std::size_t i = 0; i < actions; ++i) sum_[first + i] += policy[i] / reach;
      }
      env_->step(env_->legal_actions()[action]);
    }
    // The value of the sampled action is weighted by its probability; the others count as 0.
    double value = env_->returns()[at(learner)] / reach;
    for (; !moves.empty(); moves.pop_back()) {
      const Move& move = moves.back();
      const double mean = value * move.policy[move.action];
      for (std::size_t i = 0; i < move.policy.size(); ++i)
        regret_[move.first + i] += (i == move.action ? value : 0) - mean;
      value = mean;
    }
  }

  RegretSettings settings_;
  GamePtr game_;
  tabular::GameTree tree_;
  std::unique_ptr<Env> env_;
  std::vector<double> regret_, sum_;  // by sequence
  std::int64_t hands_ = 0, iterations_ = 0;
};

// The trainer of a config with `algorithm: regret`.
inline std::unique_ptr<Trainer> make_regret_learner(Config& config, const GamePtr& game, Ranks& ranks) {
  if (ranks.several()) throw UsageError("algorithm: regret trains with one rank only");
  RegretSettings settings;
  settings.seed = static_cast<std::uint64_t>(config.get_int("seed", 1, 0));
  settings.hands = config.get_int("hands", 100'000, 1);
  settings.hands_per_iteration = config.get_int("hands_per_iteration", 1000, 1, 1'000'000);
  settings.exploration = config.get_double("exploration", 0.6, 0.01, 1);
  return std::make_unique<RegretLearner>(settings, game);
}

}  // namespace dealer::examples
