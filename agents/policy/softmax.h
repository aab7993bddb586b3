#pragma once

#include "env/core/decision.h"

namespace dealer {

// Probabilities of the legal actions in proportion to exp(logit / temperature), 0 for all others. A temperature of 0
// gives the actions with the greatest logit all of it. logits, probability: one number an action; precondition: the
// mask is not empty.
void masked_softmax(const float* logits, LegalMask legal, int actions, float temperature, float* probability);

// Takes away actions less likely than the threshold and gives their share to the others in proportion (thresholding:
// Ganzfried, Sandholm and Waugh, "Strategy purification and thresholding", 2012). The most likely ones stay.
void apply_threshold(float* probability, LegalMask legal, float threshold);

// The action at a point between 0 and 1 of the distribution: sampled when the point is uniform.
Action pick(const float* probability, LegalMask legal, float point);

}  // namespace dealer
