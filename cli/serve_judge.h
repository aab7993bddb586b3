#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>

#include "frontends/web/web_table.h"

namespace dealer::cli {

// Who judges what is decided at a table of the page: as dealer analyse does.
web::TableJudge serve_judge(const web::TableSetup& setup);

// Of its chances; empty where nothing is told.
std::function<nlohmann::ordered_json(const Env& now)> serve_chances(const GamePtr& game, const AgentFactory& adviser);

}  // namespace dealer::cli
