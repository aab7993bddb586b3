#pragma once

#include <memory>

#include "train/trainer.h"

namespace dealer {

// The algorithm `afterstate_td`. Throws UsageError for games other than OFC and 7-Hand Poker.
std::unique_ptr<Trainer> make_afterstate_trainer(Config& config, const GamePtr& game, Ranks& ranks);

}  // namespace dealer
