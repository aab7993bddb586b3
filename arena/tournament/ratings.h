#pragma once

#include <Eigen/Core>
#include <cstdint>
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
class LeastSquares {
 public:
  LeastSquares(int agents, std::span<const PairEstimate> pairs);

  bool is_rated(int agent) const { return place_[static_cast<std::size_t>(agent)] >= 0; }
  Rating rating(int agent) const;
  // likelihood_of_superiority() of the difference of two ratings; NaN unless both agents are rated.
  double superiority(int a, int b) const;

 private:
  // Of the pairs' means, those of each agent counting so much.
  PairEstimate sum_of(const Eigen::VectorXd& weights) const;

  std::vector<Eigen::Index> place_;  // of an agent in the group that is rated; -1: it is not
  std::vector<PairEstimate> pairs_;  // of that group
  Eigen::MatrixXd inverse_;
};
std::vector<Rating> rate(int agents, std::span<const PairEstimate> pairs);

// likelihood_of_superiority() of what a wins from b.
double superiority(const PairEstimate& pair);

// The share of the squares of the pairs' means that differences of ratings make up, 0 to 1; the rest is
// non-transitivity or noise. Of nothing but zeros 1. Pairs of agents without a rating are left out.
double explained_share(std::span<const Rating> ratings, std::span<const PairEstimate> pairs);

// Nash averaging (Balduzzi, Tuyls, Perolat and Graepel, "Re-evaluating evaluation", NeurIPS 2018): the equilibrium of
// the game in which two players each send an agent, that of the greatest entropy where there are several. It does not
// change when an agent is entered twice, and leaves out those whom a mixture of others beats.
struct NashAverage {
  Eigen::VectorXd weights;    // [agents], sum 1
  Eigen::VectorXd payoffs;    // what each agent wins from that mixture: zero within it, less outside
  double exploitability = 0;  // the most that any agent wins from it
};

// Of the game with these payoffs, payoffs(a, b) = -payoffs(b, a) what a wins from b. The weights are those of the
// equilibrium to about 1e-6, and no agent wins more than 1e-6 of the largest payoff from them.
//
// The entropy-regularised game has one equilibrium, p = softmax(payoffs p / t) (a logit equilibrium: McKelvey and
// Palfrey 1995). Since p' payoffs p = 0, and no p* of an equilibrium loses to p, the best answer p has entropy at least
// that of p*: for t to 0 p goes to the equilibrium of the greatest entropy. It is followed there by Newton's method.
// Throws UsageError when the payoffs are not antisymmetric or not finite.
NashAverage nash_average(const Eigen::MatrixXd& payoffs);

// What chance leaves open: 95% of the weights, in payoffs drawn anew around the pairs' means, lie between low and high.
// These are no confidence intervals in the strict sense, as equilibria jump; but weights that chance has brought about
// are seen to be so.
struct NashRange {
  double low = 0, high = 0;
};
// `pairs` must be known, and there must be one of every two agents. Equal seeds give equal ranges.
std::vector<NashRange> nash_ranges(int agents, std::span<const PairEstimate> pairs, std::uint64_t seed);

// The payoffs of such pairs.
Eigen::MatrixXd payoff_matrix(int agents, std::span<const PairEstimate> pairs);

// Agents of whom each beats the next and the last the first, every interval clear of zero. Begins with the smallest
// number.
struct Cycle {
  std::vector<int> agents;
  std::vector<double> means;  // what each wins from the next, in points a hand
  double clear_by = 0;        // how far the nearest of the intervals is from zero
  // Whether all its intervals are clear of zero even when they allow for the number of pairs that were looked at
  // (Bonferroni): among many pairs some seem decided by chance.
  bool certain = false;
};

struct Cycles {
  std::vector<Cycle> shown;  // those that are clearest first
  std::int64_t found = 0;    // also those beyond `most`
};

// All cycles of three agents, and longer ones, a shortest each, of agents who are in no other. At most `most` are kept.
Cycles find_cycles(int agents, std::span<const PairEstimate> pairs, std::size_t most = 50);

// Half the width of a pair's 95% interval.
double half_width95(const PairEstimate& pair);

}  // namespace dealer::tournament
