#include "train/train.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "agents/agent_registry.h"
#include "agents/nn/checkpoints.h"
#include "env/core/config.h"
#include "env/core/error.h"
#include "env/core/files.h"
#include "env/core/memory.h"
#include "env/core/registry.h"
#include "env/core/wall_seconds.h"
#include "train/agreement.h"
#include "train/best_model.h"
#include "train/compute.h"
#include "train/divergence.h"
#include "train/interrupt.h"
#include "train/job_settings.h"
#include "train/metrics.h"
#include "train/progress.h"
#include "train/run_evaluation.h"
#include "train/run_folder.h"
#include "train/run_writers.h"
#include "train/strength.h"
#include "train/time_budget.h"
#include "train/trainer.h"

namespace dealer {
namespace {

TimeBudget read_budget(Config& config, const std::function<double()>& clock) {
  Config section = config.section("budget");
  TimeBudget budget(section, clock);
  section.finish();
  return budget;
}

std::unique_ptr<Trainer> make_trainer(Config& config, const JobSettings& job, Ranks& ranks) {
  std::unique_ptr<Trainer> trainer = read_algorithm(config).make(config, job.game, ranks);
  config.finish();
  return trainer;
}

// Set in a checkpoint once the final results are in metrics.jsonl and the model is written.
constexpr const char* kFinished = "finished";

constexpr double kMemoryWorthALine = 1e9;  // bytes

bool crossed(std::int64_t before, std::int64_t after, std::int64_t every) { return before / every != after / every; }

// One training job from its config to its result. All ranks do the same, but only rank 0 has a run folder.
class Job {
 public:
  // Rejects invalid settings before anything is written.
  Job(Config& config, const TrainRequest& request, const Evaluations& evaluations, Ranks& ranks)
      : settings_(read_job(config, evaluations, !request.resume.empty())),
        budget_(read_budget(config, request.clock)),
        evaluation_(settings_, evaluations, request.against_default),
        quiet_(request.quiet || !ranks.writes()),
        evaluated_(request.evaluated),
        ranks_(ranks),
        trainer_(make_trainer(config, settings_, ranks)),
        most_hands_(trainer_->hands_to_play()),
        config_(config.settings()) {
    check_agreement(ranks, config, *settings_.game);
  }

  const JobSettings& settings() const { return settings_; }

  std::int64_t most_hands() const { return most_hands_; }

  std::string measure() const { return evaluation_.final_measure(); }

  // Resumes from the newest checkpoint, if there is one.
  TrainOutcome resume(RunFolder* run) {
    if (const auto checkpoint = newest_checkpoint(run)) {
      trainer_->load(checkpoint->content);
      if (trainer_->iterations() != checkpoint->step)
        throw CheckpointError(fmt::format("{}: the file is of step {}, but tensor 'trainer.progress' of step {}",
                                          checkpoint->content.name, checkpoint->step, trainer_->iterations()));
      saved_ = checkpoint->step;
      unevaluated_ = read_unevaluated(checkpoint->content);
      budget_.load(checkpoint->content.metadata, checkpoint->content.name);
      trainer_->set_hands_to_play(budget_.planned(most_hands_));
      const auto& metadata = checkpoint->content.metadata;
      // A larger `hands`, edited into config.yaml since, continues the training.
      if (over() && metadata.find(kFinished) != metadata.end()) {
        TrainOutcome outcome = outcome_of(run);
        outcome.was_finished = true;
        outcome.result = {{"hands", trainer_->hands()}};
        if (run != nullptr) outcome.result["model"] = model_path(*run).string();
        return outcome;
      }
      if (run != nullptr) run->log()->info("resumed after {} hands", trainer_->hands());
    } else {
      trainer_->begin();
    }
    return train(run);
  }

  void begin() { trainer_->begin(); }

