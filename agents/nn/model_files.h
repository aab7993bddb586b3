#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "env/core/game.h"

namespace dealer {

// A model as its metadata tells: `game` is the family of its games (GameId::family), `rules` those it was trained for
// (GameId::rules), where it says so.
struct ModelFile {
  std::filesystem::path path;
  std::string family;
  std::string rules;
  bool solution = false;  // of a solver, which plays by exactly these rules
};

// The .safetensors files of a folder by name; only their headers are read. What cannot be read is left out and named in
// `unreadable`, unless that is null.
std::vector<ModelFile> list_models(const std::filesystem::path& folder, std::vector<std::string>* unreadable);

// The model of a folder that plays a game best, whatever game and file are called: the one of exactly these rules, a
// solution before a network; else the general one of the family, which is FAMILY.safetensors, or else one that names no
// rules. The first by name of several. Throws UsageError naming what there is.
std::filesystem::path find_model(const Game& game, const std::filesystem::path& folder);
// The same to play at `table`, which may have other chips than `game`: a solution is left out where it has.
std::filesystem::path find_model(const Game& game, const Game& table, const std::filesystem::path& folder);
// Whether there is one.
bool has_model(const Game& game, const std::filesystem::path& folder);

}  // namespace dealer
