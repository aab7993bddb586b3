#include "train/afterstate/algorithm.h"

#include <fmt/format.h>

#include "env/core/error.h"
#include "train/ofc/trainer.h"
#include "train/seven_hand/trainer.h"

namespace dealer {

std::unique_ptr<Trainer> make_afterstate_trainer(Config& config, const GamePtr& game, Ranks& ranks) {
  if (auto ofc = std::dynamic_pointer_cast<const ofc::Game>(game))
    return std::make_unique<ofc::OfcTrainer>(std::move(ofc), ofc::read_settings(config), ranks);
  if (auto seven_hand = std::dynamic_pointer_cast<const seven_hand::Game>(game))
    return std::make_unique<seven_hand::SevenHandTrainer>(std::move(seven_hand), seven_hand::read_settings(config),
                                                          ranks);
  throw UsageError(fmt::format("algorithm 'afterstate_td' learns ofc and seven_hand, not '{}'", game->spec()));
}

}  // namespace dealer
