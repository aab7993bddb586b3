#include "agents/ofc/afterstates.h"

#include "agents/agent_registry.h"
#include "agents/ofc/afterstate_search.h"
#include "agents/ofc/last_turn_values.h"
#include "agents/ofc/model_play.h"
#include "agents/ofc/playouts.h"
#include "agents/ofc/turn_agent.h"
#include "agents/ofc/turn_values.h"
#include "env/games/ofc/game.h"
#include "tests/agents/ofc/ofc_support.h"
#include "tests/support/play.h"
#include "tests/support/testing.h"

namespace dealer::ofc::afterstates_test {
namespace {

using test::error_message;

// The rows of a board are summed once and shared by all placements that contain them: every value must equal the one
// computed from that afterstate's features alone, whatever batch it was in.
void expect_equal_to_one_by_one(const std::string& spec, const std::vector<int>& widths, int rows_at_once,
                                const Stacks& stacks = {}, int features_of_net = kFeatures) {
  const auto game = test::game_of<Game>(spec);
  const ValueNet net = test::random_net(widths, 3, 0.5F, 0.3F, stacks, features_of_net);
  AfterstateEvaluator evaluator(net, rows_at_once);
  ChainValues chain;
  for (std::size_t i = 0; i < chain.data().size(); ++i) chain.data()[i] = 0.7 * static_cast<double>(i);
  const EndOfHand end{&game->rules().scoring, net.knows_fantasyland() ? &chain : nullptr, 0};
  RandomStream rng(4);
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    State state;
    state.reset(game->rules(), seed);
    while (state.current_player() != kTerminal && checked < 60'000) {
      const View view = state.view(state.current_player());
      if (view.places_left + view.discards_left == size(view.hand) && view.fantasyland[0] == 0) {
        const std::vector<Placement> placements = test::placements_of(view);
        const std::size_t n = placements.size();
        std::vector<float> values(n * at(view.players - 1));
        evaluator.add(view, placements, end, values.data());
        evaluator.flush();
        const CardSet live = kFullDeck & ~view.seen();
        for (std::size_t other = 1; other < at(view.players); ++other) {
          for (std::size_t i = 0; i < n; ++i, ++checked) {
            const Board& own = placements[i].board;
            const float value = values[(other - 1) * n + i];
            if (own.complete() && view.board[other].complete()) {
              const Rules& rules = game->rules().scoring;
              ASSERT_EQ(value, static_cast<float>(end.stake(evaluate(own, rules), evaluate(view.board[other], rules),
                                                            false, view.dealer == 0)));
              continue;
            }
            FeatureList list = features(own, view.board[other], live, view.fantasyland[other] != 0);
            if (net.knows_fantasyland()) {
              EntryValues entry{};
              for (std::size_t front = 0; front < entry.size(); ++front)
                entry[front] = chain(game->rules().scoring.bonus.fantasyland_cards[front], 0, view.dealer == 0);
              add_fantasyland_features(entry, view.fantasyland[other], list);
            }
            ASSERT_NEAR(value, net.predict(list).stake, 1e-3F);
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
TEST(AfterstateEvaluator, EqualsTheNetworkOneByOneWithLayersByTurn) {
  expect_equal_to_one_by_one("ofc", {32, 16}, 64, kTurnStacks);
}

TEST(AfterstateEvaluator, EqualsTheNetworkOneByOneThatKnowsWhatFantasylandIsWorth) {
  expect_equal_to_one_by_one("ofc_progressive[fantasyland.entry_pair=22]", {32, 16}, 64, {}, kFantasylandFeatures);
}

TEST(FantasylandFeatures, NameTheRoundedValuesAndTheOpponentsCards) {
  const auto of = [](const EntryValues& values, int cards) {
    FeatureList list;
    add_fantasyland_features(values, cards, list);
    return std::vector<int>(list.active().begin(), list.active().end());
  };
  constexpr int kBase = kFeatures;
  EXPECT_EQ(of({0, 9.4, 9.6, 31}, 0), (std::vector<int>{kBase, kBase + 48 + 9, kBase + 96 + 10, kBase + 144 + 31}));
  EXPECT_EQ(of({-3, 0.2, 45, 1.5}, 13),
            (std::vector<int>{kBase, kBase + 48, kBase + 96 + 45, kBase + 144 + 2, kBase + 192}));
  EXPECT_EQ(of({}, 17).back(), kFantasylandFeatures - 1);
}

TEST(AfterstateEvaluator, AValueIsTheSameBitForBitInAnyCompany) {
  const auto game = test::game_of<Game>("ofc[players=3]");
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
      if (view.fantasyland[0] == 0 && view.places_left + view.discards_left == size(view.hand)) views.push_back(view);
    }
  }
  std::vector<std::vector<Placement>> placements;
  for (const View& view : views) placements.push_back(test::placements_of(view));
  using Values = std::array<float, 2 * kMaxPlacements>;
  const auto evaluate_all = [&](int rows_at_once, std::size_t turns_at_once) {
    AfterstateEvaluator evaluator(net, rows_at_once, 0.7);
    std::vector<Values> values(views.size(), Values{});
    // In reverse order, so that every turn is in another batch.
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

// A's share is its royalties and, with queens in front, the next hand; row points are computed between both boards.
TEST(EndOfHand, TakesThePointsApart) {
  ChainValues chain;
  chain.at(14, 0, true) = 9.5;
  chain.at(14, 0, false) = 8.5;
  const EndOfHand end{&kStandardRules, &chain, 0};
  const BoardValue a = evaluate(parse_board("Kd Qd 6h / 5h 5c 3h 3c 6s / Js Jh Jd 7s 7d"));
  const BoardValue b = evaluate(parse_board("Ad Ac Qh / As Ah Ts Td 2s / 5d 6d 7h 8d 9d"));
  EXPECT_DOUBLE_EQ(end.share(a, false, true), 6);
  EXPECT_DOUBLE_EQ(end.share(b, false, true), 11 + 9.5);
  EXPECT_DOUBLE_EQ(end.share(b, false, false), 11 + 8.5);
  EXPECT_DOUBLE_EQ(end.share(b, true, false), 11);  // aces in front do not stay in Fantasyland
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

// The shipped model, used for search at a separate table.
class AfterstateSearch : public testing::Test {
 protected:
  void table(const std::string& spec, std::uint64_t seed) {
    game_ = make_game(spec);
    const auto& rules = as_ofc(*game_)->rules();
    play_ = std::make_shared<const ModelPlay>(test::shipped_model(), rules);
    state_.reset(rules, seed);
  }
  Observation seen() const { return test::seen_in(state_, *game_); }
  SearchResult search(const std::string& options, std::uint64_t seed = 1, const Observation* at_table = nullptr) {
    Config config = agent_options(parse_spec("default[" + options + "]"));
    SearchSetup setup{.options = read_search_options(config, "default"), .spec = "default", .evaluator = {}};
    return make_afterstate_search(setup, game_, play_, {})()->run(at_table != nullptr ? *at_table : seen(), seed);
  }
  // Plays with the shipped agent until `stop` returns true.
  template <class F>
  void play_until(F&& stop) {
    const test::Seats seats = test::make_seats(make_agents("default", game_), *game_);
    while (!stop()) {
      ASSERT_FALSE(state_.hand_over());
      state_.apply(seats[at(state_.current_player())]->act(seen()).action);
    }
  }
  bool begins(int street) const {
    return !state_.hand_over() && state_.street() == street && !state_.turn_complete(state_.current_player()) &&
           size(state_.hand(state_.current_player())) == (street == 0 ? 5 : 3);
  }

  GamePtr game_;
  std::shared_ptr<const ModelPlay> play_;
  State state_;
};

TEST_F(AfterstateSearch, ComparesSoManyAndSpendsItsBudget) {
  std::uint64_t deal = 0;  // the first deal with that many promising placements
  for (table("ofc", deal); search("simulations=1").choices.size() < 4; table("ofc", ++deal)) ASSERT_LT(deal, 50U);
  const SearchResult result = search("simulations=160,candidates=4");
  ASSERT_EQ(result.choices.size(), 4U);
  std::vector<std::int64_t> deals;
  for (const ChoiceValue& choice : result.choices) deals.push_back(choice.simulations);
  EXPECT_EQ(deals, (std::vector<std::int64_t>{60, 60, 20, 20}));
  for (const ChoiceValue& choice : result.choices) {
    EXPECT_GT(choice.error, 0);
    EXPECT_FALSE(choice.actions.empty());
    EXPECT_TRUE(test::has(choice.text, "Fantasyland"));
  }
}

// The remaining placements share the budget of the dropped ones, and with one left the search ends.
TEST_F(AfterstateSearch, DropsWhatIsSurelyWorse) {
  int early = 0, longer = 0;
  for (std::uint64_t deal = 0; deal < 12; ++deal) {
    table("ofc", deal);
    play_until([&] { return begins(2); });
    const SearchResult result = search("simulations=3000,candidates=8");
    std::int64_t spent = 0;
    for (const ChoiceValue& choice : result.choices) spent += choice.simulations;
    EXPECT_LE(spent, 3000);
    if (spent < 2000) ++early;
    // Plain SequentialHalving gives the two best at most 3000 / 3 / 8 + 3000 / 3 / 4 + 3000 / 3 / 2 each.
    if (result.choices.size() == 8 && result.choices.front().simulations > 875) ++longer;
  }
  EXPECT_GT(early, 0);
  EXPECT_GT(longer, 0);
}

TEST_F(AfterstateSearch, LeavesOutWhatIsHopeless) {
  table("ofc", 3);
  const View view = decode_turn(play_->rules(), seen());
  TurnValues turn_values(*play_, 0);
  const std::span<const float> values = turn_values.totals(view, test::placements_of(view));
  const float best = *std::max_element(values.begin(), values.end());
  const auto near = std::count_if(values.begin(), values.end(), [&](float value) { return value > best - 5; });
  EXPECT_EQ(search("simulations=1,candidates=256").choices.size(), at(near));
  EXPECT_LT(at(near), values.size());
}

// If all but one are hopeless, the second best is still played out for comparison, so that hints are useful.
TEST_F(AfterstateSearch, ComparesTwoAtLeast) {
  int alone = 0;
  for (std::uint64_t deal = 0; deal < 60 && alone == 0; ++deal) {
    table("ofc", deal);
    state_.deal(play_->rules(), deal, {}, 0);
    play_until([&] { return begins(3); });
    const SearchResult result = search("simulations=40");
    ASSERT_GE(result.choices.size(), 2U);
    EXPECT_GT(result.choices.front().simulations, 0);
    const View view = decode_turn(play_->rules(), seen());
    const std::vector<ValuedPlacement> best = TurnValues(*play_, 0).best(view, 2);
    if (best[1].value > best[0].value - 5) continue;
    EXPECT_EQ(result.choices.size(), 2U);
    ++alone;
  }
  EXPECT_EQ(alone, 1);
}

TEST_F(AfterstateSearch, IsTheSameForASeedAndAnyNumberOfThreads) {
  table("ofc", 4);
  play_until([&] { return begins(2); });
  const SearchResult one = search("simulations=400,candidates=6"), again = search("simulations=400,candidates=6"),
                     two = search("simulations=400,candidates=6,threads=3"), other = search("simulations=400", 2);
  ASSERT_EQ(one.choices.size(), two.choices.size());
  for (std::size_t i = 0; i < one.choices.size(); ++i) {
    EXPECT_EQ(one.choices[i].value, again.choices[i].value);
    EXPECT_EQ(one.choices[i].actions, two.choices[i].actions);
    EXPECT_NEAR(one.choices[i].value, two.choices[i].value, 1e-9);
    EXPECT_NEAR(one.choices[i].error, two.choices[i].error, 1e-9);
  }
  EXPECT_NE(one.choices.front().value, other.choices.front().value);
}

TEST_F(AfterstateSearch, ChoosesWholeTurns) {
  table("ofc[players=3]", 5);
  play_until([&] { return begins(1); });
  const SearchResult result = search("simulations=60,candidates=3");
  const Seat me = state_.current_player();
  const auto& line = result.choices.front().actions;
  ASSERT_EQ(result.ahead.size(), line.size() - 1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    ASSERT_EQ(state_.current_player(), me);
    if (i > 0) {
      EXPECT_EQ(seen().data, result.ahead[i - 1]);
    }
    state_.apply(line[i]);
  }
  EXPECT_NE(state_.current_player(), me);
  EXPECT_EQ(result.choices.front().text.rfind(to_string(state_.board(me)), 0), 0U);
}

TEST_F(AfterstateSearch, LastTurnsAreExact) {
  for (const bool dealer : {false, true}) {
    SearchResult result;
    for (std::uint64_t deal = 0; result.choices.size() < 2; ++deal) {
      ASSERT_LT(deal, 50U);
      table("ofc", deal);
      state_.deal(play_->rules(), deal, {}, 0);
      play_until([&] { return begins(4) && (state_.current_player() == state_.dealer()) == dealer; });
      result = search("simulations=1");
    }
    const View view = decode_turn(play_->rules(), seen());
    double best = -1000;
    for (const ChoiceValue& choice : result.choices) {
      State after = state_;
      for (const Action action : choice.actions) after.apply_and_hold(action);
      const Board board = dealer ? after.last_hand().board[view.me] : after.board(view.me);
      const LastTurnValue value = last_turn_value(view, board, play_->end_of_hand());
      EXPECT_EQ(choice.value, value.points);
      EXPECT_EQ(choice.simulations, value.deals);
      EXPECT_EQ(value.deals == 1, dealer);
      EXPECT_EQ(choice.error, 0);
      best = std::max(best, choice.value);
    }
    EXPECT_EQ(result.choices.front().value, best);
  }
}

// With many deals the result agrees with plain means over as many playouts, whose error is known.
TEST_F(AfterstateSearch, FindsWhatPlayoutsSay) {
  table("ofc", 8);
  play_until([&] { return begins(3); });
  const SearchResult result = search("simulations=24000,candidates=6");
  const View view = decode_turn(play_->rules(), seen());
  std::vector<Placement> two;
  for (std::size_t i = 0; i < 2; ++i)
    for (const Placement& placement : test::placements_of(view))
      if (result.choices[i].text.rfind(to_string(placement.board), 0) == 0) two.push_back(placement);
  ASSERT_EQ(two.size(), 2U);
  constexpr int kDeals = 4000;
  std::vector<PlayedOut> out(2 * kDeals);
  Playouts(*play_).run(view, two, 99, 0, kDeals, 0, out);
  double difference = 0;
  for (std::size_t d = 0; d < kDeals; ++d) difference += (out[2 * d].stake[1] - out[2 * d + 1].stake[1]) / kDeals;
  EXPECT_NEAR(result.choices[0].value - result.choices[1].value, difference, 0.5);
  EXPECT_GT(result.choices[0].simulations, 3000);
}

TEST_F(AfterstateSearch, FantasylandHasOneAnswer) {
  table("ofc", 0);
  state_.deal(play_->rules(), 7, {14, 0}, 1);
  while (state_.current_player() != 0) state_.apply(make_agents("default", game_)->make()->act(seen()).action);
  const SearchResult result = search("simulations=10");
  ASSERT_EQ(result.choices.size(), 1U);
  EXPECT_EQ(result.choices[0].simulations, 0);
  EXPECT_EQ(result.choices[0].text.rfind("Fantasyland: ", 0), 0U);
  const auto agent = make_agents("default", game_)->make();
  agent->reset(0, 1);
  EXPECT_EQ(agent->act(seen()).action, result.choices[0].actions.front());
}

TEST_F(AfterstateSearch, MillisecondsAreKeptRoughly) {
  table("ofc", 9);
  const SearchResult result = search("milliseconds=30,candidates=8");
  EXPECT_EQ(result.choices.size(), 8U);
  EXPECT_GE(result.choices.front().simulations, 3 * 16);
  EXPECT_GT(result.choices.front().simulations, result.choices.back().simulations);
}

TEST_F(AfterstateSearch, LooksNoFurtherThanItsDepth) {
  table("ofc", 10);
  play_until([&] { return begins(1); });
  const SearchResult near = search("simulations=200,candidates=4,depth=1"),
                     far = search("simulations=200,candidates=4");
  // The next turn has less variance than the end of the hand.
  EXPECT_LT(near.choices.front().error, 0.7 * far.choices.front().error);
  const SearchResult all = search("simulations=200,candidates=4,depth=9");
  EXPECT_EQ(all.choices.front().value, far.choices.front().value);
}

TEST_F(AfterstateSearch, RefusesThatNobodyIsToAct) {
  table("ofc", 11);
  Observation waiting = seen();
  waiting.player = 1 - waiting.player;
  state_.observe(waiting.player, waiting.data.data());
  EXPECT_EQ(error_message<UsageError>([&] { search("simulations=5", 1, &waiting); }),
            "there is nothing to choose: the observer is not to act");
}

}  // namespace
}  // namespace dealer::ofc::afterstates_test
