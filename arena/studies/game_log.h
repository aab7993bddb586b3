#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arena/lines_file.h"
#include "arena/match.h"

namespace dealer::studies {

// The unit of the file of games (lines_file.h): deals 0 .. N-1 are complete. With several games, the first game has the
// first deals, the second the next, and so on.
inline constexpr std::string_view kGamesUnit = "deals";

// Plays a match and appends the lines of its MatchOptions::describe to the file, block by block, each block with the
// number of units that are complete with its deals. `progress` is called with that number; may be empty.
MatchResult play_into(LinesFile& file, MatchOptions match, const std::function<void(std::int64_t done)>& progress);

// A stored hand: "DEAL SEATING HAND" and its decisions, an action by its number, an amount after '='.
std::string line_of(const PlayedHand& hand);

// The dealing of tables, and the receiver of each hand with its deal.
struct Replay {
  std::vector<GamePtr> games;
  std::int64_t deals = 0;      // per game
  std::uint64_t seed = 0;      // of the study
  bool every_seating = false;  // a deal is played once in each of seatings(), otherwise once
  std::function<void(Env& env, std::uint64_t seed, int seating)> deal;
  std::function<void(std::size_t game)> begin_game;  // called before the first hand of each; optional
  std::function<void(std::int64_t deal, std::span<const Event> hand)> hand;
};
// Replays the games of a file, in order, and returns the number of hands of each. Throws FileError naming the line if
// the file does not match such games.
std::vector<std::int64_t> replay_log(const std::filesystem::path& file, const Replay& replay);

}  // namespace dealer::studies
