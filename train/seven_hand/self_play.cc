#include "train/seven_hand/self_play.h"

#include <algorithm>
#include <cstring>

#include "agents/seven_hand/layings.h"
#include "env/core/at.h"
#include "env/core/error.h"
#include "env/core/state_bytes.h"
#include "env/games/seven_hand/observation_parts.h"
#include "env/hands/hand_rank.h"
#include "train/afterstate/explore.h"
#include "train/afterstate/returns.h"

namespace dealer::seven_hand {
namespace {

constexpr std::string_view kHeader = "7-Hand self-play 1";

}  // namespace

SelfPlay::SelfPlay(std::shared_ptr<const Game> game, const SelfPlaySettings& settings)
    : game_(std::move(game)),
      settings_(settings),
      tables_(game_->new_typed_vector_env({.num_envs = settings.tables})),
      opponents_(settings.opponents, *game_, settings.tables, settings.seed),
      traces_(static_cast<std::size_t>(settings.tables)) {
  tables_->reset_states(settings.seed);
}

void SelfPlay::clear() {
  samples_.clear();
  counts_ = {};
}

AfterstatePlay SelfPlay::run(int turns, const ValueModel& model) {
  RandomStream rng(settings_.seed, ++runs_);
  TurnEvaluator evaluator(model.net, *model.features);
  hands_ = 0;
  for (int turn = 0; turn < turns; ++turn)
    for (int table = 0; table < settings_.tables; ++table) {
      if (opponents_.play(table, tables_->state(table).current_player()))
        answer(table);
      else
        decide(table, evaluator, rng);
    }
  return {hands_, evaluator.evaluations()};
}

// A complete turn of an opponent.
void SelfPlay::answer(int table) {
  const int turn = tables_->state(table).turns(), hands = tables_->state(table).hands_finished();
  const bool naming = tables_->state(table).naming();
  opponents_.take_turn(*tables_, table, [&](const State& state) {
    return !naming && !state.naming() && state.turns() == turn && state.hands_finished() == hands;
  });
  if (tables_->state(table).hands_finished() != hands) finish_hand(table);
}

void SelfPlay::decide(int table, TurnEvaluator& evaluator, RandomStream& rng) {
  const State& state = tables_->state(table);
  const Seat seat = state.current_player();
  const std::span<const TurnChoice> choices = evaluator.value(state.view(seat));
  values_.clear();
  for (const TurnChoice& choice : choices) values_.push_back(choice.value);
  const auto best = static_cast<std::size_t>(std::max_element(values_.begin(), values_.end()) - values_.begin());
  std::size_t chosen = best;
  if (rng.uniform() < static_cast<float>(settings_.epsilon))
    chosen = draw_from_softmax(values_, best, static_cast<float>(settings_.temperature), rng);
  Trace& trace = traces_[static_cast<std::size_t>(table)][at(seat)];
  trace.decision[trace.count++] = {evaluator.features(choices[chosen]), values_[best], chosen != best};
  play(table, choices[chosen]);
}

void SelfPlay::play(int table, const TurnChoice& choice) {
  const State& state = tables_->state(table);
  const int hands = state.hands_finished();
  if (choice.cards == 0) {
    tables_->play(table, kFirstChip + choice.chip);
  } else {
    const HandRank rank = evaluate(choice.cards);
    ++counts_.layings;
    counts_.cards += size(choice.cards);
    counts_.straights_and_better += category(rank) >= HandCategory::kStraight ? 1 : 0;
    for (const Action action : actions_of(choice.cards, state.hand(state.mover()))) tables_->play(table, action);
  }
  if (state.hands_finished() != hands) finish_hand(table);
}

void SelfPlay::finish_hand(int table) {
  const State& state = tables_->state(table);
  ++hands_;
  for (Seat seat = 0; seat < kSeats; ++seat) {
    if (opponents_.play(table, seat)) continue;
    Trace& trace = traces_[static_cast<std::size_t>(table)][at(seat)];
    std::array<float, kMostDecisions> best;
    std::array<bool, kMostDecisions> explored;
    std::array<double, kMostDecisions> targets;
    for (std::size_t i = 0; i < trace.count; ++i) {
      best[i] = trace.decision[i].best;
      explored[i] = trace.decision[i].explored;
    }
    lambda_returns({best.data(), trace.count}, {explored.data(), trace.count}, static_cast<double>(state.reward(seat)),
                   settings_.lambda, {targets.data(), trace.count});
    for (std::size_t i = 0; i < trace.count; ++i)
      samples_.push_back({trace.decision[i].list, {static_cast<float>(targets[i])}});
    trace.count = 0;
  }
  if (state.current_player() == kTerminal) tables_->deal(table);
}

std::string SelfPlay::save() const {
  ByteWriter out(kHeader);
  out.add(runs_);
  for (const auto& seats : traces_)
    for (const Trace& trace : seats) {
      out.add(trace.count);
      for (std::size_t i = 0; i < trace.count; ++i) {
        const Decision& decision = trace.decision[i];
        out.add(decision.best);
        out.add(decision.explored);
        out.add(decision.list.count);
        for (const Feature feature : decision.list.active()) out.add(feature);
      }
    }
  return std::move(out).finish() + tables_->save();
}

// Number of layings and namings of the hand so far.
std::size_t SelfPlay::decisions(int table, Seat seat) const {
  if (opponents_.play(table, seat)) return 0;
  const State& state = tables_->state(table);
  const int laid = state.finished_turns(seat) + (state.naming() && state.mover() == seat ? 1 : 0);
  // The game itself names the last chip.
  return static_cast<std::size_t>(laid + std::min(state.finished_turns(1 - seat), kTurns - 1));
}

void SelfPlay::load(const std::string& bytes) {
  const auto refuse = [] { throw CheckpointError("saved self-play tables are malformed"); };
  std::string_view rest = bytes;
  const auto get = [&](auto& value) {
    if (rest.size() < sizeof(value)) refuse();
    std::memcpy(&value, rest.data(), sizeof(value));
    rest.remove_prefix(sizeof(value));
  };
  if (!rest.starts_with(kHeader)) refuse();
  rest.remove_prefix(kHeader.size());
  get(runs_);
  for (auto& seats : traces_)
    for (Trace& trace : seats) {
      get(trace.count);
      if (trace.count > kMostDecisions) refuse();
      for (std::size_t i = 0; i < trace.count; ++i) {
        Decision& decision = trace.decision[i];
        std::uint8_t explored = 0;
        get(decision.best);
        get(explored);
        get(decision.list.count);
        decision.explored = explored != 0;
        if (decision.list.count < 0 || static_cast<std::size_t>(decision.list.count) > decision.list.feature.size())
          refuse();
        for (int f = 0; f < decision.list.count; ++f) {
          get(decision.list.feature[static_cast<std::size_t>(f)]);
          if (decision.list.feature[static_cast<std::size_t>(f)] >= feature::kCount)
            throw CheckpointError("saved self-play tables hold a feature that does not exist");
        }
      }
    }
  const std::size_t end = bytes.size() - rest.size() + sizeof(std::uint64_t);
  if (bytes.size() < end || !ByteReader::sum_is_right(std::string_view(bytes).substr(0, end))) refuse();
  tables_->load(std::string_view(bytes).substr(end));
  for (int table = 0; table < settings_.tables; ++table)
    for (Seat seat = 0; seat < kSeats; ++seat)
      if (traces_[static_cast<std::size_t>(table)][at(seat)].count != decisions(table, seat))
        throw CheckpointError("saved self-play tables hold decisions that contradict their hands");
}

}  // namespace dealer::seven_hand
