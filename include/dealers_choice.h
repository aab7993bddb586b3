// The C interface of Dealer's Choice: games, environments, agents, matches and evaluators. C99 and C++.
// docs/c-interface.md has a complete program.
//
// Results. Functions return a status; DC_OK is 0. After any other status nothing has changed, neither the state behind
// a handle nor the data behind the caller's pointers, and dc_last_error() says in one line what was wrong and what is
// allowed. Exceptions to this are noted where they occur. No C++ exception leaves a function.
//
// Pointers. NULL is DC_USAGE for every pointer unless its comment allows it. Texts are UTF-8 and end with a 0.
//
// Ownership. Release handles with their dc_..._free(), which accept NULL and then do nothing. Handles made from another
// handle keep what they need of it: release them in any order. A `const char*` in a structure or returned by a function
// belongs to the handle it came from and lives as long. `char**` and `void**` results belong to the caller, who
// releases them with dc_free().
//
// Threads. Handles that are const in a signature (games, kinds of agents, evaluators) may be used by many threads at
// once, all others by one at a time. dc_last_error() is per thread.
//
// Numbers. Seats count from 0. Actions are 0 .. num_actions - 1, each with one meaning in a game. A legal mask has bit
// a set when action a is legal. Cards are indices into the game's or the evaluator's deck. Amounts are chips.
#ifndef DEALERS_CHOICE_H
#define DEALERS_CHOICE_H

#include <stddef.h>
#include <stdint.h>

#define DC_VERSION_MAJOR 0
#define DC_VERSION_MINOR 2
#define DC_VERSION_PATCH 0
#define DC_VERSION "0.2.0"
// Changes with every incompatible change: programs must then be compiled anew. Part of the library's SONAME.
#define DC_ABI_VERSION 0

#if defined(__GNUC__)
#define DC_API __attribute__((visibility("default")))
#else
#define DC_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

// ---- Results

typedef int32_t dc_status;
enum {
  DC_OK = 0,
  DC_FAILURE = 1,         // something else went wrong
  DC_USAGE = 2,           // a wrong argument: NULL, an unknown name, a number out of range, a buffer of another size
  DC_CONFIG = 3,          // a YAML file or an option in brackets; the message names file, line and key
  DC_ILLEGAL_ACTION = 4,  // an action or an amount that is not legal now
  DC_PARSE = 5,           // text or bytes that are not a card, spec or saved position
  DC_FILE = 6,            // a file that cannot be read
  DC_CHECKPOINT = 7,      // a file of weights, or saved tables, that are malformed or of another game
  DC_MEMORY = 8           // none left
};

// "usage"; "unknown" for a number that is not a status. Never NULL.
DC_API const char* dc_status_name(dc_status status);
// The error message of this thread's last failed call; "" if none has failed. Valid until the next failure.
DC_API const char* dc_last_error(void);
// Releases texts, lists and bytes that the functions below return to the caller. NULL does nothing.
DC_API void dc_free(void* memory);
// Version of the library at run time, "0.2.0 (1949a82)", and its DC_ABI_VERSION.
DC_API const char* dc_version(void);
DC_API int32_t dc_abi_version(void);

// ---- Games

#define DC_MAX_PLAYERS 10
#define DC_NO_ACTION (-1)  // the decision is an amount
#define DC_NOBODY (-1)     // no seat is to act

typedef struct dc_game dc_game;

// Names of the available games, sorted. One call of dc_free(*names) releases them all.
DC_API dc_status dc_game_names(char*** names, size_t* count);

// Opens a game by name or by path of a YAML file, with options: "holdem[limit=no_limit,players=6]". DC_USAGE on an
// unknown name (the message suggests the nearest), DC_CONFIG on bad rules.
DC_API dc_status dc_game_open(const char* spec, dc_game** game);
DC_API void dc_game_free(dc_game* game);

typedef struct dc_game_info {
  const char* name;    // "holdem"
  const char* spec;    // name with options: opens the game again
  const char* family;  // of rules: "poker"
  const char* rules;   // every key with its value, YAML; equal for equal rules
  const char* unit;    // of rewards: "chips", "points"
  double big_blind;    // in that unit; 0: the game has none
  int32_t players;
  int32_t min_players, max_players;  // range of the option `players`
  int32_t num_actions;               // at most 64
  int32_t num_cards;                 // of the deck
  int32_t observation_size;          // floats
  int32_t num_observation_parts;
  int32_t num_statistics;
  int32_t zero_sum;  // 1: rewards add up to 0
} dc_game_info;

