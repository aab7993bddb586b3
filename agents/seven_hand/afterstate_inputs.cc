#include "agents/seven_hand/afterstate_inputs.h"

#include <memory>
#include <utility>

#include "agents/seven_hand/afterstate_features.h"
#include "agents/seven_hand/turn_evaluator.h"
#include "agents/seven_hand/whole_turns.h"
#include "env/core/error.h"
#include "env/games/seven_hand/game.h"

namespace dealer::seven_hand {
namespace {

class TurnEncoder final : public AfterstateEncoder {
 public:
  explicit TurnEncoder(std::shared_ptr<const Game> game) : game_(std::move(game)), features_(game_->rules()) {}

  int size() const override { return feature::kCount; }

  std::vector<EncodedAfterstate> encode(const Observation& seen) const override {
    const View view = State::decode(game_->rules(), seen.data), turn = turn_begun(view);
    if (view.to_act != 0) throw UsageError("there is nothing to choose: the observer is not to act");
    std::vector<CardSet> layings;
    std::vector<TurnChoice> choices;
    // What is picked already may be the beginning of no turn that would be chosen.
    list_choices(turn, view.picked, layings, choices);
    const AfterstateFeatures::Common common = features_.common(turn);
    std::vector<EncodedAfterstate> all;
    for (const TurnChoice& choice : choices) {
      if ((view.picked & ~choice.cards) != 0) continue;
      FeatureList list = common.list;
      features_.add_choice(turn, common, choice.cards, choice.chip, list);
      all.push_back({line_of(view, choice), text_of(choice), {{list.active().begin(), list.active().end()}}});
    }
    return all;
  }

 private:
  std::shared_ptr<const Game> game_;
  AfterstateFeatures features_;
};

}  // namespace

AfterstateEncoderPtr make_afterstate_encoder(const GamePtr& game) {
  return std::make_shared<const TurnEncoder>(std::dynamic_pointer_cast<const Game>(game));
}

}  // namespace dealer::seven_hand
