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

// One turn of a hand of an agent against itself, with all that could have been done in it: from the same cards, seen
// and unseen, and with the same cards to come, played to the end by the agent in both seats.
struct Tried {
  std::int64_t number = 0;
  int turn = 1;  // of the mover, 1 to 7
  // What the mover wins when it lays so many cards, 1 first, those that the agent would; nothing where it has not so
  // many.
  std::array<std::optional<double>, kMostLaid> laid{};
  // What the agent lays here, and how the line stands then. Chips and outcome have no meaning; of the cards only their
  // number.
  Laying laying;
  // What the namer wins when it names each chip; nothing where it cannot be named, or is the only one.
  std::array<std::optional<double>, kChips> named{};
};

// A line of the file of tries, and back; nothing where it is none.
std::string line_of(const Tried& tried);
std::optional<Tried> read_tried(std::string_view line);

// Tries what the file lacks: `tries` hands, each up to one of the 14 turns by lot; hands that end before leave no
// line. False when stopped. Throws UsageError when the agent does not tell its policy.
bool try_turns(const StudyContext& place, std::int64_t tries, const std::filesystem::path& file);
inline constexpr std::string_view kTriesUnit = "tries";

}  // namespace dealer::studies::seven_hand
