#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <vector>

#include "agents/agent_registry.h"
#include "env/core/at.h"
#include "env/core/env.h"
#include "env/core/random.h"

namespace dealer::test {

// One agent for every seat of a game.
using Seats = std::vector<std::unique_ptr<Agent>>;
inline Seats make_seats(const AgentFactoryPtr& agents, const Game& game) {
  Seats seats;
  for (Seat seat = 0; seat < game.players(); ++seat) seats.push_back(agents->make());
  return seats;
}

// Plays an episode, or its beginning; visit(env, seen, decision) is called before every decision is taken.
template <class Visit>
void play(Env& env, const Seats& seats, std::uint64_t seed, Visit visit, int decisions = 1 << 20) {
  env.reset(seed);
  for (std::size_t seat = 0; seat < seats.size(); ++seat)
    seats[seat]->reset(static_cast<Seat>(seat), derive(seed, seat));
  for (; decisions > 0 && !env.terminated(); --decisions) {
    const Observation seen = env.observe(env.current_player());
    const Decision decision = seats[static_cast<std::size_t>(seen.player)]->act(seen);
    visit(env, seen, decision);
    env.step(decision);
  }
}
inline void play(Env& env, const Seats& seats, std::uint64_t seed) {
  play(env, seats, seed, [](const Env&, const Observation&, const Decision&) {});
}

// All seats of many tables, each seat played by one batch, against single agents that are asked the same questions.
// Sometimes takes another action. Returns the number of compared decisions.
inline int expect_same_decisions(const AgentFactoryPtr& factory, const Game& game, int tables, int episodes,
                                 bool wander = false) {
  struct Table {
    std::unique_ptr<Env> env;
    Seats singles;
    Observation seen;
    Decision decision;
  };
  std::vector<Table> all(at(tables));
  std::vector<std::unique_ptr<AgentBatch>> batches;  // by seat
  for (Seat seat = 0; seat < game.players(); ++seat) batches.push_back(factory->make_batch(tables));
  RandomStream rng(3);
  int dealt = 0, decisions = 0, playing = 0;
  const auto deal = [&](int table) {
    if (dealt == episodes) return all[at(table)].env.reset();
    const auto episode = static_cast<std::uint64_t>(dealt++);
    all[at(table)] = {game.new_env(), make_seats(factory, game), {}, {}};
    all[at(table)].env->reset(episode);
    ++playing;
    for (Seat seat = 0; seat < game.players(); ++seat) {
      batches[at(seat)]->reset(table, seat, derive(episode, at(seat)));
      all[at(table)].singles[at(seat)]->reset(seat, derive(episode, at(seat)));
    }
  };
  for (int t = 0; t < tables; ++t) deal(t);
  while (playing > 0 && !testing::Test::HasFailure()) {
    for (int t = 0; t < tables; ++t) {
      Table& table = all[at(t)];
      if (!table.env) continue;
      table.seen = table.env->observe(table.env->current_player());
      batches[at(table.seen.player)]->add(t, table.seen, table.decision);
    }
    for (auto& batch : batches) batch->flush();
    for (int t = 0; t < tables; ++t) {
      Table& table = all[at(t)];
      if (!table.env) continue;
      EXPECT_EQ(table.singles[at(table.seen.player)]->act(table.seen), table.decision)
          << game.spec() << ", table " << t;
      ++decisions;
      if (wander && rng.below(3) == 0) {
        const std::vector<Action> legal = table.seen.legal_actions();
        table.decision = Decision(legal[rng.below(static_cast<std::uint32_t>(legal.size()))]);
      }
      if (!table.env->step(table.decision).terminated) continue;
      --playing;
      deal(t);
    }
  }
  return decisions;
}

// Expects an evaluator's probabilities of all actions to be the agent's of the legal ones, and 0 of others.
inline void expect_policy(std::span<const double> all, const Observation& seen, const std::vector<double>& legal,
                          double near) {
  std::size_t next = 0;
  for (std::size_t action = 0; action < all.size(); ++action)
    EXPECT_NEAR(all[action], (seen.legal_mask >> action & 1) != 0 ? legal.at(next++) : 0, near) << action;
}

}  // namespace dealer::test
