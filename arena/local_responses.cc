#include "arena/local_responses.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "arena/cards_to_come.h"
#include "env/cards/shuffle.h"
#include "env/core/at.h"
#include "env/core/error.h"
#include "env/core/weighted_index.h"

namespace dealer::poker {
namespace {

// The number of samples of the cards to come per hidden hand, if there are too many to enumerate.
constexpr int kCompletions = 8;
// The number of discard sizes considered near the best, if they lose no more than this fraction of hands.
constexpr std::size_t kThrows = 3;
constexpr float kThrowMargin = 0.12F;

}  // namespace

LocalResponse::LocalResponse(std::shared_ptr<const Game> game, const AgentFactory& against, int samples, LocalBets bets)
    : game_(std::move(game)), rules_(game_->rules()), bets_(std::move(bets)), hands_(game_, against, samples) {
  if (rules_.draws == 0) return;
  const int most = rules_.players * rules_.hand_cards * (1 + rules_.draws);
  if (most > rules_.deck->cards_in_play())
    throw UsageError(
        fmt::format("'{}' may run out of cards: {} are in play and {} may be dealt; a local best response cannot track "
                    "hands through a reshuffle",
                    game_->spec(), rules_.deck->cards_in_play(), most));
  if (DrawEquities::bytes(rules_) > DrawEquities::kMostBytes)
    throw UsageError(fmt::format("'{}' has more possible hands than a local best response supports", game_->spec()));
  tables_ = shared_draw_equity_tables(rules_);
}

void LocalResponse::begin_hand(const State& dealt, Seat me) {
  me_ = me;
  hands_.begin_hand(dealt, me);
}

void LocalResponse::played(const State& before, const Decision& decision) {
  hands_.played({before.current_player(), before.drawing(), decision});
}

Decision LocalResponse::decide(const State& now, RandomStream rng) {
  const std::vector<Particle<State>>& range = hands_.find(now, rng);
  completions_ = rng.bits64();
  return choose_locally(*this, range, me_, bets_);
}

std::vector<Action> LocalResponse::throws(const State& state) const {
  if (!state.drawing()) return {};
  DrawEquities::Means means;
  const std::span<const CardId> hand = state.cards(me_);
  tables_->get([&] { return DrawEquityTables(rules_); }).means.find(hand, rules_.streets - state.street(), means);
  std::vector<unsigned> best;  // for every number of cards
  for (std::size_t count = 0; count <= hand.size(); ++count) best.push_back((1U << count) - 1);
  for (unsigned mask = 0; mask < 1U << hand.size(); ++mask) {
    unsigned& known = best[static_cast<std::size_t>(std::popcount(mask))];
    if (means[mask].share > means[known].share) known = mask;
  }
  std::sort(best.begin(), best.end(), [&](unsigned a, unsigned b) { return means[a].share > means[b].share; });
  std::vector<Action> actions;
  for (const unsigned mask : std::span<const unsigned>(best).first(kThrows))
    if (means[mask].share >= means[best[0]].share - kThrowMargin)
      actions.push_back(rules_.first_discard() + static_cast<Action>(mask));
  return actions;
}

std::vector<double> LocalResponse::fold_probabilities(const std::vector<Particle<State>>& range) {
  StateEvaluator<State>& agent = hands_.evaluator();
  ask_policies(agent, range);
  std::vector<double> folds;
  for (std::size_t i = 0; i < range.size(); ++i) folds.push_back(agent.policy(i)[kFold]);
  return folds;
}

void LocalResponse::check_or_draw(State& state) const {
  state.apply_and_hold(state.drawing() ? throws(state).front() : Action{kCall});
}

// The mean over future cards if the agent makes no discard except `discard`, if that is an action.
double LocalResponse::showdowns(const State& state, Action discard, RandomStream& rng) const {
  const bool to_come =
      discard != kNoAction || state.drawing() || (rules_.draws == 0 && state.street() + 1 < rules_.streets);
  if (state.hand_over() || !to_come) return shown(state, kNoAction).return_of(me_);
  CardSet lie = {};
  for (const CardId card : state.board()) lie.set(card);
  for (Seat seat = 0; seat < rules_.players; ++seat) {
    for (const CardId card : state.cards(seat)) lie.set(card);
    for (int draw = 0; draw < rules_.draws; ++draw)
      for (int i = 0; i < state.discard_count(draw, seat); ++i) lie.set(state.discarded(draw, seat, i).card);
  }
  std::vector<CardId> left;
  std::copy_if(hands_.in_play().begin(), hands_.in_play().end(), std::back_inserter(left),
               [&](CardId card) { return !lie[card]; });
  const CardsToCome to_each(shown(state, discard), left);
  if (to_each.can_be_counted())
    return to_each.mean([&](const CardMap& by) { return shown(state, discard, &by).return_of(me_); });
  std::vector<CardId> pool = left;
  CardMap by = same_cards();
  double sum = 0;
  for (int i = 0; i < kCompletions; ++i) {
    shuffle_first(std::span(pool), pool.size(), rng);
    for (std::size_t c = 0; c < left.size(); ++c) by[left[c]] = pool[c];
    sum += shown(state, discard, &by).return_of(me_);
  }
  return sum / kCompletions;
}

// The state with other cards if nobody bets any more and the agent makes that discard, if it still draws.
State LocalResponse::shown(const State& state, Action discard, const CardMap* by) const {
  State end = state;
  if (by != nullptr) end.exchange_cards(*by);
  while (!end.hand_over()) {
    if (agent_draws(end))
      end.apply_and_hold(discard);
    else
      check_or_draw(end);
  }
  return end;
}

double LocalResponse::play_down(std::vector<Particle<State>> range) {
  double sum = 0;
  std::vector<Playing> playing;
  for (std::size_t i = 0; i < range.size(); ++i)
    if (range[i].weight > 0)
      playing.push_back({range[i].state, range[i].state, range[i].weight, RandomStream(completions_, i)});
  const auto done = [&](Playing& each, Action discard) {
    sum += each.weight * showdowns(each.before, discard, each.rng);
    each.weight = 0;
  };
  while (!playing.empty()) {
    for (Playing& each : playing) {
      State& state = each.state;
      const auto last_draw = [&] { return state.drawing() && state.street() + 1 == rules_.streets; };
      const bool draws = rules_.draws > 0 && state.discard_count(rules_.draws - 1, other()) < 0;
      while (draws && !state.hand_over() && !agent_draws(state) && !last_draw()) check_or_draw(state);
      each.before = state;
      if (!draws || state.hand_over()) {
        done(each, kNoAction);
        continue;
      }
      while (!agent_draws(state)) check_or_draw(state);
    }
    std::erase_if(playing, [](const Playing& each) { return each.weight == 0; });
    if (playing.empty()) break;
    StateEvaluator<State>& agent = hands_.evaluator();
    ask_policies(agent, playing);
    for (std::size_t i = 0; i < playing.size(); ++i) {
      Playing& each = playing[i];
      const auto policy = agent.policy(i).subspan(at(rules_.first_discard()), at(rules_.discard_choices()));
      const Action discard =
          rules_.first_discard() + static_cast<Action>(weighted_index(policy, static_cast<double>(each.rng.uniform())));
      if (each.state.street() + 1 == rules_.streets)
        done(each, discard);
      else
        each.state.apply_and_hold(discard);
    }
    std::erase_if(playing, [](const Playing& each) { return each.weight == 0; });
  }
  return sum;
}

}  // namespace dealer::poker

