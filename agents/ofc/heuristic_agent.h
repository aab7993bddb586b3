#pragma once

#include <memory>

#include "agents/agent.h"
#include "env/games/ofc/board.h"

namespace dealer::ofc {

// A fair heuristic agent that goes by simple rules: builds pairs and draws from the back to the front, keeps the
// rows in order, puts queens or better in front when the rows behind can carry them. It counts no cards. Deterministic.
std::unique_ptr<Agent> make_heuristic_agent(const GamePtr& game);

// What it thinks of a board, complete or not, in rough points; later streets forgive less. street: 0..4.
double heuristic_value(const Board& board, int street);

}  // namespace dealer::ofc
