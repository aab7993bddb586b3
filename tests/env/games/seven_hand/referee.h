#pragma once

#include <array>
#include <string>
#include <vector>

namespace dealer::test::seven_hand {

// 7-Hand Poker implemented slowly: lists of cards, no bits, no code of the game itself. Cards are 4 * rank + suit.
class Referee {
 public:
  struct Options {
    bool margin = false;
    std::string ties = "nobody";
  };
  // The cards each seat is dealt, in order.
  Referee(std::array<std::vector<int>, 2> cards, int dealer, Options options);

  // -1: over.
  int to_act() const;
  // The numbers of the actions, ascending.
  std::vector<int> legal() const;
  void act(int action);
  // Result of seat 0, once over.
  int result() const;

  const std::vector<int>& hand(int seat) const { return hand_[index(seat)]; }
  const std::vector<int>& at_chip(int seat, int chip) const { return laid_[index(seat)][index(chip)]; }
  // -1: open or tied; 2: both.
  int owner(int chip) const { return owner_[index(chip)]; }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  bool owns(int seat, int chip) const { return owner(chip) == seat || owner(chip) == 2; }
  bool has_three(int seat) const;
  void go_to_chip(int chip);
  void end_laying();

  std::array<std::vector<int>, 2> stock_, hand_;
  std::array<std::array<std::vector<int>, 7>, 2> laid_;
  std::array<int, 7> owner_;
  std::vector<int> picked_;
  Options options_;
  int mover_, turns_ = 0;
  bool naming_ = false, over_ = false;
};

// Compares like the hands: category, then ranks in order of comparison. Hands of 1 to 5 cards.
std::vector<int> strength(const std::vector<int>& cards);

}  // namespace dealer::test::seven_hand
