#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>

#include "frontends/web/web_table.h"

namespace dealer::cli {

// The analyser of decisions at a table of the page: the same analysis as dealer analyse.
web::TableAnalyser serve_analyser(const web::TableSetup& setup);

// The probabilities part of it; empty if there is none.
std::function<nlohmann::ordered_json(const Env& now)> serve_odds(const GamePtr& game, const AgentFactory& adviser);

}  // namespace dealer::cli
