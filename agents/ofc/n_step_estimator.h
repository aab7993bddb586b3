#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "agents/ofc/playouts.h"

namespace dealer::ofc {

// What placements are worth, out of the network's word and of what playouts have found at several horizons. Each
// horizon corrects the one before; a correction is trusted the more the less chance can have made it: with
//   w = e^2 / (e^2 + v / n),
// e the standard deviation of the network's errors, v the variance of the correction between placements in one deal and
// n the deals (the posterior mean of a normal error, horizon by horizon). Near horizons vary little and correct most;
// the end of the hand is right on average and varies most.
class NStepEstimator {
 public:
  // network: the value of each placement. horizons: of a playout.
  NStepEstimator(std::span<const double> network, int horizons);

  // Results of one deal, one for each placement of `left`; of the nearest `horizons` only.
  void add(std::span<const std::size_t> left, std::span<const PlayedOut> results, int horizons);
  void add(const NStepEstimator& other);

  // Weighs all that is known of the placements that are left, which must all have met the same deals. What the results
  // have in common counts in full: values are points, and comparable among these placements.
  void weigh(std::span<const std::size_t> left, std::span<double> values) const;
  // Standard error of the mean result of a placement, corrections of different horizons taken as independent; 0 with
  // less than two deals.
  double error(std::size_t placement) const;
  // Of two placements that have met as many deals as this one, the same ones: the standard error of the difference of
  // their weighed values, the part of the network's word that is still trusted included.
  double difference_error(std::size_t placement) const;
  std::int64_t deals(std::size_t placement) const { return sums_[0][placement].deals; }

 private:
  // Of a horizon: what chance leaves of a placement's mean correction (squared), and how far it is trusted.
  struct Trust {
    double noise, weight;
  };
  Trust trust(std::size_t horizon, std::int64_t deals) const;

  static constexpr std::size_t kMaxHorizons = std::tuple_size_v<decltype(PlayedOut::stake)>;
  // Standard deviation of what the network gets wrong of a placement beside the others, in points, by horizon; measured
  // of the shipped model, over all turns.
  static constexpr std::array<double, kMaxHorizons> kNetworkError = {0.4, 0.2, 0.12, 0.1, 0.1};

  struct Sum {
    std::int64_t deals = 0;
    double sum = 0, squares = 0;  // of corrections
  };
  std::vector<double> network_;
  std::size_t horizons_;
  std::array<std::vector<Sum>, kMaxHorizons> sums_;  // [horizon][placement]
  // Of the corrections, less their mean over the placements of the deal.
  std::array<double, kMaxHorizons> squares_{};
  std::array<std::int64_t, kMaxHorizons> freedom_{};
};

}  // namespace dealer::ofc
