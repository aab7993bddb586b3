#pragma once

#include <span>

#include "train/policy/loss_gradient.h"
#include "train/policy/policy_learner.h"

namespace dealer {

// What the policy is fitted to at these samples, in memory that rows may have from before.
void fill_rows(std::span<const PolicySample> samples, const PolicyLearnerSettings& settings, int actions,
               LossRows& rows);

}  // namespace dealer
