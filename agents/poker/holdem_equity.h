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

// What the two cards of hold'em are worth before the board: from many boards and hands dealt at random, found once a
// rule set. Hands that differ by a renaming of suits alone are one. Immutable.
class PairTable {
 public:
  static constexpr std::size_t kOpponents = 4;  // that are counted at least
  explicit PairTable(const GameRules& rules);

  struct Pair {
    float percentile = 0;  // among all pairs, by the first of `share`
    // In games with a low half: of each half with one opponent, and how often the low qualifies.
    float high = 0, low = 0, qualifies = 0;
    // Of the pot with one opponent, then the chance to beat two at once, and so on.
    std::vector<float> share;
    std::vector<float> becomes;  // how often, by category of the high ranking
  };
  const Pair& operator()(CardId a, CardId b) const { return pairs_[number(a, b)]; }

 private:
  static std::size_t number(CardId a, CardId b) {
    const std::size_t low = a < b ? a : b, high = a < b ? b : a;
    return high * (high - 1) / 2 + low;
  }
  std::vector<Pair> pairs_;
};

// Cards of one player in hold'em.
inline constexpr std::size_t kHoleCards = 2;

// What two cards and a board are worth against hands of which nothing is known; docs/features.md, "Hold'em".
struct HoldemEquity {
  float percentile = 0, share = 0, four = 0, all = 0;
  float high = 0, low = 0, qualifies = 0;  // of games with a low half
};

// Finds equities. Equal cards have equal ones, bit for bit, and so have cards that differ by the names of suits alone.
// For several threads at once.
class HoldemEquities {
 public:
  // The rules must outlive it.
  explicit HoldemEquities(const GameRules& rules);

  // What is known, in suits of its own.
  struct Position {
    std::array<CardId, 8> own{}, board{};
    std::size_t board_count = 0;
    std::array<CardId, kMaxDeckCards> unseen{};
    std::size_t left = 0;
  };
  // Precondition: two own cards; a board of none, or of three to five. taken_out: cards that are not in play.
  Position position(std::span<const CardId> own, std::span<const CardId> board,
                    std::span<const CardId> taken_out = {}) const;

  // Precondition: one opponent or more. becomes: nullptr, or [categories of the high ranking], zeros to which is added
  // how often the hand ends as what. percentile: whether it is asked for.
  HoldemEquity find(const Position& position, int opponents, bool percentile, float* becomes) const;

  // Before the board.
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
