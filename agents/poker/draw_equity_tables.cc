#include "agents/poker/draw_equity_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "agents/poker/input_features.h"
#include "env/cards/shuffle.h"
#include "env/core/at.h"

namespace dealer::poker {
namespace {

constexpr int kDeals = 1 << 17;
// With fewer hands for a number of drawn cards there is no distribution; this many are simulated for it.
constexpr std::size_t kFew = 64;
constexpr int kForced = 2048;
constexpr std::uint64_t kFieldSeed = 0xf1e1d;

// The best of the given discards; if `count` is not negative, among those of `count` cards.
unsigned best_mask(const DrawEquities::Means& means, unsigned choices, int count) {
  unsigned best = choices;
  for (unsigned mask = 0; mask < choices; ++mask) {
    if (count >= 0 && std::popcount(mask) != count) continue;
    if (best == choices || means[mask].share > means[best].share) best = mask;
  }
  return best;
}

// Insertion sort: GCC 12 warns about std::sort() of so short a span.
void sort_few(std::span<CardId> hand) {
  for (std::size_t end = 1; end < hand.size(); ++end)
    for (std::size_t i = end; i > 0 && hand[i - 1] > hand[i]; --i) std::swap(hand[i - 1], hand[i]);
}

}  // namespace

RangesAfterDraw::RangesAfterDraw(const GameRules& rules, const DrawEquities& means)
    : halves_{rules.high, rules.low}, draws_(rules.draws), cards_(rules.hand_cards) {
  std::vector<CardId> deck = typical_deck(rules);
  RandomStream rng(kFieldSeed);
  std::vector<ByDrawn> after(at(draws_));
  PotHalves::Hands dealt, final;
  play(means, deck, rng, -1, kDeals, after, &dealt, &final);
  dealt_ = halves_.cdfs(dealt);
  final_ = halves_.cdfs(final);
  for (int draw = 0; draw < draws_; ++draw) {
    auto& fields = after_.emplace_back();
    for (int drawn = 0; drawn <= cards_; ++drawn) {
      PotHalves::Hands& hands = after[at(draw)][at(drawn)];
      if (hands.high.size() < kFew) {
        std::vector<ByDrawn> forced(after.size());
        play(means, deck, rng, draw * (cards_ + 1) + drawn, kForced, forced, nullptr, nullptr);
        hands = forced[at(draw)][at(drawn)];
      }
      fields[at(drawn)] = halves_.cdfs(hands);
    }
  }
}

// `forced`: a draw and the number of cards that everybody draws in it; below 0: none.
void RangesAfterDraw::play(const DrawEquities& means, std::span<CardId> deck, RandomStream& rng, int forced, int count,
                           std::vector<ByDrawn>& after, PotHalves::Hands* dealt, PotHalves::Hands* final) const {
  const auto draws = at(draws_);
  const std::size_t needed = std::min(deck.size(), at(cards_) * (draws + 1));
  DrawEquities::Means outcome;
  for (int n = 0; n < count; ++n) {
    shuffle_first(deck, needed, rng);
    std::array<CardId, kDrawHand> buffer{};
    const std::span<CardId> hand = std::span(buffer).first(at(cards_));
    std::copy_n(deck.begin(), cards_, hand.begin());
    if (dealt != nullptr) halves_.add(hand, *dealt);
    std::size_t next = at(cards_);
    std::array<int, kMaxDraws> drawn{};
    for (std::size_t draw = 0; draw < draws; ++draw) {
      sort_few(hand);
      means.find(hand, draws_ - static_cast<int>(draw), outcome);
      const bool is_forced = forced >= 0 && forced / (cards_ + 1) == static_cast<int>(draw);
      const unsigned mask = best_mask(outcome, 1U << cards_, is_forced ? forced % (cards_ + 1) : -1);
      drawn[draw] = std::popcount(mask);
      for (std::size_t i = 0; i < hand.size(); ++i)
        if ((mask >> i & 1) != 0 && next < needed) hand[i] = deck[next++];
    }
    for (std::size_t draw = 0; draw < draws; ++draw) halves_.add(hand, after[draw][at(drawn[draw])]);
    if (final != nullptr) halves_.add(hand, *final);
  }
}

RangesAfterDraw::Values RangesAfterDraw::values(std::span<const CardId> hand) const {
  return {halves_.high->evaluate(hand), halves_.low ? halves_.low->evaluate(hand) : 0};
}

RangesAfterDraw::Shares RangesAfterDraw::shares(const PotHalves::Cdfs& field, const Values& values) {
  const float scale = 1 / (2 * static_cast<float>(field.high.hands()));
  Shares shares{static_cast<float>(field.high.twice_beaten(values.high)) * scale, 0};
  if (field.low.hands() > 0) shares.low = static_cast<float>(field.low.twice_beaten(values.low)) * scale;
  return shares;
}

std::shared_ptr<const Lazy<DrawEquityTables>> shared_draw_equity_tables(const GameRules& rules) {
  return shared_tables<DrawEquityTables>(fmt::format("{}\n{}", cards_key(rules), rules.draws));
}

}  // namespace dealer::poker
