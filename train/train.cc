#include "train/train.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "agents/ofc/value_agent.h"
#include "env/core/config.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/core/version.h"
#include "train/backend_info.h"
#include "train/compute.h"
#include "train/interrupt.h"
#include "train/metrics.h"
#include "train/ofc/afterstate_trainer.h"
#include "train/progress.h"
#include "train/run_folder.h"

namespace dealer {
namespace {

struct JobSettings {
  std::string name;
  std::string game;
  ofc::TrainerSettings trainer;
  std::int64_t checkpoint_every = 0;
  std::size_t checkpoints_kept = 0;
  std::int64_t evaluate_every = 0;
  int evaluation_deals = 0, final_deals = 0;
  std::vector<std::string> opponents;
};

JobSettings read_job(Config& config) {
  JobSettings job;
  config.get_choice("algorithm", "afterstate_td", {"afterstate_td"});
  job.name = config.get_string("name", "ofc");
  job.game = config.get_string("game", "ofc");
  job.trainer = ofc::read_settings(config);
  Config checkpoint = config.section("checkpoint");
  job.checkpoint_every = checkpoint.get_int("every_hands", 200'000, 1);
  job.checkpoints_kept = static_cast<std::size_t>(checkpoint.get_int("keep", 3, 1, 1000));
  checkpoint.finish();
  Config evaluation = config.section("evaluation");
  job.evaluate_every = evaluation.get_int("every_hands", 200'000, 1);
  job.evaluation_deals = evaluation.get_int<int>("deals", 500, 0, 10'000'000);
  job.final_deals = evaluation.get_int<int>("final_deals", 2000, 0, 10'000'000);
  job.opponents = evaluation.get_strings("opponents", {"rule", "random"});
  evaluation.finish();
  config.finish();
  return job;
}

// Metadata of a checkpoint that was saved while it was being evaluated.
constexpr const char* kUnevaluated = "unevaluated";

std::vector<Metric> read_unevaluated(const TensorFile& checkpoint) {
  const auto found = checkpoint.metadata.find(kUnevaluated);
  if (found == checkpoint.metadata.end()) return {};
  std::vector<Metric> figures;
  const auto json = nlohmann::json::parse(found->second, nullptr, false);
  for (const auto& figure : json.is_array() ? json : nlohmann::json::array()) {
    const bool sound = figure.is_array() && figure.size() == 2 && figure[0].is_string() &&
                       (figure[1].is_number() || figure[1].is_null());
    // What is not finite is null in JSON.
    if (sound) figures.emplace_back(figure[0], figure[1].is_null() ? std::nan("") : figure[1].get<double>());
  }
  if (figures.empty() || figures.size() != json.size())
    throw CheckpointError(fmt::format("{}: metadata '{}' is no list of figures", checkpoint.name, kUnevaluated));
  return figures;
}

// A checkpoint has this once the final results are in metrics.jsonl and the model is written.
constexpr const char* kFinished = "finished";

// What made a run, for those who wonder later; a comment, since the config says what to train and not with what.
std::string signed_config(const Config& config) {
  return fmt::format("# dealer {}, libtorch {}\n{}", version(), libtorch_version(), config.resolved());
}

void log_versions(const RunFolder& run) {
  run.log()->info("dealer {}, libtorch {}, BLAS {}, kernel {}", version(), libtorch_version(), blas_library(),
                  blas_kernel());
}

bool crossed(std::int64_t before, std::int64_t after, std::int64_t every) { return before / every != after / every; }

double ratio(std::int64_t a, std::int64_t b) { return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b); }

// One training job from its config to its result.
class Job {
 public:
  // Refuses settings that cannot be; nothing is written yet.
  Job(const JobSettings& settings, const Evaluate& evaluate, bool quiet)
      : settings_(settings),
        game_(make_game(settings.game)),
        evaluate_(evaluate),
        quiet_(quiet),
        trainer_(ofc_game(), settings.trainer) {}

  // Goes on from the newest checkpoint, if there is one.
  TrainOutcome resume(RunFolder& run) {
    if (const auto checkpoint = run.resume()) {
      trainer_.load(checkpoint->content);
      if (trainer_.iterations() != checkpoint->step)
        throw CheckpointError(fmt::format("{}: the file is of step {}, but tensor 'trainer.progress' of step {}",
                                          checkpoint->content.name, checkpoint->step, trainer_.iterations()));
      unevaluated_ = read_unevaluated(checkpoint->content);
      const auto& metadata = checkpoint->content.metadata;
      // A larger `hands`, written into config.yaml since, goes on.
      if (over() && metadata.find(kFinished) != metadata.end()) {
        TrainOutcome outcome{run.path(), false, true, {}};
        outcome.result = {{"hands", trainer_.hands()}, {"model", model_path(run).string()}};
        return outcome;
      }
      run.log()->info("resumed after {} hands", trainer_.hands());
    }
    return train(run);
  }

  TrainOutcome train(RunFolder& run) {
    run_ = &run;
    log_versions(run);
    const std::optional<std::int64_t> purge =
        trainer_.iterations() > 0 ? std::optional(trainer_.iterations() + 1) : std::nullopt;
    EventWriter events(run_->path(), purge);
    Metrics metrics(run_->metrics(), events, run_->log());
    const InterruptGuard guard;
    TrainOutcome outcome{run_->path(), false, false, {}};
    {
      Progress progress("training " + settings_.game, settings_.trainer.hands,
                        ProgressOptions::standard("hands", quiet_), trainer_.hands());
      while (!over() && !InterruptGuard::requested()) step(events, metrics, progress);
      progress.finish();
    }
    save_checkpoint();
    outcome.interrupted = !over() || !finish(metrics, outcome.result);
    return outcome;
  }

 private:
  using Figures = std::vector<Metric>;

  std::shared_ptr<const ofc::Game> ofc_game() const {
    auto game = std::dynamic_pointer_cast<const ofc::Game>(game_);
    if (!game) throw UsageError(fmt::format("algorithm 'afterstate_td' learns ofc, not '{}'", settings_.game));
    return game;
  }

  bool over() const { return trainer_.done() && unevaluated_.empty(); }

  void step(EventWriter& events, Metrics& metrics, Progress& progress) {
    if (!unevaluated_.empty()) {
      Figures line = unevaluated_;
      if (!add_evaluations(line)) return;
      metrics.record(trainer_.iterations(), line);
      unevaluated_.clear();
      save_checkpoint();
      return;
    }
    const auto start = std::chrono::steady_clock::now();
    const std::int64_t before = trainer_.hands();
    const double rate = trainer_.learning_rate();
    trainer_.iterate();
    const ofc::TrainerFigures figures = trainer_.take_figures();
    const ofc::SelfPlayCounts& counts = figures.counts;
    const double updates = static_cast<double>(std::max<std::int64_t>(1, figures.updates));
    Figures line = {
        {"hands", static_cast<double>(trainer_.hands())},
        {"loss/value", figures.losses.value / updates},
        {"loss/foul", figures.losses.foul / updates},
        {"loss/fantasyland", figures.losses.fantasyland / updates},
        {"learning_rate", rate},
        {"self_play/foul_rate", ratio(counts.fouls, counts.seats_normal)},
        {"self_play/fantasyland_rate", ratio(counts.entries, counts.seats_normal)},
        {"self_play/fantasyland_stay_rate", ratio(counts.stays, counts.seats_fantasyland)},
        {"self_play/royalties_normal", ratio(counts.royalties_normal, counts.seats_normal)},
        {"self_play/royalties_fantasyland", ratio(counts.royalties_fantasyland, counts.seats_fantasyland)},
        {"value/fantasyland", trainer_.model().chain.fantasyland()},
    };
    if (crossed(before, trainer_.hands(), settings_.evaluate_every) && settings_.evaluation_deals > 0) {
      unevaluated_ = line;
      if (!add_evaluations(line)) return;
      unevaluated_.clear();
    }
    metrics.record(trainer_.iterations(), line);
    // Timings differ from run to run, so they stay out of metrics.jsonl.
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const std::vector<std::pair<std::string, double>> timings = {
        {"speed/hands_per_second", static_cast<double>(counts.hands) / seconds},
        {"speed/self_play_share", figures.act_seconds / seconds},
        {"speed/learning_share", figures.learn_seconds / seconds},
        {"speed/matrix_gflops", 2e-9 * figures.dense_work / seconds}};
    events.scalars(trainer_.iterations(), timings);
    progress.update(
        trainer_.hands(),
        std::vector<Figure>{{"foul", line[5].second}, {"fantasyland", line[6].second}, {"royalties", line[8].second}});
    if (crossed(before, trainer_.hands(), settings_.checkpoint_every)) save_checkpoint();
  }

  // False when it was interrupted.
  bool add_evaluations(Figures& line) const {
    for (const std::string& opponent : settings_.opponents) {
      const Evaluation result = evaluate(opponent, settings_.evaluation_deals);
      if (result.interrupted) return false;
      line.emplace_back("match/" + opponent, result.mean);
      line.emplace_back("match/" + opponent + "_ci95", result.ci95);
      run_->log()->info("{} hands: {:+.2f} ± {:.2f} points a hand against {}", trainer_.hands(), result.mean,
                        result.ci95, opponent);
    }
    return true;
  }

  static std::filesystem::path model_path(const RunFolder& run) { return run.path() / "model.safetensors"; }

  void save_checkpoint(bool finished = false) {
    TensorFile file = trainer_.save();
    if (finished) file.metadata[kFinished] = "1";
    file.metadata["config_game"] = settings_.game;
    if (!unevaluated_.empty()) file.metadata[kUnevaluated] = nlohmann::json(unevaluated_).dump();
    run_->save_checkpoint(trainer_.iterations(), std::move(file), settings_.checkpoints_kept);
  }

  Evaluation evaluate(const std::string& opponent, int deals) const {
    auto model = std::make_shared<const ofc::ValueModel>(trainer_.model());
    const AgentFactoryPtr agent = ofc::make_value_agents("trained", std::move(model), {}, game_);
    return evaluate_(agent, opponent, game_, deals, derive(settings_.trainer.seed, 0xe7a1));
  }

  // False when it was interrupted. A kill at any moment: the checkpoint before it is not marked, and all this is done
  // again.
  bool finish(Metrics& metrics, nlohmann::json& result) {
    TensorFile file = trainer_.save_model();
    file.metadata["hands"] = std::to_string(trainer_.hands());
    write_safetensors(model_path(*run_), file);
    std::vector<Metric> line = {{"hands", static_cast<double>(trainer_.hands())}};
    result = {{"hands", trainer_.hands()},
              {"model", model_path(*run_).string()},
              {"fantasyland_value", trainer_.model().chain.fantasyland()}};
    for (const std::string& opponent : settings_.opponents) {
      if (settings_.final_deals == 0) break;
      const Evaluation match = evaluate(opponent, settings_.final_deals);
      if (match.interrupted) return false;
      result["matches"][opponent] = match.detail;
      line.emplace_back("final/" + opponent, match.mean);
      line.emplace_back("final/" + opponent + "_ci95", match.ci95);
      run_->log()->info("final: {:+.2f} ± {:.2f} points a hand against {}", match.mean, match.ci95, opponent);
    }
    metrics.record(trainer_.iterations(), line);
    save_checkpoint(true);
    return true;
  }

  JobSettings settings_;
  GamePtr game_;
  RunFolder* run_ = nullptr;
  const Evaluate& evaluate_;
  bool quiet_;
  ofc::AfterstateTrainer trainer_;
  // Of the last step, when its evaluation was interrupted: they are recorded with the evaluation, once the run goes on.
  Figures unevaluated_;
};

}  // namespace

TrainOutcome run_training(const TrainRequest& request, const Evaluate& evaluate) {
  prepare_compute();
  if (!request.resume.empty()) {
    if (!request.config.empty() || !request.overrides.empty())
      throw UsageError("a resumed run keeps its config; expected neither a config nor overrides beside --resume");
    RunFolder run = RunFolder::open(request.resume);
    Config config = Config::load(run.config_path());
    return Job(read_job(config), evaluate, request.quiet).resume(run);
  }
  Config config = Config::load(request.config);
  expect_config("training config", config, request.config.string());
  if (!config.has("algorithm"))
    throw ConfigError(request.config.string() +
                      ": the key 'algorithm' is missing; expected a training config: algorithm: afterstate_td");
  for (const std::string& assignment : request.overrides) config.set(assignment);
  const JobSettings settings = read_job(config);
  Job job(settings, evaluate, request.quiet);
  RunFolder run = request.out.empty() ? RunFolder::create(request.runs, settings.name, signed_config(config))
                                      : RunFolder::create_at(request.out, signed_config(config));
  return job.train(run);
}

}  // namespace dealer
