#include "train/policy/rollout.h"

#include "tests/support/testing.h"

namespace dealer::rollout_test {
namespace {

// A network of one layer without weights: all legal actions are equally likely. `bias` favours one.
PolicyNetwork plain_network(const Game& game, int favourite = -1, const Encoder* encoder = nullptr) {
  const int in = Rollout::inputs(game, encoder), out = game.num_actions() + 1;
  PolicyNetwork network;
  network.layers.push_back({in, out, std::vector<float>(at(in * out)), std::vector<float>(at(out))});
  if (favourite >= 0) network.layers[0].bias[at(favourite)] = 100;
  return network;
}

RolloutSettings settings() {
  RolloutSettings s;
  s.tables = 8;
  s.steps = 7;
  s.all_hands = true;
  s.seed = 5;
  return s;
}

std::vector<float> inputs_of(const Rollout& rollout, int row) {
  std::vector<float> inputs(at(rollout.inputs()));
  rollout.write_inputs(row, inputs.data());
  return inputs;
}

// Replays the same episodes, one by one, on plain tables: checks every decision of every player, in order, with its
// observation, its reward until the next one, and the end of the episode.
void expect_rows_are_decisions(const std::string& spec, int iterations, bool input_features = false) {
  SCOPED_TRACE(spec);
  const GamePtr game = make_game(spec);
  const EncoderPtr encoder = input_features ? make_encoder(game) : nullptr;
  RolloutSettings with = settings();
  with.all_input_features = input_features;
  Rollout rollout(game, encoder, with);
  const PolicyNetwork network = plain_network(*game, -1, encoder.get());
  const auto seen_by = [&](const Env& env, Seat seat) {
    std::vector<float> seen = env.observe(seat).data;
    if (!encoder) return seen;
    seen.resize(seen.size() + encoder->names().size());
    encoder->encode(env.observe(seat).data.data(), &seen[at(game->observation_spec().size())]);
    return seen;
  };
  struct Table {
    std::unique_ptr<Env> env;
    std::int64_t episode = 0;
  };
  std::vector<Table> tables(8);
  const auto deal = [&](std::size_t t) {
    tables[t].env = game->new_env();
    tables[t].env->reset(derive(derive(settings().seed, t), static_cast<std::uint64_t>(tables[t].episode)));
  };
  for (std::size_t t = 0; t < tables.size(); ++t) deal(t);
  std::map<std::pair<std::size_t, Seat>, std::pair<int, double>> open;  // row or -1, and the reward since
  int ends = 0, followed = 0;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    rollout.play(network, nullptr, iteration);
    const int first = 8 * 2;
    // Waiting rows come first, by table and seat.
    for (auto& [who, waiting] : open)
      if (waiting.first >= 0) waiting.first = static_cast<int>(who.first) * 2 + who.second;
    for (int step = 0; step < 7; ++step) {
      for (std::size_t t = 0; t < tables.size(); ++t) {
        const int row = first + step * 8 + static_cast<int>(t);
        Env& env = *tables[t].env;
        const Seat seat = env.current_player();
        ASSERT_EQ(rollout.seat(row), seat);
        ASSERT_EQ(rollout.legal(row), env.legal_mask());
        ASSERT_EQ(inputs_of(rollout, row), seen_by(env, seat));
        std::vector<float> critic(at(rollout.critic_inputs())), expected = seen_by(env, seat);
        rollout.write_critic_inputs(row, critic.data());
        const std::vector<float> other = seen_by(env, 1 - seat);
        expected.insert(expected.end(), other.begin(), other.end());
        ASSERT_EQ(critic, expected) << "the player first";
        auto& before = open.try_emplace({t, seat}, -1, 0.0).first->second;
        if (before.first >= 0) {
          ++followed;
          EXPECT_EQ(rollout.next(before.first), row);
          EXPECT_FLOAT_EQ(rollout.reward(before.first), static_cast<float>(before.second));
        }
        before = {row, 0};
        const Step result = env.step(rollout.action(row));
        for (Seat s = 0; s < 2; ++s) {
          auto& waiting = open.try_emplace({t, s}, -1, 0.0).first->second;
          waiting.second += result.rewards[at(s)];
          if (!result.terminated || waiting.first < 0) continue;
          ++ends;
          EXPECT_EQ(rollout.next(waiting.first), Rollout::kEnd);
          EXPECT_FLOAT_EQ(rollout.reward(waiting.first), static_cast<float>(waiting.second));
          waiting = {-1, 0};
        }
        if (result.terminated) {
          ++tables[t].episode;
          deal(t);
        }
      }
    }
    int waiting = 0;
    for (const std::int32_t row : rollout.learned()) waiting += rollout.resolved(row) ? 0 : 1;
    int expected = 0;
    for (const auto& [who, row] : open) expected += row.first >= 0 ? 1 : 0;
    EXPECT_EQ(waiting, expected);
  }
  EXPECT_GT(ends, 10);
  EXPECT_GT(followed, 50);
}

TEST(Rollout, RowsAreTheDecisionsOfThePlayers) {
  expect_rows_are_decisions("leduc", 5);
  // Every hand of a match gives points, after which other seats move first.
  expect_rows_are_decisions("ofc[episode=match,match.hands=4]", 200);
  // With the input features of both hands.
  expect_rows_are_decisions("mini_draw", 20, true);
  expect_rows_are_decisions("draw", 20, true);
  expect_rows_are_decisions("holdem[limit=no_limit]", 20, true);
}

TEST(Rollout, ActionsComeAsOftenAsTheirProbabilitiesSay) {
  const GamePtr game = make_game("kuhn");
  RolloutSettings s = settings();
  s.tables = 500;
  Rollout rollout(game, nullptr, s);
  // Chosen only by exploration, which is half of all decisions and uniform over the legal actions.
  rollout.play(plain_network(*game, 1), nullptr, 0, 0.5);
  std::map<LegalMask, std::pair<int, int>> count;  // by legal mask: all decisions, those of the favourite
  for (const std::int32_t row : rollout.learned()) {
    auto& [all, favourite] = count[rollout.legal(row)];
    ++all;
    favourite += rollout.action(row) == 1 ? 1 : 0;
    EXPECT_NEAR(rollout.probability(row)[1], 0.75, 1e-5);
    EXPECT_NEAR(rollout.policy(row, 1), 1, 1e-5);
  }
  ASSERT_GE(count.size(), 2U);
  for (const auto& [legal, n] : count) {
    ASSERT_GT(n.first, 500);
    EXPECT_NEAR(static_cast<double>(n.second) / n.first, 0.75, 0.06);
  }
  // Waiting decisions keep the exploration of their iteration.
  rollout.play(plain_network(*game, 1), nullptr, 1, 0);
  int waited = 0;
  for (const std::int32_t row : rollout.learned()) {
    EXPECT_NEAR(rollout.policy(row, 1), 1, 1e-5);
    waited += rollout.probability(row)[1] < 0.9F ? 1 : 0;
  }
  EXPECT_GT(waited, 20);
}

// Past selves sit at the first half of the tables, in one seat each, and their decisions are not learned from.
TEST(Rollout, ThePastSitsWhereTheLeagueSays) {
  const GamePtr game = make_game("kuhn");
  RolloutSettings s = settings();
  s.league_share = 0.5;
  s.steps = 41;
  Rollout rollout(game, nullptr, s);
  const PolicyNetwork bets = plain_network(*game, 2), checks = plain_network(*game, 1);
  const auto opponent = make_opponent(checks);
  rollout.play(bets, opponent.get(), 0);
  const std::set<std::int32_t> learned(rollout.learned().begin(), rollout.learned().end());
  int past = 0;
  double won = 0;  // at the ends of hands, by the learner among past selves
  for (int step = 0; step < s.steps; ++step) {
    for (int t = 0; t < s.tables; ++t) {
      const int row = 2 * s.tables + step * s.tables + t;
      const bool is_past = t < 4 && rollout.seat(row) != t % 2;
      EXPECT_EQ(learned.count(row), is_past ? 0U : 1U);
      const Action wanted = is_past ? 1 : 2;
      if ((rollout.legal(row) >> wanted & 1) != 0) {
        EXPECT_EQ(rollout.action(row), wanted) << t << ' ' << step;
      }
      past += is_past ? 1 : 0;
      if (t < 4 && !is_past && rollout.next(row) == Rollout::kEnd) won += static_cast<double>(rollout.reward(row));
    }
  }
  EXPECT_GT(past, 5);
  EXPECT_EQ(rollout.counts().league_return, won);
  EXPECT_GT(rollout.counts().league_episodes, 0);
  EXPECT_LT(rollout.counts().league_episodes, rollout.counts().episodes);
  EXPECT_EQ(rollout.counts().decisions, static_cast<std::int64_t>(learned.size()));
}

// In every hand but the first of a table one seat plays its first or first two decisions at random and learns from the
// last of these on; the other plays by the network, without learning.
TEST(Rollout, ExploringStartsLearnFromTheirLastRandomDecisionOn) {
  const GamePtr game = make_game("leduc");
  RolloutSettings s = settings();
  s.tables = 400;
  s.steps = 40;
  s.exploring_starts = 1;
  s.start_decisions = 2;
  Rollout rollout(game, nullptr, s);
  rollout.play(plain_network(*game, 1), nullptr, 0, 0.2);
  rollout.play(plain_network(*game, 1), nullptr, 1, 0.2);
  const std::set<std::int32_t> learned(rollout.learned().begin(), rollout.learned().end());
  std::set<std::int32_t> followers;
  for (const std::int32_t row : learned)
    if (rollout.resolved(row) && rollout.next(row) != Rollout::kEnd) followers.insert(rollout.next(row));
  const int first = s.tables * 2;
  std::map<Seat, int> starts;
  int later = 0, others = 0;
  for (int row = first; row < first + s.steps * s.tables; ++row) {
    const float favourite = rollout.probability(row)[1];
    const float uniform = 1.0F / static_cast<float>(std::popcount(rollout.legal(row)));
    if (learned.count(row) == 0) {
      others += favourite > 0.99F ? 1 : 0;
      EXPECT_TRUE(favourite > 0.99F || std::abs(favourite - uniform) < 1e-5F) << "the others do not explore";
    } else if (followers.count(row) != 0) {
      ++later;
      EXPECT_NEAR(favourite, 0.8F + 0.2F * uniform, 1e-5) << "by the network again, exploring as always";
    } else {
      ++starts[rollout.seat(row)];
      EXPECT_NEAR(favourite, uniform, 1e-5);
      EXPECT_NEAR(rollout.policy(row, 1), uniform, 1e-5);
    }
  }
  EXPECT_GT(starts[0], 1000);
  EXPECT_GT(starts[1], 1000);
  EXPECT_GT(later, 1000);
  EXPECT_GT(others, 1000);
}

TEST(Rollout, ExploringStartsAreAsOftenAsAskedFor) {
  const GamePtr game = make_game("kuhn");
  RolloutSettings s = settings();
  s.tables = 500;
  s.steps = 60;
  s.exploring_starts = 0.25;
  s.start_decisions = 1;
  Rollout rollout(game, nullptr, s);
  rollout.play(plain_network(*game, 1), nullptr, 0);
  int random = 0;
  for (const std::int32_t row : rollout.learned()) random += rollout.probability(row)[1] < 0.9F ? 1 : 0;
  EXPECT_NEAR(random / static_cast<double>(rollout.counts().hands), 0.25, 0.02);
}

// As if the settings had only that many steps; play continues from there.
TEST(Rollout, StopsWhenEnoughHandsHaveEnded) {
  const GamePtr game = make_game("kuhn");
  const PolicyNetwork network = plain_network(*game);
  const auto with_steps = [&](int steps) {
    RolloutSettings own = settings();
    own.steps = steps;
    return Rollout(game, nullptr, own);
  };
  int compared = 0;
  for (int steps = 2; steps < 8; ++steps) {
    Rollout cut = with_steps(40), whole = with_steps(steps), less = with_steps(steps - 1);
    whole.play(network, nullptr, 0);
    less.play(network, nullptr, 0);
    if (less.counts().hands == whole.counts().hands) continue;
    ++compared;
    cut.play(network, nullptr, 0, 0, less.counts().hands + 1);
    EXPECT_EQ(cut.counts().hands, whole.counts().hands);
    EXPECT_EQ(cut.counts().decisions, whole.counts().decisions);
    EXPECT_EQ(cut.save(), whole.save());
    // At least one step is played.
    for (Rollout* rollout : {&cut, &whole}) rollout->play(network, nullptr, 1, 0, 0);
    EXPECT_EQ(cut.save(), whole.save());
  }
  EXPECT_GT(compared, 2);
}

TEST(Rollout, SaysHowMuchMemoryItsRowsTake) {
  const GamePtr game = make_game("mini_draw");
  const EncoderPtr encoder = make_encoder(game);
  RolloutSettings s = settings();
  s.all_input_features = true;
  const double rows = s.tables * (game->players() + s.steps + 1);
  EXPECT_EQ(static_cast<double>(Rollout(game, encoder, s).rows()), rows);
  EXPECT_EQ(static_cast<double>(Rollout::rows(*game, s)), rows);
  const double seen = game->observation_spec().size() + static_cast<double>(encoder->names().size());
  const double numbers = seen + game->players() * seen + game->num_actions() + 2;
  EXPECT_NEAR(Rollout::bytes(*game, encoder.get(), s), rows * (4 * numbers + 21), rows * 8);
}

TEST(Rollout, GoesOnFromAFileAsIfNeverStopped) {
  const GamePtr game = make_game("leduc");
  const PolicyNetwork network = plain_network(*game);
  RolloutSettings own = settings();
  own.exploring_starts = 0.5;
  Rollout whole(game, nullptr, own), part(game, nullptr, own);
  for (int i = 0; i < 3; ++i) whole.play(network, nullptr, i);
  for (int i = 0; i < 2; ++i) part.play(network, nullptr, i);
  Rollout rest(game, nullptr, own);
  rest.load(part.save());
  rest.play(network, nullptr, 2);
  EXPECT_EQ(rest.save(), whole.save());
  ASSERT_EQ(rest.learned().size(), whole.learned().size());
  for (std::size_t i = 0; i < rest.learned().size(); ++i) {
    const int row = rest.learned()[i];
    ASSERT_EQ(row, whole.learned()[i]);
    EXPECT_EQ(rest.action(row), whole.action(row));
    EXPECT_EQ(rest.next(row), whole.next(row));
    EXPECT_EQ(rest.reward(row), whole.reward(row));
    EXPECT_EQ(inputs_of(rest, row), inputs_of(whole, row));
  }
  std::string cut = part.save();
  cut.pop_back();
  EXPECT_TRUE(test::refuses<CheckpointError>("cut off", [&] { rest.load(cut); }));
  EXPECT_TRUE(test::refuses<CheckpointError>("too long", [&] { rest.load(part.save() + "x"); }));
}

// Computed by hand: in Kuhn poker a player has at most two decisions a hand, and rewards come only at the end.
TEST(PolicyReturns, MixValuesAndOutcomes) {
  const GamePtr game = make_game("kuhn");
  Rollout rollout(game, nullptr, settings());
  rollout.play(plain_network(*game), nullptr, 0);
  std::vector<float> values(at(rollout.rows())), returns(values.size(), -99);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  lambda_returns(rollout, values, 0.25, 2, returns);
  int twice = 0, open = 0;
  for (const std::int32_t row : rollout.learned()) {
    const float result = returns[at(row)];
    if (!rollout.resolved(row)) {
      EXPECT_EQ(result, -99);
      continue;
    }
    const std::int32_t next = rollout.next(row);
    if (next == Rollout::kEnd) {
      EXPECT_EQ(result, rollout.reward(row) / 2);
    } else if (rollout.resolved(next)) {
      ++twice;
      EXPECT_EQ(rollout.reward(row), 0);
      EXPECT_FLOAT_EQ(result, 0.75F * static_cast<float>(next) + 0.25F * rollout.reward(next) / 2);
    } else {
      ++open;
      EXPECT_FLOAT_EQ(result, static_cast<float>(next));
    }
  }
  EXPECT_GT(twice, 3);
  (void)open;
}

}  // namespace
}  // namespace dealer::rollout_test
