#include "agents/agent.h"
#include "agents/agent_registry.h"
#include "agents/ofc/turn_agent.h"
#include "agents/random_agent.h"
#include "env/games/ofc/game.h"
#include "env/games/ofc/observation_parts.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/cards.h"
#include "tests/support/play.h"
#include "tests/support/testing.h"

namespace dealer::ofc::players_test {
namespace {

using test::cards;
using test::error_message;

struct Player {
  const char* spec;
  const char* game;
  int episodes;
};

std::ostream& operator<<(std::ostream& out, const Player& player) {
  return out << player.spec << " at " << player.game;
}

class Players : public testing::TestWithParam<Player> {
 protected:
  Players() : game_(make_game(GetParam().game)), factory_(make_agents(GetParam().spec, game_)) {}

  GamePtr game_;
  AgentFactoryPtr factory_;
};

TEST_P(Players, PlayLegallyToTheEnd) {
  const auto env = game_->new_env();
  const State& state = dynamic_cast<const TypedEnv<State>&>(*env).state();
  const test::Seats seats = test::make_seats(factory_, *game_);
  int fantasyland_hands = 0, hands = 0;
  const auto look_back = [&] {
    for (; hands < env->hands_finished(); ++hands)
      for (Seat seat = 0; seat < game_->players(); ++seat) {
        if (state.last_hand().fantasyland[seat] == 0) continue;
        ++fantasyland_hands;
        EXPECT_FALSE(state.last_hand().foul[seat]);
      }
  };
  for (std::uint64_t seed = 0; seed < at(GetParam().episodes); ++seed, hands = 0) {
    test::play(*env, seats, seed, [&](const Env&, const Observation& seen, Decision decision) {
      look_back();
      ASSERT_TRUE(((seen.legal_mask >> decision.action) & 1) != 0) << env->to_string(seen.player);
    });
    look_back();
  }
  if (game_->spec() == "ofc" && GetParam().spec != std::string("random")) {
    EXPECT_GT(fantasyland_hands, 10);
  }
}

TEST_P(Players, TakeOverAnywhere) {
  const auto env = game_->new_env();
  const auto agent = factory_->make();
  RandomAgent other;
  other.reset(0, 3);
  RandomStream rng(4);
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(GetParam().episodes) / 4; ++seed) {
    env->reset(seed);
    agent->reset(0, seed);
    for (int moves = 0; env->current_player() != kTerminal && moves < 400; ++moves) {
      const Observation observation = test::seen_at(*env);
      // Asked always, followed half the time.
      const Action action = agent->act(observation).action;
      ASSERT_TRUE(((env->legal_mask() >> action) & 1) != 0) << env->to_string(observation.player);
      env->step(rng.below(2) == 0 ? action : other.act(observation).action);
    }
  }
}

// Asked again or newly created, they repeat the decision, consistent with their policy.
TEST_P(Players, RepeatThemselvesAsTheirPolicySays) {
  const auto env = game_->new_env();
  const test::Seats agents = test::make_seats(factory_, *game_), fresh = test::make_seats(factory_, *game_);
  std::array<std::vector<Action>, 3> made;
  for (std::size_t i = 0; i < made.size(); ++i) {
    const auto visit = [&](const Env&, const Observation& seen, Decision decision) {
      made[i].push_back(decision.action);
      const std::vector<double> policy = agents[at(seen.player)]->policy(seen).value();
      const std::vector<Action> legal = seen.legal_actions();
      ASSERT_EQ(policy.size(), legal.size());
      EXPECT_NEAR(std::accumulate(policy.begin(), policy.end(), 0.0), 1, 1e-12);
      EXPECT_GT(policy[at(std::find(legal.begin(), legal.end(), decision.action) - legal.begin())], 0);
    };
    test::play(*env, i < 2 ? agents : fresh, 21, visit, 400);
  }
  EXPECT_EQ(made[1], made[0]);
  EXPECT_EQ(made[2], made[0]);
}

TEST_P(Players, RefuseToActOutOfTurn) {
  const auto env = game_->new_env();
  const auto agent = factory_->make();
  env->reset(5);
  agent->reset(0, 5);
  const Seat idle = (env->current_player() + 1) % game_->players();
  EXPECT_THROW(agent->act(env->observe(idle)), UsageError);
  EXPECT_THROW(agent->act(Observation{0, {1, 2, 3}, 7}), UsageError);
}

INSTANTIATE_TEST_SUITE_P(
    Ofc, Players,
    testing::Values(Player{"random", "ofc", 2000}, Player{"rule", "ofc", 500}, Player{"rule:expert", "ofc", 300},
                    Player{"rule:careful", "ofc", 200}, Player{"rule:bold", "ofc", 200},
                    Player{"random", "ofc[players=3]", 1000}, Player{"rule", "ofc[players=3]", 300},
                    Player{"rule:expert", "ofc[players=3]", 150}, Player{"rule:expert", "ofc[episode=hand]", 200},
                    Player{"rule:expert", "ofc[fantasyland.cards=17]", 200},
                    Player{"random", "ofc[players=3,episode=match,match.start_points=100]", 2},
                    Player{"rule", "ofc[players=3,episode=match,match.start_points=100,match.first_out_ends=true]", 2},
                    Player{"rule:expert", "ofc[episode=match,match.hands=20]", 8}, Player{"default", "ofc", 60},
                    Player{"default", "ofc[players=3,fantasyland.cards=16]", 20},
                    Player{"default", "ofc[players=3]", 20}, Player{"default", "ofc[episode=hand]", 40},
                    Player{"default", "ofc[episode=match,match.hands=5]", 10}));

TEST(RandomPlayer, SetsFantasylandExactly) {
  const GamePtr game = make_game("ofc[players=3]");
  const GameRules& rules = as_ofc(*game)->rules();
  const auto agent = make_agents("random", game)->make();
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    State state;
    state.deal(rules, seed, {14, 14, 0}, 2);
    const CardSet cards = state.hand(0);
    agent->reset(0, seed);
    while (state.current_player() == 0) state.apply(agent->act(test::seen_in(state, *game)).action);
    const FantasylandGoal goal{.stay_value = usual_stay_value(rules, 2), .rows = nullptr, .rules = &rules.scoring};
    EXPECT_EQ(state.board(0), solve_fantasyland(cards, goal).board);
  }
}