DC_API dc_status dc_game_get_info(const dc_game* game, dc_game_info* info);

// A part of an observation: the floats data[offset .. offset + size - 1].
typedef struct dc_observation_part {
  const char* name;
  const char* meaning;
  const int32_t* shape;  // [rank], row-major
  int32_t rank;
  int32_t offset, size;
  float low, high;  // of every number
} dc_observation_part;

// index: 0 .. num_observation_parts - 1; parts lie one after the other without gaps.
DC_API dc_status dc_game_get_observation_part(const dc_game* game, int32_t index, dc_observation_part* part);
// Name of a statistic, "foul_rate". index: 0 .. num_statistics - 1.
DC_API dc_status dc_game_get_statistic_name(const dc_game* game, int32_t index, const char** name);
// Text of a card, "As". card: 0 .. num_cards - 1.
DC_API dc_status dc_game_card_text(const dc_game* game, uint8_t card, char** text);

// ---- One table

typedef struct dc_env dc_env;

// A player's decision: an action or, with DC_NO_ACTION, an amount, which is the player's total bet in this round after
// it. With an action the amount is ignored.
typedef struct dc_decision {
  int32_t action;
  int32_t amount;
} dc_decision;

// The amounts low, low + step, ... high; high is 0 if only actions are allowed.
typedef struct dc_amounts {
  int32_t low, high, step;
} dc_amounts;

// An agent's view of the table.
typedef struct dc_observation {
  const float* data;
  size_t size;          // observation_size
  uint64_t legal_mask;  // 0 unless the observer is to act
  dc_amounts amounts;   // legal besides the actions
  int32_t player;       // the observer's seat
} dc_observation;

// The result of a step.
typedef struct dc_step {
  double rewards[DC_MAX_PLAYERS];  // by seat, in the game's unit; 0 beyond the players
  int32_t hands_finished;
  int32_t terminated;  // 1: the episode is over
  int32_t truncated;   // 1: it was cut off by max_steps
} dc_step;

// The current state of a table.
typedef struct dc_position {
  uint64_t legal_mask;     // of the player to act; 0: no seat is to act
  dc_amounts amounts;      // likewise
  int32_t current_player;  // or DC_NOBODY
  int32_t hands_finished;  // in this episode
  int32_t hand_over;       // 1: held at the end of a hand, or the episode is over
  int32_t terminated, truncated;
} dc_position;

enum {
  DC_HOLD_HANDS = 1,  // stops at the end of every hand until dc_env_next_hand()
  DC_KEEP_EVENTS = 2  // keeps the events of the hands before the one in progress
};

// flags: sum of the above, or 0. max_steps: steps after which an episode is truncated; 0: never. Dealt with seed 0.
DC_API dc_status dc_env_open(const dc_game* game, uint32_t flags, int64_t max_steps, dc_env** env);
DC_API dc_status dc_env_clone(const dc_env* env, dc_env** clone);
DC_API void dc_env_free(dc_env* env);

// Deals a new episode: the same seed gives the same cards on every machine.
DC_API dc_status dc_env_reset(dc_env* env, uint64_t seed);
// Plays a decision. DC_ILLEGAL_ACTION when it is not legal now or no seat is to act. step may be NULL.
DC_API dc_status dc_env_step(dc_env* env, dc_decision decision, dc_step* step);
// With DC_HOLD_HANDS: deals the next hand. DC_USAGE unless a hand is over and the episode is not. step may be NULL.
DC_API dc_status dc_env_next_hand(dc_env* env, dc_step* step);
DC_API dc_status dc_env_get_position(const dc_env* env, dc_position* position);

// Writes the seat's observation into data [size = observation_size]. observation may be NULL; otherwise its data
// pointer is the caller's buffer.
DC_API dc_status dc_env_observe(const dc_env* env, int32_t seat, float* data, size_t size, dc_observation* observation);
// Returns of the episode so far, in the game's unit: [count = players].
DC_API dc_status dc_env_get_returns(const dc_env* env, double* returns, size_t count);
// Statistics of the seat's last finished hand: [count = num_statistics * 2], numerator and denominator of each.
DC_API dc_status dc_env_get_statistics(const dc_env* env, int32_t seat, double* figures, size_t count);

