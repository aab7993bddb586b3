#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "env/core/config.h"
#include "env/core/error.h"
#include "env/core/typed_env.h"
#include "env/core/typed_vector_env.h"

namespace dealer {

// Turns a GameState into the type-erased Game, Env and VectorEnv that users hold.
template <GameState S>
class TypedGame final : public Game {
 public:
  using State = S;

  TypedGame(GameId id, typename S::Rules rules, std::string unit, bool zero_sum)
      : id_(std::move(id)),
        unit_(std::move(unit)),
        zero_sum_(zero_sum),
        rules_(std::move(rules)),
        observation_spec_(S::observation_spec(rules_)) {
    S state;
    state.reset(rules_, 0);
    for (const Statistic& figure : state.statistics(0)) statistic_names_.emplace_back(figure.name);
  }

  const typename S::Rules& rules() const { return rules_; }
  const GameId& id() const override { return id_; }
  int players() const override { return S::players(rules_); }
  std::pair<int, int> player_range() const override {
    if constexpr (requires { S::most_players(rules_); })
      return {2, S::most_players(rules_)};
    else
      return {players(), players()};
  }
  int num_actions() const override { return S::num_actions(rules_); }
  const ObservationSpec& observation_spec() const override { return observation_spec_; }
  const std::vector<std::string>& statistic_names() const override { return statistic_names_; }
  bool zero_sum() const override { return zero_sum_; }
  std::string unit() const override { return unit_; }
  double big_blind() const override {
    if constexpr (requires { rules_.big_blind(); }) return rules_.big_blind();
    return 0;
  }
  int num_cards() const override { return S::num_cards(rules_); }
  std::string card_to_string(CardId card) const override { return S::card_text(rules_, card); }

  std::unique_ptr<Env> new_env(EnvOptions options) const override {
    return std::make_unique<TypedEnv<S>>(shared_from_this(), rules_, options);
  }
  std::unique_ptr<VectorEnv> new_vector_env(const VectorEnvOptions& options) const override {
    return new_typed_vector_env(options);
  }
  using Game::new_vector_env;
  std::unique_ptr<TypedVectorEnv<S>> new_typed_vector_env(const VectorEnvOptions& options) const {
    if (options.num_envs < 1)
      throw UsageError(fmt::format("{} environments asked for; expected at least 1", options.num_envs));
    if (options.max_steps < 0)
      throw UsageError(fmt::format("max_steps of {}; expected 0 (no limit) or more", options.max_steps));
    if (options.resamples < 0)
      throw UsageError(fmt::format("{} resamples; expected 0 (none) or more", options.resamples));
    return std::make_unique<TypedVectorEnv<S>>(shared_from_this(), rules_, options);
  }

  std::unique_ptr<StateSampler> new_sampler(const Observation& observation) const override {
    check_size(*this, observation);
    return std::make_unique<TypedSampler>(shared_from_this(), typename S::Sampler(rules_, observation.data));
  }

 private:
  class TypedSampler final : public StateSampler {
   public:
    TypedSampler(GamePtr game, typename S::Sampler sampler) : game_(std::move(game)), sampler_(std::move(sampler)) {}
    void draw(Env& env, std::uint64_t seed) override {
      auto* table = dynamic_cast<TypedEnv<S>*>(&env);
      if (table == nullptr || env.game().id().rules != game_->id().rules)
        throw UsageError(
            fmt::format("a sampler of '{}' cannot draw for a table of '{}'", game_->spec(), env.game().spec()));
      RandomStream rng(seed);
      S state = sampler_.draw(rng);
      state.attach(&static_cast<const TypedGame<S>&>(env.game()).rules());
      table->set_state(state);
    }

   private:
    GamePtr game_;
    typename S::Sampler sampler_;
  };

  GameId id_;
  std::string unit_;
  bool zero_sum_;
  typename S::Rules rules_;
  ObservationSpec observation_spec_;
  std::vector<std::string> statistic_names_;
};

// Makes a game of rules that were read from a config: all its keys have been asked for.
template <GameState S>
GamePtr make_typed_game(GameId id, const Config& config, typename S::Rules rules, std::string unit, bool zero_sum) {
  id.rules = config.resolved();
  return std::make_shared<TypedGame<S>>(std::move(id), std::move(rules), std::move(unit), zero_sum);
}

}  // namespace dealer
