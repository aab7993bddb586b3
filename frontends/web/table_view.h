#pragma once

#include <nlohmann/json_fwd.hpp>

#include "env/core/env.h"

namespace dealer::web {

// The `table` of Env::to_json() as a seat sees it; for kOmniscient with all cards that any seat sees.
nlohmann::json table_seen(const Env& env, Viewer viewer);

}  // namespace dealer::web
