#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "agents/agent.h"
#include "arena/studies/study.h"

namespace dealer::studies {

// A study prepared from its config, ready to run.
struct StudyJob {
  std::string kind;  // of study_kinds()
  struct Table {
    GamePtr game;
    AgentFactoryPtr agent;
  };
  std::vector<Table> tables;  // several only in a study of several games
  std::int64_t deals = 0;     // per game
  std::uint64_t seed = 0;
  int threads = 0;                  // 0: one per processor; does not change results
  std::filesystem::path exploited;  // what `dealer exploit --json` wrote about who plays; empty: what is shipped
  std::unique_ptr<Study> study;
  std::string config;  // resolved, without `threads` and `exploited`: equal for equal studies

  std::int64_t all_deals() const { return deals * static_cast<std::int64_t>(tables.size()); }
};

// Reads a file of configs/studies by name, or a path, with overrides "key=value". Throws UsageError on an unknown name,
// ConfigError, and what makers of games and agents throw.
StudyJob read_study(const std::string& name, const std::vector<std::string>& overrides);

// The games of a study and their agents, as in its config.
struct NamedTables {
  bool several = false;             // the study has several games: the keys are `games` and `agents`
  std::vector<std::string> games;   // specs
  std::vector<std::string> agents;  // one for each game, or one for all; of one game, or where `agent` names it: one
};
// Creates neither games nor agents. Throws as read_study() does.
NamedTables named_tables(const std::string& name, const std::vector<std::string>& overrides);

// A summary of a file of configs/studies, without making the agents. Throws as read_study() does.
struct StudySummary {
  std::string kind, game;  // with several games the first
  std::string_view what;   // for people, in a line
};
StudySummary summary_of(const std::string& name);

struct StudyHooks {
  // Called with the number of deals played so far, over all games, including earlier runs; first before any is played.
  std::function<void(std::int64_t done)> progress;
  // Polled in any thread: true stops the study. The same call resumes it.
  std::function<bool()> stop;
  // Called during the additional work of some studies after the deals are played, with the number of units done.
  std::function<void(std::string_view unit, std::int64_t done, std::int64_t total)> work = {};
};

struct StudyOutcome {
  std::int64_t deals = 0;          // number played, including earlier runs
  bool interrupted = false;        // then the fields below are empty, and no results have been written
  nlohmann::ordered_json results;  // as in results.json
  std::filesystem::path report;
};

// Plays the deals missing in the folder and writes results.json and report.html beside config.yaml and games.txt. Equal
// configs have byte-identical results, for any number of threads and interruptions. Throws UsageError if the folder
// contains something else or another process uses it, FileError, AgentFailure.
StudyOutcome run_study(const StudyJob& job, const std::filesystem::path& folder, const StudyHooks& hooks = {});

}  // namespace dealer::studies
