#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "agents/ofc/afterstates.h"
#include "agents/ofc/model_play.h"
#include "env/core/random.h"

namespace dealer::ofc {

// How exactly the fourth turn is evaluated: the network's `promising` best placements by the first of the sampled ends
// of the opponents, the `kept` best of these by all. Ends that nobody sees cost little: all of them are used at once.
struct EndgameEffort {
  int ends = 32;
  int first_ends = 8;  // at most `ends`
  std::size_t promising = 8;
  std::size_t kept = 4;
  std::uint64_t seed = 0x656e6473;
};

// Values the last two turns of a hand with nobody in Fantasyland. The last turn is exact: over all cards that an
// opponent may still get, which that opponent sets optimally. Before it, the value of each placement is the mean
// over all cards of the own last turn, set optimally given what is seen then: boards of opponents who act before
// that are known, those of the others are not. The opponents' ends are sampled: the network places their fourth
// turn, and their last turn is greedy.
class Endgame {
 public:
  explicit Endgame(const ModelPlay& play, const EndgameEffort& effort = {});

  // True if the observer's turn is one of these.
  static bool covers(const View& view);
  // values: of the placements, expected points before subtracting the opponents' own royalties and Fantasyland bonus.
  // Given the network's values of them (`by_network`), the least promising are not evaluated and keep a low value.
  // Precondition: covers(view).
  void value(const View& view, std::span<const Placement> placements, std::span<const float> by_network,
             std::span<float> values);

 private:
  class CompleteBoards;
  // The final boards by relative seat, in the same deal.
  using Ends = std::array<Board, kMaxSeats>;

  void sample_ends(const View& view, const Board& own);
  Board place_by_network(const View& view, int seat, const Ends& boards, CardSet hand);
  Board place_last(const View& view, int seat, const Board& board, CardSet hand) const;
  // Sets the values of the promising placements and returns the lowest.
  float value_fourth_turn(const View& view, std::span<const Placement> placements, std::span<std::size_t> promising,
                          std::span<float> values) const;
  // hidden: boards of opponents who act later, effort_.ends for each of them.
  double mean_of_last_turn(const View& view, CompleteBoards& boards, const Ends& ends,
                           std::span<const BoardValue> hidden) const;

  const ModelPlay& play_;
  EndgameEffort effort_;
  AfterstateEvaluator evaluator_;
  std::vector<float> values_;
  std::vector<Ends> ends_;
};

}  // namespace dealer::ofc
