#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>

#include "arena/report/page.h"
#include "arena/report/sentences.h"
#include "arena/studies/figure.h"
#include "arena/studies/study.h"

namespace dealer::studies {

// Tests of strategy advice: an agent that follows it through its option `prefers` plays the unchanged agent, so that
// the two differ only in that.

// Plays the deals missing in the file: for each preference this number of deals, in all seatings. Does nothing if the
// agent has no such option. Returns false if stopped.
bool play_checks(const StudyContext& place, std::span<const std::string_view> preferences, std::int64_t deals,
                 const std::filesystem::path& file);
// Evaluates that file: a list of {"prefers", ".what", "points"}: the preference's winnings in points per hand,
// clustered by deal. what_of: the description of a preference, empty if it is unknown. Throws FileError.
Figure count_checks(const std::filesystem::path& file,
                    const std::function<std::string_view(std::string_view preference)>& what_of);

void say_checks(const Figure& checks, Sentences& say);
// Adds a section; nothing if there are no checks. unit: of the winnings, "points".
void add_checks(Page& page, const Figure& checks, std::string_view unit);

}  // namespace dealer::studies
