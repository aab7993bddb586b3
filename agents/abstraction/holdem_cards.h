#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "agents/abstraction/holdem_tree.h"
#include "agents/poker/holdem_equity.h"
#include "env/core/random.h"
#include "env/games/poker/game.h"

namespace dealer::abstraction {

// Hands of hold'em for two. Before the flop every pair of cards that differs by more than suits has its own bucket.
// Later buckets are cut by the share of the pot against a uniform hand, and before the river each of these by the
// chance to beat four such hands, which tells draws from hands that are made (HoldemEquity).
class HoldemCards {
 public:
  // Throws UsageError when the game is no hold'em for two with one ranking and fresh stacks, or has transparent cards.
  HoldemCards(std::shared_ptr<const poker::Game> game, int buckets, double step);

  static constexpr int kStreets = 4;
  static constexpr std::size_t kDealt = 64;
  // A board and hands that either player may have, by their strength at the showdown. They may share cards.
  struct Deal {
    struct Hand {
      std::array<CardId, poker::kHoleCards> cards{};
      std::array<std::int32_t, kStreets> bucket{};
      HandValue value = 0;
    };
    std::array<Hand, kDealt> hand;
  };
  using PerHand = std::array<float, kDealt>;
  void deal(Deal& deal, RandomStream& rng) const;
  int buckets(int street) const { return buckets_[static_cast<std::size_t>(street)]; }

  // Of two cards and a board of none or of three to five.
  int find(std::span<const CardId> own, std::span<const CardId> board) const;

  const HoldemTree& courses() const { return tree_; }
  const PublicTree& tree() const { return tree_.tree(); }
  const poker::Game& game() const { return *game_; }

 private:
  // A street's buckets: limits between shares, and in each part of these limits between chances to beat four.
  struct Limits {
    std::vector<float> share;
    std::vector<std::vector<float>> four;
    std::vector<int> first;  // bucket of every part
  };
  static std::pair<CardId, CardId> pair_of(const poker::HoldemEquities::Position& position);
  void number_pairs();
  void find_limits(int street, int buckets);
  std::vector<CardId> new_deck() const;

  std::shared_ptr<const poker::Game> game_;
  const poker::GameRules& rules_;
  HoldemTree tree_;
  poker::HoldemEquities equities_;
  std::map<std::pair<CardId, CardId>, int> pairs_;
  std::array<Limits, kStreets> limits_;
  std::array<int, kStreets> buckets_{};
};

}  // namespace dealer::abstraction
