#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "agents/abstraction/bucket_mccfr.h"
#include "agents/poker/draw_equity_tables.h"
#include "env/core/random.h"
#include "env/games/poker/game.h"

namespace dealer::abstraction {

// Returns the game; throws UsageError if DrawCards does not support it.
std::shared_ptr<const poker::Game> draw_game(std::shared_ptr<const poker::Game> game);

// The card abstraction of a two-player draw game. For each number of cards only the best discard is considered
// (DrawEquities). Buckets before the draw: by the number of cards in the best discard, then by the mean fraction of
// hands beaten after it. After a draw: by the fraction of hands beaten among those who drew as many.
class DrawCards {
 public:
  // Throws UsageError unless the game is a two-player draw game with one ranking, fixed bets and fresh stacks, and also
  // if it has transparent cards, a stock that may run out, or too many hands for tables.
  DrawCards(std::shared_ptr<const poker::Game> game, int buckets);

  static constexpr int kDiscards = poker::kDrawHand + 1;
  using Hand = std::array<CardId, poker::kDrawHand>;
  using Throws = std::array<std::uint8_t, kDiscards>;  // by the number of cards: bit i discards the i-th lowest

  struct Deal {
    struct Player {
      Hand hand{};
      std::array<CardId, std::size_t{poker::kMaxDraws * poker::kDrawHand}> stock{};  // the cards it would draw
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

  // The bucket of a sorted hand after `draws` draws, the last of which brought `drawn` cards; also its
  // best discards while draws remain.
  int find(std::span<const CardId, poker::kDrawHand> hand, int draws, int drawn, Throws& throws) const;

  const PublicTree& tree() const { return tree_; }
  const poker::Game& game() const { return *game_; }

 private:
  struct BestThrows {
    Throws throws{};
    int best = 0;     // number of cards in the best discard
    float share = 0;  // fraction of hands beaten after it
  };
  BestThrows best_throws(std::span<const CardId, poker::kDrawHand> hand, int left) const;
  void find_limits();
  void deal_cards(Deal& deal, std::vector<CardId>& deck, RandomStream& rng) const;
  void replace(Deal::Player& player, unsigned mask) const;

  std::shared_ptr<const poker::Game> game_;
  const poker::GameRules& rules_;
  PublicTree tree_;
  std::shared_ptr<const poker::Lazy<poker::DrawEquityTables>> lazy_;
  const poker::DrawEquityTables& tables_;
  int buckets_;
  // Before the last draw, by draws made and the best number of cards: the first bucket, and the
  // lower limits of the next ones.
  struct Limits {
    int first = 0;
    std::vector<float> shares;
  };
  std::vector<std::array<Limits, kDiscards>> limits_;
};

}  // namespace dealer::abstraction
