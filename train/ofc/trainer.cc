#include "train/ofc/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "agents/ofc/value_agent.h"
#include "env/core/error.h"

namespace dealer::ofc {
namespace {

constexpr std::size_t kSampledBoards = 1024;
constexpr int kTurnsOfAHand = 5;
// Weight, in hands, of a starting model's values of Fantasyland.
constexpr std::int64_t kStartCounts = 1000;
constexpr std::uint64_t kBoardStream = 0xb0a2d5;

double ratio(std::int64_t a, std::int64_t b) { return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b); }

std::shared_ptr<const Game> trainable(std::shared_ptr<const Game> game) {
  if (game->rules().episode == Episode::kMatch)
    throw UsageError(fmt::format("cannot train on '{}': expected episode hand or chain", game->spec()));
  return game;
}

}  // namespace

TdLearnerSettings learner_settings(TdLearnerSettings settings, double auxiliary_weight) {
  settings.features = kFeatures;
  settings.usually_active = 70;
  settings.outputs = {{"value", false, 1, kValueScale},
                      {"foul", true, auxiliary_weight, 1},
                      {"fantasyland", true, auxiliary_weight, 1},
                      {"", false, auxiliary_weight, kValueScale}};
  return settings;
}

TrainerSettings::TrainerSettings() { learner = learner_settings(learner, auxiliary_weight); }

