#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "arena/tournament/ratings.h"

namespace dealer::tournament {

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

}  // namespace dealer::tournament
