// What networks are told of small draw poker.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "agents/encoder.h"
#include "env/core/random.h"
#include "env/core/registry.h"
#include "env/games/small/game.h"
#include "tests/env/harness/random_play.h"

namespace dealer::small::facts_test {
namespace {

std::map<std::string, float> facts_of(const dealer::Game& game, const Encoder& encoder, const State& state, Seat seat) {
  std::vector<float> numbers(static_cast<std::size_t>(game.observation_spec().size())), facts(encoder.names().size());
  state.observe(seat, numbers.data());
  encoder.encode(numbers.data(), facts.data());
  std::map<std::string, float> named;
  for (std::size_t i = 0; i < facts.size(); ++i) named[encoder.names()[i]] = facts[i];
  return named;
}

// Cards by rank, counted from the words for them, at all decisions of random hands.
TEST(SmallFacts, CountTheCardsOfEveryRank) {
  for (const char* spec : {"mini_draw", "mini_draw[ranks=5,suits=3,hand=3]"}) {
    const GamePtr game = make_game(spec);
    const EncoderPtr encoder = make_encoder(game);
    ASSERT_TRUE(encoder) << spec;
    const Rules& rules = as_small(*game)->rules();
    const int ranks = rules.options().ranks, most = std::min(rules.options().suits, rules.options().hand);
    ASSERT_EQ(encoder->names().size(), static_cast<std::size_t>(ranks * (3 * most + 1)));
    int pairs = 0, drawn = 0, thrown = 0, next = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      State state;
      state.reset(rules, seed);
      RandomStream rng(seed, 5);
      while (!state.hand_over()) {
        const Seat seat = state.current_player();
        const auto facts = facts_of(*game, *encoder, state, seat);
        std::map<char, int> held;
        const std::string text = rules.to_string(state.hand(seat));
        for (std::size_t i = 0; i < text.size(); i += 3) ++held[text[i]];
        int all = 0;
        for (Card card = 0; card < rules.options().cards(); card = static_cast<Card>(card + rules.options().suits)) {
          const std::string rank = rules.to_string(card).substr(0, 1);
          for (int count = 1; count <= most; ++count) {
            const std::string behind = rank + '.' + std::to_string(count);
            ASSERT_EQ(facts.at("held." + behind), held[rank[0]] >= count ? 1 : 0) << text << ' ' << behind;
            all += static_cast<int>(facts.at("held." + behind));
            drawn += static_cast<int>(facts.at("drawn." + behind));
            thrown += static_cast<int>(facts.at("discarded." + behind));
            if (count == 2) pairs += static_cast<int>(facts.at("held." + behind));
          }
          next += static_cast<int>(facts.at("next." + rank));
        }
        ASSERT_EQ(all, static_cast<int>((text.size() + 1) / 3));
        std::vector<float> numbers(static_cast<std::size_t>(game->observation_spec().size()));
        state.observe(seat, numbers.data());
        const int first = game->observation_spec().find("next")->offset;
        std::map<std::string, float> asked;  // by rank
        for (int card = 0; card < rules.options().cards(); ++card)
          asked[rules.to_string(static_cast<Card>(card)).substr(0, 1)] +=
              numbers[static_cast<std::size_t>(first + card)];
        for (const auto& [rank, about] : asked) ASSERT_EQ(facts.at("next." + rank), about) << rank;
        state.apply(test::random_action(state.legal_mask(), rng));
      }
    }
    for (const int seen : {pairs, drawn, thrown, next}) EXPECT_GT(seen, 20) << spec;
  }
}

// Deals that differ by the names of suits look alike.
TEST(SmallFacts, SuitsDoNotMatter) {
  const GamePtr game = make_game("mini_draw");
  const EncoderPtr encoder = make_encoder(game);
  const Rules& rules = as_small(*game)->rules();
  std::map<std::string, std::map<std::string, float>> seen;  // by the ranks held
  int again = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    State state;
    state.reset(rules, seed);
    std::string ranks, hand = rules.to_string(state.hand(0));
    for (std::size_t i = 0; i < hand.size(); i += 3) ranks += hand[i];
    const auto facts = facts_of(*game, *encoder, state, 0);
    const auto [place, first] = seen.emplace(ranks, facts);
    again += first ? 0 : 1;
    EXPECT_EQ(place->second, facts) << hand;
  }
  EXPECT_EQ(seen.size(), 6U);
  EXPECT_GT(again, 100);
}

TEST(SmallFacts, OnlyDrawPokerHasThem) {
  EXPECT_FALSE(make_encoder(make_game("leduc")));
  EXPECT_FALSE(make_encoder(make_game("kuhn")));
}

}  // namespace
}  // namespace dealer::small::facts_test
