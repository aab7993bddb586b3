#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "train/train.h"

namespace dealer::cli {

// Settings of the evaluations during a training.
inline constexpr std::uint64_t kEvaluationSeed = 0xe7a1;

// The evaluations of a training (Evaluations in train/train.h).
Evaluation play_evaluation(const AgentFactoryPtr& agent, const std::string& opponent, const GamePtr& game, int deals,
                           std::uint64_t seed);
std::optional<double> measure_exploitability(const AgentFactoryPtr& agent, const GamePtr& game);

}  // namespace dealer::cli
