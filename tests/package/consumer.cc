// Deals a hand of Open-Face Chinese poker, plays the first legal action throughout and prints the final board.

#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <numeric>
#include <vector>

#include "agents/agent.h"
#include "env/core/data_dir.h"
#include "env/core/registry.h"
#include "env/core/version.h"

int main() try {
  const dealer::GamePtr game = dealer::make_game("ofc[episode=hand]");
  const std::unique_ptr<dealer::Env> table = game->new_env();
  table->reset(1);
  bool over = false;
  while (!over) over = table->step(table->legal_actions().front()).terminated;
  const std::vector<double> returns = table->returns();
  std::cout << "version " << dealer::version() << "\ndata " << dealer::data_path("configs").string() << "\n"
            << table->to_string(0);
  return std::accumulate(returns.begin(), returns.end(), 0.0) == 0.0 ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return EXIT_FAILURE;
}
