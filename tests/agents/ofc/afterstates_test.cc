#include "agents/ofc/afterstates.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

#include "agents/ofc/model_play.h"
#include "env/core/registry.h"
#include "env/games/ofc/game.h"
#include "tests/agents/ofc/ofc_support.h"

namespace dealer::ofc::afterstates_test {
namespace {

// The rows of a board are summed once and shared by all placements that have them: every value must be what the
// features of that one afterstate give, whatever was evaluated together with it.
void expect_equal_to_one_by_one(const std::string& spec, const std::vector<int>& widths, int rows_at_once) {
  const auto game = std::dynamic_pointer_cast<const Game>(make_game(spec));
  const ValueNet net = test::random_net(widths, 3, 0.5F, 0.3F);
  AfterstateEvaluator evaluator(net, rows_at_once);
  const EndOfHand end{&game->rules().scoring, nullptr, 0};
  RandomStream rng(4);
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    State state;
    state.reset(game->rules(), seed);
    while (state.current_player() != kTerminal && checked < 60'000) {
      const View view = state.view(state.current_player());
      if (view.places_left + view.discards_left == size(view.hand) && !view.fantasyland[0]) {
        const std::vector<Placement> placements = test::placements_of(view);
        const std::size_t n = placements.size();
        std::vector<float> values(n * static_cast<std::size_t>(view.players - 1));
        evaluator.add(view, placements, end, values.data());
        evaluator.flush();
        const CardSet live = kFullDeck & ~view.seen();
        for (std::size_t other = 1; other < static_cast<std::size_t>(view.players); ++other) {
          for (std::size_t i = 0; i < n; ++i, ++checked) {
            const Board& own = placements[i].board;
            const float value = values[(other - 1) * n + i];
            if (own.complete() && view.board[other].complete()) {
              ASSERT_EQ(value, static_cast<float>(end.stake(evaluate(own), evaluate(view.board[other]), false, false)));
              continue;
            }
            const float expected = net.predict(features(own, view.board[other], live, view.fantasyland[other])).stake;
            ASSERT_NEAR(value, expected, 1e-3F);
          }
        }
      }
      const auto legal = Observation{0, {}, state.legal_mask()}.legal_actions();
      state.apply(legal[rng.below(static_cast<std::uint32_t>(legal.size()))]);
    }
  }
  EXPECT_GT(checked, 10'000);
  EXPECT_GT(evaluator.evaluations(), 10'000);
}

TEST(AfterstateEvaluator, EqualsTheNetworkOneByOne) { expect_equal_to_one_by_one("ofc", {32, 16}, 64); }
TEST(AfterstateEvaluator, EqualsTheNetworkOneByOneForThree) { expect_equal_to_one_by_one("ofc[players=3]", {24}, 1); }

// Whatever is evaluated with it and however many rows are computed together.
TEST(AfterstateEvaluator, AValueIsTheSameBitForBitInAnyCompany) {
  const auto game = std::dynamic_pointer_cast<const Game>(make_game("ofc[players=3]"));
  const ValueNet net = test::random_net({256, 64, 32}, 5, 0.5F, 0.3F);
  const EndOfHand end{&game->rules().scoring, nullptr, 0};
  std::vector<View> views;
  RandomStream rng(6);
  for (std::uint64_t seed = 0; views.size() < 150; ++seed) {
    State state;
    state.reset(game->rules(), seed);
    for (; state.current_player() != kTerminal;
         state.apply(Observation{0, {}, state.legal_mask()}.legal_actions().back())) {
      const View view = state.view(state.current_player());
      if (!view.fantasyland[0] && view.places_left + view.discards_left == size(view.hand)) views.push_back(view);
    }
  }
  std::vector<std::vector<Placement>> placements;
  for (const View& view : views) placements.push_back(test::placements_of(view));
  using Values = std::array<float, 2 * kMaxPlacements>;
  const auto evaluate_all = [&](int rows_at_once, std::size_t turns_at_once) {
    AfterstateEvaluator evaluator(net, rows_at_once, 0.7);
    std::vector<Values> values(views.size(), Values{});
    // Backwards, so that every turn has other company.
    for (std::size_t i = views.size(); i-- > 0;) {
      evaluator.add(views[i], placements[i], end, values[i].data());
      if (i % turns_at_once == 0) evaluator.flush();
    }
    return values;
  };
  const std::vector<Values> alone = evaluate_all(1, 1);
  for (const auto& [rows, turns] :
       {std::pair{AfterstateEvaluator::kRowsAtOnce, std::size_t{1}}, {7, 5}, {32, 1000}, {512, 64}}) {
    const std::vector<Values> together = evaluate_all(rows, turns);
    for (std::size_t i = 0; i < views.size(); ++i)
      ASSERT_EQ(std::memcmp(alone[i].data(), together[i].data(), 2 * placements[i].size() * sizeof(float)), 0)
          << "turn " << i;
  }
}

// A's share is its royalties and, with queens up, the next hand; the rows are what is between the two.
TEST(EndOfHand, TakesThePointsApart) {
  ChainValues chain;
  chain.at(true, false, true) = 9.5;
  chain.at(true, false, false) = 8.5;
  const EndOfHand end{&kStandardRules, &chain, 0};
  const BoardValue a = evaluate(parse_board("Kd Qd 6h / 5h 5c 3h 3c 6s / Js Jh Jd 7s 7d"));
  const BoardValue b = evaluate(parse_board("Ad Ac Qh / As Ah Ts Td 2s / 5d 6d 7h 8d 9d"));
  EXPECT_DOUBLE_EQ(end.share(a, false, true), 6);
  EXPECT_DOUBLE_EQ(end.share(b, false, true), 11 + 9.5);
  EXPECT_DOUBLE_EQ(end.share(b, false, false), 11 + 8.5);
  EXPECT_DOUBLE_EQ(end.share(b, true, false), 11);  // aces in front do not stay
  EXPECT_DOUBLE_EQ(end.stake(a, b, false, true), 6 - 1);
  EXPECT_DOUBLE_EQ(end.stake(a, b, false, true) - 11, score(a, b));
  const BoardValue foul = evaluate(parse_board("Ad Ac Qh / 2s 3h 4d 6c 7s / 5d 6d 7h 8d 9d"));
  EXPECT_DOUBLE_EQ(EndOfHand({&kStandardRules, &chain, 0.5}).stake(foul, a, false, true), -6 - 0.5);
  const EndOfHand last{&kStandardRules, nullptr, 0};
  EXPECT_DOUBLE_EQ(last.share(b, false, true), 11);
}

TEST(ModelPlay, AddsUpOverOpponents) {
  const std::vector<float> values = {1, 2, 3, 10, 30, 20};
  std::vector<float> totals(3);
  add_up(values, totals);
  EXPECT_EQ(totals, (std::vector<float>{11, 32, 23}));
  EXPECT_EQ(best_of(totals), 1U);
}

}  // namespace
}  // namespace dealer::ofc::afterstates_test
