// The program dealer-train: training with libtorch. dealer starts it with its own arguments.
#include "cli/commands.h"
#include "cli/program.h"
#include "cli/training.h"

int main(int argc, char** argv) {
  using namespace dealer::cli;
  provide_training({train, check, best_response, learn_responses});
  constexpr AddCommand kTrainingCommands[] = {add_train, add_sweep, add_best_response, add_exploit};
  return run(argc, argv, kTrainingCommands);
}
