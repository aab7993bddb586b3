#include "agents/ofc/value_net.h"

#include <cmath>

namespace dealer::ofc {

Prediction ValueNet::predict(const FeatureList& list) const {
  const Vector out = forward(list.active());
  const auto sigmoid = [](float x) { return 1 / (1 + std::exp(-x)); };
  return {out[0] * kValueScale, out[3] * kValueScale, sigmoid(out[1]), sigmoid(out[2])};
}

}  // namespace dealer::ofc
