#pragma once

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
// Commas inside brackets or quotes do not separate. Throws ParseError.
Spec parse_spec(std::string_view text);
std::string to_string(const Spec& spec);

// Builds a game from its rules; asks the config for every key it knows (finish() is the caller's).
using GameMaker = GamePtr (*)(std::string name, std::string spec, Config& config);

// The families of games this program knows, by the key `game:` of their files.
const std::map<std::string, GameMaker, std::less<>>& game_families();

// Names of the files in configs/games, sorted.
std::vector<std::string> game_names();
// A game by name or by path of a YAML file, with options: "ofc", "ofc[players=3,episode=match]", "my/ofc.yaml".
// Throws UsageError on an unknown name (suggesting the nearest), ConfigError on bad rules.
GamePtr make_game(std::string_view spec);

}  // namespace dealer
