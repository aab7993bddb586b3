#pragma once

#include "agents/encoder.h"

namespace dealer::small {

// What a network is told of small draw poker beside the observation: its cards by rank, since suits do not matter
// (docs/learning.md lists it). Precondition: the game is small draw poker.
EncoderPtr make_draw_facts(const GamePtr& game);

}  // namespace dealer::small
