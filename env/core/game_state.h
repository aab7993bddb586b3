#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "env/core/decision.h"
#include "env/core/event.h"
#include "env/core/json_writer.h"
#include "env/core/observation_spec.h"
#include "env/core/random.h"

namespace dealer {

// A statistic of the last finished hand for one seat, summed over hands: rate = sum(numerator) / sum(denominator).
struct Statistic {
  const char* name = "";
  double numerator = 0;
  double denominator = 0;
};
// A few statistics without heap allocation: the same names in the same order for every hand of a game.
class Statistics {
 public:
  static constexpr std::size_t kMost = 12;
  Statistics() = default;
  Statistics(std::initializer_list<Statistic> list) {
    for (const Statistic& figure : list) push_back(figure);
  }
  // Throws std::length_error beyond kMost.
  void push_back(const Statistic& figure) {
    if (size_ == kMost) throw std::length_error("a hand has more statistics than Statistics::kMost");
    figure_[size_++] = figure;
  }
  std::size_t size() const { return size_; }
  const Statistic& operator[](std::size_t i) const { return figure_[i]; }
  Statistic& operator[](std::size_t i) { return figure_[i]; }
  const Statistic* begin() const { return figure_.data(); }
  const Statistic* end() const { return figure_.data() + size_; }

 private:
  std::array<Statistic, kMost> figure_{};
  std::size_t size_ = 0;
};

// The interface of every game for the hot loops (vectorised stepping, search, playouts). A state is a flat value: one
// hand, chain or match in progress, together with the cards to come. Copying it is a memcpy, and it has no padding, so
// that equal positions are equal bytes.
//
//   Rules            immutable, outlives its states
//   num_actions, observation_spec, players   of a rule set
//   num_cards(rules)   cards of the deck are 0 .. num_cards-1
//   card_text(rules, card)   the name of a card
//   reset(rules, seed)   deals; the same seed gives the same deal everywhere
//   current_player() kTerminal at the end, else the one seat to act
//   legal_mask()     one bit an action, never empty while a seat is to act
//   apply(action)    precondition: legal. Moves with a single choice are made by the game itself, and when a hand ends
//                    the next of the episode is dealt
//   reset_and_hold, apply_and_hold   the same, but the state stays at the end of a hand: hand_over() is true, no seat
//                    is to act, and everything shown can be observed. next_hand() deals the next hand (precondition:
//                    hand_over() and not episode_over()), which may be over at once, too
//   reward(seat)     of the last apply or next_hand; return_of(seat): their sum since reset
//   observe(seat, out)   observation_spec(rules).size() floats: all that the seat may know, nothing else
//   Sampler(rules, observation)   made once from an observation: draw(rng) is a state that the observer cannot tell
//                    from the real one. Its distribution is the true one under uniform deals: every deal that agrees
//                    with the observation is equally likely, whatever the others' play suggests; what others chose
//                    unseen is uniform. Throws UsageError when the numbers are not an observation
//   unseen_cards()   number of unseen cards: those still to be dealt in this hand, and those of a seat that has made
//                    no decision since it received them and cannot see others act on them
//   resample_future(rng)   resamples these cards, and the hands to come, from their distribution given everything
//   that
//                    has happened. The observation of the seat to act does not change. For estimates of the
//                    chance term of a result
//   hands_finished() since reset; statistics(seat) of the hand that is over, while hand_over(); their names at any time
//   choice(action)   what a legal action is
//   events(out)      appends the events of the hand so far, as an omniscient viewer sees them; audience and faces give
//                    what others may see. Later calls append the same and the events since. WritesEvents: costs
//                    only what is new
//   write_table(json, seat)   one object: the table as the seat may see it, for programs
//   start_from(rules, seed, start), carry_over()   of games with tournament tables: Env::reset(seed, start) and
//                    Env::carry_over()
//   attach(rules)    points a state that was read from a file at its rules
//   valid()          false for bytes that no game can reach (deserialising); must not trust them in any way
template <class S>
concept GameState = std::is_trivially_copyable_v<S> && std::has_unique_object_representations_v<S> &&
    std::default_initializable<S> &&
    requires(S state, const S& view, const typename S::Rules& rules, Action action, Seat seat, std::uint64_t seed,
             float* out, std::span<const float> observation, RandomStream& rng, typename S::Sampler& sampler,
             std::vector<Event>& events, CardId card, JsonWriter& json) {
  { S::num_actions(rules) } -> std::same_as<int>;
  { S::players(rules) } -> std::same_as<int>;
  { S::observation_spec(rules) } -> std::same_as<ObservationSpec>;
  { S::num_cards(rules) } -> std::same_as<int>;
  { S::card_text(rules, card) } -> std::same_as<std::string>;
  typename S::Sampler;
  requires std::constructible_from<typename S::Sampler, const typename S::Rules&, std::span<const float>>;
  { sampler.draw(rng) } -> std::same_as<S>;
  {state.reset(rules, seed)};
  {state.reset_and_hold(rules, seed)};
  {state.apply(action)};
  {state.apply_and_hold(action)};
  {state.next_hand()};
  { view.unseen_cards() } -> std::convertible_to<int>;
  {state.resample_future(rng)};
  {state.attach(&rules)};
  { view.current_player() } -> std::same_as<Seat>;
  { view.legal_mask() } -> std::same_as<LegalMask>;
  { view.hand_over() } -> std::same_as<bool>;
  { view.episode_over() } -> std::same_as<bool>;
  { view.reward(seat) } -> std::convertible_to<float>;
  { view.return_of(seat) } -> std::convertible_to<double>;
  {view.observe(seat, out)};
  { view.hands_finished() } -> std::convertible_to<int>;
  { view.statistics(seat) } -> std::same_as<Statistics>;
  { view.valid() } -> std::same_as<bool>;
  { view.choice(action) } -> std::same_as<Choice>;
  {view.events(events)};
  { view.to_string(seat) } -> std::same_as<std::string>;
  {view.write_table(json, seat)};
};

// States that write the events of a hand incrementally, at a cost in proportion to the new events.
//
//   Story            position in the events of a hand: a flat value, by default before the first event
//   write_events(story, out)   appends the events that events() appends after this position, and advances the
//   story.
//                    The state is the one that the story was advanced on, or a later one of the same hand
template <class S>
concept WritesEvents = GameState<S> && std::is_trivially_copyable_v<typename S::Story> &&
    requires(const S& view, typename S::Story& story, std::vector<Event>& out) {
  {view.write_events(story, out)};
};

// Games with free bet sizes.
//
//   amount_range()   of the seat to act: totals it may bet to in this round; empty when only actions are legal
//   bet_to(total), bet_to_and_hold(total)   as apply; precondition: within the range
template <class S>
concept BetsAnyAmount = GameState<S> && requires(S state, const S& view, Amount total) {
  { view.amount_range() } -> std::same_as<AmountRange>;
  {state.bet_to(total)};
  {state.bet_to_and_hold(total)};
};

template <GameState S>
void play_and_hold(S& state, const Decision& decision) {
  if constexpr (BetsAnyAmount<S>) {
    if (decision.is_amount()) return state.bet_to_and_hold(decision.amount);
  }
  state.apply_and_hold(decision.action);
}

// Small games also list their chance moves, so that solvers can walk the whole tree.
//
//   start(rules)     the root of the tree, chance to move: this state and its successors by apply() ask for every
//                    chance move. A state from reset() never does: its seed fixes the deal
//   current_player() kChance while chance is to move; then legal_mask() is 0 and apply() takes one of the outcomes
//   chance_outcomes()   all of them, each with its own action and a probability above 0, which add up to 1; empty
//                    unless chance is to move. Their actions are not actions of players and may be any number
//   observe(seat, out)   as in a dealt hand at the decisions and the end: equal numbers for the seat to act, equal
//                    information state
//   valid()          false for these states: no table can be at a chance move
inline constexpr Seat kChance = -2;
struct ChanceOutcome {
  Action action;
  double probability;
};
template <class S>
concept ExplicitChance = GameState<S> && requires(const S& view, const typename S::Rules& rules) {
  { S::start(rules) } -> std::same_as<S>;
  { view.chance_outcomes() } -> std::same_as<std::vector<ChanceOutcome>>;
};

}  // namespace dealer
