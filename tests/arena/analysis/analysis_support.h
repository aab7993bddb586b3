#pragma once

#include "arena/analysis/analyse.h"
#include "tests/arena/testing.h"

namespace dealer::test {

// Episodes with one agent per seat, the seats rotating between episodes, as in a log: first hands
// only, or all of them if `whole`.
inline std::vector<analysis::RecordedHand> record(const GamePtr& game, const std::vector<AgentFactoryPtr>& agents,
                                                  int episodes, std::uint64_t seed, bool whole = false) {
  std::vector<analysis::RecordedHand> hands;
  const auto players = static_cast<std::size_t>(game->players());
  for (int episode = 0; episode < episodes; ++episode) {
    const std::unique_ptr<Env> env = game->new_env({.hold_hands = true});
    const std::uint64_t deal = derive(seed, static_cast<std::uint64_t>(episode));
    env->reset(deal);
    std::vector<std::unique_ptr<Agent>> seated;
    std::vector<std::string> names;
    for (std::size_t seat = 0; seat < players; ++seat) {
      const AgentFactoryPtr& kind = agents[(seat + static_cast<std::size_t>(episode)) % agents.size()];
      seated.push_back(kind->make());
      seated.back()->reset(static_cast<Seat>(seat), derive(deal, seat));
      names.push_back(kind->spec());
    }
    for (int number = 0; number == 0 || (whole && !env->terminated()); ++number) {
      if (number > 0) env->next_hand();
      analysis::RecordedHand& hand = hands.emplace_back();
      hand.name = std::to_string(hands.size());
      hand.number = static_cast<std::int64_t>(hands.size());
      hand.table = env->clone();
      hand.players = names;
      while (!env->hand_over()) {
        const Seat seat = env->current_player();
        hand.decisions.push_back(seated[static_cast<std::size_t>(seat)]->act(env->observe(seat)));
        env->step(hand.decisions.back());
      }
    }
  }
  return hands;
}

inline std::vector<analysis::RecordedHand> record(const std::string& game, const std::vector<std::string>& agents,
                                                  int episodes, std::uint64_t seed, bool whole = false) {
  const GamePtr made = make_game(game);
  std::vector<AgentFactoryPtr> kinds;
  for (const std::string& agent : agents) kinds.push_back(make_agents(agent, made));
  return record(made, kinds, episodes, seed, whole);
}

inline analysis::Analysis analysed(const std::vector<analysis::RecordedHand>& hands, const std::string& agent,
                                   std::int64_t simulations = 0, bool sampled = false, int threads = 2) {
  analysis::AnalysisOptions options;
  options.judge.agent = agent;
  options.judge.simulations = simulations;
  options.judge.sampled = sampled;
  options.threads = threads;
  options.seed = 5;
  return analysis::analyse(hands, options);
}

inline const analysis::PlayerFigures& figures_of(const analysis::Analysis& analysis, const std::string& player) {
  for (const analysis::PlayerFigures& each : analysis.players)
    if (each.player == player) return each;
  throw std::logic_error("no player " + player);
}

}  // namespace dealer::test
