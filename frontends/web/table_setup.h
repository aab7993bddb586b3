#pragma once

#include <nlohmann/json_fwd.hpp>

#include "frontends/web/web_specs.h"
#include "frontends/web/web_table.h"

namespace dealer::web {

// What a message "open" asks for, without an id and keys. Throws UsageError, and as WebSpecs does.
TableSetup read_setup(const nlohmann::json& message, WebSpecs& specs);
// How many keys it needs: one for each person, or for who watches.
int places_of(const TableSetup& setup);
// 128 random bits as text, for links that nobody can guess.
std::string random_key();

}  // namespace dealer::web
