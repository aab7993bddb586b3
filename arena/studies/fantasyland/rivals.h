#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "agents/agent.h"
#include "arena/studies/estimate.h"
#include "arena/studies/study.h"
#include "env/games/ofc/board.h"

namespace dealer::studies::fantasyland {

// A player of the round robin: the agent, told to count Fantasyland as `value`; as it is where there is none.
struct Rival {
  std::optional<double> value;
  AgentFactoryPtr agent;
};

struct RivalFigures {
  std::string agent;
  std::optional<double> value;
  Estimate score;  // points a hand, the mean over all others
  // Score less that of the best. All of these intervals hold at a time, whoever is best: Bonferroni, over all pairs.
  Estimate less_than_best;
  Estimate foul, entry, stays;    // shares, against all others
  std::vector<Estimate> against;  // points a hand; unknown against itself
};

struct RoundRobin {
  std::vector<RivalFigures> rivals;
  int best = -1;  // the highest score; -1 without rivals
  int own = -1;   // the agent as it is
  std::int64_t hands = 0;
};

// Pairs of rivals, in order: 0-1, 0-2 ... 1-2 ...
std::vector<std::array<int, 2>> pairs_of(int rivals);

// Plays what the file lacks: every pair the same `deals`, in both seatings. A line a hand: the pair, the deal, what the
// first of the pair has won, and how either fared (in Fantasyland 1, foul 2, goes to Fantasyland 4). False when
// stopped.
bool play_rivals(const StudyContext& place, const std::vector<Rival>& rivals, std::int64_t deals,
                 const dealer::ofc::Rules& rules, const std::filesystem::path& file);
// Counts that file. A deal, with all pairs that played it, is the independent unit.
RoundRobin count_rivals(const std::filesystem::path& file, const std::vector<Rival>& rivals, std::int64_t deals);

}  // namespace dealer::studies::fantasyland
