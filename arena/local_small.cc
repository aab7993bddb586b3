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

LocalPlayer::LocalPlayer(std::shared_ptr<const Game> game, const AgentFactory& against, int /*samples*/)
    : game_(std::move(game)), policies_(make_policies(against, *game_)) {}

void LocalPlayer::begin_hand(const State& /*dealt*/, Seat me) {
  me_ = me;
  own_.clear();
}

LocalPlayer::Key LocalPlayer::key(const State& state, Seat seat) const {
  std::vector<float> seen(static_cast<std::size_t>(game_->observation_spec().size()));
  state.observe(seat, seen.data());
  Key bytes(seen.size() * sizeof(float), '\0');
  std::memcpy(bytes.data(), seen.data(), bytes.size());
  return bytes;
}

// Of the seat to act.
const std::vector<double>& LocalPlayer::policy(const State& state) {
  const Seat seat = state.current_player();
  std::vector<double>& known = policy_[key(state, seat)];
  if (!known.empty()) return known;
  Observation seen;
  seen.player = seat;
  seen.data.resize(static_cast<std::size_t>(game_->observation_spec().size()));
  state.observe(seat, seen.data.data());
  seen.legal_mask = state.legal_mask();
  known.resize(static_cast<std::size_t>(game_->num_actions()));
  policies_->ask(std::span(&seen, 1), known);
  return known;
}

// Adds all states that the player to act, whose `own` decisions have been as far, cannot tell from the real one. `any`:
// whatever the agent does, every action as likely as any other.
void LocalPlayer::find_range(const State& state, double weight, std::size_t own, const Key& now, bool any) {
  const auto go_on = [&](Action action, double probability, std::size_t done) {
    if (probability <= 0) return;
    State next = state;
    next.apply(action);
    find_range(next, weight * probability, done, now, any);
  };
  const Seat seat = state.current_player();
  if (seat == kChance) {
    for (const ChanceOutcome& outcome : state.chance_outcomes()) go_on(outcome.action, outcome.probability, own);
  } else if (seat == me_ && own < own_.size()) {
    if (key(state, me_) == own_[own].seen) go_on(own_[own].action, 1, own + 1);
  } else if (seat == me_) {
    if (key(state, me_) == now) range_.push_back({state, weight});
  } else if (seat != kTerminal) {
    const LegalMask legal = state.legal_mask();
    const std::vector<double> probability = policy(state);
    for (LegalMask rest = legal; rest != 0; rest &= rest - 1) {
      const Action action = std::countr_zero(rest);
      go_on(action, any ? 1.0 / std::popcount(legal) : probability[static_cast<std::size_t>(action)], own);
    }
  }
}

Decision LocalPlayer::decide(const State& now, RandomStream /*rng*/) {
  const Key seen = key(now, me_);
  const auto [known, fresh] = best_.try_emplace(seen, kNoAction);
  if (!fresh) return known->second;
  range_.clear();
  find_range(State::start(game_->rules()), 1, 0, seen, false);
  if (range_.empty()) find_range(State::start(game_->rules()), 1, 0, seen, true);
  return known->second = choose_locally(*this, range_, me_);
}

void LocalPlayer::played(const State& before, const Decision& decision) {
  if (before.current_player() == me_) own_.push_back({key(before, me_), decision.action});
}

std::vector<Action> LocalPlayer::throws(const State& state) const {
  if (!is_draw(state.legal_mask())) return {};
  return Observation{me_, {}, state.legal_mask()}.legal_actions();
}

std::vector<double> LocalPlayer::fold_chances(std::span<const Likely<State>> range) {
  std::vector<double> chances;
  for (const Likely<State>& each : range) chances.push_back(policy(each.state)[kFold]);
  return chances;
}

double LocalPlayer::play_down(std::vector<Likely<State>> range) {
  double sum = 0;
  std::map<Key, std::vector<Likely<State>>> drawing;  // states in which this player discards
  while (!range.empty()) {
    const Likely<State> from = range.back();
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
      drawing[key(from.state, me_)].push_back(from);
    } else {
      const std::vector<double> probability = policy(from.state);
      for (LegalMask rest = from.state.legal_mask(); rest != 0; rest &= rest - 1) {
        const Action action = std::countr_zero(rest);
        go_on(action, probability[static_cast<std::size_t>(action)]);
      }
    }
  }
  for (const auto& [seen, states] : drawing) {
    std::vector<double> values;
    for (const Action action : throws(states.front().state)) {
      std::vector<Likely<State>> next = states;
      for (Likely<State>& each : next) each.state.apply(action);
      values.push_back(play_down(std::move(next)));
    }
    sum += *std::max_element(values.begin(), values.end());
  }
  return sum;
}

}  // namespace dealer::small
