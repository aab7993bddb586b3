#include "train/seven_hand/trainer.h"

#include "agents/seven_hand/value_agent.h"

namespace dealer::seven_hand {
namespace {

// Per table: seven layings of each seat, and the namings of all but the last of each.
constexpr int kLongestHand = kSeats * (2 * kTurns - 1);

}  // namespace

TrainerSettings read_settings(Config& config) {
  TrainerSettings s;
  s.lambda = 0.95;
  s.temperature = 0.1;
  Config play = config.section("self_play"), learner = config.section("learner");
  dealer::read_settings(config, play, learner, s);
  play.finish();
  learner.finish();
  s.learner.features = feature::kCount;
  s.learner.usually_active = 90;
  s.learner.outputs = {{"value", false, 1, 1}};
  return s;
}

SevenHandTrainer::SevenHandTrainer(std::shared_ptr<const Game> game, const TrainerSettings& settings, Ranks& ranks)
    : AfterstateTrainer(settings, kLongestHand, SelfPlay::table_bytes(), SelfPlay::turn_bytes(), ranks),
      game_(std::move(game)),
      settings_(settings),
      opponents_(make_opponents(settings.opponents, settings.opponent_share, game_)) {
  for (int worker = 0; worker < settings.workers; ++worker) self_play_.push_back(make_self_play(worker));
  model_ = {weights(), std::make_shared<const AfterstateFeatures>(game_->rules())};
}

std::unique_ptr<SelfPlay> SevenHandTrainer::make_self_play(int worker) const {
  return std::make_unique<SelfPlay>(game_, SelfPlaySettings{settings_.tables, settings_.lambda, settings_.epsilon,
                                                            settings_.temperature, opponents_, worker_seed(worker)});
}

AfterstatePlay SevenHandTrainer::play(int worker, int turns) {
  SelfPlay& own = *self_play_[static_cast<std::size_t>(worker)];
  own.clear();
  own.set_epsilon(epsilon());
  return own.run(turns, model_);
}

void SevenHandTrainer::after_play() {
  std::vector<LaidCounts> own;
  for (const auto& self_play : self_play_) own.push_back(self_play->counts());
  for (const LaidCounts& counts : ranks().gather_lists(std::span<const LaidCounts>(own))) {
    counts_.layings += counts.layings;
    counts_.straights_and_better += counts.straights_and_better;
    counts_.cards += counts.cards;
  }
}

SparseNet SevenHandTrainer::start_from(const TensorFile& model) { return load_net(model); }

void SevenHandTrainer::add_report(TrainerReport& report) {
  const LaidCounts counts = std::exchange(counts_, {});
  const auto of_layings = [&](std::int64_t sum) {
    return static_cast<double>(sum) / static_cast<double>(std::max<std::int64_t>(1, counts.layings));
  };
  const double strong = of_layings(counts.straights_and_better), cards = of_layings(counts.cards);
  report.metrics.emplace_back("self_play/straights_and_better", strong);
  report.metrics.emplace_back("self_play/cards_laid", cards);
  report.live = {{"straights and better", strong}, {"cards", cards}};
}

std::vector<std::pair<std::string, AgentFactoryPtr>> SevenHandTrainer::agents() const {
  return {{"", make_value_agents("trained", std::make_shared<const ValueModel>(model_), game_)}};
}

TensorFile SevenHandTrainer::save_model() const {
  TensorFile file;
  store_net(model_.net, file);
  file.metadata["rules"] = game_->id().rules;
  return file;
}

void SevenHandTrainer::load_tables(int worker, const std::string& bytes) {
  auto& own = self_play_[static_cast<std::size_t>(worker)];
  own = make_self_play(worker);
  if (!bytes.empty()) own->load(bytes);
}

}  // namespace dealer::seven_hand
