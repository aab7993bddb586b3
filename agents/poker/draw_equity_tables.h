#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "agents/poker/hand_cdf.h"
#include "agents/poker/hands_after_draw.h"
#include "agents/poker/shared_tables.h"
#include "env/core/random.h"
#include "env/games/poker/rules.h"
#include "env/hands/subset_numbers.h"

namespace dealer::poker {

// The mean result of every discard of a hand, from sums over all hands: for every set of up to all but one of a hand's
// cards, the sum over the hands that contain it. Inclusion-exclusion over the discarded cards then gives the means over
// all possible draws, with the own hand removed from the deck. Immutable.
class DrawEquities {
 public:
  // The memory limit of the tables: 64 MB with hands of five is 119 cards and one draw, or 90 cards and three draws.
  static constexpr std::size_t kMostBytes = std::size_t{1} << 26;
  static std::size_t bytes(const GameRules& rules);

  // Precondition: a draw game with tables of at most kMostBytes. The value of a final hand is the fraction of final
  // hands that it beats (HandsAfterDraw).
  DrawEquities(const GameRules& rules, std::shared_ptr<const HandsAfterDraw> book);

  // Means over the cards drawn now, with optimal later discards.
  struct Mean {
    float share = 0;   // fraction of final hands beaten
    float fourth = 0;  // mean of its fourth power: emphasises very good hands
  };
  using Means = std::array<Mean, kDiscardChoices>;
  // The means by mask of discarded cards, for a hand sorted by index, of as many cards as the rules say. `left`:
  // remaining draws, including this one, at least 1.
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

// The distributions that a hand is compared with: hands as dealt, and after the last draw, of all players or of those
// who drew a given number of cards in a draw. Estimated once per rule set by playing many hands with the discards of
// DrawEquities; rare numbers of drawn cards are simulated separately. Immutable.
class RangesAfterDraw {
 public:
  RangesAfterDraw(const GameRules& rules, const DrawEquities& means);

  // The values of a hand in each half; the low one is meaningless without a low half.
  struct Values {
    HandValue high = 0, low = 0;
  };
  Values values(std::span<const CardId> hand) const;

  // The fraction of hands beaten in each half of the pot.
  struct Shares {
    float high = 0, low = 0;
  };
  // The fractions of hands that these values beat, ties counting half: of hands as dealt, and after the last draw.
  Shares dealt(const Values& values) const { return shares(dealt_, values); }
  Shares final(const Values& values) const { return shares(final_, values); }
  // Among the final hands of players who drew `drawn` cards in draw number `draw`, from 0.
  Shares after(const Values& values, int draw, int drawn) const { return shares(after_[at(draw)][at(drawn)], values); }
  // Both halves combined: their mean if there is a low half.
  float whole(const Shares& shares) const { return halves_.low ? (shares.high + shares.low) / 2 : shares.high; }

 private:
  using ByDrawn = std::array<PotHalves::Hands, kDrawHand + 1>;
  static Shares shares(const PotHalves::Cdfs& field, const Values& values);
  void play(const DrawEquities& means, std::span<CardId> deck, RandomStream& rng, int forced, int count,
            std::vector<ByDrawn>& after, PotHalves::Hands* dealt, PotHalves::Hands* final) const;

  PotHalves halves_;
  int draws_, cards_;  // of a hand
  PotHalves::Cdfs dealt_, final_;
  std::vector<std::array<PotHalves::Cdfs, kDrawHand + 1>> after_;  // by draw and number
};

// The precomputed tables for the cards and the draws of a draw game.
struct DrawEquityTables {
  explicit DrawEquityTables(const GameRules& rules)
      : means(rules, std::make_shared<const HandsAfterDraw>(rules)), fields(rules, means), categories(*rules.high) {}
  DrawEquities means;
  RangesAfterDraw fields;
  HandCategories categories;
};

// Shared by all games with the same cards, and built on first use. Precondition:
// DrawEquities supports such rules.
std::shared_ptr<const Lazy<DrawEquityTables>> shared_draw_equity_tables(const GameRules& rules);

}  // namespace dealer::poker
