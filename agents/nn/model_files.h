#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "env/core/game.h"

namespace dealer {

// A model as its file tells: `family` is that of its games (GameId::family), `rules` those it was trained for
// (GameId::rules), where it says so.
struct ModelFile {
  std::filesystem::path path;
  std::string family;
  std::string rules;
  bool solution = false;  // of a solver, which plays by exactly these rules, or a mixture, whose members may be such
  std::vector<std::filesystem::path> members;  // of a mixture
};

// A mixture of models, as a text file: `game`, by whose rules alone it plays, and `mixture`, a list of two or more
// .safetensors files or run folders, from where it lies.
inline constexpr const char* kMixtureSuffix = ".yaml";

// Of a .safetensors file the header alone is read. Throws FileError, CheckpointError, ConfigError and UsageError.
ModelFile read_model_file(const std::filesystem::path& path);
// The models of a folder by name. What cannot be read is left out and named in `unreadable`, unless that is null.
std::vector<ModelFile> list_models(const std::filesystem::path& folder, std::vector<std::string>* unreadable);

// The model of a folder that plays a game best, whatever game and file are called: the one of exactly these rules, a
// mixture before a solution before a network; else the general one of the family, which is FAMILY.safetensors, or else
// one that names no rules. The first by name of several. Throws UsageError naming what there is, and what reading a
// mixture throws, lest another plays in its place.
std::filesystem::path find_model(const Game& game, const std::filesystem::path& folder);
// The same to play at `table`, which may have other chips than `game`: solutions and mixtures are left out where it
// has.
std::filesystem::path find_model(const Game& game, const Game& table, const std::filesystem::path& folder);
// Whether there is one.
bool has_model(const Game& game, const std::filesystem::path& folder);

}  // namespace dealer
