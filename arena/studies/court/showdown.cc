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

ShowdownCounter::ShowdownCounter(EvaluatorPtr evaluator) : evaluator_(std::move(evaluator)) {
  std::vector<Named> codes;
  for (const Category& category : evaluator_->ranking().categories()) codes.push_back({category.code, category.name});
  // Among the hands at showdowns; of a category's showdowns, the fraction it wins, a tie of n counting 1/n; the share
  // of the next weaker category less its own, unknown for the weakest.
  const Figure category = counters("share% wins% less-%");
  figures_ = object({{"reached", share()}, {"categories", list_of(codes, "code", category)}});
}

void ShowdownCounter::add(std::int64_t deal, std::span<const Event> events) {
  const std::vector<std::vector<CardId>> hands = hands_at_showdown(events);
  figures_["reached"].add(deal, when(!hands.empty()));
  if (hands.empty()) return;
  std::vector<HandValue> values;
  values.reserve(hands.size());
  for (const auto& hand : hands) values.push_back(evaluator_->evaluate(hand));
  const HandValue best = *std::max_element(values.begin(), values.end());
  const auto winners = static_cast<double>(std::count(values.begin(), values.end(), best));
  Figure& categories = figures_["categories"];
  std::vector<double> seen(categories.size(), 0);
  for (const HandValue value : values) {
    const auto category = static_cast<std::size_t>(evaluator_->category(value));
    ++seen[category];
    categories[category]["wins"].add(deal, value == best ? 1 / winners : 0);
  }
  const auto all = static_cast<double>(values.size());
  for (std::size_t c = 0; c < categories.size(); ++c) {
    categories[c]["share"].add(deal, seen[c], all);
    if (c == 0) continue;
    categories[c]["less"].compare(deal, true, seen[c - 1], all);
    categories[c]["less"].compare(deal, false, seen[c], all);
  }
}

}  // namespace dealer::studies::court
