#include "agents/ofc/playouts.h"

#include "env/games/ofc/game.h"
#include "tests/agents/ofc/ofc_support.h"
#include "tests/support/chi_square.h"
#include "tests/support/testing.h"

namespace dealer::ofc::playouts_test {
namespace {

using test::cards;
using test::placements_of;

CardSet set_of(std::span<const Card> list) {
  CardSet set = 0;
  for (const Card card : list) set |= bit(card);
  return set;
}

std::vector<Card> deal(CardSet unseen, std::uint64_t seed, std::int64_t number) {
  std::vector<Card> deck(at(size(unseen)));
  deal_unseen(unseen, seed, number, deck);
  return deck;
}

// A Latin square: in every block of as many deals as there are cards each card occurs once in every position. With 35
// unseen cards, late in a hand, one word of random bits is not enough.
TEST(UnseenDeals, GiveEveryPlaceToEveryCardAsOften) {
  for (const CardSet unseen : {cards("2c 7d 7h Ts As Ad Kc 3d 9s"), ((CardSet{1} << 35) - 1) << 10}) {
    const auto n = at(size(unseen));
    for (const std::uint64_t seed : {1U, 2U, 3U})
      for (const std::size_t block : {0U, 1U, 7U}) {
        std::vector<CardSet> here(n);
        for (std::size_t i = 0; i < n; ++i) {
          const std::vector<Card> deck = deal(unseen, seed, static_cast<std::int64_t>(block * n + i));
          EXPECT_EQ(set_of(deck), unseen);
          for (std::size_t place = 0; place < n; ++place) here[place] |= bit(deck[place]);
        }
        for (std::size_t place = 0; place < n; ++place) EXPECT_EQ(here[place], unseen) << place;
      }
    EXPECT_NE(deal(unseen, 1, 0), deal(unseen, 2, 0));
  }
}

// The deals at one position in their squares are independent of each other, and all orders occur equally often.
TEST(UnseenDeals, OfManySquaresComeInEveryOrderEquallyOften) {
  constexpr int kSquares = 24 * 2000;
  for (const int turn : {0, 3}) {
    std::map<std::vector<Card>, double> exact;
    std::map<std::vector<Card>, int> times;
    for (int square = 0; square < kSquares; ++square) ++times[deal(cards("2c 7d Ts Ad"), 4, square * 4 + turn)];
    for (const auto& [deck, count] : times) exact[deck] = 1.0 / 24;
    ASSERT_EQ(times.size(), 24U);
    EXPECT_LT(test::deviations(exact, times, kSquares), 5);
  }
}

// The last turn: the remaining cards are dealt by the rules, and everything else is known.
class LastTurn : public testing::Test {
 protected:
  static constexpr int kDeals = 30;

