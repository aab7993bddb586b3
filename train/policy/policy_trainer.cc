#include "train/policy/policy_trainer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "agents/policy/policy_agent.h"
#include "env/core/error.h"
#include "train/policy/returns.h"

namespace dealer {
namespace {

constexpr std::uint64_t kShuffleStream = 0x5f0ff1e, kLeagueStream = 0x1ea9e;

// Of networks of the same widths; 1 or more.
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

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

PolicyTrainer::PolicyTrainer(GamePtr game, const PolicyTrainerSettings& settings, Ranks& ranks)
    : game_(std::move(game)),
      settings_(settings),
      ranks_(ranks),
      encoder_(settings.facts ? make_encoder(game_) : nullptr),
      tables_(settings.seed, settings.workers, ranks),
      values_(static_cast<std::size_t>(settings.workers)),
      learner_(settings.learner, Rollout::inputs(*game_, encoder_.get()),
               Rollout::critic_inputs(*game_, encoder_.get(), settings.rollout), game_->num_actions(), ranks),
      league_(settings.league),
      unit_(settings.value_unit),
      pool_(settings.workers) {
  const AgentFactoryPtr against = settings.against.empty() ? nullptr : make_agents(settings.against, game_);
  for (int worker = 0; worker < settings.workers; ++worker) {
    opponents_.push_back(against ? make_opponent(*against, *game_) : nullptr);
    rollouts_.push_back(make_rollout(worker));
  }
}

void PolicyTrainer::begin() {
  for (const std::string& file : settings_.league.members) league_.add_given(read_layers("league.members", file));
  std::vector<std::vector<PolicyNetwork::Layer>> starts;
  for (const std::string& file : settings_.start) starts.push_back(read_layers("start", file));
  if (!starts.empty()) learner_.start_from(mean_of(starts));
}

std::vector<PolicyNetwork::Layer> PolicyTrainer::read_layers(const std::string& key, const std::string& file) const {
  PolicyNetwork model = load_policy_network(read_safetensors(file), game_);
  const auto shape = [](const std::vector<PolicyNetwork::Layer>& layers) {
    std::vector<int> widths = {layers.front().in};
    for (const PolicyNetwork::Layer& layer : layers) widths.push_back(layer.out);
    return widths;
  };
  const std::vector<int> own = shape(learner_.layers(PolicyLearner::Weights::kCurrent)), other = shape(model.layers);
  const bool facts = encoder_ != nullptr;
  if (own != other || model.facts.empty() == facts)
    throw ConfigError(
        fmt::format("{}: the network in {} has the widths {} and facts: {}; expected those of this config, {} and {}",
                    key, file, fmt::join(other, "-"), !model.facts.empty(), fmt::join(own, "-"), facts));
  return std::move(model.layers);
}

std::unique_ptr<Rollout> PolicyTrainer::make_rollout(int worker) const {
  RolloutSettings own = settings_.rollout;
  own.seed = tables_.seed(worker);
  return std::make_unique<Rollout>(game_, encoder_, own);
}

PolicyNetwork PolicyTrainer::network(PolicyLearner::Weights which) const {
  return {learner_.layers(which), encoder_ ? encoder_->names() : std::vector<std::string>(), unit_ > 0 ? unit_ : 1,
          settings_.threshold};
}

PolicyRates PolicyTrainer::rates() const {
  const double progress = static_cast<double>(hands_) / static_cast<double>(settings_.hands);
  const auto now = [&](const Schedule& schedule) { return schedule.at(progress, iterations_ + 1); };
  return {now(settings_.learning_rate), now(settings_.critic_learning_rate),
          now(settings_.entropy),       now(settings_.magnet),
          now(settings_.proximal),      settings_.value_weight,
          now(settings_.explore),       now(settings_.clip)};
}

void PolicyTrainer::iterate() {
  const double start = seconds();
  if (unit_ == 0) measure_unit();
  rates_ = rates();
  const double busy_before = pool_.busy_seconds(), stepped_before = environment_seconds();
  play();
  const double played = seconds(), busy_playing = pool_.busy_seconds();
  evaluate();
  const double evaluated = seconds(), busy_learning = learner_.busy_seconds();
  learn();
  ++iterations_;
  if (settings_.learner.magnet) learner_.move_magnet(settings_.magnet_rate);
  league_.consider(learner_.layers(PolicyLearner::Weights::kCurrent), iterations_);
  times_.playing += played - start;
  times_.evaluating += evaluated - played;
  times_.learning += seconds() - evaluated;
  const double stepped = environment_seconds() - stepped_before;
  times_.environment += stepped;
  times_.inference += busy_playing - busy_before - stepped;
  times_.critic += pool_.busy_seconds() - busy_playing;
  times_.gradients += learner_.busy_seconds() - busy_learning;
}

double PolicyTrainer::environment_seconds() const {
  double sum = 0;
  for (const auto& rollout : rollouts_) sum += rollout->environment_seconds();
  return sum;
}

RolloutCounts PolicyTrainer::play_all(const PolicyNetwork& network, std::int64_t iteration, double explore) {
  pool_.run([&](int worker) {
    const auto w = static_cast<std::size_t>(worker);
    rollouts_[w]->play(network, opponents_[w].get(), iteration, explore);
  });
  std::vector<RolloutCounts> own;
  for (const auto& rollout : rollouts_) own.push_back(rollout->counts());
  RolloutCounts counts;
  for (const RolloutCounts& part : ranks_.gather_lists(std::span<const RolloutCounts>(own))) counts.add(part);
  return counts;
}

void PolicyTrainer::play() {
  const PolicyNetwork current = network(PolicyLearner::Weights::kCurrent);
  std::size_t member = 0;
  if (!league_.empty()) {
    RandomStream rng(settings_.seed ^ kLeagueStream, static_cast<std::uint64_t>(iterations_));
    member = league_.choose(rng, unit_);
    const PolicyNetwork past{league_.layers(member), {}, 1, 0};
    for (auto& opponent : opponents_) opponent = make_opponent(past);
  }
  const RolloutCounts counts = play_all(current, iterations_, rates_.explore);
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
  const std::int64_t wanted = kEpisodes * settings_.rollout.tables * tables_.workers();
  for (int round = 1; round <= kMostRounds && counts.episodes < wanted; ++round) counts.add(play_all(start, -round, 0));
  const double returns = static_cast<double>(counts.episodes - counts.league_episodes) * game_->players() +
                         static_cast<double>(counts.league_episodes);
  unit_ = returns > 0 && counts.squared_return > 0 ? std::sqrt(counts.squared_return / returns) : 1;
}

void PolicyTrainer::evaluate() {
  pool_.run([&](int worker) {
    const auto w = static_cast<std::size_t>(worker);
    learner_.evaluate(worker, *rollouts_[w], values_[w]);
    lambda_returns(*rollouts_[w], values_[w].value, settings_.lambda, unit_, values_[w].target);
  });
}

void PolicyTrainer::learn() {
  std::vector<PolicySample> samples;
  for (std::size_t w = 0; w < rollouts_.size(); ++w)
    for (const std::int32_t row : rollouts_[w]->learned())
      if (rollouts_[w]->resolved(row)) samples.push_back({rollouts_[w].get(), &values_[w], row});
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

// And sees to it that all ranks have learned the same.
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
  // These are the same on all ranks.
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
  std::vector<std::string> tables;
  for (const auto& rollout : rollouts_) tables.push_back(rollout->save());
  tables_.save(tables, file);
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
  league_.load(file, learner_.layers(PolicyLearner::Weights::kCurrent));
  const auto& progress = file.get<std::int64_t>("trainer.progress", {2});
  const double unit = file.get<double>("trainer.unit", {1})[0];
  const std::vector<std::string> tables = tables_.load(file, progress[1]);
  for (int worker = 0; worker < settings_.workers; ++worker) {
    const auto w = static_cast<std::size_t>(worker);
    rollouts_[w] = make_rollout(worker);
    if (tables[w].empty()) continue;
    try {
      rollouts_[w]->load(tables[w]);
    } catch (const CheckpointError& error) {
      throw CheckpointError(fmt::format("{}: {}", file.name, error.what()));
    }
  }
  const double decisions =
      static_cast<double>(tables_.most_workers()) * settings_.rollout.tables * settings_.rollout.steps;
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
