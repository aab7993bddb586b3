#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "arena/confidence.h"

namespace dealer::tournament {
// The estimated winnings of agent a from agent b, in points per hand.
struct PairEstimate {
  int a = 0, b = 0;
  double mean = 0;
  double variance = std::numeric_limits<double>::infinity();  // of the mean; infinite: nothing is known of the pair
  double degrees_of_freedom = 1;                              // of the variance

  bool known() const { return variance < std::numeric_limits<double>::infinity(); }
};

// The estimate from a's points per hand, clustered by deal. Fewer than two deals count as unknown.
PairEstimate estimate_of(int a, int b, const ClusteredRatio& points);

struct Rating {
  bool known = false;
  double value = 0;
  double ci95 = std::numeric_limits<double>::infinity();  // half the width of the interval
};

// Ratings in points per hand, with mean zero, whose differences best fit the head-to-head results: least
// squares with equal weight for every pair (Massey, "Statistical models applied to the rating of sports teams",
// 1997; the gradient part in Jiang, Lim, Yao and Ye, "Statistical ranking and combinatorial Hodge theory",
// 2011). If all pairs have been played, a rating is the mean of the agent's winnings from all agents, with 0
// from itself.
//
// Pairs have equal weight, independent of their precision, so that a rating does not depend on the number of hands
// where the head-to-head results are not transitive. Ratings are fixed linear combinations of the pairs' means, so the
// intervals follow from the pairs' variances alone, even if the ratings do not explain the results: Student's t, with
// degrees of freedom by Welch and Satterthwaite (Satterthwaite 1946). Pairs must be independent.
//
// If the known pairs do not connect all agents, the largest group is rated,
// on ties that of the first agent.
class LeastSquares {
 public:
  LeastSquares(int agents, std::span<const PairEstimate> pairs);

  bool is_rated(int agent) const { return place_[static_cast<std::size_t>(agent)] >= 0; }
  Rating rating(int agent) const;
  // likelihood_of_superiority() of the difference of two ratings; NaN unless both agents are rated.
  double superiority(int a, int b) const;

 private:
  // The weighted sum of the pairs' means, given weights of the agents.
  PairEstimate sum_of(const Eigen::VectorXd& weights) const;

  std::vector<Eigen::Index> place_;  // index of an agent in the rated group; -1: not rated
  std::vector<PairEstimate> pairs_;  // of the rated group
  Eigen::MatrixXd inverse_;
};
std::vector<Rating> rate(int agents, std::span<const PairEstimate> pairs);

// likelihood_of_superiority() of a's winnings from b.
double superiority(const PairEstimate& pair);

// The fraction of the pairs' sum of squares explained by differences of ratings, 0 to 1; the rest is non-transitivity
// or noise. 1 if all means are zero. Pairs with unrated agents are ignored.
double explained_share(std::span<const Rating> ratings, std::span<const PairEstimate> pairs);

// Nash averaging (Balduzzi, Tuyls, Perolat and Graepel, "Re-evaluating evaluation", NeurIPS 2018): the equilibrium of
// the game in which two players each choose an agent, the one of maximum entropy if there are several. It is invariant
// to duplicates of agents, and gives no weight to agents that a mixture of others beats.
struct NashAverage {
  Eigen::VectorXd weights;    // [agents], sum 1
  Eigen::VectorXd payoffs;    // winnings of each agent against that mixture: zero within its support, negative outside
  double exploitability = 0;  // maximum winnings of any agent against it
};

// The Nash average for payoffs(a, b) = -payoffs(b, a), a's winnings from b. The weights are accurate to about 1e-6, and
// no agent wins more than 1e-6 of the largest payoff against them.
//
// The entropy-regularised game has a unique equilibrium, p = softmax(payoffs p / t) (a logit equilibrium: McKelvey and
// Palfrey 1995). Since p' payoffs p = 0, and no equilibrium strategy p* loses to p, the best response p has at least
// the entropy of p*: as t goes to 0, p converges to the maximum-entropy equilibrium. It is tracked by Newton's method.
// Throws UsageError if the payoffs are not antisymmetric or not finite.
NashAverage nash_average(const Eigen::MatrixXd& payoffs);

// The sampling uncertainty: 95% of the weights, with payoffs resampled around the pairs' means, lie between low and
// high. These are not confidence intervals in the strict sense, as equilibria are discontinuous; but they reveal
// weights that are due to chance.
struct NashRange {
  double low = 0, high = 0;
};
// Every two agents must have a known pair. Equal seeds give equal ranges.
std::vector<NashRange> nash_ranges(int agents, std::span<const PairEstimate> pairs, std::uint64_t seed);

// The payoff matrix of these pairs.
Eigen::MatrixXd payoff_matrix(int agents, std::span<const PairEstimate> pairs);

// Agents of whom each beats the next and the last beats the first, with every interval clear of
// zero. Starts with the lowest index.
struct Cycle {
  std::vector<int> agents;
  std::vector<double> means;  // winnings of each from the next, in points per hand
  double clear_by = 0;        // minimum distance of an interval from zero
  // True if all its intervals exclude zero even after correction for the number of pairs (Bonferroni): among many pairs
  // some seem decided by chance.
  bool certain = false;
};

struct Cycles {
  std::vector<Cycle> shown;  // clearest first
  std::int64_t found = 0;    // including those beyond `most`
};

// All cycles of three agents, and one shortest longer cycle for agents in no other. At most `most` are kept.
Cycles find_cycles(int agents, std::span<const PairEstimate> pairs, std::size_t most = 50);

// Half the width of a pair's 95% interval.
double half_width95(const PairEstimate& pair);

}  // namespace dealer::tournament