// The batched trained player decides like a single agent at each table.
TEST(ValueBatch, DecidesAsOneAtATime) {
  struct Case {
    const char *agent, *game;
    int tables, episodes;
    bool wander = false;
  };
  for (const Case& c : {
           Case{"default", "ofc", 64, test::repetitions(300)},
           {"default", "ofc[players=3]", 16, test::repetitions(150)},
           {"default", "ofc", 3, 10, true},
           {"default[caution=4]", "ofc[episode=match,match.start_points=100,match.hands=8]", 5, test::repetitions(20)},
           {"default[simulations=9,candidates=3]", "ofc", 4, 4},
           {"default[simulations=9,candidates=3,depth=1]", "ofc[players=3]", 4, 4},
       }) {
    const GamePtr game = make_game(c.game);
    EXPECT_GT(test::expect_same_decisions(make_agents(c.agent, game), *game, c.tables, c.episodes, c.wander),
              20 * c.episodes)
        << c.agent;
  }
}

TEST(ValueBatch, GainsNothingWherePlacementsArePlayedOut) {
  const GamePtr game = make_game("ofc");
  EXPECT_GT(make_agents("default", game)->tables_at_once(), 16);
  EXPECT_GT(make_agents("default[caution=2]", game)->tables_at_once(), 16);
  EXPECT_EQ(make_agents("default[simulations=3]", game)->tables_at_once(), 0);
}

TEST(ValueBatch, AFaultyQuestionConcernsItsTableAlone) {
  const GamePtr game = make_game("ofc");
  const AgentFactoryPtr factory = make_agents("default", game);
  const auto batch = factory->make_batch(3);
  const auto env = game->new_env();
  env->reset(1);
  const Observation seen = test::seen_at(*env), idle = env->observe(1 - env->current_player());
  for (int table = 0; table < 3; ++table) batch->reset(table, seen.player, 1);
  Decision first, second, third;
  batch->add(0, seen, first);
  EXPECT_TRUE(test::refuses<UsageError>("not to act", [&] { batch->add(1, idle, second); }));
  EXPECT_TRUE(test::refuses<UsageError>("numbers", [&] { batch->add(1, Observation{0, {1, 2}, 1}, second); }));
  EXPECT_TRUE(test::refuses<UsageError>("tables are 0 to 2", [&] { batch->add(3, seen, second); }));
  EXPECT_THROW(batch->add(-1, seen, second), UsageError);
  batch->add(2, seen, third);
  batch->flush();
  const auto single = factory->make();
  single->reset(seen.player, 1);
  EXPECT_EQ(first, single->act(seen));
  EXPECT_EQ(third, first);
  EXPECT_EQ(second, Decision());
}

