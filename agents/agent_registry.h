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
#include "env/core/config.h"
#include "env/core/registry.h"

namespace dealer {

// A kind of agent: what a spec may begin with.
struct AgentKind {
  // Makes agents from a spec that names this kind. Throws UsageError, CheckpointError, FileError.
  std::function<AgentFactoryPtr(const Spec& spec, const GamePtr& game)> make;
  // True for the games that it plays; empty: it plays every game.
  std::function<bool(const Game& game)> plays = {};
  // A one-line description for people: "any legal action".
  std::string what;
  // True if "NAME:ARGUMENT" names this kind, too; agent_argument() returns the argument.
  bool takes_argument = false;
  // The name alone is not enough: "exec:COMMAND".
  bool needs_argument = false;
  // The possible arguments in a game, for completion.
  std::function<std::vector<std::string>(const Game& game)> arguments = {};
  // For kinds without a fixed name: true if the spec's name belongs to this kind. Asked after all names.
  std::function<bool(std::string_view name)> recognises = {};
};

// Registers a kind of agent from another program: its specs are then accepted everywhere. Not while agents are made in
// another thread. Throws UsageError if the name is taken or invalid: letters, digits, '_' and '-' are allowed.
void register_agent_kind(std::string name, AgentKind kind);
// All kinds in the order they were added, the built-in ones first.
const std::vector<std::pair<std::string, AgentKind>>& agent_kinds();

// The part after the colon: "bold" for "rule:bold"; empty if there is none.
std::string agent_argument(const Spec& spec);

// A player of one simple idea, "zoo:NAME": agents are tested against what is easy to think of.
struct SimplePlayer {
  std::string_view name;
  std::string_view what;  // the idea in a line, for people
  AgentFactoryPtr (*make)(const SimplePlayer& player, const std::string& spec, const GamePtr& game);
};

// The agents of one family of games. Null for anything a family does not provide.
struct FamilyAgents {
  // True if the game belongs to the family.
  bool (*plays)(const Game& game) = nullptr;
  // Null: uniformly random over the legal actions.
  AgentFactoryPtr (*random)(const Spec& spec, const GamePtr& game) = nullptr;
  AgentFactoryPtr (*rule)(const Spec& spec, const GamePtr& game) = nullptr;
  // The names that may follow "rule:".
  std::span<const std::string_view> (*styles)() = nullptr;
  // The names that may follow "zoo:".
  std::span<const SimplePlayer> zoo = {};
  // Makes an agent from a file of weights; the spec carries the options.
  AgentFactoryPtr (*trained)(const Spec& spec, const std::filesystem::path& file, const GamePtr& game) = nullptr;
  // The input features of networks beside the observation.
  EncoderPtr (*input_features)(const GamePtr& game) = nullptr;
  // The choices of a turn, for networks that value afterstates.
  AfterstateEncoderPtr (*afterstates)(const GamePtr& game) = nullptr;
  // The groups of actions that are sizes of the same thing, such as all bets: the mask of each group of two or more.
  std::vector<LegalMask> (*kinds)(const Game& game) = nullptr;
  // The search used for the family. Null: search by the game's rules alone.
  SearchMaker (*search)(const SearchSetup& setup, const GamePtr& game) = nullptr;
};

// The action groups of the game's family; empty if no two actions are of the same kind.
std::vector<LegalMask> action_kinds(const Game& game);

// The families by the value of `game:` in the files of the family.
using AgentFamilies = std::map<std::string, FamilyAgents, std::less<>>;
const AgentFamilies& agent_families();
// Calls register_agents() of every folder in agents with a family.cc. CMake writes it (cmake/registrations.cmake).
void register_agents(AgentFamilies& families);

// The agent names that make_agents() accepts for the game, apart from paths.
std::vector<std::string> agent_names(const Game& game);
// The zoo of the game's family: players of one simple idea each; empty if it has none.
std::span<const SimplePlayer> zoo_of(const Game& game);
// The given specs with a bare "zoo" replaced by every "zoo:NAME" of the game that is not already listed. Throws
// UsageError if the game has no zoo.
std::vector<std::string> expand_zoo(std::span<const std::string> specs, const Game& game);

// The options of a spec, to be queried one by one; the maker calls finish() to reject unknown ones. is_own: of these
// alone; empty: of all.
Config agent_options(const Spec& spec, const std::function<bool(std::string_view key)>& is_own = {});
// The options of a heuristic agent: "rule:bold" is short for "rule[style=bold]".
Config rule_options(const Spec& spec);

// The file that an agent is loaded from: a .safetensors file or a mixture itself; for a run folder the best model if
// the run keeps one, else the newest checkpoint. Throws FileError if there is none.
std::filesystem::path agent_file(const std::filesystem::path& path);
// The agent in such a file, with default options. Throws what reading the file throws.
AgentFactoryPtr make_agents_of_file(const std::filesystem::path& file, const GamePtr& game);

// A factory of single agents; a batch queries them one after the other.
AgentFactoryPtr make_factory(std::string spec, std::function<std::unique_ptr<Agent>()> make);

}  // namespace dealer
