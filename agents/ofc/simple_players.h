#pragma once

#include <span>

#include "agents/simple_player.h"

namespace dealer::ofc {

// Players that care for one thing. All but `stacker` weigh every placement as `rule:expert` does, by other wishes; all
// are deterministic and set Fantasyland hands best.
std::span<const SimplePlayer> simple_players();

}  // namespace dealer::ofc
