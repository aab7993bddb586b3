#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "env/core/game.h"

// Tests that every game must pass, whatever its rules. Each check plays random episodes, until at least that many hands
// are over, and reports through GoogleTest.
namespace dealer::test {

// Parts of the observation spec follow each other without gaps, and have names, meanings and sensible bounds.
void check_observation_spec(const Game& game);

// At every position, all seats, the end included: the legal list is sorted, unique, equal to the mask, empty for seats
// not to act; action strings are unique and parse back; observations are finite and within the declared bounds; texts
// and JSON exist; rewards are zero-sum where the game says so and add up to the returns.
void check_positions(const Game& game, int hands);

// Illegal actions, seats that do not exist, text that is not an action: typed errors, and nothing changes.
void check_refusals(const Game& game, int hands);

// At every position, held ends of hands included: the choices are the legal actions with their texts, and a range if
// any amount may be bet; texts and amounts read back as the same decision; amounts out of the range are rejected and
// change nothing; the JSON has the same choices, also for a state sampled from the observation; rewards of held hands
// add up to the returns.
void check_choices(const Game& game, int hands);

// A clone, a saved and restored position, and an environment begun with the same seed continue exactly like the
// original, whatever they played before; other seeds give other games.
void check_copies(const Game& game, int hands);

// Truncated, malformed and forged positions: ParseError and nothing changes, or, for a forgery, a position that can be
// played to the end.
void check_malformed_positions(const Game& game, int hands);

// Events for every viewer: later calls return the same events and the new ones; public events are visible to all, own
// cards to their owner; hidden information does not affect a seat's events (tested by exchanging hidden cards through
// samplers); chips paid, returned and won add up to the net of every hand, and that to the returns.
void check_events(const Game& game, int hands);

// States sampled from an observation, for all seats, acting or waiting or at the end: they give the observer the same
// observation, others a different one (hidden cards differ), and they can be played on.
void check_sampling(const Game& game, int hands);

// Resampled future cards: the seat to act has the same observation, the game continues normally, new cards are in no
// other hand, and all of them are equally frequent.
void check_resampling(const Game& game, int hands);

// Numbers close to an observation: UsageError and nothing changes, or a state that can be played.
void check_malformed_observations(const Game& game, int hands);

// Two different own histories (own observations and actions) within a hand never give the same observation. The unit is
// the hand because every hand is dealt from a fresh deck: earlier hands give no information about it.
void check_recall(const Game& game, int deals);

// Tables stepped together equal environments stepped one by one, for any number of threads: all buffers, the optional
// ones included, with and without a limit on the steps of an episode.
void check_vector_env(const Game& game, int steps);

// All of the above, with this share of the hands used for a registered game.
void check_all(const Game& game, double share);

// One number over the actions, rewards and observations of random games: changes whenever behaviour changes.
std::uint64_t signature(const Game& game, int hands);

// A random episode with a winner, as text: the observation of the player to act, as text and as numbers, its action and
// its reward; then its events as JSON.
std::string playthrough(const Game& game);

// Compares text with the file; with DEALER_RECORD=1 in the environment writes the file instead.
void check_recorded(const std::filesystem::path& file, const std::string& text);

// Cases in a file of tests/env/golden: each an input of one or more lines, "=> " and the output of f, recorded as
// above. Lines that begin with // are comments.
void check_cases(const std::string& file, const std::function<std::string(const std::string& input)>& f);

}  // namespace dealer::test
