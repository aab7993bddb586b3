// Sampled states: every deal that agrees with the observation is equally frequent, and hidden choices are distributed
// as documented in State::Sampler. Compared with the exact probabilities.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <ranges>

#include "env/core/error.h"
#include "env/games/ofc/observation_parts.h"
#include "tests/env/games/ofc/rule_sets.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/error_message.h"

namespace dealer::ofc::sampler_test {
namespace {

using test::error_message;
using test::repetitions;

// Chi-square of equally likely cells, in standard deviations above its mean.
double excess(const std::vector<std::int64_t>& counts) {
  double draws = 0, sum = 0;
  for (const std::int64_t count : counts) draws += static_cast<double>(count);
  const double cells = static_cast<double>(counts.size()), expected = draws / cells;
  for (const std::int64_t count : counts) sum += std::pow(static_cast<double>(count) - expected, 2) / expected;
  return (sum - (cells - 1)) / std::sqrt(2 * (cells - 1));
}
constexpr double kLimit = 5;

// Plays at random until the seat is to act on that street, with all its cards in hand.
State reach(const GameRules& rules, std::uint64_t seed, int street, Seat seat) {
  State state;
  state.deal(rules, seed, {}, 0);
  RandomStream rng(seed, 1);
  while (state.street() != street || state.current_player() != seat)
    state.apply_and_hold(test::random_action(state.legal_mask(), rng));
  return state;
}

std::vector<Card> list(CardSet cards) {
  std::vector<Card> all;
  for_each(cards, [&](Card card) { all.push_back(card); });
  return all;
}

// Number of a set of positions among all sets of so many, in the combinatorial number system.
std::size_t number_of(const std::vector<Card>& universe, CardSet cards) {
  std::size_t number = 0, k = 0;
  for (std::size_t position = 0; position < universe.size(); ++position) {
    if ((cards & bit(universe[position])) == 0) continue;
    ++k;
    std::size_t choose = 1;
    for (std::size_t i = 0; i < k; ++i) choose = choose * (position - i) / (i + 1);
    if (position >= k) number += choose;
  }
  return number;
}

TEST(OfcSampler, EveryUnseenCardIsEquallyLikelyToBeAnywhere) {
  for (const int players : {2, 3}) {
    const GameRules rules = rules_for(players, Episode::kHand);
    // The first to act on a middle street: others hold cards, and more are to come.
    const State state = reach(rules, 5, 2, 1);
    const State::Sampler sampler(rules, observation(state, 1));
    const std::vector<Card> unseen = list(kFullDeck & ~state.view(1).seen());
    // By place of a card: discarded by a seat, held by it, dealt to it later.
    std::map<std::string, std::array<std::int64_t, kCards>> counts;
    RandomStream rng(8);
    const int draws = repetitions(60000);
    for (int draw = 0; draw < draws; ++draw) {
      State sampled = sampler.draw(rng);
      const auto count = [&](const std::string& place, CardSet cards) {
        for_each(cards, [&](Card card) { ++counts[place][card]; });
      };
      for (Seat seat = 0; seat < players; ++seat) {
        if (seat == 1) continue;
        count("discarded by " + std::to_string(seat), sampled.discards(seat));
        count("held by " + std::to_string(seat), sampled.hand(seat));
      }
      while (!sampled.hand_over()) {
        const Seat seat = sampled.current_player();
        const int street = sampled.street();
        if (street > 2)
          count("seat " + std::to_string(seat) + ", street " + std::to_string(street), sampled.hand(seat));
        while (sampled.current_player() == seat && sampled.street() == street)
          sampled.apply_and_hold(std::countr_zero(sampled.legal_mask()));
      }
    }
    EXPECT_EQ(counts.size(), static_cast<std::size_t>(2 * (players - 1) + 2 * players));
    for (const auto& [place, of_card] : counts) {
      std::vector<std::int64_t> cells;
      std::int64_t all = 0;
      for (const Card card : unseen) cells.push_back(of_card[card]);
      for (const std::int64_t n : of_card) all += n;
      EXPECT_EQ(all, std::accumulate(cells.begin(), cells.end(), std::int64_t{0})) << "seen cards are dealt again";
      EXPECT_LT(excess(cells), kLimit) << place << " of " << players;
    }
  }
}

// On the last street, with 24 cards unseen: every triple held by the other, every triple it has discarded, every pair
// of a discard and a card held.
TEST(OfcSampler, HandsOfTheOtherPlayerAreExactlyUniform) {
  const GameRules rules = rules_for(2, Episode::kHand);
  const State state = reach(rules, 6, 4, 1);
  const State::Sampler sampler(rules, observation(state, 1));
  const std::vector<Card> unseen = list(kFullDeck & ~state.view(1).seen());
  ASSERT_EQ(unseen.size(), 24U);
  constexpr std::size_t kTriples = 24 * 23 * 22 / 6;
  std::vector<std::int64_t> held(kTriples), discarded(kTriples), pairs(24 * 23);
  RandomStream rng(9);
  const int draws = repetitions(200000);
  for (int draw = 0; draw < draws; ++draw) {
    const State sampled = sampler.draw(rng);
    ASSERT_EQ(size(sampled.hand(0)), 3);
    ASSERT_EQ(size(sampled.discards(0)), 3);
    ++held[number_of(unseen, sampled.hand(0))];
    ++discarded[number_of(unseen, sampled.discards(0))];
    for_each(sampled.hand(0), [&](Card card) {
      for_each(sampled.discards(0), [&](Card other) {
        const std::size_t i = number_of(unseen, bit(card)), j = number_of(unseen, bit(other));
        ++pairs[i * 23 + (j > i ? j - 1 : j)];
      });
    });
  }
  EXPECT_LT(excess(held), kLimit);
  EXPECT_LT(excess(discarded), kLimit);
  // Nine dependent pairs per draw: wider bounds for the chi-square.
  EXPECT_LT(excess(pairs), kLimit * 3);
}

// Each player observes the turn of its own discards: each is any unseen card.
TEST(OfcSampler, DiscardsAreAnyUnseenCardsOnEveryStreet) {
  const GameRules rules = rules_for(2, Episode::kHand);
  State state = reach(rules, 10, 4, 0);
  RandomStream rng(10);
  while (!state.hand_over()) state.apply_and_hold(test::random_action(state.legal_mask(), rng));
  const State::Sampler sampler(rules, observation(state, 0));
  const std::vector<Card> unseen = list(kFullDeck & ~state.view(0).seen());
  ASSERT_EQ(unseen.size(), 22U);
  std::array<std::vector<std::int64_t>, 5> counts;
  counts.fill(std::vector<std::int64_t>(unseen.size()));
  const ObservationParts part(2);
  for (int draw = 0; draw < repetitions(60000); ++draw) {
    const std::vector<float> seen = observation(sampler.draw(rng), 1);
    for (std::size_t i = 0; i < unseen.size(); ++i)
      if (const float street = seen[static_cast<std::size_t>(part.discards) + unseen[i]]; street != 0)
        ++counts[static_cast<std::size_t>(std::lround(street * 5)) - 1][i];
  }
  for (std::size_t street = 1; street < 5; ++street) EXPECT_LT(excess(counts[street]), kLimit) << "street " << street;
}

// A hidden Fantasyland hand: any division of its cards, whatever they are.
TEST(OfcSampler, UnseenFantasylandBoardsAreSetInAnyWay) {
  for (const int cards : {14, 17}) {
    GameRules rules;
    rules.scoring.bonus.fantasyland_cards.fill(static_cast<std::uint8_t>(cards));
    State state;
    state.deal(rules, 3, {0, static_cast<std::uint8_t>(cards), 0}, 0);
    RandomStream rng(11);
    while (state.current_player() == 1) state.apply_and_hold(test::random_action(state.legal_mask(), rng));
    const State::Sampler sampler(rules, observation(state, 0));
    const auto choose = [&](int k) {
      std::size_t sets = 1;
      for (int i = 0; i < k; ++i) sets = sets * static_cast<std::size_t>(cards - i) / static_cast<std::size_t>(i + 1);
      return sets;
    };
    const auto n = static_cast<std::size_t>(cards);
    std::vector<std::int64_t> front(choose(3)), discards(choose(cards - 13)), middle(n), back(n), dealt(47);
    const std::vector<Card> unseen = list(kFullDeck & ~state.view(0).seen());
    ASSERT_EQ(unseen.size(), dealt.size());
    for (int draw = 0; draw < repetitions(100000); ++draw) {
      const State sampled = sampler.draw(rng);
      const Board& board = sampled.board(1);
      ASSERT_TRUE(board.complete());
      const std::vector<Card> hand = list(board.cards() | sampled.discards(1));
      ASSERT_EQ(hand.size(), n);
      ++front[number_of(hand, board.row[kFront])];
      ++discards[number_of(hand, sampled.discards(1))];
      for (std::size_t i = 0; i < n; ++i) {
        middle[i] += (board.row[kMiddle] & bit(hand[i])) != 0 ? 1 : 0;
        back[i] += (board.row[kBack] & bit(hand[i])) != 0 ? 1 : 0;
      }
      for (std::size_t i = 0; i < unseen.size(); ++i)
        dealt[i] += std::find(hand.begin(), hand.end(), unseen[i]) != hand.end() ? 1 : 0;
    }
    for (const auto& counts : {front, discards, middle, back, dealt}) EXPECT_LT(excess(counts), kLimit) << cards;
  }
}

// Before an observer in Fantasyland the others have placed their opening cards in one of 232 ways.
TEST(OfcSampler, UnseenOpeningsAreAnyOfAllWays) {
  const GameRules rules;
  State state;
  state.deal(rules, 3, {14, 0, 0}, 0);
  RandomStream rng(12);
  while (state.current_player() == 1) state.apply_and_hold(test::random_action(state.legal_mask(), rng));
  ASSERT_EQ(state.current_player(), 0);
  const State::Sampler sampler(rules, observation(state, 0));
  std::map<int, std::int64_t> ways;
  for (int draw = 0; draw < repetitions(100000); ++draw) {
    const State sampled = sampler.draw(rng);
    const Board& board = sampled.board(1);
    int way = 0;
    for_each(board.cards(), [&](Card card) {
      way = way * 3 + ((board.row[kFront] & bit(card)) != 0 ? 0 : (board.row[kMiddle] & bit(card)) != 0 ? 1 : 2);
    });
    ++ways[way];
  }
  ASSERT_EQ(ways.size(), 232U);
  EXPECT_LT(excess({std::views::values(ways).begin(), std::views::values(ways).end()}), kLimit);
}

TEST(OfcSampler, ContradictionsAreRefused) {
  const GameRules rules = rules_for(2, Episode::kMatch);
  const ObservationParts part(2);
  const State state = reach(rules, 4, 3, 1);
  const std::vector<float> good = observation(state, 1);
  EXPECT_NO_THROW(State::Sampler(rules, good));
  const auto refusal = [&](const std::vector<float>& data) {
    return error_message<UsageError>([&] { State::Sampler(rules, data); });
  };
  const int own = lowest(state.board(1).row[kBack]), other = lowest(state.board(0).row[kBack]);
  const int own_back = part.rows + 2 * kCards + own, other_back = part.rows + 5 * kCards + other;
  for (const auto& [index, value, words] :
       {std::tuple(other_back, 0.0F, "street"),
        {own_back, 0.0F, "street"},
        {part.rows + 4 * kCards + own, 0.2F, "two places"},
        {other_back, good[static_cast<std::size_t>(other_back)] + 0.01F, "contradict"},
        {part.won, 0.25F, "contradict"},
        {part.hands, 1.0F / 3, "contradict"},
        {part.points, 1.0F, "cannot occur"},
        {part.next + own, 1.0F, "contradict"},
        {part.fantasyland + 1, 1.0F, "nobody can see yet"},
        {part.out + 1, 1.0F, "out"}}) {
    std::vector<float> data = good;
    data[static_cast<std::size_t>(index)] = value;
    EXPECT_NE(refusal(data).find(words), std::string::npos) << words << ": " << refusal(data);
  }
  EXPECT_NE(refusal({good.begin(), good.end() - 1}).find("numbers"), std::string::npos);
}

}  // namespace
}  // namespace dealer::ofc::sampler_test
