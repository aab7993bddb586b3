#include "agents/poker/draw_book.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "env/cards/shuffle.h"

namespace dealer::poker {
namespace {

constexpr int kHands = 4096;
constexpr int kSamples = 24;
constexpr std::uint64_t kSeed = 0xb00c;
constexpr std::uint32_t kEveryMask = ~std::uint32_t{0};

double share_beaten(const std::vector<HandValue>& sorted, HandValue value) {
  if (sorted.empty()) return 0.5;
  const auto [low, high] = std::equal_range(sorted.begin(), sorted.end(), value);
  return static_cast<double>((low - sorted.begin()) + (high - sorted.begin())) /
         (2.0 * static_cast<double>(sorted.size()));
}

}  // namespace

DrawBook::DrawBook(const GameRules& rules) : high_(rules.high), low_(rules.low) {
  // Without knowing what opponents will hold a hand can only be compared with undrawn ones; the second pass knows.
  play_out(rules, true);
  play_out(rules, false);
}

void DrawBook::Ladder::sort() {
  std::sort(high.begin(), high.end());
  std::sort(low.begin(), low.end());
}

DrawBook::Worth DrawBook::worth(std::span<const CardId> hand) const {
  return {high_->evaluate(hand), low_ ? low_value(low_->evaluate(hand)) : 0};
}

double DrawBook::share(const Ladder& ladder, Worth worth) const {
  const double high = share_beaten(ladder.high, worth.high);
  return low_ ? (high + share_beaten(ladder.low, worth.low)) / 2 : high;
}

void DrawBook::play_out(const GameRules& rules, bool by_first_guess) {
  RandomStream rng(kSeed);
  // replace_random: one of the compositions will do, each suit losing about as many cards.
  std::vector<std::uint8_t> taken_out(rules.random_mix() ? rules.deck->ranks().size() : 0);
  for (std::size_t rank = 0; rank < taken_out.size(); ++rank)
    taken_out[rank] = static_cast<std::uint8_t>(rank % Deck::kReplaceable);
  std::vector<CardId> deck = rules.deck->in_play(taken_out);
  Ladder all;
  std::array<Ladder, kDrawHand + 1> by_drawn;
  if (by_first_guess) {
    for (int n = 0; n < kHands; ++n) {
      shuffle_first(std::span(deck), kDrawHand, rng);
      all_.add(worth(std::span(deck).first(kDrawHand)));
    }
    all_.sort();
  }
  for (int n = 0; n < kHands; ++n) {
    shuffle_first(std::span(deck), std::min<std::size_t>(deck.size(), kDrawHand * (kMaxDraws + 1)), rng);
    std::array<CardId, kDrawHand> hand{};
    std::copy_n(deck.begin(), kDrawHand, hand.begin());
    std::size_t next = kDrawHand;
    int drawn = 0;
    for (int draw = 0; draw < rules.draws; ++draw) {
      const Discard best = best_discard(hand, std::span(deck).subspan(next), kEveryMask, 1, kSamples, rng);
      drawn = 0;
      for (std::size_t i = 0; i < hand.size(); ++i) {
        if ((best.mask >> i & 1) == 0 || next == deck.size()) continue;
        hand[i] = deck[next++];
        ++drawn;
      }
    }
    const Worth final = worth(hand);
    all.add(final);
    by_drawn[static_cast<std::size_t>(drawn)].add(final);
  }
  all.sort();
  for (Ladder& ladder : by_drawn) ladder.sort();
  all_ = std::move(all);
  by_drawn_ = std::move(by_drawn);
}

DrawBook::Discard DrawBook::best_discard(std::span<const CardId> hand, std::span<const CardId> unseen,
                                         std::uint32_t allowed, int opponents, int samples, RandomStream& rng) const {
  std::vector<CardId> stock(unseen.begin(), unseen.end());
  std::array<double, kDiscardChoices> sum{};
  std::array<CardId, kDiscardChoices * kDrawHand> hands{};
  std::array<HandValue, kDiscardChoices> high{}, low{};
  for (int n = 0; n < samples; ++n) {
    shuffle_first(std::span(stock), std::min<std::size_t>(stock.size(), kDrawHand), rng);
    for (unsigned mask = 0; mask < kDiscardChoices; ++mask) {
      CardId* out = hands.data() + mask * std::size_t{kDrawHand};
      std::size_t next = 0;
      for (std::size_t i = 0; i < kDrawHand; ++i)
        out[i] = (mask >> i & 1) != 0 && next < stock.size() ? stock[next++] : hand[i];
    }
    high_->evaluate5(hands, high);
    if (low_) low_->evaluate5(hands, low);
    for (std::size_t mask = 0; mask < kDiscardChoices; ++mask)
      sum[mask] += std::pow(share(all_, {high[mask], low_ ? low_value(low[mask]) : 0}), opponents);
  }
  Discard best;
  bool found = false;
  for (unsigned mask = 0; mask < kDiscardChoices; ++mask) {
    const double share = sum[mask] / samples;
    if ((allowed >> mask & 1) == 0 || (found && share <= best.share)) continue;
    best = {mask, share};
    found = true;
  }
  return best;
}

}  // namespace dealer::poker
