#pragma once

#include <span>

#include "train/policy/loss_gradient.h"
#include "train/policy/policy_learner.h"

namespace dealer {

// Builds the training data of the policy from these samples, reusing the memory of earlier rows.
void fill_rows(std::span<const PolicySample> samples, const PolicyLearnerSettings& settings, int actions,
               LossRows& rows);

}  // namespace dealer
