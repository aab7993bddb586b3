#pragma once

#include <cstdint>
#include <string>

#include "env/core/game.h"

namespace dealer::cli {

struct BucketSolveOptions {
  std::string algorithm, out;
  std::int64_t iterations = 0;  // 0: as many as usual, or with a limit of time as fit
  double seconds = 0;           // 0: no limit
  int threads = 0;
  std::uint64_t seed = 0;
  bool json = false;
};

// Whether the algorithm solves this game by buckets alone, its tree being too large.
bool solves_by_buckets(const Game& game, const std::string& algorithm);
// Solves, writes, prints. Throws Interrupted after all that.
void solve_by_buckets(const GamePtr& game, const BucketSolveOptions& options);

}  // namespace dealer::cli
