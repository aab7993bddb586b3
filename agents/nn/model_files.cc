#include "agents/nn/model_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <system_error>

#include "agents/nn/safetensors.h"
#include "env/core/config.h"
#include "env/core/error.h"
#include "env/core/registry.h"

namespace dealer {
namespace {

namespace fs = std::filesystem;

constexpr const char* kModelSuffix = ".safetensors";
constexpr const char* kAlgorithm = "algorithm";  // metadata of solutions only
constexpr const char* kAnyRules = "any_rules";

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator(); entry.increment(error))
    if (entry->path().extension() == kModelSuffix || entry->path().extension() == kMixtureSuffix)
      files.push_back(entry->path());
  if (error) throw FileError("cannot read " + folder.string() + ": " + error.message());
  std::sort(files.begin(), files.end());
  return files;
}

ModelFile read_mixture(const fs::path& path) {
  Config config = Config::load(path);
  const std::string game = config.get_string("game", "");
  const std::vector<std::string> names = config.get_strings("mixture", {});
  config.finish();
  if (game.empty()) throw ConfigError(config.where("game") + ": which game it plays is missing");
  if (names.size() < 2) throw ConfigError(config.where("mixture") + ": expected a list of two models or more");
  const GameId id = make_game(game)->id();
  ModelFile model{path, id.family, id.rules, false, true, {}};
  for (const std::string& name : names) {
    model.members.push_back(path.parent_path() / name);
    if (model.members.back().extension() == kMixtureSuffix)
      throw ConfigError(fmt::format("{}: '{}' is a mixture itself; expected {} files and run folders",
                                    config.where("mixture"), name, kModelSuffix));
  }
  return model;
}

// 6: a mixture of these rules, 5: a solution of them, 4: of these rules, 3: trained for all rules, 2: the family's own
// file, 1: it names no rules, 0: not for this game.
int rank(const ModelFile& model, const GameId& game, const GameId& table) {
  if (model.family != game.family || (model.solution && model.rules != table.rules)) return 0;
  if (model.rules == game.rules) return !model.members.empty() ? 6 : model.solution ? 5 : 4;
  if (model.any_rules) return 3;
  if (model.path.stem() == game.family) return 2;
  return model.rules.empty() ? 1 : 0;
}

// The names of the family's models, or of the available families.
std::string list_of(const std::vector<ModelFile>& models, const std::string& family) {
  std::set<std::string> own, others;
  for (const ModelFile& model : models) {
    if (model.family == family)
      own.insert(model.path.filename().string());
    else
      others.insert(model.family.empty() ? "no game" : fmt::format("'{}'", model.family));
  }
  if (!own.empty()) return fmt::format("for other rules there is {}", fmt::join(own, ", "));
  return others.empty() ? "there is none" : fmt::format("there are models of {}", fmt::join(others, ", "));
}

}  // namespace

ModelFile read_model_file(const fs::path& path) {
  if (path.extension() == kMixtureSuffix) return read_mixture(path);
  const auto metadata = read_safetensors_metadata(path);
  const auto value = [&](const char* key) {
    const auto found = metadata.find(key);
    return found == metadata.end() ? std::string() : found->second;
  };
  return {path, value("game"), value("rules"), metadata.contains(kAnyRules), metadata.contains(kAlgorithm), {}};
}

std::vector<ModelFile> list_models(const fs::path& folder, std::vector<std::string>* unreadable) {
  std::vector<ModelFile> models;
  for (const fs::path& path : files_in(folder)) {
    try {
      models.push_back(read_model_file(path));
    } catch (const Error& error) {
      if (unreadable != nullptr) unreadable->emplace_back(error.what());
    }
  }
  return models;
}

fs::path find_model(const Game& game, const fs::path& folder) { return find_model(game, game, folder); }

fs::path find_model(const Game& game, const Game& table, const fs::path& folder) {
  std::vector<std::string> unreadable;
  const std::vector<ModelFile> models = list_models(folder, &unreadable);
  const auto best = std::max_element(models.begin(), models.end(), [&](const ModelFile& a, const ModelFile& b) {
    return rank(a, game.id(), table.id()) < rank(b, game.id(), table.id());
  });
  // An unreadable mixture may have been for this game; do not silently use another model.
  if (!unreadable.empty()) {
    for (const fs::path& path : files_in(folder))
      if (path.extension() == kMixtureSuffix) read_model_file(path);
  }
  if (best != models.end() && rank(*best, game.id(), table.id()) > 0) return best->path;
  throw UsageError(fmt::format("no model in {} is for '{}' (a game of '{}'); {}{}", folder.string(), table.spec(),
                               game.id().family, list_of(models, game.id().family),
                               unreadable.empty() ? "" : "; not readable: " + unreadable.front()));
}

bool has_model(const Game& game, const fs::path& folder) {
  const std::vector<ModelFile> models = list_models(folder, nullptr);
  return std::any_of(models.begin(), models.end(),
                     [&](const ModelFile& model) { return rank(model, game.id(), game.id()) > 0; });
}

}  // namespace dealer
