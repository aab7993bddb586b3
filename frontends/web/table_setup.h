#pragma once

#include <nlohmann/json_fwd.hpp>

#include "frontends/web/web_specs.h"
#include "frontends/web/web_table.h"

namespace dealer::web {

// Reads the setup in a message "open", without an id and keys. Throws UsageError, and the errors of WebSpecs.
TableSetup read_setup(const nlohmann::json& message, WebSpecs& specs);
// The number of keys: one per person, or one for the spectator.
int places_of(const TableSetup& setup);
// 128 random bits as text, for unguessable links.
std::string random_key();

}  // namespace dealer::web
