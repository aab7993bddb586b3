#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "agents/agent.h"
#include "bench/measure/train.h"
#include "train/train.h"

namespace dealer::cli {

struct TrainOptions {
  std::vector<std::string> words;  // a config, then overrides; overrides alone change the default config
  std::string resume, out, runs = "runs";
  bool check = false;  // only the config
  bool quiet = false;
  bool json = false;
};

struct BestResponseOptions {
  std::string game, against;
  std::vector<std::string> words;  // overrides of configs/train/best_response.yaml
  std::string config = "best_response";
  std::string out, runs = "runs";
  int deals = 20'000;
  bool quiet = false;
  bool json = false;
};

struct LearnOptions {
  std::string game, against;
  std::string out;     // a folder that keeps the runs; empty: none
  double seconds = 0;  // for all trainings together
  bool quiet = false;
};
// Label of an agent by its training: "random weights".
using LearnedResponses = std::vector<std::pair<std::string, AgentFactoryPtr>>;

// Functions that need libtorch, which takes half a second to load: only dealer-train provides them.
struct Training {
  void (*train)(const TrainOptions&);
  TrainingPlan (*check)(const std::string& config, const std::vector<std::string>& overrides);
  void (*best_response)(const BestResponseOptions&);
  LearnedResponses (*learn_responses)(const LearnOptions&);
};

// Training speed: only dealer-bench provides this, with libtorch.
struct TrainingSpeeds {
  TrainingSpeed (*measure)(double seconds);
  PolicyTrainingSpeed (*measure_policy)(const std::string& config, bool overlap, double seconds);
  // Microseconds per update with this many threads: ours, and libtorch's.
  double (*measure_adam)(double seconds, int threads);
  double (*measure_libtorch_adam)(double seconds, int threads);
};

// The implementation in dealer-train.
void train(const TrainOptions& options);
TrainingPlan check(const std::string& config, const std::vector<std::string>& overrides);
void best_response(const BestResponseOptions& options);
LearnedResponses learn_responses(const LearnOptions& options);

// Sets the implementation; for the main() of dealer-train and of dealer-bench, before run().
void provide_training(const Training& training);
void provide_training_speeds(const TrainingSpeeds& speeds);

// In dealer-train and dealer-bench: their implementation, with a suitable BLAS kernel. In dealer: does not return, as
// that program is executed with the same arguments. Throws FileError if it cannot start or is of another version.
const Training& need_training();
const TrainingSpeeds& need_training_speeds();

// Path of dealer-train, in the build folder and in an installation alike.
std::filesystem::path training_program();

// Passed to a dealer-train started by this program, which rejects it if their versions differ.
void mark_as_started_by_dealer();

}  // namespace dealer::cli
