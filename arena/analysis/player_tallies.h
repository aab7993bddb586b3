#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "arena/analysis/analyse.h"

namespace dealer::analysis {

// Whether the decisions of a seat and a player are asked for.
bool wanted(const AnalysisOptions& options, Seat seat, const std::string& player);
// The name of a seat's player; empty where it has none.
std::string player_at(const RecordedHand& hand, Seat seat);

// What is counted of the players, hand by hand.
class PlayerTallies {
 public:
  // The decisions of a hand, in order. Hands of one deal are one case: `deal` is its number.
  void add(const RecordedHand& hand, const std::vector<JudgedDecision>& decisions, const AnalysisOptions& options,
           std::int64_t deal);
  // In the order of their first hands.
  std::vector<PlayerFigures> figures() const;

 private:
  struct Tally {
    PlayerFigures figures;
    studies::ClusterMean loss, loss_of_hand, cost, cost_of_hand;
  };
  Tally& of(const std::string& name);

  std::vector<Tally> tallies_;
  std::map<std::string, std::size_t> place_;
};

}  // namespace dealer::analysis
