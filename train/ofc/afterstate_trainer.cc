#include "train/ofc/afterstate_trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "agents/ofc/value_agent.h"
#include "env/core/error.h"
#include "env/core/wall_seconds.h"

namespace dealer::ofc {
namespace {

constexpr std::size_t kSampledBoards = 1024;
constexpr int kTurnsOfAHand = 5;
// Of Adam: in single precision 1 less the decay must not be 0.
constexpr double kMostDecay = 1 - 1e-6;
constexpr std::uint64_t kBatchStream = 0x5f0ff1e, kBoardStream = 0xb0a2d5;

double ratio(std::int64_t a, std::int64_t b) { return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b); }

}  // namespace

TrainerSettings read_settings(Config& config) {
  TrainerSettings s;
  s.seed = static_cast<std::uint64_t>(config.get_int("seed", 1, 0));
  s.hands = config.get_int("hands", s.hands, 1, std::int64_t{1} << 40);
  s.workers = config.get_int<int>("workers", s.workers, 1, 256);
  Config play = config.section("self_play");
  s.self_play.tables = play.get_int<int>("tables", s.self_play.tables, 1, 1 << 16);
  s.turns_per_iteration = play.get_int<int>("turns_per_iteration", s.turns_per_iteration, 1, 1 << 16);
  s.self_play.lambda = play.get_double("lambda", s.self_play.lambda, 0, 1);
  s.self_play.last_turn_draws = play.get_int<int>("last_turn_draws", s.self_play.last_turn_draws, 0, 10'000);
  s.self_play.foul_cost = play.get_double("foul_cost", s.self_play.foul_cost, 0, 100);
  s.self_play.epsilon = play.get_double("epsilon", s.self_play.epsilon, 0, 1);
  s.self_play.temperature = play.get_double("temperature", s.self_play.temperature, 1e-3, 1e3);
  play.finish();
  Config player = config.section("player");
  s.caution = player.get_double("caution", s.caution, 0, kMaxCaution);
  player.finish();
  Config learner = config.section("learner");
  std::vector<std::int64_t> sizes = learner.get_ints("hidden_sizes", {256, 32}, 1, 1 << 14);
  if (sizes.empty() || sizes.size() > 8)
    throw ConfigError(
        fmt::format("{}: {} layers are not allowed; expected 1 to 8", learner.where("hidden_sizes"), sizes.size()));
  s.learner.hidden_sizes.assign(sizes.begin(), sizes.end());
  s.batch = learner.get_int<int>("batch", s.batch, 1, 1 << 20);
  s.epochs = learner.get_int<int>("epochs", s.epochs, 1, 100);
  s.learning_rate = learner.get_double("learning_rate", s.learning_rate, 0, 1);
  s.final_learning_rate = learner.get_double("final_learning_rate", s.final_learning_rate, 0, 1);
  if (!(s.learning_rate > 0 || s.final_learning_rate > 0))
    throw ConfigError(
        fmt::format("{}: 0 is not allowed, since nothing would be learned; expected a number above 0, at "
                    "most 1",
                    learner.where("learning_rate")));
  s.learner.auxiliary_weight = learner.get_double("auxiliary_weight", s.learner.auxiliary_weight, 0, 100);
  s.learner.ema_decay = learner.get_double("ema_decay", s.learner.ema_decay, 0, 1 - 1e-9);
  s.learner.beta1 = learner.get_double("beta1", s.learner.beta1, 0, kMostDecay);
  s.learner.beta2 = learner.get_double("beta2", s.learner.beta2, 0, kMostDecay);
  s.chain_rate = learner.get_double("chain_rate", s.chain_rate, 0, 1);
  learner.finish();
  s.learner.device = read_device(config);
  s.learner.workers = s.workers;
  s.learner.seed = derive(s.seed, 0);
  return s;
}

AfterstateTrainer::AfterstateTrainer(std::shared_ptr<const Game> game, const TrainerSettings& settings, Ranks& ranks)
    : game_(std::move(game)),
      settings_(settings),
      ranks_(ranks),
      tables_(settings.seed, settings.workers, ranks),
      learner_(settings.learner, ranks),
      pool_(settings.workers) {
  if (game_->rules().episode == Episode::kMatch)
    throw UsageError(fmt::format("cannot train on '{}': expected episode hand or chain", game_->spec()));
  for (int worker = 0; worker < settings.workers; ++worker) self_play_.push_back(make_self_play(worker));
  learner_.export_to(model_.net, true);
  model_.caution = settings_.caution;
}

std::unique_ptr<SelfPlay> AfterstateTrainer::make_self_play(int worker) const {
  SelfPlaySettings own = settings_.self_play;
  own.seed = tables_.seed(worker);
  return std::make_unique<SelfPlay>(game_, own);
}

// Cosine from the first to the last rate.
double AfterstateTrainer::learning_rate() const {
  const double progress = std::min(1.0, static_cast<double>(hands_) / static_cast<double>(settings_.hands));
  const double share = (1 + std::cos(M_PI * progress)) / 2;
  return settings_.final_learning_rate + (settings_.learning_rate - settings_.final_learning_rate) * share;
}

void AfterstateTrainer::iterate() {
  const double start = wall_seconds();
  figures_.learning_rate = learning_rate();
  play();
  const double played = wall_seconds();
  learn_chain_values();
  sample_boards();
  learn();
  figures_.act_seconds += played - start;
  figures_.learn_seconds += wall_seconds() - played;
  ++iterations_;
}

void AfterstateTrainer::play() {
  const FantasylandGoal goal{model_.chain.fantasyland(), &rows_, &game_->rules().scoring};
  pool_.run([&](int worker) {
    SelfPlay& own = *self_play_[static_cast<std::size_t>(worker)];
    own.clear();
    own.run(settings_.turns_per_iteration, model_, goal);
  });
  double dense = 0;
  for (const auto& layer : model_.net.dense()) dense += static_cast<double>(layer.weight.size());
  std::vector<SelfPlayCounts> own;
  for (const auto& self_play : self_play_) own.push_back(self_play->counts());
  for (const SelfPlayCounts& counts : ranks_.gather_lists(std::span<const SelfPlayCounts>(own))) {
    hands_ += counts.hands;
    figures_.counts.add(counts);
    figures_.dense_work += dense * static_cast<double>(counts.evaluations);
  }
}

// TD(0) on the table of between-hands values: means at first, then a running average. By all ranks' hands, in the order
// of their workers, as one rank of so many workers would.
void AfterstateTrainer::learn_chain_values() {
  std::vector<ChainStep> own;
  for (const auto& self_play : self_play_)
    own.insert(own.end(), self_play->chain_steps().begin(), self_play->chain_steps().end());
  for (const ChainStep& step : ranks_.gather_lists(std::span<const ChainStep>(own))) {
    const double next = step.last ? 0 : model_.chain(step.next_own, step.next_other, step.own_deals);
    double& value = model_.chain.at(step.own, step.other, step.own_deals);
    auto& count = chain_counts_[(step.own ? 4U : 0U) + (step.other ? 2U : 0U) + (step.own_deals ? 1U : 0U)];
    ++count;
    const double rate = std::max(1 / static_cast<double>(count), settings_.chain_rate);
    value += rate * (static_cast<double>(step.points) + next - value);
  }
}

// All ranks keep the same sample.
void AfterstateTrainer::sample_boards() {
  RandomStream rng(settings_.seed ^ kBoardStream, static_cast<std::uint64_t>(iterations_));
  std::vector<Board> own;
  for (const auto& self_play : self_play_)
    own.insert(own.end(), self_play->boards().begin(), self_play->boards().end());
  for (const Board& board : ranks_.gather_lists(std::span<const Board>(own))) {
    if (boards_seen_++ % 8 != 0) continue;
    if (model_.boards.size() < kSampledBoards)
      model_.boards.push_back(board);
    else
      model_.boards[rng.below(kSampledBoards)] = board;
  }
  if (!model_.boards.empty()) rows_ = row_values_against(model_.boards, game_->rules().scoring.bonus);
}

void AfterstateTrainer::learn() {
  std::vector<const Sample*> samples;
  for (const auto& own : self_play_)
    for (const Sample& sample : own->samples()) samples.push_back(&sample);
  const SharedBatches batches(ranks_.gather_values(samples.size()), ranks_.rank(),
                              static_cast<std::size_t>(settings_.batch), true);
  const auto rank = static_cast<std::uint64_t>(ranks_.rank());
  RandomStream rng(settings_.seed ^ kBatchStream ^ rank << 32, static_cast<std::uint64_t>(iterations_));
  const double rate = learning_rate();
  Losses losses;
  for (int epoch = 0; epoch < settings_.epochs; ++epoch) {
    for (std::size_t i = samples.size(); i > 1; --i)
      std::swap(samples[i - 1], samples[rng.below(static_cast<std::uint32_t>(i))]);
    for (std::size_t b = 0; b < batches.count(); ++b) {
      const std::size_t begin = batches.begin(b), end = batches.end(b);
      losses.add(learner_.update(std::span(samples).subspan(begin, end - begin), batches.size(b), rate));
      figures_.dense_work += learner_.dense_work() * static_cast<double>(batches.size(b));
      ++figures_.updates;
    }
  }
  learner_.export_to(model_.net, true);
  struct Part {
    Losses losses;
    std::uint32_t weights;
  };
  const std::vector<Part> parts = ranks_.gather_values(Part{losses, ranks_.several() ? learner_.checksum() : 0});
  for (std::size_t r = 0; r < parts.size(); ++r) {
    check_weights(ranks_, static_cast<int>(r), parts[0].weights, parts[r].weights);
    figures_.losses.add(parts[r].losses);
  }
}

TrainerFigures AfterstateTrainer::take_figures() {
  TrainerFigures figures = figures_;
  figures_ = {};
  return figures;
}

TrainerReport AfterstateTrainer::take_report() {
  const TrainerFigures figures = take_figures();
  const SelfPlayCounts& counts = figures.counts;
  const auto updates = static_cast<double>(std::max<std::int64_t>(1, figures.updates));
  const double fouls = ratio(counts.fouls, counts.seats_normal), entries = ratio(counts.entries, counts.seats_normal);
  const double royalties = ratio(counts.royalties_normal, counts.seats_normal);
  const double busy = figures.act_seconds + figures.learn_seconds;
  return {
      {{"loss/value", figures.losses.value / updates},
       {"loss/foul", figures.losses.foul / updates},
       {"loss/fantasyland", figures.losses.fantasyland / updates},
       {"learning_rate", figures.learning_rate},
       {"self_play/foul_rate", fouls},
       {"self_play/fantasyland_rate", entries},
       {"self_play/fantasyland_stay_rate", ratio(counts.stays, counts.seats_fantasyland)},
       {"self_play/royalties_normal", royalties},
       {"self_play/royalties_fantasyland", ratio(counts.royalties_fantasyland, counts.seats_fantasyland)},
       {"value/fantasyland", model_.chain.fantasyland()}},
      {{"speed/hands_per_second", static_cast<double>(counts.hands) / busy},
       {"speed/self_play_share", figures.act_seconds / busy},
       {"speed/learning_share", figures.learn_seconds / busy},
       {"speed/matrix_gflops", 2e-9 * figures.dense_work / busy}},
      {{"foul", fouls}, {"fantasyland", entries}, {"royalties", royalties}},
  };
}

std::vector<std::pair<std::string, AgentFactoryPtr>> AfterstateTrainer::agents() const {
  return {{"", make_value_agents("trained", std::make_shared<const ValueModel>(model_), game_)}};
}

nlohmann::json AfterstateTrainer::result() const { return {{"fantasyland_value", model_.chain.fantasyland()}}; }

std::string AfterstateTrainer::summary() const {
  return fmt::format("Fantasyland is worth {:.2f} points", model_.chain.fantasyland());
}

TensorFile AfterstateTrainer::save_model() const {
  TensorFile file;
  store(model_, file);
  file.metadata["rules"] = game_->id().rules;
  return file;
}

TensorFile AfterstateTrainer::save() const {
  TensorFile file = save_model();
  learner_.save(file);
  std::vector<std::string> tables;
  for (const auto& self_play : self_play_) {
    const std::vector<std::uint8_t> bytes = self_play->save();
    tables.emplace_back(bytes.begin(), bytes.end());
  }
  tables_.save(tables, file);
  file.tensors["trainer.chain_counts"] = {{8}, std::vector<std::int64_t>(chain_counts_.begin(), chain_counts_.end())};
  file.tensors["trainer.progress"] = {{3}, std::vector<std::int64_t>{hands_, iterations_, boards_seen_}};
  return file;
}

// What settings and iterations leave possible: any other number might never come to an end.
void AfterstateTrainer::check_progress(const std::string& file, const std::vector<std::int64_t>& progress,
                                       const std::vector<std::int64_t>& counts) const {
  const auto check = [&](const char* what, std::int64_t number, double low, double high) {
    if (static_cast<double>(number) < low || static_cast<double>(number) > high)
      throw CheckpointError(fmt::format("{}: tensor '{}' holds {}; expected {:.0f} to {:.0f} by the config", file, what,
                                        number, low, high));
  };
  const int players = game_->rules().players;
  // There may have been other numbers of ranks.
  const double fewest =
      settings_.self_play.tables * (tables_.most_workers() == settings_.workers ? settings_.workers : 1);
  const double most = static_cast<double>(tables_.most_workers()) * settings_.self_play.tables;
  const char* const name = "trainer.progress";
  // An iteration never plays less than one hand in so many turns, nor more than one a turn.
  const int longest = kTurnsOfAHand * players;
  check(name, progress[1], 0, static_cast<double>(settings_.hands) * longest + 1);
  const double turns = static_cast<double>(progress[1]) * settings_.turns_per_iteration;
  check(name, progress[0], fewest * std::floor(turns / longest), most * turns);
  const auto hands = static_cast<double>(progress[0]);
  check(name, progress[2], 0, hands * players);
  for (const std::int64_t count : counts) check("trainer.chain_counts", count, 0, hands * players * (players - 1));
}

void AfterstateTrainer::load(const TensorFile& file) {
  ValueModel model = load_value_model(file);
  if (model.net.hidden_sizes() != settings_.learner.hidden_sizes)
    throw CheckpointError(fmt::format("{}: the layers are other than the config's 'learner.hidden_sizes'", file.name));
  learner_.load(file);
  const auto& counts = file.get<std::int64_t>("trainer.chain_counts", {8});
  const auto& progress = file.get<std::int64_t>("trainer.progress", {3});
  const std::vector<std::string> tables = tables_.load(file, progress[1]);
  for (std::size_t w = 0; w < self_play_.size(); ++w) {
    self_play_[w] = make_self_play(static_cast<int>(w));
    if (tables[w].empty()) continue;
    try {
      self_play_[w]->load({reinterpret_cast<const std::uint8_t*>(tables[w].data()), tables[w].size()});
    } catch (const CheckpointError& error) {
      throw CheckpointError(fmt::format("{}: {}", file.name, error.what()));
    }
  }
  check_progress(file.name, progress, counts);
  std::copy(counts.begin(), counts.end(), chain_counts_.begin());
  hands_ = progress[0];
  iterations_ = progress[1];
  boards_seen_ = progress[2];
  model_ = std::move(model);
  if (!model_.boards.empty()) rows_ = row_values_against(model_.boards, game_->rules().scoring.bonus);
}

std::unique_ptr<Trainer> make_afterstate_trainer(Config& config, const GamePtr& game, Ranks& ranks) {
  auto ofc = std::dynamic_pointer_cast<const Game>(game);
  if (!ofc) throw UsageError(fmt::format("algorithm 'afterstate_td' learns ofc, not '{}'", game->spec()));
  return std::make_unique<AfterstateTrainer>(std::move(ofc), read_settings(config), ranks);
}

}  // namespace dealer::ofc
