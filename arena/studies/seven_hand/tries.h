#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "arena/studies/seven_hand/hand.h"
#include "arena/studies/study.h"

namespace dealer::studies::seven_hand {

// One turn of a hand of an agent against itself with all possible choices: from the same cards, seen and unseen, and
// with the same future cards, played to the end by the agent in both seats.
struct Tried {
  std::int64_t number = 0;
  int turn = 1;  // of the mover, 1 to 7
  // The mover's result after laying the agent's choice of 1, 2, ... cards;
  // nullopt if it has fewer cards.
  std::array<std::optional<double>, kMostLaid> laid{};
  // The agent's own laying, and the line at that time. Chips and outcome are meaningless;
  // only the number of cards is used.
  Laying laying;
  // The namer's result after naming each chip; nullopt if it is not open, or is the only one.
  std::array<std::optional<double>, kChips> named{};
};

// Formats and parses a line of the file of tries; nullopt if malformed.
std::string line_of(const Tried& tried);
std::optional<Tried> read_tried(std::string_view line);

// Plays the tries missing in the file: `tries` hands, each up to a random one of the 14 turns; hands that end before
// leave no line. Returns false if stopped. Throws UsageError if the agent has no policy.
bool try_turns(const StudyContext& place, std::int64_t tries, const std::filesystem::path& file);
inline constexpr std::string_view kTriesUnit = "tries";

}  // namespace dealer::studies::seven_hand
