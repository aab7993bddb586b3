#include "train/afterstate/afterstate_trainer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "env/core/error.h"
#include "env/core/memory.h"
#include "env/core/wall_seconds.h"

namespace dealer {
namespace {

// Adam's: in single precision 1 less the decay must not be 0.
constexpr double kMostDecay = 1 - 1e-6;
constexpr std::uint64_t kBatchStream = 0x5f0ff1e;

double expect_memory_for(const AfterstateSettings& s, std::size_t table_bytes, std::size_t turn_bytes) {
  const double of_table =
      static_cast<double>(table_bytes) + static_cast<double>(s.turns_per_iteration) * static_cast<double>(turn_bytes);
  const double bytes = static_cast<double>(s.workers) * s.tables * of_table;
  expect_memory(bytes,
                fmt::format("self-play by {} workers with {} tables of {} turns each", s.workers, s.tables,
                            s.turns_per_iteration),
                "fewer workers, self_play.tables or self_play.turns_per_iteration need less");
  return bytes;
}

}  // namespace

void read_settings(Config& config, Config& self_play, Config& learner, AfterstateSettings& s) {
  s.seed = static_cast<std::uint64_t>(config.get_int("seed", static_cast<std::int64_t>(s.seed), 0));
  s.hands = config.get_int("hands", s.hands, 1, std::int64_t{1} << 40);
  s.start = config.get_string("start", "");
  s.workers = config.get_int<int>("workers", s.workers, 1, 256);
  s.tables = self_play.get_int<int>("tables", s.tables, 1, 1 << 16);
  s.turns_per_iteration = self_play.get_int<int>("turns_per_iteration", s.turns_per_iteration, 1, 1 << 16);
  s.lambda = self_play.get_double("lambda", s.lambda, 0, 1);
  s.epsilon = self_play.get_double("epsilon", s.epsilon, 0, 1);
  s.final_epsilon = self_play.get_double("final_epsilon", s.epsilon, 0, 1);
  s.temperature = self_play.get_double("temperature", s.temperature, 1e-3, 1e3);
  s.opponents = self_play.get_strings("opponents", {});
  s.opponent_share = self_play.get_double("opponent_share", s.opponents.empty() ? 0 : 0.25, 0, 1);
  const std::vector<std::int64_t> usual(s.learner.hidden_sizes.begin(), s.learner.hidden_sizes.end());
  const std::vector<std::int64_t> sizes = learner.get_ints("hidden_sizes", usual, 1, 1 << 14);
  if (sizes.empty() || sizes.size() > 8)
    throw ConfigError(
        fmt::format("{}: {} layers are not allowed; expected 1 to 8", learner.where("hidden_sizes"), sizes.size()));
  s.learner.hidden_sizes.assign(sizes.begin(), sizes.end());
  s.batch = learner.get_int<int>("batch", s.batch, 1, 1 << 20);
  s.epochs = learner.get_int<int>("epochs", s.epochs, 1, 100);
  s.learning_rate = learner.get_double("learning_rate", s.learning_rate, 0, 1);
  s.final_learning_rate = learner.get_double("final_learning_rate", s.final_learning_rate, 0, 1);
  if (s.weights_stay() && (!s.weights_may_stay || s.start.empty()))
    throw ConfigError(
        fmt::format("{}: 0 is not allowed{}, since nothing would be learned; expected a number above 0, at "
                    "most 1",
                    learner.where("learning_rate"), s.weights_may_stay ? " without start" : ""));
  s.learner.ema_decay = learner.get_double("ema_decay", s.learner.ema_decay, 0, 1 - 1e-9);
  s.learner.beta1 = learner.get_double("beta1", s.learner.beta1, 0, kMostDecay);
  s.learner.beta2 = learner.get_double("beta2", s.learner.beta2, 0, kMostDecay);
  s.learner.device = read_device(config);
  s.learner.workers = s.workers;
  s.learner.seed = derive(s.seed, 0);
}

AfterstateTrainer::AfterstateTrainer(const AfterstateSettings& settings, int longest_hand, std::size_t table_bytes,
                                     std::size_t turn_bytes, Ranks& ranks)
    : settings_(settings),
      longest_hand_(longest_hand),
      memory_(expect_memory_for(settings, table_bytes, turn_bytes)),
      ranks_(ranks),
      tables_(settings.seed, settings.workers, ranks),
      learner_(settings.learner, ranks),
      play_work_(learner_.weights(true).dense_work()),
      pool_(settings.workers) {}

double AfterstateTrainer::now(double first, double last, Schedule::Shape shape) const {
  return Schedule{first, last, shape}.at(static_cast<double>(hands_) / static_cast<double>(settings_.hands), 0);
}

void AfterstateTrainer::begin() {
  if (settings_.start.empty()) return;
  const SparseNet net = start_from(read_safetensors(start_file("start", settings_.start)));
  const std::vector<int> widths = net.hidden_sizes();
  if (!std::ranges::equal(widths, settings_.learner.hidden_sizes, std::less_equal()))
    throw ConfigError(
        fmt::format("start: the network in {} has layers of {}; expected as many in learner.hidden_sizes, "
                    "each at least as wide, got {}",
                    settings_.start, fmt::join(widths, ", "), fmt::join(settings_.learner.hidden_sizes, ", ")));
  learner_.start_from(net);
  set_weights(weights());
}

void AfterstateTrainer::iterate() {
  const double start = wall_seconds();
  figures_.learning_rate = learning_rate();
  std::vector<AfterstatePlay> own(static_cast<std::size_t>(settings_.workers));
  const int turns = turns_to_play();
  pool_.run([&](int worker) { own[static_cast<std::size_t>(worker)] = play(worker, turns); });
  for (const AfterstatePlay& played : ranks_.gather_lists(std::span<const AfterstatePlay>(own))) {
    hands_ += played.hands;
    figures_.hands += played.hands;
    figures_.dense_work += play_work_ * static_cast<double>(played.evaluations);
  }
  const double played = wall_seconds();
  after_play();
  learn();
  figures_.act_seconds += played - start;
  figures_.learn_seconds += wall_seconds() - played;
  ++iterations_;
}

// At most the number in which every table is certain to finish its share of the remaining hands.
int AfterstateTrainer::turns_to_play() const {
  const std::int64_t tables = tables_.workers() * settings_.tables;
  const std::int64_t share = std::max<std::int64_t>(0, settings_.hands - hands_ - 1) / tables + 1;
  return static_cast<int>(std::min<std::int64_t>(settings_.turns_per_iteration, share * longest_hand_));
}

void AfterstateTrainer::learn() {
  if (settings_.weights_stay()) return;
  std::vector<const TdSample*> all;
  for (int worker = 0; worker < settings_.workers; ++worker)
    for (const TdSample& sample : samples(worker)) all.push_back(&sample);
  const SharedBatches batches(ranks_.gather_values(all.size()), ranks_.rank(),
                              static_cast<std::size_t>(settings_.batch), true);
  const auto rank = static_cast<std::uint64_t>(ranks_.rank());
  RandomStream rng(settings_.seed ^ kBatchStream ^ rank << 32, static_cast<std::uint64_t>(iterations_));
  const double rate = learning_rate();
  struct Part {
    TdLosses losses;
    std::uint32_t weights;
  };
  Part own{};
  for (int epoch = 0; epoch < settings_.epochs; ++epoch) {
    for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[rng.below(static_cast<std::uint32_t>(i))]);
    for (std::size_t b = 0; b < batches.count(); ++b) {
      const std::size_t begin = batches.begin(b), end = batches.end(b);
      const TdLosses losses = learner_.update(std::span(all).subspan(begin, end - begin), batches.size(b), rate);
      for (std::size_t k = 0; k < losses.size(); ++k) own.losses[k] += losses[k];
      figures_.dense_work += learner_.dense_work() * static_cast<double>(batches.size(b));
      ++figures_.updates;
    }
  }
  set_weights(weights());
  if (ranks_.several()) own.weights = learner_.checksum();
  const std::vector<Part> parts = ranks_.gather_values(own);
  for (std::size_t r = 0; r < parts.size(); ++r) {
    check_weights(ranks_, static_cast<int>(r), parts[0].weights, parts[r].weights);
    for (std::size_t k = 0; k < own.losses.size(); ++k) figures_.losses[k] += parts[r].losses[k];
  }
}

