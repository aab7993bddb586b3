#include "bench/measure/train.h"

#include <algorithm>
#include <memory>
#include <thread>

#include "env/core/config.h"
#include "env/core/data_dir.h"
#include "env/core/registry.h"
#include "env/core/wall_seconds.h"
#include "env/games/ofc/game.h"
#include "train/compute.h"
#include "train/ofc/trainer.h"
#include "train/policy/policy_trainer.h"

namespace dealer {
namespace {

constexpr int kWarmUpIterations = 5;  // iterations

}  // namespace

TrainingSpeed measure_ofc_training(double seconds) {
  prepare_compute();
  Config config = Config::load(data_path("configs/train/ofc.yaml"));
  const ofc::TrainerSettings settings = ofc::read_settings(config);
  const auto game = std::dynamic_pointer_cast<const ofc::Game>(make_game("ofc"));
  ofc::OfcTrainer trainer(game, settings);
  for (int i = 0; i < kWarmUpIterations; ++i) trainer.iterate();
  trainer.take_figures();
  const double peak = matrix_peak(settings.workers);
  const double start = wall_seconds();
  do trainer.iterate();
  while (wall_seconds() - start < seconds);
  const double elapsed = wall_seconds() - start;
  const AfterstateFigures figures = trainer.take_figures();
  return {static_cast<double>(figures.hands) / elapsed, figures.dense_work / peak / elapsed,
          figures.act_seconds / elapsed, 2e-9 * peak};
}

PolicyTrainingSpeed measure_policy_training(const std::string& name, bool overlap, double seconds) {
  prepare_compute();
  Config config = Config::load(data_path("configs/train/" + name + ".yaml"));
  config.set("learner.epochs=4");
  if (overlap) config.set("self_play.overlap=true");
  const GamePtr game = make_game(config.get_string("game", name));
  const PolicyTrainerSettings settings = read_policy_settings(config, *game);
  PolicyTrainer trainer(game, settings);
  trainer.iterate();
  const double peak = matrix_peak(settings.workers, settings.learner.bfloat16);
  const PolicyTrainerTimes before = trainer.times();
  const double start = wall_seconds();
  do trainer.iterate();
  while (wall_seconds() - start < seconds);
  const double elapsed = wall_seconds() - start;
  const PolicyTrainerTimes& after = trainer.times();
  const int threads = settings.workers * (overlap ? 2 : 1);
  const double all =
      elapsed * std::min(threads, std::max(settings.workers, static_cast<int>(std::thread::hardware_concurrency())));
  PolicyTrainingSpeed speed{static_cast<double>(after.decisions - before.decisions) / elapsed,
                            (after.work - before.work) / peak / elapsed,
                            (after.environment - before.environment) / all,
                            (after.inference - before.inference) / all,
                            (after.critic - before.critic) / all,
                            (after.gradients - before.gradients) / all,
                            0,
                            2e-9 * peak};
  speed.waiting_share = 1 - speed.environment_share - speed.inference_share - speed.critic_share - speed.learning_share;
  return speed;
}

}  // namespace dealer
