#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "agents/ofc/model_play.h"
#include "env/core/random.h"

namespace dealer::ofc {

struct RolloutOptions {
  int rollouts = 0;    // deals played out for every candidate; 0: none
  int candidates = 6;  // placements that are played out
};

// Plays the rest of the hand out, everybody by the network, from the observer's placements: Monte-Carlo evaluation
// with the trained player as its policy (Tesauro & Galperin 1996). Every candidate meets the same deals, so that their
// difference is what varies least. Unseen cards are dealt at random; the hands that follow count by the chain values.
class Rollouts {
 public:
  explicit Rollouts(const ModelPlay& play);

  // Mean stake of the observer over `deals` deals, one result a candidate. The observer is to act and not in
  // Fantasyland.
  std::vector<double> evaluate(const View& view, std::span<const Placement> candidates, int deals, RandomStream& rng);

 private:
  // One game being played out. Seats are relative to the observer.
  struct Game {
    Board board[kMaxSeats];
    CardSet discards[kMaxSeats];
    const Card* deck;  // cards in the order they are drawn, shared by the candidates
    int drawn = 0;
  };
  void play_turn(const View& view, int seat, int street, std::span<Game> games);
  double score_game(const View& view, Game& game) const;

  const ModelPlay& play_;
  AfterstateEvaluator evaluator_;
  std::vector<PlacementBuffer> placements_;
  std::vector<float> values_;
};

}  // namespace dealer::ofc