TrainerSettings read_settings(Config& config) {
  TrainerSettings s;
  Config play = config.section("self_play"), learner = config.section("learner");
  dealer::read_settings(config, play, learner, s);
  s.self_play.last_turn_draws = play.get_int<int>("last_turn_draws", s.self_play.last_turn_draws, 0, 10'000);
  s.self_play.foul_cost = play.get_double("foul_cost", s.self_play.foul_cost, 0, 100);
  play.finish();
  Config player = config.section("player");
  s.caution = player.get_double("caution", s.caution, 0, kMaxCaution);
  player.finish();
  s.auxiliary_weight = learner.get_double("auxiliary_weight", s.auxiliary_weight, 0, 100);
  s.chain_rate = learner.get_double("chain_rate", s.chain_rate, 0, 1);
  if (learner.get_bool("layers_by_turn", false)) s.learner.stacks = kTurnStacks;
  learner.finish();
  s.learner = learner_settings(s.learner, s.auxiliary_weight);
  return s;
}

OfcTrainer::OfcTrainer(std::shared_ptr<const Game> game, const TrainerSettings& settings, Ranks& ranks)
    : AfterstateTrainer(settings, kTurnsOfAHand * game->rules().players, SelfPlay::table_bytes(),
                        SelfPlay::turn_bytes(game->rules().players), ranks),
      game_(trainable(std::move(game))),
      settings_(settings) {
  settings_.self_play.tables = settings.tables;
  settings_.self_play.lambda = settings.lambda;
  settings_.self_play.epsilon = settings.epsilon;
  settings_.self_play.temperature = settings.temperature;
  settings_.self_play.opponents = make_opponents(settings.opponents, settings.opponent_share, game_);
  for (int worker = 0; worker < settings.workers; ++worker) self_play_.push_back(make_self_play(worker));
  set_weights(weights());
  model_.caution = settings_.caution;
}

std::unique_ptr<SelfPlay> OfcTrainer::make_self_play(int worker) const {
  SelfPlaySettings own = settings_.self_play;
  own.seed = worker_seed(worker);
  return std::make_unique<SelfPlay>(game_, own);
}

AfterstatePlay OfcTrainer::play(int worker, int turns) {
  SelfPlay& own = *self_play_[static_cast<std::size_t>(worker)];
  own.clear();
  own.set_epsilon(epsilon());
  own.run(turns, model_, {model_.chain.fantasyland(), &rows_, &game_->rules().scoring});
  return {own.counts().hands, own.counts().evaluations};
}

void OfcTrainer::after_play() {
  std::vector<SelfPlayCounts> own;
  for (const auto& self_play : self_play_) own.push_back(self_play->counts());
  for (const SelfPlayCounts& counts : ranks().gather_lists(std::span<const SelfPlayCounts>(own))) counts_.add(counts);
  learn_chain_values();
  sample_boards();
}

// TD(0) on the table of between-hands values, from hands without exploration: means at first, then a running average.
// Uses all ranks' hands, in the order of their workers, as one rank with all the workers would.
void OfcTrainer::learn_chain_values() {
  std::vector<ChainStep> own;
  for (const auto& self_play : self_play_)
    own.insert(own.end(), self_play->chain_steps().begin(), self_play->chain_steps().end());
  for (const ChainStep& step : ranks().gather_lists(std::span<const ChainStep>(own))) {
    if (step.explored) continue;
    const double next = step.last ? 0 : model_.chain(step.next_own, step.next_other, step.own_deals);
    double& value = model_.chain.at(step.own, step.other, step.own_deals);
    auto& count = chain_counts_[(step.own ? 4U : 0U) + (step.other ? 2U : 0U) + (step.own_deals ? 1U : 0U)];
    ++count;
    const std::int64_t before = settings_.start.empty() ? 0 : kStartCounts;
    const double rate = std::max(1 / static_cast<double>(before + count), settings_.chain_rate);
    value += rate * (static_cast<double>(step.points) + next - value);
  }
}

// All ranks keep the same sample.
void OfcTrainer::sample_boards() {
  RandomStream rng(settings_.seed ^ kBoardStream, static_cast<std::uint64_t>(iterations()));
  std::vector<Board> own;
  for (const auto& self_play : self_play_)
    own.insert(own.end(), self_play->boards().begin(), self_play->boards().end());
  for (const Board& board : ranks().gather_lists(std::span<const Board>(own))) {
    if (seen_++ % 8 != 0) continue;
    if (model_.boards.size() < kSampledBoards)
      model_.boards.push_back(board);
    else
      model_.boards[rng.below(kSampledBoards)] = board;
  }
  if (!model_.boards.empty()) rows_ = row_values_against(model_.boards, game_->rules().scoring.bonus);
}

SparseNet OfcTrainer::start_from(const TensorFile& model) {
  const ValueModel start = load_value_model(model);
  model_.chain = start.chain;
  return start.net;
}

void OfcTrainer::add_report(TrainerReport& report) {
  const SelfPlayCounts counts = std::exchange(counts_, {});
  const double fouls = ratio(counts.fouls, counts.seats_normal), entries = ratio(counts.entries, counts.seats_normal);
  const double royalties = ratio(counts.royalties_normal, counts.seats_normal);
  const std::initializer_list<Metric> own = {
      {"self_play/foul_rate", fouls},
      {"self_play/fantasyland_rate", entries},
      {"self_play/fantasyland_stay_rate", ratio(counts.stays, counts.seats_fantasyland)},
      {"self_play/royalties_normal", royalties},
      {"self_play/royalties_fantasyland", ratio(counts.royalties_fantasyland, counts.seats_fantasyland)},
      {"value/fantasyland", model_.chain.fantasyland()}};
  report.metrics.insert(report.metrics.end(), own);
  report.live = {{"foul", fouls}, {"fantasyland", entries}, {"royalties", royalties}};
}

std::vector<std::pair<std::string, AgentFactoryPtr>> OfcTrainer::agents() const {
  return {{"", make_value_agents("trained", std::make_shared<const ValueModel>(model_), game_)}};
}

nlohmann::json OfcTrainer::result() const { return {{"fantasyland_value", model_.chain.fantasyland()}}; }

std::string OfcTrainer::summary() const {
  return fmt::format("Fantasyland is worth {:.2f} points", model_.chain.fantasyland());
}

TensorFile OfcTrainer::save_model() const {
  TensorFile file;
  store(model_, file);
  file.metadata["rules"] = game_->id().rules;
  return file;
}

std::string OfcTrainer::save_tables(int worker) const {
  const std::vector<std::uint8_t> bytes = self_play_[static_cast<std::size_t>(worker)]->save();
  return {bytes.begin(), bytes.end()};
}

void OfcTrainer::load_tables(int worker, const std::string& bytes) {
  auto& own = self_play_[static_cast<std::size_t>(worker)];
  own = make_self_play(worker);
  if (!bytes.empty()) own->load({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

void OfcTrainer::save_more(TensorFile& file) const {
  file.tensors["trainer.chain_counts"] = {{8}, std::vector<std::int64_t>(chain_counts_.begin(), chain_counts_.end())};
}

void OfcTrainer::load_more(const TensorFile& file) {
  ValueModel model = load_value_model(file);
  if (model.net.hidden_sizes() != settings_.learner.hidden_sizes ||
      model.net.stacks().count != settings_.learner.stacks.count)
    throw CheckpointError(fmt::format(
        "{}: the layers are other than the config's 'learner.hidden_sizes' and 'learner.layers_by_turn'", file.name));
  const auto& counts = file.get<std::int64_t>("trainer.chain_counts", {8});
  const double players = game_->rules().players, played = static_cast<double>(hands());
  check_number(file, kProgress, seen_, 0, played * players);
  for (const std::int64_t count : counts)
    check_number(file, "trainer.chain_counts", count, 0, played * players * (players - 1));
  std::copy(counts.begin(), counts.end(), chain_counts_.begin());
  model_ = std::move(model);
  if (!model_.boards.empty()) rows_ = row_values_against(model_.boards, game_->rules().scoring.bonus);
}

}  // namespace dealer::ofc
