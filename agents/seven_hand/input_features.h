#pragma once

#include "agents/encoder.h"

namespace dealer::seven_hand {

// The input features of 7-Hand Poker beside the observation (docs/features.md lists them).
EncoderPtr make_input_features(const GamePtr& game);

}  // namespace dealer::seven_hand
