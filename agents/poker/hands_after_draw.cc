#include "agents/poker/hands_after_draw.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "env/cards/shuffle.h"

namespace dealer::poker {
namespace {

constexpr int kDrawBookHands = 4096;
constexpr int kDrawBookSamples = 24;
constexpr std::uint64_t kDrawBookSeed = 0xb00c;

// Up to five cards, copied as one machine word regardless of their number.
using Word = std::array<CardId, 8>;
constexpr std::size_t kBlock = 64;  // samples whose hands are valued together, while they stay in the cache

struct DrawChoice {
  unsigned mask = 0;
  Word kept{};  // the cards kept, then room for new ones
  std::size_t keeps = 0;
};

// The allowed discards; if the stock is too small for a discard, its last cards are kept.
class DrawChoices {
 public:
  DrawChoices(std::span<const CardId> hand, std::uint32_t allowed, std::size_t stock) {
    for (unsigned mask = 0; mask < 1U << hand.size(); ++mask) {
      if ((allowed >> mask & 1) == 0) continue;
      DrawChoice& choice = choices_[count_++];
      choice.mask = mask;
      std::size_t come = 0;
      for (std::size_t i = 0; i < hand.size(); ++i) {
        if ((mask >> i & 1) != 0 && come < stock)
          ++come;
        else
          choice.kept[choice.keeps++] = hand[i];
      }
    }
  }
  const DrawChoice* begin() const { return choices_.data(); }
  const DrawChoice* end() const { return choices_.data() + count_; }
  std::size_t size() const { return count_; }

