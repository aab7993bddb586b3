#include "agents/ofc/rollouts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "env/core/registry.h"
#include "env/games/ofc/game.h"

namespace dealer::ofc {
namespace {

CardSet cards(std::string_view text) { return to_set(parse_cards(text)); }

CardSet set_of(std::span<const Card> list) {
  CardSet set = 0;
  for (const Card card : list) set |= bit(card);
  return set;
}

double chi_squared(const std::vector<int>& counts, double expected) {
  double chi2 = 0;
  for (const int count : counts) chi2 += (count - expected) * (count - expected) / expected;
  return chi2;
}

// Five standard deviations above the mean.
double limit(double freedom) { return freedom + 5 * std::sqrt(2 * freedom); }

TEST(RandomDeals, AreOfTheUnseenCards) {
  RandomStream rng(1);
  const CardSet unseen = cards("2c 7d 7h Ts As Ad Kc");
  const auto decks = random_deals(unseen, 50, rng);
  ASSERT_EQ(decks.size(), 50U);
  for (const auto& deck : decks) {
    EXPECT_EQ(deck.size(), 7U);
    EXPECT_EQ(set_of(deck), unseen);
  }
}

TEST(RandomDeals, ComeInEveryOrderEquallyOften) {
  constexpr int kDeals = 24 * 2000;
  RandomStream rng(2);
  std::map<int, int> times;
  for (const auto& deck : random_deals(cards("2c 7d Ts Ad"), kDeals, rng))
    ++times[((deck[0] * kCards + deck[1]) * kCards + deck[2]) * kCards + deck[3]];
  ASSERT_EQ(times.size(), 24U);
  std::vector<int> counts;
  for (const auto& [order, count] : times) counts.push_back(count);
  EXPECT_LT(chi_squared(counts, kDeals / 24.0), limit(23));
}

// As many cards as are unseen late in a hand, and more than one word of random bits draws at once.
TEST(RandomDeals, PutEveryCardAnywhere) {
  constexpr int kDeals = 40000;
  constexpr std::size_t kCardsLeft = 35;
  CardSet unseen = 0;
  for (std::size_t i = 0; i < kCardsLeft; ++i) unseen |= bit(static_cast<Card>(i + 10));
  RandomStream rng(3);
  std::vector<int> counts(kCardsLeft * kCardsLeft);
  for (const auto& deck : random_deals(unseen, kDeals, rng))
    for (std::size_t place = 0; place < kCardsLeft; ++place) ++counts[place * kCardsLeft + deck[place] - 10];
  EXPECT_LT(chi_squared(counts, static_cast<double>(kDeals) / kCardsLeft), limit(34.0 * 34.0));
}

// The last turn: what is still to come is dealt by the rules, and everything else is known.
class LastTurn : public testing::Test {
 protected:
  static constexpr int kDeals = 30;

  void rules(const std::string& spec) {
    game_ = std::dynamic_pointer_cast<const Game>(make_game(spec));
    auto model = std::make_shared<ValueModel>();
    model->net = ValueNet({1});
    for (const bool deals : {false, true}) model->chain.at(true, false, deals) = 9;
    play_ = std::make_unique<ModelPlay>(model, game_->rules());
  }

  // Kings, nines and fours, aces full: trip kings in front foul unless the middle becomes a full house.
  View view(int players) const {
    View view;
    view.players = players;
    view.board[0].row = {cards("Kd Kc"), cards("9h 9c 4d 4s"), cards("As Ac Ah 7d 7c")};
    view.discards = cards("2c 3c 5c");
    view.hand = cards("Kh 4h 2s");
    view.street = 4;
    view.places_left = 2;
    view.discards_left = 1;
    return view;
  }

  std::vector<Placement> candidates(const View& view) const {
    PlacementBuffer buffer;
    const int count = enumerate_placements(view.board[0], view.hand, view.discards_left, buffer);
    return {buffer.begin(), buffer.begin() + count};
  }

  // The deals that evaluate() will draw, and what it makes of them.
  std::vector<std::vector<Card>> decks(const View& view) const {
    RandomStream rng(7);
    return random_deals(kFullDeck & ~view.seen(), kDeals, rng);
  }
  std::vector<double> means(const View& view) {
    RandomStream rng(7);
    return Rollouts(*play_).evaluate(view, candidates(view), kDeals, Horizon::kEndOfHand, rng);
  }

  double stake(const View& view, const Board& own, const Board& other) const {
    return play_->end_of_hand().stake(evaluate(own), evaluate(other), false, view.dealer == 0);
  }
  Board fantasyland(std::span<const Card> hand) const {
    return solve_fantasyland(set_of(hand), play_->fantasyland_goal()).board;
  }

  std::shared_ptr<const Game> game_;
  std::unique_ptr<ModelPlay> play_;
};

TEST_F(LastTurn, AnOpponentInFantasylandSetsAllItsCards) {
  for (const std::size_t hand : {14U, 17U}) {
    rules("ofc[fantasyland.cards=" + std::to_string(hand) + "]");
    View at_table = view(2);
    at_table.fantasyland[1] = true;
    const std::vector<Placement> placements = candidates(at_table);
    std::vector<double> expected(placements.size());
    for (const auto& deck : decks(at_table))
      for (std::size_t i = 0; i < placements.size(); ++i)
        expected[i] += stake(at_table, placements[i].board, fantasyland(std::span(deck).first(hand))) / kDeals;
    const std::vector<double> mean = means(at_table);
    ASSERT_EQ(mean.size(), expected.size());
    for (std::size_t i = 0; i < mean.size(); ++i) EXPECT_NEAR(mean[i], expected[i], 1e-9) << i;
  }
}

// Three at the table: the next player gets three cards and plays, and Fantasyland is set from the cards after them.
TEST_F(LastTurn, NobodyGetsTheSameCards) {
  rules("ofc[players=3]");
  View at_table = view(3);
  at_table.dealer = 2;
  at_table.fantasyland[2] = true;
  at_table.board[1].row = {cards("Qd Qc"), cards("Td Tc 8d 8c"), cards("6s 6c 6h 5d 5h")};
  const std::vector<Placement> placements = candidates(at_table);
  std::vector<double> expected(placements.size());
  for (const auto& deck : decks(at_table)) {
    const Board set = fantasyland(std::span(deck).subspan(3, 14));
    PlacementBuffer next;
    const auto count =
        static_cast<std::size_t>(enumerate_placements(at_table.board[1], set_of(std::span(deck).first(3)), 1, next));
    for (std::size_t i = 0; i < placements.size(); ++i) {
      const Board& own = placements[i].board;
      // The network says 0 of what is open, so that the next player plays against this board.
      const auto best = std::max_element(next.begin(), next.begin() + static_cast<std::ptrdiff_t>(count),
                                         [&](const Placement& a, const Placement& b) {
                                           return stake(at_table, a.board, own) < stake(at_table, b.board, own);
                                         });
      expected[i] += (stake(at_table, own, best->board) + stake(at_table, own, set)) / kDeals;
    }
  }
  const std::vector<double> mean = means(at_table);
  for (std::size_t i = 0; i < mean.size(); ++i) EXPECT_NEAR(mean[i], expected[i], 1e-9) << i;
}

}  // namespace
}  // namespace dealer::ofc
