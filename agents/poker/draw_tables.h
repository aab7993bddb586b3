#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "agents/poker/draw_book.h"
#include "agents/poker/hand_cdf.h"
#include "agents/poker/shared_tables.h"
#include "env/core/random.h"
#include "env/games/poker/rules.h"
#include "env/hands/subset_numbers.h"

namespace dealer::poker {

// What every discard of a hand makes of it on average, from sums over all hands: for every set of up to all but one of
// a hand's cards over those that hold it. By inclusion and exclusion over the cards discarded follow the means over all
// that can come, the own hand being out of the deck. Immutable.
class DrawMeans {
 public:
  // Larger tables are not made: for hands of five 64 MB are those of 119 cards and one draw, or of 90 and three.
  static constexpr std::size_t kMostBytes = std::size_t{1} << 26;
  static std::size_t bytes(const GameRules& rules);

  // Rules of a draw game with tables of at most so many bytes. A final hand is worth the share of final hands that it
  // beats (DrawBook).
  DrawMeans(const GameRules& rules, std::shared_ptr<const DrawBook> book);

  // With the best play of all draws to come, over the cards that come now.
  struct Mean {
    float share = 0;   // of final hands beaten
    float fourth = 0;  // mean of the fourth power of that: near to the share where very good hands come
  };
  using Means = std::array<Mean, kDiscardChoices>;
  // By the mask of cards discarded, of a hand sorted by index, of as many cards as the rules say. `left`: draws to
  // come, this one included, at least 1.
  void find(std::span<const CardId> hand, int left, Means& means) const { tables_->find(hand, left, means); }

 private:
  struct Tables {
    virtual ~Tables() = default;
    virtual void find(std::span<const CardId> hand, int left, Means& means) const = 0;
  };
  template <int kCards>
  class TablesOf;
  std::unique_ptr<const Tables> tables_;
};

// The hands that a hand can be compared with: those dealt, and those after the last draw, of all players or of those
// who drew so many cards in a draw. Found once a rule set by playing many hands with the discards of DrawMeans; draws
// of numbers that these seldom ask for are played for themselves. Immutable.
class DrawFields {
 public:
  DrawFields(const GameRules& rules, const DrawMeans& means);

  // What a hand is worth in each half; the low one means nothing without a low half.
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
  Shares after(const Values& values, int draw, int drawn) const { return shares(after_[at(draw)][at(drawn)], values); }
  // Both halves together: their mean where there is a low one.
  float whole(const Shares& shares) const { return halves_.low ? (shares.high + shares.low) / 2 : shares.high; }

 private:
  using ByDrawn = std::array<PotHalves::Hands, kDrawHand + 1>;
  static Shares shares(const PotHalves::Cdfs& field, const Values& values);
  void play(const DrawMeans& means, std::span<CardId> deck, RandomStream& rng, int forced, int count,
            std::vector<ByDrawn>& after, PotHalves::Hands* dealt, PotHalves::Hands* final) const;

  PotHalves halves_;
  int draws_, cards_;  // of a hand
  PotHalves::Cdfs dealt_, final_;
  std::vector<std::array<PotHalves::Cdfs, kDrawHand + 1>> after_;  // by draw and number
};

// What is worked out once for the cards and the draws of a draw game.
struct DrawTables {
  explicit DrawTables(const GameRules& rules)
      : means(rules, std::make_shared<const DrawBook>(rules)), fields(rules, means), categories(*rules.high) {}
  DrawMeans means;
  DrawFields fields;
  HandCategories categories;
};

// Shared by all games of the same cards, and made when somebody first asks. Precondition: DrawMeans has tables for such
// rules.
std::shared_ptr<const Lazy<DrawTables>> shared_draw_tables(const GameRules& rules);

}  // namespace dealer::poker
