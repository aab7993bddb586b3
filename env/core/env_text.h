#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/core/game.h"
#include "env/core/json_writer.h"

// What all typed environments say in the same words.
namespace dealer {

inline bool in_mask(Action action, LegalMask mask) {
  return action >= 0 && action < kMaxActions && ((mask >> action) & 1) != 0;
}
std::string illegal_action_message(Action action, LegalMask mask, int num_actions);
std::string illegal_amount_message(Amount amount, const AmountRange& range);

// Appends the choice of any amount of the range, where there is one, in the words of the bets that are offered.
void add_range(const AmountRange& range, std::vector<Choice>& choices);

// Chained over the hands of an episode: `before` is what was seen in those before.
std::uint64_t observation_hash(std::span<const float> observation, std::uint64_t before);
// Every number of an observation that is not 0, by the name of its part.
std::string information_text(const Game& game, const Observation& observation, std::uint64_t before);

// What who is to act may do: a list, docs/environment.md tells the fields.
void write_choices(const Env& env, JsonWriter& json);

// Throws UsageError.
void check_size(const Game& game, const Observation& observation);
// Throws UsageError: the numbers are no observation of the game.
[[noreturn]] void refuse_observation(const std::string& what);
// Of a game's start_from(): that `all` of its `unit`s, "chips", can be among so many players in this way. `key` is that
// of the game's rules which makes `all` more than 0, those of a tournament's table. Throws UsageError.
void check_table_start(const TableStart& start, int players, Amount all, std::string_view unit, std::string_view key);

}  // namespace dealer
