// The program dealer-bench: the benchmarks, with libtorch. dealer starts it with its own arguments.
#include "cli/commands.h"
#include "cli/program.h"
#include "cli/training.h"
#include "train/nn/adam_speed.h"

int main(int argc, char** argv) {
  using namespace dealer;
  cli::provide_training_speeds({measure_ofc_training, measure_policy_training, measure_adam, measure_libtorch_adam});
  constexpr cli::AddCommand kBenchCommands[] = {cli::add_bench};
  return cli::run(argc, argv, kBenchCommands);
}
