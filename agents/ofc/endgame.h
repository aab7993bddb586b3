#pragma once

#include <array>
#include <span>
#include <vector>

#include "agents/ofc/afterstates.h"
#include "agents/ofc/model_play.h"
#include "env/core/random.h"

namespace dealer::ofc {

// The last two turns of a hand, nobody in Fantasyland. The last turn is exact: over all cards that an opponent may
// still get, who makes the best of them. Before it, each placement counts the mean over all cards that the own last
// turn may bring, the best made of them by what is seen then: boards of opponents who act before that are known, those
// of the others are not. How opponents end is sampled: the network places their fourth turn, their last one takes the
// most.
class Endgame {
 public:
  explicit Endgame(const ModelPlay& play);

  // Whether the observer's turn is one of these.
  static bool covers(const View& view);
  // values: of the placements, expected points but for what the opponents' own royalties and tickets take off. By the
  // network's values of them (`by_network`), those that promise least are left as low as they are.
  // Precondition: covers(view).
  void value(const View& view, std::span<const Placement> placements, std::span<const float> by_network,
             std::span<float> values);

 private:
  static constexpr int kEnds = 32;              // ways in which the opponents may end
  static constexpr std::size_t kPromising = 8;  // placements that are looked at

  // Boards in the end by relative seat, in the same deal.
  using Ends = std::array<Board, kMaxSeats>;

  void sample_ends(const View& view, const Board& own);
  Board place_by_network(const View& view, int seat, const Ends& boards, CardSet hand);
  Board place_last(const View& view, int seat, const Board& board, CardSet hand) const;
  // hidden: boards of those who act later, kEnds for each of them.
  double mean_of_last_turn(const View& view, const Board& board, const Ends& ends,
                           std::span<const BoardValue> hidden) const;

  const ModelPlay& play_;
  AfterstateEvaluator evaluator_;
  std::vector<float> values_;
  std::array<Ends, kEnds> ends_;
};

}  // namespace dealer::ofc
