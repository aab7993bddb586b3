#pragma once

#include <string>

namespace dealer {

struct TrainingSpeed {
  double hands_per_second;
  // Time the matrix products would take at matrix_peak() alone, as a share of the wall time.
  double roofline_share;
  double self_play_share;  // of the wall time
  double peak_gflops;      // of all threads together
};

// The quick agent's training (configs/train/ofc.yaml) for about so many seconds, after a short start-up that is not
// counted.
TrainingSpeed measure_ofc_training(double seconds);

struct PolicyTrainingSpeed {
  double decisions_per_second;
  double roofline_share;  // as above
  // Of the time of the cores that its threads can have at once: stepping tables; facts, network and dice; the critic's
  // word; learning; and the rest, in which they wait for each other or for the core. They add up to 1.
  double environment_share, inference_share, critic_share, learning_share, waiting_share;
  double peak_gflops;
};

// Training of algorithm `ppo` by a config of configs/train, but with four epochs, in the same way. overlap: the key
// `self_play.overlap`.
PolicyTrainingSpeed measure_policy_training(const std::string& config, bool overlap, double seconds);

}  // namespace dealer
