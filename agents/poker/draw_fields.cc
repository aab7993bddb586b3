#include "agents/poker/draw_fields.h"

#include <algorithm>
#include <bit>

#include "env/cards/shuffle.h"

namespace dealer::poker {
namespace {

constexpr int kDeals = 1 << 17;
// Fewer hands that drew so many cards are not enough for a field; so many are played for one.
constexpr std::size_t kFew = 64;
constexpr int kForced = 2048;
constexpr std::size_t kMost = 32767;  // that a cdf takes
constexpr std::uint64_t kFieldSeed = 0xf1e1d;

// The best of the discards; of those of `count` cards alone unless that is below 0.
unsigned best_mask(const DrawMeans::Means& means, int count) {
  unsigned best = kDiscardChoices;
  for (unsigned mask = 0; mask < kDiscardChoices; ++mask) {
    if (count >= 0 && std::popcount(mask) != count) continue;
    if (best == kDiscardChoices || means[mask].share > means[best].share) best = mask;
  }
  return best;
}

}  // namespace

DrawFields::DrawFields(const GameRules& rules, const DrawMeans& means)
    : high_(rules.high), low_(rules.low), draws_(rules.draws) {
  std::vector<std::uint8_t> taken_out(rules.random_mix() ? rules.deck->ranks().size() : 0);
  for (std::size_t rank = 0; rank < taken_out.size(); ++rank)
    taken_out[rank] = static_cast<std::uint8_t>(rank % Deck::kReplaceable);
  std::vector<CardId> deck = rules.deck->in_play(taken_out);
  RandomStream rng(kFieldSeed);
  std::vector<ByDrawn> after(static_cast<std::size_t>(draws_));
  Hands dealt, final;
  play(means, deck, rng, -1, kDeals, after, &dealt, &final);
  dealt_ = field(dealt);
  final_ = field(final);
  for (int draw = 0; draw < draws_; ++draw) {
    auto& fields = after_.emplace_back();
    for (int drawn = 0; drawn <= kDrawHand; ++drawn) {
      Hands& hands = after[static_cast<std::size_t>(draw)][static_cast<std::size_t>(drawn)];
      if (hands.high.size() < kFew) {
        std::vector<ByDrawn> forced(after.size());
        play(means, deck, rng, draw * (kDrawHand + 1) + drawn, kForced, forced, nullptr, nullptr);
        hands = forced[static_cast<std::size_t>(draw)][static_cast<std::size_t>(drawn)];
      }
      fields[static_cast<std::size_t>(drawn)] = field(hands);
    }
  }
}

// `forced`: a draw and the number of cards that everybody draws in it, or below 0.
void DrawFields::play(const DrawMeans& means, std::span<CardId> deck, RandomStream& rng, int forced, int count,
                      std::vector<ByDrawn>& after, Hands* dealt, Hands* final) const {
  const auto draws = static_cast<std::size_t>(draws_);
  const std::size_t needed = std::min(deck.size(), kDrawHand * (draws + 1));
  DrawMeans::Means outcome;
  for (int n = 0; n < count; ++n) {
    shuffle_first(deck, needed, rng);
    std::array<CardId, kDrawHand> hand{};
    std::copy_n(deck.begin(), kDrawHand, hand.begin());
    if (dealt != nullptr) add(hand, *dealt);
    std::size_t next = kDrawHand;
    std::array<int, kMaxDraws> drawn{};
    for (std::size_t draw = 0; draw < draws; ++draw) {
      std::sort(hand.begin(), hand.end());
      means.find(hand, draws_ - static_cast<int>(draw), outcome);
      const bool is_forced = forced >= 0 && forced / (kDrawHand + 1) == static_cast<int>(draw);
      const unsigned mask = best_mask(outcome, is_forced ? forced % (kDrawHand + 1) : -1);
      drawn[draw] = std::popcount(mask);
      for (std::size_t i = 0; i < hand.size(); ++i)
        if ((mask >> i & 1) != 0 && next < needed) hand[i] = deck[next++];
    }
    for (std::size_t draw = 0; draw < draws; ++draw) add(hand, after[draw][static_cast<std::size_t>(drawn[draw])]);
    if (final != nullptr) add(hand, *final);
  }
}

void DrawFields::add(std::span<const CardId> hand, Hands& hands) const {
  if (hands.high.size() == kMost) return;
  const Values found = values(hand);
  hands.high.push_back(found.high);
  if (low_) hands.low.push_back(found.low);
}

DrawFields::Field DrawFields::field(const Hands& hands) const {
  return {HandCdf(high_, false, hands.high), low_ ? HandCdf(low_, true, hands.low) : HandCdf()};
}

DrawFields::Values DrawFields::values(std::span<const CardId> hand) const {
  return {high_->evaluate(hand), low_ ? low_->evaluate(hand) : 0};
}

DrawFields::Shares DrawFields::shares(const Field& field, const Values& values) {
  const float scale = 1 / (2 * static_cast<float>(field.high.hands()));
  Shares shares{static_cast<float>(field.high.twice_beaten(values.high)) * scale, 0};
  if (field.low.hands() > 0) shares.low = static_cast<float>(field.low.twice_beaten(values.low)) * scale;
  return shares;
}

}  // namespace dealer::poker