// The legal choices as a JSON list, [] when no seat is to act. docs/environment.md describes the fields.
DC_API dc_status dc_env_choices(const dc_env* env, char** json);
// The table as that seat may see it: as text for people, and as JSON (docs/environment.md).
DC_API dc_status dc_env_to_text(const dc_env* env, int32_t seat, char** text);
DC_API dc_status dc_env_to_json(const dc_env* env, int32_t seat, char** json);
// Identifies everything the seat has seen in this episode: equal exactly when that is equal. Either text or hash may be
// NULL.
DC_API dc_status dc_env_information_state(const dc_env* env, int32_t seat, char** text, uint64_t* hash);
// Text of a legal decision, "raise to 250", and the inverse. DC_ILLEGAL_ACTION, naming the legal ones, on any other.
DC_API dc_status dc_env_decision_text(const dc_env* env, dc_decision decision, char** text);
DC_API dc_status dc_env_parse_decision(const dc_env* env, const char* text, dc_decision* decision);

// Saves a position; dc_env_deserialize() of a table of the same game restores it. DC_PARSE on any other bytes.
DC_API dc_status dc_env_serialize(const dc_env* env, void** bytes, size_t* size);
DC_API dc_status dc_env_deserialize(dc_env* env, const void* bytes, size_t size);
// Replaces everything the observer cannot know by a random draw that agrees with the observation (its data; masks and
// amounts are ignored). DC_USAGE if the data are not an observation of this game.
DC_API dc_status dc_env_sample(dc_env* env, const dc_observation* observation, uint64_t seed);

// A position in the events of an episode; all 0: the beginning of any episode.
typedef struct dc_cursor {
  uint32_t episode;
  int32_t hand;
  int32_t next;
} dc_cursor;

enum {
  DC_SPECTATOR = -1,  // sees what is public
  DC_OMNISCIENT = -2  // sees every card
};

// Events since a cursor, as seen by a seat or one of the above: a JSON list (docs/events.md). since: NULL means the
// beginning. now: set to the present position; may be NULL and may be `since`. DC_USAGE on a cursor of another episode
// or of a hand whose events were not kept.
DC_API dc_status dc_env_events(const dc_env* env, int32_t viewer, const dc_cursor* since, char** json, dc_cursor* now);

// ---- Many tables

typedef struct dc_vector_env dc_vector_env;

// The caller's buffers, which the library writes directly. counts: numbers of elements. For N tables of a game with P
// players, S floats an observation and F statistics; row e belongs to table e:
typedef struct dc_batch {
  float* observations;  // [N * S] of the player to act
  size_t observations_count;
  uint64_t* legal;  // [N] masks of the player to act
  size_t legal_count;
  float* rewards;  // [N * P] of the last step
  size_t rewards_count;
  int8_t* current_players;  // [N] seat to act
  size_t current_players_count;
  uint8_t* terminated;  // [N] 1: the last step ended an episode, and the next is dealt
  size_t terminated_count;

  // Not written where NULL with a count of 0.
  uint8_t* truncated;  // [N] 1: the last step cut an episode off; needed with max_steps
  size_t truncated_count;
  float* all_observations;  // [N * P * S] of all seats
  size_t all_observations_count;
  // Written only where an episode has ended or was cut off:
  float* final_observations;  // [N * P * S] of all seats at its end
  size_t final_observations_count;
  double* returns;  // [N * P] of the episode
  size_t returns_count;
  double* statistics;  // [N * P * F * 2] numerators and denominators, summed over its hands; at every step or at none
  size_t statistics_count;
} dc_batch;

// num_envs: 1 or more; threads: 1 to 1024, without effect on results; max_steps as for dc_env_open().
DC_API dc_status dc_vector_env_open(const dc_game* game, int32_t num_envs, int32_t threads, int64_t max_steps,
                                    dc_vector_env** envs);
DC_API void dc_vector_env_free(dc_vector_env* envs);
// Deals every table anew and fills the buffers. DC_USAGE when a buffer has another size.
DC_API dc_status dc_vector_env_reset(dc_vector_env* envs, uint64_t seed, const dc_batch* batch);
// Plays actions [count = N], one per table. DC_ILLEGAL_ACTION, before any table moves, when one is not legal.
DC_API dc_status dc_vector_env_step(dc_vector_env* envs, const int32_t* actions, size_t count, const dc_batch* batch);
// Number of hands finished at all tables since the reset.
DC_API dc_status dc_vector_env_hands_finished(const dc_vector_env* envs, int64_t* hands);
// Saves the complete state. Loading it into tables of the same game, number and max_steps fills the buffers as a reset
// does. DC_CHECKPOINT on any other bytes.
DC_API dc_status dc_vector_env_save(const dc_vector_env* envs, void** bytes, size_t* size);
DC_API dc_status dc_vector_env_load(dc_vector_env* envs, const void* bytes, size_t size, const dc_batch* batch);

// ---- Agents

