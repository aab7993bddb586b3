#pragma once

#include <cstdint>
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

// What a learner has to say of the iterations since it was last asked.
struct TrainerReport {
  std::vector<Metric> metrics;  // for metrics.jsonl: the same names every time, nothing that depends on the clock
  std::vector<Metric> timings;  // for TensorBoard alone
  std::vector<Figure> live;     // beside the progress bar
};

// A learner at work on a game. Run folder, progress, metrics, evaluation, checkpoints and their resumption are not its
// business: train.h does that for all of them.
//
// Several ranks (ranks.h) train one learner: each has a Trainer, and calls iterate(), save() and load() when the others
// do. What they know of hands, iterations and weights is the same on all; tables and samples are a rank's own.
//
// Everything that decides the future is saved: what comes after load() equals, to the last bit, what would have come
// without, on the same machine and build.
class Trainer {
 public:
  virtual ~Trainer() = default;
  // Called once, before anything else, in a run that does not go on from a checkpoint: what is read from files besides
  // the config belongs here, since they may be gone when the run is resumed.
  virtual void begin() {}
  // Plays a while and learns from it. The job looks at Ctrl-C between two of them, so it should take seconds at most.
  // Throws DivergenceError (divergence.h) where a figure is not finite; the job then ends and saves nothing more.
  virtual void iterate() = 0;
  virtual std::int64_t iterations() const = 0;
  // Played in training, and to be played: the key `hands` of the config, unless a budget of time has set fewer.
  virtual std::int64_t hands() const = 0;
  virtual std::int64_t hands_to_play() const = 0;
  // From now on; what falls or rises until the end of a training reckons with it. It is not part of what save() keeps.
  virtual void set_hands_to_play(std::int64_t hands) = 0;
  bool done() const { return hands() >= hands_to_play(); }

  // Bytes of tables and samples, about.
  virtual double memory() const { return 0; }

  virtual TrainerReport take_report() = 0;
  // The players so far, as they are now: the first is what is shipped, under the empty name.
  virtual std::vector<std::pair<std::string, AgentFactoryPtr>> agents() const = 0;
  // Fields for the result of the run, and a sentence about them ("Fantasyland is worth 10.42 points"), or nothing.
  virtual nlohmann::json result() const { return nlohmann::json::object(); }
  virtual std::string summary() const { return {}; }
  // What to change in the config when the learner has diverged, after the word "try".
  virtual std::string divergence_advice() const { return "a smaller learner.learning_rate"; }

  // The model as agents load it, with the game and rules it was trained for.
  virtual TensorFile save_model() const = 0;
  // And the state of the job: that of all ranks, on rank 0.
  virtual TensorFile save() const = 0;
  // Throws CheckpointError when the file belongs to other settings or holds numbers that they do not allow.
  virtual void load(const TensorFile& file) = 0;
};

// How to learn: a value of the key `algorithm`.
struct Algorithm {
  std::string what;  // for people, in a line
  // Reads its keys and makes a learner, which keeps the ranks. Throws ConfigError, and UsageError for games it does not
  // learn.
  std::function<std::unique_ptr<Trainer>(Config& config, const GamePtr& game, Ranks& ranks)> make;
};

// In the order of the help, the project's own first.
const std::vector<std::pair<std::string, Algorithm>>& algorithms();
std::vector<std::string_view> algorithm_names();
// Adds one of somebody's own program. Throws UsageError when the name is taken.
void register_algorithm(std::string name, Algorithm algorithm);
// By the key `algorithm` of a training config. Throws ConfigError naming those there are.
const Algorithm& read_algorithm(Config& config);

}  // namespace dealer
