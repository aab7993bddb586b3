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

// A study that can be carried out: what its config says.
struct StudyJob {
  std::string kind;  // of study_kinds()
  GamePtr game;      // the first, where there are several
  AgentFactoryPtr agent;
  struct Table {
    GamePtr game;
    AgentFactoryPtr agent;
  };
  std::vector<Table> more = {};  // the other games of a study of several
  std::int64_t deals = 0;        // of each game
  std::uint64_t seed = 0;
  int threads = 0;                  // 0: one for each processor; changes no result
  std::filesystem::path exploited;  // what `dealer exploit --json` wrote about who plays; empty: what is shipped
  std::unique_ptr<Study> study;
  std::string config;  // resolved, without the threads and `exploited`: equal for equal studies

  std::int64_t all_deals() const { return deals * static_cast<std::int64_t>(1 + more.size()); }
};

// A file of configs/studies by name, or a path, with overrides "key=value". Throws UsageError on an unknown name,
// ConfigError, and what makers of games and agents throw.
StudyJob read_study(const std::string& name, const std::vector<std::string>& overrides);

// The games that a study names and who plays them, as its config has them.
struct NamedTables {
  bool several = false;             // the study is of several games: the keys are `games` and `agents`
  std::vector<std::string> games;   // specs
  std::vector<std::string> agents;  // one for each game, or one for all; of one game, or where `agent` names it: one
};
// Makes neither games nor agents. Throws as read_study() does.
NamedTables named_tables(const std::string& name, const std::vector<std::string>& overrides);

// What a file of configs/studies is about, without making the agents. Throws as read_study() does.
struct StudySummary {
  std::string kind, game;  // of several games the first
  std::string_view what;   // for people, in a line
};
StudySummary summary_of(const std::string& name);

struct StudyHooks {
  // Called with the deals played so far, of all games, those of earlier runs included; first before any is played.
  std::function<void(std::int64_t done)> progress;
  // Asked again and again, in any thread: true stops the study. The same call goes on with it.
  std::function<bool()> stop;
  // Called in the work that some studies do once the deals are played: how many of its units are done.
  std::function<void(std::string_view unit, std::int64_t done, std::int64_t total)> work = {};
};

struct StudyOutcome {
  std::int64_t deals = 0;          // played, those of earlier runs included
  bool interrupted = false;        // then nothing below, and no results have been written
  nlohmann::ordered_json results;  // as in results.json
  std::filesystem::path report;
};

// Plays the deals that the folder lacks and writes results.json and report.html beside config.yaml and games.txt. Equal
// configs have equal results, byte by byte, whatever the threads and however often they were stopped.
// Throws UsageError when something else is in the folder or another process works in it, FileError, AgentFailure.
StudyOutcome run_study(const StudyJob& job, const std::filesystem::path& folder, const StudyHooks& hooks = {});

}  // namespace dealer::studies
