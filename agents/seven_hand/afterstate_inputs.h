#pragma once

#include "agents/encoder.h"

namespace dealer::seven_hand {

// The turns that TurnEvaluator values, as its network sees them.
AfterstateEncoderPtr make_afterstate_encoder(const GamePtr& game);

}  // namespace dealer::seven_hand
