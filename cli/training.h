#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "agents/agent.h"
#include "bench/measure/train.h"

namespace dealer::cli {

struct TrainOptions {
  std::vector<std::string> words;  // a config, then overrides; overrides alone change the default config
  std::string resume, out, runs = "runs";
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
  std::string out;     // a folder that keeps the runs; empty: none does
  double seconds = 0;  // of all trainings together
  bool quiet = false;
};
// An agent by how it was trained: "random weights".
using LearnedResponses = std::vector<std::pair<std::string, AgentFactoryPtr>>;

// What needs libtorch, which takes half a second to load: the program dealer-train alone has it.
struct Training {
  void (*train)(const TrainOptions&);
  void (*best_response)(const BestResponseOptions&);
  LearnedResponses (*learn_responses)(const LearnOptions&);
};

// How fast training is: the program dealer-bench has it, with libtorch.
struct TrainingSpeeds {
  TrainingSpeed (*measure)(double seconds);
  PolicyTrainingSpeed (*measure_policy)(const std::string& config, bool overlap, double seconds);
  // Microseconds an update with so many threads, and libtorch's.
  double (*measure_adam)(double seconds, int threads);
  double (*measure_libtorch_adam)(double seconds, int threads);
};

// The real thing, in dealer-train.
void train(const TrainOptions& options);
void best_response(const BestResponseOptions& options);
LearnedResponses learn_responses(const LearnOptions& options);

// For the main() of dealer-train and of dealer-bench, before run().
void provide_training(const Training& training);
void provide_training_speeds(const TrainingSpeeds& speeds);

// In dealer-train and dealer-bench: what it provided, with a BLAS kernel that fits. In dealer: does not return, since
// that program takes over with the same arguments. Throws FileError where it cannot be started or is another version.
const Training& need_training();
const TrainingSpeeds& need_training_speeds();

// Where dealer-train lies, as laid out in the build folder and in an installation alike.
std::filesystem::path training_program();

// For a dealer-train that is started from here: by it that one refuses to be another version.
void mark_as_started_by_dealer();

}  // namespace dealer::cli
