#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agents/agent.h"
#include "agents/encoder.h"
#include "agents/search/search.h"
#include "agents/simple_player.h"
#include "env/core/config.h"
#include "env/core/registry.h"

namespace dealer {

// A kind of agents: what a spec may begin with.
struct AgentKind {
  // Makes agents of a spec that names the kind. Throws UsageError, CheckpointError, FileError.
  std::function<AgentFactoryPtr(const Spec& spec, const GamePtr& game)> make;
  // Which games it plays; empty: every one.
  std::function<bool(const Game& game)> plays = {};
  // For people, in a line: "any legal action".
  std::string what;
  // Whether "NAME:ARGUMENT" names it, too; agent_argument() tells the argument.
  bool takes_argument = false;
  // The name alone does not do: "exec:COMMAND".
  bool needs_argument = false;
  // The arguments there are in a game, for completion.
  std::function<std::vector<std::string>(const Game& game)> arguments = {};
  // Kinds without a name of their own: whether a spec's name is one of theirs. Asked after all names.
  std::function<bool(std::string_view name)> recognises = {};
};

// Adds a kind of agents of somebody's own program: its spec is then an agent everywhere. Not while agents are made in
// another thread. Throws UsageError when the name is taken or is none: letters, digits, '_' and '-'.
void register_agent_kind(std::string name, AgentKind kind);
// In the order they were added, the project's own first.
const std::vector<std::pair<std::string, AgentKind>>& agent_kinds();

// "bold" of "rule:bold"; empty when there is none.
std::string agent_argument(const Spec& spec);

// The agents of one family of games. What a family has not is null.
struct FamilyAgents {
  // Whether a game is one of the family.
  bool (*plays)(const Game& game) = nullptr;
  // Null: uniformly random over the legal actions.
  AgentFactoryPtr (*random)(const Spec& spec, const GamePtr& game) = nullptr;
  AgentFactoryPtr (*rule)(const Spec& spec, const GamePtr& game) = nullptr;
  // What "rule:" may be followed by.
  std::span<const std::string_view> (*styles)() = nullptr;
  // What "zoo:" may be followed by.
  std::span<const SimplePlayer> (*zoo)() = nullptr;
  // From a file of weights; the spec has the options.
  AgentFactoryPtr (*trained)(const Spec& spec, const std::filesystem::path& file, const GamePtr& game) = nullptr;
  // What networks are told beside the observation.
  EncoderPtr (*facts)(const GamePtr& game) = nullptr;
  // The choices of a turn, for networks that value what comes after them.
  AfterstateEncoderPtr (*afterstates)(const GamePtr& game) = nullptr;
  // Actions that are sizes of the same thing, such as all bets: the mask of each kind with two or more.
  std::vector<LegalMask> (*kinds)(const Game& game) = nullptr;
  // How it is searched. Null: by its rules alone.
  SearchMaker (*search)(const SearchSetup& setup, const GamePtr& game) = nullptr;
};

// Of the game's family; empty where no two actions are of a kind.
std::vector<LegalMask> action_kinds(const Game& game);

// By the key `game:` of the family's files.
using AgentFamilies = std::map<std::string, FamilyAgents, std::less<>>;
const AgentFamilies& agent_families();
// Calls register_agents() of every folder in agents with a family.cc. CMake writes it (cmake/registrations.cmake).
void register_agents(AgentFamilies& families);

// Names that make_agents() knows for the game, paths aside.
std::vector<std::string> agent_names(const Game& game);
// The players of one simple idea that the game's family has; empty where it has none.
std::span<const SimplePlayer> zoo_of(const Game& game);
// The same specs, "zoo" alone replaced by every "zoo:NAME" of the game that is not among them. Throws UsageError where
// the game has no zoo.
std::vector<std::string> expand_zoo(std::span<const std::string> specs, const Game& game);

// The options of a spec, to be asked for one by one; the maker calls finish() to refuse those it does not know.
Config agent_options(const Spec& spec);
// The same of a heuristic agent: "rule:bold" is short for "rule[style=bold]".
Config rule_options(const Spec& spec);

// The file an agent is loaded from: a .safetensors file or a mixture itself, or of a run folder the best model, where
// the run keeps one, else the newest checkpoint. Throws FileError when there is none.
std::filesystem::path agent_file(const std::filesystem::path& path);
// The agent in such a file, without options. Throws as reading the file does.
AgentFactoryPtr make_agents_of_file(const std::filesystem::path& file, const GamePtr& game);

// Single agents; asked for many tables, one after the other.
AgentFactoryPtr make_factory(std::string spec, std::function<std::unique_ptr<Agent>()> make);

}  // namespace dealer
