#include <gtest/gtest.h>

#include <map>

#include "tests/env/harness/game_harness.h"
#include "tests/env/harness/random_play.h"

namespace dealer::test {
namespace {

constexpr std::size_t kTables = 5;
constexpr std::uint64_t kSeed = 77;

using Figures = std::map<std::pair<Seat, std::string>, std::pair<double, double>>;

// An environment stepped by itself, which may hold hands, and the totals of its episode.
class Single {
 public:
  Single(const Game& game, std::size_t table, bool hold)
      : game_(game), table_(table), env_(game.new_env({.hold_hands = hold})) {
    deal();
  }
  Env& env() { return *env_; }
  int steps() const { return steps_; }
  int hands() const { return hands_; }

  void deal() {
    env_->reset(derive(derive(kSeed, table_), episode_++));
    while (env_->hand_over() && !env_->terminated()) env_->next_hand();
    figures_.clear();
    steps_ = 0;
  }
  // The rewards.
  std::vector<double> step(Action action) {
    ++steps_;
    Step step = env_->step(action);
    hands_ += step.hands_finished;
    while (env_->hand_over()) {
      for (Seat seat = 0; seat < game_.players(); ++seat)
        for (const Statistic& figure : env_->statistics(seat)) {
          figures_[{seat, figure.name}].first += figure.numerator;
          figures_[{seat, figure.name}].second += figure.denominator;
        }
      if (env_->terminated()) break;
      const Step more = env_->next_hand();
      hands_ += more.hands_finished;
      for (std::size_t seat = 0; seat < step.rewards.size(); ++seat) step.rewards[seat] += more.rewards[seat];
    }
    return step.rewards;
  }
  std::vector<double> figures(Seat seat) {
    std::vector<double> numbers;
    for (const std::string& name : game_.statistic_names())
      for (const double number : {figures_[{seat, name}].first, figures_[{seat, name}].second})
        numbers.push_back(number);
    return numbers;
  }

 private:
  const Game& game_;
  std::size_t table_;
  std::unique_ptr<Env> env_;
  std::uint64_t episode_ = 0;
  int steps_ = 0, hands_ = 0;
  Figures figures_;
};

// That row of a buffer.
template <class T>
auto part(std::span<T> buffer, std::size_t number, std::size_t size) {
  const auto entries = buffer.subspan(number * size, size);
  return std::vector<std::remove_const_t<T>>(entries.begin(), entries.end());
}

void check_tables(const Game& game, int steps, int threads, std::int64_t max_steps) {
  const auto tables = game.new_vector_env({.num_envs = kTables, .threads = threads, .max_steps = max_steps});
  const OwnedBatch owned(game, kTables, max_steps > 0 ? BatchParts::all() : BatchParts{});
  const Batch& batch = owned.batch();
  tables->reset(kSeed, batch);
  std::vector<Single> singles;
  for (std::size_t t = 0; t < kTables; ++t) singles.emplace_back(game, t, max_steps > 0);
  const auto width = static_cast<std::size_t>(game.observation_spec().size());
  const auto players = static_cast<std::size_t>(game.players());
  RandomStream rng(5);
  for (int i = 0; i <= steps; ++i) {
    std::vector<Action> actions;
    int hands = 0;
    for (const LegalMask mask : batch.legal) actions.push_back(random_action(mask, rng));
    tables->step(actions, batch);
    for (std::size_t t = 0; t < kTables; ++t) {
      Single& single = singles[t];
      Env& env = single.env();
      const std::vector<double> rewards = single.step(actions[t]);
      for (std::size_t seat = 0; seat < players; ++seat)
        ASSERT_EQ(static_cast<double>(batch.rewards[t * players + seat]), rewards[seat]);
      const bool cut = max_steps > 0 && single.steps() >= max_steps && !env.terminated();
      ASSERT_EQ(batch.terminated[t] != 0, env.terminated());
      if (max_steps > 0) {
        ASSERT_EQ(batch.truncated[t] != 0, cut);
      }
      if (cut || env.terminated()) {
        for (Seat seat = 0; max_steps > 0 && seat < game.players(); ++seat) {
          const std::size_t row = t * players + static_cast<std::size_t>(seat);
          ASSERT_EQ(batch.returns[row], env.returns()[static_cast<std::size_t>(seat)]);
          ASSERT_EQ(part(batch.final_observations, row, width), env.observe(seat).data);
          const std::vector<double> figures = single.figures(seat);
          ASSERT_EQ(part(batch.statistics, row, figures.size()), figures);
        }
        single.deal();
      }
      hands += single.hands();
      ASSERT_EQ(batch.current_players[t], env.current_player());
      ASSERT_EQ(batch.legal[t], env.legal_mask());
      ASSERT_EQ(part(batch.observations, t, width), env.observe(env.current_player()).data);
      for (Seat seat = 0; max_steps > 0 && seat < game.players(); ++seat)
        ASSERT_EQ(part(batch.all_observations, t * players + static_cast<std::size_t>(seat), width),
                  env.observe(seat).data);
    }
    ASSERT_EQ(tables->hands_finished(), hands);
  }
}

}  // namespace

void check_vector_env(const Game& game, int steps) {
  SCOPED_TRACE(game.spec());
  check_tables(game, steps, 1, 0);
  check_tables(game, steps, 7, 0);  // more than tables
  check_tables(game, steps, 2, 20);
}

}  // namespace dealer::test
