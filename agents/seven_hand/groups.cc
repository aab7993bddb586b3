#include "agents/seven_hand/groups.h"

#include <bit>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "env/cards/shuffle.h"

namespace dealer::seven_hand {
namespace {

// Bit r: a card of rank r.
unsigned ranks_of(CardSet cards) {
  unsigned ranks = 0;
  for_each(cards, [&](Card card) { ranks |= 1U << rank_of(card); });
  return ranks;
}

// The top rank of the best straight, -1: none. 3: the five-high one.
int straight_top(unsigned ranks) {
  const unsigned with_low_ace = ranks << 1 | (ranks >> 12 & 1);
  for (int top = 12; top >= 3; --top)
    if ((with_low_ace >> (top - 3) & 31) == 31) return top;
  return -1;
}

CardSet of_rank(CardSet cards, int rank) { return cards & (CardSet{15} << (rank * kSuits)); }

CardSet highest(CardSet cards) { return std::bit_floor(cards); }

// One card of each rank of the straight.
CardSet straight(CardSet cards, int top) {
  CardSet set = 0;
  for (int step = 0; step < 5; ++step) set |= highest(of_rank(cards, (top - step + 13) % 13));
  return set;
}

CardSet top_cards(CardSet cards, int count) {
  CardSet set = 0;
  for (int i = 0; i < count; ++i) set |= highest(cards & ~set);
  return set;
}

}  // namespace

CardSet best_group(CardSet cards, bool small) {
  CardSet flush = 0, straight_flush = 0;
  for (int suit = 0; suit < kSuits; ++suit) {
    const CardSet suited = cards & suit_mask(suit);
    if (size(suited) < 5) continue;
    const auto keep_better = [](CardSet five, CardSet& best) {
      if (best == 0 || evaluate5(five) > evaluate5(best)) best = five;
    };
    if (const int top = straight_top(ranks_of(suited)); top >= 0) keep_better(straight(suited, top), straight_flush);
    keep_better(top_cards(suited, 5), flush);
  }
  if (straight_flush != 0) return straight_flush;
  std::array<CardSet, 2> pairs{};  // ranks with at least two cards, from high to low; trips are separate
  std::size_t pair_count = 0;
  CardSet trips = 0;
  for (int rank = kRanks - 1; rank >= 0; --rank) {
    const CardSet same = of_rank(cards, rank);
    if (size(same) == 4) return same;
    if (size(same) == 3 && trips == 0)
      trips = same;
    else if (size(same) >= 2 && pair_count < pairs.size())
      pairs[pair_count++] = top_cards(same, 2);
  }
  if (trips != 0 && pair_count > 0 && !small) return trips | pairs[0];
  if (flush != 0) return flush;
  if (const int top = straight_top(ranks_of(cards)); top >= 0) return straight(cards, top);
  if (trips != 0) return trips;
  if (pair_count == 2 && !small) return pairs[0] | pairs[1];
  if (pair_count > 0) return pairs[0];
  return highest(cards);
}

Groups share_out(CardSet cards, int turns, bool small) {
  Groups groups;
  while (cards != 0 && groups.count < turns) {
    const CardSet group = best_group(cards, small);
    groups.cards[static_cast<std::size_t>(groups.count++)] = group;
    cards &= ~group;
  }
  groups.rest = cards;
  return groups;
}

LaidHandCdfs::LaidHandCdfs() {
  constexpr int kPlayers = 4000;
  std::array<Card, kCards> deck{};
  std::iota(deck.begin(), deck.end(), Card{0});
  RandomStream rng(7);
  std::array<std::vector<HandRank>, kMostLaid + 1> laid;
  for (int i = 0; i < kPlayers; ++i) {
    shuffle_first(std::span<Card>(deck), kOwnCards, rng);
    CardSet own = 0;
    for (std::size_t k = 0; k < kOwnCards; ++k) own |= bit(deck[k]);
    Groups groups = share_out(own, kTurns, i % 2 == 0);
    for (int g = 0; g < groups.count; ++g) {
      CardSet hand = groups.cards[static_cast<std::size_t>(g)];
      // Half of them with extra cards, as far as possible.
      const auto lot = rng.below(8);
      for (auto more = lot < 4 ? 0 : lot - 3; more > 0 && groups.rest != 0 && size(hand) < kMostLaid; --more) {
        const CardSet card = groups.rest & -groups.rest;
        groups.rest &= ~card;
        hand |= card;
      }
      const HandRank rank = evaluate(hand);
      laid[0].push_back(rank);
      laid[static_cast<std::size_t>(size(hand))].push_back(rank);
    }
  }
  for (std::size_t count = 0; count < laid.size(); ++count) hands_[count] = EmpiricalCdf(std::move(laid[count]));
  for (std::size_t count = 0; count < hands_.size(); ++count) {
    double sum = 0;
    for (const HandRank rank : hands_[count].sorted()) sum += beats(rank, 0);
    average_[count] = sum / static_cast<double>(hands_[count].size());
  }
}

}  // namespace dealer::seven_hand
