#include "arena/studies/court/showdown.h"

#include <algorithm>
#include <map>
#include <utility>

namespace dealer::studies::court {

std::vector<std::vector<CardId>> hands_at_showdown(std::span<const Event> events) {
  std::map<Seat, std::vector<CardId>> hands;
  for (const Event& event : events) {
    if (event.seat < 0) continue;
    std::vector<CardId>& hand = hands[event.seat];
    switch (event.kind) {
      case Event::Kind::kDealt:
      case Event::Kind::kDrew:
        hand.insert(hand.end(), event.cards.begin(), event.cards.end());
        break;
      case Event::Kind::kDiscarded:
        for (const CardId card : event.cards) std::erase(hand, card);
        break;
      case Event::Kind::kActed:
        if (event.what == "fold") hand.clear();
        break;
      default:
        break;
    }
  }
  std::vector<std::vector<CardId>> in;
  for (auto& [seat, hand] : hands)
    if (!hand.empty()) in.push_back(std::move(hand));
  if (in.size() < 2) in.clear();
  return in;
}

ShowdownTally::ShowdownTally(EvaluatorPtr evaluator) : evaluator_(std::move(evaluator)) {
  counts_.resize(evaluator_->ranking().categories().size());
}

void ShowdownTally::add(std::int64_t deal, std::span<const Event> events) {
  const std::vector<std::vector<CardId>> hands = hands_at_showdown(events);
  reached_.add(deal, hands.empty() ? 0 : 1);
  if (hands.empty()) return;
  std::vector<HandValue> values;
  for (const auto& hand : hands) values.push_back(evaluator_->evaluate(hand));
  const HandValue best = *std::max_element(values.begin(), values.end());
  const auto winners = static_cast<double>(std::count(values.begin(), values.end(), best));
  std::vector<double> seen(counts_.size(), 0);
  for (const HandValue value : values) {
    const auto category = static_cast<std::size_t>(evaluator_->category(value));
    ++seen[category];
    counts_[category].wins.add(deal, value == best ? 1 / winners : 0);
  }
  const auto all = static_cast<double>(values.size());
  for (std::size_t c = 0; c < counts_.size(); ++c) {
    counts_[c].share.add(deal, seen[c], all);
    if (c == 0) continue;
    counts_[c].less.add_first(deal, seen[c - 1], all);
    counts_[c].less.add_second(deal, seen[c], all);
  }
}

ShowdownFigures ShowdownTally::figures() const {
  ShowdownFigures figures;
  figures.reached = reached_.share();
  for (const Counts& counts : counts_)
    figures.categories.push_back({counts.share.share(), counts.wins.share(), counts.less.estimate()});
  return figures;
}

}  // namespace dealer::studies::court
