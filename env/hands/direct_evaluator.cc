#include "env/hands/direct_evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "env/core/error.h"
#include "env/hands/ranking_rules.h"

namespace dealer {
namespace {

// A card as a joker may be read: any rank in any suit of pips.
struct Face {
  int position;
  int slot;
  friend bool operator==(const Face&, const Face&) = default;
  friend bool operator<(const Face& a, const Face& b) {
    return std::pair(a.position, a.slot) < std::pair(b.position, b.slot);
  }
};

class DirectEvaluator final : public Evaluator {
 public:
  DirectEvaluator(DeckPtr deck, RankingPtr ranking)
      : Evaluator(std::move(deck), std::move(ranking)), rules_(this->deck(), this->ranking()) {
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

  void evaluate5(std::span<const CardId> hands, std::span<HandValue> values) const override { many(hands, 5, values); }
  void evaluate7(std::span<const CardId> hands, std::span<HandValue> values) const override { many(hands, 7, values); }

  int category(HandValue value, int) const override {
    return static_cast<int>(value >> (kSubOrderBits + digits_ * digit_bits_));
  }
  HandValue values(int) const override {
    return static_cast<HandValue>(rules_.categories()) << (kSubOrderBits + digits_ * digit_bits_);
  }

 private:
  static constexpr int kSubOrderBits = RankingRules::kSubOrderBits;

  void many(std::span<const CardId> hands, std::size_t of, std::span<HandValue> values) const {
    if (hands.size() != values.size() * of)
      throw UsageError(fmt::format("{} cards given for {} hands of {}; expected {}", hands.size(), values.size(), of,
                                   values.size() * of));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = evaluate(hands.subspan(i * of, of));
  }

  HandValue evaluate_few(std::span<const CardId> hand) const {
    RankSide ranks;
    SuitSide suits;
    std::array<Face, kHandCards> faces{};
    std::size_t natural = 0;
    int jokers = 0;
    for (const CardId id : hand) {
      const DeckCard& card = deck().card(id);
      if (card.suit < 0) {
        ++jokers;
        continue;
      }
      ++suits.count[static_cast<std::size_t>(card.suit)];
      const SuitKind kind = rules_.suit(card.suit).kind;
      if (kind == SuitKind::kPips) faces[natural++] = {rules_.position(card.rank), card.suit};
      if (kind == SuitKind::kTrumps) ranks.trump[static_cast<std::size_t>(ranks.trumps++)] = card.rank;
      if (kind == SuitKind::kExtra) ++ranks.unranked;
    }
    sort_descending(ranks.trump, ranks.trumps);
    std::uint64_t best = 0;
    read_jokers(faces, natural, jokers, ranks, suits, best);
    return narrow(best);
  }

  void read_jokers(std::array<Face, kHandCards>& faces, std::size_t n, int jokers, const RankSide& ranks,
                   SuitSide& suits, std::uint64_t& best) const {
    if (jokers == 0) {
      best = std::max(best, key(faces, n, ranks, suits));
      return;
    }
    for (int slot = 0; slot < rules_.slots(); ++slot) {
      for (int position = 0; position < rules_.ranks(); ++position) {
        const Face face{position, slot};
        const auto end = faces.begin() + static_cast<std::ptrdiff_t>(n);
        const bool held = std::find(faces.begin(), end, face) != end;
        const auto same = std::count_if(faces.begin(), end, [&](const Face& f) { return f.position == position; });
        if ((held || same >= 4) && !ranking().five_of_a_kind()) continue;
        faces[n] = face;
        ++suits.count[static_cast<std::size_t>(slot)];
        read_jokers(faces, n + 1, jokers - 1, ranks, suits, best);
        --suits.count[static_cast<std::size_t>(slot)];
      }
    }
  }

  // 0 for a reading that is not allowed: a duplicate serves only to make five of a kind.
  std::uint64_t key(std::array<Face, kHandCards> faces, std::size_t n, RankSide ranks, const SuitSide& suits) const {
    sort_descending(faces, static_cast<int>(n));
    bool duplicate = false;
    for (std::size_t i = 0; i < n; ++i) {
      ranks.pip[i] = faces[i].position;
      ranks.color[i] = rules_.suit(faces[i].slot).color;
      duplicate |= i > 0 && faces[i] == faces[i - 1];
    }
    ranks.pips = static_cast<int>(n);
    std::uint64_t holding = rules_.holds(ranks) & rules_.holds(suits);
    const bool five_alike = n == kHandCards && faces[0].position == faces[kHandCards - 1].position;
    if (duplicate || (five_alike && deck().jokers() > 0)) {
      const std::optional<int> fives = ranking().find("K5");
      if (duplicate && !five_alike) return 0;
      if (fives) holding = std::uint64_t{1} << *fives;
    }
    return rules_.key(rules_.category(holding), ranks);
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
  int digits_ = kHandCards;
  int digit_bits_ = 0;
};

}  // namespace

EvaluatorPtr make_direct_evaluator(DeckPtr deck, RankingPtr ranking) {
  return std::make_shared<DirectEvaluator>(std::move(deck), std::move(ranking));
}

}  // namespace dealer
