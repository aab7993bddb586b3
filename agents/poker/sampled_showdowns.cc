#include "agents/poker/sampled_showdowns.h"

#include <algorithm>
#include <cstring>

#include "agents/poker/common_deals.h"
#include "agents/poker/pots_won.h"

namespace dealer::poker {
namespace {

// Deals with one opponent, and with several.
constexpr std::size_t kShowdownDeals = 128, kFewest = 64;
constexpr std::size_t kMostHands = kFewest * kMaxSeats;
constexpr int kDead = 15, kShared = 14;  // roles; those of hands are their numbers

// What of a pot, or half of one, the first of the values wins.
float part_won(const HandValue* values, std::size_t count) {
  HandValue best = 0;
  int ties = 0;
  for (std::size_t i = 0; i < count; ++i) best = std::max(best, values[i]);
  if (values[0] != best) return 0;
  for (std::size_t i = 0; i < count; ++i) ties += values[i] == best ? 1 : 0;
  return 1 / static_cast<float>(ties);
}

}  // namespace

SampledShowdowns::SampledShowdowns(const GameRules& rules)
    : rules_(&rules),
      suits_(rules),
      high_(*rules.high),
      qualifying_(rules.low ? HandCategories(*rules.low).qualifying() : 0),
      size_(rules.draws > 0 ? kDrawHand : kHandCards) {}

SampledShowdowns::Result SampledShowdowns::play(const KnownHands& known, std::span<float> becomes) const {
  // The same position in suits of its own.
  SuitOrder::Marks marks{};
  for (std::size_t i = 0; i < known.hands; ++i)
    for (std::size_t k = 0; k < known.hand[i].count; ++k)
      suits_.mark(known.hand[i].cards[k], static_cast<int>(i), marks);
  const auto for_dead = [&](auto&& use) {
    if (known.dead.none()) return;
    for (std::size_t card = 0; card < known.dead.size(); ++card)
      if (known.dead[card]) use(static_cast<CardId>(card));
  };
  for_dead([&](CardId card) { suits_.mark(card, kDead, marks); });
  if (known.has_shared) suits_.mark(known.shared, kShared, marks);
  const SuitOrder::Suits order = suits_.order(marks);
  std::bitset<kMaxDeckCards> seen;
  std::array<KnownHands::Hand, kMaxSeats> hand;
  for (std::size_t i = 0; i < known.hands; ++i) {
    hand[i].count = std::min(known.hand[i].count, size_);
    for (std::size_t k = 0; k < hand[i].count; ++k) {
      hand[i].cards[k] = suits_.rename(known.hand[i].cards[k], order);
      seen.set(hand[i].cards[k]);
    }
  }
  for_dead([&](CardId card) { seen.set(suits_.rename(card, order)); });
  const CardId shared = known.has_shared ? suits_.rename(known.shared, order) : CardId{0};
  if (known.has_shared) seen.set(shared);
  alignas(64) std::array<CardId, kMaxDeckCards> unseen{}, stock;
  std::size_t left = 0;
  for (std::size_t card = 0; card < static_cast<std::size_t>(rules_->deck->size()); ++card) {
    unseen[left] = static_cast<CardId>(card);
    left += seen[card] ? 0 : 1;
  }

  // Stud with many players: the last card is one for all.
  std::size_t missing = 0;
  for (std::size_t i = 0; i < known.hands; ++i) missing += size_ - hand[i].count;
  const bool one_for_all = rules_->procedure == Procedure::kStud && (known.has_shared || missing > left);
  const std::size_t own = one_for_all ? size_ - 1 : size_;
  std::size_t needed = one_for_all && !known.has_shared ? 1 : 0;
  for (std::size_t i = 0; i < known.hands; ++i) {
    hand[i].count = std::min(hand[i].count, own);
    needed += own - hand[i].count;
  }
  Result result;
  if (needed > std::min(left, CommonDeals::kNumbers)) return result;  // no such position

  const CommonDeals& deals = CommonDeals::of(known.hands <= 2 ? kShowdownDeals : kFewest);
  // With nothing hidden every deal is the same.
  const std::size_t rows = needed == 0 ? 1 : deals.size();
  std::array<CardId, kMostHands * kHandCards + sizeof(std::uint64_t)> cards;
  CardId* out = cards.data();
  for (std::size_t row = 0; row < rows; ++row) {
    stock = unseen;
    deals.deal(row, std::span(stock).first(left), needed);
    std::size_t next = 0;
    const CardId last = known.has_shared ? shared : one_for_all ? stock[next++] : CardId{0};
    for (std::size_t i = 0; i < known.hands; ++i) {
      // What is written behind a hand, the next one overwrites.
      std::memcpy(out, hand[i].cards.data(), sizeof(std::uint64_t));
      std::memcpy(out + hand[i].count, &stock[next], sizeof(std::uint64_t));
      next += own - hand[i].count;
      if (one_for_all) out[own] = last;
      out += size_;
    }
  }
  const std::size_t count = rows * known.hands;
  const std::span<const CardId> filled(cards.data(), count * size_);
  std::array<HandValue, kMostHands> high, low;
  const auto evaluate = [&](const Evaluator& evaluator, std::array<HandValue, kMostHands>& values) {
    if (size_ == kHandCards)
      evaluator.evaluate7(filled, std::span(values).first(count));
    else
      evaluator.evaluate5(filled, std::span(values).first(count));
  };
  evaluate(*rules_->high, high);
  if (rules_->low) {
    evaluate(*rules_->low, low);
    for (HandValue& value : std::span(low).first(count)) value = value >= qualifying_ ? value + 1 : 0;
  }
  const float each = 1 / static_cast<float>(rows);
  for (std::size_t at = 0; at < count; at += known.hands) {
    becomes[high_.of(high[at])] += each;
    const float won = part_won(&high[at], known.hands);
    if (!rules_->low) {
      result.share += each * won;
      for (std::size_t i = 1; i < known.hands; ++i) result.against[i] += each * beats(high[at], high[at + i]);
      continue;
    }
    const bool split = *std::max_element(&low[at], &low[at] + known.hands) > 0;
    const float low_won = split && low[at] > 0 ? part_won(&low[at], known.hands) : 0;
    result.share += each * (split ? (won + low_won) / 2 : won);
    result.high += each * won;
    result.low += each * low_won;
    result.qualifies += low[at] > 0 ? each : 0;
    for (std::size_t i = 1; i < known.hands; ++i)
      result.against[i] += each * pot_won(high[at], low[at], high[at + i], low[at + i]);
  }
  return result;
}

}  // namespace dealer::poker
