#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "env/core/config.h"
#include "env/core/game.h"

namespace dealer {

// "holdem[limit=no_limit,players=6]": a name and its options in the order given. Used for games and agents.
struct Spec {
  std::string name;
  std::vector<std::pair<std::string, std::string>> options;
};
// Commas inside brackets or quotes do not separate. For "exec:COMMAND", whose command may contain brackets, the options
// are the last pair of brackets if the text ends with it. Throws ParseError.
Spec parse_spec(std::string_view text);
std::string to_string(const Spec& spec);

// A YAML file of a data folder (configs/games), or any other by its path, with the options of its spec applied.
struct NamedConfig {
  std::string name;  // of the file, without folder and extension
  std::string spec;
  Config config;
};
// `what` names the kind of file in messages: "game". Throws UsageError on an unknown name (suggesting the
// nearest), ConfigError on malformed YAML or options.
NamedConfig open_config(std::string_view what, std::string_view folder, std::string_view spec);
// The path of the file, by its name in the folder or by its path. Throws UsageError listing the names that exist.
std::filesystem::path config_file(std::string_view what, std::string_view folder, const std::string& name);
// Throws ConfigError when the file is empty, or when one of its keys shows that it is of another kind: game, deck,
// ranking, training config.
void expect_config(std::string_view what, const Config& config, std::string_view file);
// Names of the files of such a folder, sorted.
std::vector<std::string> config_names(std::string_view folder);

// Builds a game from its rules; asks the config for every key it knows (the caller calls finish()).
using GameMaker = GamePtr (*)(GameId id, Config& config);

// Common to all files with the same key `game:`.
struct GameFamily {
  GameMaker make = nullptr;
  EventWords words = {};  // words in the JSON of events that only this family uses
};
using GameFamilies = std::map<std::string, GameFamily, std::less<>>;
// The families of games this program knows, by the key `game:` of their files.
const GameFamilies& game_families();
// Adds a family of a user's own program. Throws UsageError when the name is taken.
void register_game_family(std::string name, GameMaker maker, EventWords words = {});
// Registers the project's own: calls register_games() of every folder in env/games (made by cmake/registrations.cmake).
void register_games(GameFamilies& families);

// Names of the files in configs/games, sorted.
std::vector<std::string> game_names();
// A game by name or by path of a YAML file, with options: "ofc", "ofc[players=3,episode=match]", "my/ofc.yaml".
// Throws UsageError on an unknown name (suggesting the nearest), ConfigError on bad rules.
GamePtr make_game(std::string_view spec);

}  // namespace dealer
