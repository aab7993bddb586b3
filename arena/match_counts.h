#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "arena/match.h"
#include "arena/match_tables.h"

namespace dealer {

// The coefficient of the chance terms of cards (HandCorrection::cards): a ridge regression of the first agent's
// results, with prior mean 1.
class CardScale {
 public:
  static constexpr std::size_t kTerms = HandCorrection::kStreets;
  using Terms = std::array<double, kTerms>;
  static constexpr double kBelief = 100;  // the weight of the prior, in deals
  static constexpr double kMost = 8;

  void add(double result, const Terms& terms);
  // The coefficients given the data so far.
  Terms find() const;

 private:
  std::int64_t count_ = 0;
  double y_ = 0;
  Terms x_{}, xy_{};
  std::array<Terms, kTerms> xx_{};
};

// The counters of the deals of a match.
class MatchCounts {
 public:
  explicit MatchCounts(const MatchOptions& options);

  void add(const DealCounts& deal, int games);
  // Adds the counts of later deals. With imaginary hands their chance terms are multiplied by coefficients estimated
  // from the deals before, which are independent of them: so their expectation stays 0.
  void merge(const MatchCounts& later);

  MatchResult result;  // agents, differences, deals, failed_deals, episodes, hands_played, card_scale
  std::string log;

 private:
  // A deal whose coefficient is not known yet.
  struct Unscaled {
    double hands;
    std::vector<double> won;              // [agents], less HandCorrection::hands
    std::vector<CardScale::Terms> cards;  // [agents]
  };
  void add_points(const DealCounts& deal);
  void add(ClusteredRatio PointsWon::*points, std::span<const double> won, double hands);

  std::vector<Unscaled> unscaled_;
  CardScale regression_;
};

}  // namespace dealer
