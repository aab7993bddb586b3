#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "env/core/game.h"
#include "frontends/phh/replay.h"

namespace dealer::phh {

// Writes down episodes of any game, hand by hand as they are played. Betting games as PHH tells, other games as the
// moves of the players.
class EpisodeLog {
 public:
  explicit EpisodeLog(GamePtr game);
  ~EpisodeLog();

  // A hand that has just been played; hands of an episode in their order, from 0. `players` are names by seat. More
  // than one history when hands before it ended without a decision of anybody.
  std::vector<HandHistory> write(const MovesHand& hand, const std::vector<std::string>& players);

 private:
  std::vector<HandHistory> write_poker(const MovesHand& hand, const std::vector<std::string>& players);

  const GamePtr game_;
  std::unique_ptr<Env> env_;
  struct Poker;
  std::unique_ptr<Poker> poker_;
};

}  // namespace dealer::phh
