// Fixed agents at the tables of an afterstate learner. If the opponent has the learner's own model, the hands equal
// those of self-play, and the samples are those of the learner's seat.
#include "train/afterstate/opponents.h"

#include "agents/nn/safetensors.h"
#include "agents/ofc/value_agent.h"
#include "agents/seven_hand/value_agent.h"
#include "env/core/data_dir.h"
#include "tests/support/fake_agents.h"
#include "tests/support/testing.h"
#include "train/ofc/self_play.h"
#include "train/seven_hand/self_play.h"

namespace dealer::opponents_test {
namespace {

void expect_same(const TdSample& a, const TdSample& b) {
  EXPECT_TRUE(std::ranges::equal(a.list.active(), b.list.active()));
  EXPECT_EQ(a.target, b.target);
}

TEST(Opponents, HaveAllSeatsButOneAtTheirTables) {
  const GamePtr game = make_game("ofc[players=3]");
  const Opponents some({{test::fake_agents("first"), test::fake_agents("second")}, 0.5}, *game, 8, 1);
  for (int table = 0; table < 8; ++table)
    for (Seat seat = 0; seat < 3; ++seat)
      EXPECT_EQ(some.play(table, seat), table < 4 && seat != (table + 1) % 3) << table << ' ' << seat;
  EXPECT_FALSE(Opponents({}, *game, 8, 1).play(0, 0));
}

// Its play does not depend on earlier turns.
TEST(Opponents, SitDownWithTheSeedOfTheTable) {
  const auto game = test::game_of<ofc::Game>("ofc[episode=hand]");
  std::vector<std::pair<Seat, std::uint64_t>> resets;
  const AgentFactoryPtr agents =
      test::fake_agents("noted", {.reset = [&](Seat seat, std::uint64_t seed) { resets.emplace_back(seat, seed); }});
  const ofc::ValueModel model = ofc::load_value_model(read_safetensors(data_path("models/ofc.safetensors")));
  ofc::SelfPlay play(game, {.tables = 2, .epsilon = 0, .opponents = {{agents}, 1}, .seed = 9});
  play.run(10, model, {0, nullptr, &game->rules().scoring});
  ASSERT_EQ(resets.size(), 10);
  for (const auto& [seat, seed] : resets) EXPECT_EQ(seed, derive(9, static_cast<std::uint64_t>(seat)));
}

TEST(Opponents, LeaveTheLearnersSamplesOfOfc) {
  const auto game = test::game_of<ofc::Game>("ofc[episode=hand]");
  const auto model = std::make_shared<const ofc::ValueModel>(
      ofc::load_value_model(read_safetensors(data_path("models/ofc.safetensors"))));
  const AgentFactoryPtr same = ofc::make_value_agents("same", model, game, 0, {}, false);
  constexpr std::size_t kHands = 6, kTurns = 5;
  ofc::SelfPlaySettings settings{.tables = 1, .last_turn_draws = 0, .epsilon = 0, .seed = 5};
  ofc::SelfPlay alone(game, settings);
  settings.opponents = {{same}, 1};
  ofc::SelfPlay opposite(game, settings);
  for (ofc::SelfPlay* play : {&alone, &opposite})
    play->run(2 * kTurns * kHands, *model, {0, nullptr, &game->rules().scoring});
  ASSERT_EQ(alone.samples().size(), 2 * kTurns * kHands);
  ASSERT_EQ(opposite.samples().size(), kTurns * kHands);
  for (std::size_t i = 0; i < opposite.samples().size(); ++i)
    expect_same(opposite.samples()[i], alone.samples()[i / kTurns * 2 * kTurns + kTurns + i % kTurns]);
  EXPECT_EQ(opposite.counts().seats_normal, kHands);
  EXPECT_EQ(opposite.boards().size(), 2 * kHands);

  // Tables saved in the middle of a hand continue unchanged.
  opposite.run(5, *model, {0, nullptr, &game->rules().scoring});
  ofc::SelfPlay again(game, settings);
  again.load(opposite.save());
  for (ofc::SelfPlay* play : {&opposite, &again}) {
    play->clear();
    play->run(5, *model, {0, nullptr, &game->rules().scoring});
    ASSERT_EQ(play->samples().size(), kTurns);
  }
  for (std::size_t i = 0; i < kTurns; ++i) expect_same(opposite.samples()[i], again.samples()[i]);
}

TEST(Opponents, LeaveTheChainToTheLearner) {
  const auto game = test::game_of<ofc::Game>("ofc");
  const ofc::ValueModel model = ofc::load_value_model(read_safetensors(data_path("models/ofc.safetensors")));
  ofc::SelfPlay play(game, {.tables = 2, .epsilon = 0, .opponents = {{make_agents("zoo:chaser", game)}, 1}, .seed = 2});
  play.run(1000, model, {model.chain.fantasyland(14), nullptr, &game->rules().scoring});
  const ofc::SelfPlayCounts& counts = play.counts();
  EXPECT_EQ(counts.seats_normal + counts.seats_fantasyland, counts.hands);
  // One for every hand with a player in Fantasyland.
  ASSERT_GT(play.chain_steps().size(), 10);
  EXPECT_EQ(std::ranges::count_if(play.chain_steps(), &ofc::ChainStep::own), counts.seats_fantasyland);
}

TEST(Opponents, LeaveTheLearnersSamplesOfSevenHand) {
  using namespace seven_hand;
  const auto game = test::game_of<seven_hand::Game>("seven_hand");
  const auto model = std::make_shared<const seven_hand::ValueModel>(
      seven_hand::ValueModel{load_net(read_safetensors(data_path("models/seven_hand.safetensors"))),
                             std::make_shared<const AfterstateFeatures>(game->rules())});
  seven_hand::SelfPlaySettings settings{.tables = 1, .epsilon = 0, .seed = 3};
  seven_hand::SelfPlay alone(game, settings);
  settings.opponents = {{seven_hand::make_value_agents("same", model, game)}, 1};
  seven_hand::SelfPlay opposite(game, settings);
  for (seven_hand::SelfPlay* play : {&alone, &opposite})
    while (play->run(1, *model).hands == 0) continue;
  const std::size_t own = opposite.samples().size(), all = alone.samples().size();
  ASSERT_GT(own, 10);
  ASSERT_LT(own, all);
  for (std::size_t i = 0; i < own; ++i) expect_same(opposite.samples()[i], alone.samples()[all - own + i]);
  EXPECT_EQ(2 * opposite.counts().layings, alone.counts().layings);
}

}  // namespace
}  // namespace dealer::opponents_test
