#include <fmt/format.h>

#include <cstdio>
#include <string_view>
#include <utility>

#include "agents/agent_registry.h"
#include "env/core/error.h"
#include "train/policy/policy_trainer.h"

namespace dealer {
namespace {

// Divisors of coefficients and returns: values nearer to 0 would exceed single precision.
constexpr double kLeastValueUnit = 1e-6, kMostValueUnit = 1e9, kLeastMirrorProximal = 1e-6;
// In single precision 1 less the decay must not be 0.
constexpr double kMostBeta = 1 - 1e-6;
constexpr std::string_view kInputFeatures = "input_features", kOldInputFeatures = "facts";

Schedule read_learning_rate(Config& section, const Schedule& fallback) {
  const Schedule rate = read_schedule(section, "learning_rate", fallback, 0, 1);
  if (!(rate.first > 0 || rate.last > 0))
    throw ConfigError(
        fmt::format("{}: 0 is not allowed, since nothing would be learned; expected a number above 0, at "
                    "most 1",
                    section.where("learning_rate")));
  return rate;
}

std::vector<int> read_sizes(Config& section, const std::vector<int>& fallback) {
  const std::vector<std::int64_t> sizes =
      section.get_ints("hidden_sizes", {fallback.begin(), fallback.end()}, 1, 1 << 13);
  if (sizes.size() > 8)
    throw ConfigError(
        fmt::format("{}: {} layers are not allowed; expected at most 8", section.where("hidden_sizes"), sizes.size()));
  return {sizes.begin(), sizes.end()};
}

// The name under which the section gives a key: the old one is accepted where the new one is absent.
std::string_view key_given(const Config& section, std::string_view now, std::string_view old) {
  if (section.has(now) || !section.has(old)) return now;
  std::fprintf(stderr, "warning: %s is now called %s\n", section.where(old).c_str(), std::string(now).c_str());
  return old;
}

void read_self_play(Config play, PolicyTrainerSettings& s) {
  s.rollout.tables = play.get_int<int>("tables", s.rollout.tables, 1, 1 << 16);
  s.overlap = play.get_bool("overlap", s.overlap);
  s.rollout.steps = play.get_int<int>("steps", s.rollout.steps, 1, 1 << 14);
  s.rollout.resamples = play.get_int<int>(key_given(play, "runouts", "redeals"), s.rollout.resamples, 0, 10'000);
  s.explore = read_schedule(play, "explore", s.explore, 0, 1);
  s.rollout.exploring_starts = play.get_double("exploring_starts", s.rollout.exploring_starts, 0, 1);
  s.rollout.start_decisions = play.get_int<int>("start_decisions", s.rollout.start_decisions, 1, 100);
  play.finish();
}

void read_critic(Config critic, PolicyTrainerSettings& s) {
  s.learner.critic_hidden_sizes = read_sizes(critic, s.learner.critic_hidden_sizes);
  s.rollout.all_hands = critic.get_choice("sees", "all", {"own", "all"}) == 1;
  s.rollout.all_input_features =
      critic.get_bool(key_given(critic, kInputFeatures, kOldInputFeatures), s.rollout.all_input_features);
  if (s.rollout.all_input_features && !s.input_features)
    throw ConfigError(fmt::format("{}: the network has no input features; expected network.{}: true",
                                  critic.where(kInputFeatures), kInputFeatures));
  s.learner.action_values = critic.get_choice("values", "position", {"position", "actions"}) == 1;
  s.critic_learning_rate = read_learning_rate(critic, s.critic_learning_rate);
  s.learner.critic_ema_decay = critic.get_double("ema_decay", s.learner.critic_ema_decay, 0, 1 - 1e-9);
  critic.finish();
}

void read_learner(Config learner, PolicyTrainerSettings& s) {
  s.batch = learner.get_int<int>("batch", s.batch, 1, 1 << 20);
  s.epochs = learner.get_int<int>("epochs", s.epochs, 1, 100);
  s.lambda = learner.get_double("lambda", s.lambda, 0, 1);
  s.value_unit = learner.get_double_or_zero("value_unit", s.value_unit, kLeastValueUnit, kMostValueUnit);
  s.learning_rate = read_learning_rate(learner, s.learning_rate);
  s.learner.gradient =
      static_cast<PolicyGradient>(learner.get_choice("gradient", "ppo", {"ppo", "all_actions", "mirror", "neurd"}));
  if (s.learner.gradient != PolicyGradient::kPpo && !s.learner.action_values)
    throw ConfigError(fmt::format("{}: all but ppo need the values of all actions; expected critic.values: actions",
                                  learner.where("gradient")));
  s.learner.logit_limit = learner.get_double("logit_limit", s.learner.logit_limit, 0.1, 1e6);
  s.learner.correction = learner.get_double("correction", s.learner.correction, 0, 1);
  s.clip = read_schedule(learner, "clip", s.clip, 0, 100);
  s.entropy = read_schedule(learner, "entropy", s.entropy, 0, 1e6);
  s.magnet = read_schedule(learner, "magnet", s.magnet, 0, 1e6);
  s.magnet_rate = learner.get_double("magnet_rate", s.magnet_rate, 0, 1);
  s.learner.magnet = s.magnet.first > 0 || s.magnet.last > 0;
  s.proximal = read_schedule(learner, "proximal", s.proximal, 0, 1e6);
  if (s.learner.gradient == PolicyGradient::kMirror &&
      !(s.proximal.first >= kLeastMirrorProximal && s.proximal.last >= kLeastMirrorProximal))
    throw ConfigError(
        fmt::format("{}: mirror needs a step size; expected learner.proximal from {} on, which is 1 / step size",
                    learner.where("gradient"), kLeastMirrorProximal));
  s.value_weight = learner.get_double("value_weight", s.value_weight, 0, 100);
  s.learner.max_gradient_norm = learner.get_double("max_gradient_norm", s.learner.max_gradient_norm, 1e-6, 1e6);
  s.learner.ema_decay = learner.get_double("ema_decay", s.learner.ema_decay, 0, 1 - 1e-9);
  s.learner.beta1 = learner.get_double("beta1", s.learner.beta1, 0, kMostBeta);
  s.learner.beta2 = learner.get_double("beta2", s.learner.beta2, 0, kMostBeta);
  s.learner.epsilon = learner.get_double("epsilon", s.learner.epsilon, 1e-12, 1);
  learner.finish();
}

void read_league(Config league, PolicyTrainerSettings& s) {
  s.league.share = s.rollout.league_share = league.get_double("share", s.league.share, 0, 1);
  s.league.size = league.get_int<int>("size", s.league.size, 1, 1000);
  s.league.every = league.get_int<int>("every", s.league.every, 1, 1'000'000);
  s.league.choice =
      static_cast<LeagueSettings::Choice>(league.get_choice("choice", "uniform", {"latest", "uniform", "prioritised"}));
  s.league.members = league.get_strings("members", {});
  if (!s.league.members.empty() && s.league.share == 0)
    throw ConfigError(fmt::format("{}: nobody plays against them; expected league.share above 0, or no members",
                                  league.where("members")));
  league.finish();
}

BasePolicy read_base_policy(Config& config, const Game& game) {
  if (config.get_choice("base_policy", "actions", {"actions", "kinds"}) == 0) return {};
  std::vector<LegalMask> kinds = action_kinds(game);
  if (kinds.empty())
    throw ConfigError(fmt::format("{}: no two actions of '{}' are of one kind; expected actions",
                                  config.where("base_policy"), game.spec()));
  return BasePolicy(std::move(kinds));
}

}  // namespace

PolicyTrainerSettings read_policy_settings(Config& config, const Game& game) {
  PolicyTrainerSettings s;
  s.seed = static_cast<std::uint64_t>(config.get_int("seed", 1, 0));
  s.hands = config.get_int("hands", s.hands, 1, std::int64_t{1} << 40);
  s.workers = config.get_int<int>("workers", s.workers, 1, 256);
  s.start = config.get_string_or_strings("start");
  s.against = config.get_string("against", "");
  Config network = config.section("network");
  s.learner.hidden_sizes = read_sizes(network, s.learner.hidden_sizes);
  s.input_features = network.get_bool(key_given(network, kInputFeatures, kOldInputFeatures), s.input_features);
  s.threshold = network.get_double("threshold", s.threshold, 0, 1);
  network.finish();
  read_self_play(config.section("self_play"), s);
  read_critic(config.section("critic"), s);
  read_learner(config.section("learner"), s);
  read_league(config.section("league"), s);
  if (!s.against.empty() && s.league.share > 0)
    throw ConfigError(fmt::format("{}: the agent '{}' sits in all other seats already; expected league.share: 0",
                                  config.where("against"), s.against));
  if (!s.against.empty()) s.rollout.league_share = 1;
  s.learner.device = read_device(config);
  s.learner.bfloat16 = read_precision(config, s.learner.device);
  s.rollout.base = s.learner.base = read_base_policy(config, game);
  s.learner.workers = s.workers;
  s.learner.seed = derive(s.seed, 0);
  return s;
}

std::unique_ptr<Trainer> make_policy_trainer(Config& config, const GamePtr& game, Ranks& ranks) {
  return std::make_unique<PolicyTrainer>(game, read_policy_settings(config, *game), ranks);
}

}  // namespace dealer
