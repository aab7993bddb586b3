#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "frontends/phh/standard_replay.h"

namespace dealer::phh {

// By player: the names that the history tells, else p1, p2 …
std::vector<std::string> names_of(const HandHistory& hand);

// A hand of a standard variant, street by street, in the decimals of its file; as far as it could be played.
std::string standard_text(const StandardReplay& replay);

// The same as events (docs/events.md), with seats counted by player and amounts in the money of the file.
nlohmann::ordered_json standard_events(const StandardReplay& replay);

// What cannot be told or was taken off the table, in one line each: the rake, where a hand breaks off, that its winner
// is not told.
std::vector<std::string> remarks_of(const StandardReplay& replay);

}  // namespace dealer::phh
