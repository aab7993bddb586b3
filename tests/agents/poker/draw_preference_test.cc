// Players that differ from another only in their choice with weak hands at the last draw.
#include "agents/poker/draw_preference.h"

#include "agents/agent_registry.h"
#include "agents/evaluator.h"
#include "agents/search/state_evaluator.h"
#include "env/core/error.h"
#include "env/games/poker/game.h"
#include "tests/support/cards.h"
#include "tests/support/error_message.h"
#include "tests/support/evaluators.h"
#include "tests/support/testing.h"

namespace dealer::poker::draw_preference_test {
namespace {

using namespace test;

struct Preferring {
  std::shared_ptr<const Game> game;
  std::unique_ptr<PositionEvaluator> evaluator;

  Preferring(const std::shared_ptr<const Game>& of, const std::string& agent)
      : game(of), evaluator(make_evaluator(*make_agents(agent, of), *of)) {}
  std::vector<double> policy(const State& state) const {
    Observation seen;
    observe_turn(state, at(game->observation_spec().size()), seen);
    std::vector<double> policy(at(game->num_actions()));
    evaluator->evaluate(std::span(&seen, 1), policy);
    return policy;
  }
};

// In hands without bets exactly the decisions with weak hands at the last draw differ.
TEST(DrawPreference, ChangesWeakHandsAtTheLastDrawAlone) {
  for (const char* const spec : {"draw", "lowball", "triple_draw"}) {
    SCOPED_TRACE(spec);
    const auto game = game_of<Game>(spec);
    const Preferring as_it_is(game, "default[threshold=0]"), stands(game, "default[threshold=0,prefers=weak_pat]"),
        draws(game, "default[threshold=0,prefers=weak_draw]");
    const bool high = std::string(spec) == "draw";
    int weak = 0, strong = 0;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      State state;
      for (state.reset_and_hold(game->rules(), seed); !state.hand_over();) {
        const std::vector<double> plain = as_it_is.policy(state), pat = stands.policy(state),
                                  draw = draws.policy(state);
        const auto stand = at(game->rules().first_discard());
        const auto hand = state.cards(state.current_player());
        const bool last = state.drawing() && state.street() + 1 == game->rules().streets;
        if (last && (high ? weak_high(hand) : weak_low(hand))) {
          ++weak;
          for (std::size_t a = 0; a < plain.size(); ++a) {
            EXPECT_EQ(pat[a], a == stand ? 1 : 0);
            EXPECT_NEAR(draw[a], a == stand ? 0 : plain[a] / (1 - plain[stand]), 1e-3);
          }
        } else {
          strong += last ? 1 : 0;
          EXPECT_EQ(pat, plain);
          EXPECT_EQ(draw, plain);
        }
        state.apply_and_hold(state.drawing() ? game->rules().first_discard() : Action{1});
      }
    }
    EXPECT_GT(weak, 20);
    EXPECT_GT(strong, 5);
  }
}

// Its policy has no other discard.
TEST(DrawPreference, WhoStandsPatForCertainGoesOn) {
  const auto game = game_of<Game>("draw");
  const auto pat = at(game->rules().first_discard());
  const auto stands = std::make_shared<EvaluatorAgents>("pat", game->num_actions(), [&] {
    return std::make_unique<FunctionEvaluator>(game->num_actions(), [pat](const Observation&, std::span<double> row) {
      row[pat] = 1;
      return 0.0;
    });
  });
  const AgentFactoryPtr agents = make_preferring_agents(parse_spec("pat[prefers=weak_draw]"), stands, game);
  State state;
  state.reset_and_hold(game->rules(), 0);
  while (!state.drawing()) state.apply_and_hold(1);
  ASSERT_TRUE(weak_high(state.cards(state.current_player())));
  Observation seen;
  observe_turn(state, at(game->observation_spec().size()), seen);
  std::vector<double> policy(at(game->num_actions()));
  make_evaluator(*agents, *game)->evaluate(std::span(&seen, 1), policy);
  EXPECT_EQ(policy[pat], 1);
}

TEST(DrawPreference, WeakHandsAreBluffs) {
  const auto cards = [](const char* text) {
    const std::vector<Card> all = parse_cards(text);
    return std::vector<CardId>(all.begin(), all.end());
  };
  EXPECT_TRUE(weak_high(cards("As Ah Kd Qc Js")));
  EXPECT_FALSE(weak_high(cards("2s 2h 3d 3c 4s")));
  EXPECT_FALSE(weak_low(cards("As 2h 3d 4c Js")));
  EXPECT_TRUE(weak_low(cards("As 2h 3d 4c Qs")));
  EXPECT_TRUE(weak_low(cards("As Ah 2d 3c 4s")));
}

TEST(DrawPreference, SaysWhatItCannotDo) {
  const auto refused = [](const char* game, const std::string& agent, const std::string& why) {
    EXPECT_TRUE(refuses<UsageError>(why, [&] { make_agents(agent, make_game(game)); })) << game << ' ' << agent;
  };
  refused("stud", "default[prefers=weak_pat]", "'stud' is not draw poker with five of 52 cards");
  refused("badugi", "default[prefers=weak_pat]", "'badugi' is not draw poker with five of 52 cards");
  refused("draw", "default[prefers=weak_pot]", "did you mean 'weak_pat'?");
  EXPECT_EQ(make_agents("default[prefers=nothing]", make_game("draw"))->spec(), "default");
  EXPECT_EQ(make_agents("default[prefers=weak_pat,threshold=0]", make_game("draw"))->spec(),
            "default[prefers=weak_pat,threshold=0]");
}

}  // namespace
}  // namespace dealer::poker::draw_preference_test
