#include "cli/commands.h"
#include "cli/program.h"

int main(int argc, char** argv) { return dealer::cli::run(argc, argv, dealer::cli::kCommands); }
