#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "arena/studies/draw/figures.h"

namespace dealer::studies::draw {

// What a hand of five becomes by each of the 32 discards on average, 0 to 1 (bit i of the number: the i-th card is
// thrown), with so many draws to come, this one included.
using Strengths = std::array<float, 1U << kDrawHand>;
using StrengthsOf = std::function<Strengths(const Five& hand, int left)>;

// Counts the hands of one game. A deal is the independent unit of all intervals.
class Tally {
 public:
  Tally(Side side, int players, int draws, StrengthsOf strengths);

  // Deals come one after the other.
  void add(std::int64_t deal, const poker::Hand& hand);
  // All but the names of the game and its agent.
  GameFigures figures() const;

 private:
  template <std::size_t n>
  using Row = std::array<DealMean, n>;

  struct Position {
    DealMean chances, opens, points;
    Row<kMostOpeners> hands;
  };
  struct Answering {
    DealMean fold, call, raise;
    void add(std::int64_t deal, const poker::Act& act);
    Answers read() const { return {fold.share(), call.share(), raise.share()}; }
  };
  struct Discarding {
    DealMean share;
    Row<kDrawHand + 1> thrown;
    Row<kMostKept> kept;
    DealMean best, cost;
    DiscardFigures read() const;
  };
  struct Pat {
    DealMean share, bets, wins, unseen, points, worth;
    PatFigures read() const;
  };
  struct Thrown {
    DealMean share, bets, folds;
  };
  struct OneDraw {
    Discarding all;
    std::array<Discarding, kMostKinds> kinds;
    DealMean pat, bluffs;
    std::array<Pat, kPatClasses> classes;
    Pat weak_drawing;
    ClusterDifference worth_bluff_draw;
    ShareDifference folds_pat_draw;
    std::array<Thrown, kDrawHand + 1> thrown;
  };
  // Decisions whose tenth is known when all hands are: who may open, and who answers.
  struct Decision {
    std::int64_t deal;
    float strength;
    int position;  // -1: an answer
    poker::Act act;
  };

  void add_opening(std::int64_t deal, const poker::Hand& hand);
  void add_draw(std::int64_t deal, const poker::Hand& hand, int number, Seat seat);
  void add_betting_after(std::int64_t deal, const poker::Hand& hand, int number, int street);
  void read_tenths(GameFigures& figures) const;

  Side side_;
  int players_, draws_number_;
  StrengthsOf strengths_;
  std::vector<float> dealt_;  // strengths of all hands dealt
  std::vector<Decision> decisions_;
  std::vector<Position> positions_;
  Answering answers_;
  Row<kMostOpeners> share_, strength_;
  std::array<Answering, kMostOpeners> answers_by_hand_;
  std::vector<OneDraw> draws_;
  ShareDifference opens_last_first_;
};

}  // namespace dealer::studies::draw
