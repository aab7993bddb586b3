#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arena/studies/run.h"

namespace dealer::studies {

// A study run for each of several values of a rule, or of another key of its config.
struct SweepRequest {
  std::string study;                   // with its overrides, as in read_study()
  std::vector<std::string> overrides;  // the same for all values
  std::string key;                     // "game.fantasyland.cards": an option of all its games; else a key of its config
  std::vector<std::string> values;
  // The training of an agent for each value, in words: "washizu_heads_up, 10m". Empty: the agents of the config play.
  std::string training;
  // The number of deals of self-play for estimating the rule's value for the agents (condition.h); 0: none.
  std::int64_t condition_deals = 0;
};

// The parts of a text between its commas outside brackets and quotes, and whether all of these are closed.
std::pair<std::vector<std::string>, bool> parts_at_commas(std::string_view text);

// Parses "KEY=V1,V2,..."; commas inside brackets and quotes do not separate. Throws UsageError if there is no key,
// fewer than two values, an empty one or a duplicate.
void read_key_and_values(std::string_view text, SweepRequest& request);

// A game of a study at one value, and its label among the study's other games.
struct SweepTable {
  std::string label;  // the base; with its agent if another agent plays the same game
  std::string base;   // the game without the option that the sweep sets
  std::string game, agent;
};

struct SweepValue {
  std::string value;
  std::string
      name;  // "game.fantasyland.cards=13"; also of its folder, where other characters than A-Za-z0-9._+=- are _
  std::string folder;
  std::vector<SweepTable> tables;      // duplicates that have become equal are merged
  std::vector<std::string> overrides;  // for the study; without the agents if they are made first
};

struct Sweep {
  SweepRequest request;
  bool several = false;  // the study is of several games
  std::vector<SweepValue> values;

  bool trains() const { return !request.training.empty(); }
  bool conditions() const { return request.condition_deals > 0; }
  // True if the agents are not those of the config.
  bool makes_agents() const { return trains() || conditions(); }
};

// Creates every study once, so that invalid values are rejected before anything is played: UsageError and
// ConfigError that name the value.
Sweep make_sweep(const SweepRequest& request);

// The study of one value. `made`: the agent of each table, if they are made first. Throws as make_sweep().
StudyJob job_of(const Sweep& sweep, const SweepValue& value, const std::vector<std::string>& made = {});

// True if the agent was trained, and for other rules than these.
bool trained_for_other_rules(const std::string& agent, const Game& game);

}  // namespace dealer::studies
