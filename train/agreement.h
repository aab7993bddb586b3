#pragma once

#include "env/core/config.h"
#include "env/core/game.h"
#include "train/ranks.h"

namespace dealer {

// All ranks take part: throws UsageError on all of them, naming the rank and the difference, unless all have the same
// version, the same config, already read, and the same game rules.
void check_agreement(Ranks& ranks, const Config& config, const Game& game);

// The first line of `other` that differs from `first`, "learner.batch: 64 instead of learner.batch: 32"; empty when the
// texts, in YAML, are equal.
std::string first_difference(const std::string& first, const std::string& other);

}  // namespace dealer
