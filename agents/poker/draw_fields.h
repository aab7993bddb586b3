#pragma once

#include <array>
#include <span>
#include <vector>

#include "agents/poker/draw_means.h"
#include "agents/poker/hand_cdf.h"
#include "env/core/random.h"
#include "env/games/poker/rules.h"

namespace dealer::poker {

// The hands that a hand can be compared with: those dealt, and those after the last draw, of all players or of those
// who drew so many cards in a draw. Found once a rule set by playing many hands with the discards of DrawMeans; draws
// of numbers that these seldom ask for are played for themselves. Immutable.
class DrawFields {
 public:
  DrawFields(const GameRules& rules, const DrawMeans& means);

  // What a hand of five is worth in each half; the low one means nothing without a low half.
  struct Values {
    HandValue high = 0, low = 0;
  };
  Values values(std::span<const CardId> hand) const;

  // Of one half of the pot.
  struct Shares {
    float high = 0, low = 0;
  };
  // The shares of hands that such values beat, ties counted half: of those dealt, of those after the last draw.
  Shares dealt(const Values& values) const { return shares(dealt_, values); }
  Shares final(const Values& values) const { return shares(final_, values); }
  // Of the final hands of players who drew so many cards in a draw, from 0.
  Shares after(const Values& values, int draw, int drawn) const {
    return shares(after_[static_cast<std::size_t>(draw)][static_cast<std::size_t>(drawn)], values);
  }
  // Both halves together: their mean where there is a low one.
  float whole(const Shares& shares) const { return low_ ? (shares.high + shares.low) / 2 : shares.high; }

 private:
  struct Hands {
    std::vector<HandValue> high, low;
  };
  struct Field {
    HandCdf high, low;
  };
  using ByDrawn = std::array<Hands, kDrawHand + 1>;
  void add(std::span<const CardId> hand, Hands& hands) const;
  Field field(const Hands& hands) const;
  static Shares shares(const Field& field, const Values& values);
  void play(const DrawMeans& means, std::span<CardId> deck, RandomStream& rng, int forced, int count,
            std::vector<ByDrawn>& after, Hands* dealt, Hands* final) const;

  EvaluatorPtr high_, low_;  // low_: null without a low half
  int draws_;
  Field dealt_, final_;
  std::vector<std::array<Field, kDrawHand + 1>> after_;  // by draw and number
};

}  // namespace dealer::poker
