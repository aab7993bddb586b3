#include "arena/control_variates.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "agents/evaluator.h"
#include "env/core/error.h"
#include "env/core/random.h"
#include "env/core/typed_env.h"
#include "env/core/typed_game.h"
#include "env/games/poker/state.h"

namespace dealer {
namespace {

using poker::State;

class AgentValues final : public PositionValues {
 public:
  AgentValues(const AgentFactory& agents, const Game& game) : evaluator_(make_evaluator(agents, game)) {}

  void add(const Env& table, std::uint64_t /*seed*/, bool /*often*/) override {
    const std::vector<double> returns = table.returns();
    returns_.insert(returns_.end(), returns.begin(), returns.end());
    const Seat seat = table.current_player();
    if (seat >= 0) {
      if (seen_.size() == asked_.size()) seen_.emplace_back();
      table.observe(seat, seen_[asked_.size()]);
      asked_.push_back(positions_);
    }
    ++positions_;
  }

  void compute(std::span<double> worth) override {
    std::copy(returns_.begin(), returns_.end(), worth.begin());
    value_.resize(asked_.size());
    if (!asked_.empty()) evaluator_->evaluate(std::span(seen_).first(asked_.size()), {}, value_);
    const std::size_t players = returns_.size() / positions_;
    for (std::size_t i = 0; i < asked_.size(); ++i)
      for (std::size_t seat = 0; seat < players; ++seat)
        worth[asked_[i] * players + seat] += seat == static_cast<std::size_t>(seen_[i].player)
                                                 ? value_[i]
                                                 : -value_[i] / static_cast<double>(players - 1);
    positions_ = 0;
    asked_.clear();
    returns_.clear();
  }

 private:
  std::unique_ptr<PositionEvaluator> evaluator_;
  std::size_t positions_ = 0;
  std::vector<double> returns_;  // [positions, players]
  std::vector<Observation> seen_;
  std::vector<std::size_t> asked_;  // index of the state for each query
  std::vector<double> value_;
};

class ShowdownValues final : public PositionValues {
 public:
  explicit ShowdownValues(const TypedGame<State>& game)
      : players_(static_cast<std::size_t>(game.players())), pat_(game.rules().first_discard()) {}

  void add(const Env& table, std::uint64_t seed, bool often) override {
    const State& from = dynamic_cast<const TypedEnv<State>&>(table).state();
    const std::size_t at = worth_.size();
    worth_.resize(at + players_);
    const int deals = from.hand_over() ? 1 : often ? kOften : kSeldom;
    RandomStream rng(seed);
    for (int i = 0; i < deals; ++i) {
      State state = from;
      if (!state.hand_over()) state.resample_future(rng);
      while (!state.hand_over()) state.apply_and_hold(state.drawing() ? pat_ : poker::kCall);
      for (std::size_t seat = 0; seat < players_; ++seat)
        worth_[at + seat] += state.return_of(static_cast<Seat>(seat)) / deals;
    }
  }

  void compute(std::span<double> worth) override {
    std::copy(worth_.begin(), worth_.end(), worth.begin());
    worth_.clear();
  }

 private:
  static constexpr int kOften = 64, kSeldom = 4;
  std::size_t players_;
  Action pat_;  // discards nothing
  std::vector<double> worth_;
};

const TypedGame<State>* betting_game(const Game& game) { return dynamic_cast<const TypedGame<State>*>(&game); }

void expect_values(const ValueSource& source, const Game& game) {
  if (!source.agents && betting_game(game) == nullptr)
    throw UsageError(fmt::format("there is no betting in '{}', so no showdown without further bets", game.spec()));
  if (source.agents && !attributes_of(*source.agents, game).value)
    throw UsageError(fmt::format("agent '{}' provides no position values in '{}'", source.name(), game.spec()));
}

}  // namespace

std::unique_ptr<PositionValues> ValueSource::make(const Game& game) const {
  expect_values(*this, game);
  if (agents) return std::make_unique<AgentValues>(*agents, game);
  return std::make_unique<ShowdownValues>(*betting_game(game));
}

ValueSource value_source(std::string_view spec, const GamePtr& game, std::span<const AgentFactoryPtr> players) {
  ValueSource source;
  if (spec != kShowdownValues && !(spec.empty() && betting_game(*game) != nullptr)) {
    // Excludes searches, which would search again for every alternative deal, and remote programs.
    if (spec.empty())
      for (const AgentFactoryPtr& player : players)
        if (player->attributes().cheap && player->attributes().value) return {player};
    source.agents = make_agents(spec.empty() ? "default" : spec, game);
  }
  expect_values(source, *game);
  return source;
}

ChanceTerms::ChanceTerms(const Game& game, std::unique_ptr<PositionValues> values, int samples)
    : players_(static_cast<std::size_t>(game.players())),
      samples_(samples),
      values_(std::move(values)),
      before_(game.new_env({.hold_hands = true})),
      other_(game.new_env({.hold_hands = true})),
      worth_((static_cast<std::size_t>(samples) + 1) * players_) {}

template <class Deal>
void ChanceTerms::add(const Env& table, std::uint64_t seed, std::span<Correction> correction, const Deal& deal) {
  values_->add(table, derive(seed, 0), true);
  for (int i = 1; i <= samples_; ++i) {
    const std::uint64_t sample = derive(seed, static_cast<std::uint64_t>(i));
    deal(*other_, sample);
    values_->add(*other_, mix64(sample), false);
  }
  values_->compute(worth_);
  // Seat 0 gets the rounding error, so that corrections sum to zero.
  Correction rest = 0;
  for (std::size_t seat = players_; seat-- > 0;) {
    double mean = 0;
    for (std::size_t i = players_; i < worth_.size(); i += players_) mean += worth_[i + seat];
    mean /= samples_;
    const Correction here = seat == 0 ? -rest : in_units(worth_[seat] - mean);
    correction[seat] += here;
    rest += here;
  }
}

template <class GoOn>
void ChanceTerms::add_resample(const Env& table, std::uint64_t seed, std::span<Correction> correction,
                               const GoOn& go_on) {
  add(table, seed, correction, [&](Env& other, std::uint64_t sample) {
    other.assign(*before_);
    other.resample_future(sample);
    go_on(other);
  });
}

void ChanceTerms::add_step(const Env& table, const Decision& decision, std::uint64_t seed,
                           std::span<Correction> correction) {
  if (table.unseen_cards() == before_->unseen_cards()) return;
  add_resample(table, seed, correction, [&](Env& other) { other.step(decision, step_); });
}

void ChanceTerms::add_next_hand(const Env& table, std::uint64_t seed, std::span<Correction> correction) {
  add_resample(table, seed, correction, [](Env& other) { other.next_hand(); });
}

void ChanceTerms::add_reset(const Env& table, std::uint64_t seed, std::span<Correction> correction) {
  add(table, seed, correction, [](Env& other, std::uint64_t sample) { other.reset(sample); });
}

}  // namespace dealer
