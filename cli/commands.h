#pragma once

#include <string>
#include <vector>

#include "cli/program.h"

namespace dealer::cli {

void add_analyse(CLI::App& program);
void add_bench(CLI::App& program);
void add_best_response(CLI::App& program);
void add_bot(CLI::App& program);
void add_serve(CLI::App& program);
void add_completion(CLI::App& program);
void add_exploit(CLI::App& program);
void add_exploitability(CLI::App& program);
void add_games(CLI::App& program);
void add_hands(CLI::App& program);
void add_help(CLI::App& program);
void add_match(CLI::App& program);
void add_models(CLI::App& program);
void add_ofc(CLI::App& program);
void add_play(CLI::App& program);
void add_plot(CLI::App& program);
void add_policy(CLI::App& program);
void add_replay(CLI::App& program);
void add_runs(CLI::App& program);
void add_solve(CLI::App& program);
void add_study(CLI::App& program);
void add_sweep(CLI::App& program);
void add_tournament(CLI::App& program);
void add_train(CLI::App& program);

// The benchmarks that `dealer bench` runs when none are named.
std::vector<std::string> benchmark_names();

// All subcommands, in the order of the help. A new subcommand is a file and its two lines here.
inline constexpr AddCommand kCommands[] = {
    add_train,          add_runs,   add_models, add_plot,  add_sweep,  add_best_response, add_play,  add_match,
    add_tournament,     add_bot,    add_serve,  add_study, add_replay, add_analyse,       add_solve, add_exploit,
    add_exploitability, add_policy, add_ofc,    add_hands, add_games,  add_bench,         add_help,  add_completion};

}  // namespace dealer::cli
