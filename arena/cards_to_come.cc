#include "arena/cards_to_come.h"

#include <algorithm>
#include <iterator>

#include "env/core/at.h"

namespace dealer::poker {
namespace {

// 0: the first is lower, 1: equal, 2: the first is higher.
std::size_t compare(HandValue first, HandValue second) { return first > second ? 2 : first == second ? 1 : 0; }

bool has(std::span<const CardId> cards, CardId card) {
  return std::find(cards.begin(), cards.end(), card) != cards.end();
}

}  // namespace

CardsToCome::CardsToCome(const State& end, std::span<const CardId> left)
    : rules_(end.rules()), board_(end.board().begin(), end.board().end()) {
  if (rules_.players != 2 || std::any_of(board_.begin(), board_.end(), [&](CardId card) { return has(left, card); }))
    return;
  for (Seat seat : {0, 1}) {
    Hand& hand = hand_[at(seat)];
    for (const CardId card : end.cards(seat)) (has(left, card) ? hand.came : hand.kept).push_back(card);
  }
  const std::size_t first = hand_[0].came.size(), second = hand_[1].came.size();
  counted_ = first + second <= kMost;
  if (!counted_) return;
  for (Hand& hand : hand_) add_ways(hand, left);
}

void CardsToCome::add_ways(Hand& hand, std::span<const CardId> left) const {
  const std::size_t count = hand.came.size();
  if (count == 0) hand.ways.push_back({});
  for (std::size_t i = 0; count > 0 && i < left.size(); ++i) {
    if (count == 1) hand.ways.push_back({left[i], left[i]});
    for (std::size_t j = 0; count == 2 && j < i; ++j) hand.ways.push_back({left[i], left[j]});
  }
  std::vector<CardId> cards = hand.kept;
  cards.insert(cards.end(), board_.begin(), board_.end());
  const std::size_t known = cards.size();
  cards.resize(known + count);
  for (const Cards& way : hand.ways) {
    std::copy_n(way.begin(), count, cards.begin() + static_cast<std::ptrdiff_t>(known));
    hand.high.push_back(rules_.high->compiled().evaluate(cards));
    hand.low.push_back(rules_.low ? rules_.low->compiled().evaluate(cards) : HandValue{0});
    hand.qualified.push_back(rules_.low &&
                             rules_.low->compiled().qualifies(hand.low.back(), static_cast<int>(cards.size())));
  }
}

CardMap CardsToCome::map_of(const Cards& first, const Cards& second) const {
  CardMap map = same_cards();
  const auto put = [&](const Hand& hand, const Cards& way) {
    for (std::size_t i = 0; i < hand.came.size(); ++i) exchange(map, map[hand.came[i]], way[i]);
  };
  put(hand_[0], first);
  put(hand_[1], second);
  return map;
}

std::array<CardsToCome::Result, CardsToCome::kResults> CardsToCome::results() const {
  std::array<Result, kResults> results;
  const auto& [a, b] = hand_;
  const bool one_each = !a.came.empty() && !b.came.empty();
  for (std::size_t i = 0; i < a.ways.size(); ++i) {
    for (std::size_t j = 0; j < b.ways.size(); ++j) {
      if (one_each && a.ways[i][0] == b.ways[j][0]) continue;
      // A hand that does not qualify loses to one that does; if nobody qualifies, there is no low half.
      const std::size_t low = a.qualified[i] && b.qualified[j] ? compare(a.low[i], b.low[j])
                              : a.qualified[i]                 ? 2
                              : b.qualified[j]                 ? 0
                                                               : 3;
      Result& result = results[compare(a.high[i], b.high[j]) * 4 + low];
      if (result.ways++ == 0) result.example = map_of(a.ways[i], b.ways[j]);
    }
  }
  return results;
}

}  // namespace dealer::poker
