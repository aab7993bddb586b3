#pragma once

#include <functional>
#include <span>
#include <string>

#include "agents/evaluator.h"
#include "env/core/game.h"

namespace dealer::cli {

// What the choices of a turn are worth as `dealer analyse` says it, for terminal::SessionOptions. `adviser` is the spec
// of who judges; it is made at the first question.
std::function<ActionValues(const Env& begun, std::span<const Decision> played)> hint_values(GamePtr game,
                                                                                            std::string adviser);

}  // namespace dealer::cli
