#include "agents/seven_hand/layings.h"

#include <algorithm>
#include <array>
#include <bit>

#include "agents/seven_hand/groups.h"
#include "env/core/at.h"

namespace dealer::seven_hand {
namespace {

constexpr CardSet kRankMask = 15;

// A hand, sorted for enumerating combinations.
class Proposals {
 public:
  Proposals(CardSet hand, std::vector<CardSet>& out) : hand_(hand), out_(out) {
    for (int suit = 0; suit < kSuits; ++suit) suit_size_[at(suit)] = size(hand & suit_mask(suit));
    for (int rank = 0; rank < kRanks; ++rank) {
      of_rank_[at(rank)] = hand >> (rank * kSuits) & kRankMask;
      if (std::has_single_bit(of_rank_[at(rank)])) loose_ |= of_rank_[at(rank)] << (rank * kSuits);
    }
  }

  void find() {
    add_ranks();
    add_pairs_of_groups();
    add_straights(hand_, false);
    for (int suit = 0; suit < kSuits; ++suit) add_flushes(hand_ & suit_mask(suit));
    std::sort(out_.begin(), out_.end());
    out_.erase(std::unique(out_.begin(), out_.end()), out_.end());
  }

 private:
  // Takes cards of a rank, of the suits that the hand has fewest of.
  CardSet take(int rank, int count) const {
    CardSet left = of_rank_[at(rank)] << (rank * kSuits), taken = 0;
    for (; count > 0; --count) {
      CardSet least = 0;
      for (CardSet rest = left; rest != 0; rest &= rest - 1) {
        const CardSet card = rest & -rest;
        if (least == 0 || suit_size(card) < suit_size(least)) least = card;
      }
      left &= ~least;
      taken |= least;
    }
    return taken;
  }
  int suit_size(CardSet card) const { return suit_size_[at(lowest(card) % kSuits)]; }

  void add_ranks() {
    int singles = 0;
    const int highest = lowest(std::bit_floor(hand_)) / kSuits;
    for (int rank = 0; rank < kRanks; ++rank) {
      const int held = std::popcount(of_rank_[at(rank)]);
      for (int count = 1; count <= held; ++count) {
        const CardSet group = take(rank, count);
        // Bluffs with single cards: the lowest two, and the highest.
        if (count > 1 || singles < 2 || rank == highest)
          add_with_loose(group);
        else
          out_.push_back(group);
        singles += count == 1 ? 1 : 0;
      }
    }
  }

  void add_pairs_of_groups() {
    for (int high = kRanks - 1; high >= 0; --high) {
      const int held = std::popcount(of_rank_[at(high)]);
      if (held < 2) continue;
      for (int low = kRanks - 1; low >= 0; --low) {
        if (low == high || std::popcount(of_rank_[at(low)]) < 2) continue;
        if (low < high) add_with_loose(take(high, 2) | take(low, 2));
        if (held >= 3) out_.push_back(take(high, 3) | take(low, 2));
      }
    }
  }

  // One card of each rank: in a suited hand the only one, otherwise of the suit that the hand has fewest of.
  void add_straights(CardSet cards, bool suited) {
    for (int top = kRanks - 1; top >= 3; --top) {
      CardSet straight = 0;
      for (int step = 0; step < kMostLaid; ++step) {
        const int rank = (top - step + kRanks) % kRanks;
        const CardSet same = cards & (kRankMask << (rank * kSuits));
        if (same == 0) {
          straight = 0;
          break;
        }
        straight |= suited ? same : take(rank, 1);
      }
      if (straight != 0) out_.push_back(straight);
    }
  }

  void add_flushes(CardSet suited) {
    if (size(suited) < kMostLaid) return;
    CardSet top = suited, low = suited;
    while (size(top) > kMostLaid) top &= top - 1;
    while (size(low) > kMostLaid) low &= ~std::bit_floor(low);
    out_.push_back(top);
    out_.push_back(low);
    add_straights(suited, true);
  }

  // The group alone, with the lowest loose cards up to every size, and with the highest up to five.
  void add_with_loose(CardSet group) {
    out_.push_back(group);
    CardSet with_low = group, with_high = group;
    for (CardSet rest = loose_ & ~group; rest != 0 && size(with_low) < kMostLaid; rest &= rest - 1)
      out_.push_back(with_low |= rest & -rest);
    for (CardSet rest = loose_ & ~group; rest != 0 && size(with_high) < kMostLaid; rest &= ~std::bit_floor(rest))
      with_high |= std::bit_floor(rest);
    out_.push_back(with_high);
  }

  CardSet hand_, loose_ = 0;  // loose: of a rank held once
  std::vector<CardSet>& out_;
  std::array<CardSet, kRanks> of_rank_{};
  std::array<int, kSuits> suit_size_{};
};

}  // namespace

CardSet strongest_laying(CardSet hand) {
  CardSet laying = best_group(hand, false);
  for (CardSet rest = hand & ~laying; rest != 0 && size(laying) < kMostLaid; rest &= ~std::bit_floor(rest))
    laying |= std::bit_floor(rest);
  return laying;
}

std::vector<Action> actions_of(CardSet cards, CardSet hand) {
  std::vector<Action> actions;
  for_each(cards, [&](Card card) { actions.push_back(card); });
  if (size(cards) < kMostLaid && (hand & ~cards) > cards) actions.push_back(kStop);
  return actions;
}

void propose_layings(CardSet hand, bool last_turn, std::vector<CardSet>& out) {
  out.clear();
  if (last_turn)
    out.push_back(strongest_laying(hand));
  else
    Proposals(hand, out).find();
}

}  // namespace dealer::seven_hand
