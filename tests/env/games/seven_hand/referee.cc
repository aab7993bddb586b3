#include "tests/env/games/seven_hand/referee.h"

#include <algorithm>
#include <map>
#include <set>

namespace dealer::test::seven_hand {

std::vector<int> strength(const std::vector<int>& cards) {
  std::map<int, int> count;
  std::set<int> suits;
  for (const int card : cards) {
    ++count[card / 4];
    suits.insert(card % 4);
  }
  std::vector<std::pair<int, int>> groups;  // size and rank of each
  for (const auto& [rank, many] : count) groups.emplace_back(many, rank);
  std::sort(groups.rbegin(), groups.rend());
  const auto many = [&](std::size_t i) { return i < groups.size() ? groups[i].first : 0; };
  int straight = -1;  // rank of its top card
  if (cards.size() == 5 && groups.size() == 5) {
    if (groups[0].second - groups[4].second == 4) straight = groups[0].second;
    if (groups[0].second == 12 && groups[1].second == 3) straight = 3;
  }
  const bool flush = cards.size() == 5 && suits.size() == 1;
  const int category = straight >= 0 && flush ? 8
                       : many(0) == 4         ? 7
                       : many(0) == 3         ? (many(1) == 2 ? 6 : 3)
                       : flush                ? 5
                       : straight >= 0        ? 4
                       : many(0) == 2         ? (many(1) == 2 ? 2 : 1)
                                              : 0;
  std::vector<int> key = {category};
  if (straight >= 0) {
    key.push_back(straight);
  } else {
    for (const auto& group : groups) key.push_back(group.second);
  }
  return key;
}

Referee::Referee(std::array<std::vector<int>, 2> cards, int dealer, Options options)
    : stock_(std::move(cards)), options_(std::move(options)), mover_(1 - dealer) {
  owner_.fill(-1);
  for (std::size_t seat = 0; seat < 2; ++seat) {
    hand_[seat].assign(stock_[seat].begin(), stock_[seat].begin() + 8);
    stock_[seat].erase(stock_[seat].begin(), stock_[seat].begin() + 8);
  }
}

int Referee::to_act() const { return over_ ? -1 : naming_ ? 1 - mover_ : mover_; }

std::vector<int> Referee::legal() const {
  std::vector<int> actions;
  if (over_) return actions;
  if (naming_) {
    for (int chip = 0; chip < 7; ++chip)
      if (at_chip(mover_, chip).empty()) actions.push_back(53 + chip);
    return actions;
  }
  for (const int card : hand(mover_))
    if (picked_.empty() || card > picked_.back()) actions.push_back(card);
  std::sort(actions.begin(), actions.end());
  if (!picked_.empty()) actions.push_back(52);
  return actions;
}

void Referee::act(int action) {
  if (naming_) return go_to_chip(action - 53);
  if (action == 52) return end_laying();
  std::vector<int>& hand = hand_[index(mover_)];
  hand.erase(std::find(hand.begin(), hand.end(), action));
  picked_.push_back(action);
  if (picked_.size() == 5 || legal().size() == 1) end_laying();
}

void Referee::end_laying() {
  naming_ = true;
  const std::vector<int> chips = legal();
  if (chips.size() == 1) go_to_chip(chips[0] - 53);
}

void Referee::go_to_chip(int chip) {
  const int mover = mover_, other = 1 - mover;
  naming_ = false;
  laid_[index(mover)][index(chip)] = std::move(picked_);
  picked_.clear();
  for (int i = 0; i < 3 && !stock_[index(mover)].empty(); ++i) {
    hand_[index(mover)].push_back(stock_[index(mover)].front());
    stock_[index(mover)].erase(stock_[index(mover)].begin());
  }
  if (!at_chip(other, chip).empty()) {
    const auto first = strength(at_chip(other, chip)), second = strength(at_chip(mover, chip));
    if (second > first || (second == first && options_.ties == "second_mover")) owner_[index(chip)] = mover;
    if (second < first || (second == first && options_.ties == "first_mover")) owner_[index(chip)] = other;
    if (second == first && options_.ties == "both") owner_[index(chip)] = 2;
  }
  ++turns_;
  over_ = turns_ == 14 || has_three(0) || has_three(1);
  mover_ = other;
}

bool Referee::has_three(int seat) const {
  for (int chip = 0; chip + 2 < 7; ++chip)
    if (owns(seat, chip) && owns(seat, chip + 1) && owns(seat, chip + 2)) return true;
  return false;
}

int Referee::result() const {
  const auto chips = [&](int seat) {
    int count = 0;
    for (int chip = 0; chip < 7; ++chip) count += owns(seat, chip) ? 1 : 0;
    return count;
  };
  int winner = -1;
  if (chips(0) > chips(1)) winner = 0;
  if (chips(1) > chips(0)) winner = 1;
  if (has_three(0) && has_three(1)) return 0;
  for (const int seat : {0, 1})
    if (has_three(seat)) winner = seat;
  if (winner < 0) return 0;
  const int points = options_.margin ? std::max(1, chips(winner) - chips(1 - winner)) : 1;
  return winner == 0 ? points : -points;
}

}  // namespace dealer::test::seven_hand
