#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "agents/poker/hand_cdf.h"
#include "agents/poker/sampled_showdowns.h"
#include "agents/poker/shared_tables.h"
#include "env/games/poker/rules.h"

namespace dealer::poker {

// Preflop statistics of the two hole cards, estimated once per rule set from many random boards and hands. Hands equal
// up to a renaming of suits share an entry. Immutable.
class PairTable {
 public:
  static constexpr std::size_t kOpponents = 4;  // the minimum number of opponents covered
  explicit PairTable(const GameRules& rules);

  struct Pair {
    float percentile = 0;  // among all pairs, by the first entry of `share`
    // Games with a low half: the share of each half against one opponent, and the probability that the low qualifies.
    float high = 0, low = 0, qualifies = 0;
    // The share of the pot against one opponent, then the probability of beating two at once, and so on.
    std::vector<float> share;
    std::vector<float> becomes;  // distribution of the final hand by category of the high ranking

    void divide_by(float dealt);  // from sums to means
  };
  const Pair& operator()(CardId a, CardId b) const { return pairs_[number(a, b)]; }

 private:
  static std::size_t number(CardId a, CardId b) {
    const std::size_t low = a < b ? a : b, high = a < b ? b : a;
    return high * (high - 1) / 2 + low;
  }
  // By number, the number under which the pair with its suits in canonical order is stored.
  static std::vector<std::size_t> canonical(const GameRules& rules);

  std::vector<Pair> pairs_;
};

// The number of hole cards of a player in hold'em.
inline constexpr std::size_t kHoleCards = 2;

// The equity of two cards and a board against unknown hands; docs/features.md, "Hold'em".
struct HoldemEquity {
  float percentile = 0, share = 0, four = 0, all = 0;
  float high = 0, low = 0, qualifies = 0;  // of games with a low half
};

// Computes equities. Equal cards have equal results, bit for bit, also up to a
// renaming of suits. Thread-safe.
class HoldemEquities {
 public:
  // The rules must outlive it.
  explicit HoldemEquities(const GameRules& rules);

  // The known cards, with suits renamed canonically.
  struct Position {
    std::array<CardId, 8> own{}, board{};
    std::size_t board_count = 0;
    std::array<CardId, kMaxDeckCards> unseen{};
    std::size_t left = 0;
  };
  // Precondition: two own cards; a board of none, or of three to five. taken_out: cards that are not in play.
  Position position(std::span<const CardId> own, std::span<const CardId> board,
                    std::span<const CardId> taken_out = {}) const;

  // Precondition: at least one opponent. becomes: nullptr, or [categories of the high ranking], to which the
  // frequencies of the final hand's category are added. percentile: true to compute the percentile.
  HoldemEquity find(const Position& position, int opponents, bool percentile, float* becomes) const;

  // The preflop table.
  const PairTable& pairs() const { return tables().pairs; }

 private:
  struct Tables {
    explicit Tables(const GameRules& rules);
    PairTable pairs;
    HandCategories categories;
    SuitOrder suits;
    HandValue qualifying;
  };
  class Hands;
  struct Values;

  const Tables& tables() const {
    return tables_->get([&] { return Tables(rules_); });
  }
  HoldemEquity before_flop(const Position& position, int opponents, float* becomes) const;
  HoldemEquity on_river(const Position& position, int opponents, float* becomes) const;
  HoldemEquity sampled(const Position& position, int opponents, float* becomes) const;
  void value(const Hands& hands, Values& high, Values& low) const;
  void add_board(const HandValue* high, const HandValue* low, std::size_t count, int opponents, float each,
                 HoldemEquity& equity) const;
  static void add_pairs(const Position& position, Hands& hands);
  float percentile_on_flop(const Position& position) const;
  float percentile_on_turn(const Position& position) const;

  const GameRules& rules_;
  std::shared_ptr<const Lazy<Tables>> tables_;
};

}  // namespace dealer::poker
