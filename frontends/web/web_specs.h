#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "agents/agent.h"

namespace dealer::web {

// Makes the games and agents named by pages, and shares them among tables. Pages may name run folders but no other
// files, and no programs or addresses.
class WebSpecs {
 public:
  // `runs`: the folder of the runs available as agents.
  explicit WebSpecs(std::filesystem::path runs) : runs_(std::move(runs)) {}

  // A game of configs/games with options. Throws UsageError.
  GamePtr game(std::string_view spec);
  // "best", a kind of agents or a run, with options. Throws like make_agents().
  AgentFactoryPtr agents(std::string_view spec, const GamePtr& game);
  // The spec in the form of make_agents(): a run by its path. Throws UsageError if pages may not name it.
  std::string agent_spec(std::string_view spec) const;
  // The folder of a run. Throws UsageError if there is no run of that name.
  std::filesystem::path run_folder(std::string_view name) const;
  const std::filesystem::path& runs() const { return runs_; }

 private:
  const std::filesystem::path runs_;
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<const Game>, std::less<>> games_;
  std::map<std::pair<const Game*, std::string>, std::weak_ptr<const AgentFactory>> agents_;
};

// The available games with their players, units, agents and options: a list, for /api/games.
nlohmann::ordered_json games_json();

}  // namespace dealer::web
