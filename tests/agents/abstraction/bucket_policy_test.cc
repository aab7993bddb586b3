#include "agents/abstraction/bucket_mccfr.h"
#include "agents/abstraction/bucket_solver.h"
#include "agents/abstraction/draw_cards.h"
#include "agents/policy/softmax.h"
#include "tests/support/testing.h"

namespace dealer::abstraction::bucket_policy_test {
namespace {

std::shared_ptr<const poker::Game> draw_game(const std::string& spec) { return test::game_of<poker::Game>(spec); }

const DrawCards& cards() {
  static const DrawCards kCards(draw_game("draw"), 40);
  return kCards;
}

// Random real hands follow the tree: the same seat decides at every node, and the payoffs agree.
TEST(PublicTree, IsTheCourseOfEveryHand) {
  for (const char* spec : {"draw", "lowball", "court_extra[players=2]"}) {
    const auto game = draw_game(spec);
    const DrawCards own(game, 10);
    const PublicTree& tree = own.tree();
    RandomStream rng(5);
    int showdowns = 0, folds = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      poker::State state;
      state.reset_and_hold(game->rules(), seed);
      const Seat first = 1 - state.dealer();
      const PublicNode* node = &tree.nodes[0];
      std::array<int, 2> draws{};
      while (!state.hand_over()) {
        const int position = state.current_player() == first ? 0 : 1;
        ASSERT_EQ(node->position, position);
        ASSERT_EQ(node->kind == PublicNode::Kind::kDraw, state.drawing());
        ASSERT_EQ(node->stage, draws[at(position)]);
        const std::vector<Action> legal = Observation{0, {}, state.legal_mask()}.legal_actions();
        std::size_t choice = rng.below(static_cast<std::uint32_t>(legal.size()));
        if (!state.drawing() && legal[choice] == 0 && rng.below(4) != 0) ++choice;
        if (state.drawing()) {
          ++draws[at(position)];
          node = &tree.child(*node, std::popcount(choice));
        } else {
          ASSERT_EQ(node->options, legal.size());
          node = &tree.child(*node, static_cast<int>(choice));
        }
        state.apply_and_hold(legal[choice]);
      }
      const bool folded = state.bets().live_count() == 1;
      ASSERT_EQ(node->kind, folded ? PublicNode::Kind::kFold : PublicNode::Kind::kShowdown);
      ++(folded ? folds : showdowns);
      const double won = state.return_of(first);
      if (folded) {
        EXPECT_EQ(won, node->amount);
        continue;
      }
      DrawCards::Deal deal;
      for (int position = 0; position < 2; ++position) {
        const Seat seat = position == 0 ? first : 1 - first;
        deal.player[at(position)].value = game->rules().high->compiled().evaluate(state.cards(seat));
      }
      EXPECT_EQ(won, node->amount * own.winner(deal));
    }
    EXPECT_GT(showdowns, 20);
    EXPECT_GT(folds, 20);
  }
}

TEST(DrawCards, PutsBetterHandsIntoHigherBuckets) {
  const auto& rules = cards().game().rules();
  const auto bucket = [&](const char* text, int draws, int drawn) {
    DrawCards::Hand hand{};
    const std::vector<CardId> parsed = rules.deck->parse(text);
    std::copy_n(parsed.begin(), hand.size(), hand.begin());
    std::sort(hand.begin(), hand.end());
    DrawCards::Throws throws{};
    return std::pair(cards().find(hand, draws, drawn, throws), throws);
  };
  EXPECT_LT(bucket("2s 3h 4d 5c 7s", 1, 3).first, bucket("2s 2h 4d 5c 7s", 1, 3).first);
  EXPECT_LT(bucket("2s 2h 4d 5c 7s", 1, 3).first, bucket("As Ah 4d 5c 7s", 1, 3).first);
  EXPECT_LT(bucket("As Ah 4d 5c 7s", 1, 3).first, bucket("As Ah Ad 5c 7s", 1, 3).first);
  EXPECT_LT(bucket("2s 3h 4d 5c 6s", 1, 0).first, bucket("As 3s 4s 5s 9s", 1, 0).first) << "among those who stood pat";
  EXPECT_EQ(bucket("As Ah Ad Ac 7s", 1, 1).first, 39);
  // Before the draw, for hands that discard three.
  EXPECT_LT(bucket("2s 2h 4d 5c 7s", 0, 0).first, bucket("Ks Kh 4d 5c 7s", 0, 0).first);
  // The pair is not among the three cards discarded.
  EXPECT_EQ(std::popcount(unsigned{bucket("Ks Kh 4d 5c 7s", 0, 0).second[3]}), 3);
  EXPECT_EQ(bucket("Ks Kh 4d 5c 7s", 0, 0).second[3], 0b00111);
}

// Every dealt hand has distinct cards, and the draws give the dealt result.
TEST(DrawCards, DealsAndDraws) {
  RandomStream rng(3);
  std::array<int, 40> met{};
  for (int i = 0; i < 4000; ++i) {
    DrawCards::Deal deal;
    cards().deal(deal, rng);
    ++met[at(cards().bucket(deal, 0))];
    std::vector<CardId> all;
    for (int position = 0; position < 2; ++position) {
      auto& player = deal.player[at(position)];
      all.insert(all.end(), player.hand.begin(), player.hand.end());
      all.insert(all.end(), player.stock.begin(), player.stock.begin() + 5);
      const DrawCards::Hand before = player.hand;
      const unsigned thrown = player.throws[2];
      cards().draw(deal, position, 2);
      for (std::size_t c = 0; c < 5; ++c)
        EXPECT_EQ(std::find(player.hand.begin(), player.hand.end(), before[c]) == player.hand.end(),
                  (thrown >> c & 1) != 0);
      EXPECT_TRUE(std::is_sorted(player.hand.begin(), player.hand.end()));
      EXPECT_EQ(player.value, cards().game().rules().high->evaluate(player.hand));
    }
    std::sort(all.begin(), all.end());
    EXPECT_EQ(std::unique(all.begin(), all.end()), all.end());
  }
  EXPECT_GE(std::count_if(met.begin(), met.end(), [](int n) { return n > 0; }), 36);
}

TEST(BucketPolicy, IsKeptIn255ths) {
  RandomStream rng(1);
  for (int i = 0; i < 2000; ++i) {
    std::array<double, 6> p;
    double sum = 0;
    for (double& x : p) sum += x = std::pow(static_cast<double>(rng.uniform()), 6);
    for (double& x : p) x /= sum;
    std::array<std::uint8_t, 6> parts;
    quantise(p, parts);
    EXPECT_EQ(std::accumulate(parts.begin(), parts.end(), 0), 255);
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(parts[k] / 255.0, p[k], 1 / 255.0);
  }
  std::array<std::uint8_t, 3> few;
  quantise(std::array<double, 3>{0.52, 0.3, 0.18}, few, 15);
  EXPECT_EQ(few, (std::array<std::uint8_t, 3>{8, 4, 3}));
  std::array<std::uint8_t, 2> certain;
  quantise(std::array<double, 2>{0, 1}, certain);
  EXPECT_EQ(certain[1], 255);
}

TEST(BucketPolicy, LeavesOutWhatIsUnlikely) {
  std::array<double, 4> p = {0.5, 0.3, 0.15, 0.05};
  apply_threshold<double>(p, 0);
  EXPECT_DOUBLE_EQ(p[3], 0.05);
  apply_threshold<double>(p, 0.2);
  EXPECT_DOUBLE_EQ(p[0], 0.625);
  EXPECT_DOUBLE_EQ(p[1], 0.375);
  EXPECT_EQ(p[2], 0);
  EXPECT_EQ(p[3], 0);
  apply_threshold<double>(p, 1);
  EXPECT_EQ(p[0], 1) << "the largest stays";
  EXPECT_EQ(p[1], 0);
  const auto solver = make_bucket_solver(make_game("draw"), "bucket_mccfr[buckets=6,threshold=0.3]", 4, 1);
  solver->run(200);
  const TensorFile file = solver->to_file(false);
  const auto& parts = std::get<std::vector<std::uint8_t>>(file.tensors.at("policy").data);
  int cut = 0;
  for (const PublicTree::Block& block : solver->tree().blocks)
    for (auto first = parts.begin() + block.base; first < parts.begin() + block.base + block.buckets * block.options;
         first += block.options) {
      const auto last = first + block.options;
      if (*std::max_element(first, last) < 76) continue;  // no action is likely
      EXPECT_TRUE(std::all_of(first, last, [](int part) { return part == 0 || part >= 76; }));
      cut += static_cast<int>(std::count(first, last, 0));
    }
  EXPECT_GT(cut, 1000);
}

// Float tables may overflow if late iterations have large weights.
TEST(BucketPolicy, IsNotMadeOfNumbersThatAreNotFinite) {
  struct Growing {
    using Number = float;
    using Table = RegretTable<Number>;
    bool in_regret;
    void sample(Table& table, double weight, RandomStream&) const {
      (in_regret ? table.regret : table.sum).back() += static_cast<float>(weight) * 1e10F;
    }
  };
  const DrawCards few(draw_game("draw"), 2);
  BucketMccfrOptions options;
  options.gamma = 10;
  for (const bool in_regret : {true, false}) {
    BucketMccfr<Growing> solver(few.tree(), {in_regret}, options, 1, 1);
    solver.run(100);
    EXPECT_NO_THROW(solver.average());
    solver.run(900);
    EXPECT_EQ(
        test::error_message<Error>([&] { solver.average(); }),
        "bucket_mccfr holds a number that is not finite after 1000 iterations; expected a smaller gamma, or fewer "
        "iterations");
  }
}

TEST(BucketPolicy, IsPlayedByItsAgent) {
  const GamePtr game = make_game("draw");
  const test::TempFolder folder;
  const auto made = make_bucket_solver(game, "bucket_mccfr[buckets=12]", 4, 1);
  BucketSolver& solver = *made;
  solver.run(3000);
  const std::vector<double> policy = solver.average();
  const std::string file = (folder / "draw.safetensors").string();
  write_safetensors(file, solver.to_file(false));
  EXPECT_LT(std::filesystem::file_size(file), 2'000'000U);
  const auto agent = make_agents(file, game)->make();
  const DrawCards own(draw_game("draw"), 12);
  const auto env = game->new_env();
  int draws = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    agent->reset(0, seed);
    // Follows the tree along a real hand.
    const PublicNode* node = &solver.tree().nodes[0];
    for (env->reset(seed); !env->terminated();) {
      const Observation seen = test::seen_at(*env);
      const std::vector<double> said = *agent->policy(seen);
      const std::vector<Action> legal = seen.legal_actions();
      ASSERT_EQ(said.size(), legal.size());
      EXPECT_NEAR(std::accumulate(said.begin(), said.end(), 0.0), 1, 1e-9);
      const poker::View view = poker::State::decode(own.game().rules(), seen.data);
      DrawCards::Hand hand{};
      for (std::size_t i = 0; i < 5; ++i) hand[i] = view.own().cards[i].card;
      DrawCards::Throws throws{};
      const int bucket = own.find(hand, node->stage, view.own().drawn[0], throws);
      const auto first = at(node->base + std::int64_t{bucket} * node->options);
      for (std::size_t option = 0; option < node->options; ++option)
        EXPECT_NEAR(said[view.drawing ? throws[option] : option], policy[first + option], 1 / 255.0 + 1e-9);
      const Decision decision = agent->act(seen);
      const auto place = at(std::find(legal.begin(), legal.end(), decision.action) - legal.begin());
      ASSERT_LT(place, legal.size());
      EXPECT_GT(said[place], 0);
      draws += view.drawing ? 1 : 0;
      node = &solver.tree().child(*node, view.drawing ? std::popcount(place) : static_cast<int>(place));
      env->step(decision);
    }
  }
  EXPECT_GT(draws, 40);

