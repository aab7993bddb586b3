#include "agents/tabular/cfr.h"
#include "bench/measure/measure.h"
#include "env/core/thread_seconds.h"

namespace dealer {

double measure_solving(const GamePtr& game, double seconds) {
  const tabular::GameTree tree(*game);
  tabular::Cfr solver(tree);
  solver.run(1);
  const double start = thread_seconds();
  double used = 0;
  for (std::int64_t block = 1; used < seconds; block *= 2) {
    solver.run(block);
    used = thread_seconds() - start;
  }
  return static_cast<double>(solver.iterations() - 1) / used;
}

}  // namespace dealer
