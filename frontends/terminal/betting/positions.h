#pragma once

#include <string>
#include <vector>

#include "frontends/terminal/betting/table.h"

namespace dealer::terminal {

// Position names by seat: "BTN", "SB", "BB", then from the left of the big blind "UTG", "UTG+1" ... up to "LJ", "HJ"
// and "CO", right of the button; empty for seats that are out. Nothing without blinds.
std::vector<std::string> positions(const BettingTable& table, const Game& game);

}  // namespace dealer::terminal
