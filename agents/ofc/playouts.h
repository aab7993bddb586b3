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

// The value of a playout to the observer at successive horizons: at each of its own future turns the network's value of
// the best placement there, and finally the points.
struct PlayedOut {
  std::array<double, 5> stake{};  // [horizons()]
};

// Plays the rest of a hand out, everybody by the network, after placements of the observer (Tesauro and Galperin,
// "On-line policy improvement using Monte-Carlo search", 1996). All placements share the same deals. Following hands
// are valued by the chain values.
class Playouts {
 public:
  // The opponents have the agent's foul aversion; the observer has none beyond the cost of a foul.
  explicit Playouts(const ModelPlay& play);

  // The number of horizons for an observer who is to act: its own future turns, and the end.
  static int horizons(const View& view);

  // Plays the deals with these numbers (sample numbers of the stream `seed`), each after all placements: out[d * n +
  // p] for deal d and placement p of n. The observer is to act and not in Fantasyland. turns: stops after that many
  // own turns, and only their horizons are filled in; 0: plays to the end. From the own last turn on, the effect of
  // its three cards is replaced by its mean (a control variate: the mean over all deals of the board's own value,
  // less that of the cards dealt).
  void run(const View& view, std::span<const Placement> placements, std::uint64_t seed, std::int64_t first_deal,
           int deals, int turns, std::span<PlayedOut> out);

 private:
  // One game being played out. Seats are relative to the observer.
  struct Game {
    std::array<Board, kMaxSeats> board;
    std::array<CardSet, kMaxSeats> discards{};
    const Card* deck = nullptr;  // the unseen cards in the order they are drawn, shared by the placements
    int drawn = 0;
    double average_cards = 0;  // control variate: added so that the last cards count as on average
    PlayedOut* out = nullptr;
  };
  void play_out(const View& view, int turns, std::span<Game> games);
  // horizon: the index for the observer's best value; -1 for other players.
  void play_turn(const View& view, int seat, int street, int horizon, std::span<Game> games);
  double average_cards(const View& view, const Game& game, CardSet hand) const;
  // earlier: an already scored game of the same deal, or null. Fantasyland is set alike in both.
  double score(const View& view, Game& game, const Game* earlier) const;

  const ModelPlay& play_;
  AfterstateEvaluator evaluator_, others_;
  int unseen_ = 0;
  std::vector<Card> decks_;  // [deals, unseen]
  std::vector<Game> games_;
  std::vector<PlacementBuffer> placements_;
  std::vector<float> values_;
};

// The unseen cards of deal `number` of a seed in a uniformly random order. In every block of as many deals as there are
// cards, starting at a multiple of that number, every card occurs once in every position (a Latin square): main effects
// of single cards cancel in the mean.
void deal_unseen(CardSet unseen, std::uint64_t seed, std::int64_t number, std::span<Card> deck);

// Combines the network's values of placements with playout results at several horizons. Each horizon corrects the one
// before; a correction is trusted the more, the less of it can be due to chance, with weight
//   w = e^2 / (e^2 + v / n),
// e the standard deviation of the network's errors, v the variance of the correction between placements in one deal and
// n the deals (the posterior mean of a normal error, horizon by horizon). Near horizons vary little and correct most;
// the end of the hand is right on average and varies most.
class NStepEstimator {
 public:
  // network: the value of each placement. horizons: of a playout.
  NStepEstimator(std::span<const double> network, int horizons);

  // Adds the results of one deal, one for each placement in `left`; only the nearest `horizons` are used.
  void add(std::span<const std::size_t> left, std::span<const PlayedOut> results, int horizons);
  void add(const NStepEstimator& other);

  // Combines all data on the remaining placements, which must all have shared the same deals. Components common to all
  // results are included: values are points, comparable among these placements.
  void weigh(std::span<const std::size_t> left, std::span<double> values) const;
  // The standard error of a placement's mean result, treating corrections at different horizons as
  // independent; 0 with fewer than two deals.
  double error(std::size_t placement) const;
  // For two placements with the same deals: the standard error of the difference of their weighted values, including
  // the part of the network's value that is still trusted.
  double difference_error(std::size_t placement) const;
  std::int64_t deals(std::size_t placement) const { return sums_[0][placement].count(); }

 private:
  // For one horizon: the squared standard error of a placement's mean correction, and its weight.
  struct Trust {
    double noise, weight;
  };
  Trust trust(std::size_t horizon, std::int64_t deals) const;

  static constexpr std::size_t kMaxHorizons = std::tuple_size_v<decltype(PlayedOut::stake)>;
  // The standard deviation of the network's error of a placement relative to the others, in points, by horizon;
  // measured for the shipped model over all turns.
  static constexpr std::array<double, kMaxHorizons> kNetworkError = {0.4, 0.2, 0.12, 0.1, 0.1};

  std::vector<double> network_;
  std::size_t horizons_;
  std::array<std::vector<SampleMean>, kMaxHorizons> sums_;  // [horizon][placement]: corrections
  // Pooled over placements: squared deviations of the corrections from their mean in the deal, and degrees of freedom.
  std::array<double, kMaxHorizons> squares_{};
  std::array<std::int64_t, kMaxHorizons> freedom_{};
};

}  // namespace dealer::ofc
