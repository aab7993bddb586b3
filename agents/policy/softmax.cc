#include "agents/policy/softmax.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace dealer {

void masked_softmax(const float* logits, LegalMask legal, int actions, float temperature, float* probability) {
  std::fill_n(probability, actions, 0.0F);
  float most = -std::numeric_limits<float>::infinity();
  for (LegalMask rest = legal; rest != 0; rest &= rest - 1) most = std::max(most, logits[std::countr_zero(rest)]);
  float sum = 0;
  for (LegalMask rest = legal; rest != 0; rest &= rest - 1) {
    const int a = std::countr_zero(rest);
    const float below = logits[a] - most;
    probability[a] = temperature > 0 ? std::exp(below / temperature) : below < 0 ? 0.0F : 1.0F;
    sum += probability[a];
  }
  for (LegalMask rest = legal; rest != 0; rest &= rest - 1) probability[std::countr_zero(rest)] /= sum;
}

Action pick(const float* probability, LegalMask legal, float point) {
  Action last = std::countr_zero(legal);
  for (LegalMask rest = legal; rest != 0; rest &= rest - 1) {
    const Action a = std::countr_zero(rest);
    if (probability[a] <= 0) continue;
    // The rounding remainder goes to the last action.
    last = a;
    point -= probability[a];
    if (point < 0) break;
  }
  return last;
}

}  // namespace dealer
