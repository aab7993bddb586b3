#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "agents/ofc/model_play.h"
#include "env/core/random.h"

namespace dealer::ofc {

struct RolloutOptions {
  int rollouts = 0;    // deals played out for every candidate, to the end of the hand; 0: none
  int lookahead = 0;   // deals played for every candidate up to the own next turn, valued there; 0: none
  int candidates = 6;  // placements that are played out
};
enum class Horizon : std::uint8_t { kNextTurn, kEndOfHand };

// Random orders in which the unseen cards may come, each as likely as any other; as many as `deals`.
std::vector<std::vector<Card>> random_deals(CardSet unseen, int deals, RandomStream& rng);

// Plays the rest of the hand out, everybody by the network, from the observer's placements: Monte-Carlo evaluation
// with the trained player as its policy (Tesauro & Galperin 1996). Every candidate meets the same deals, so that their
// difference is what varies least. Unseen cards are dealt at random; the hands that follow count by the chain values.
class Rollouts {
 public:
  explicit Rollouts(const ModelPlay& play);

  // Mean stake of the observer over `deals` deals, one result a candidate. The observer is to act and not in
  // Fantasyland. Up to the next turn only, the network's value of the best placement there stands for the rest (one
  // more ply of expectimax, chance sampled): far less noise, but the network's own errors.
  std::vector<double> evaluate(const View& view, std::span<const Placement> candidates, int deals, Horizon horizon,
                               RandomStream& rng);

 private:
  // One game being played out. Seats are relative to the observer.
  struct Game {
    Board board[kMaxSeats];
    CardSet discards[kMaxSeats];
    const Card* deck;  // cards in the order they are drawn, shared by the candidates
    int drawn = 0;
  };
  // Everybody's turns up to the horizon; the value of each game.
  void play_out(const View& view, Horizon horizon, std::span<Game> games, std::span<double> stakes);
  // best: what the best placement of each game is worth to the seat.
  void play_turn(const View& view, int seat, int street, std::span<Game> games, std::span<double> best);
  double score_game(const View& view, Game& game) const;

  const ModelPlay& play_;
  AfterstateEvaluator evaluator_;
  std::vector<PlacementBuffer> placements_;
  std::vector<float> values_;
};

}  // namespace dealer::ofc
