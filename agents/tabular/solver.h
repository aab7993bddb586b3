#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "agents/nn/safetensors.h"
#include "agents/tabular/game_tree.h"
#include "agents/tabular/policy.h"

namespace dealer::tabular {

// An iterative equilibrium solver for a game tree.
class Solver {
 public:
  virtual ~Solver() = default;
  // Runs more iterations.
  virtual void run(std::int64_t iterations) = 0;
  virtual std::int64_t iterations() const = 0;
  // The policy that the next iteration plays.
  virtual Policy current() const = 0;
  // The average policy of all iterations so far; uniform at information sets that were never reached.
  virtual Policy average() const = 0;
  // True if the average is a better answer than the current policy.
  virtual bool average_is_better() const { return true; }
  Policy solution() const { return average_is_better() ? average() : current(); }

  // Saves everything needed to resume as if never interrupted, as tensors "state.…".
  virtual void save(TensorFile& file) const = 0;
  // Throws CheckpointError if the file does not hold such a state.
  virtual void load(const TensorFile& file) = 0;
};

struct SolverOptions {
  int threads = 1;         // 0: as many as pay off; does not change results
  std::uint64_t seed = 0;  // of sampling solvers
};

// Makes solvers for a tree, which must outlive them.
using SolverMaker = std::function<std::unique_ptr<Solver>(const GameTree& tree, const SolverOptions& options)>;
// The spec under the algorithm's standard name: "cfr_plus[gamma=2]" for "cfr+[gamma=2]".
std::string standard_algorithm(std::string_view spec);
// A solver by name, with options in brackets: "dcfr[alpha=1.5]". Throws UsageError naming the known algorithms (with
// the nearest one), ConfigError.
SolverMaker solver_maker(std::string_view spec);
inline std::unique_ptr<Solver> make_solver(std::string_view spec, const GameTree& tree,
                                           const SolverOptions& options = {}) {
  return solver_maker(spec)(tree, options);
}

struct SolverKind {
  std::string name;
  std::string what;         // for people, in a line
  std::int64_t iterations;  // a usual number for a good solution of a small game
};
const std::vector<SolverKind>& solver_kinds();
std::vector<std::string> solver_names();

}  // namespace dealer::tabular
