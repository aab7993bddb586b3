#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "env/core/game.h"

// What every game must pass, whatever its rules. Each check plays random episodes, until at least so many hands are
// over, and reports through GoogleTest.
namespace dealer::test {

// parts of the observation spec lie one behind the other, have names, meanings and sensible bounds.
void check_observation_spec(const Game& game);

// At every position, all seats, the end included: the legal list is sorted, unique, equal to the mask, empty for those
// not to act; action strings are unique and parse back; observations are finite and within the declared bounds; texts
// and JSON exist; rewards are zero-sum where the game says so and add up to the returns.
void check_positions(const Game& game, int hands);

// Actions that are not legal, seats that do not exist, text that is no action: typed errors, and nothing changes.
void check_refusals(const Game& game, int hands);

// At every position, held ends of hands included: the choices are the legal actions with their texts, and a range where
// any amount may be bet; texts read back as the same decision, amounts too; amounts out of the range are refused and
// change nothing; the JSON says the same, also of a state sampled from the observation; rewards of held hands add up to
// the returns.
void check_choices(const Game& game, int hands);

// A clone, a saved and restored position, and an environment begun by the same seed go on exactly like the original,
// whatever they played before; other seeds give other games.
void check_copies(const Game& game, int hands);

// Truncated, malformed and forged positions: ParseError and nothing changes, or, for a forgery, a position that can be
// played to the end.
void check_malformed_positions(const Game& game, int hands);

// What happened, as everybody saw it: told later, the same events and what came since; what is public is seen by all,
// own cards by their owner; what a seat cannot know changes nothing in its events (hidden cards are exchanged through
// samplers); chips paid, returned and won add up to the net of every hand, and that to the returns.
void check_events(const Game& game, int hands);

// States sampled from an observation, for all seats, acting or waiting or at the end: the observer cannot tell them
// from the real one, others can (hidden cards differ), and they play on like real ones.
void check_sampling(const Game& game, int hands);

// Cards dealt anew: the seat to act sees no difference and gets on as before, the game goes on like a real one, cards
// come that nobody holds, and every one of them as often as any other.
void check_redealing(const Game& game, int hands);

// Numbers that are almost an observation: UsageError and nothing changes, or a state that can be played.
void check_malformed_observations(const Game& game, int hands);

// Two different own histories (own observations and actions) within a hand never give the same observation. The unit is
// the hand because every hand is dealt from a fresh deck: what was seen in the one before says nothing about this one.
void check_recall(const Game& game, int deals);

// Tables stepped together equal environments stepped one by one, for any number of threads: all that the buffers may
// hold, the optional ones included, with and without a limit on the steps of an episode.
void check_vector_env(const Game& game, int steps);

// All of the above, with so large a share of the hands that a registered game plays.
void check_all(const Game& game, double share);

// One number over the actions, rewards and observations of random games: changes whenever behaviour changes.
std::uint64_t signature(const Game& game, int hands);

// A random episode in which somebody wins, written out: what the player to act sees, as text and as numbers, what it
// does and what it gets; then its events as JSON.
std::string playthrough(const Game& game);

// Compares text with the file; with DEALER_RECORD=1 in the environment writes the file instead.
void check_recorded(const std::filesystem::path& file, const std::string& text);

// Cases in a file of tests/env/golden: each an input of one or more lines, "=> " and what f says of it, recorded as
// above. Lines that begin with // are comments.
void check_cases(const std::string& file, const std::function<std::string(const std::string& input)>& f);

}  // namespace dealer::test