TrainerReport AfterstateTrainer::take_report() {
  const AfterstateFigures figures = take_figures();
  const auto updates = static_cast<double>(std::max<std::int64_t>(1, figures.updates));
  const double busy = figures.act_seconds + figures.learn_seconds;
  TrainerReport report;
  const std::vector<TdOutput>& outputs = settings_.learner.outputs;
  for (std::size_t k = 0; k < outputs.size(); ++k)
    if (!outputs[k].name.empty()) report.metrics.emplace_back("loss/" + outputs[k].name, figures.losses[k] / updates);
  report.metrics.emplace_back("learning_rate", figures.learning_rate);
  report.timings = {{"speed/hands_per_second", static_cast<double>(figures.hands) / busy},
                    {"speed/self_play_share", figures.act_seconds / busy},
                    {"speed/learning_share", figures.learn_seconds / busy},
                    {"speed/matrix_gflops", 2e-9 * figures.dense_work / busy}};
  add_report(report);
  return report;
}

TensorFile AfterstateTrainer::save() const {
  TensorFile file = save_model();
  learner_.save(file);
  std::vector<std::string> tables;
  for (int worker = 0; worker < settings_.workers; ++worker) tables.push_back(save_tables(worker));
  tables_.save(tables, file);
  save_more(file);
  file.tensors[kProgress] = {{3}, std::vector<std::int64_t>{hands_, iterations_, seen_}};
  return file;
}

