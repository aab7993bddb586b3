#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "arena/studies/sweep/sweep.h"

namespace dealer::studies {

// Agents that are told what a rule makes something worth, where none is trained for it: those of Open-Face Chinese
// poker what being in Fantasyland is. What it is worth depends on who plays, so it is measured in self-play and told,
// and measured again with the agent that was told, kConditionRounds times.
inline constexpr int kConditionRounds = 3;

// Throws UsageError where the agent cannot be told: it has no such option, or the game no Fantasyland.
void check_conditioned(const SweepValue& value, const SweepTable& table);

// The agent's spec, told what was measured last; nothing when it was stopped. Each round is a study of `deals` deals of
// self-play in a folder of its own, `folder` with the number of the round behind it, and goes on where it was stopped.
std::optional<std::string> conditioned(const SweepTable& table, std::int64_t deals, int threads,
                                       const std::filesystem::path& folder, const std::function<bool()>& stop);

}  // namespace dealer::studies
