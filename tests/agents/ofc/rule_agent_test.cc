#include "agents/ofc/rule_agent.h"

#include <gtest/gtest.h>

#include "agents/agent_registry.h"
#include "env/core/error.h"
#include "env/games/ofc/game.h"
#include "env/games/ofc/observation_parts.h"
#include "tests/support/error_message.h"

namespace dealer::ofc::rule_agent_test {
namespace {

// What the player makes of three cards on a later street, heads-up against an empty board.
class ExpertPlayer : public testing::Test {
 protected:
  Board set(std::string_view front, std::string_view middle, std::string_view back, std::string_view hand, int street) {
    const ObservationParts part(2);
    std::vector<float> data(static_cast<std::size_t>(part.size));
    const auto mark = [&](int offset, CardSet cards) {
      for_each(cards, [&](int card) { data[static_cast<std::size_t>(offset) + static_cast<std::size_t>(card)] = 1; });
    };
    Board board{{cards(front), cards(middle), cards(back)}};
    CardSet rest = cards(hand), discards = 0;
    agent_->reset(0, 0);
    while (rest != 0) {
      std::fill(data.begin(), data.end(), 0.0F);
      for (int row = 0; row < kRows; ++row) mark(part.rows + row * kCards, board.row[static_cast<std::size_t>(row)]);
      mark(part.hand, rest);
      mark(part.discards, discards);
      mark(part.next, rest & -rest);
      data[static_cast<std::size_t>(part.dealer)] = data[static_cast<std::size_t>(part.turn)] = 1;
      data[static_cast<std::size_t>(part.seat)] =
          data[static_cast<std::size_t>(part.street) + static_cast<std::size_t>(street)] = 1;
      const int discards_left = discards == 0 ? 1 : 0;
      data[static_cast<std::size_t>(part.discards_left)] = static_cast<float>(discards_left) / 4;
      data[static_cast<std::size_t>(part.places_left)] = static_cast<float>(size(rest) - discards_left) / 13;
      const Observation observation{0, data, 15};
      const Action place = agent_->act(observation).action;
      (place == kToDiscard ? discards : board.row[static_cast<std::size_t>(place)]) |= rest & -rest;
      rest &= rest - 1;
    }
    return board;
  }

  static CardSet cards(std::string_view text) { return to_set(parse_cards(text)); }

  GamePtr game_ = make_game("ofc");
  std::unique_ptr<Agent> agent_ = make_agents("rule:expert", game_)->make();
};

TEST_F(ExpertPlayer, DoesNotFoulWhenItNeedNot) {
  // Queens in front would be above the nines in the middle.
  const Board board = set("Qs 4d", "9s 9d 5h 3c 2d", "Ks Kh 8d 8c", "Qh 7c 2s", 4);
  EXPECT_FALSE(evaluate(board).foul);
  EXPECT_TRUE(board.complete());
}

TEST_F(ExpertPlayer, TakesFantasylandWhenItIsSafe) {
  const Board board = set("Qs 4d", "As Ad 5h 3c 2d", "Ks Kh 8d 8c", "Qh 7c 2s", 4);
  EXPECT_TRUE(evaluate(board).fantasyland);
}

TEST_F(ExpertPlayer, CompletesTheFlush) {
  const Board board = set("Qs", "9s 9d 5h", "Ah Jh 7h 4h", "2h Kc 8d", 2);
  EXPECT_NE(board.row[kBack] & cards("2h"), CardSet{0});
}

TEST_F(ExpertPlayer, CompletesTheFullHouse) {
  const Board board = set("Qs 2d", "9s 9d 5h 4c", "Ah As 7h 7c", "7d Kc 8d", 3);
  EXPECT_NE(board.row[kBack] & cards("7d"), CardSet{0});
}

TEST_F(ExpertPlayer, KeepsKingsOutOfAFrontTheyWouldSpoil) {
  // One card cannot lift the middle above them.
  const Board board = set("3s", "8s 6d 4h 2c", "9h 9c 5s 4d", "Ks Kh 7c", 3);
  EXPECT_LT(size(board.row[kFront] & cards("Ks Kh")), 2);
}

TEST_F(ExpertPlayer, ExplainsItself) {
  const auto env = game_->new_env();
  env->reset(1);
  agent_->reset(env->current_player(), 0);
  const std::string text = agent_->explain(env->observe(env->current_player()));
  EXPECT_NE(text.find(" / "), std::string::npos) << text;
  EXPECT_NE(text.find("foul "), std::string::npos) << text;
}

TEST(RuleStyles, DifferAsTheyAreNamed) {
  const GamePtr game = make_game("ofc[episode=hand]");
  const auto fouls = [&](const std::string& spec) {
    const auto env = game->new_env();
    const auto agent = make_agents(spec, game)->make();
    double sum = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      env->reset(seed);
      while (env->current_player() != kTerminal) {
        agent->reset(0, 0);
        env->step(agent->act(env->observe(env->current_player())));
      }
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
}  // namespace dealer::ofc::rule_agent_test
