#include "env/hands/direct_evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "env/core/error.h"
#include "env/hands/joker_readings.h"

namespace dealer {
namespace {

class DirectEvaluator final : public Evaluator {
 public:
  DirectEvaluator(DeckPtr deck, RankingPtr ranking)
      : Evaluator(std::move(deck), std::move(ranking)), rules_(this->deck(), this->ranking()), readings_(rules_) {
    int largest = rules_.ranks();
    for (const DeckSuit& suit : this->deck().suits())
      if (suit.kind == SuitKind::kTrumps) largest = std::max(largest, suit.cards);
    digits_ = this->deck().has_trumps() ? RankingRules::kDigits : kHandCards;
    digit_bits_ = rules_.by_ranks() ? static_cast<int>(std::bit_width(static_cast<unsigned>(largest) + 1)) : 0;
    const int category_bits = static_cast<int>(std::bit_width(static_cast<unsigned>(rules_.categories())));
    if (category_bits + kSubOrderBits + digits_ * digit_bits_ > 31)
      throw ConfigError(
          fmt::format("ranking '{}' with the deck '{}': too many ranks to compare hands by; expected "
                      "`ties: category` or a deck of at most 62 kinds of cards",
                      this->ranking().name(), this->deck().name()));
  }

  HandValue evaluate(std::span<const CardId> hand) const override {
    if (hand.size() <= kHandCards) return evaluate_few(hand);
    HandValue best = 0;
    std::array<CardId, kHandCards> five{};
    for (unsigned chosen = 0; chosen < 1U << hand.size(); ++chosen) {
      if (std::popcount(chosen) != kHandCards) continue;
      std::size_t n = 0;
      for (std::size_t i = 0; i < hand.size(); ++i)
        if (((chosen >> i) & 1) != 0) five[n++] = hand[i];
      best = std::max(best, evaluate_few(five));
    }
    return best;
  }

  void evaluate5(std::span<const CardId> hands, std::span<HandValue> values) const override {
    evaluate_each(5, hands, values);
  }
  void evaluate7(std::span<const CardId> hands, std::span<HandValue> values) const override {
    evaluate_each(7, hands, values);
  }

  int category(HandValue value, int) const override {
    return static_cast<int>(value >> (kSubOrderBits + digits_ * digit_bits_));
  }
  HandValue values(int) const override {
    return static_cast<HandValue>(rules_.categories()) << (kSubOrderBits + digits_ * digit_bits_);
  }

 private:
  static constexpr int kSubOrderBits = RankingRules::kSubOrderBits;

  HandValue evaluate_few(std::span<const CardId> hand) const {
    std::uint64_t best = 0;
    readings_.for_each(hand, [&](const RankSide& ranks, std::uint64_t holding, std::span<const Face>) {
      best = std::max(best, rules_.key(rules_.category(holding), ranks));
    });
    return narrow(best);
  }

  // The key with as many bits a digit as the deck needs.
  HandValue narrow(std::uint64_t key) const {
    auto value = static_cast<HandValue>(key >> RankingRules::kSubOrderShift);
    if (digit_bits_ == 0) return value;
    for (int i = 0; i < digits_; ++i) {
      const auto digit =
          static_cast<HandValue>(key >> (RankingRules::kSubOrderShift - RankingRules::kDigitBits * (i + 1))) &
          ((1U << RankingRules::kDigitBits) - 1);
      value = value << digit_bits_ | (digit & ((1U << digit_bits_) - 1));
    }
    return value;
  }

  RankingRules rules_;
  JokerReadings readings_;
  int digits_ = kHandCards;
  int digit_bits_ = 0;
};

}  // namespace

EvaluatorPtr make_direct_evaluator(DeckPtr deck, RankingPtr ranking) {
  return std::make_shared<DirectEvaluator>(std::move(deck), std::move(ranking));
}

}  // namespace dealer
