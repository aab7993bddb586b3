// Sampled positions of any rules; changed positions: cards permuted, hands reset to their first
// decision.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <optional>
#include <vector>

#include "env/cards/shuffle.h"
#include "env/core/registry.h"
#include "env/games/poker/game.h"
#include "env/games/poker/script.h"
#include "tests/env/games/poker/table.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/temp_folder.h"

namespace dealer::poker::positions_test {
namespace {

// The sampler accepts every position of any rules, every state that it draws is possible, and hidden cards do not
// affect a seat's observation. Ten million positions:
// DEALER_POSITIONS=10000000 dealer_env_tests --gtest_filter='PokerSampler.*'
struct Counts {
  long positions = 0, drawing_games = 0, reshuffling = 0, ends = 0, different = 0;
};

// Most cards are discarded, so that stocks run out; bets are of any amount.
void play_on(State& state, RandomStream& rng) {
  if (state.drawing()) {
    const std::uint32_t mask = rng.below(3) == 0 ? rng.below(32) : 31;
    state.apply_and_hold(state.rules().first_discard() + static_cast<Action>(mask));
    return;
  }
  const AmountRange range = state.amount_range();
  if (!range.empty() && rng.below(8) == 0) {
    const auto more = static_cast<std::uint32_t>(range.high - range.low);
    return state.bet_to_and_hold(range.low + static_cast<Chips>(rng.below(more + 1)));
  }
  const std::uint64_t legal = state.legal_mask(), no_fold = legal & ~std::uint64_t{1};
  const bool folds = rng.below(10) == 0 || no_fold == 0;
  state.apply_and_hold(rng.below(3) != 0 ? kCall : test::random_action(folds ? legal : no_fold, rng));
}

void check_position(const State& state, RandomStream& rng, Counts& counts) {
  const GameRules& rules = state.rules();
  const auto seat = static_cast<Seat>(rng.below(static_cast<std::uint32_t>(rules.players)));
  const std::vector<float> seen = observed(state, seat);
  ASSERT_TRUE(state.valid());
  ASSERT_EQ(State::decode(rules, seen), state.view(seat));
  const State::Sampler sampler(rules, seen);
  for (int i = 0; i < 2; ++i) {
    const State sampled = sampler.draw(rng);
    ASSERT_TRUE(sampled.valid()) << state.to_string(seat);
    ASSERT_EQ(observed(sampled, seat), seen) << state.to_string(seat);
    ASSERT_EQ(sampled.legal_mask(), state.legal_mask());
    ASSERT_EQ(sampled.to_string(seat), state.to_string(seat));
    for (Seat other = 0; other < rules.players; ++other)
      counts.different +=
          std::equal(state.cards(other).begin(), state.cards(other).end(), sampled.cards(other).begin()) ? 0 : 1;
  }
  ++counts.positions;
  counts.drawing_games += rules.draws > 0 ? 1 : 0;
  counts.reshuffling += rules.draws == 3 && rules.players == 6 ? 1 : 0;
  counts.ends += state.hand_over() ? 1 : 0;
}

// The stock of twenty cards, or for six players, runs out in every draw: cards come back to the player who discarded
// them, through others' hands.
std::string few_cards(const std::string& deck, RandomStream& rng) {
  constexpr std::array<const char*, 4> kMixes = {"none", "replace_suit", "replace_random", "add"};
  const bool many = rng.below(2) == 0;
  return fmt::format("procedure: draw\ndeck: {}\nplayers: {}\ndraws: {}\nwashizu: {}\njokers: {}\n",
                     many ? "standard_52" : deck, many ? 6 : 2 + rng.below(2), many ? 3 : 1 + rng.below(3),
                     kMixes[rng.below(4)], many ? rng.below(3) : 0);
}

TEST(PokerSampler, RefusesNoPositionOfAnyRules) {
  const char* const asked = std::getenv("DEALER_POSITIONS");
  const long wanted = asked != nullptr ? std::atol(asked) : test::repetitions(60000);
  const test::TempFolder folder;
  const std::string small = (folder / "small.yaml").string();
  test::write_bytes(small, small_deck("2 3 4 5 6", "shdc"));
  Counts counts;
  for (std::uint64_t seed = 0; counts.positions < wanted; ++seed) {
    RandomStream rng(seed, 51);
    const std::string text = rng.below(8) == 0 ? few_cards(small, rng) : random_rules_text(rng);
    SCOPED_TRACE(text);
    const std::optional<GameRules> rules = allowed_rules(text);
    if (!rules) continue;
    State state;
    for (int episode = 0; episode < 10; ++episode) {
      state.reset_and_hold(*rules, rng.bits64());
      for (int hand = 0; hand < 5; ++hand) {
        for (;; play_on(state, rng)) {
          if (rng.below(3) == 0 || state.hand_over()) {
            ASSERT_NO_THROW(check_position(state, rng, counts));
          }
          if (testing::Test::HasFailure()) return;
          if (state.hand_over()) break;
        }
        if (state.episode_over()) break;
        state.next_hand();
        if (state.hand_over()) break;
      }
    }
  }
  EXPECT_GT(counts.drawing_games, wanted / 8);
  EXPECT_GT(counts.reshuffling, wanted / 16);
  EXPECT_GT(counts.ends, wanted / 8);
  EXPECT_GT(counts.different, wanted);
  RecordProperty("positions", static_cast<int>(counts.positions));
}

// A former failure for every seed: a card just discarded came back through another player's hand.
TEST(PokerSampler, AReshuffleThatWasRefusedOnceIsSampled) {
  const GamePtr game = make_game("draw[players=6,draws=3]");
  const auto env = game->new_env();
  env->reset(229);
  std::vector<Action> actions(6, 1);
  const auto then = [&](std::initializer_list<Action> more) { actions.insert(actions.end(), more); };
  then({6, 34, 34, 34, 34, 11, 1, 1, 1, 1, 1, 1, 9, 20, 34, 34, 34, 34, 1, 1, 1, 1, 1, 1});
  then({34, 34, 34, 34, 34, 34, 1, 1, 1});
  for (const Action action : actions) env->step(action);
  const auto sampled = game->new_env();
  for (Seat seat = 0; seat < 6; ++seat)
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      sampled->sample_state(env->observe(seat), seed);
      ASSERT_EQ(sampled->observe(seat).data, env->observe(seat).data);
    }
}

bool same(const State& a, const State& b) { return std::memcmp(&a, &b, sizeof(State)) == 0; }

// Permuted cards: the position stays valid, and everything else is unchanged.
class ExchangeCards : public testing::TestWithParam<const char*> {};

TEST_P(ExchangeCards, MovesThemWhereverTheyLie) {
  const GamePtr game = make_game(GetParam());
  const GameRules& rules = as_poker(*game)->rules();
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    State before;
    before.reset_and_hold(rules, seed);
    RandomStream rng(seed);
    for (auto calls = rng.below(4); calls > 0 && !before.drawing(); --calls) before.apply_and_hold(1);
    // Up cards determine the first to act, so they are fixed.
    std::vector<CardId> from;
    for (int card = 0; card < rules.deck->cards_in_play(); ++card)
      from.push_back(rules.new_deck[static_cast<std::size_t>(card)]);
    for (Seat seat = 0; seat < rules.players; ++seat)
      for (std::size_t i = 0; i < before.cards(seat).size(); ++i)
        if (before.is_up(i)) std::erase(from, before.cards(seat)[i]);
    std::vector<CardId> to = from;
    shuffle_first(std::span(to), to.size(), rng);
    std::array<CardId, kMaxDeckCards> by{}, back{};
    std::iota(by.begin(), by.end(), CardId{0});
    for (std::size_t i = 0; i < from.size(); ++i) by[from[i]] = to[i];
    for (std::size_t card = 0; card < by.size(); ++card) back[by[card]] = static_cast<CardId>(card);
    const auto changed = [&](std::span<const CardId> cards) {
      std::vector<CardId> others;
      for (const CardId card : cards) others.push_back(by[card]);
      return others;
    };
    const auto list = [](std::span<const CardId> cards) { return std::vector<CardId>(cards.begin(), cards.end()); };
    State after = before;
    after.exchange_cards(by);
    EXPECT_TRUE(after.valid());
    for (Seat seat = 0; seat < rules.players; ++seat) {
      std::vector<CardId> expected = changed(before.cards(seat));
      if (rules.draws > 0) std::sort(expected.begin(), expected.end());
      EXPECT_EQ(list(after.cards(seat)), expected);
    }
    EXPECT_EQ(list(after.board()), changed(before.board()));
    // Cards dealt from now on are permuted alike, and no action differs.
    State again = after;
    again.exchange_cards(back);
    EXPECT_TRUE(same(again, before));
    for (State* state : {&before, &after})
      while (!state->hand_over() && !state->drawing()) state->apply_and_hold(1);
    EXPECT_TRUE(after.valid());
    EXPECT_EQ(list(after.board()), changed(before.board()));
    if (rules.procedure == Procedure::kStud) {
      EXPECT_EQ(after.cards(0)[6], by[before.cards(0)[6]]);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Games, ExchangeCards,
                         testing::Values("draw", "holdem", "holdem[limit=no_limit]", "stud", "triple_draw",
                                         "court_color"));

TEST(FirstDecision, TheSameDecisionsLeadToTheSamePosition) {
  for (const char* spec : {"holdem", "holdem[limit=no_limit,players=6]", "stud[players=7]", "draw", "triple_draw",
                           "lowball", "washizu", "court_tarot"}) {
    SCOPED_TRACE(spec);
    const GamePtr game = make_game(spec);
    const GameRules& rules = as_poker(*game)->rules();
    RandomStream rng(4);
    int compared = 0;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      State now;
      now.reset_and_hold(rules, seed);
      std::vector<Action> actions;
      while (!now.hand_over()) {
        const auto dealt = first_decision(now);
        ASSERT_TRUE(dealt);
        State again = *dealt;
        for (const Action action : actions) again.apply_and_hold(action);
        EXPECT_TRUE(same(again, now)) << "after " << actions.size();
        ++compared;
        // Folds rarely, so that hands last.
        LegalMask legal = now.legal_mask();
        if (legal != 1 && rng.below(8) != 0) legal &= ~LegalMask{1};
        actions.push_back(test::random_action(legal, rng));
        now.apply_and_hold(actions.back());
      }
    }
    EXPECT_GT(compared, 80);
  }
}

// Six players who draw five cards three times use up the deck.
TEST(FirstDecision, DistinguishesAStockShuffledAgain) {
  const GamePtr game = make_game("triple_draw[players=6]");
  const GameRules& rules = as_poker(*game)->rules();
  State now;
  now.reset_and_hold(rules, 1);
  bool lost = false;
  while (!now.hand_over()) {
    lost = lost || !first_decision(now);
    now.apply_and_hold(now.drawing() ? rules.first_discard() + kDiscardChoices - 1 : kCall);
  }
  EXPECT_TRUE(lost);
}

}  // namespace
}  // namespace dealer::poker::positions_test
