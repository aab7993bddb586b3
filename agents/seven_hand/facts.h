#pragma once

#include "agents/encoder.h"

namespace dealer::seven_hand {

// What a network is told of 7-Hand Poker beside the observation (docs/features.md lists it).
EncoderPtr make_facts(const GamePtr& game);

}  // namespace dealer::seven_hand