  // Temperature and threshold work as for networks.
  const auto sharper = make_agents(file + "[temperature=0.5]", game)->make();
  const auto greedy = make_agents(file + "[temperature=0]", game)->make();
  const auto likely = make_agents(file + "[threshold=0.2]", game)->make();
  int cut = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    env->reset(seed);
    const Observation seen = test::seen_at(*env);
    const std::vector<double> said = *agent->policy(seen), sharp = *sharper->policy(seen), best = *greedy->policy(seen),
                              most = *likely->policy(seen);
    const double squares = std::inner_product(said.begin(), said.end(), said.begin(), 0.0);
    const double largest = *std::max_element(said.begin(), said.end());
    const auto ties = static_cast<double>(std::count(said.begin(), said.end(), largest));
    std::vector<double> kept = said;
    apply_threshold<double>(kept, 0.2);
    for (std::size_t i = 0; i < said.size(); ++i) {
      EXPECT_NEAR(sharp[i], said[i] * said[i] / squares, 1e-12);
      EXPECT_EQ(best[i], said[i] == largest ? 1 / ties : 0);
      EXPECT_NEAR(most[i], kept[i], 1e-12);
      cut += said[i] > 0 && kept[i] == 0 ? 1 : 0;
    }
  }
  EXPECT_GT(cut, 5);
  EXPECT_TRUE(test::refuses<CheckpointError>("under other rules than those of 'lowball'",
                                             [&] { make_agents(file, make_game("lowball")); }));
  TensorFile broken = solver.to_file(false);
  std::get<std::vector<std::uint8_t>>(broken.tensors["policy"].data)[0] ^= 1;
  write_safetensors(file, broken);
  EXPECT_TRUE(test::refuses<CheckpointError>("not a distribution", [&] { make_agents(file, game); }));
}