void AfterstateTrainer::check_number(const TensorFile& file, const char* tensor, std::int64_t number, double low,
                                     double high) {
  if (static_cast<double>(number) < low || static_cast<double>(number) > high)
    throw CheckpointError(fmt::format("{}: tensor '{}' holds {}; expected {:.0f} to {:.0f} by the config", file.name,
                                      tensor, number, low, high));
}

// Bounds that follow from settings and iterations: a number beyond them might never come to an end.
void AfterstateTrainer::check_progress(const TensorFile& file, const std::vector<std::int64_t>& progress) const {
  // The number of ranks may have changed.
  const double fewest = settings_.tables * (tables_.most_workers() == settings_.workers ? settings_.workers : 1);
  const double most = static_cast<double>(tables_.most_workers()) * settings_.tables;
  // A table ends a hand within this many turns, and at most one per turn. Iterations at the end of a training, which
  // may have been extended, can be as short as one hand.
  check_number(file, kProgress, progress[1], 0, static_cast<double>(settings_.hands) * longest_hand_ + 1);
  const double turns = static_cast<double>(progress[1]) * settings_.turns_per_iteration;
  const double least = static_cast<double>(progress[1]) * std::min(settings_.turns_per_iteration, longest_hand_);
  check_number(file, kProgress, progress[0], fewest * std::floor(least / longest_hand_), most * turns);
}

void AfterstateTrainer::load(const TensorFile& file) {
  const std::vector<std::int64_t>& progress = file.get<std::int64_t>(kProgress, {3});
  learner_.load(file);
  const std::vector<std::string> tables = tables_.load(file, progress[1]);
  for (int worker = 0; worker < settings_.workers; ++worker) try {
      load_tables(worker, tables[static_cast<std::size_t>(worker)]);
    } catch (const CheckpointError& error) {
      throw CheckpointError(fmt::format("{}: {}", file.name, error.what()));
    }
  check_progress(file, progress);
  hands_ = progress[0];
  iterations_ = progress[1];
  seen_ = progress[2];
  load_more(file);
  set_weights(weights());
}

}  // namespace dealer
