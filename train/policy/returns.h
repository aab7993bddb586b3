#pragma once

#include <span>

#include "train/policy/rollout.h"

namespace dealer {

// lambda-returns without discount (Sutton & Barto, 2nd ed., 12.1), each player over its own decisions: generalised
// advantage estimates (Schulman et al. 2016) plus the values. values, returns: [rows], in units of `unit`; returns are
// written for resolved rows. Behind the last resolved decision of a player stands the value of the one that waits.
void lambda_returns(const Rollout& rollout, std::span<const float> values, double lambda, double unit,
                    std::span<float> returns);

}  // namespace dealer
