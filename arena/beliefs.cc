#include "arena/beliefs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>

#include "env/cards/card_map.h"
#include "env/cards/shuffle.h"
#include "env/core/at.h"
#include "env/core/weighted_index.h"

namespace dealer::poker {
namespace {

// The range is resampled until its effective size reaches this fraction of the samples, but at most kDeals times.
constexpr double kEffective = 0.25;
constexpr int kDeals = 4;
// Hidden hands with less than this fraction of the mean weight are dropped.
constexpr double kUnlikely = 1e-3;

}  // namespace

Belief::Belief(std::shared_ptr<const Game> game, const AgentFactory& others, int samples)
    : BeliefOf(std::move(game), others), rules_(game_->rules()), samples_(at(samples)) {}

void Belief::begin_hand(const State& dealt, Seat me) {
  dealt_ = dealt;
  me_ = me;
  history_.clear();
  range_.clear();
  in_play_.clear();
  if (!rules_.random_mix()) {
    in_play_.assign(rules_.new_deck.begin(), rules_.new_deck.begin() + rules_.deck->cards_in_play());
    return;
  }
  const std::vector<CardId> out = dealt.taken_out();
  for (int card = 0; card < rules_.deck->size(); ++card)
    if (std::find(out.begin(), out.end(), static_cast<CardId>(card)) == out.end())
      in_play_.push_back(static_cast<CardId>(card));
}

Belief::CardSet Belief::seen_cards(const State& now) const {
  const View view = now.view(me_);
  CardSet seen;
  for (const CardId card : view.board) seen.set(card);
  for (const View::Player& player : view.player) {
    for (const SeenCard& card : player.cards) seen.set(card.card);
    for (const std::vector<SeenCard>& gone : player.discarded)
      for (const SeenCard& card : gone) seen.set(card.card);
  }
  return seen;
}

// Continues with the range of the last decision unless new cards have been seen since.
std::vector<Particle<State>>& Belief::find(const State& now, RandomStream& rng) {
  const CardSet seen = seen_cards(now);
  std::vector<Particle<State>> all;
  for (int deals = 0; deals < kDeals; ++deals) {
    const bool goes_on = deals == 0 && !range_.empty() && seen == seen_;
    if (!goes_on) deal(now, seen, rng);
    replay(now, goes_on ? played_ : 0, rng);
    all.insert(all.end(), range_.begin(), range_.end());
    if (effective_size<State>(all) >= kEffective * static_cast<double>(samples_)) break;
  }
  range_ = std::move(all);
  seen_ = seen;
  played_ = history_.size();
  drop_unlikely();
  return range_;
}

// Samples hidden hands at the beginning of the hand. Unseen cards are permuted among themselves; unseen cards that the
// others have held, which only opaque cards can be, become opaque ones.
void Belief::deal(const State& now, const CardSet& seen, RandomStream& rng) {
  CardSet held;
  for (Seat seat = 0; seat < rules_.players; ++seat) {
    if (seat == me_) continue;
    for (const CardId card : now.cards(seat)) held.set(card);
    for (int draw = 0; draw < rules_.draws; ++draw)
      for (int i = 0; i < now.discard_count(draw, seat); ++i) held.set(now.discarded(draw, seat, i).card);
  }
  std::vector<CardId> hidden, others, opaque, transparent, pool;
  for (const CardId card : in_play_) {
    if (seen[card]) continue;
    (held[card] ? hidden : others).push_back(card);
    (rules_.is_opaque(card) ? opaque : transparent).push_back(card);
  }
  CardMap by = same_cards();
  range_.clear();
  for (std::size_t i = 0; i < samples_; ++i) {
    shuffle_first(std::span(opaque), opaque.size(), rng);
    for (std::size_t h = 0; h < hidden.size(); ++h) by[hidden[h]] = opaque[h];
    pool.assign(opaque.begin() + static_cast<std::ptrdiff_t>(hidden.size()), opaque.end());
    pool.insert(pool.end(), transparent.begin(), transparent.end());
    shuffle_first(std::span(pool), pool.size(), rng);
    for (std::size_t o = 0; o < others.size(); ++o) by[others[o]] = pool[o];
    range_.push_back({dealt_, 1});
    range_.back().state.exchange_cards(by);
  }
}

void Belief::replay(const State& now, std::size_t from, RandomStream& rng) {
  for (std::size_t i = from; i < history_.size(); ++i) {
    const Move& move = history_[i];
    if (move.seat != me_ && move.drawing) {
      weigh_draw(now, move.seat, rng);
      continue;
    }
    if (move.seat != me_) weigh_bet(move.decision);
    for (Particle<State>& each : range_) play_and_hold(each.state, move.decision);
  }
}

// Amounts without a corresponding action are uninformative and do not change the weights.
void Belief::weigh_bet(const Decision& decision) {
  const Action action = action_of(range_.front().state, decision);
  if (action == kNoAction) return;
  ask_policies(evaluator_, range_);
  for (std::size_t i = 0; i < range_.size(); ++i) range_[i].weight *= evaluator_.policy(i)[at(action)];
}

void Belief::weigh_draw(const State& now, Seat seat, RandomStream& rng) {
  const int draw = range_.front().state.street() - (rules_.streets - rules_.draws);
  const int count = now.discard_count(draw, seat);
  CardSet gone;  // transparent ones
  for (int i = 0; i < count; ++i) {
    const CardId card = now.discarded(draw, seat, i).card;
    if (!rules_.is_opaque(card)) gone.set(card);
  }
  const auto choices = static_cast<unsigned>(rules_.discard_choices());
  ask_policies(evaluator_, range_);
  for (std::size_t i = 0; i < range_.size(); ++i) {
    State& state = range_[i].state;
    const std::span<const CardId> hand = state.cards(seat);
    const double* const chance = &evaluator_.policy(i)[at(rules_.first_discard())];
    std::array<double, kDiscardChoices> possible{};
    double sum = 0;
    std::size_t chosen = 0;
    for (unsigned mask = 0; mask < choices; ++mask) {
      bool agrees = std::popcount(mask) == count;
      for (std::size_t c = 0; c < hand.size() && agrees; ++c)
        agrees = rules_.is_opaque(hand[c]) || gone[hand[c]] == ((mask >> c & 1) != 0);
      if (!agrees) continue;
      possible[mask] = chance[mask];
      sum += chance[mask];
      chosen = mask;
    }
    chosen = weighted_index(possible, static_cast<double>(rng.uniform()) * sum, chosen);
    range_[i].weight *= sum;
    state.apply_and_hold(rules_.first_discard() + static_cast<Action>(chosen));
  }
}

// An agent that did something with probability 0 may have any hand.
void Belief::drop_unlikely() {
  const double sum = total_weight<State>(range_);
  agrees_ = sum > 0;
  if (!agrees_) {
    for (Particle<State>& each : range_) each.weight = 1;
    return;
  }
  const double least = kUnlikely * sum / static_cast<double>(range_.size());
  std::erase_if(range_, [&](const Particle<State>& each) { return each.weight < least; });
}

}  // namespace dealer::poker

