#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "agents/agent.h"
#include "arena/studies/study.h"

namespace dealer::studies {

// A study that can be carried out: what its config says.
struct StudyJob {
  std::string kind;  // of study_kinds()
  // One, or of a study of several games those in the order they are played; who plays all the seats of each.
  std::vector<GamePtr> games;
  std::vector<AgentFactoryPtr> agents;
  std::int64_t deals = 0;  // of each game
  std::uint64_t seed = 0;
  int threads = 0;  // 0: one for each processor; changes no result
  std::unique_ptr<Study> study;
  std::string config;  // resolved, without the threads: equal for equal studies

  std::int64_t all_deals() const { return deals * static_cast<std::int64_t>(games.size()); }
};

// A file of configs/studies by name, or a path, with overrides "key=value". Throws UsageError on an unknown name,
// ConfigError, and what makers of games and agents throw.
StudyJob read_study(const std::string& name, const std::vector<std::string>& overrides);

struct StudyHooks {
  // Called with the deals played so far, of all games and those of earlier runs included; first before any is played.
  std::function<void(std::int64_t done)> progress;
  // Asked again and again, in any thread: true stops the study. The same call goes on with it.
  std::function<bool()> stop;
};

struct StudyOutcome {
  std::int64_t deals = 0;          // played, of all games and those of earlier runs included
  bool interrupted = false;        // then nothing below, and no results have been written
  nlohmann::ordered_json results;  // as in results.json
  std::filesystem::path report;
};

// Plays the deals that the folder lacks and writes results.json and report.html beside config.yaml and games.txt. Equal
// configs have equal results, byte by byte, whatever the threads and however often they were stopped.
// Throws UsageError when something else is in the folder or another process works in it, FileError, AgentFailure.
StudyOutcome run_study(const StudyJob& job, const std::filesystem::path& folder, const StudyHooks& hooks = {});

}  // namespace dealer::studies
