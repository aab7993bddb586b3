#pragma once

#include <string>

namespace dealer {

struct TrainingSpeed {
  double hands_per_second;
  // The time of the matrix products at the rate of matrix_peak(), as a fraction of the wall time.
  double roofline_share;
  double self_play_share;  // fraction of the wall time
  double peak_gflops;      // of all threads together
};

// Trains the quick agent (configs/train/ofc.yaml) for about `seconds`, after a
// short warm-up that is not counted.
TrainingSpeed measure_ofc_training(double seconds);

struct PolicyTrainingSpeed {
  double decisions_per_second;
  double roofline_share;  // as above
  // Fractions of the processor time available to its threads: stepping tables; input features, network and sampling;
  // the critic; learning; and waiting for each other or for a core. They sum to 1.
  double environment_share, inference_share, critic_share, learning_share, waiting_share;
  double peak_gflops;
};

// The same for training with algorithm `ppo` by a config of configs/train, but with four epochs.
// overlap: the key `self_play.overlap`.
PolicyTrainingSpeed measure_policy_training(const std::string& config, bool overlap, double seconds);

}  // namespace dealer