typedef struct dc_agents dc_agents;  // a kind of agents, loaded once
typedef struct dc_agent dc_agent;    // one of them, at one seat of one table at a time

// Loads agents by spec: "random", "rule", "default", "search[simulations=1000]", a path of a run folder, file of
// weights or mixture. Errors: DC_USAGE listing the valid names, DC_CHECKPOINT, DC_FILE.
DC_API dc_status dc_agents_open(const dc_game* game, const char* spec, dc_agents** agents);
DC_API void dc_agents_free(dc_agents* agents);

// An agent implemented by the caller. Functions that return int: 0 is success; anything else is a failure of the agent,
// as is an illegal decision. They must not throw. A match calls the functions of different agents in several threads at
// once.
typedef struct dc_agent_functions {
  void* (*open)(
      void* context);          // a fresh agent; NULL is a failure. Without this function agents are the context itself
  void (*close)(void* agent);  // may be NULL
  int (*reset)(void* agent, int32_t seat, uint64_t seed);  // before an episode; may be NULL
  int (*act)(void* agent, const dc_observation* observation, dc_decision* decision);
  // Observes a JSON list of events (docs/events.md) as the seat saw them, those since the last call: called before
  // every decision and at the end of every hand. May be NULL: the agent then observes no events.
  int (*hear)(void* agent, const char* events);
  void* context;  // may be NULL
} dc_agent_functions;

// name: the agents' name in results. The functions are copied; the data they use must live until all handles made from
// `agents` are released.
DC_API dc_status dc_agents_from_functions(const dc_game* game, const char* name, const dc_agent_functions* functions,
                                          dc_agents** agents);

DC_API dc_status dc_agent_open(const dc_agents* agents, dc_agent** agent);
DC_API void dc_agent_free(dc_agent* agent);
// Call before the first decision of an episode. The same seed and observations give the same decisions.
DC_API dc_status dc_agent_reset(dc_agent* agent, int32_t seat, uint64_t seed);
// observation: from dc_env_observe() or a vector environment of the same game, for the agent's seat, which is to act.
// DC_USAGE before dc_agent_reset(). decision: set to a legal decision.
DC_API dc_status dc_agent_act(dc_agent* agent, const dc_observation* observation, dc_decision* decision);
// The probability of every action: [count = num_actions], 0 for illegal ones. known: 0 when the agent cannot give
// probabilities; they are then left unchanged.
DC_API dc_status dc_agent_policy(dc_agent* agent, const dc_observation* observation, double* probabilities,
                                 size_t count, int32_t* known);
// The expected return for the seat from here on, in the game's unit. known: as above.
DC_API dc_status dc_agent_value(dc_agent* agent, const dc_observation* observation, double* value, int32_t* known);
// hears: 1 when dc_agent_hear() must be called before every decision and at the end of every hand.
DC_API dc_status dc_agent_hears(dc_agent* agent, int32_t* hears);
// Notifies the agent of the events its seat has seen at the table since the cursor, and advances the cursor. Not undone
// if the agent then fails.
DC_API dc_status dc_agent_hear(dc_agent* agent, const dc_env* env, dc_cursor* cursor);

// ---- Inputs of networks
// For programs with networks of their own: docs/weights.md says how the shipped networks take them.

// Names of the input features, which networks take in addition to the observation; count is 0 in games that have none.
// names: one block for dc_free().
DC_API dc_status dc_game_feature_names(const dc_game* game, char*** names, size_t* count);
// observations: [num_observations, observation_size], of seats to act. features: [num_observations, names]; count:
// number of its elements. DC_USAGE when one is not an observation of the game.
DC_API dc_status dc_features(const dc_game* game, const float* observations, size_t num_observations, float* features,
                             size_t count);
// OFC and 7-Hand Poker: all choices for the turn of the seat to act, for networks that value afterstates. {"size":
// number of features, "choices": [{"actions": [...], "text": "...", "rows": [[active features]...]}...]} with a row for
// each opponent in the game (OFC) or a single one; no choices in Fantasyland. DC_USAGE in other games.
DC_API dc_status dc_afterstates(const dc_game* game, const dc_observation* observation, char** json);

// ---- Matches

typedef struct dc_match_options {
  int64_t deals;       // 1 or more
  int64_t first_deal;  // deal d is dealt from seed and d; 0 or more
  uint64_t seed;
  double move_time;   // seconds allowed for a decision; 0: no limit
  int32_t duplicate;  // 1: every deal is played in every seating
  int32_t threads;    // 0: one per processor; no effect on results
  int32_t num_envs;   // tables played in parallel by a thread; 0: chosen for the agents; no effect on results
  int32_t strict;     // 1: the first failure of an agent ends the match with DC_FAILURE
  // Both may be NULL; called in any thread, progress never in two at once. stop: a nonzero result ends the match
  // early.
  void (*progress)(void* context, int64_t deals_done);
  int (*stop)(void* context);
  void* context;
} dc_match_options;