  TrainOutcome train(RunFolder* run) {
    const double start = wall_seconds();
    if (run != nullptr) {
      log_versions(*run);
      if (trainer_->memory() >= kMemoryWorthALine)
        run->log()->warn("self-play takes about {} of memory", memory_text(trainer_->memory()));
      if (ranks_.several()) run->log()->info("{} ranks, sums on the processor by {}", ranks_.size(), ranks_.sums_by());
    }
    hands_ = trainer_->hands();
    folder_ = ranks_.from_first(run != nullptr ? run->path().string() : "");
    const ExitMessageGuard exit_message(ranks_, folder_, run, hands_);
    std::optional<RunWriters> writers;
    if (run != nullptr) {
      writers.emplace(*run, trainer_->iterations() > 0 ? std::optional(trainer_->hands()) : std::nullopt,
                      settings_.ships_best);
      writers->describe(settings_.opponents, config_);
      for (const MetricLine& line : read_metrics(run->path())) strength_.add(line.metrics);
    }
    writers_ = writers ? &*writers : nullptr;
    // torchrun sets RANK even for a single rank.
    const InterruptGuard guard(ranks_.several() || std::getenv("RANK") != nullptr);
    TrainOutcome outcome = outcome_of(run);
    {
      // Progress of a training with a time limit.
      const bool timed = budget_.limited();
      Progress progress("training " + settings_.game->spec(), timed ? std::llround(budget_.seconds()) : most_hands_,
                        ProgressOptions::standard(timed ? "seconds" : "hands", quiet_),
                        timed ? std::llround(budget_.used()) : trainer_->hands());
      progress.note(strength_.text());
      while (!over() && !asked_to_stop()) step(progress);
      progress.finish();
    }
    TensorFile state = trainer_->save();
    if (writers_ != nullptr) write_checkpoint(state);
    outcome.interrupted = !over() || !together(writers_ == nullptr || finish(std::move(state), outcome.result));
    outcome.summary = trainer_->summary();
    outcome.seconds = wall_seconds() - start;
    // The signal, from whichever rank received it.
    if (outcome.interrupted) asked_to_stop();
    writers_ = nullptr;
    return outcome;
  }

 private:
  using Figures = std::vector<Metric>;

  // While it lives, a rank that ends because of another one reports the progress.
  struct ExitMessageGuard {
    ExitMessageGuard(Ranks& all, const std::string& path, RunFolder* run, const std::atomic<std::int64_t>& hands)
        : ranks(all) {
      const auto log = run == nullptr ? nullptr : run->log();
      ranks.set_exit_message([path, log, &hands](const std::string& what) {
        std::string line = fmt::format("{}; stopped after {} hands; continue with: dealer train --resume {}", what,
                                       hands.load(), path);
        if (log) log->info(line);
        return line;
      });
    }
    ~ExitMessageGuard() { ranks.set_exit_message(nullptr); }
    ExitMessageGuard(const ExitMessageGuard&) = delete;
    ExitMessageGuard& operator=(const ExitMessageGuard&) = delete;
    Ranks& ranks;
  };

  TrainOutcome outcome_of(const RunFolder* run) const {
    return {
        run != nullptr ? run->path() : std::filesystem::path(), false, false, ranks_.rank(), {}, {}, settings_.game};
  }

  bool over() const { return trainer_->done() && unevaluated_.empty(); }

  // All ranks stop if one of them received a signal. Signals after this exchange count at the next one.
  bool asked_to_stop() const {
    bool asked = false;
    for (const int signal : ranks_.gather_values(InterruptGuard::signal())) {
      if (signal == 0) continue;
      InterruptGuard::request(signal);
      asked = true;
    }
    return asked;
  }

  // By rank 0's clock.
  void keep_to_budget() {
    if (!budget_.limited()) return;
    const std::int64_t own = budget_.hands_that_fit(trainer_->hands(), most_hands_);
    const std::int64_t all = std::stoll(ranks_.from_first(std::to_string(own)));
    if (all != trainer_->hands_to_play() && writers_ != nullptr)
      writers_->run.log()->info("{} hands: {} fit into {} s", trainer_->hands(), all, budget_.seconds());
    trainer_->set_hands_to_play(all);
  }

  // Rank 0's value.
  bool together(bool own) const { return ranks_.from_first(own ? "yes" : "no") == "yes"; }

  // Rank 0 reads the file and broadcasts it, since the others may not have access to it.
  std::optional<Checkpoint> newest_checkpoint(RunFolder* run) const {
    std::optional<Checkpoint> checkpoint;
    if (run != nullptr) checkpoint = run->resume();
    if (!ranks_.several()) return checkpoint;
    const std::string name = ranks_.from_first(checkpoint ? checkpoint->content.name : "");
    const std::string bytes = ranks_.from_first(checkpoint ? read_file(name) : "");
    if (run != nullptr || name.empty()) return checkpoint;
    checkpoint = {0, parse_safetensors(bytes, name)};
    checkpoint->step = std::stoll(checkpoint->content.meta("step"));
    return checkpoint;
  }

