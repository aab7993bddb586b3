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

// What looks for an equilibrium of a game with a tree.
class Solver {
 public:
  virtual ~Solver() = default;
  // So many iterations more.
  virtual void run(std::int64_t iterations) = 0;
  virtual std::int64_t iterations() const = 0;
  // What the next iteration plays.
  virtual Policy current() const = 0;
  // Of all iterations so far; uniform where a seat never came.
  virtual Policy average() const = 0;
  // Which of the two is the better answer.
  virtual bool average_is_better() const { return true; }
  Policy solution() const { return average_is_better() ? average() : current(); }

  // Everything it needs to go on as if it had never stopped, as tensors "state.…".
  virtual void save(TensorFile& file) const = 0;
  // Throws CheckpointError when that is not such a state.
  virtual void load(const TensorFile& file) = 0;
};

struct SolverOptions {
  int threads = 1;         // 0: as many as pay; changes no result
  std::uint64_t seed = 0;  // of those that sample
};

// Makes solvers of a tree, which must outlive them.
using SolverMaker = std::function<std::unique_ptr<Solver>(const GameTree& tree, const SolverOptions& options)>;
// The spec under the algorithm's standard name: "cfr_plus[gamma=2]" of "cfr+[gamma=2]".
std::string standard_algorithm(std::string_view spec);
// By name, options in brackets: "dcfr[alpha=1.5]". Throws UsageError naming what exists (with the nearest),
// ConfigError.
SolverMaker solver_maker(std::string_view spec);
inline std::unique_ptr<Solver> make_solver(std::string_view spec, const GameTree& tree,
                                           const SolverOptions& options = {}) {
  return solver_maker(spec)(tree, options);
}

struct SolverKind {
  std::string name;
  std::string what;         // for people, in a line
  std::int64_t iterations;  // that usually make a good solution of a small game
};
const std::vector<SolverKind>& solver_kinds();
std::vector<std::string> solver_names();

}  // namespace dealer::tabular