TEST(BucketPolicy, IsTheSameForAnyNumberOfThreads) {
  for (const auto& [name, iterations] : {std::pair("draw", 300), std::pair("holdem", 6)}) {
    const GamePtr game = make_game(name);
    const auto one = make_bucket_solver(game, "bucket_mccfr[buckets=6,tables=2]", 4, 1);
    const auto two = make_bucket_solver(game, "bucket_mccfr[buckets=6,tables=2]", 4, 2);
    one->run(iterations);
    two->run(iterations / 3);
    two->run(iterations - iterations / 3);
    EXPECT_EQ(one->average(), two->average()) << name;
  }
}

TEST(BucketPolicy, IsOfDrawGamesAndHoldemForTwo) {
  for (const auto& [game, why] :
       {std::pair("stud", "is neither a draw game nor hold'em"), std::pair("kuhn", "'kuhn' is neither"),
        std::pair("holdem[players=3]", "is for other numbers of players"),
        std::pair("holdem[episode=match]", "carries chips over"),
        std::pair("holdem[low=eight_or_better]", "is split between high and low"),
        std::pair("holdem[washizu=replace_suit]", "has transparent cards"),
        std::pair("court_color", "is for other numbers of players"),
        std::pair("draw[limit=no_limit]", "has no fixed bets"), std::pair("draw[episode=match]", "carries chips over"),
        std::pair("draw[washizu=replace_suit]", "has transparent cards"),
        std::pair("triple_draw", "more than 1000000 histories of betting and drawing")}) {
    const std::string message =
        test::error_message<UsageError>([&game = game] { make_bucket_solver(make_game(game), "bucket_mccfr", 0, 1); });
    EXPECT_TRUE(test::has(message, why));
  }
}

}  // namespace
}  // namespace dealer::abstraction::bucket_policy_test
