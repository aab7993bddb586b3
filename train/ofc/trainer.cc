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

TdLearnerSettings learner_settings(TdLearnerSettings settings, double auxiliary_weight, bool fantasyland_inputs) {
  settings.features = fantasyland_inputs ? kFantasylandFeatures : kFeatures;
  settings.usually_active = 70;
  settings.outputs = {{"value", false, 1, kValueScale},
                      {"foul", true, auxiliary_weight, 1},
                      {"fantasyland", true, auxiliary_weight, 1},
                      {"", false, auxiliary_weight, kValueScale}};
  return settings;
}

TrainerSettings::TrainerSettings() { learner = learner_settings(learner, auxiliary_weight, false); }

TrainerSettings read_settings(Config& config) {
  TrainerSettings s;
  s.weights_may_stay = true;  // while the value of Fantasyland is learned
  Config play = config.section("self_play"), learner = config.section("learner");
  dealer::read_settings(config, play, learner, s);
  s.self_play.last_turn_draws = play.get_int<int>("last_turn_draws", s.self_play.last_turn_draws, 0, 10'000);
  s.self_play.foul_cost = play.get_double("foul_cost", s.self_play.foul_cost, 0, 100);
  s.self_play.imagined_share = play.get_double("imagined_share", s.self_play.imagined_share, 0, 1);
  play.finish();
  Config player = config.section("player");
  s.caution = player.get_double("caution", s.caution, 0, kMaxCaution);
  player.finish();
  s.auxiliary_weight = learner.get_double("auxiliary_weight", s.auxiliary_weight, 0, 100);
  s.chain_rate = learner.get_double("chain_rate", s.chain_rate, 0, 1);
  if (learner.get_bool("layers_by_turn", false)) s.learner.stacks = kTurnStacks;
  s.self_play.fantasyland_inputs = learner.get_bool("fantasyland_inputs", false);
  learner.finish();
  s.learner = learner_settings(s.learner, s.auxiliary_weight, s.self_play.fantasyland_inputs);
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
  model_.rules = game_->rules().scoring;
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
  own.run(turns, model_, {fantasyland_value(kAfterStay), &rows_, &game_->rules().scoring});
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
    auto& count = chain_counts_[ChainValues::index(step.own, step.other, step.own_deals)];
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
  model_.chain = chain_values_of(start, game_->rules());
  if (!settings_.self_play.fantasyland_inputs || start.net.knows_fantasyland()) return start.net;
  // The new inputs change nothing at first.
  SparseNet net = start.net;
  net.sparse().in = kFantasylandFeatures;
  net.sparse().weight.resize(std::size_t{kFantasylandFeatures} * at(net.width()));
  return net;
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
      {"value/fantasyland", fantasyland_value(kAfterPair)}};
  report.metrics.insert(report.metrics.end(), own);
  report.live = {{"foul", fouls}, {"fantasyland", entries}, {"royalties", royalties}};
}

std::vector<std::pair<std::string, AgentFactoryPtr>> OfcTrainer::agents() const {
  return {{"", make_value_agents("trained", std::make_shared<const ValueModel>(model_), game_)}};
}

double OfcTrainer::fantasyland_value(FantasylandAfter after) const {
  return model_.chain.fantasyland(game_->rules().scoring.bonus.fantasyland_cards[after]);
}

nlohmann::json OfcTrainer::result() const {
  nlohmann::json result = {{"fantasyland_value", fantasyland_value(kAfterPair)}};
  if (!game_->rules().scoring.bonus.progressive()) return result;
  for (const int cards : game_->rules().scoring.bonus.fantasyland_cards)
    result["fantasyland_values"][std::to_string(cards)] = model_.chain.fantasyland(cards);
  return result;
}

std::string OfcTrainer::summary() const {
  std::string text = fmt::format("Fantasyland is worth {:.2f} points", fantasyland_value(kAfterPair));
  const Bonus& bonus = game_->rules().scoring.bonus;
  if (bonus.progressive())
    text += fmt::format(" after a pair below kings, {:.2f} after kings, {:.2f} after aces, {:.2f} after trips",
                        fantasyland_value(kAfterKings), fantasyland_value(kAfterAces), fantasyland_value(kAfterTrips));
  return text;
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
  file.tensors["trainer.chain_counts"] = {{ChainValues::kSize},
                                          std::vector<std::int64_t>(chain_counts_.begin(), chain_counts_.end())};
}

// Earlier checkpoints tell a Fantasyland hand from a normal one only: [2 own, 2 other, 2 own deals].
std::vector<std::int64_t> OfcTrainer::load_chain_counts(const TensorFile& file) const {
  const auto found = file.tensors.find("trainer.chain_counts");
  if (found == file.tensors.end() || found->second.shape != std::vector<std::int64_t>{8})
    return file.get<std::int64_t>("trainer.chain_counts", {ChainValues::kSize});
  const auto& stored = file.get<std::int64_t>("trainer.chain_counts", {8});
  const int cards = game_->rules().scoring.bonus.fantasyland_cards[kAfterPair];
  std::vector<std::int64_t> counts(ChainValues::kSize);
  for (std::size_t i = 0; i < stored.size(); ++i)
    counts[ChainValues::index((i & 4) != 0 ? cards : 0, (i & 2) != 0 ? cards : 0, (i & 1) != 0)] = stored[i];
  return counts;
}

void OfcTrainer::load_more(const TensorFile& file) {
  ValueModel model = load_value_model(file);
  if (model.net.hidden_sizes() != settings_.learner.hidden_sizes ||
      model.net.stacks().count != settings_.learner.stacks.count ||
      model.net.knows_fantasyland() != settings_.self_play.fantasyland_inputs)
    throw CheckpointError(
        fmt::format("{}: the layers differ from the config's 'learner.hidden_sizes', 'learner.layers_by_turn' and "
                    "'learner.fantasyland_inputs'",
                    file.name));
  const std::vector<std::int64_t> counts = load_chain_counts(file);
  const double players = game_->rules().players, played = static_cast<double>(hands());
  check_number(file, kProgress, seen_, 0, played * players);
  for (const std::int64_t count : counts)
    check_number(file, "trainer.chain_counts", count, 0, played * players * (players - 1));
  std::copy(counts.begin(), counts.end(), chain_counts_.begin());
  model_ = std::move(model);
  if (!model_.boards.empty()) rows_ = row_values_against(model_.boards, game_->rules().scoring.bonus);
}

}  // namespace dealer::ofc
