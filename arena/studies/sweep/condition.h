#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "arena/studies/sweep/sweep.h"

namespace dealer::studies {

// Agents given the value that a rule has, if no agent is trained for the rule: in Open-Face Chinese poker the value of
// being in Fantasyland. The value depends on the players, so it is measured in self-play, given to the agent, and
// measured again with that agent, kConditionRounds times.
inline constexpr int kConditionRounds = 3;

// Throws UsageError if the agent has no such option, or the game no Fantasyland.
void check_conditioned(const SweepValue& value, const SweepTable& table);

// The agent's spec with the value measured last; nullopt if stopped. Each round is a study of `deals` deals of
// self-play in a separate folder, `folder` with the round number appended, and is resumed after an interruption.
std::optional<std::string> conditioned(const SweepTable& table, std::int64_t deals, int threads,
                                       const std::filesystem::path& folder, const std::function<bool()>& stop);

}  // namespace dealer::studies
