#pragma once

#include <bitset>
#include <memory>
#include <span>
#include <vector>

#include "agents/poker/hand_policies.h"
#include "arena/local_responses.h"
#include "env/core/random.h"

namespace dealer::poker {

// A local best response in two-player hold'em, over all hands of the other player, weighted exactly
// by the probability of its actions under its policy. This permits variance reduction (Burch et al.,
// "AIVAT: a new variance reduction technique for agent evaluation in imperfect information games",
// 2018): for each card dealt and each decision of the agent, the change of the expected result with
// no further betting is subtracted. A showdown counts as its mean over the agent's hands.
class HoldemLocalResponse {
 public:
  // Precondition: resolve::why_not_two_cards() is empty. samples: number of hands considered at a decision.
  HoldemLocalResponse(std::shared_ptr<const Game> game, const AgentFactory& against, int samples, LocalBets bets = {});

  // chance: the random stream of estimates, independent of the deal.
  void begin_hand(const State& dealt, Seat me, RandomStream chance);
  // The hidden cards of `now` are ignored.
  Decision decide(const State& now, RandomStream rng);
  void played(const State& before, const Decision& decision);
  // Precondition: `end` is the finished hand. Returns the player's variance-reduced winnings, in chips.
  double won(const State& end);

  // The agent's possible hands at the last decision.
  const std::vector<resolve::Hand>& hands() const { return hands_; }

 private:
  using CardSet = std::bitset<kMaxDeckCards>;

  // The expected result of the player's hand at the showdown against each hand of the range, -1 to 1. If there are too
  // many boards to enumerate, they are sampled, separately for decisions and for variance reduction: otherwise a
  // decision based on an optimistic sample would bias the correction.
  struct Edges {
    std::vector<float> decision, correction;
  };

  void see_board(const State& state);
  void find_edges(std::vector<float>& edges);
  // The weighted mean over the range.
  double mean(const std::vector<float>& edges, std::span<const double> weights) const;
  // The player's winnings with no further betting, over the weighted hands.
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
  std::vector<resolve::Hand> hands_;  // of the other player
  std::vector<double> weights_;
  Edges edges_;
  RandomStream chance_;
  double chance_term_ = 0;
  // The hands considered at a decision.
  std::vector<resolve::Hand> chosen_;
  std::vector<double> chosen_weights_;
  std::vector<float> chosen_edges_;
};

}  // namespace dealer::poker
