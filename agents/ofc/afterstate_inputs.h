#pragma once

#include "agents/encoder.h"

namespace dealer::ofc {

// The placements of a turn, each against every opponent who is in the game: what ValueNet sees.
AfterstateEncoderPtr make_afterstate_encoder(const GamePtr& game);

}  // namespace dealer::ofc
