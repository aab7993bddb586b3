#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "env/core/config.h"
#include "train/best_model.h"
#include "train/metrics.h"
#include "train/run_folder.h"
#include "train/tensorboard.h"

namespace dealer {

// Everything that rank 0 writes into the run folder while it trains, besides the checkpoints.
struct RunWriters {
  RunFolder& run;
  EventWriter events;
  Metrics metrics;
  std::optional<BestModel> best;  // if it is to be shipped

  // resumed_at: number of hands at which the run is resumed.
  RunWriters(RunFolder& folder, std::optional<std::int64_t> resumed_at, bool ships_best);

  // TensorBoard's other pages. config: dotted keys, and values as YAML text.
  void describe(const std::vector<std::string>& opponents,
                const std::vector<std::pair<std::string, std::string>>& config);
};

// The config of a run, with the program and libraries as a comment: it says what to train, not with what.
std::string signed_config(const Config& config);
// Writes program and libraries to the log.
void log_versions(const RunFolder& run);

}  // namespace dealer
