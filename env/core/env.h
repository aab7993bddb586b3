#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "env/core/decision.h"
#include "env/core/event.h"
#include "env/core/game_state.h"
#include "env/core/table_start.h"

namespace dealer {

class Game;
class JsonWriter;

// An agent's view of the state: data only, no handle to the state.
struct Observation {
  Seat player = 0;
  std::vector<float> data;   // observation_spec().size() floats, see ObservationSpec
  LegalMask legal_mask = 0;  // empty unless the observer is to act
  AmountRange amounts{};     // totals that may be bet to besides the actions; empty when no amount may be named
  std::vector<Action> legal_actions() const;
};

// Identifies everything a seat has seen.
struct InformationState {
  std::string text;
  std::uint64_t hash = 0;
  friend bool operator==(const InformationState&, const InformationState&) = default;
};

// The result of one step.
struct Step {
  std::vector<double> rewards;  // one a seat, for this step
  bool terminated = false;      // the episode is over
  bool truncated = false;       // it was cut off by EnvOptions::max_steps
  int hands_finished = 0;       // hands that ended with this step
};

struct EnvOptions {
  // Stops at the end of every hand: hand_over() is true and the showdown can be observed until next_hand().
  bool hold_hands = false;
  // Keeps the events of the hands before the one in progress.
  bool keep_events = false;
  // The step at which an episode is truncated; 0: never.
  std::int64_t max_steps = 0;
};

// One table, Gym-like. Every method with a player argument throws UsageError when there is no such seat.
class Env {
 public:
  virtual ~Env() = default;
  virtual const Game& game() const = 0;
  virtual const EnvOptions& options() const = 0;
  virtual void reset(std::uint64_t seed) = 0;
  // Starts one hand of a tournament, which is an episode of its own. Throws UsageError, and changes nothing, unless the
  // rules are those of a tournament table and the chips match them.
  virtual void reset(std::uint64_t seed, const TableStart& start) = 0;
  // The start of the next hand if it were played with the present chips: players with none left have 0, and the button
  // moves to the next player with chips. Throws UsageError unless a hand is over, and in games without chips.
  virtual TableStart carry_over() const = 0;
  // Throws IllegalAction, and changes nothing, when the decision is not legal now or no seat is to act.
  Step step(Decision decision) {
    Step result;
    step(decision, result);
    return result;
  }
  // The same, filling an existing result.
  virtual void step(Decision decision, Step& result) = 0;
  // With hold_hands: deals the next hand of the episode. Throws UsageError unless a hand is over and the episode is
  // not. hands_finished is 1 when the new hand ended without a decision.
  virtual Step next_hand() = 0;
  virtual Seat current_player() const = 0;  // kTerminal when no seat is to act
  virtual bool hand_over() const = 0;       // held at the end of a hand, or the episode is over
  virtual bool terminated() const = 0;      // no hand follows
  virtual bool truncated() const = 0;
  // Sorted, unique; empty when no seat is to act.
  virtual std::vector<Action> legal_actions() const = 0;
  virtual LegalMask legal_mask() const = 0;
  // Totals that the player to act may bet to, in games with free bet sizes.
  virtual AmountRange amount_range() const = 0;
  // All legal choices, a range of amounts last.
  virtual std::vector<Choice> choices() const = 0;
  Observation observe(Seat player) const {
    Observation observation;
    observe(player, observation);
    return observation;
  }
  // The same, filling an existing observation.
  virtual void observe(Seat player, Observation& observation) const = 0;
  virtual std::vector<double> returns() const = 0;
  virtual int hands_finished() const = 0;
  // Statistics of the last finished hand for that seat.
  virtual Statistics statistics(Seat player) const = 0;
  virtual std::unique_ptr<Env> clone() const = 0;
  // Becomes a copy of a table of the same game, options included; throws UsageError on any other.
  virtual void assign(const Env& other) = 0;
  // Number of unseen cards: those still to be dealt in this hand, and those of a seat that has made no decision since
  // it received them.
  virtual int unseen_cards() const = 0;
  // Resamples these unseen cards and the hands to come, from their distribution given everything that has happened. The
  // observation of the seat to act does not change.
  virtual void resample_future(std::uint64_t seed) = 0;
  // Bytes that deserialize() of an environment of the same game turns back into the same position; it throws ParseError
  // on anything else and changes nothing. Events of earlier hands are not kept.
  virtual std::string serialize() const = 0;
  virtual void deserialize(std::string_view bytes) = 0;

  // Events since a cursor, as `viewer` saw them: with keep_events of the whole episode, else of the hand in progress
  // (or just over). Throws UsageError on a cursor of another episode, one beyond the present, or one of a hand whose
  // events were not kept. Costs time in proportion to the new events. The table caches events, so events() and cursor()
  // of one table must not be called from two threads at a time.
  virtual std::vector<Event> events(Viewer viewer, EventCursor since = {}) const = 0;
  // The position after the last event so far.
  virtual EventCursor cursor() const = 0;

  // Index of the hand in progress or just over, from 0 in this episode.
  virtual int hand_number() const = 0;
  // Equal exactly when everything the seat has seen and done in this episode is equal.
  virtual InformationState information_state(Seat player) const = 0;

  virtual std::string action_to_string(Action action) const = 0;
  // "raise to 250", whether an action or an amount.
  std::string decision_to_string(const Decision& decision) const;
  // The legal decision with that text, any legal amount included; throws IllegalAction naming the legal ones.
  Decision parse_decision(std::string_view text) const;
  // The legal action with that text; throws IllegalAction naming the legal ones.
  Action parse_action(std::string_view text) const;
  // The table as that player may see it, as text for people.
  virtual std::string to_string(Seat player) const = 0;
  // The same as JSON, for programs: docs/environment.md describes the fields.
  nlohmann::json to_json(Seat player) const;
  // Only its `table`, as text.
  virtual void write_table(Seat player, JsonWriter& json) const = 0;
  // Replaces everything the observer cannot know by a random draw that agrees with the observation.
  // Throws UsageError, and changes nothing, when it is not an observation of this game.
  virtual void sample_state(const Observation& observation, std::uint64_t seed) = 0;
};

}  // namespace dealer
