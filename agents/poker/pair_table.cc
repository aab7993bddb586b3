#include "agents/poker/pair_table.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "agents/empirical_cdf.h"
#include "agents/poker/pots_won.h"
#include "env/cards/shuffle.h"

namespace dealer::poker {
namespace {

constexpr int kBoards = 100'000;
constexpr int kSameMix = 100;  // boards of one composition of the deck
constexpr std::size_t kMostOpponentPairs = 24;
constexpr std::uint64_t kPairTableSeed = 0x9a1;

std::vector<CardId> draw_deck(const GameRules& rules, RandomStream& rng) {
  std::vector<std::uint8_t> taken_out(rules.random_mix() ? rules.deck->ranks().size() : 0);
  for (std::uint8_t& suit : taken_out) suit = static_cast<std::uint8_t>(rng.below(Deck::kReplaceable));
  return rules.deck->in_play(taken_out);
}

}  // namespace

PairTable::PairTable(const GameRules& rules) {
  const std::size_t categories = rules.high->ranking().categories().size();
  const std::size_t opponents = std::max<std::size_t>(kOpponents, static_cast<std::size_t>(rules.players) - 1);
  const HandCategories high_categories(*rules.high);
  const HandValue qualifying = rules.low ? HandCategories(*rules.low).qualifying() : 0;
  const auto deck_size = static_cast<std::size_t>(rules.deck->size());
  pairs_.resize(deck_size * (deck_size - 1) / 2);
  // Under which number the same pair with its suits in order is kept.
  const SuitOrder suits(rules);
  std::vector<std::size_t> kept(pairs_.size());
  for (std::size_t a = 0; a < deck_size; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const auto first = static_cast<CardId>(a), second = static_cast<CardId>(b);
      SuitOrder::Marks marks{};
      suits.mark(first, 0, marks);
      suits.mark(second, 0, marks);
      const SuitOrder::Suits order = suits.order(marks);
      kept[number(first, second)] = number(suits.rename(first, order), suits.rename(second, order));
    }
  }
  for (Pair& pair : pairs_) {
    pair.share.resize(opponents);
    pair.becomes.resize(categories);
  }
  std::vector<float> dealt(pairs_.size());
  RandomStream rng(kPairTableSeed);
  std::vector<CardId> deck;
  std::array<CardId, kMostOpponentPairs * kHandCards> cards;
  std::array<HandValue, kMostOpponentPairs> high{}, low{};
  for (int n = 0; n < kBoards; ++n) {
    if (n % kSameMix == 0) deck = draw_deck(rules, rng);
    const std::size_t count = std::min(kMostOpponentPairs, (deck.size() - kMaxBoard) / 2);
    shuffle_first(std::span(deck), kMaxBoard + 2 * count, rng);
    for (std::size_t i = 0; i < count; ++i) {
      std::copy_n(deck.begin(), kMaxBoard, cards.begin() + static_cast<std::ptrdiff_t>(i * kHandCards));
      for (const std::size_t k : {0U, 1U}) cards[i * kHandCards + kMaxBoard + k] = deck[kMaxBoard + 2 * i + k];
    }
    const std::span<const CardId> filled(cards.data(), count * kHandCards);
    rules.high->evaluate7(filled, std::span(high).first(count));
    if (rules.low) {
      rules.low->evaluate7(filled, std::span(low).first(count));
      for (HandValue& value : low) value = value >= qualifying ? value + 1 : 0;
    }
    const float each = 1 / static_cast<float>(count - 1);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = kept[number(deck[kMaxBoard + 2 * i], deck[kMaxBoard + 2 * i + 1])];
      Pair& pair = pairs_[at];
      // In quarters of a pot, which add up exactly: without branches, as most of the time goes here.
      int won = 0, high_won = 0, low_won = 0;
      for (std::size_t other = 0; other < count; ++other) {
        const int of_high = 2 * ((high[i] > high[other]) + (high[i] >= high[other]));
        const int of_low = 2 * ((low[i] > low[other]) + (low[i] >= low[other]));
        high_won += of_high;
        low_won += of_low;
        won += (low[i] | low[other]) == 0 ? of_high : (of_high + of_low) / 2;
      }
      // Without the ties with itself.
      const auto quarters = [](int sum) { return static_cast<float>(sum - 2) / 4; };
      ++dealt[at];
      for (std::size_t k = 0; k < opponents; ++k)
        pair.share[k] += beats_several(quarters(won), count - 1, static_cast<int>(k) + 1);
      pair.high += quarters(high_won) * each;
      if (low[i] > 0) pair.low += quarters(low_won) * each;
      pair.qualifies += low[i] > 0 ? 1.0F : 0.0F;
      ++pair.becomes[high_categories.of(high[i])];
    }
  }
  for (std::size_t at = 0; at < pairs_.size(); ++at) {
    if (kept[at] != at || dealt[at] == 0) continue;
    Pair& pair = pairs_[at];
    const float scale = 1 / dealt[at];
    for (std::vector<float>* figures : {&pair.share, &pair.becomes})
      for (float& figure : *figures) figure *= scale;
    for (float* figure : {&pair.high, &pair.low, &pair.qualifies}) *figure *= scale;
  }
  std::vector<float> shares;
  for (std::size_t at = 0; at < pairs_.size(); ++at) {
    if (kept[at] != at) pairs_[at] = pairs_[kept[at]];
    shares.push_back(pairs_[at].share[0]);
  }
  const EmpiricalCdf<float> among(std::move(shares));
  for (Pair& pair : pairs_) pair.percentile = among.below<float>(pair.share[0]);
}

}  // namespace dealer::poker
