#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "agents/agent.h"
#include "arena/studies/fantasyland/opening_chart.h"
#include "arena/studies/figure.h"

namespace dealer::studies::fantasyland {

// Classes of openings, weak to strong: high cards, draws, pairs by rank, made hands.
std::span<const Named> opening_classes();
// Index into opening_classes().
std::size_t opening_class_of(const OpeningCards& cards);
// The cards that define the class: the pair, the suited cards, the highest card of a hand without anything.
CardSet key_cards(const OpeningCards& cards);

// The agent's placements of the openings in a class.
struct OpeningClass {
  struct Shape {
    std::array<int, dealer::ofc::kRows> cards{};
    double share = 0;
  };
  double share = 0;  // of all deals, exactly
  int rated = 0;     // number of openings averaged in the fields below
  double value = 0, foul = 0, fantasyland = 0;
  double value_ci95 = 0;                            // of the mean over openings, as if they were independent
  std::array<double, dealer::ofc::kRows> key_in{};  // frequency with which all key cards go to one row
  double key_divided = 0;                           // frequency with which they are divided among rows
  std::vector<Shape> shapes;                        // numbers of cards in the rows, the most frequent first
  // A typical opening: set like most of the class, with the median value.
  OpeningCards example{};
  OpeningAdvice advice;
};

using RateOpening = std::function<OpeningAdvice(const OpeningCards&)>;
// One entry per class. At most `most` openings of a class are evaluated, spread evenly over its deals, on `threads`
// threads (0: one for each processor), each with a rate of its own.
std::vector<OpeningClass> opening_chart(const std::function<RateOpening()>& make_rate, int most, int threads = 0);

// The means over all deals, without shapes and example.
OpeningClass all_openings_of(std::span<const OpeningClass> chart);

// Evaluates openings by playouts: the agent in all seats plays a hand, and the rest of its episode. The advice has no
// second placement.
class OpeningPlayer {
 public:
  // game: OFC. Throws UsageError if the agents observe events.
  OpeningPlayer(const Game& game, const AgentFactory& agents, Opponents opponents = Opponents::kNormal);
  // The same cards and seed deal the same hand.
  OpeningAdvice play(const OpeningCards& cards, std::uint64_t seed);
  // Means over `hands` hands, with the most frequent placement.
  OpeningAdvice mean(const OpeningCards& cards, int hands);

 private:
  Observation first_turn_;
  std::unique_ptr<Env> table_;
  std::vector<std::unique_ptr<Agent>> agents_;
};

}  // namespace dealer::studies::fantasyland