// Sets the defaults: 1000 deals, seed 0, duplicate, one thread, no functions.
DC_API dc_status dc_match_options_init(dc_match_options* options);
// agents: [count = players], opened for this game. options: NULL for the defaults. json: the output of `dealer match
// --json` (docs/cli.md). An agent that fails forfeits the hand, which the result counts; if none of its decisions could
// be played, the match ends with DC_FAILURE.
DC_API dc_status dc_play_match(const dc_game* game, const dc_agents* const* agents, size_t count,
                               const dc_match_options* options, char** json);

// ---- Hands of cards

typedef struct dc_evaluator dc_evaluator;

DC_API dc_status dc_deck_names(char*** names, size_t* count);
DC_API dc_status dc_ranking_names(char*** names, size_t* count);
// Deck and ranking by name or path, with options: "standard_52[jokers=1]", "high". ranking: NULL for the deck's own.
// DC_USAGE on unknown names, DC_CONFIG on bad files and on a ranking that does not fit the deck.
DC_API dc_status dc_evaluator_open(const char* deck, const char* ranking, dc_evaluator** evaluator);
DC_API void dc_evaluator_free(dc_evaluator* evaluator);
DC_API dc_status dc_evaluator_num_cards(const dc_evaluator* evaluator, int32_t* cards);
DC_API dc_status dc_evaluator_card_text(const dc_evaluator* evaluator, uint8_t card, const char** text);
// Reads cards in the order given, "As Kd" or "AsKd". cards: [capacity]. DC_PARSE on a text that is not a card of the
// deck and on a card given twice; DC_USAGE when there are more cards than the capacity.
DC_API dc_status dc_evaluator_parse_cards(const dc_evaluator* evaluator, const char* text, uint8_t* cards,
                                          size_t capacity, size_t* count);

typedef struct dc_hand {
  const char* code;      // of the category: "P1"
  const char* category;  // its name: "one pair"
  int32_t index;         // its place in the order, from 0, weak to strong
  int32_t qualifies;     // 0: such hands do not qualify (the low half of high-low split)
  uint32_t value;        // higher is stronger, equal ties
} dc_hand;

// Value of 1 to 7 different cards; of six and seven the best five. Values of hands of the same size compare; five, six
// and seven cards count as the same size.
DC_API dc_status dc_evaluate(const dc_evaluator* evaluator, const uint8_t* cards, size_t count, dc_hand* hand);
// Name of the hand: "two pair, kings and eights".
DC_API dc_status dc_evaluator_hand_name(const dc_evaluator* evaluator, const uint8_t* cards, size_t count, char** name);
// Values many hands at once: cards [num_hands * hand_size], hand after hand, hand_size 5 or 7; values [num_hands].
DC_API dc_status dc_evaluate_many(const dc_evaluator* evaluator, int32_t hand_size, const uint8_t* cards,
                                  size_t num_hands, uint32_t* values);
// Category of a value of a hand of hand_size (1 to 7) cards. DC_USAGE on a value that no such hand has.
DC_API dc_status dc_evaluator_describe(const dc_evaluator* evaluator, uint32_t value, int32_t hand_size, dc_hand* hand);

// ---- Fantasyland (docs/rules/ofc.md)

typedef struct dc_setting {
  uint8_t front[3], middle[5], back[5], discards[4];  // cards of the game, high to low
  int32_t num_discards;
  int32_t royalties;
  int32_t stays;  // 1: in Fantasyland for another hand
  double value;   // royalties, plus stay_value if it stays
} dc_setting;

// The best setting of 13 to 17 different cards by the rules of a game of Open-Face Chinese. stay_value: value of
// staying, in points; finite. DC_USAGE on another game or number of cards.
DC_API dc_status dc_fantasyland(const dc_game* game, const uint8_t* cards, size_t count, double stay_value,
                                dc_setting* setting);
// The same with cards as text; the setting as printed by `dealer ofc fantasyland`: {front, middle, back, discard,
// royalties, stays, value}.
DC_API dc_status dc_fantasyland_json(const dc_game* game, const char* cards, double stay_value, char** json);

#ifdef __cplusplus
}
#endif

#endif  // DEALERS_CHOICE_H
