#pragma once

#include "dealers_choice.h"

#ifdef __cplusplus
extern "C" {
#endif

// A plain C program that uses the interface, written in C99. Functions return the first status that is not DC_OK.

// Plays an episode: the n-th decision is legal action n % (number of legal actions). returns: [players].
dc_status c99_play(const char* spec, uint64_t seed, double* returns, size_t players, int32_t* steps);
// The value of a hand under the deck's own ranking.
dc_status c99_value(const char* deck, const char* cards, uint32_t* value);
// A match of an agent written in C, which always plays the lowest action, against "random". json: for dc_free().
dc_status c99_match(const char* spec, int64_t deals, int64_t* asked, char** json);

#ifdef __cplusplus
}
#endif
