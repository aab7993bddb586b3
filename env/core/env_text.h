#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/core/game.h"
#include "env/core/json_writer.h"

// Texts and checks that all typed environments share.
namespace dealer {

inline bool in_mask(Action action, LegalMask mask) {
  return action >= 0 && action < kMaxActions && ((mask >> action) & 1) != 0;
}
std::string illegal_action_message(Action action, LegalMask mask, int num_actions);
std::string illegal_amount_message(Amount amount, const AmountRange& range);

// Appends the choice of any amount of the range, if there is one, in the words of the offered bets.
void add_range(const AmountRange& range, std::vector<Choice>& choices);

// Hash chained over the hands of an episode: `before` is the hash of the earlier hands.
std::uint64_t observation_hash(std::span<const float> observation, std::uint64_t before);
// All nonzero numbers of an observation, each with the name of its part.
std::string information_text(const Game& game, const Observation& observation, std::uint64_t before);

// The choices of the seat to act: a list; docs/environment.md describes the fields.
void write_choices(const Env& env, JsonWriter& json);

// Throws UsageError.
void check_size(const Game& game, const Observation& observation);
// Throws UsageError if the numbers are not an observation of the game.
[[noreturn]] void refuse_observation(const std::string& what);
// The count encoded as a fraction of `scale`. Throws UsageError when the count is not within [low, high].
int count_of(float share, int scale, float low = 0, float high = 1);
// The index of the 1 among zeros, -1 if all are 0. Throws UsageError, naming the part, on other numbers.
int one_hot(const float* values, int count, const char* name);
// Checks start_from() of a game: `all` of its `unit`s ("chips") can be divided among these players in this way. `key`
// is the rule key that makes `all` more than 0, as at a tournament table. Throws UsageError.
void check_table_start(const TableStart& start, int players, Amount all, std::string_view unit, std::string_view key);

}  // namespace dealer
