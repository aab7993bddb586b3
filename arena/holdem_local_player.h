#pragma once

#include <bitset>
#include <memory>
#include <span>
#include <vector>

#include "agents/poker/hand_policies.h"
#include "arena/local_players.h"
#include "env/core/random.h"

namespace dealer::poker {

// A local best response in hold'em for two, over all hands that the other may hold, each exactly as likely as its
// policy makes what it did. So luck can be separated from play (Burch et al., "AIVAT: a new variance reduction
// technique for agent evaluation in imperfect information games", 2018): whatever cards come and whatever the agent
// decides, what that wins beyond its expectation if nobody bets any more. A showdown counts as its mean over the
// agent's hands.
class HoldemLocalPlayer {
 public:
  // Precondition: resolve::why_not_two_cards() finds nothing. samples: hands that a decision looks at.
  HoldemLocalPlayer(std::shared_ptr<const Game> game, const AgentFactory& against, int samples, LocalBets bets = {});

  // chance: for what is estimated; apart from the deal.
  void begin_hand(const State& dealt, Seat me, RandomStream chance);
  // What is hidden in `now` has no part in the decision.
  Decision decide(const State& now, RandomStream rng);
  void played(const State& before, const Decision& decision);
  // Precondition: `end` is the hand that was played, and over. What the player won with luck taken out, in chips.
  double won(const State& end);

  // That the agent may hold, at the last decision.
  const std::vector<resolve::Hand>& hands() const { return hands_; }

 private:
  using CardSet = std::bitset<kMaxDeckCards>;

  // What the player's hand wins and loses at showdowns to come against each hand of the range, from -1 to 1. Where
  // there are too many boards to come they are a sample, and decisions look at another one than what is said of luck:
  // else luck would seem bad where a decision relied on a board that is too good.
  struct Edges {
    std::vector<float> decision, luck;
  };

  void see_board(const State& state);
  void find_edges(std::vector<float>& edges);
  // Over the range, by its weights.
  double mean(const std::vector<float>& edges, std::span<const double> weights) const;
  // What the player wins if nobody bets any more, of the hands as weighted.
  double played_down(const State& state, const std::vector<float>& edges, std::span<const double> weights) const;
  void learn(const State& before, Action action);
  void choose_hands(RandomStream& rng);

  std::shared_ptr<const Game> game_;
  const GameRules& rules_;
  LocalBets bets_;
  std::size_t samples_;
  resolve::HandPolicies agent_;

  Seat me_ = 0;
  std::vector<CardId> own_, board_;
  std::vector<resolve::Hand> hands_;  // that the other may hold
  std::vector<double> weights_;
  Edges edges_;
  RandomStream chance_;
  double luck_ = 0;
  // What a decision looks at.
  std::vector<resolve::Hand> chosen_;
  std::vector<double> chosen_weights_;
  std::vector<float> chosen_edges_;
};

}  // namespace dealer::poker
