// The program dealer-train: dealer with libtorch. dealer starts it with its own arguments for what trains.

#include "bench/measure/train.h"
#include "cli/program.h"
#include "cli/training.h"
#include "train/nn/adam_speed.h"

int main(int argc, char** argv) {
  dealer::cli::provide_training({dealer::cli::train, dealer::cli::best_response, dealer::measure_ofc_training,
                                 dealer::measure_policy_training, dealer::measure_adam, dealer::measure_libtorch_adam});
  return dealer::cli::run(argc, argv);
}
