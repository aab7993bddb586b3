#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "arena/match.h"
#include "arena/match_tables.h"

namespace dealer {

// By what the luck of cards (HandCorrection::cards) is multiplied: what a ridge regression of the first agent's results
// finds, which begins at 1.
class CardScale {
 public:
  static constexpr std::size_t kTerms = HandCorrection::kStreets;
  using Terms = std::array<double, kTerms>;
  static constexpr double kBelief = 100;  // the beginning counts for as much as so many deals
  static constexpr double kMost = 8;

  void add(double result, const Terms& luck);
  // From what was added so far.
  Terms find() const;

 private:
  std::int64_t count_ = 0;
  double y_ = 0;
  Terms x_{}, xy_{};
  std::array<Terms, kTerms> xx_{};
};

// What the deals of a match have come to.
class MatchCounts {
 public:
  explicit MatchCounts(const MatchOptions& options);

  void add(const DealCounts& deal, int games);
  // Those of later deals. With other hands the luck of the cards in them is multiplied by what deals before them say,
  // which cannot know it: so its mean stays 0.
  void merge(const MatchCounts& later);

  MatchResult result;  // agents, differences, deals, failed_deals, episodes, hands_played, card_scale
  std::string log;

 private:
  // A deal that is to be multiplied yet.
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
