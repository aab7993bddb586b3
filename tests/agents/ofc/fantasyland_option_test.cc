// The trained player told to count Fantasyland as so many points, and what it tells of placements.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "agents/agent_registry.h"
#include "agents/evaluator.h"
#include "agents/ofc/model_play.h"
#include "agents/ofc/value_agent.h"
#include "env/core/error.h"
#include "env/games/ofc/game.h"
#include "tests/agents/ofc/ofc_support.h"
#include "tests/support/error_message.h"

namespace dealer::ofc::fantasyland_option_test {
namespace {

using test::error_message;

// Random weights; Fantasyland is worth 6 to who does not deal and 9 to who does.
std::shared_ptr<ValueModel> some_model() {
  auto model = std::make_shared<ValueModel>();
  model->net = test::random_net({8, 4}, 1);
  model->chain.at(true, false, false) = 6;
  model->chain.at(true, false, true) = 9;
  model->chain.at(false, true, true) = -6;
  return model;
}

TEST(FantasylandOption, CountsInProportionToTheChance) {
  const auto game = std::dynamic_pointer_cast<const Game>(make_game("ofc"));
  const auto model = some_model();
  const ModelPlay own(model, game->rules()), told(model, game->rules(), {}, 20.0);
  for (const int dealer : {0, 1}) {
    State state;
    state.deal(game->rules(), 3, {}, dealer);
    // The opening and, after it, the other's.
    for (int turn = 0; turn < 2; ++turn) {
      const Seat seat = state.current_player();
      const View view = state.view(seat);
      const std::vector<Placement> placements = test::placements_of(view);
      TurnValues own_values(own, own.caution()), told_values(told, told.caution());
      const std::span<const float> before = own_values.totals(view, placements),
                                   after = told_values.totals(view, placements);
      const double more = 20 - (seat == dealer ? 9 : 6);
      for (std::size_t i = 0; i < before.size(); ++i) {
        const double chance = static_cast<double>(own.predict(view, placements[i].board, 1).fantasyland);
        EXPECT_NEAR(static_cast<double>(after[i] - before[i]), more * chance, 1e-4) << i;
      }
      while (state.current_player() == seat) state.apply(static_cast<Action>(std::countr_zero(state.legal_mask())));
    }
  }
}

TEST(FantasylandOption, ScoresCompleteBoardsWithIt) {
  const auto game = std::dynamic_pointer_cast<const Game>(make_game("ofc"));
  const auto model = some_model();
  const ModelPlay own(model, game->rules()), told(model, game->rules(), {}, 20.0);
  const BoardValue enters = evaluate(parse_board("Kd Kc 6h / 5h 5c 3h 3c 6s / Js Jh Jd 7s 7d"));
  const BoardValue stays = evaluate(parse_board("2d 2c 2h / 5h 5c 5s 3c 6s / Js Jh Jd Jc 7d"));
  ASSERT_TRUE(!enters.foul && enters.fantasyland && !enters.stays);
  ASSERT_TRUE(!stays.foul && stays.stays);
  const double royalties = enters.total();
  EXPECT_EQ(own.end_of_hand().share(enters, false, false), royalties + 6);
  EXPECT_EQ(own.end_of_hand().share(enters, false, true), royalties + 9);
  EXPECT_EQ(told.end_of_hand().share(enters, false, false), royalties + 20);
  EXPECT_EQ(told.end_of_hand().share(enters, false, true), royalties + 20);
  EXPECT_EQ(told.end_of_hand().share(enters, true, true), royalties);
  EXPECT_EQ(told.end_of_hand().share(stays, true, true), stays.total() + 20);
  EXPECT_EQ(own.fantasyland_goal().stay_value, 7.5);
  EXPECT_EQ(told.fantasyland_goal().stay_value, 20);
  EXPECT_EQ(own.fantasyland_value(), 7.5);
  EXPECT_EQ(told.fantasyland_value(), 20);
  // Nothing of the model itself changed.
  EXPECT_EQ(model->chain(true, false, true), 9);
}

TEST(FantasylandOption, HoldsWhereNoHandFollows) {
  const auto game = std::dynamic_pointer_cast<const Game>(make_game("ofc[episode=hand]"));
  const auto model = some_model();
  EXPECT_EQ(ModelPlay(model, game->rules()).chain(), nullptr);
  EXPECT_EQ(ModelPlay(model, game->rules()).fantasyland_value(), 0);
  EXPECT_EQ(ModelPlay(model, game->rules(), {}, 4.0).fantasyland_goal().stay_value, 4);
}

TEST(FantasylandOption, OfTheOwnValueChangesNothing) {
  const GamePtr game = make_game("ofc");
  const auto model = some_model();
  model->chain.at(true, false, true) = 6;
  const auto own = make_value_agents("own", model, game)->make();
  const auto same = make_value_agents("same", model, game, {}, 6.0)->make();
  const auto other = make_value_agents("other", model, game, {}, 90.0)->make();
  const auto env = game->new_env();
  env->reset(4);
  const Observation first = env->observe(env->current_player());
  EXPECT_EQ(same->explain(first), own->explain(first));
  EXPECT_NE(other->explain(first), own->explain(first));
}

TEST(FantasylandOption, IsChecked) {
  const GamePtr game = make_game("ofc");
  const auto refusal = [&](const char* spec) { return error_message<UsageError>([&] { make_agents(spec, game); }); };
  EXPECT_NE(refusal("default[fantasylnd=3]").find("did you mean 'fantasyland'"), std::string::npos);
  EXPECT_NE(refusal("default[fantasyland=1001]").find("fantasyland: 1001 is not allowed"), std::string::npos);
  EXPECT_NE(refusal("default[fantasyland=many]").find("fantasyland"), std::string::npos);
  EXPECT_NO_THROW(make_agents("default[fantasyland=-3,simulations=4]", game));
}

// The more it counts, the likelier it is to get there, by its own chances.
TEST(FantasylandOption, MakesThePlayerChase) {
  const auto game = make_game("ofc");
  const auto env = game->new_env();
  double before = -1;
  for (const char* agent : {"default[fantasyland=0]", "default", "default[fantasyland=40]"}) {
    const auto evaluator = make_evaluator(*make_agents(agent, game), *game);
    double chance = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      env->reset(seed);
      chance += evaluator->afterstate_values(env->observe(env->current_player()), 1).front().fantasyland;
    }
    EXPECT_GT(chance, before + 0.5) << agent;
    before = chance;
  }
}

TEST(Afterstates, AreWhatHintsShow) {
  const GamePtr game = make_game("ofc");
  const AgentFactoryPtr agents = make_agents("default", game);
  EXPECT_EQ(agents->option("caution"), 1);
  EXPECT_GT(agents->option("fantasyland").value(), 5);
  EXPECT_EQ(agents->option("depth"), std::nullopt);
  const auto env = game->new_env();
  env->reset(11);
  const Observation seen = env->observe(env->current_player());
  const auto best = make_evaluator(*agents, *game)->afterstate_values(seen, 5);
  ASSERT_EQ(best.size(), 5U);
  for (std::size_t i = 1; i < best.size(); ++i) EXPECT_GE(best[i - 1].value, best[i].value);
  const auto agent = agents->make();
  EXPECT_NEAR(*agent->value(seen), best.front().value, 1e-5);
  // Of the boards of a hint, line by line.
  const std::string hint = agent->explain(seen);
  std::size_t place = 0;
  for (const AfterstateValue& each : std::span(best).first(3)) {
    Board board;
    auto row = each.actions.begin();
    for_each(State::decode(as_ofc(*game)->rules(), seen.data).hand,
             [&](Card card) { board.row[static_cast<std::size_t>(*row++)] |= bit(card); });
    const std::size_t found = hint.find(to_string(board), place);
    ASSERT_NE(found, std::string::npos) << to_string(board) << '\n' << hint;
    place = found + 1;
  }
  EXPECT_GT(best.front().foul, 0);
  EXPECT_LT(best.front().foul, 1);
  EXPECT_FALSE(make_agents("rule", game)->attributes().afterstates);
}

}  // namespace
}  // namespace dealer::ofc::fantasyland_option_test
