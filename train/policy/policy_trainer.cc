#include "train/policy/policy_trainer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "agents/policy/policy_agent.h"
#include "env/core/error.h"
#include "env/core/memory.h"
#include "env/core/wall_seconds.h"

namespace dealer {
namespace {

constexpr std::uint64_t kShuffleStream = 0x5f0ff1e, kLeagueStream = 0x1ea9e;

// For networks of the same widths; 1 or more.
std::vector<PolicyNetwork::Layer> mean_of(const std::vector<std::vector<PolicyNetwork::Layer>>& networks) {
  const auto mean = [&](std::size_t layer, std::vector<float> PolicyNetwork::Layer::*numbers) {
    std::vector<float> result((networks.front()[layer].*numbers).size());
    for (std::size_t i = 0; i < result.size(); ++i) {
      double sum = 0;
      for (const auto& network : networks) sum += (network[layer].*numbers)[i];
      result[i] = static_cast<float>(sum / static_cast<double>(networks.size()));
    }
    return result;
  };
  std::vector<PolicyNetwork::Layer> result = networks.front();
  for (std::size_t layer = 0; layer < result.size(); ++layer) {
    result[layer].weight = mean(layer, &PolicyNetwork::Layer::weight);
    result[layer].bias = mean(layer, &PolicyNetwork::Layer::bias);
  }
  return result;
}

}  // namespace

PolicyTrainer::PolicyTrainer(GamePtr game, const PolicyTrainerSettings& settings, Ranks& ranks)
    : game_(std::move(game)),
      settings_(settings),
      ranks_(ranks),
      encoder_(settings.input_features ? make_encoder(game_) : nullptr),
      memory_(expect_memory_for(*game_, encoder_.get(), settings)),
      values_(static_cast<std::size_t>(settings.workers)),
      learner_(settings.learner, Rollout::inputs(*game_, encoder_.get()),
               Rollout::critic_inputs(*game_, encoder_.get(), settings.rollout), game_->num_actions(), ranks),
      league_(settings.league),
      unit_(settings.value_unit),
      pool_(settings.workers),
      self_play_(game_, encoder_,
                 {settings.workers, settings.overlap, settings.seed,
                  settings.against.empty() ? nullptr : make_agents(settings.against, game_), settings.rollout},
                 ranks) {}

double PolicyTrainer::expect_memory_for(const Game& game, const Encoder* encoder, const PolicyTrainerSettings& s) {
  const double of_values = 2 + game.num_actions() * ((s.learner.action_values ? 1 : 0) + (s.learner.magnet ? 1 : 0));
  const auto rows = static_cast<double>(Rollout::rows(game, s.rollout));
  const double rollout = Rollout::bytes(game, encoder, s.rollout);
  const double bytes =
      s.workers * ((s.overlap ? 2 : 1) * rollout + rows * (sizeof(float) * of_values + sizeof(PolicySample)));
  expect_memory(bytes,
                fmt::format("self-play by {} workers with {} tables of {} steps each", s.workers, s.rollout.tables,
                            s.rollout.steps),
                "fewer workers, self_play.tables or self_play.steps need less");
  return bytes;
}

void PolicyTrainer::begin() {
  for (const std::string& file : settings_.league.members) league_.add_given(read_layers("league.members", file));
  std::vector<std::vector<PolicyNetwork::Layer>> starts;
  for (const std::string& file : settings_.start) starts.push_back(read_layers("start", file));
  if (!starts.empty()) learner_.start_from(mean_of(starts));
}

std::vector<PolicyNetwork::Layer> PolicyTrainer::read_layers(const std::string& key, const std::string& file) const {
  PolicyNetwork model = load_policy_network(read_safetensors(start_file(key, file)), game_);
  const auto shape = [](const std::vector<PolicyNetwork::Layer>& layers) {
    std::vector<int> widths = {layers.front().in};
    for (const PolicyNetwork::Layer& layer : layers) widths.push_back(layer.out);
    return widths;
  };
  const std::vector<int> own = shape(learner_.layers(PolicyLearner::Weights::kCurrent)), other = shape(model.layers);
  const bool input_features = encoder_ != nullptr;
  if (own != other || model.input_features.empty() == input_features)
    throw ConfigError(fmt::format(
        "{}: the network in {} has the widths {} and input features: {}; expected those of this config, {} and {}", key,
        file, fmt::join(other, "-"), !model.input_features.empty(), fmt::join(own, "-"), input_features));
  return std::move(model.layers);
}

PolicyNetwork PolicyTrainer::network(PolicyLearner::Weights which) const {
  return {learner_.layers(which), encoder_ ? encoder_->names() : std::vector<std::string>(), unit_ > 0 ? unit_ : 1,
          settings_.threshold};
}

PolicyRates PolicyTrainer::rates() const {
  const auto now = [&](const Schedule& schedule) { return schedule.at(progress(), iterations_ + 1); };
  return {now(settings_.learning_rate), now(settings_.critic_learning_rate),
          now(settings_.entropy),       now(settings_.magnet),
          now(settings_.proximal),      settings_.value_weight,
          self_play_.task().explore,    now(settings_.clip)};
}

void PolicyTrainer::iterate() {
  const double start = wall_seconds();
  if (unit_ == 0) measure_unit();
  const double busy_before = self_play_.busy_seconds(), stepped_before = self_play_.environment_seconds();
  const double critic_before = pool_.busy_seconds(), learned_before = learner_.busy_seconds();
  if (!self_play_.played()) {
    start_playing(iterations_);
    finish_playing();
  }
  rates_ = rates();
  count_played();
  if (settings_.overlap && !done()) start_playing(iterations_ + 1);
  const double played = wall_seconds();
  double evaluated = 0;
  try {
    evaluate();
    evaluated = wall_seconds();
    learn();
  } catch (...) {
    self_play_.abandon();
    throw;
  }
  ++iterations_;
  const double learned = wall_seconds();
  if (self_play_.playing()) finish_playing();
  const double finished = wall_seconds();
  if (settings_.learner.magnet) learner_.move_magnet(settings_.magnet_rate);
  // Results against the member are recorded by now, so members may be moved.
  league_.consider(learner_.layers(PolicyLearner::Weights::kCurrent), iterations_);
  times_.playing += played - start + finished - learned;
  times_.evaluating += evaluated - played;
  times_.learning += learned - evaluated + wall_seconds() - finished;
  const double stepped = self_play_.environment_seconds() - stepped_before;
  times_.environment += stepped;
  times_.inference += self_play_.busy_seconds() - busy_before - stepped;
  times_.critic += pool_.busy_seconds() - critic_before;
  times_.gradients += learner_.busy_seconds() - learned_before;
}

void PolicyTrainer::start_playing(std::int64_t iteration) {
  PlayTask task{learner_.layers(PolicyLearner::Weights::kCurrent),
                {},
                iteration,
                settings_.explore.at(progress(), iteration + 1),
                std::max<std::int64_t>(1, settings_.hands - hands_)};
  if (!league_.empty()) {
    RandomStream rng(settings_.seed ^ kLeagueStream, static_cast<std::uint64_t>(iteration));
    met_ = league_.choose(rng, unit_);
    task.past_self = league_.layers(met_);
  }
  self_play_.start(std::move(task));
}

void PolicyTrainer::finish_playing() {
  self_play_.finish();
  const RolloutCounts& counts = self_play_.counts();
  if (!self_play_.task().past_self.empty()) league_.record(met_, counts.league_episodes, counts.league_return);
}

// The iteration to learn from now.
void PolicyTrainer::count_played() {
  const RolloutCounts& counts = self_play_.counts();
  hands_ += counts.hands;
  times_.decisions += counts.decisions;
  double dense = 0;
  for (const auto& layer : self_play_.task().player) dense += static_cast<double>(layer.weight.size());
  times_.work += dense * static_cast<double>(counts.decisions);
  counts_.add(counts);
  self_play_.take();
}

// The root mean square of the returns of random play, over all seats whose decisions are learned from. Hands that end
// early are small, so tables first play some hands to the end.
void PolicyTrainer::measure_unit() {
  constexpr int kMostRounds = 64;
  constexpr std::int64_t kEpisodes = 10;  // per table
  const auto start = learner_.layers(PolicyLearner::Weights::kCurrent);
  RolloutCounts counts;
  const std::int64_t wanted = std::min(settings_.hands, kEpisodes * settings_.rollout.tables * self_play_.workers());
  for (int round = 1; round <= kMostRounds && counts.episodes < wanted; ++round) {
    self_play_.start({start, {}, -round, 0, settings_.hands});
    self_play_.finish();
    counts.add(self_play_.counts());
    self_play_.take();
  }
  const double returns = static_cast<double>(counts.episodes - counts.league_episodes) * game_->players() +
                         static_cast<double>(counts.league_episodes);
  unit_ = returns > 0 && counts.squared_return > 0 ? std::sqrt(counts.squared_return / returns) : 1;
}

void PolicyTrainer::evaluate() {
  const auto rollouts = self_play_.rollouts(iterations_);
  pool_.run([&](int worker) {
    const auto w = static_cast<std::size_t>(worker);
    learner_.evaluate(worker, *rollouts[w], values_[w]);
    lambda_returns(*rollouts[w], values_[w].value, settings_.lambda, unit_, values_[w].target);
  });
}

void PolicyTrainer::learn() {
  const auto rollouts = self_play_.rollouts(iterations_);
  std::vector<PolicySample> samples;
  for (std::size_t w = 0; w < rollouts.size(); ++w)
    for (const std::int32_t row : rollouts[w]->learned())
      if (rollouts[w]->resolved(row)) samples.push_back({rollouts[w].get(), &values_[w], row});
  const SharedBatches batches(ranks_.gather_values(samples.size()), ranks_.rank(),
                              static_cast<std::size_t>(settings_.batch), false);
  const auto rank = static_cast<std::uint64_t>(ranks_.rank());
  RandomStream rng(settings_.seed ^ kShuffleStream ^ rank << 32, static_cast<std::uint64_t>(iterations_));
  iteration_losses_ = {};
  iteration_work_ = 0;
  for (int epoch = 0; epoch < settings_.epochs; ++epoch) {
    for (std::size_t i = samples.size(); i > 1; --i)
      std::swap(samples[i - 1], samples[rng.below(static_cast<std::uint32_t>(i))]);
    for (std::size_t b = 0; b < batches.count(); ++b) {
      const std::size_t begin = batches.begin(b), end = batches.end(b);
      iteration_losses_.add(learner_.update(std::span(samples).subspan(begin, end - begin), batches.size(b), rates_));
    }
    iteration_work_ += learner_.work() * static_cast<double>(samples.size());
  }
  share_figures();
}

// Also checks that all ranks have learned the same.
void PolicyTrainer::share_figures() {
  struct Part {
    PolicyLosses losses;
    double work;
    std::uint32_t weights;
  };
  Part own{iteration_losses_, iteration_work_, ranks_.several() ? learner_.checksum() : 0};
  const std::vector<Part> parts = ranks_.gather_values(own);
  PolicyLosses sum;
  for (std::size_t r = 0; r < parts.size(); ++r) {
    check_weights(ranks_, static_cast<int>(r), parts[0].weights, parts[r].weights);
    sum.add(parts[r].losses);
    times_.work += parts[r].work;
  }
  // These are equal on all ranks.
  sum.gradient_norm = own.losses.gradient_norm;
  sum.updates = own.losses.updates;
  losses_.add(sum);
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
       {"weight/clip", rates_.clip},
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
  if (ranks_.several())
    report.timings.emplace_back("speed/exchange_share",
                                (ranks_.seconds() - std::exchange(exchanged_, ranks_.seconds())) / busy);
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
  self_play_.save(file);
  file.tensors["trainer.progress"] = {{2}, std::vector<std::int64_t>{hands_, iterations_}};
  file.tensors["trainer.unit"] = {{1}, std::vector<double>{unit_}};
  return file;
}

void PolicyTrainer::load(const TensorFile& file) {
  const auto format = file.metadata.find("format");
  if (format == file.metadata.end() || format->second != kPolicyNetworkFormat)
    throw CheckpointError(fmt::format("{}: no checkpoint of the algorithm ppo: expected the format '{}', got '{}'",
                                      file.name, kPolicyNetworkFormat,
                                      format == file.metadata.end() ? "" : format->second));
  learner_.load(file);
  const auto like = learner_.layers(PolicyLearner::Weights::kCurrent);
  league_.load(file, like);
  const auto& progress = file.get<std::int64_t>("trainer.progress", {2});
  const double unit = file.get<double>("trainer.unit", {1})[0];
  std::optional<PlayTask> waited = self_play_.load(file, progress[1], like);
  const double decisions =
      static_cast<double>(self_play_.most_workers()) * settings_.rollout.tables * settings_.rollout.steps;
  // A hand takes at least one decision, except hands without any; the first may take several iterations.
  const bool begun = progress[0] != 0 || unit != settings_.value_unit;
  if (progress[0] < 0 || progress[1] < 0 || (progress[1] == 0 && begun) ||
      static_cast<double>(progress[0]) > 1000 * decisions * static_cast<double>(progress[1]))
    throw CheckpointError(
        fmt::format("{}: tensor 'trainer.progress' holds {} hands in {} iterations, which is impossible", file.name,
                    progress[0], progress[1]));
  if (!(unit > 0 && std::isfinite(unit)))
    throw CheckpointError(
        fmt::format("{}: tensor 'trainer.unit' holds {}; expected a number above 0", file.name, unit));
  hands_ = progress[0];
  iterations_ = progress[1];
  unit_ = unit;
  if (!waited) return;
  // The league already has the results.
  self_play_.start(std::move(*waited));
  self_play_.finish();
}

}  // namespace dealer
