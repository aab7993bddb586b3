#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "agents/agent.h"
#include "arena/studies/figure.h"
#include "arena/studies/study.h"
#include "env/games/ofc/board.h"

namespace dealer::studies::fantasyland {

// A player of the round robin: the agent, told to count Fantasyland as `value`; as it is where there is none.
struct Rival {
  std::optional<double> value;
  AgentFactoryPtr agent;
};

// Pairs of rivals, in order: 0-1, 0-2 ... 1-2 ...
std::vector<std::array<int, 2>> pairs_of(int rivals);

// Plays what the file lacks: every pair the same `deals`, in both seatings. A line a hand: the pair, the deal, what the
// first of the pair has won, and how either fared (in Fantasyland 1, foul 2, goes to Fantasyland 4). False when
// stopped.
bool play_rivals(const StudyContext& place, const std::vector<Rival>& rivals, std::int64_t deals,
                 const dealer::ofc::Rules& rules, const std::filesystem::path& file);
// Counts that file: {"rivals": [...], ".hands"}, the score of each in points a hand, the mean over all others. A deal,
// with all pairs that played it, is the independent unit.
Figure count_rivals(const std::filesystem::path& file, const std::vector<Rival>& rivals, std::int64_t deals);
// The best of them, the agent as it is; nullptr without rivals.
const Figure* best_of(const Figure& rivals);
const Figure* own_of(const Figure& rivals);

}  // namespace dealer::studies::fantasyland
