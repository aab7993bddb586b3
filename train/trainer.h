#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agents/agent.h"
#include "agents/nn/safetensors.h"
#include "env/core/config.h"
#include "env/core/game.h"
#include "train/metrics.h"
#include "train/progress.h"
#include "train/ranks.h"

namespace dealer {

// Report of a learner on the iterations since the last one.
struct TrainerReport {
  std::vector<Metric> metrics;  // for metrics.jsonl: the same names every time, nothing that depends on the clock
  std::vector<Metric> timings;  // only for TensorBoard
  std::vector<Figure> live;     // beside the progress bar
};

// A learner for a game. train.h handles run folder, progress, metrics, evaluation, checkpoints and resumption for all
// of them.
//
// Several ranks (ranks.h) train one learner: each has a Trainer, and calls iterate(), save() and load() when the others
// do. Hands, iterations and weights are the same on all; tables and samples are a rank's own.
//
// The saved state is complete: training after load() equals, to the last bit, uninterrupted training on the same
// machine and build.
class Trainer {
 public:
  virtual ~Trainer() = default;
  // Called once, before anything else, in a run that does not resume from a checkpoint: read files other than the
  // config here, since they may be gone when the run is resumed.
  virtual void begin() {}
  // Plays for a while and learns from it. The job checks for Ctrl-C between two calls, so one should take seconds at
  // most. Throws DivergenceError (divergence.h) if a value is not finite; the job then ends and saves nothing more.
  virtual void iterate() = 0;
  virtual std::int64_t iterations() const = 0;
  // Hands played in training, and the total: the key `hands` of the config, unless a time budget has set fewer.
  virtual std::int64_t hands() const = 0;
  virtual std::int64_t hands_to_play() const = 0;
  // Sets the total from now on, which schedules over the training use. It is not part of the state saved by save().
  virtual void set_hands_to_play(std::int64_t hands) = 0;
  bool done() const { return hands() >= hands_to_play(); }

  // Approximate memory of tables and samples in bytes.
  virtual double memory() const { return 0; }

  virtual TrainerReport take_report() = 0;
  // The current players: the first, with the empty name, is the shipped one.
  virtual std::vector<std::pair<std::string, AgentFactoryPtr>> agents() const = 0;
  // Fields for the result of the run, and a summary sentence ("Fantasyland is worth 10.42 points"), or nothing.
  virtual nlohmann::json result() const { return nlohmann::json::object(); }
  virtual std::string summary() const { return {}; }
  // Advice when the learner has diverged: config changes, to follow the word "try".
  virtual std::string divergence_advice() const { return "a smaller learner.learning_rate"; }

  // The model as agents load it, with the game and rules it was trained for.
  virtual TensorFile save_model() const = 0;
  // The model with the state of the job: that of all ranks, on rank 0.
  virtual TensorFile save() const = 0;
  // Throws CheckpointError when the file belongs to other settings or holds invalid numbers.
  virtual void load(const TensorFile& file) = 0;
};

// The file of weights that a key of a learner's config names. "models/ofc.safetensors" is also found among the shipped
// models, wherever training runs. Throws ConfigError for a folder.
std::filesystem::path start_file(const std::string& key, const std::string& file);

// A learning algorithm: a value of the key `algorithm`.
struct Algorithm {
  std::string what;  // a description in a line
  // Reads its keys and makes a learner, which keeps the ranks. Throws ConfigError, and UsageError for games it does not
  // support.
  std::function<std::unique_ptr<Trainer>(Config& config, const GamePtr& game, Ranks& ranks)> make;
};

// In the order of the help, the project's own first.
const std::vector<std::pair<std::string, Algorithm>>& algorithms();
std::vector<std::string_view> algorithm_names();
// Adds an algorithm of a user's own program. Throws UsageError when the name is taken.
void register_algorithm(std::string name, Algorithm algorithm);
// Finds an algorithm by the key `algorithm` of a training config. Throws ConfigError listing the valid ones.
const Algorithm& read_algorithm(Config& config);

}  // namespace dealer
