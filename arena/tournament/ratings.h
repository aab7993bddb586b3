#pragma once

#include <limits>
#include <span>
#include <vector>

#include "arena/confidence.h"

namespace dealer::tournament {

// What agent a wins from agent b, in points a hand, as deals have shown it.
struct PairEstimate {
  int a = 0, b = 0;
  double mean = 0;
  double variance = std::numeric_limits<double>::infinity();  // of the mean; infinite: nothing is known of the pair
  double degrees_of_freedom = 1;                              // of the variance

  bool known() const { return variance < std::numeric_limits<double>::infinity(); }
};

// Of what a has won to hands played, a deal a cluster. Of fewer than two deals nothing is known.
PairEstimate estimate_of(int a, int b, const ClusteredRatio& points);

struct Rating {
  bool known = false;
  double value = 0;
  double ci95 = std::numeric_limits<double>::infinity();  // half the width of the interval
};

// Ratings in points a hand, their mean zero, whose differences come nearest to what the pairs have shown: least
// squares, every pair counting the same (Massey, "Statistical models applied to the rating of sports teams", 1997; the
// gradient part of the pairs' points in Jiang, Lim, Yao and Ye, "Statistical ranking and combinatorial Hodge theory",
// 2011). Where all have played all, a rating is the mean of what the agent wins from each of the others and, nothing,
// from itself.
//
// Pairs count the same, not by how well they are known, so that a rating does not depend on who was dealt more hands
// where the head-to-head results are not transitive. Ratings are sums of the pairs' means with fixed weights, so the
// intervals follow from the pairs' variances alone, whether or not ratings explain all that happens: Student's t, its
// degrees of freedom by Welch and Satterthwaite (Satterthwaite 1946). Pairs must be independent of each other.
//
// Where some agents are not connected with the others by pairs that are known, the largest group is rated, of equal
// ones that of the first agent.
std::vector<Rating> rate(int agents, std::span<const PairEstimate> pairs);

// The share of the squares of the pairs' means that differences of ratings make up, 0 to 1; the rest is
// non-transitivity or noise. Of nothing but zeros 1. Pairs of agents without a rating are left out.
double explained_share(std::span<const Rating> ratings, std::span<const PairEstimate> pairs);

}  // namespace dealer::tournament
