#include "train/run_evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "agents/nn/model_files.h"
#include "env/core/data_dir.h"
#include "env/core/error.h"
#include "env/core/game.h"
#include "env/core/random.h"

namespace dealer {
namespace {

// A few deals with equal results have no interval.
void add_interval(const std::string& metric, double ci95, std::vector<Metric>& line) {
  if (std::isfinite(ci95)) line.emplace_back(metric + "_ci95", ci95);
}

// Metadata of a checkpoint saved during its evaluation.
constexpr const char* kUnevaluated = "unevaluated";

}  // namespace

std::vector<Metric> read_unevaluated(const TensorFile& checkpoint) {
  const auto found = checkpoint.metadata.find(kUnevaluated);
  if (found == checkpoint.metadata.end()) return {};
  std::vector<Metric> figures;
  const auto json = nlohmann::json::parse(found->second, nullptr, false);
  for (const auto& figure : json.is_array() ? json : nlohmann::json::array()) {
    const bool sound = figure.is_array() && figure.size() == 2 && figure[0].is_string() &&
                       (figure[1].is_number() || figure[1].is_null());
    // Non-finite values are null in JSON.
    if (sound) figures.emplace_back(figure[0], figure[1].is_null() ? std::nan("") : figure[1].get<double>());
  }
  if (figures.empty() || figures.size() != json.size())
    throw CheckpointError(fmt::format("{}: metadata '{}' is not a list of results", checkpoint.name, kUnevaluated));
  return figures;
}

void save_unevaluated(const std::vector<Metric>& metrics, TensorFile& checkpoint) {
  checkpoint.metadata[kUnevaluated] = nlohmann::json(metrics).dump();
}

RunEvaluation::RunEvaluation(const JobSettings& settings, const Evaluations& evaluations, bool against_default)
    : settings_(settings), evaluations_(evaluations), against_default_(against_default) {}

bool RunEvaluation::add(const Trainer& trainer, const RunFolder& run, std::optional<BestModel>& best,
                        std::vector<Metric>& line) const {
  for (const auto& [name, agent] : trainer.agents()) {
    const std::string prefix = name.empty() ? "" : name + "/";
    if (const auto distance = exploitability(agent)) {
      line.emplace_back(prefix + "exploitability", *distance);
      run.log()->info("{} hands: exploitability {:.5f} {} {}", trainer.hands(), *distance, settings_.game->unit(),
                      name);
      if (name.empty() && best) best->offer(trainer.save_model(), trainer.hands(), *distance);
    }
    if (settings_.evaluation_deals == 0) continue;
    for (const std::string& opponent : settings_.opponents) {
      const Evaluation result = match(agent, opponent, settings_.evaluation_deals);
      if (result.interrupted) return false;
      line.emplace_back(prefix + "match/" + opponent, result.mean);
      add_interval(prefix + "match/" + opponent, result.ci95, line);
      run.log()->info("{} hands: {:+.2f} ± {:.2f} {} a hand against {} {}", trainer.hands(), result.mean, result.ci95,
                      settings_.game->unit(), opponent, name);
    }
  }
  return true;
}

std::vector<std::string> RunEvaluation::final_opponents() const {
  if (settings_.final_deals == 0) return {};
  std::vector<std::string> opponents = settings_.opponents;
  if (against_default_ && std::ranges::find(opponents, "default") == opponents.end() &&
      has_model(*settings_.game, data_path("models")))
    opponents.emplace_back("default");
  return opponents;
}

std::string RunEvaluation::final_measure() const {
  if (settings_.exploitability) return "exploitability";
  const std::vector<std::string> opponents = final_opponents();
  return opponents.empty() ? "" : "match/" + opponents.front();
}

bool RunEvaluation::add_final(const AgentFactoryPtr& agent, const RunFolder& run, nlohmann::json& result,
                              std::vector<Metric>& line) const {
  for (const std::string& opponent : final_opponents()) {
    const Evaluation played = match(agent, opponent, settings_.final_deals);
    if (played.interrupted) return false;
    result["matches"][opponent] = played.detail;
    line.emplace_back("final/" + opponent, played.mean);
    add_interval("final/" + opponent, played.ci95, line);
    run.log()->info("final: {:+.2f} ± {:.2f} {} a hand against {}", played.mean, played.ci95, settings_.game->unit(),
                    opponent);
  }
  return true;
}

std::optional<double> RunEvaluation::exploitability(const AgentFactoryPtr& agent) const {
  return settings_.exploitability ? evaluations_.exploitability(agent, settings_.game) : std::nullopt;
}

Evaluation RunEvaluation::match(const AgentFactoryPtr& agent, const std::string& opponent, int deals) const {
  return evaluations_.match(agent, opponent, settings_.game, deals, derive(settings_.seed, 0xe7a1));
}

}  // namespace dealer