  void rules(const std::string& spec) {
    game_ = test::game_of<Game>(spec);
    auto model = std::make_shared<ValueModel>();
    model->net = ValueNet({1});
    for (const bool deals : {false, true})
      for (int cards = 13; cards <= 17; ++cards) model->chain.at(cards, 0, deals) = 9;
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

  // The deals that run() will sample, and their results.
  std::vector<std::vector<Card>> decks(const View& view) const {
    std::vector<std::vector<Card>> all;
    for (int d = 0; d < kDeals; ++d) all.push_back(deal(kFullDeck & ~view.seen(), 7, d));
    return all;
  }
  std::vector<PlayedOut> results(const View& view, std::span<const Placement> placements, int deals, int turns = 0) {
    std::vector<PlayedOut> out(placements.size() * at(deals));
    Playouts(*play_).run(view, placements, 7, 0, deals, turns, out);
    return out;
  }
  std::vector<double> means(const View& view) {
    const std::vector<Placement> placements = placements_of(view);
    EXPECT_EQ(Playouts::horizons(view), 1);
    std::vector<double> mean(placements.size());
    const std::vector<PlayedOut> out = results(view, placements, kDeals);
    for (std::size_t i = 0; i < out.size(); ++i) mean[i % mean.size()] += out[i].stake[0] / kDeals;
    return mean;
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
    at_table.fantasyland[1] = static_cast<std::uint8_t>(hand);
    const std::vector<Placement> placements = placements_of(at_table);
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
  at_table.fantasyland[2] = 14;
  at_table.board[1].row = {cards("Qd Qc"), cards("Td Tc 8d 8c"), cards("6s 6c 6h 5d 5h")};
  const std::vector<Placement> placements = placements_of(at_table);
  std::vector<double> expected(placements.size());
  for (const auto& deck : decks(at_table)) {
    const Board set = fantasyland(std::span(deck).subspan(3, 14));
    PlacementBuffer next;
    const auto count = at(enumerate_placements(at_table.board[1], set_of(std::span(deck).first(3)), 1, next));
    for (std::size_t i = 0; i < placements.size(); ++i) {
      const Board& own = placements[i].board;
      // The network values open boards at 0, so the next player plays against this board.
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

// One turn before the last; the compared placements leave two open places.
class NextToLastTurn : public LastTurn {
 protected:
  View earlier(int players) const {
    View at_table = view(players);
    at_table.board[0].row = {cards("Kd Kc"), cards("9h 9c"), cards("As Ac Ah 7d 7c")};
    at_table.discards = cards("2c 3c");
    at_table.hand = cards("4d 4s 5c");
    at_table.street = 3;
    return at_table;
  }
  // The value of the best setting of three cards against a complete board, the slow way.
  double best(const View& view, const Board& board, CardSet hand, const Board& other) const {
    double most = -1000;
    for (const Placement& placement : placements_of(board, hand, 1))
      most = std::max(most, stake(view, placement.board, other));
    return most;
  }
};

TEST_F(NextToLastTurn, AgainstACompleteBoardTheLastCardsCountAsOnAverage) {
  rules("ofc");
  View at_table = earlier(2);
  at_table.fantasyland[1] = 14;  // and already set
  at_table.board[1].row = {cards("Qd Qc 3h"), cards("Td Tc 8d 8c 2d"), cards("6s 6c 6h 5d 5h")};
  const std::vector<Placement> placements = placements_of(at_table);
  const std::vector<PlayedOut> out = results(at_table, placements, 20);
  EXPECT_EQ(Playouts::horizons(at_table), 2);
  const CardSet unseen = kFullDeck & ~at_table.seen();
  for (std::size_t i = 0; i < placements.size(); ++i) {
    double sum = 0, count = 0;
    for (CardSet a = unseen; a != 0; a &= a - 1)
      for (CardSet b = a & (a - 1); b != 0; b &= b - 1)
        for (CardSet c = b & (b - 1); c != 0; c &= c - 1, ++count)
          sum +=
              best(at_table, placements[i].board, bit(lowest(a)) | bit(lowest(b)) | bit(lowest(c)), at_table.board[1]);
    for (std::size_t d = 0; d < 20; ++d) {
      EXPECT_NEAR(out[d * placements.size() + i].stake[0], sum / count, 1e-4) << i;
      EXPECT_NEAR(out[d * placements.size() + i].stake[1], sum / count, 1e-9) << i;
    }
  }
}

// Against unseen opponent boards the mean must not be changed by the control variate.
TEST_F(NextToLastTurn, InTheDarkTheMeanStays) {
  rules("ofc");
  View at_table = earlier(2);
  at_table.dealer = 1;  // the last to act
  at_table.board[1].row = {cards("Qd Qc"), cards("Td Tc 8d 8c"), cards("6s 6c 6h")};
  const std::vector<Placement> placements = {placements_of(at_table).front()};
  constexpr int kMany = 6000;
  const std::vector<PlayedOut> out = results(at_table, placements, kMany);
  double mean = 0, squares = 0, plain = 0, plain_squares = 0;
  for (int d = 0; d < kMany; ++d) {
    // The network values open boards at 0: the first placement is taken, unless both boards are complete.
    const std::vector<Card> deck = deal(kFullDeck & ~at_table.seen(), 7, d);
    PlacementBuffer next;
    (void)enumerate_placements(at_table.board[1], set_of(std::span(deck).first(3)), 1, next);
    const Board other = next.front().board;
    (void)enumerate_placements(placements[0].board, set_of(std::span(deck).subspan(3, 3)), 1, next);
    const Board own = next.front().board;
    const auto count = enumerate_placements(other, set_of(std::span(deck).subspan(6, 3)), 1, next);
    const Placement* reply =
        std::max_element(next.data(), next.data() + count, [&](const Placement& a, const Placement& b) {
          return play_->end_of_hand().stake(evaluate(a.board), evaluate(own), false, true) <
                 play_->end_of_hand().stake(evaluate(b.board), evaluate(own), false, true);
        });
    const double points = stake(at_table, own, reply->board);
    plain += points / kMany;
    plain_squares += points * points / kMany;
    const double result = out[at(d)].stake[1];
    mean += result / kMany;
    squares += result * result / kMany;
  }
  EXPECT_NEAR(mean, plain, 5 * std::sqrt((plain_squares - plain * plain) / kMany));
  EXPECT_NE(squares, plain_squares) << "there is one";
}

TEST_F(NextToLastTurn, IsOfItsDealsAndStopsAtTheTurnThatItIsToldTo) {
  rules("ofc");
  View at_table = earlier(2);
  at_table.board[1].row = {cards("Qd Qc"), cards("Td Tc 8d 8c"), cards("6s 6c 6h")};
  const std::vector<Placement> placements = placements_of(at_table);
  const std::vector<PlayedOut> all = results(at_table, placements, 40), next = results(at_table, placements, 5, 1);
  for (std::size_t i = 0; i < next.size(); ++i) {
    EXPECT_EQ(next[i].stake[0], all[i].stake[0]);
    EXPECT_EQ(next[i].stake[1], 0);
  }
  std::vector<PlayedOut> later(placements.size() * 10);
  Playouts(*play_).run(at_table, placements, 7, 30, 10, 0, later);
  for (std::size_t i = 0; i < later.size(); ++i) EXPECT_EQ(later[i].stake, all[placements.size() * 30 + i].stake);
}

}  // namespace
}  // namespace dealer::ofc::playouts_test
