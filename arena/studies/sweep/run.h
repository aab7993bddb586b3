#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "arena/studies/sweep/sweep.h"

namespace dealer::studies {

struct SweepHooks {
  // The hooks of a value's study, requested before it is played; may be empty.
  std::function<StudyHooks(const SweepValue& value, const StudyJob& job)> study = {};
  // Polled between two values and by the studies: true stops the sweep. The same call resumes it.
  std::function<bool()> stop = {};
  // For a sweep that trains: makes an agent for a table of a value in that folder, or resumes its training, and returns
  // the agent's spec; nullopt if stopped. An existing one is returned at once.
  std::function<std::optional<std::string>(const SweepValue& value, const SweepTable& table,
                                           const std::filesystem::path& run)>
      train = {};
};

struct SweepOutcome {
  // the point of interruption, as "game.players=3 after 12 of 200 deals"; empty: finished.
  std::string stopped;
  nlohmann::ordered_json results;  // as in results.json
  std::filesystem::path report;
};

// Runs the study of every value in a separate folder, with the agents trained in runs/ first if it trains, and writes
// results.json and report.html beside sweep.yaml. Finished studies are read, unless another version of the program
// evaluated them. Throws UsageError if the folder contains something else or another process uses it, what run_study()
// throws, and what the hooks throw.
SweepOutcome run_sweep(const Sweep& sweep, const std::filesystem::path& folder, const SweepHooks& hooks = {});

}  // namespace dealer::studies
