#include "agents/abstraction/board_sampling.h"
#include "agents/abstraction/bucket_solver.h"
#include "agents/abstraction/holdem_cards.h"
#include "agents/agent_registry.h"
#include "env/games/poker/parts.h"
#include "tests/support/play.h"
#include "tests/support/testing.h"

namespace dealer::abstraction::holdem_test {
namespace {

std::shared_ptr<const poker::Game> holdem(const std::string& spec) { return test::game_of<poker::Game>(spec); }

const HoldemCards& cards() {
  static const HoldemCards kCards(holdem("holdem"), 40, 1.6);
  return kCards;
}

Observation seen_by(const poker::State& state, const poker::GameRules& rules, std::vector<float>& data) {
  data.assign(at(rules.parts->size), 0.0F);
  state.observe(state.current_player(), data.data());
  return {state.current_player(), data, state.legal_mask()};
}

// Random real hands follow the tree: the same seat decides, its observation leads to the
// same group, and the payoffs agree.
TEST(HoldemTree, IsTheCourseOfEveryHand) {
  for (const char* spec : {"holdem", "holdem[limit=no_limit]", "holdem[limit=pot_limit,stack=300,ante=3,blinds=[5,10]]",
                           "holdem[limit=no_limit,bets=[min,0.33,all_in],stack=700,raises_per_player=1]"}) {
    const auto game = holdem(spec);
    const poker::GameRules& rules = game->rules();
    HoldemTree betting(rules, 1.4);
    betting.lay_out(std::array{5, 4, 3, 2});
    const PublicTree& tree = betting.tree();
    RandomStream rng(5);
    int showdowns = 0, folds = 0;
    std::array<int, 4> met{};
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
      poker::State state;
      state.reset_and_hold(rules, seed);
      const Seat first = 1 - state.dealer();
      const PublicNode* node = &tree.nodes[0];
      while (!state.hand_over()) {
        ASSERT_EQ(node->kind, PublicNode::Kind::kBet);
        ASSERT_EQ(node->position, state.current_player() == first ? 0 : 1);
        ASSERT_EQ(node->stage, state.street());
        ++met[at(node->stage)];
        std::vector<float> data;
        const Observation observation = seen_by(state, rules, data);
        const poker::View view = poker::State::decode(rules, data);
        const Spot spot = spot_of(view, state.legal_mask());
        const HoldemTree::Group& group = betting.find(spot);
        ASSERT_EQ(group.base, node->base);
        ASSERT_EQ(group.first.options, spot.options);
        ASSERT_EQ(node->options, std::popcount(spot.options));
        EXPECT_EQ(spot.pot, state.bets().pot());
        EXPECT_EQ(spot.to_call, state.bets().to_call());
        EXPECT_EQ(spot.options & 1, spot.to_call > 0 ? 1U : 0U) << "folds with nothing to call";
        std::vector<Action> options;
        for (const Action action : observation.legal_actions())
          if ((spot.options >> action & 1) != 0) options.push_back(action);
        std::size_t choice = rng.below(static_cast<std::uint32_t>(options.size()));
        if (options[choice] == poker::kFold && rng.below(3) != 0) choice = 1;
        state.apply_and_hold(options[choice]);
        node = &tree.child(*node, static_cast<int>(choice));
      }
      const bool folded = state.bets().live_count() == 1;
      ASSERT_EQ(node->kind, folded ? PublicNode::Kind::kFold : PublicNode::Kind::kShowdown);
      const double won = state.return_of(first);
      ++(folded ? folds : showdowns);
      if (folded) {
        EXPECT_EQ(won, node->amount);
      } else {
        const auto value = [&](Seat seat) {
          std::vector<CardId> all(state.board().begin(), state.board().end());
          all.insert(all.end(), state.cards(seat).begin(), state.cards(seat).end());
          return rules.high->evaluate(all);
        };
        const HandValue mine = value(first), its = value(1 - first);
        EXPECT_EQ(won, mine == its ? 0 : mine > its ? node->amount : -node->amount);
      }
    }
    EXPECT_GT(showdowns, 100);
    EXPECT_GT(folds, 50);
    for (const int count : met) EXPECT_GT(count, 60);
  }
}

// Groups: before the flop every amount is distinct; later similar amounts are merged, and different ones are not.
TEST(HoldemTree, GroupsWhatIsAboutTheSame) {
  const auto game = holdem("holdem[limit=no_limit]");
  HoldemTree betting(game->rules(), 2);
  const auto find = [&](int street, int bets, int before, int pot, int to_call, int behind) {
    const LegalMask bet = 0b1111110;
    return &betting.find({street, 0, bets, before, pot, to_call, behind, bet | (to_call > 0 ? 1U : 0U)});
  };
  EXPECT_EQ(find(1, 0, 1, 600, 0, 9700), find(1, 0, 1, 640, 0, 9680));
  EXPECT_NE(find(1, 0, 1, 600, 0, 9700), find(1, 0, 1, 3000, 0, 8500));
  EXPECT_NE(find(1, 0, 1, 600, 0, 9700), find(1, 0, 2, 600, 0, 9700)) << "who bet on the street before";
  EXPECT_NE(find(1, 0, 1, 600, 0, 9700), find(2, 0, 1, 600, 0, 9700));
  // Facing half the pot, about half the pot, the whole pot.
  EXPECT_EQ(find(1, 1, 1, 900, 300, 9400), find(1, 1, 1, 910, 310, 9390));
  EXPECT_NE(find(1, 1, 1, 900, 300, 9400), find(1, 1, 1, 1200, 600, 9100));
  // Fewer groups with larger steps.
  EXPECT_LT(betting.groups().size(), HoldemTree(game->rules(), 1.3).groups().size());
  // Bets outside the tree map to a similar spot: one and a half times the pot, after two bets.
  const Spot odd = {2, 1, 2, 1, 2777, 1333, 5432, 0b1110111};
  const Spot& near = betting.find(odd).first;
  EXPECT_EQ(near.street, 2);
  EXPECT_EQ(near.position, 1);
  EXPECT_EQ(near.bets, 2);
  EXPECT_GT(near.to_call, 0);
}

int bucket_of(const char* own, const char* board) {
  const Deck& deck = *cards().game().rules().deck;
  return cards().find(deck.parse(own), deck.parse(board));
}

TEST(HoldemCards, PutsBetterHandsIntoHigherBuckets) {
  EXPECT_EQ(cards().buckets(0), 169);
  EXPECT_EQ(bucket_of("As Ah", ""), 168);
  EXPECT_EQ(bucket_of("As Kh", ""), bucket_of("Kd Ac", ""));
  EXPECT_LT(bucket_of("As Kh", ""), bucket_of("As Ks", ""));
  EXPECT_LT(bucket_of("7s 2h", ""), bucket_of("Ts 9s", ""));
  for (const char* board : {"2c 7d Jh", "2c 7d Jh Qs", "2c 7d Jh Qs 3d"}) {
    EXPECT_LT(bucket_of("5s 4h", board), bucket_of("As 9h", board));
    EXPECT_LT(bucket_of("As 9h", board), bucket_of("Kd Js", board));
    EXPECT_LT(bucket_of("Kd Js", board), bucket_of("Jd Js", board));
    EXPECT_GE(bucket_of("Jd Js", board), 38);
    EXPECT_LT(bucket_of("Jd Js", board), 40);
  }
  // Renaming suits does not matter.
  EXPECT_EQ(bucket_of("5s 4s", "2s 7s Jh"), bucket_of("5d 4d", "2d 7d Jc"));
  // Draws and made hands with about the same share are separate: a flush draw, middle pair.
  const auto& outlook = [&](const char* own, const char* board) {
    const poker::GameRules& rules = cards().game().rules();
    const poker::HoldemEquities outlooks(rules);
    return outlooks.find(outlooks.position(rules.deck->parse(own), rules.deck->parse(board)), 1, false, nullptr);
  };
  const auto draw = outlook("9h 8h", "2h Qh 6c"), made = outlook("6s 4d", "2h Qh 6c");
  EXPECT_GT(draw.four, made.four);
}

// All buckets occur about equally often; the hands of a deal are distinct and sorted.
TEST(HoldemCards, DealsIntoAllBuckets) {
  RandomStream rng(3);
  constexpr int kDeals = 100, kHands = kDeals * static_cast<int>(HoldemCards::kDealt);
  std::array<std::array<int, 40>, 4> met{};
  for (int i = 0; i < kDeals; ++i) {
    HoldemCards::Deal deal;
    cards().deal(deal, rng);
    std::set<std::array<CardId, 2>> hands;
    HandValue last = 0;
    for (const HoldemCards::Deal::Hand& hand : deal.hand) {
      EXPECT_LT(hand.cards[0], hand.cards[1]);
      hands.insert(hand.cards);
      EXPECT_GE(hand.value, last);
      last = hand.value;
      EXPECT_EQ(hand.bucket[0], cards().find(hand.cards, {}));
      for (std::size_t street = 1; street < 4; ++street) ++met[street][at(hand.bucket[street])];
    }
    EXPECT_EQ(hands.size(), HoldemCards::kDealt);
  }
  for (std::size_t street = 1; street < 4; ++street)
    for (const int count : met[street]) {
      EXPECT_GT(count, kHands / 40 / 3);
      EXPECT_LT(count, kHands / 40 * 3);
    }
}

TEST(BoardSampling, SettlesAllHandsTogether) {
  RandomStream rng(4);
  for (int i = 0; i < 20; ++i) {
    HoldemCards::Deal deal;
    cards().deal(deal, rng);
    if (i % 2 == 1)
      for (HoldemCards::Deal::Hand& hand : deal.hand) hand.value /= 1000;  // causes many ties
    HoldemCards::PerHand reach, won, sum;
    for (float& each : reach) each = rng.below(3) == 0 ? 0 : static_cast<float>(rng.uniform());
    settle(deal, reach, won);
    others(deal, reach, sum);
    int apart = 0;
    for (std::size_t a = 0; a < HoldemCards::kDealt; ++a) {
      double expected = 0, all = 0;
      for (std::size_t b = 0; b < HoldemCards::kDealt; ++b) {
        const auto& mine = deal.hand[a];
        const auto& its = deal.hand[b];
        bool shared = false;
        for (const CardId card : mine.cards) shared = shared || card == its.cards[0] || card == its.cards[1];
        if (shared) continue;
        ++apart;
        all += static_cast<double>(reach[b]);
        expected += mine.value > its.value ? static_cast<double>(reach[b]) : 0;
        expected -= mine.value < its.value ? static_cast<double>(reach[b]) : 0;
      }
      EXPECT_NEAR(static_cast<double>(won[a]), expected, 1e-4);
      EXPECT_NEAR(static_cast<double>(sum[a]), all, 1e-4);
    }
    EXPECT_GT(apart, 3000);
  }
}

// Starting from zero, a board with weight two doubles all numbers: regret matching is scale-invariant.
TEST(BoardSampling, WeighsRegretsAndTheAverage) {
  const auto sampled = [&](double weight) {
    const PublicTree& tree = cards().tree();
    BoardSampling::Table table;
    table.regret = table.sum = std::vector<float>(at(tree.numbers));
    RandomStream rng(6);
    BoardSampling(tree, cards()).sample(table, weight, rng);
    return table;
  };
  const BoardSampling::Table once = sampled(1), twice = sampled(2);
  for (const auto numbers : {&BoardSampling::Table::regret, &BoardSampling::Table::sum}) {
    std::vector<float> doubled = once.*numbers;
    EXPECT_GT(std::ranges::count_if(doubled, [](float number) { return number != 0; }), 100);
    for (float& number : doubled) number *= 2;
    EXPECT_EQ(twice.*numbers, doubled);
  }
}

// With the big blind all-in from the start there is one decision with a known answer: 90 to win 200.
TEST(HoldemSolver, CallsWithTheOddsOfThePot) {
  const GamePtr game = make_game("holdem[limit=no_limit,stack=100,blinds=[10,100]]");
  const auto solver = make_bucket_solver(game, "bucket_mccfr[buckets=4]", 1, 1);
  solver->run(2000);
  const std::vector<double> policy = solver->average();
  const HoldemCards own(holdem("holdem"), 4, 1.6);
  const poker::HoldemEquities outlooks(own.game().rules());
  const PublicNode& root = solver->tree().nodes[0];
  ASSERT_EQ(root.options, 2);
  int calls = 0, folds = 0;
  for (CardId a = 1; a < 52; ++a)
    for (CardId b = 0; b < a; ++b) {
      const std::array hand = {b, a};
      const float share = outlooks.find(outlooks.position(hand, {}), 1, false, nullptr).share;
      const auto first = at(root.base + 2 * own.find(hand, {}));
      const bool calls_here = policy[first + 1] > 0.75, folds_here = policy[first + 1] < 0.25;
      EXPECT_TRUE(share < 0.5F || calls_here) << int{a} << ' ' << int{b};
      EXPECT_TRUE(share > 0.4F || folds_here) << int{a} << ' ' << int{b};
      calls += share >= 0.5F ? 1 : 0;
      folds += share <= 0.4F ? 1 : 0;
    }
  EXPECT_GT(calls, 400);
  EXPECT_GT(folds, 100);
}

TEST(HoldemSolver, IsPlayedByItsAgent) {
  const GamePtr game = make_game("holdem[limit=no_limit,stack=2000]");
  const test::TempFolder folder;
  const auto solver = make_bucket_solver(game, "bucket_mccfr[buckets=9,step=2]", 4, 1);
  solver->run(30);
  const std::vector<double> policy = solver->average();
  const std::string file = (folder / "holdem.safetensors").string();
  write_safetensors(file, solver->to_file(false));
  const auto agent = make_agents(file, game)->make();
  const auto poker_game = std::dynamic_pointer_cast<const poker::Game>(game);
  const poker::GameRules& rules = poker_game->rules();
  const HoldemCards own(poker_game, 9, 2);
  RandomStream rng(8);
  int on_river = 0, odd = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    agent->reset(0, seed);
    poker::State state;
    state.reset_and_hold(rules, seed);
    const PublicNode* node = &own.tree().nodes[0];  // null: after a bet outside the tree
    while (!state.hand_over()) {
      std::vector<float> data;
      const Observation seen = seen_by(state, rules, data);
      const std::vector<double> said = *agent->policy(seen);
      const std::vector<Action> legal = seen.legal_actions();
      ASSERT_EQ(said.size(), legal.size());
      EXPECT_NEAR(std::accumulate(said.begin(), said.end(), 0.0), 1, 1e-9);
      const Decision decision = agent->act(seen);
      ASSERT_NE(std::find(legal.begin(), legal.end(), decision.action), legal.end());
      if (node != nullptr) {
        const int bucket = own.find(state.cards(state.current_player()), state.board());
        const auto first = at(node->base + std::int64_t{bucket} * node->options);
        const std::size_t without = legal.size() - node->options;
        EXPECT_EQ(without == 1 ? said[0] : 0, 0) << "folds with nothing to call";
        for (std::size_t option = 0; option < node->options; ++option)
          EXPECT_NEAR(said[without + option], policy[first + option], 1 / 15.0 + 1e-9);
      } else {
        ++odd;
      }
      on_river += state.street() == 3 ? 1 : 0;
      const AmountRange range = state.amount_range();
      if (range.high > range.low && rng.below(4) == 0) {
        state.bet_to_and_hold(range.low + rng.below(static_cast<std::uint32_t>((range.high - range.low) / 3)));
        node = nullptr;
        continue;
      }
      const Action action = decision.action == poker::kFold ? poker::kCall : decision.action;
      if (node != nullptr) {
        const auto place = std::find(legal.begin(), legal.end(), action) - legal.begin();
        node = &own.tree().child(*node, static_cast<int>(place) - static_cast<int>(legal.size() - node->options));
      }
      state.apply_and_hold(action);
    }
  }
  EXPECT_GT(on_river, 30);
  EXPECT_GT(odd, 60);

