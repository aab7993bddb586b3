// A session over several hands, against the same hands played without one: who is asked, what they see, what everybody
// wins. What the terminal writes is of no matter here.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "env/core/error.h"
#include "env/games/ofc/game.h"
#include "env/games/poker/game.h"
#include "tests/frontends/terminal/sitting.h"

namespace dealer::terminal::session_hands_test {
namespace {

using test::kTake;
using test::repeat;

// Somebody is to act.
struct Asked {
  Seat seat;
  Seat agent;  // who is asked: the agent made for that seat
  std::vector<float> sees;
  Decision decides;
  bool operator==(const Asked&) const = default;
};
using Story = std::vector<Asked>;

// Chooses by what it sees alone: the same position, the same action.
class Deterministic final : public Agent {
 public:
  void reset(Seat, std::uint64_t) override {}
  Decision act(const Observation& observation) override {
    std::uint64_t hash = 1;
    for (const float number : observation.data) hash = mix64(hash ^ std::bit_cast<std::uint32_t>(number));
    const std::vector<Action> legal = observation.legal_actions();
    return legal[hash % legal.size()];
  }
};

// Writes down what it is asked and what it answers.
class Telling final : public Agent {
 public:
  Telling(Seat made_for, std::unique_ptr<Agent> agent, Story& story)
      : made_for_(made_for), agent_(std::move(agent)), story_(story) {}
  void reset(Seat seat, std::uint64_t seed) override {
    EXPECT_EQ(seat, made_for_);
    agent_->reset(seat, seed);
  }
  Decision act(const Observation& observation) override {
    const Decision decision = agent_->act(observation);
    story_.push_back({observation.player, made_for_, observation.data, decision});
    return decision;
  }

