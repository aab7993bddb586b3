#include "train/policy/policy_trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "agents/policy/policy_agent.h"
#include "env/core/error.h"
#include "train/policy/returns.h"

namespace dealer {
namespace {

constexpr std::uint64_t kShuffleStream = 0x5f0ff1e, kLeagueStream = 0x1ea9e;

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void add(PolicyLosses& sum, const PolicyLosses& part) {
  sum.policy += part.policy;
  sum.entropy += part.entropy;
  sum.magnet += part.magnet;
  sum.proximal += part.proximal;
  sum.value += part.value;
  sum.critic += part.critic;
  sum.gradient_norm += part.gradient_norm;
  sum.updates += part.updates;
}

}  // namespace

PolicyTrainer::PolicyTrainer(GamePtr game, const PolicyTrainerSettings& settings)
    : game_(std::move(game)),
      settings_(settings),
      encoder_(settings.facts ? make_encoder(game_) : nullptr),
      values_(static_cast<std::size_t>(settings.workers)),
      learner_(settings.learner,
               game_->observation_spec().size() + (encoder_ ? static_cast<int>(encoder_->names().size()) : 0),
               settings.rollout.all_hands
                   ? game_->players() * game_->observation_spec().size()
                   : game_->observation_spec().size() + (encoder_ ? static_cast<int>(encoder_->names().size()) : 0),
               game_->num_actions()),
      league_(settings.league),
      unit_(settings.value_unit),
      pool_(settings.workers) {
  const AgentFactoryPtr against = settings.against.empty() ? nullptr : make_agents(settings.against, game_);
  for (int worker = 0; worker < settings.workers; ++worker) {
    RolloutSettings own = settings.rollout;
    own.seed = derive(settings.seed, static_cast<std::uint64_t>(worker) + 1);
    opponents_.push_back(against ? make_opponent(*against, *game_) : nullptr);
    rollouts_.push_back(std::make_unique<Rollout>(game_, encoder_, own));
  }
}

PolicyNetwork PolicyTrainer::network(PolicyLearner::Weights which) const {
  return {learner_.layers(which), encoder_ ? encoder_->names() : std::vector<std::string>(), unit_ > 0 ? unit_ : 1};
}

PolicyRates PolicyTrainer::rates() const {
  const double progress = static_cast<double>(hands_) / static_cast<double>(settings_.hands);
  const auto now = [&](const Schedule& schedule) { return schedule.at(progress, iterations_ + 1); };
  return {now(settings_.learning_rate), now(settings_.critic_learning_rate),
          now(settings_.entropy),       now(settings_.magnet),
          now(settings_.proximal),      settings_.value_weight,
          now(settings_.explore)};
}

void PolicyTrainer::iterate() {
  const double start = seconds();
  if (unit_ == 0) measure_unit();
  rates_ = rates();
  play();
  const double played = seconds();
  evaluate();
  const double evaluated = seconds();
  learn();
  ++iterations_;
  if (settings_.learner.magnet) learner_.move_magnet(settings_.magnet_rate);
  league_.consider(learner_.layers(PolicyLearner::Weights::kCurrent), iterations_);
  times_.playing += played - start;
  times_.evaluating += evaluated - played;
  times_.learning += seconds() - evaluated;
}

void PolicyTrainer::play() {
  const PolicyNetwork current = network(PolicyLearner::Weights::kCurrent);
  std::size_t member = 0;
  if (!league_.empty()) {
    RandomStream rng(settings_.seed ^ kLeagueStream, static_cast<std::uint64_t>(iterations_));
    member = league_.choose(rng, unit_);
    const PolicyNetwork past{league_.layers(member), {}, 1};
    for (auto& opponent : opponents_) opponent = make_opponent(past);
  }
  pool_.run([&](int worker) {
    const auto w = static_cast<std::size_t>(worker);
    rollouts_[w]->play(current, opponents_[w].get(), iterations_, rates_.explore);
  });
  RolloutCounts counts;
  for (const auto& own : rollouts_) counts.add(own->counts());
  if (!league_.empty()) league_.record(member, counts.league_episodes, counts.league_return);
  hands_ += counts.hands;
  times_.decisions += counts.decisions;
  double dense = 0;
  for (const auto& layer : current.layers) dense += static_cast<double>(layer.weight.size());
  times_.work += dense * static_cast<double>(counts.decisions);
  counts_.add(counts);
}

// The root mean square of the returns of random play, of all seats whose decisions are learned from. Hands that end
// early are small, so some are played out before.
void PolicyTrainer::measure_unit() {
  constexpr int kMostRounds = 64;
  constexpr std::int64_t kEpisodes = 10;  // of a table
  const PolicyNetwork start = network(PolicyLearner::Weights::kCurrent);
  RolloutCounts counts;
  const std::int64_t wanted = kEpisodes * settings_.rollout.tables * settings_.workers;
  for (int round = 1; round <= kMostRounds && counts.episodes < wanted; ++round) {
    pool_.run([&](int worker) {
      const auto w = static_cast<std::size_t>(worker);
      rollouts_[w]->play(start, opponents_[w].get(), -round);
    });
    for (const auto& own : rollouts_) counts.add(own->counts());
  }
  const double returns = static_cast<double>(counts.episodes - counts.league_episodes) * game_->players() +
                         static_cast<double>(counts.league_episodes);
  unit_ = returns > 0 && counts.squared_return > 0 ? std::sqrt(counts.squared_return / returns) : 1;
}

void PolicyTrainer::evaluate() {
  pool_.run([&](int worker) {
    const auto w = static_cast<std::size_t>(worker);
    learner_.evaluate(*rollouts_[w], values_[w]);
    lambda_returns(*rollouts_[w], values_[w].value, settings_.lambda, unit_, values_[w].target);
  });
}

void PolicyTrainer::learn() {
  std::vector<PolicySample> samples;
  for (std::size_t w = 0; w < rollouts_.size(); ++w)
    for (const std::int32_t row : rollouts_[w]->learned())
      if (rollouts_[w]->resolved(row)) samples.push_back({rollouts_[w].get(), &values_[w], row});
  RandomStream rng(settings_.seed ^ kShuffleStream, static_cast<std::uint64_t>(iterations_));
  // As many batches as there are whole ones, but at least one; their sizes differ by one at most.
  const std::size_t batches = std::max<std::size_t>(1, samples.size() / static_cast<std::size_t>(settings_.batch));
  for (int epoch = 0; epoch < settings_.epochs && !samples.empty(); ++epoch) {
    for (std::size_t i = samples.size(); i > 1; --i)
      std::swap(samples[i - 1], samples[rng.below(static_cast<std::uint32_t>(i))]);
    for (std::size_t b = 0; b < batches; ++b) {
      const std::size_t begin = samples.size() * b / batches, end = samples.size() * (b + 1) / batches;
      add(losses_, learner_.update(std::span(samples).subspan(begin, end - begin), rates_));
    }
    times_.work += learner_.work() * static_cast<double>(samples.size());
  }
}

TrainerReport PolicyTrainer::take_report() {
  const auto updates = static_cast<double>(std::max<std::int64_t>(1, losses_.updates));
  const double league =
      counts_.league_episodes == 0 ? 0 : counts_.league_return / static_cast<double>(counts_.league_episodes);
  const double playing = times_.playing - reported_.playing, evaluating = times_.evaluating - reported_.evaluating;
  const double learning = times_.learning - reported_.learning, busy = playing + evaluating + learning;
  const auto decisions = static_cast<double>(times_.decisions - reported_.decisions);
  TrainerReport report{
      {{"loss/policy", losses_.policy / updates},
       {"loss/critic", losses_.critic / updates},
       {"loss/value", losses_.value / updates},
       {"policy/entropy", losses_.entropy / updates},
       {"policy/from_played", losses_.proximal / updates},
       {"policy/from_magnet", losses_.magnet / updates},
       {"gradient_norm", losses_.gradient_norm / updates},
       {"learning_rate", rates_.learning_rate},
       {"weight/explore", rates_.explore},
       {"weight/entropy", rates_.entropy},
       {"weight/magnet", rates_.magnet},
       {"weight/proximal", rates_.proximal},
       {"league/result", league},
       {"value_unit", unit_}},
      {{"speed/decisions_per_second", decisions / busy},
       {"speed/hands_per_second", static_cast<double>(counts_.hands) / busy},
       {"speed/self_play_share", playing / busy},
       {"speed/critic_share", evaluating / busy},
       {"speed/learning_share", learning / busy},
       {"speed/matrix_gflops", 2e-9 * (times_.work - reported_.work) / busy}},
      {{"entropy", losses_.entropy / updates}, {"critic", losses_.critic / updates}},
  };
  counts_ = {};
  losses_ = {};
  reported_ = times_;
  return report;
}

std::vector<std::pair<std::string, AgentFactoryPtr>> PolicyTrainer::agents() const {
  const auto agent = [&](PolicyLearner::Weights which) {
    return make_policy_agents("trained", std::make_shared<const PolicyNetwork>(network(which)), game_);
  };
  return {{"", agent(PolicyLearner::Weights::kAveraged)}, {"last", agent(PolicyLearner::Weights::kCurrent)}};
}

TensorFile PolicyTrainer::save_model() const {
  TensorFile file;
  store(network(PolicyLearner::Weights::kAveraged), *game_, file);
  return file;
}

TensorFile PolicyTrainer::save() const {
  TensorFile file = save_model();
  learner_.save(file);
  league_.save(file);
  for (std::size_t w = 0; w < rollouts_.size(); ++w) {
    const std::string bytes = rollouts_[w]->save();
    file.tensors[fmt::format("self_play.{}", w)] = {{static_cast<std::int64_t>(bytes.size())},
                                                    std::vector<std::uint8_t>(bytes.begin(), bytes.end())};
  }
  file.tensors["trainer.progress"] = {{2}, std::vector<std::int64_t>{hands_, iterations_}};
  file.tensors["trainer.unit"] = {{1}, std::vector<double>{unit_}};
  return file;
}

void PolicyTrainer::load(const TensorFile& file) {
  learner_.load(file);
  league_.load(file, learner_.layers(PolicyLearner::Weights::kCurrent));
  for (std::size_t w = 0; w < rollouts_.size(); ++w) {
    const auto& bytes = file.get<std::uint8_t>(fmt::format("self_play.{}", w));
    try {
      rollouts_[w]->load({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    } catch (const CheckpointError& error) {
      throw CheckpointError(fmt::format("{}: {}", file.name, error.what()));
    }
  }
  const auto& progress = file.get<std::int64_t>("trainer.progress", {2});
  const double unit = file.get<double>("trainer.unit", {1})[0];
  const double decisions = static_cast<double>(settings_.workers) * settings_.rollout.tables * settings_.rollout.steps;
  // A hand takes a decision or more, but those that nobody decides in; an iteration plays some.
  if (progress[0] < 0 || progress[1] < 0 || (progress[1] == 0) != (progress[0] == 0 && unit == settings_.value_unit) ||
      static_cast<double>(progress[0]) > 1000 * decisions * static_cast<double>(progress[1]))
    throw CheckpointError(fmt::format("{}: tensor 'trainer.progress' holds {} hands in {} iterations, which cannot be",
                                      file.name, progress[0], progress[1]));
  if (!(unit > 0 && std::isfinite(unit)))
    throw CheckpointError(
        fmt::format("{}: tensor 'trainer.unit' holds {}; expected a number above 0", file.name, unit));
  hands_ = progress[0];
  iterations_ = progress[1];
  unit_ = unit;
}

}  // namespace dealer
