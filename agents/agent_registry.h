#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "agents/agent.h"
#include "env/core/config.h"
#include "env/core/registry.h"

namespace dealer {

// The agents of one family of games. What a family has not is null.
struct FamilyAgents {
  // Whether a game is one of the family.
  bool (*plays)(const Game& game) = nullptr;
  // Null: uniformly random over the legal actions.
  AgentFactoryPtr (*random)(const Spec& spec, const GamePtr& game) = nullptr;
  AgentFactoryPtr (*rule)(const Spec& spec, const GamePtr& game) = nullptr;
  // From a file of weights; the spec has the options.
  AgentFactoryPtr (*trained)(const Spec& spec, const std::filesystem::path& file, const GamePtr& game) = nullptr;
};

// By the key `game:` of the family's files.
const std::map<std::string, FamilyAgents, std::less<>>& agent_families();

// Names that make_agents() knows for the game, paths aside.
std::vector<std::string> agent_names(const Game& game);

// The options of a spec, to be asked for one by one; the maker calls finish() to refuse those it does not know.
Config agent_options(const Spec& spec);

// The file an agent is loaded from: a .safetensors file itself, or the newest checkpoint of a run folder.
// Throws FileError when there is none.
std::filesystem::path agent_file(const std::filesystem::path& path);

AgentFactoryPtr make_factory(std::string spec, std::function<std::unique_ptr<Agent>()> make);

}  // namespace dealer
