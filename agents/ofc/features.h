#pragma once

#include <array>
#include <cstdint>

#include "agents/nn/sparse_net.h"
#include "env/games/ofc/state.h"

namespace dealer::ofc {

// The inputs of the value network: sparse binary features of a board, an opponent's board and the unseen cards. Suits
// appear only as "the suit of this row", so boards equal up to a renaming of suits have equal features. Most features
// belong to a single row, which makes hundreds of afterstates cheap: each row is summed once.

// Features of one row, relative to row_base(side, row):
inline constexpr int kGroupFeatures = kRanks * 10;  // rank x (count, live cards of the rank)
inline constexpr int kSizeFeatures = 6;             // cards in the row
inline constexpr int kFlushFeatures = 5 * 11;       // one suit so far: cards x live cards of the suit (10 and more)
inline constexpr int kStraightFeatures = 5 * 9;     // straight possible: cards x ways to fill the gaps (8 and more)
inline constexpr int kStraightFlushFeatures = 5;    // both: cards
inline constexpr int kPatterns = 21;                // cards in the row x HandCategory possible with that many
inline constexpr int kPairOutFeatures = kPatterns * 13;  // pattern x live cards that pair a single (12 and more)
inline constexpr int kTripsOutFeatures =
    kPatterns * 5;  // pattern x live cards that add to a pair or trips (4 and more)
inline constexpr int kRowFeatures = kGroupFeatures + kSizeFeatures + kFlushFeatures + kStraightFeatures +
                                    kStraightFlushFeatures + kPairOutFeatures + kTripsOutFeatures;
// Comparison of two hands: weaker, equal, stronger x which of the two is complete.
inline constexpr int kCompareFeatures = 12;
inline constexpr int kBoardFeatures = kRows * kRowFeatures + 2 * kCompareFeatures;

inline constexpr int kVersusBase = 2 * kBoardFeatures;                    // own row against the opponent's, a row each
inline constexpr int kLiveBase = kVersusBase + kRows * kCompareFeatures;  // rank x unseen cards 0..4
inline constexpr int kOwnCountBase = kLiveBase + kRanks * 5;              // own cards placed: 0, 5, 7, 9, 11, 13
inline constexpr int kOtherCountBase = kOwnCountBase + 6;                 // the opponent's; 6: in Fantasyland
// Own board only: the front's holding (nothing, a pair by rank, trips) x the middle's, and the middle's category x the
// back's; each x which of the two rows is complete.
inline constexpr int kFrontMiddleBase = kOtherCountBase + 7;
inline constexpr int kMiddleBackBase = kFrontMiddleBase + 15 * 10 * 4;
inline constexpr int kFeatures = kMiddleBackBase + 10 * 10 * 4;

// The value of Fantasyland, for networks with these additional inputs: the value in points of entering it with a pair
// below kings, kings, aces and trips in front, rounded and at most 47, and the number of the opponent's Fantasyland
// cards.
inline constexpr int kEntryFronts = 4;
inline constexpr int kEntryValues = 48;
inline constexpr int kEntryValueBase = kFeatures;
inline constexpr int kOtherCardsBase = kEntryValueBase + kEntryFronts * kEntryValues;
inline constexpr int kFantasylandFeatures = kOtherCardsBase + 5;
inline constexpr int kActiveOrderFeatures = 4;
// The maximum number of active features of an afterstate against one opponent.
inline constexpr int kMaxActive = 96;
// Separate dense layers for each turn, selected by the own cards placed, 5 to 13.
inline constexpr Stacks kTurnStacks = {kOwnCountBase + 1, 5};

enum Side : std::uint8_t { kOwn = 0, kOther = 1 };
constexpr int row_base(Side side, int row) { return side * kBoardFeatures + row * kRowFeatures; }

using FeatureList = ActiveFeatures<kMaxActive>;

// The hand made by the cards in a row so far.
struct RowHand {
  HandRank rank = 0;
  HandCategory category = HandCategory::kHighCard;
  bool complete = false;
};
RowHand row_hand(int row, CardSet cards);
using RowHands = std::array<RowHand, kRows>;

// The features of one row alone: at most 11. live: the cards the observer has not seen.
void add_row_features(Side side, int row, CardSet cards, const RowHand& hand, CardSet live, FeatureList& list);
// The order features of the own board: front against middle and middle against back.
std::array<Feature, kActiveOrderFeatures> order_features(const RowHand& front, const RowHand& middle,
                                                         const RowHand& back);
// The order features of either side; for the other's board only which row is stronger.
void add_order_features(Side side, const RowHands& rows, FeatureList& list);
// Compares one own row with the opponent's: one feature.
void add_versus_feature(int row, const RowHand& own, const RowHand& other, FeatureList& list);
// The unseen cards and the progress of both players.
void add_context_features(CardSet live, int own_cards, int other_cards, bool other_in_fantasyland, FeatureList& list);

// By FantasylandAfter, in points.
using EntryValues = std::array<double, kEntryFronts>;
// The features of what Fantasyland is worth. other_cards: 0 in a normal hand.
void add_fantasyland_features(const EntryValues& values, int other_cards, FeatureList& list);

// The features of an afterstate, own board against one opponent's, without those of add_fantasyland_features().
FeatureList features(const Board& own, const Board& other, CardSet live, bool other_in_fantasyland);

}  // namespace dealer::ofc
