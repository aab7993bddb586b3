#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>

#include "arena/studies/figure.h"
#include "arena/studies/report/page.h"
#include "arena/studies/report/sentences.h"
#include "arena/studies/study.h"

namespace dealer::studies {

// Advice put to the test: an agent that takes it as its option `prefers` meets the agent as it is, so that the two
// differ in that alone.

// Plays what the file lacks: for each preference so many deals, in all seatings. Plays nothing where the agent has no
// such option. False when stopped.
bool play_checks(const StudyContext& place, std::span<const std::string_view> preferences, std::int64_t deals,
                 const std::filesystem::path& file);
// Counts that file: a list of {"prefers", ".what", "points"}: points a hand that the preference wins, a deal being the
// independent unit. what_of: what a player of that preference does, empty for one that is unknown. Throws FileError.
Figure count_checks(const std::filesystem::path& file,
                    const std::function<std::string_view(std::string_view preference)>& what_of);

void say_checks(const Figure& checks, Sentences& say);
// A part of its own; nothing where there are no checks. unit: what is won, "points".
void add_checks(Page& page, const Figure& checks, std::string_view unit);

}  // namespace dealer::studies
