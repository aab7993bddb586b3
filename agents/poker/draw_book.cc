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

}  // namespace

DrawBook::DrawBook(const GameRules& rules) : evaluator_(rules.high) {
  // Without knowing what opponents will hold a hand can only be compared with undrawn ones; the second pass knows.
  play_out(rules, true);
  play_out(rules, false);
}

double DrawBook::share(const std::vector<HandValue>& sorted, HandValue value) {
  if (sorted.empty()) return 0.5;
  const auto [low, high] = std::equal_range(sorted.begin(), sorted.end(), value);
  return static_cast<double>((low - sorted.begin()) + (high - sorted.begin())) /
         (2.0 * static_cast<double>(sorted.size()));
}

void DrawBook::play_out(const GameRules& rules, bool by_first_guess) {
  RandomStream rng(kSeed);
  // replace_random: one of the compositions will do, each suit losing about as many cards.
  std::vector<std::uint8_t> taken_out(rules.random_mix() ? rules.deck->ranks().size() : 0);
  for (std::size_t rank = 0; rank < taken_out.size(); ++rank)
    taken_out[rank] = static_cast<std::uint8_t>(rank % Deck::kReplaceable);
  std::vector<CardId> deck = rules.deck->in_play(taken_out);
  std::vector<HandValue> all;
  std::array<std::vector<HandValue>, kDrawHand + 1> by_drawn;
  if (by_first_guess) {
    for (int n = 0; n < kHands; ++n) {
      shuffle_first(std::span(deck), kDrawHand, rng);
      all_.push_back(evaluator_->evaluate(std::span(deck).first(kDrawHand)));
    }
    std::sort(all_.begin(), all_.end());
  }
  for (int n = 0; n < kHands; ++n) {
    shuffle_first(std::span(deck), std::min<std::size_t>(deck.size(), kDrawHand * (kMaxDraws + 1)), rng);
    std::array<CardId, kDrawHand> hand{};
    std::copy_n(deck.begin(), kDrawHand, hand.begin());
    std::size_t next = kDrawHand;
    int drawn = 0;
    for (int draw = 0; draw < rules.draws; ++draw) {
      const Throw best = best_throw(hand, std::span(deck).subspan(next), kEveryMask, 1, kSamples, rng);
      drawn = 0;
      for (std::size_t i = 0; i < hand.size(); ++i) {
        if ((best.mask >> i & 1) == 0 || next == deck.size()) continue;
        hand[i] = deck[next++];
        ++drawn;
      }
    }
    const HandValue value = evaluator_->evaluate(hand);
    all.push_back(value);
    by_drawn[static_cast<std::size_t>(drawn)].push_back(value);
  }
  std::sort(all.begin(), all.end());
  for (auto& values : by_drawn) std::sort(values.begin(), values.end());
  all_ = std::move(all);
  by_drawn_ = std::move(by_drawn);
}

DrawBook::Throw DrawBook::best_throw(std::span<const CardId> hand, std::span<const CardId> unseen,
                                     std::uint32_t allowed, int opponents, int samples, RandomStream& rng) const {
  std::vector<CardId> stock(unseen.begin(), unseen.end());
  std::array<double, kThrows> sum{};
  std::array<CardId, kThrows * kDrawHand> hands{};
  std::array<HandValue, kThrows> values{};
  for (int n = 0; n < samples; ++n) {
    shuffle_first(std::span(stock), std::min<std::size_t>(stock.size(), kDrawHand), rng);
    for (unsigned mask = 0; mask < kThrows; ++mask) {
      CardId* out = hands.data() + mask * std::size_t{kDrawHand};
      std::size_t next = 0;
      for (std::size_t i = 0; i < kDrawHand; ++i)
        out[i] = (mask >> i & 1) != 0 && next < stock.size() ? stock[next++] : hand[i];
    }
    evaluator_->evaluate5(hands, values);
    for (std::size_t mask = 0; mask < kThrows; ++mask) sum[mask] += std::pow(beats(values[mask]), opponents);
  }
  Throw best;
  bool found = false;
  for (unsigned mask = 0; mask < kThrows; ++mask) {
    const double share = sum[mask] / samples;
    if ((allowed >> mask & 1) == 0 || (found && share <= best.share)) continue;
    best = {mask, share};
    found = true;
  }
  return best;
}

}  // namespace dealer::poker
