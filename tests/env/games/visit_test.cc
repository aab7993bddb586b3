// The way from a Game to its typed rules and states.
#include "env/games/visit.h"

#include <gtest/gtest.h>

#include <type_traits>

#include "env/core/registry.h"

namespace dealer::visit_test {
namespace {

// The family whose states a game is handed over with.
std::string family(const std::string& spec) {
  return visit(*make_game(spec), [](const auto& typed) -> std::string {
    using State = typename std::decay_t<decltype(typed)>::State;
    if constexpr (std::is_same_v<State, ofc::State>)
      return "ofc";
    else if constexpr (std::is_same_v<State, poker::State>)
      return "poker";
    else if constexpr (std::is_same_v<State, small::State>)
      return "small";
    else
      return "another";
  });
}

TEST(Visit, HandsOverTheStatesOfEveryFamily) {
  EXPECT_EQ(family("ofc"), "ofc");
  EXPECT_EQ(family("ofc[players=3]"), "ofc");
  EXPECT_EQ(family("holdem"), "poker");
  EXPECT_EQ(family("washizu"), "poker");
  EXPECT_EQ(family("kuhn"), "small");
  EXPECT_EQ(family("leduc"), "small");
  EXPECT_EQ(family("mini_draw"), "small");
}

// A state dealt from the typed rules is the one at the table.
TEST(Visit, HandsOverTheRulesOfTheGameItself) {
  for (const std::string& name : game_names()) {
    const GamePtr game = make_game(name);
    const auto env = game->new_env();
    env->reset(5);
    const std::vector<float> seen = visit(*game, [&](const auto& typed) {
      EXPECT_EQ(&typed, game.get());
      typename std::decay_t<decltype(typed)>::State state;
      state.reset(typed.rules(), 5);
      std::vector<float> numbers(env->observe(0).data.size());
      state.observe(0, numbers.data());
      return numbers;
    });
    EXPECT_EQ(seen, env->observe(0).data) << name;
  }
}

// What a template writes is what the caller gets, references included.
TEST(Visit, ReturnsWhatTheFunctionReturns) {
  const GamePtr game = make_game("leduc");
  const GameId& id = visit(*game, [](const auto& typed) -> const GameId& { return typed.id(); });
  EXPECT_EQ(&id, &game->id());
}

}  // namespace
}  // namespace dealer::visit_test
