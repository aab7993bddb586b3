#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "agents/nn/sparse_net.h"
#include "agents/seven_hand/line_values.h"
#include "env/games/seven_hand/state.h"
#include "env/hands/hand_rank.h"

namespace dealer::seven_hand {

// The number of strength classes of a hand among all hands that are laid, finer for strong hands.
inline constexpr int kStrengthClasses = 24;
// The states of a chip in the features of three adjacent chips.
inline constexpr int kChipStates = 11;
// The number of classes of a line's value.
inline constexpr int kValueClasses = 48;

// The binary features of an afterstate: the position right after a decision of the observer, as the observer sees it.
// After a laying the opponent has the chip yet to name; after a naming the opponent's cards lie there, still hidden.
// Each part begins where the one before it ends.
namespace feature {
inline constexpr int kTurns = 0;                              // kind of decision x own x other's turns so far
inline constexpr int kUnseen = kTurns + 2 * 8 * 8;            // rank x cards of it not seen, 0 to 4
inline constexpr int kOtherHand = kUnseen + kRanks * 5;       // cards the opponent holds, 0 to 20
inline constexpr int kOwnAlone = kOtherHand + kMostHand + 1;  // chip x strength of the own hand there
inline constexpr int kOtherAlone = kOwnAlone + kChips * kStrengthClasses;  // chip x cards x turn of the opponent
inline constexpr int kContested = kOtherAlone + kChips * kMostLaid * 7;  // chip x own strength x cards: to be turned up
inline constexpr int kOwner = kContested + kChips * kStrengthClasses * kMostLaid;  // chip x own, other's, tied
inline constexpr int kTriple = kOwner + kChips * 3;                                // three adjacent chips
inline constexpr int kKeptCard = kTriple + 5 * kChipStates * kChipStates * kChipStates;
inline constexpr int kKeptRank = kKeptCard + kCards;                // rank x cards of it kept, 1 to 4
inline constexpr int kKeptStraight = kKeptRank + kRanks * 4;        // straight x ranks of it kept, 3 to 5
inline constexpr int kKeptSuit = kKeptStraight + 10 * 3;            // suits by length x length, 0 to 13
inline constexpr int kKeptGroup = kKeptSuit + kSuits * 14;          // groups by strength x strength
inline constexpr int kReserve = kKeptGroup + 7 * kStrengthClasses;  // turns left x strength of the groups together
inline constexpr int kLaidStrength = kReserve + 8 * 32;             // turn x strength of what is laid
inline constexpr int kLaidCategory = kLaidStrength + 7 * kStrengthClasses;  // category x cards
inline constexpr int kLaidCards = kLaidCategory + 10 * kMostLaid;           // strength x cards
inline constexpr int kLaidWhere =
    kLaidCards + kStrengthClasses * kMostLaid;  // chip that may be named x strength x cards there
inline constexpr int kLineValue = kLaidWhere + kChips * kStrengthClasses * (kMostLaid + 1);  // kind of value x value
inline constexpr int kCount = kLineValue + 4 * kValueClasses;
}  // namespace feature

using FeatureList = ActiveFeatures<128>;

class AfterstateFeatures {
 public:
  explicit AfterstateFeatures(const GameRules& rules);

  // The part that all choices of a decision share: computed once.
  struct Common {
    FeatureList list;
    // The value of the line to the observer if it loses the chip, and if it wins it.
    std::array<std::array<double, 2>, kChips> line_value{};
  };
  // view: before the decision, with no cards picked.
  Common common(const View& view) const;
  // The features after laying `cards` or, if it is 0, naming `chip`.
  void add_choice(const View& view, const Common& common, CardSet cards, int chip, FeatureList& list) const;

 private:
  void add_laying(const View& view, const Common& common, CardSet cards, FeatureList& list) const;
  void add_naming(const View& view, const Common& common, int chip, FeatureList& list) const;
  void add_kept(CardSet kept, int turns_left, FeatureList& list) const;
  void add_line(const View& view, int named, FeatureList& list) const;
  int strength(CardSet cards) const { return class_[evaluate(cards)]; }

  LineValues line_;
  std::vector<std::uint8_t> class_;  // by HandRank
  // [cards of the other hand, 0: any][HandRank]: the fraction of those hands that it beats.
  std::array<std::vector<float>, kMostLaid + 1> beats_of_;
};

}  // namespace dealer::seven_hand
