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

  // The key with only as many bits a digit as the deck needs.
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

constexpr int kMaxRanks = 16;
constexpr std::size_t kMaxHand = 7;

class DistinctEvaluator final : public Evaluator {
 public:
  DistinctEvaluator(DeckPtr deck, RankingPtr ranking) : Evaluator(std::move(deck), std::move(ranking)) {
    const RankingRules rules(this->deck(), this->ranking());
    check(rules);
    for (int id = 0; id < this->deck().size(); ++id) {
      const DeckCard& card = this->deck().card(static_cast<CardId>(id));
      cards_[static_cast<std::size_t>(id)] = {1U << rules.position(card.rank), 1U << card.suit};
    }
    number_values(rules);
  }

  HandValue evaluate(std::span<const CardId> hand) const override {
    // By the set of chosen cards: their ranks and suits; `ranks` 0 if two share one.
    std::array<Card, std::size_t{1} << kMaxHand> chosen;
    chosen[0] = {};
    std::uint32_t best = 0;
    for (std::size_t i = 0; i < hand.size(); ++i) {
      const Card card = cards_[hand[i]];
      const std::size_t sets = std::size_t{1} << i;
      for (std::size_t set = 0; set < sets; ++set) {
        const Card& others = chosen[set];
        const bool fits =
            (set == 0 || others.ranks != 0) && ((others.ranks & card.ranks) | (others.suits & card.suits)) == 0;
        Card& with = chosen[sets | set];
        with.ranks = fits ? others.ranks | card.ranks : 0;
        with.suits = others.suits | card.suits;
        best = std::max<std::uint32_t>(best, value_of_[with.ranks]);
      }
    }
    return best;
  }

  int category(HandValue value, int) const override {
    return static_cast<int>(std::upper_bound(first_.begin(), first_.end(), value) - first_.begin()) - 1;
  }
  HandValue values(int cards) const override {
    return values_[static_cast<std::size_t>(std::min(cards, kHandCards)) - 1];
  }

 private:
  struct Card {
    std::uint32_t ranks = 0, suits = 0;
  };

  void check(const RankingRules& rules) const {
    const auto fail = [&](std::string_view what) {
      throw ConfigError(
          fmt::format("ranking '{}' with the deck '{}': `distinct: true` {}", ranking().name(), deck().name(), what));
    };
    if (deck().jokers() > 0 || deck().is_court()) fail("needs a deck without jokers and extra suits");
    if (rules.ranks() > kMaxRanks) fail(fmt::format("needs a deck of at most {} ranks", kMaxRanks));
    if (rules.suits_matter() || rules.pair_colors_matter()) fail("allows no category that looks at suits or colours");
  }

  // Sets of ranks, weak to strong, are numbered without gaps; fewer cards come first.
  void number_values(const RankingRules& rules) {
    const int most = std::min(kHandCards, rules.slots());
    std::vector<std::pair<std::uint64_t, std::uint32_t>> sets;
    for (std::uint32_t ranks = 1; ranks < 1U << rules.ranks(); ++ranks) {
      if (std::popcount(ranks) > most) continue;
      RankSide side;
      SuitSide suits;
      for (int rank = rules.ranks() - 1; rank >= 0; --rank)
        if ((ranks >> rank & 1) != 0) side.pip[static_cast<std::size_t>(side.pips++)] = rank;
      for (int suit = 0; suit < side.pips; ++suit) suits.count[static_cast<std::size_t>(suit)] = 1;
      const int category = rules.category(rules.holds(side) & rules.holds(suits));
      sets.emplace_back(rules.key(category, side), ranks);
    }
    std::sort(sets.begin(), sets.end());
    value_of_.resize(std::size_t{1} << rules.ranks());
    std::uint16_t next = 0;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      if (i > 0 && sets[i].first != sets[i - 1].first) ++next;
      while (static_cast<int>(first_.size()) <= RankingRules::category_of_key(sets[i].first)) first_.push_back(next);
      value_of_[sets[i].second] = next;
      for (std::size_t cards = static_cast<std::size_t>(std::popcount(sets[i].second)); cards <= values_.size();
           ++cards)
        values_[cards - 1] = std::max<HandValue>(values_[cards - 1], next + 1U);
    }
  }

  std::array<Card, kMaxDeckCards> cards_{};
  std::vector<std::uint16_t> value_of_;  // by set of ranks; 0 for none and for too many
  std::vector<HandValue> first_;         // the least value by category
  std::array<HandValue, kHandCards> values_{};
};

}  // namespace

EvaluatorPtr make_direct_evaluator(DeckPtr deck, RankingPtr ranking) {
  return std::make_shared<DirectEvaluator>(std::move(deck), std::move(ranking));
}

EvaluatorPtr make_distinct_evaluator(DeckPtr deck, RankingPtr ranking) {
  return std::make_shared<DistinctEvaluator>(std::move(deck), std::move(ranking));
}

}  // namespace dealer
