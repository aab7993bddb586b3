#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "env/games/poker/hidden_cards.h"

namespace dealer::poker {

// Goes through the course of a hand once, counting what is public, and finds for every card that must have come back, or
// lies open in the end, a bound on the chance that it does, whatever the others discarded: the tighter, the fewer courses
// HiddenCards plays in vain.
class HiddenCards::Bounds {
 public:
  explicit Bounds(HiddenCards& cards);
  void find();

 private:
  using Counts = std::array<int, kMaxEpochs + 1>;

  void deal(Step& step);
  void split(Step& step);
  void bound_series(const Step& step, std::vector<std::array<double, kDrawHand>>& series);
  void list_choices(Step& group) const;
  void reshuffle(const Step& step);
  void discard(const Step& step);
  void settle(Seat seat);
  void leave(Seat seat);
  void show();
  void take(CardId card);
  void add_tokens(Seat seat, int count);
  int held_at_most(Seat seat, int epoch) const;
  // The chance that an item of an epoch comes to the target: `direct` tokens of each epoch are there, and what came back
  // in between may come there, too.
  double chance(int home, const Counts& direct, int found) const;
  // That a card is in the stock of now.
  double chance_of_return(CardId card, int found) const;
  int tokens_of(int epoch) const;

  HiddenCards& cards_;
  std::unique_ptr<Course> course_;  // of the cards seen
  // Tokens by seat and epoch; still held at most; being discarded at most.
  std::array<Counts, kMaxSeats> dealt_{}, held_{}, leaving_{};
  std::array<int, kMaxSeats> in_hand_{};               // tokens
  std::array<Counts, kMaxEpochs> back_{};  // tokens of an epoch that come back with each reshuffle, at most
  Counts needed_{};                        // cards of an epoch that were bound so far, at most
  Counts found_{};                         // of an epoch, in the stock of now
  Step* split_ = nullptr;                  // the deal in the middle of which the stock runs out
  std::vector<int> homes_;                 // of its cards before the reshuffle
  int late_ = 0;
};

}  // namespace dealer::poker
