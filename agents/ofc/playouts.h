#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "agents/ofc/model_play.h"
#include "agents/search/sequential_halving.h"
#include "env/core/random.h"

namespace dealer::ofc {

// What a hand that is played out is worth to the observer, seen from further and further on: at each of its own turns
// to come what the network says of the best placement there, and at the end the points.
struct PlayedOut {
  std::array<double, 5> stake{};  // [horizons()]
};

// Plays the rest of a hand out, everybody by the network, after placements of the observer (Tesauro and Galperin,
// "On-line policy improvement using Monte-Carlo search", 1996). All placements meet the same deals. The hands that
// follow count by the chain values.
class Playouts {
 public:
  // The opponents are as cautious as the agent; the observer fears fouls for what they cost alone.
  explicit Playouts(const ModelPlay& play);

  // Horizons of a hand in which the observer is to act: its own turns to come, and the end.
  static int horizons(const View& view);

  // The deals of these numbers (sample numbers of the stream `seed`), each after all placements: out[d * n + p] for
  // deal d and placement p of n. The observer is to act and not in Fantasyland. turns: stops after so many own turns,
  // whose horizons alone are filled in; 0: plays to the end. From the own last turn on, what its three cards make of
  // the board counts as they do on average (a control variate: the mean over all deals of what the board is worth by
  // itself, less that of the cards dealt).
  void run(const View& view, std::span<const Placement> placements, std::uint64_t seed, std::int64_t first_deal,
           int deals, int turns, std::span<PlayedOut> out);

 private:
  // One game being played out. Seats are relative to the observer.
  struct Game {
    std::array<Board, kMaxSeats> board;
    std::array<CardSet, kMaxSeats> discards{};
    const Card* deck = nullptr;  // the unseen cards in the order they are drawn, shared by the placements
    int drawn = 0;
    double average_cards = 0;  // on top, so that the last cards count as on average
    PlayedOut* out = nullptr;
  };
  void play_out(const View& view, int turns, std::span<Game> games);
  // horizon: where the observer's best value goes; -1 for others.
  void play_turn(const View& view, int seat, int street, int horizon, std::span<Game> games);
  double average_cards(const View& view, const Game& game, CardSet hand) const;
  // earlier: a game of the same deal that has been scored, or null. Fantasyland is set alike in both.
  double score(const View& view, Game& game, const Game* earlier) const;

  const ModelPlay& play_;
  AfterstateEvaluator evaluator_, others_;
  int unseen_ = 0;
  std::vector<Card> decks_;  // [deals, unseen]
  std::vector<Game> games_;
  std::vector<PlacementBuffer> placements_;
  std::vector<float> values_;
};

// The unseen cards in a random order, each order equally likely: those of deal `number` of a seed. Of as many deals in
// a row as there are cards, the first of them a multiple of that number, every card lies once in every place (a Latin
// square): what a card alone does, drawn here or there, has no part in the error of their mean.
void deal_unseen(CardSet unseen, std::uint64_t seed, std::int64_t number, std::span<Card> deck);

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
  std::int64_t deals(std::size_t placement) const { return sums_[0][placement].count(); }

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

  std::vector<double> network_;
  std::size_t horizons_;
  std::array<std::vector<Tally>, kMaxHorizons> sums_;  // [horizon][placement]: corrections
  // Of the corrections, less their mean over the placements of the deal.
  std::array<double, kMaxHorizons> squares_{};
  std::array<std::int64_t, kMaxHorizons> freedom_{};
};

}  // namespace dealer::ofc
