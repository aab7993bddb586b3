// One table: holding at the end of a hand, cursors, amounts, information states, truncation.
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "env/core/error.h"
#include "env/core/registry.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/coin_game.h"
#include "tests/support/error_message.h"

namespace dealer::core_env_test {
namespace {

using test::error_message;
using test::random_action;

TEST(HeldHands, TheNextHandIsDealtOnlyWhenOneIsOver) {
  const auto env = make_game("holdem[episode=match]")->new_env({.hold_hands = true});
  env->reset(1);
  const std::string before = env->serialize();
  EXPECT_EQ(error_message<UsageError>([&] { env->next_hand(); }), "the hand is not over yet");
  EXPECT_EQ(env->serialize(), before);
  while (!env->hand_over()) env->step(env->legal_actions().front());
  EXPECT_FALSE(env->terminated());
  EXPECT_THROW(env->step(Action{1}), IllegalAction);
  env->next_hand();
  EXPECT_EQ(env->hands_finished(), 1);
  const auto single = make_game("leduc")->new_env({.hold_hands = true});
  while (!single->hand_over()) single->step(single->legal_actions().front());
  EXPECT_EQ(error_message<UsageError>([&] { single->next_hand(); }), "no hand follows: the episode is over");
}

TEST(HeldHands, APositionBetweenHandsIsSavedAndRestored) {
  const GamePtr game = make_game("ofc[episode=match]");
  const auto env = game->new_env({.hold_hands = true}), other = game->new_env({.hold_hands = true});
  RandomStream rng(2);
  while (!env->hand_over()) env->step(random_action(env->legal_mask(), rng));
  other->deserialize(env->serialize());
  EXPECT_EQ(other->observe(1).data, env->observe(1).data);
  EXPECT_EQ(other->events(kOmniscient), env->events(kOmniscient));
  env->next_hand();
  other->next_hand();
  EXPECT_EQ(other->serialize(), env->serialize());
  // An environment that does not hold hands is never between them.
  env->reset(3);
  while (!env->hand_over()) env->step(random_action(env->legal_mask(), rng));
  EXPECT_THROW(game->new_env()->deserialize(env->serialize()), ParseError);
}

TEST(Cursors, StaleOnesAreRefused) {
  const GamePtr game = make_game("washizu[players=3]");
  const auto env = game->new_env({.keep_events = true}), forgetful = game->new_env();
  RandomStream rng(4);
  const EventCursor begin = env->cursor();
  while (env->hands_finished() < 2 && !env->terminated()) env->step(random_action(env->legal_mask(), rng));
  const EventCursor now = env->cursor();
  EXPECT_FALSE(env->events(0, begin).empty());
  EventCursor late = now;
  late.next += 1;
  EXPECT_EQ(error_message<UsageError>([&] { env->events(0, late); }), "stale cursor: it lies beyond the present");
  late = now;
  late.hand += 1;
  EXPECT_THROW(env->events(0, late), UsageError);
  late.hand = -1;
  EXPECT_THROW(env->events(0, late), UsageError);
  EXPECT_THROW(env->events(3), UsageError) << "no such seat";
  EXPECT_THROW(env->events(-3), UsageError);
  env->reset(1);
  EXPECT_EQ(error_message<UsageError>([&] { env->events(0, now); }), "stale cursor: it is from another episode");
  // Without keep_events only the events of the hand in progress.
  const EventCursor first = forgetful->cursor();
  while (forgetful->hands_finished() < 2 && !forgetful->terminated())
    forgetful->step(random_action(forgetful->legal_mask(), rng));
  if (!forgetful->terminated()) {
    EXPECT_EQ(error_message<UsageError>([&] { forgetful->events(0, first); }),
              "stale cursor: the events of hand 0 were not kept; expected hand 2 or later");
    EXPECT_EQ(forgetful->events(0).front().hand, 2);
  }
}

TEST(Stories, AreThoseOfThePosition) {
  for (const char* spec : {"washizu[players=3]", "ofc[episode=match]", "stud[episode=match]", "seven_hand[hands=2]"}) {
    const GamePtr game = make_game(spec);
    const auto env = game->new_env({.hold_hands = true}), other = game->new_env({.hold_hands = true});
    RandomStream rng(7);
    const auto play = [&](Env& table, int decisions) {
      for (int i = 0; i < decisions && !table.hand_over(); ++i) table.step(random_action(table.legal_mask(), rng));
      EXPECT_FALSE(table.events(kOmniscient).empty());
    };
    // A copy of the table writes its events independently.
    const auto then = [&](const char* what, auto&& change) {
      change();
      EXPECT_EQ(env->events(kOmniscient), env->clone()->events(kOmniscient)) << what;
      EXPECT_EQ(env->cursor().next, env->clone()->cursor().next) << what;
    };
    env->reset(11);
    other->reset(12);
    play(*env, 3);
    play(*other, 5);
    then("redealing", [&] { env->resample_future(5); });
    then("loading", [&] { env->deserialize(std::string(other->serialize())); });
    play(*env, 2);
    then("assigning", [&] { env->assign(*other); });
    then("sampling", [&] { env->sample_state(env->observe(0), 3); });
    then("the end of a hand", [&] { play(*env, 1000); });
    if (!env->terminated()) then("the next hand", [&] { env->next_hand(); });
    then("a reset", [&] { env->reset(11); });
  }
}

// Counts the events that it makes.
class CountingState : public test::CoinState {
 public:
  using Sampler = test::CoinSampler<CountingState>;
  struct Story {
    std::size_t observed = 0;
  };
  void write_events(Story& story, std::vector<Event>& out) const {
    std::vector<Event> all;
    CoinState::events(all);
    for (; story.observed < all.size(); ++story.observed, ++made) out.push_back(all[story.observed]);
  }
  void events(std::vector<Event>&) const { ADD_FAILURE() << "told from the beginning"; }
  inline static int made = 0;
};

TEST(Stories, CostWhatIsNew) {
  const auto game = std::make_shared<TypedGame<CountingState>>(GameId{"coin", "coin", "coin", "players: 2\n"},
                                                               test::CoinRules{}, "chips", true);
  CountingState::made = 0;
  const auto env = game->new_env({.keep_events = true});
  const auto ask = [](const Env& table) {
    EventCursor observed;
    for (int i = 0; i < 5; ++i) {
      for (Viewer viewer : {0, 1, kSpectator, kOmniscient}) table.events(viewer, observed);
      observed = table.cursor();
    }
  };
  env->step(Action{0});
  env->step(Action{1});
  ASSERT_TRUE(env->hand_over());
  const auto copy = env->clone();
  EXPECT_EQ(CountingState::made, 0) << "nobody has asked";
  env->reset(1);
  ask(*env);
  EXPECT_EQ(CountingState::made, 1) << "the hand has begun";
  env->step(Action{0});
  ask(*env);
  EXPECT_EQ(CountingState::made, 1) << "unheard";
  env->step(Action{1});
  ask(*env);
  EXPECT_EQ(CountingState::made, 2) << "it has ended";
  ask(*copy);
  EXPECT_EQ(CountingState::made, 4) << "a copy tells its own";
}

TEST(Amounts, AnyLegalOneIsTakenAndAllOthersAreRefused) {
  const auto env = make_game("holdem[limit=no_limit]")->new_env();
  env->reset(1);
  const AmountRange range = env->amount_range();
  ASSERT_EQ(range, (AmountRange{200, 10000, 1}));
  EXPECT_EQ(env->observe(env->current_player()).amounts, range);
  EXPECT_EQ(env->observe(1 - env->current_player()).amounts, AmountRange{});
  const std::string before = env->serialize();
  for (const Amount amount : {-5, 0, 199, 10001}) {
    EXPECT_EQ(error_message<IllegalAction>([&] { env->step(Decision::bet_to(amount)); }),
              "an amount of " + std::to_string(amount) + " is not legal; expected 200 to 10000");
    EXPECT_EQ(env->serialize(), before);
  }
  EXPECT_EQ(env->parse_decision("raise to 237"), Decision::bet_to(237));
  EXPECT_EQ(env->parse_decision("raise to 200"), Decision(2)) << "what an action stands for";
  EXPECT_EQ(error_message<IllegalAction>([&] { env->parse_decision("raise to 199"); }),
            "an amount of 199 is not legal; expected 200 to 10000");
  for (const char* text : {"raise to 10001", "raise to", "raise to ", "raise to x", "raise to 237x", "raise to -300",
                           "raise to 99999999999999999999", "bet 300", "raise to 2e3", ""})
    EXPECT_THROW(env->parse_decision(text), IllegalAction) << text;
  EXPECT_EQ(env->decision_to_string(Decision::bet_to(237)), "raise to 237");
  env->step(Decision::bet_to(237));
  EXPECT_EQ(env->amount_range().low, 237 + 137);
}

TEST(Amounts, RefusalsListThemOrSayThatThereAreNone) {
  const auto refusal = [](const char* game, auto decide) {
    const auto env = make_game(game)->new_env();
    env->reset(4);
    return error_message<IllegalAction>([&] { decide(*env); });
  };
  const auto dance = [](Env& env) { env.parse_decision("dance"); };
  EXPECT_TRUE(refusal("draw", dance).ends_with("expected one of: fold, check, bet 10")) << "once where there is one";
  EXPECT_NE(refusal("draw[limit=no_limit]", dance).find(".."), std::string::npos);
  EXPECT_EQ(refusal("ofc", [](Env& env) { env.step(Decision::bet_to(5)); }),
            "an amount of 5 is not legal: no amount may be named now");
}

TEST(InformationStates, EarlierHandsAreRemembered) {
  const GamePtr game = make_game("washizu[players=2]");
  const auto env = game->new_env();
  // The same second hand after different first ones: only the earlier observations differ.
  std::set<std::uint64_t> hashes;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    env->reset(seed);
    RandomStream rng(seed);
    while (env->hands_finished() == 0) env->step(random_action(env->legal_mask(), rng));
    hashes.insert(env->information_state(0).hash);
    const auto copy = game->new_env();
    copy->deserialize(env->serialize());
    EXPECT_EQ(copy->information_state(0), env->information_state(0));
  }
  EXPECT_EQ(hashes.size(), 50U);
}

TEST(Truncation, CutsAnEpisodeOff) {
  const auto env = make_game("ofc")->new_env({.max_steps = 7});
  env->reset(1);
  for (int i = 0; i < 7; ++i) {
    EXPECT_FALSE(env->truncated());
    const Step step = env->step(env->legal_actions().front());
    EXPECT_EQ(step.truncated, i == 6);
    EXPECT_FALSE(step.terminated);
  }
  EXPECT_TRUE(env->hand_over());
  EXPECT_FALSE(env->terminated());
  EXPECT_EQ(env->current_player(), kTerminal);
  EXPECT_TRUE(env->choices().empty());
  EXPECT_EQ(error_message<IllegalAction>([&] { env->step(Action{0}); }), "action 0 is not legal: nobody is to act");
  env->reset(1);
  EXPECT_FALSE(env->truncated());
}

TEST(Samplers, AreOfOneGame) {
  const GamePtr ofc = make_game("ofc"), leduc = make_game("leduc");
  const auto table = leduc->new_env(), other = ofc->new_env();
  EXPECT_THROW(ofc->new_sampler(table->observe(0)), UsageError);
  const auto sampler = leduc->new_sampler(table->observe(0));
  const std::string before = other->serialize();
  EXPECT_EQ(error_message<UsageError>([&] { sampler->draw(*other, 1); }),
            "a sampler of 'leduc' cannot draw for a table of 'ofc'");
  EXPECT_EQ(other->serialize(), before);
  const auto drawn = make_game("leduc")->new_env();
  sampler->draw(*drawn, 1);
  EXPECT_EQ(drawn->observe(0).data, table->observe(0).data);
}

TEST(Statistics, RefuseMoreThanTheyHold) {
  Statistics statistics;
  for (std::size_t i = 0; i < Statistics::kMost; ++i) statistics.push_back({"", 1, 1});
  EXPECT_THROW(statistics.push_back({"", 1, 1}), std::length_error);
  EXPECT_EQ(statistics.size(), Statistics::kMost);
}

}  // namespace
}  // namespace dealer::core_env_test
