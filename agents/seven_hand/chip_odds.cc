#include "agents/seven_hand/chip_odds.h"

#include <algorithm>
#include <limits>

#include "env/core/at.h"

namespace dealer::seven_hand {
namespace {

// The weight of the chip that the opponent is expected to name; the rest is shared by all.
constexpr double kForeseen = 0.6;

}  // namespace

const LaidHandCdfs& laid_hand_cdfs() {
  static const LaidHandCdfs kStrengths;
  return kStrengths;
}

double chance_between(double own, double other) {
  const double win = own * (1 - other), lose = (1 - own) * other;
  return win + lose > 0 ? win / (win + lose) : 0.5;
}

ChipOdds::ChipOdds(const LineValues& line, const View& view) : line_(line), view_(view) {
  for (std::size_t c = 0; c < kChips; ++c) tied_[c] = view.owner[c] == kNobody;
  turns_left_ = static_cast<int>(std::count(view.turn[0].begin(), view.turn[0].end(), 0));
}

double ChipOdds::reserve(CardSet hand, int turns) const {
  if (turns == 0) return 0.5;
  double best = 0;
  for (const bool small : {false, true}) {
    const Groups groups = share_out(hand, turns, small);
    double sum = kUnseenTurn * (turns - groups.count);
    for (int g = 0; g < groups.count; ++g) {
      const double made = laid_hand_cdfs().beats(evaluate(groups.cards[at(g)]), 0);
      // If three cards are still to come, a weak group is no worse than an unseen turn.
      sum += g < turns - 1 ? std::max(made, kUnseenTurn) : made;
    }
    best = std::max(best, sum / turns);
  }
  return best;
}

double ChipOdds::against(int chip, int cards, double own) const {
  if (view_.turn[0][at(chip)] != 0) return laid_hand_cdfs().beats(evaluate(view_.cards[0][at(chip)]), cards);
  return chance_between(own, laid_hand_cdfs().average(cards));
}

ChipProbabilities ChipOdds::probabilities(double own) const {
  ChipProbabilities probabilities{};
  for (int chip = 0; chip < kChips; ++chip) {
    const auto c = at(chip);
    if (view_.owner[c] != kNotYet)
      probabilities[c] = view_.owner[c] == 0 ? 1 : 0;
    else if (view_.turn[1][c] != 0)
      probabilities[c] = against(chip, view_.count[1][c], own);
    else if (view_.turn[0][c] != 0)
      probabilities[c] = laid_hand_cdfs().beats(evaluate(view_.cards[0][c]), 0);
    else
      probabilities[c] = own;
  }
  return probabilities;
}

double ChipOdds::value_of_naming(int chip, double own) const {
  ChipProbabilities then = probabilities(own);
  then[at(chip)] = against(chip, view_.pending, own);
  return value(then);
}

double ChipOdds::value_of_laying(CardSet cards, double own) const {
  const HandRank rank = evaluate(cards);
  const ChipProbabilities now = probabilities(own);
  double feared = std::numeric_limits<double>::infinity(), there = 0, sum = 0;
  int open = 0;
  for (int chip = 0; chip < kChips; ++chip) {
    const auto c = at(chip);
    if (view_.turn[0][c] != 0) continue;
    const int opposite = view_.turn[1][c] != 0 ? view_.count[1][c] : 0;
    // The opponent's view: a hand of that many cards.
    ChipProbabilities assumed = now, real = now;
    assumed[c] = chance_between(laid_hand_cdfs().average(size(cards)), laid_hand_cdfs().average(opposite));
    real[c] = std::clamp(laid_hand_cdfs().beats(rank, opposite), 0.001, 0.999);
    const double worth = value(real);
    if (const double fear = value(assumed); fear < feared) {
      feared = fear;
      there = worth;
    }
    sum += worth;
    ++open;
  }
  return kForeseen * there + (1 - kForeseen) * sum / open;
}

}  // namespace dealer::seven_hand
