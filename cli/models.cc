#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "agents/nn/model_files.h"
#include "agents/nn/safetensors.h"
#include "arena/output.h"
#include "arena/studies/strength.h"
#include "cli/commands.h"
#include "cli/learning_curve.h"
#include "cli/options.h"
#include "cli/output.h"
#include "env/core/config.h"
#include "env/core/data_dir.h"
#include "env/core/error.h"
#include "env/core/numbers.h"
#include "env/core/registry.h"
#include "train/progress.h"

namespace dealer::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct ModelsArguments {
  std::string folder = "runs";
  bool json = false;
};

struct Model {
  std::string name, game;
  fs::path path;
  std::string made_by;         // a config, an algorithm or the members of a mixture
  const char* unit = nullptr;  // "hands" or "iterations"; null: not recorded
  std::int64_t count = 0;
  std::string strength;  // as text; empty: not recorded
};

constexpr const char* kTrainConfigs = "configs/train";

// The name of the game with these rules: its own, or a training config's.
class GamesByRules {
 public:
  GamesByRules() {
    for (const std::string& name : game_names()) add(name);
    for (const std::string& name : config_names(kTrainConfigs)) try {
        Config config = Config::load(data_path(fmt::format("{}/{}.yaml", kTrainConfigs, name)), kTrainConfigs);
        if (const std::string game = config.get_string("game", ""); !game.empty()) add(game);
      } catch (const Error&) {
        continue;  // `dealer train` reports the error
      }
  }
  // The family, if no game has these rules or the file does not record them.
  std::string name_of(const ModelFile& model) const {
    const auto known = specs_.find(model.rules);
    if (known != specs_.end()) return known->second;
    return model.rules.empty() ? model.family : model.family + ", own rules";
  }

  bool knows(const std::string& spec) const {
    return std::ranges::any_of(specs_, [&](const auto& entry) { return entry.second == spec; });
  }

 private:
  void add(const std::string& spec) { specs_.emplace(make_game(spec)->id().rules, spec); }

  std::map<std::string, std::string> specs_;
};

void read_origin(const ModelFile& file, const std::string& config, Model& model) {
  if (!file.members.empty()) {
    std::vector<std::string> names;
    for (const fs::path& member : file.members) names.push_back(member.stem().string());
    model.made_by = fmt::format("mixture of {}", fmt::join(names, ", "));
    return;
  }
  const auto metadata = read_safetensors_metadata(file.path);
  model.made_by = metadata.contains("algorithm") ? metadata.at("algorithm") : config;
  for (const char* unit : {"hands", "iterations"})
    if (metadata.contains(unit)) {
      model.unit = unit;
      model.count = number_in<std::int64_t>(metadata.at(unit)).value_or(0);
    }
  if (metadata.contains("exploitability")) model.strength = "exploitability " + metadata.at("exploitability");
}

// "zoo:trapper wins -1.46 ± 0.21 chips", for the model that `default` plays.
std::string exploited_text(const std::vector<studies::Exploited>& known, const std::string& game) {
  for (const studies::Exploited& each : known)
    if (each.game == game && each.against == "default")
      return fmt::format("{} wins {:+.2f} ± {:.2f} {}", each.best, each.bound, each.ci95, each.unit);
  return {};
}

std::vector<Model> shipped_models(const GamesByRules& games) {
  const fs::path folder = data_path("models");
  const std::vector<studies::Exploited> known = studies::shipped_exploited();
  const std::vector<std::string> configs = config_names(kTrainConfigs);
  std::vector<std::string> unreadable;
  std::vector<Model> models;
  for (const ModelFile& file : list_models(folder, &unreadable)) {
    const std::string stem = file.path.stem().string(), config = stem + "_default";
    Model model{stem, games.name_of(file), file.path, {}, nullptr, 0, {}};
    read_origin(file, std::ranges::binary_search(configs, config) ? config : "", model);
    // `default` may use another file.
    if (games.knows(model.game) && find_model(*make_game(model.game), folder) == file.path && model.strength.empty())
      model.strength = exploited_text(known, model.game);
    models.push_back(std::move(model));
  }
  for (const std::string& message : unreadable) notify("warning: " + message);
  return models;
}

// The models of run folders, the newest first.
std::vector<Model> own_models(const fs::path& folder, const GamesByRules& games) {
  std::vector<Model> models;
  if (!fs::is_directory(folder)) return models;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const fs::path path = entry.is_directory() ? entry.path() / "model.safetensors" : entry.path();
    if (path.extension() != ".safetensors" || !fs::exists(path)) continue;
    try {
      const ModelFile file = read_model_file(path);
      Model model{entry.path().string(), games.name_of(file), path, {}, nullptr, 0, {}};
      std::optional<LearningCurve> curve;
      if (entry.is_directory()) curve = read_learning_curve(entry.path());
      read_origin(file, entry.is_directory() ? entry.path().string() + "/config.yaml" : "", model);
      if (curve) model.game = curve->game->spec();
      if (curve && !curve->points.empty()) model.strength = strength_text(*curve);
      models.push_back(std::move(model));
    } catch (const Error& error) {
      notify(fmt::format("warning: {}", error.what()));
    }
  }
  std::ranges::sort(models, std::ranges::greater(), [](const Model& model) { return fs::last_write_time(model.path); });
  return models;
}

double age_of(const Model& model) {
  return std::chrono::duration<double>(fs::file_time_type::clock::now() - fs::last_write_time(model.path)).count();
}

Json to_json(const Model& model) {
  Json json = {{"model", model.name},         {"game", model.game},
               {"path", model.path.string()}, {"bytes", fs::file_size(model.path)},
               {"made_by", model.made_by},    {"age_seconds", age_of(model)},
               {"strength", model.strength}};
  if (model.unit != nullptr) json[model.unit] = model.count;
  return json;
}

std::vector<std::string> row_of(const Model& model) {
  const auto or_dash = [](const std::string& text) { return text.empty() ? std::string("–") : text; };
  return {model.name,
          model.game,
          short_count(static_cast<double>(fs::file_size(model.path))) + "B",
          or_dash(model.made_by),
          model.unit == nullptr ? "–" : fmt::format("{} {}", short_count(static_cast<double>(model.count)), model.unit),
          short_duration(age_of(model)),
          or_dash(model.strength)};
}

void run_models(const ModelsArguments& options) {
  const GamesByRules games;
  std::vector<Model> models = shipped_models(games);
  for (Model& model : own_models(options.folder, games)) models.push_back(std::move(model));
  if (options.json) {
    Json json = Json::array();
    for (const Model& model : models) json.push_back(to_json(model));
    return print_json(json);
  }
  std::vector<std::vector<std::string>> rows = {{"model", "game", "size", "made by", "of", "age", "strength"}};
  for (const Model& model : models) rows.push_back(row_of(model));
  print(text_table(rows, [](std::size_t column) { return column == 2 || column == 4 || column == 5; }));
}

}  // namespace

void add_models(CLI::App& program) {
  const auto options = std::make_shared<ModelsArguments>();
  CLI::App* command = add_command(program, "models",
                                  "Lists the shipped models and those of your runs: game, size, origin, age, strength",
                                  {"dealer models", "dealer models my/runs --json"});
  command->add_option("FOLDER", options->folder, "The folder that contains your run folders or .safetensors files")
      ->capture_default_str();
  add_json(command, options->json);
  bind(command, options, run_models);
}

}  // namespace dealer::cli
