#include "arena/local_small.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <utility>

namespace dealer::small {
namespace {

bool is_draw(LegalMask legal) { return (legal >> kKeep) != 0; }

}  // namespace

LocalPlayer::LocalPlayer(std::shared_ptr<const Game> game, const AgentFactory& against, int /*samples*/,
                         LocalBets /*bets*/)
    : hidden_(std::move(game), against) {}

void LocalPlayer::begin_hand(const State& /*dealt*/, Seat me) {
  me_ = me;
  hidden_.begin_hand(me);
}

Decision LocalPlayer::decide(const State& now, RandomStream /*rng*/) {
  const Belief::Key seen = hidden_.key(now, me_);
  const auto [known, fresh] = best_.try_emplace(seen);
  if (!fresh) return known->second;
  return known->second = choose_locally(*this, hidden_.find(seen), me_);
}

void LocalPlayer::played(const State& before, const Decision& decision) {
  if (before.current_player() == me_) hidden_.decided(hidden_.key(before, me_), decision.action);
}

std::vector<Action> LocalPlayer::throws(const State& state) const {
  if (!is_draw(state.legal_mask())) return {};
  return Observation{me_, {}, state.legal_mask()}.legal_actions();
}

std::vector<double> LocalPlayer::fold_chances(std::span<const Particle<State>> range) {
  std::vector<double> chances;
  for (const Particle<State>& each : range) chances.push_back(hidden_.policy(each.state)[kFold]);
  return chances;
}

double LocalPlayer::play_down(std::vector<Particle<State>> range) {
  double sum = 0;
  std::map<Belief::Key, std::vector<Particle<State>>> drawing;  // states in which this player discards
  while (!range.empty()) {
    const Particle<State> from = range.back();
    range.pop_back();
    const auto go_on = [&](Action action, double probability) {
      if (probability <= 0) return;
      range.push_back({from.state, from.weight * probability});
      range.back().state.apply(action);
    };
    const Seat seat = from.state.current_player();
    if (from.weight <= 0) continue;
    if (seat == kTerminal) {
      sum += from.weight * from.state.return_of(me_);
    } else if (seat == kChance) {
      for (const ChanceOutcome& outcome : from.state.chance_outcomes()) go_on(outcome.action, outcome.probability);
    } else if (!is_draw(from.state.legal_mask())) {
      go_on(kCall, 1);
    } else if (seat == me_) {
      drawing[hidden_.key(from.state, me_)].push_back(from);
    } else {
      const std::vector<double> probability = hidden_.policy(from.state);
      for (LegalMask rest = from.state.legal_mask(); rest != 0; rest &= rest - 1) {
        const Action action = std::countr_zero(rest);
        go_on(action, probability[static_cast<std::size_t>(action)]);
      }
    }
  }
  for (const auto& [seen, states] : drawing) {
    std::vector<double> values;
    for (const Action action : throws(states.front().state)) {
      std::vector<Particle<State>> next = states;
      for (Particle<State>& each : next) each.state.apply(action);
      values.push_back(play_down(std::move(next)));
    }
    sum += *std::max_element(values.begin(), values.end());
  }
  return sum;
}

}  // namespace dealer::small
