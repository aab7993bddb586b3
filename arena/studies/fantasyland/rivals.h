#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "agents/agent.h"
#include "arena/studies/figure.h"
#include "arena/studies/study.h"
#include "env/games/ofc/board.h"

namespace dealer::studies::fantasyland {

// The spec of the agent with its option `fantasyland` set to `value`.
std::string with_counted_value(const std::string& agent, double value);

// A player of the round robin: the agent with Fantasyland valued at `value`; the unchanged agent if there is no value.
struct Rival {
  std::optional<double> value;
  AgentFactoryPtr agent;
};

// The pairs of rivals, in order: 0-1, 0-2 ... 1-2 ...
std::vector<std::array<int, 2>> pairs_of(int rivals);

// Plays the deals missing in the file: every pair plays the same `deals`, in both seatings. One line per hand: the
// pair, the deal, the winnings of the first of the pair, and flags for each (in Fantasyland 1, foul 2, enters
// Fantasyland 4). Returns false if stopped.
bool play_rivals(const StudyContext& place, const std::vector<Rival>& rivals, std::int64_t deals,
                 const dealer::ofc::Rules& rules, const std::filesystem::path& file);
// Evaluates that file: {"rivals": [...], ".hands"}, the score of each in points per hand, averaged over all others.
// Clustered by deal, with all pairs that played it.
Figure count_rivals(const std::filesystem::path& file, const std::vector<Rival>& rivals, std::int64_t deals);
// The best rival, and the unchanged agent; nullptr without rivals.
const Figure* best_of(const Figure& rivals);
const Figure* own_of(const Figure& rivals);

}  // namespace dealer::studies::fantasyland
