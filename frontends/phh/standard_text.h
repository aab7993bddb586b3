#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "frontends/phh/standard_replay.h"

namespace dealer::phh {

// Names by player: those of the history, else p1, p2 …
std::vector<std::string> names_of(const HandHistory& hand);

// A hand of a standard variant as text, street by street, in the decimals of its file; as far as it could be replayed.
std::string standard_text(const StandardReplay& replay);

// The same as events (docs/events.md), seats being numbers of players and amounts in the money of the file.
nlohmann::ordered_json standard_events(const StandardReplay& replay);

// Notes in one line each on what is unknown or was taken off the table: the rake, the point where a hand breaks off, an
// unknown winner.
std::vector<std::string> warnings_of(const StandardReplay& replay);

}  // namespace dealer::phh