// The player's placement of three cards on a later street, heads-up against an empty board.
class ExpertPlayer : public testing::Test {
 protected:
  Board set(std::string_view front, std::string_view middle, std::string_view back, std::string_view hand, int street) {
    const ObservationParts part(2);
    std::vector<float> data(at(part.size));
    const auto mark = [&](int offset, CardSet cards) {
      for_each(cards, [&](int card) { data[at(offset) + at(card)] = 1; });
    };
    Board board{{cards(front), cards(middle), cards(back)}};
    CardSet rest = cards(hand), discards = 0;
    agent_->reset(0, 0);
    while (rest != 0) {
      std::fill(data.begin(), data.end(), 0.0F);
      for (int row = 0; row < kRows; ++row) mark(part.rows + row * kCards, board.row[at(row)]);
      mark(part.hand, rest);
      mark(part.discards, discards);
      mark(part.next, rest & -rest);
      data[at(part.dealer)] = data[at(part.turn)] = 1;
      data[at(part.seat)] = data[at(part.street) + at(street)] = 1;
      const int discards_left = discards == 0 ? 1 : 0;
      data[at(part.discards_left)] = static_cast<float>(discards_left) / 4;
      data[at(part.places_left)] = static_cast<float>(size(rest) - discards_left) / 13;
      const Observation observation{0, data, 15};
      const Action place = agent_->act(observation).action;
      (place == kToDiscard ? discards : board.row[at(place)]) |= rest & -rest;
      rest &= rest - 1;
    }
    return board;
  }

  GamePtr game_ = make_game("ofc");
  std::unique_ptr<Agent> agent_ = make_agents("rule:expert", game_)->make();
};

TEST_F(ExpertPlayer, SetsCardsWhereTheyBelong) {
  // Queens in front would be above the nines in the middle, not above aces: Fantasyland.
  const Board nines = set("Qs 4d", "9s 9d 5h 3c 2d", "Ks Kh 8d 8c", "Qh 7c 2s", 4);
  EXPECT_TRUE(!evaluate(nines).foul && nines.complete());
  EXPECT_TRUE(evaluate(set("Qs 4d", "As Ad 5h 3c 2d", "Ks Kh 8d 8c", "Qh 7c 2s", 4)).fantasyland != 0);
  // A flush and a full house are made.
  EXPECT_NE(set("Qs", "9s 9d 5h", "Ah Jh 7h 4h", "2h Kc 8d", 2).row[kBack] & cards("2h"), CardSet{0});
  EXPECT_NE(set("Qs 2d", "9s 9d 5h 4c", "Ah As 7h 7c", "7d Kc 8d", 3).row[kBack] & cards("7d"), CardSet{0});
  // One card cannot lift the middle above kings in front.
  EXPECT_LT(size(set("3s", "8s 6d 4h 2c", "9h 9c 5s 4d", "Ks Kh 7c", 3).row[kFront] & cards("Ks Kh")), 2);
}

TEST_F(ExpertPlayer, ExplainsItself) {
  const std::string text = agent_->explain(test::first_decision(*game_));
  EXPECT_TRUE(test::has(text, " / "));
  EXPECT_TRUE(test::has(text, "foul "));
}

TEST(RuleStyles, DifferAsTheyAreNamed) {
  const GamePtr game = make_game("ofc[episode=hand]");
  const auto fouls = [&](const std::string& spec) {
    const auto env = game->new_env();
    const test::Seats seats = test::make_seats(make_agents(spec, game), *game);
    double sum = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      test::play(*env, seats, seed);
      for (const Seat seat : {0, 1}) sum += env->statistics(seat)[0].numerator;
    }
    return sum / 600;
  };
  const double careful = fouls("rule[style=careful]"), expert = fouls("rule:expert"), bold = fouls("rule:bold");
  EXPECT_LT(careful, expert);
  EXPECT_LT(expert, bold);
  EXPECT_LT(bold, 0.35);
}

}  // namespace
}  // namespace dealer::ofc::players_test