 private:
  std::array<DrawChoice, kDiscardChoices> choices_;
  std::size_t count_ = 0;
};

}  // namespace

std::vector<CardId> typical_deck(const GameRules& rules) {
  std::vector<std::uint8_t> taken_out(rules.random_mix() ? rules.deck->ranks().size() : 0);
  for (std::size_t rank = 0; rank < taken_out.size(); ++rank)
    taken_out[rank] = static_cast<std::uint8_t>(rank % Deck::kReplaceable);
  return rules.deck->in_play(taken_out);
}

HandsAfterDraw::HandsAfterDraw(const GameRules& rules)
    : halves_{rules.high, rules.low}, cards_(at(rules.hand_cards)), power_(at(rules.players)) {
  const std::vector<CardId> deck = typical_deck(rules);
  // Without opponents' final hands the first pass compares with undrawn hands; the second pass knows the drawn ones.
  RandomStream rng(kDrawBookSeed);
  std::vector<CardId> shuffled = deck;
  PotHalves::Hands undrawn;
  for (int n = 0; n < kDrawBookHands; ++n) {
    shuffle_first(std::span(shuffled), cards_, rng);
    halves_.add(std::span(shuffled).first(cards_), undrawn);
  }
  set_all(undrawn);
  play_out(rules.draws, shuffled, rng);
  play_out(rules.draws, deck, RandomStream(kDrawBookSeed));
}

double HandsAfterDraw::share(const PotHalves::Cdfs& cdfs, std::span<const CardId> hand) const {
  const auto hands = static_cast<double>(cdfs.high.hands());
  if (hands == 0) return 0.5;
  const double high = cdfs.high.twice_beaten(halves_.high->evaluate(hand)) / (2 * hands);
  return halves_.low ? (high + cdfs.low.twice_beaten(halves_.low->evaluate(hand)) / (2 * hands)) / 2 : high;
}

void HandsAfterDraw::beats(std::span<const CardId> hands, std::span<float> shares) const {
  std::array<HandValue, kBlock> values;
  std::array<std::uint32_t, kBlock> beaten;
  const float scale = 1 / (2 * static_cast<float>(all_.high.hands()) * (halves_.low ? 2.0F : 1.0F));
  for (std::size_t done = 0, block; done < shares.size(); done += block) {
    block = std::min(kBlock, shares.size() - done);
    const auto cards = hands.subspan(done * cards_, block * cards_);
    const std::span<HandValue> found = std::span(values).first(block);
    std::fill_n(beaten.begin(), block, 0U);
    add_twice_beaten(cards, found, beaten);
    for (std::size_t i = 0; i < block; ++i) shares[done + i] = scale * static_cast<float>(beaten[i]);
  }
}

void HandsAfterDraw::add_twice_beaten(std::span<const CardId> hands, std::span<HandValue> values,
                                      std::span<std::uint32_t> sums) const {
  halves_.high->evaluate_hands(cards_, hands, values);
  all_.high.add_twice_beaten(values, sums);
  if (!halves_.low) return;
  halves_.low->evaluate_hands(cards_, hands, values);
  all_.low.add_twice_beaten(values, sums);
}

void HandsAfterDraw::set_all(const PotHalves::Hands& hands) {
  all_ = halves_.cdfs(hands);
  const std::size_t most = 2 * hands.high.size() + 2 * hands.low.size();
  for (std::size_t opponents = 0; opponents < power_.size(); ++opponents) {
    power_[opponents].resize(most + 1);
    for (std::size_t beaten = 0; beaten <= most; ++beaten)
      power_[opponents][beaten] =
          std::pow(static_cast<double>(beaten) / static_cast<double>(most), static_cast<double>(opponents));
  }
}

void HandsAfterDraw::play_out(int draws, std::vector<CardId> deck, RandomStream rng) {
  PotHalves::Hands all;
  std::array<PotHalves::Hands, kDrawHand + 1> by_drawn;
  for (int n = 0; n < kDrawBookHands; ++n) {
    shuffle_first(std::span(deck), std::min<std::size_t>(deck.size(), cards_ * (kMaxDraws + 1)), rng);
    std::array<CardId, kDrawHand> dealt{};
    const std::span<CardId> hand = std::span(dealt).first(cards_);
    std::copy_n(deck.begin(), cards_, hand.begin());
    std::size_t next = cards_;
    int drawn = 0;
    for (int draw = 0; draw < draws; ++draw) {
      const Discard best = best_discard(hand, std::span(deck).subspan(next), kEveryDiscard, 1, kDrawBookSamples, rng);
      drawn = 0;
      for (std::size_t i = 0; i < hand.size(); ++i) {
        if ((best.mask >> i & 1) == 0 || next == deck.size()) continue;
        hand[i] = deck[next++];
        ++drawn;
      }
    }
    halves_.add(hand, all);
    halves_.add(hand, by_drawn[at(drawn)]);
  }
  set_all(all);
  for (std::size_t drawn = 0; drawn < by_drawn.size(); ++drawn) by_drawn_[drawn] = halves_.cdfs(by_drawn[drawn]);
}

std::size_t HandsAfterDraw::find_shares(std::span<const CardId> hand, std::span<const CardId> unseen,
                                        std::uint32_t allowed, int opponents, int samples, RandomStream& rng,
                                        std::array<Discard, kDiscardChoices>& out) const {
  std::vector<CardId> stock(unseen.begin(), unseen.end());
  const std::size_t come = std::min(stock.size(), cards_);
  const DrawChoices choices(hand, allowed, come);
  const double* power = power_[at(opponents)].data();
  std::array<double, kDiscardChoices> sum{};
  std::array<CardId, kBlock * kDiscardChoices * kDrawHand + sizeof(Word)> hands;
  std::array<HandValue, kBlock * kDiscardChoices> buffer;
  std::array<std::uint32_t, kBlock * kDiscardChoices> beaten;
  for (std::size_t left = at(samples), block; left > 0; left -= block) {
    block = std::min(left, kBlock);
    CardId* next = hands.data();
    for (std::size_t n = 0; n < block; ++n) {
      shuffle_first(std::span(stock), come, rng);
      Word drawn{};
      std::copy_n(stock.begin(), come, drawn.begin());
      // Bytes written past the cards of a hand are overwritten by the next hand.
      for (const DrawChoice& choice : choices) {
        std::memcpy(next, choice.kept.data(), sizeof(Word));
        std::memcpy(next + choice.keeps, drawn.data(), sizeof(Word));
        next += cards_;
      }
    }
    const std::size_t count = block * choices.size();
    const std::span<const CardId> filled(hands.data(), count * cards_);
    const std::span<HandValue> values = std::span(buffer).first(count);
    std::fill_n(beaten.begin(), count, 0U);
    add_twice_beaten(filled, values, beaten);
    for (std::size_t i = 0; i < count; i += choices.size())
      for (std::size_t c = 0; c < choices.size(); ++c) sum[c] += power[beaten[i + c]];
  }
  for (std::size_t c = 0; c < choices.size(); ++c) out[c] = {choices.begin()[c].mask, sum[c] / samples};
  return choices.size();
}

std::vector<HandsAfterDraw::Discard> HandsAfterDraw::discards(std::span<const CardId> hand,
                                                              std::span<const CardId> unseen, std::uint32_t allowed,
                                                              int opponents, int samples, RandomStream& rng) const {
  std::array<Discard, kDiscardChoices> all;
  const std::size_t count = find_shares(hand, unseen, allowed, opponents, samples, rng, all);
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)};
}

HandsAfterDraw::Discard HandsAfterDraw::best_discard(std::span<const CardId> hand, std::span<const CardId> unseen,
                                                     std::uint32_t allowed, int opponents, int samples,
                                                     RandomStream& rng) const {
  std::array<Discard, kDiscardChoices> all;
  const std::size_t count = find_shares(hand, unseen, allowed, opponents, samples, rng, all);
  Discard best;
  for (std::size_t c = 0; c < count; ++c)
    if (c == 0 || all[c].share > best.share) best = all[c];
  return best;
}

}  // namespace dealer::poker
