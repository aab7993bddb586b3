#include "env/hands/batch.h"

namespace dealer::hand_batch {
namespace {

template <std::size_t N, HandRank (*evaluate_one)(CardSet)>
void evaluate_each(const Card* cards, std::size_t count, HandRank* ranks) {
  for (std::size_t i = 0; i < count; ++i, cards += N) {
    CardSet hand = 0;  // a set is sorted for free
    for (std::size_t j = 0; j < N; ++j) hand |= bit(cards[j]);
    ranks[i] = evaluate_one(hand);
  }
}

}  // namespace

void evaluate5_portable(const Card* cards, std::size_t count, HandRank* ranks) {
  evaluate_each<5, evaluate5>(cards, count, ranks);
}

void evaluate7_portable(const Card* cards, std::size_t count, HandRank* ranks) {
  evaluate_each<7, evaluate7>(cards, count, ranks);
}

}  // namespace dealer::hand_batch