namespace dealer::small {

Belief::Belief(std::shared_ptr<const Game> game, const AgentFactory& others, int /*samples*/)
    : BeliefOf(std::move(game), others) {}

void Belief::begin_hand(Seat me) {
  me_ = me;
  own_.clear();
}

Belief::Key Belief::key(std::span<const float> seen) {
  return Key(reinterpret_cast<const char*>(seen.data()), seen.size_bytes());
}

Belief::Key Belief::key(const State& state, Seat seat) const {
  std::vector<float> seen(at(game_->observation_spec().size()));
  state.observe(seat, seen.data());
  return key(seen);
}

// The policy of the seat to act.
const std::vector<double>& Belief::policy(const State& state) {
  std::vector<double>& known = policy_[key(state, state.current_player())];
  if (!known.empty()) return known;
  ask_policies(evaluator_, std::vector{state});
  const std::span<const double> policy = evaluator_.policy(0);
  known.assign(policy.begin(), policy.end());
  return known;
}

// Adds all states that the player to act, with `own` decisions so far, cannot distinguish from the real one. `any`:
// ignores the agent's policy and weights every action equally.
void Belief::find_range(const State& state, double weight, std::size_t own, const Key& now, bool any) {
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
      go_on(action, any ? 1.0 / std::popcount(legal) : probability[at(action)], own);
    }
  }
}

std::vector<Particle<State>>& Belief::find(const Key& now) {
  range_.clear();
  find_range(State::start(game_->rules()), 1, 0, now, false);
  agrees_ = !range_.empty();
  if (!agrees_) find_range(State::start(game_->rules()), 1, 0, now, true);
  return range_;
}

}  // namespace dealer::small
