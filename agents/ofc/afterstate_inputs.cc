#include "agents/ofc/afterstate_inputs.h"

#include <memory>
#include <utility>

#include "agents/ofc/features.h"
#include "agents/ofc/model_play.h"
#include "agents/ofc/placements.h"
#include "agents/ofc/turn_agent.h"
#include "env/games/ofc/game.h"

namespace dealer::ofc {
namespace {

class PlacementEncoder final : public AfterstateEncoder {
 public:
  explicit PlacementEncoder(std::shared_ptr<const Game> game) : game_(std::move(game)) {}

  int size() const override { return kFeatures; }

  std::vector<EncodedAfterstate> encode(const Observation& seen) const override {
    const View view = decode_turn(game_->rules(), seen);
    if (view.fantasyland[0]) return {};
    PlacementBuffer placements;
    const int count = enumerate_placements(view.board[0], view.hand, view.discards_left, placements);
    const CardSet live = kFullDeck & ~view.seen();
    std::vector<EncodedAfterstate> all;
    for (const Placement& placement : std::span(placements).first(at(count))) {
      EncodedAfterstate& next = all.emplace_back();
      next.text = to_string(placement);
      const MacroAction turn(placement.board, view.discards | placement.discards);
      for_each(view.hand, [&](Card card) { next.actions.push_back(turn.next(bit(card))); });
      for (std::size_t other = 1; other < at(view.players); ++other) {
        if (view.out[other]) continue;
        const FeatureList list = features(placement.board, view.board[other], live, view.fantasyland[other]);
        next.rows.emplace_back(list.active().begin(), list.active().end());
      }
    }
    return all;
  }

 private:
  std::shared_ptr<const Game> game_;
};

}  // namespace

AfterstateEncoderPtr make_afterstate_encoder(const GamePtr& game) {
  return std::make_shared<const PlacementEncoder>(std::dynamic_pointer_cast<const Game>(game));
}

}  // namespace dealer::ofc