  EXPECT_TRUE(test::refuses<CheckpointError>("under other rules than those of 'holdem'",
                                             [&] { make_agents(file, make_game("holdem")); }));
  const auto refusal = [&](const TensorFile& broken) {
    write_safetensors(file, broken);
    return test::error_message<CheckpointError>([&] { make_agents(file, game); });
  };
  TensorFile broken = solver->to_file(false);
  std::get<std::vector<std::uint8_t>>(broken.tensors["policy.15ths"].data)[0] ^= 1;
  EXPECT_TRUE(test::has(refusal(broken), "not a distribution"));
  broken = solver->to_file(false);
  broken.tensors["step"] = {{}, std::vector<double>{0.5}};
  EXPECT_TRUE(test::has(refusal(broken), "a step of 0.5; expected 1.01 to 100"));
  broken.tensors["step"] = {{}, std::vector<double>{3}};
  EXPECT_TRUE(test::has(refusal(broken), "policy.15ths")) << "other groups have other numbers";
}

TEST(HoldemSolver, PlaysCourtPoker) {
  const GamePtr game = make_game("court_color[procedure=holdem,players=2]");
  const test::TempFolder folder;
  const auto solver = make_bucket_solver(game, "bucket_mccfr[buckets=5]", 4, 1);
  solver->run(3);
  const std::string file = (folder / "court.safetensors").string();
  write_safetensors(file, solver->to_file(false));
  const test::Seats seats = test::make_seats(make_agents(file, game), *game);
  const auto env = game->new_env();
  int decisions = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    test::play(*env, seats, seed, [&](const Env&, const Observation&, Decision) { ++decisions; });
  EXPECT_GT(decisions, 40);
}

// The best hand never folds to a bet on the river and never checks behind.
TEST(HoldemSolver, LearnsTheObvious) {
  const auto game = holdem("holdem");
  const auto solver = make_bucket_solver(game, "bucket_mccfr[buckets=20]", 4, 1);
  solver->run(300);
  const std::vector<double> policy = solver->average();
  double fold = 0, best = 0, worst = 0;
  int facing = 0;
  for (const PublicNode& node : solver->tree().nodes) {
    if (node.options == 0 || node.stage != 3) continue;
    const auto chance = [&](int bucket, int option) {
      return policy[at(node.base + std::int64_t{bucket} * node.options + option)];
    };
    if (solver->tree().child(node, 0).kind != PublicNode::Kind::kFold) continue;
    ++facing;
    fold += chance(0, 0);
    best += chance(19, 0);
    worst += chance(19, node.options - 1);
  }
  EXPECT_GT(facing, 20);
  EXPECT_LT(best / facing, 0.1) << "folds the best hand";
  EXPECT_GT(fold / facing, 0.5) << "calls with the worst hand";
  EXPECT_GT(worst / facing, 0.5) << "does not raise with the best hand";
}

}  // namespace
}  // namespace dealer::abstraction::holdem_test
