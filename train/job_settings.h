#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "env/core/config.h"
#include "env/core/game.h"
#include "train/train.h"

namespace dealer {

// The training config keys shared by all learners; the others are the learner's own.
struct JobSettings {
  std::string name;
  GamePtr game;
  std::uint64_t seed = 0;
  std::int64_t checkpoint_every = 0;  // hands
  std::size_t checkpoints_kept = 0;
  std::int64_t evaluate_every = 0;  // hands
  int evaluation_deals = 0, final_deals = 0;
  bool exploitability = false;
  bool ships_best = false;  // ships the least exploitable evaluation, else the last
  std::vector<std::string> opponents;
};

// resumed: a resumed run, which is exempt from checks made when it began. Throws ConfigError, UsageError.
JobSettings read_job(Config& config, const Evaluations& evaluations, bool resumed);

}  // namespace dealer