  void step(Progress& progress) {
    if (!unevaluated_.empty()) {
      Figures line = unevaluated_;
      if (!together(writers_ == nullptr || evaluation_.add(*trainer_, writers_->run, writers_->best, line))) return;
      if (writers_ != nullptr) record(line, true);
      progress.note(strength_.text());
      unevaluated_.clear();
      save_checkpoint();
      return;
    }
    const std::int64_t before = trainer_->hands();
    try {
      trainer_->iterate();
    } catch (const DivergenceError& error) {
      diverged(error.what());
    }
    hands_ = trainer_->hands();
    keep_to_budget();
    const TrainerReport report = trainer_->take_report();
    // For learners that do not check their metrics themselves.
    for (const auto& [name, value] : report.metrics)
      if ((name.starts_with("loss/") || name == "gradient_norm") && !std::isfinite(value))
        diverged(fmt::format("{} is {} in iteration {}", name, not_finite_text(value), trainer_->iterations()));
    Figures line = {{"hands", static_cast<double>(trainer_->hands())}};
    line.insert(line.end(), report.metrics.begin(), report.metrics.end());
    const bool evaluated = crossed(before, trainer_->hands(), settings_.evaluate_every);
    if (evaluated) {
      unevaluated_ = line;
      if (!together(writers_ == nullptr || evaluation_.add(*trainer_, writers_->run, writers_->best, line))) return;
      unevaluated_.clear();
    }
    if (writers_ != nullptr) {
      record(line, evaluated);
      // Timings differ from run to run, so they stay out of metrics.jsonl.
      writers_->events.scalars(trainer_->hands(), report.timings);
    }
    progress.note(strength_.text());
    progress.update(budget_.limited() ? std::llround(budget_.used()) : trainer_->hands(), report.live);
    if (crossed(before, trainer_->hands(), settings_.checkpoint_every)) save_checkpoint();
  }

  void record(std::span<const Metric> line, bool evaluated) {
    writers_->metrics.record(trainer_->iterations(), trainer_->hands(), line);
    strength_.add(line);
    if (evaluated && evaluated_) evaluated_(writers_->run.path());
  }

  static std::filesystem::path model_path(const RunFolder& run) { return run.path() / "model.safetensors"; }

  void save_checkpoint() {
    TensorFile file = trainer_->save();
    if (writers_ != nullptr) write_checkpoint(std::move(file));
    saved_ = trainer_->iterations();
  }

  // Ends the run: later results would be lost, and nothing more is written. The text is the same on all ranks.
  [[noreturn]] void diverged(const std::string& what) const {
    const std::filesystem::path run(folder_);
    const std::string line = fmt::format(
        "{}, after {} hands: the learner has diverged and the run ends; try {}; {}", what, trainer_->hands(),
        trainer_->divergence_advice(),
        saved_ ? fmt::format("the last good checkpoint is {}: change {} and continue with: dealer train --resume {}",
                             checkpoint_path(run, *saved_).string(), (run / "config.yaml").string(), folder_)
               : fmt::format("no checkpoint had been saved in {}", folder_));
    if (writers_ != nullptr) writers_->run.log()->info(line);
    throw DivergenceError(line);
  }

  void write_checkpoint(TensorFile file) {
    if (const auto tensor = tensor_not_finite(file))
      diverged(fmt::format("tensor '{}' of the checkpoint holds a number that is not finite", *tensor));
    file.metadata["config_game"] = settings_.game->spec();
    budget_.save(file.metadata);
    if (!unevaluated_.empty()) save_unevaluated(unevaluated_, file);
    writers_->run.save_checkpoint(trainer_->iterations(), std::move(file), settings_.checkpoints_kept);
  }

  // False when it was interrupted. Safe against a kill at any moment: the checkpoint before it is not marked, so all
  // this is repeated.
  bool finish(TensorFile state, nlohmann::json& result) {
    result = trainer_->result();
    TensorFile file = trainer_->save_model();
    file.metadata["hands"] = std::to_string(trainer_->hands());
    AgentFactoryPtr agent = trainer_->agents().front().second;
    std::optional<double> distance = evaluation_.exploitability(agent);
    if (std::optional<BestModel>& best = writers_->best; best && distance) {
      best->offer(file, trainer_->hands(), *distance);
      file = best->read();
      distance = best->exploitability();
      agent = make_agents_of_file(best->path(), settings_.game);
      result["model_hands"] = best->hands();
    }
    write_safetensors(model_path(writers_->run), file);
    std::vector<Metric> line = {{"hands", static_cast<double>(trainer_->hands())}};
    result["hands"] = trainer_->hands();
    result["model"] = model_path(writers_->run).string();
    result["unit"] = settings_.game->unit();
    if (distance) {
      result["exploitability"] = *distance;
      line.emplace_back("final/exploitability", *distance);
      writers_->run.log()->info("final: exploitability {:.5f} {}", *distance, settings_.game->unit());
    }
    if (!evaluation_.add_final(agent, writers_->run, result, line)) return false;
    record(line, true);
    state.metadata[kFinished] = "1";
    write_checkpoint(std::move(state));
    return true;
  }

