#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "arena/match.h"

namespace dealer::studies {

// The games of a study as they are kept: a line a hand, "DEAL SEATING HAND" and its decisions, an action by its number,
// an amount behind '='. A line "deals N" says that deals 0 .. N-1 stand above it whole; what follows the last of these
// lines was never finished.
std::string line_of(const PlayedHand& hand);
std::string end_line(std::int64_t deals);

// How far a file of games goes: whole deals, and the bytes they take. A file that is not there has none.
struct LogExtent {
  std::int64_t deals = 0;
  std::uintmax_t bytes = 0;
};
// Throws FileError.
LogExtent extent_of_log(const std::filesystem::path& file);

// How tables get their cards, and who is told each hand with its deal.
struct Replay {
  std::vector<GamePtr> games;   // one after the other,
  std::int64_t deals_each = 0;  // each with so many deals; of one game alone it does not matter
  std::uint64_t seed = 0;       // of the study
  int games_per_deal = 1;
  std::function<void(Env& env, std::uint64_t seed, int seating)> deal;
  std::function<void(std::int64_t deal, std::span<const Event> hand)> hand;
  std::function<void(int game)> begin_game = {};  // before the first hand of each
};
// Plays the games of a file again, in order, and says how many hands they had. Throws FileError naming the line where
// the file is not what such games leave.
std::int64_t replay_log(const std::filesystem::path& file, const Replay& replay);

}  // namespace dealer::studies