 private:
  Seat made_for_;
  std::unique_ptr<Agent> agent_;
  Story& story_;
};

// The players of these tests draw no lots, so that hands depend on the deal alone.
AgentFactoryPtr players_for(const GamePtr& game) {
  if (game->name() == "ofc") return make_agents("rule", game);
  return make_factory("deterministic", [] { return std::make_unique<Deterministic>(); });
}

struct Played {
  Story story;
  std::vector<std::vector<double>> points;  // of every seat after so many hands
  std::string typed;                        // the person's actions by name, each confirmed, and Enter after a hand
  int episodes = 0;
};

// So many hands without a session.
Played play_without(const GamePtr& game, std::uint64_t seed, int hands) {
  Played played;
  const std::unique_ptr<Env> env = game->new_env({.hold_hands = true});
  test::Dealing dealing(*env, seed);
  const auto players = static_cast<std::size_t>(game->players());
  std::vector<std::unique_ptr<Agent>> agents(players);
  for (auto& agent : agents) agent = players_for(game)->make();
  std::vector<double> before(players);  // in the episodes that are over
  played.points.push_back(before);
  while (static_cast<int>(played.points.size()) <= hands) {
    dealing.episode();
    ++played.episodes;
    for (;;) {
      const bool asked = !env->hand_over();
      while (!env->hand_over()) {
        const Seat seat = env->current_player();
        const Observation observation = env->observe(seat);
        const Decision decision = agents[static_cast<std::size_t>(seat)]->act(observation);
        played.story.push_back({seat, seat, observation.data, decision});
        if (seat == 0) played.typed += env->decision_to_string(decision) + "\ny\n";
        env->step(decision);
      }
      if (asked) played.typed += '\n';
      played.points.push_back(before);
      for (std::size_t seat = 0; seat < players; ++seat) played.points.back()[seat] += env->returns()[seat];
      if (env->terminated() || static_cast<int>(played.points.size()) > hands) break;
      env->next_hand();
    }
    before = played.points.back();
  }
  return played;
}

struct Sat {
  Story story;
  std::vector<double> points;
  int hands = 0;
};

// A session in which the person takes the adviser's advice, or types what is given.
Sat sit(const GamePtr& game, std::uint64_t seed, int hands, const std::string& input) {
  Sat sat;
  SessionOptions options;
  const auto made_for = [&](Seat seat) {
    return make_factory("telling",
                        [&, seat] { return std::make_unique<Telling>(seat, players_for(game)->make(), sat.story); });
  };
  options.adviser = made_for(0);
  for (Seat seat = 1; seat < game->players(); ++seat) options.opponents.push_back(made_for(seat));
  options.seed = seed;
  options.hands = hands;
  const test::Sat played = test::sit(game, std::move(options), input);
  sat.points = played.points;
  sat.hands = played.hands;
  return sat;
}

class SessionOf : public testing::TestWithParam<const char*> {};

TEST_P(SessionOf, HandAfterHandThePointsAddUp) {
  const GamePtr game = make_game(GetParam());
  const Played played = play_without(game, 5, 20);
  for (int hands = 1; hands <= 12; ++hands) {
    const Sat sat = sit(game, 5, hands, repeat(kTake, 600));
    // A hand in which nobody has anything to decide may end together with the one before it.
    ASSERT_GE(sat.hands, hands);
    ASSERT_LT(static_cast<std::size_t>(sat.hands), played.points.size());
    const auto end = static_cast<std::size_t>(sat.hands);
    EXPECT_EQ(sat.points, played.points[end]) << hands << " hands";
    double sum = 0;
    for (const double points : sat.points) sum += points;
    EXPECT_EQ(sum, 0);
    ASSERT_LE(sat.story.size(), played.story.size());
    EXPECT_TRUE(std::equal(sat.story.begin(), sat.story.end(), played.story.begin())) << hands << " hands";
  }
  EXPECT_NE(played.points.back(), played.points.front());
}

// However much was typed before, and whether the input ends or the person quits: hands count when they are over.
TEST_P(SessionOf, WhoQuitsInTheMiddleKeepsTheHandsThatAreOver) {
  const GamePtr game = make_game(GetParam());
  const Played played = play_without(game, 8, 40);
  int hands = 0, quits_within = 0;
  for (std::size_t turns = 0; hands < 4; ++turns) {
    ASSERT_LT(turns, 100U) << "four hands are not played";
    std::size_t asked = 0;
    for (const std::string end : {"", "quit\n", "take\nquit\n", "take\n"}) {
      const Sat sat = sit(game, 8, 0, repeat(kTake, turns) + end);
      ASSERT_GE(sat.hands, hands) << turns;
      EXPECT_EQ(sat.points, played.points[static_cast<std::size_t>(sat.hands)]) << turns << ' ' << end;
      if (end.empty()) asked = sat.story.size();
      quits_within += sat.story.size() > asked ? 1 : 0;
      hands = sat.hands;
    }
  }
  EXPECT_GT(quits_within, 0) << "nobody ever quit with a plan made";
}

INSTANTIATE_TEST_SUITE_P(Games, SessionOf,
                         testing::Values("ofc", "ofc[players=3]", "ofc[episode=match]", "kuhn", "leduc", "draw", "stud",
                                         "draw[players=3,limit=no_limit,stack=400,episode=match]",
                                         "holdem[limit=no_limit,stack=400,episode=match]"));

TEST(SessionHands, FantasylandIsPlayedInTheSameEpisode) {
  const GamePtr game = make_game("ofc");
  const Played played = play_without(game, 1, 60);
  ASSERT_LT(played.episodes, 60) << "nobody came to Fantasyland";
  const Sat sat = sit(game, 1, 60, repeat(kTake, 1000));
  EXPECT_EQ(sat.hands, 60);
  EXPECT_EQ(sat.points, played.points[60]);
  EXPECT_EQ(sat.story, played.story);
}

// The button goes to the left with every hand of a match in which nobody is in Fantasyland, and stays otherwise.
TEST(SessionHands, TheDealerMovesOn) {
  const GamePtr game = make_game("ofc[players=3,episode=match]");
  const ofc::GameRules& rules = ofc::as_ofc(*game)->rules();
  const Sat sat = sit(game, 3, 12, repeat(kTake, 200));
  std::vector<Seat> dealers;
  std::vector<bool> fantasyland;
  int street = 5;
  for (const Asked& asked : sat.story) {
    const ofc::View view = ofc::State::decode(rules, asked.sees);
    if (view.street < street) {
      dealers.push_back((view.me + view.dealer) % 3);
      fantasyland.push_back(false);
    }
    street = view.street;
    for (const bool one : view.fantasyland) fantasyland.back() = fantasyland.back() || one;
  }
  ASSERT_EQ(dealers.size(), 12U);
  int moved = 0;
  for (std::size_t hand = 1; hand < dealers.size(); ++hand) {
    EXPECT_EQ(dealers[hand], fantasyland[hand] ? dealers[hand - 1] : (dealers[hand - 1] + 1) % 3) << hand;
    moved += dealers[hand] != dealers[hand - 1] ? 1 : 0;
  }
  EXPECT_GT(moved, 5);
}

// A player without chips is out: nobody asks them, the person neither, until the next match is dealt.
TEST(SessionHands, InAMatchWhoIsOutIsNotAsked) {
  const GamePtr game = make_game("draw[players=3,limit=no_limit,stack=400,episode=match]");
  bool person = false, opponent = false;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    constexpr int kHands = 60;
    const Played played = play_without(game, seed, kHands);
    EXPECT_GT(played.episodes, 1) << "no match came to its end";
    const Sat sat = sit(game, seed, kHands, repeat(kTake, 3000));
    EXPECT_EQ(sat.hands, kHands);
    EXPECT_EQ(sat.points, played.points[kHands]);
    EXPECT_EQ(sat.story, played.story);
    const std::unique_ptr<Env> env = game->new_env();
    std::size_t next = 0;
    for (int episode = 0; episode < played.episodes; ++episode) {
      env->reset(derive(derive(seed, 0), static_cast<std::uint64_t>(episode)));
      while (env->current_player() != kTerminal && next < sat.story.size()) {
        const poker::State& state = dynamic_cast<const TypedEnv<poker::State>&>(*env).state();
        for (Seat seat = 0; seat < 3; ++seat) {
          if (!state.is_out(seat)) continue;
          (seat == 0 ? person : opponent) = true;
          EXPECT_NE(sat.story[next].seat, seat);
        }
        env->step(sat.story[next++].decides);
      }
    }
  }
  EXPECT_TRUE(person);
  EXPECT_TRUE(opponent);
}

// Actions typed by their names, without an adviser.
TEST(SessionHands, ActionsAreTypedByName) {
  for (const char* spec : {"kuhn", "leduc", "draw"}) {
    const GamePtr game = make_game(spec);
    const Played played = play_without(game, 2, 20);
    const Sat sat = sit(game, 2, 20, played.typed);
    EXPECT_EQ(sat.hands, 20) << spec;
    EXPECT_EQ(sat.points, played.points[20]) << spec;
  }
}

}  // namespace
}  // namespace dealer::terminal::session_hands_test
