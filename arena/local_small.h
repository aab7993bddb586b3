#pragma once

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "arena/local_choice.h"
#include "arena/small_belief.h"
#include "env/games/small/game.h"

namespace dealer::small {

// A local best response in Kuhn, Leduc and small draw poker: over all hidden hands, exactly. Discards to come are the
// best there are if nobody bets any more.
class LocalPlayer {
 public:
  LocalPlayer(std::shared_ptr<const Game> game, const AgentFactory& against, int samples, LocalBets bets = {});

  void begin_hand(const State& dealt, Seat me);
  Decision decide(const State& now, RandomStream rng);
  void played(const State& before, const Decision& decision);

  // For choose_locally().
  std::vector<Action> throws(const State& state) const;
  std::vector<double> fold_chances(std::span<const Particle<State>> range);
  double play_down(std::vector<Particle<State>> range);

 private:
  Belief hidden_;
  std::unordered_map<Belief::Key, Decision> best_;  // by what the local best response sees
  Seat me_ = 0;
};

}  // namespace dealer::small
