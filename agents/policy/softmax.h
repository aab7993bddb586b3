#pragma once

#include <algorithm>
#include <span>

#include "env/core/decision.h"

namespace dealer {

// Probabilities of the legal actions in proportion to exp(logit / temperature), 0 for all others. A temperature of 0
// gives the actions with the greatest logit all of it. logits, probability: one number an action; precondition: the
// mask is not empty.
void masked_softmax(const float* logits, LegalMask legal, int actions, float temperature, float* probability);

// Zeroes probabilities below the threshold and renormalises the others; the most probable ones stay (thresholding:
// Ganzfried, Sandholm and Waugh, "Strategy purification and thresholding", 2012).
template <class T>
void apply_threshold(std::span<T> probability, T threshold) {
  const T limit = std::min(threshold, *std::max_element(probability.begin(), probability.end()));
  T sum = 0;
  for (T& each : probability) sum += each = each < limit ? 0 : each;
  for (T& each : probability) each /= sum;
}

// The action at quantile `point`, 0 to 1, of the distribution: a sample if the point is uniform.
Action pick(const float* probability, LegalMask legal, float point);

}  // namespace dealer
