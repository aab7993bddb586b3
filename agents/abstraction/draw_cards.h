#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "agents/abstraction/bucket_mccfr.h"
#include "agents/poker/draw_tables.h"
#include "env/core/random.h"
#include "env/games/poker/game.h"

namespace dealer::abstraction {

// The game; throws UsageError where DrawCards cannot be of it.
std::shared_ptr<const poker::Game> draw_game(std::shared_ptr<const poker::Game> game);

// Hands of a draw game for two. A discard is the best throw of so many cards (DrawMeans). Buckets before the draw: by
// how many cards the best throw has, then by the share of hands it makes the hand beat on average. After a draw: by the
// share of hands beaten of those who drew as many.
class DrawCards {
 public:
  // Throws UsageError when the game is no draw game for two with one ranking, fixed bets and fresh stacks, or has
  // transparent cards, a stock that may run out, or too many hands for tables.
  DrawCards(std::shared_ptr<const poker::Game> game, int buckets);

  static constexpr int kDiscards = poker::kDrawHand + 1;
  using Hand = std::array<CardId, poker::kDrawHand>;
  using Throws = std::array<std::uint8_t, kDiscards>;  // by the number of cards: bit i throws the i-th lowest

  struct Deal {
    struct Player {
      Hand hand{};
      std::array<CardId, std::size_t{poker::kMaxDraws * poker::kDrawHand}> stock{};  // what it would draw
      Throws throws{};
      HandValue value = 0;
      int draws = 0;
      int bucket = 0;
    };
    std::array<Player, 2> player;
  };
  void deal(Deal& deal, RandomStream& rng) const;
  void draw(Deal& deal, int position, int option) const;
  static int cards_of(int option) { return option; }
  int bucket(const Deal& deal, int position) const { return deal.player[at(position)].bucket; }
  int winner(const Deal& deal) const {
    const HandValue a = deal.player[0].value, b = deal.player[1].value;
    return static_cast<int>(a > b) - static_cast<int>(a < b);
  }
  int buckets(int /*stage*/) const { return buckets_; }

  // Of a sorted hand after so many draws, of which the last brought `drawn` cards; and its throws, while there are
  // draws to come.
  int find(std::span<const CardId, poker::kDrawHand> hand, int draws, int drawn, Throws& throws) const;

  const PublicTree& tree() const { return tree_; }
  const poker::Game& game() const { return *game_; }

 private:
  struct BestThrows {
    Throws throws{};
    int best = 0;     // cards that the best throw has
    float share = 0;  // of hands that it makes the hand beat
  };
  BestThrows best_throws(std::span<const CardId, poker::kDrawHand> hand, int left) const;
  void find_limits();
  void deal_cards(Deal& deal, std::vector<CardId>& deck, RandomStream& rng) const;
  void replace(Deal::Player& player, unsigned mask) const;

  std::shared_ptr<const poker::Game> game_;
  const poker::GameRules& rules_;
  PublicTree tree_;
  std::shared_ptr<const poker::Lazy<poker::DrawTables>> lazy_;
  const poker::DrawTables& tables_;
  int buckets_;
  // Before the last draw, by draws made and the best number of cards: the first bucket, and the shares at which the
  // next ones begin.
  struct Limits {
    int first = 0;
    std::vector<float> shares;
  };
  std::vector<std::array<Limits, kDiscards>> limits_;
};

}  // namespace dealer::abstraction
