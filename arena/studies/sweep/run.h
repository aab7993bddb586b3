#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "arena/studies/sweep/sweep.h"

namespace dealer::studies {

struct SweepHooks {
  // For the study of a value that is about to be played; may be empty.
  std::function<StudyHooks(const SweepValue& value, const StudyJob& job)> study = {};
  // Asked between two values and by the studies: true stops the sweep. The same call goes on with it.
  std::function<bool()> stop = {};
  // Of a sweep that trains: makes an agent for a table of a value in that folder, or goes on with it, and returns the
  // agent's spec; nothing when it was stopped. One that is there already is returned at once.
  std::function<std::optional<std::string>(const SweepValue& value, const SweepTable& table,
                                           const std::filesystem::path& run)>
      train = {};
};

struct SweepOutcome {
  // Where it was stopped, as "game.players=3 after 12 of 200 deals"; empty: it is finished.
  std::string stopped;
  nlohmann::ordered_json results;  // as in results.json
  std::filesystem::path report;
};

// Carries out the study of every value in a folder of its own, with the agents trained in runs/ first where it trains,
// and writes results.json and report.html beside sweep.yaml. Studies that are finished are read, unless another version
// of the program has counted them. Throws UsageError when something else is in the folder or another process works in
// it, what run_study() throws, and what the hooks throw.
SweepOutcome run_sweep(const Sweep& sweep, const std::filesystem::path& folder, const SweepHooks& hooks = {});

}  // namespace dealer::studies