  JobSettings settings_;
  TimeBudget budget_;
  RunWriters* writers_ = nullptr;  // rank 0's, while it trains
  RunEvaluation evaluation_;
  bool quiet_;
  std::function<void(const std::filesystem::path&)> evaluated_;
  Ranks& ranks_;
  std::unique_ptr<Trainer> trainer_;
  std::int64_t most_hands_;  // the key `hands`
  std::vector<std::pair<std::string, std::string>> config_;
  Strength strength_;
  std::string folder_;                 // on all ranks
  std::optional<std::int64_t> saved_;  // the step of the newest checkpoint
  // Metrics of the last step, when its evaluation was interrupted: recorded with the evaluation after resumption.
  Figures unevaluated_;
  std::atomic<std::int64_t> hands_{0};
};

TrainOutcome resume_training(const TrainRequest& request, const Evaluations& evaluations, Ranks& ranks) {
  const auto is_hands = [](const std::string& word) { return word.starts_with("hands="); };
  if (!request.config.empty() || !std::ranges::all_of(request.overrides, is_hands))
    throw UsageError("a resumed run keeps its config; expected nothing beside --resume, or hands=N to go on longer");
  std::optional<RunFolder> run;
  if (ranks.writes()) run = RunFolder::open(request.resume);
  const std::string name = ranks.from_first(run ? run->config_path().string() : "");
  const std::string text = ranks.from_first(run ? read_file(name) : "");
  Config config = Config::parse(text, name);
  expect_config("training config", config, name);
  const std::int64_t hands = Config::parse(text, name).get_int("hands", 0);
  for (const std::string& assignment : request.overrides) config.set(assignment);
  Job job(config, request, evaluations, ranks);
  if (job.most_hands() < hands)
    throw UsageError(fmt::format("hands={} is less than the {} of the run; expected more, to go on longer",
                                 job.most_hands(), hands));
  // The comment names the program and libraries.
  if (run && !request.overrides.empty())
    write_file(run->config_path(), text.substr(0, text.starts_with('#') ? text.find('\n') + 1 : 0) + config.resolved());
  return job.resume(run ? &*run : nullptr);
}

Config config_of_new_run(const TrainRequest& request) {
  Config config = Config::load(request.config, "configs/train");
  expect_config("training config", config, request.config.string());
  if (!config.has("algorithm"))
    throw ConfigError(fmt::format("{}: the key 'algorithm' is missing; expected a training config: algorithm: {}",
                                  request.config.string(), fmt::join(algorithm_names(), " or ")));
  for (const std::string& assignment : request.overrides) config.set(assignment);
  return config;
}

TrainOutcome begin_training(const TrainRequest& request, const Evaluations& evaluations, Ranks& ranks) {
  Config config = config_of_new_run(request);
  Job job(config, request, evaluations, ranks);
  job.begin();
  if (!ranks.writes()) return job.train(nullptr);
  RunFolder run = request.out.empty() ? RunFolder::create(request.runs, job.settings().name, signed_config(config))
                                      : RunFolder::create_at(request.out, signed_config(config));
  return job.train(&run);
}

}  // namespace

TrainOutcome run_training(const TrainRequest& request, const Evaluations& evaluations, Ranks& ranks) {
  prepare_compute();
  try {
    return request.resume.empty() ? begin_training(request, evaluations, ranks)
                                  : resume_training(request, evaluations, ranks);
  } catch (const Error& error) {
    ranks.fail(error.what(), error.exit_status());
    throw;
  } catch (const std::exception& error) {
    ranks.fail(error.what(), 1);
    throw;
  }
}

TrainingPlan check_training(const TrainRequest& request, const Evaluations& evaluations) {
  prepare_compute();
  Config config = config_of_new_run(request);
  Job job(config, request, evaluations, single_rank());
  job.begin();
  return {job.settings().game, job.most_hands(), job.measure(), config.resolved()};
}

}  // namespace dealer
