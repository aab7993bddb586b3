#pragma once

#include <span>

#include "train/policy/rollout.h"

namespace dealer {

// Undiscounted lambda-returns (Sutton & Barto, 2nd ed., 12.1), each player over its own decisions: generalised
// advantage estimates (Schulman et al. 2016) plus the values. values, returns: [rows], in units of `unit`; returns are
// written for resolved rows. After the last resolved decision of a player the value of its waiting one is used.
void lambda_returns(const Rollout& rollout, std::span<const float> values, double lambda, double unit,
                    std::span<float> returns);

}  // namespace dealer