namespace dealer::small {
namespace {

bool is_draw(LegalMask legal) { return (legal >> kKeep) != 0; }

}  // namespace

LocalResponse::LocalResponse(std::shared_ptr<const Game> game, const AgentFactory& against, int /*samples*/,
                             const LocalBets& /*bets*/)
    : hidden_(std::move(game), against) {}

void LocalResponse::begin_hand(const State& /*dealt*/, Seat me) {
  me_ = me;
  hidden_.begin_hand(me);
}

Decision LocalResponse::decide(const State& now, RandomStream /*rng*/) {
  const Belief::Key seen = hidden_.key(now, me_);
  const auto [known, fresh] = best_.try_emplace(seen);
  if (!fresh) return known->second;
  return known->second = choose_locally(*this, hidden_.find(seen), me_);
}

void LocalResponse::played(const State& before, const Decision& decision) {
  if (before.current_player() == me_) hidden_.decided(hidden_.key(before, me_), decision.action);
}

std::vector<Action> LocalResponse::throws(const State& state) const {
  if (!is_draw(state.legal_mask())) return {};
  return Observation{me_, {}, state.legal_mask()}.legal_actions();
}

std::vector<double> LocalResponse::fold_probabilities(const std::vector<Particle<State>>& range) {
  std::vector<double> folds;
  folds.reserve(range.size());
  for (const Particle<State>& each : range) folds.push_back(hidden_.policy(each.state)[kFold]);
  return folds;
}

double LocalResponse::play_down(std::vector<Particle<State>> range) {
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
        go_on(action, probability[at(action)]);
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
