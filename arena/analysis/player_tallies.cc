#include "arena/analysis/player_tallies.h"

#include <algorithm>

namespace dealer::analysis {

bool wanted(const AnalysisOptions& options, Seat seat, const std::string& player) {
  const auto among = [](const auto& list, const auto& item) {
    return list.empty() || std::find(list.begin(), list.end(), item) != list.end();
  };
  return among(options.seats, seat) && among(options.players, player);
}

std::string player_at(const RecordedHand& hand, Seat seat) {
  const auto place = static_cast<std::size_t>(seat);
  return place < hand.players.size() ? hand.players[place] : "";
}

PlayerTallies::Tally& PlayerTallies::of(const std::string& name) {
  const auto [found, is_new] = place_.emplace(name, tallies_.size());
  if (is_new) tallies_.emplace_back().figures.player = name;
  return tallies_[found->second];
}

void PlayerTallies::add(const RecordedHand& hand, const std::vector<JudgedDecision>& decisions,
                        const AnalysisOptions& options, std::int64_t deal) {
  // A name may sit in several seats: each is a hand of that player's.
  for (Seat seat = 0; seat < hand.table->game().players(); ++seat) {
    const std::string name = player_at(hand, seat);
    if (!wanted(options, seat, name)) continue;
    Tally& tally = of(name);
    PlayerFigures& figures = tally.figures;
    ++figures.hands;
    double loss = 0, cost = 0;
    bool all_judged = true;
    for (const JudgedDecision& decision : decisions) {
      if (decision.seat != seat) continue;
      const Judgement& judgement = decision.judgement;
      ++figures.decisions;
      if (judgement.verdict == Verdict::kUnjudged) {
        all_judged = false;
        continue;
      }
      ++figures.judged;
      figures.mistakes += judgement.verdict == Verdict::kMistake ? 1 : 0;
      figures.unclear += judgement.verdict == Verdict::kUnclear ? 1 : 0;
      loss += *judgement.difference;
      cost += *judgement.cost;
      tally.loss.add(deal, *judgement.difference);
      tally.cost.add(deal, *judgement.cost);
    }
    // What a decision lost that was not judged is not known, so that of its hand is not, either.
    if (!all_judged) continue;
    ++figures.hands_judged;
    tally.loss_of_hand.add(deal, loss);
    tally.cost_of_hand.add(deal, cost);
  }
}

std::vector<PlayerFigures> PlayerTallies::figures() const {
  std::vector<PlayerFigures> all;
  for (const Tally& tally : tallies_) {
    PlayerFigures& figures = all.emplace_back(tally.figures);
    figures.loss_per_decision = tally.loss.estimate();
    figures.loss_per_hand = tally.loss_of_hand.estimate();
    figures.cost_per_decision = tally.cost.estimate();
    figures.cost_per_hand = tally.cost_of_hand.estimate();
  }
  return all;
}

}  // namespace dealer::analysis
