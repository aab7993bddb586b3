#pragma once

#include <string>

#include "env/core/game.h"
#include "env/hands/evaluator.h"

// The measurements of `dealer bench` that need no training library.
namespace dealer {

// Hands of random play per second of this thread's processor time, measured for about `seconds`: tables stepped
// together, writing the observation and the legal mask of the player to act at every decision.
double measure_env(const GamePtr& game, double seconds);

// Hands per second of this thread's processor time that the heuristic agent plays against itself, measured for about
// `seconds`: one table, without match overhead. Making the players is not counted.
double measure_rule(const GamePtr& game, double seconds);

struct SamplingSpeed {
  double draws_per_second;  // with samplers already made
  double make_us;           // making one sampler, microseconds
};

// States sampled from the observations of the seat to act at the last decision of long random hands, measured for about
// `seconds` of this thread's processor time.
SamplingSpeed measure_sampling(const Game& game, double seconds);

struct FeaturesSpeed {
  double positions_per_second;
  double tables_seconds;  // time to build the tables on first use
  double input_features;  // number of features
};

// Input features (agents/encoder.h) of the seat to act in positions of random play without folds, measured for about
// `seconds` of this thread's processor time. Throws UsageError for games whose family has none.
FeaturesSpeed measure_features(const GamePtr& game, double seconds);

// Iterations of CFR+ per second of this thread's processor time, measured for about `seconds`. Building the tree is not
// counted.
double measure_solving(const GamePtr& game, double seconds);

// Decisions per second of wall time of a bot that takes the first legal choice, the other seats playing randomly:
// `tables` tables over one connection, including the game and the messages. `bot` is its spec.
double measure_bot(const GamePtr& game, const std::string& bot, int tables, double seconds);

// The same for a bot in a thread of this process that listens on loopback TCP.
double measure_tcp_bot(const GamePtr& game, int tables, double seconds);

// Hands ranked per second of one thread's processor time, out of 2^20 random hands given as card indices: the median
// over chunks, measured for about that many seconds (at least one chunk). The first two are the batch functions of
// env/hands/hand_rank.h, the others the table-free packed_reference on the same hands.
double measure_evaluate5(double seconds);
double measure_evaluate7(double seconds);
double measure_reference5(double seconds);
double measure_reference7(double seconds);

// The same for a compiled ranking and 5 or 7 cards of its deck.
double measure_evaluator(const Evaluator& evaluator, int cards, double seconds);
// Hand by hand from the rules, without tables.
double measure_rules(const Evaluator& evaluator, int cards, double seconds);

// Median microseconds to set a random Fantasyland hand of 14 cards for royalties, over about `seconds` of hands (at
// least one), on this thread: by the solver, and by brute force.
double measure_fantasyland14(double seconds);
double measure_fantasyland14_reference(double seconds);

}  // namespace dealer
