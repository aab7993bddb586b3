#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "agents/ofc/model_play.h"
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

}  // namespace dealer::ofc
