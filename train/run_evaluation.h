#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "agents/agent.h"
#include "agents/nn/safetensors.h"
#include "train/best_model.h"
#include "train/job_settings.h"
#include "train/metrics.h"
#include "train/run_folder.h"
#include "train/train.h"
#include "train/trainer.h"

namespace dealer {

// Evaluates the agents of a run: their exploitability, and matches against the opponents of its config. Results go to
// the log and into lines of metrics.
class RunEvaluation {
 public:
  // The first two must outlive it. against_default: also evaluates the finished agent against `default`, if the game
  // has one.
  RunEvaluation(const JobSettings& settings, const Evaluations& evaluations, bool against_default);

  // Evaluates the shipped player and the learner's other ones; false when it was interrupted.
  bool add(const Trainer& trainer, const RunFolder& run, std::optional<BestModel>& best,
           std::vector<Metric>& line) const;
  // Plays the matches of the finished agent; false when it was interrupted.
  bool add_final(const AgentFactoryPtr& agent, const RunFolder& run, nlohmann::json& result,
                 std::vector<Metric>& line) const;
  // The metric that the finished agent is compared by: "exploitability", or "match/OPPONENT" of the first opponent;
  // empty if the config asks for neither.
  std::string final_measure() const;
  // Nothing if the config asks for none, or the game is too large.
  std::optional<double> exploitability(const AgentFactoryPtr& agent) const;

 private:
  Evaluation match(const AgentFactoryPtr& agent, const std::string& opponent, int deals) const;
  // The opponents of the finished agent.
  std::vector<std::string> final_opponents() const;

  const JobSettings& settings_;
  const Evaluations& evaluations_;
  bool against_default_;
};

// The metrics of a checkpoint that was saved during its evaluation, as its metadata; empty if there are none. Throws
// CheckpointError.
std::vector<Metric> read_unevaluated(const TensorFile& checkpoint);
void save_unevaluated(const std::vector<Metric>& metrics, TensorFile& checkpoint);

}  // namespace dealer
