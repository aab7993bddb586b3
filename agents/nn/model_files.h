#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "env/core/game.h"

namespace dealer {

// The header of a model file: `family` is that of its games (GameId::family), `rules` those it was trained for
// (GameId::rules), if the file names them.
struct ModelFile {
  std::filesystem::path path;
  std::string family;
  std::string rules;
  bool any_rules = false;  // trained to play all rules of its family (metadata any_rules)
  bool solution = false;   // solver output, tied to exactly these rules, or a mixture, whose members may be solutions
  std::vector<std::filesystem::path> members;  // of a mixture
};

// A mixture of models is a text file with `game`, the only rules it plays by, and `mixture`, a list of two or more
// .safetensors files or run folders, relative to the file.
inline constexpr const char* kMixtureSuffix = ".yaml";

// For a .safetensors file only the header is read. Throws FileError, CheckpointError, ConfigError and UsageError.
ModelFile read_model_file(const std::filesystem::path& path);
// The models of a folder by name. Unreadable ones are skipped and named in `unreadable`, unless that is null.
std::vector<ModelFile> list_models(const std::filesystem::path& folder, std::vector<std::string>* unreadable);

// The model of a folder that plays a game best, whatever game and file are called: one trained for exactly these rules,
// preferring a mixture, then a solution, then a network; else one trained for all rules of the family; else the general
// one of the family, FAMILY.safetensors; else one that names no rules. On ties the first by name. Throws UsageError
// naming the available models, and any error of reading a mixture, so that no other model silently takes its place.
std::filesystem::path find_model(const Game& game, const std::filesystem::path& folder);
// The same for play at `table`, which may have other chips than `game`: if it has,
// solutions and mixtures are left out.
std::filesystem::path find_model(const Game& game, const Game& table, const std::filesystem::path& folder);
// True if find_model() would find a model.
bool has_model(const Game& game, const std::filesystem::path& folder);

}  // namespace dealer
