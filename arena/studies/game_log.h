#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arena/match.h"

namespace dealer::studies {

// The unit of the file of games (lines_file.h): deals 0 .. N-1 stand in it. Of several games, the first has the first
// deals, the second the next, and so on.
inline constexpr std::string_view kGamesUnit = "deals";

// A hand as it is kept: "DEAL SEATING HAND" and its decisions, an action by its number, an amount behind '='.
std::string line_of(const PlayedHand& hand);

// How tables get their cards, and who is told each hand with its deal.
struct Replay {
  std::vector<GamePtr> games;
  std::int64_t deals = 0;      // of each
  std::uint64_t seed = 0;      // of the study
  bool every_seating = false;  // a deal is played once in each of seatings(), otherwise once
  std::function<void(Env& env, std::uint64_t seed, int seating)> deal;
  std::function<void(std::size_t game)> begin_game;  // before the first hand of each; may be left out
  std::function<void(std::int64_t deal, std::span<const Event> hand)> hand;
};
// Plays the games of a file again, in order, and says how many hands each of them had. Throws FileError naming the line
// where the file is not what such games leave.
std::vector<std::int64_t> replay_log(const std::filesystem::path& file, const Replay& replay);

}  // namespace dealer::studies
