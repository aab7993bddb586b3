#pragma once

#include <functional>
#include <span>
#include <string>

#include "agents/evaluator.h"
#include "env/core/game.h"

namespace dealer::cli {

// The values of the choices of a turn as computed by `dealer analyse`, for terminal::SessionOptions. `adviser`: the
// spec of the analyser, which is made at the first request.
std::function<ActionValues(const Env& begun, std::span<const Decision> played)> hint_values(GamePtr game,
                                                                                            std::string adviser);

}  // namespace dealer::cli
