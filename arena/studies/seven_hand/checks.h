#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "arena/studies/figure.h"
#include "arena/studies/study.h"

namespace dealer::studies::seven_hand {

// The preferences (agents/seven_hand/preference.h) that turns tried in every way speak for: those whose difference was
// seen.
std::vector<std::string_view> advised(const Figure& advice);

// Plays what the file lacks: for each of them so many deals, in both seatings, of the agent with that preference
// against the agent as it is. Plays nothing where the agent has no option `prefers`. False when stopped.
bool play_checks(const StudyContext& place, const std::vector<std::string_view>& preferences, std::int64_t deals,
                 const std::filesystem::path& file);
// Counts that file: a list of {"prefers", ".what", "points"}: points a hand that the preference wins. A deal is the
// independent unit. Throws FileError.
Figure count_checks(const std::filesystem::path& file);

}  // namespace dealer::studies::seven_hand
