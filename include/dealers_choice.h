// The C interface of Dealer's Choice: games, environments, agents, matches and evaluators. C99 and C++.
// docs/c-interface.md has a complete program.
//
// Results. Functions return a status; DC_OK is 0. Of any other nothing has changed, neither what a handle stands for
// nor what the caller's pointers point at, and dc_last_error() says in one line what was wrong and what is allowed.
// Exceptions to this are told where they occur. No C++ exception leaves a function.
//
// Pointers. None may be NULL unless its comment says so: DC_USAGE. Texts are UTF-8 that ends with a 0.
//
// Ownership. Handles are released with their dc_..._free(), which take NULL, too, and do nothing then. Handles made
// from another one keep what they need of it: they may be released in any order. `const char*` that a structure or a
// function hands out belongs to the handle it came from and lives as long. `char**` and `void**` results belong to the
// caller, who releases them with dc_free().
//
// Threads. Handles const in a signature (games, kinds of agents, evaluators) may be used by many threads at once, all
// others by one at a time. dc_last_error() is a thread's own.
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
// Changes when a program has to be compiled anew; part of the library's SONAME.
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
  DC_PARSE = 5,           // text or bytes that are no card, spec or saved position
  DC_FILE = 6,            // a file that cannot be read
  DC_CHECKPOINT = 7,      // a file of weights, or saved tables, that are malformed or of another game
  DC_MEMORY = 8           // none left
};

// "usage"; "unknown" for a number that is no status. Never NULL.
DC_API const char* dc_status_name(dc_status status);
// Of the last call in this thread that failed; "" when none has. Valid until the next one fails.
DC_API const char* dc_last_error(void);
// For texts, lists and bytes that the functions below hand to the caller. NULL does nothing.
DC_API void dc_free(void* memory);
// Of the library at run time: "0.2.0 (1949a82)", and DC_ABI_VERSION.
DC_API const char* dc_version(void);
DC_API int32_t dc_abi_version(void);

// ---- Games

#define DC_MAX_PLAYERS 10
#define DC_NO_ACTION (-1)  // an amount is meant
#define DC_NOBODY (-1)     // nobody is to act

typedef struct dc_game dc_game;

// Names of the games there are, sorted. One call of dc_free(*names) releases them all.
DC_API dc_status dc_game_names(char*** names, size_t* count);

// By name or by path of a YAML file, with options: "holdem[limit=no_limit,players=6]".
// DC_USAGE on an unknown name (the message suggests the nearest), DC_CONFIG on bad rules.
DC_API dc_status dc_game_open(const char* spec, dc_game** game);
DC_API void dc_game_free(dc_game* game);

typedef struct dc_game_info {
  const char* name;    // "holdem"
  const char* spec;    // with its options: opens the game again
  const char* family;  // of rules: "poker"
  const char* rules;   // every key with its value, YAML; equal for equal rules
  const char* unit;    // of rewards: "chips", "points"
  double big_blind;    // in that unit; 0: the game has none
  int32_t players;
  int32_t min_players, max_players;  // that the option `players` may be
  int32_t num_actions;               // at most 64
  int32_t num_cards;                 // of the deck
  int32_t observation_size;          // floats
  int32_t num_observation_parts;
  int32_t num_statistics;
  int32_t zero_sum;  // 1: rewards add up to 0
} dc_game_info;

DC_API dc_status dc_game_get_info(const dc_game* game, dc_game_info* info);

// What the floats data[offset .. offset + size - 1] of an observation mean.
typedef struct dc_observation_part {
  const char* name;
  const char* meaning;
  const int32_t* shape;  // [rank], row-major
  int32_t rank;
  int32_t offset, size;
  float low, high;  // of every number
} dc_observation_part;

// index: 0 .. num_observation_parts - 1; they lie one behind the other.
DC_API dc_status dc_game_get_observation_part(const dc_game* game, int32_t index, dc_observation_part* part);
// index: 0 .. num_statistics - 1. "foul_rate"
DC_API dc_status dc_game_get_statistic_name(const dc_game* game, int32_t index, const char** name);
// card: 0 .. num_cards - 1. "As"
DC_API dc_status dc_game_card_text(const dc_game* game, uint8_t card, char** text);

// ---- One table

typedef struct dc_env dc_env;

// What a player decides: an action or, with DC_NO_ACTION, an amount: the total bet in this round then. With an action
// the amount means nothing.
typedef struct dc_decision {
  int32_t action;
  int32_t amount;
} dc_decision;

// low, low + step, ... high; high is 0 where no amount may be named.
typedef struct dc_amounts {
  int32_t low, high, step;
} dc_amounts;

// What an agent gets to see.
typedef struct dc_observation {
  const float* data;
  size_t size;          // observation_size
  uint64_t legal_mask;  // 0 unless the observer is to act
  dc_amounts amounts;   // that may be bet to beside the actions
  int32_t player;       // the observer's seat
} dc_observation;

// What a step has brought.
typedef struct dc_step {
  double rewards[DC_MAX_PLAYERS];  // by seat, in the game's unit; 0 beyond the players
  int32_t hands_finished;
  int32_t terminated;  // 1: the episode is over
  int32_t truncated;   // 1: it was cut off by max_steps
} dc_step;

// How a table stands.
typedef struct dc_position {
  uint64_t legal_mask;     // of the player to act; 0: nobody is
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

// flags: the above, added up, or 0. max_steps: an episode is cut off after so many; 0: never. Dealt with seed 0.
DC_API dc_status dc_env_open(const dc_game* game, uint32_t flags, int64_t max_steps, dc_env** env);
DC_API dc_status dc_env_clone(const dc_env* env, dc_env** clone);
DC_API void dc_env_free(dc_env* env);

// Deals a new episode: the same seed gives the same cards on every machine.
DC_API dc_status dc_env_reset(dc_env* env, uint64_t seed);
// DC_ILLEGAL_ACTION when the decision is not legal now or nobody is to act. step may be NULL.
DC_API dc_status dc_env_step(dc_env* env, dc_decision decision, dc_step* step);
// With DC_HOLD_HANDS: deals the next hand. DC_USAGE unless a hand is over and the episode is not. step may be NULL.
DC_API dc_status dc_env_next_hand(dc_env* env, dc_step* step);
DC_API dc_status dc_env_get_position(const dc_env* env, dc_position* position);

// Writes what the seat may know into data [size = observation_size]. observation may be NULL; else its data is the
// caller's buffer.
DC_API dc_status dc_env_observe(const dc_env* env, int32_t seat, float* data, size_t size, dc_observation* observation);
// returns: [count = players] of the episode so far, in the game's unit.
DC_API dc_status dc_env_get_returns(const dc_env* env, double* returns, size_t count);
// figures: [count = num_statistics * 2] of the last finished hand of that seat, numerator and denominator of each.
DC_API dc_status dc_env_get_statistics(const dc_env* env, int32_t seat, double* figures, size_t count);

// The legal choices as a JSON list; [] when nobody is to act. docs/environment.md tells the fields.
DC_API dc_status dc_env_choices(const dc_env* env, char** json);
// What that seat may see: for people, and as JSON (docs/environment.md).
DC_API dc_status dc_env_to_text(const dc_env* env, int32_t seat, char** text);
DC_API dc_status dc_env_to_json(const dc_env* env, int32_t seat, char** json);
// Everything the seat has seen in this episode, as a key: equal exactly when that is equal. text, hash: one of them may
// be NULL.
DC_API dc_status dc_env_information_state(const dc_env* env, int32_t seat, char** text, uint64_t* hash);
// Words of a legal decision, "raise to 250", and back. DC_ILLEGAL_ACTION, naming the legal ones, on any other.
DC_API dc_status dc_env_decision_text(const dc_env* env, dc_decision decision, char** text);
DC_API dc_status dc_env_parse_decision(const dc_env* env, const char* text, dc_decision* decision);

// Bytes that dc_env_deserialize() of a table of the same game turns back into the position. DC_PARSE on anything else.
DC_API dc_status dc_env_serialize(const dc_env* env, void** bytes, size_t* size);
DC_API dc_status dc_env_deserialize(dc_env* env, const void* bytes, size_t size);
// Replaces what the observer cannot know by a random draw that agrees with the observation (its data; masks and amounts
// are not looked at). DC_USAGE when it is none of this game.
DC_API dc_status dc_env_sample(dc_env* env, const dc_observation* observation, uint64_t seed);

// A place in the events of an episode; all 0: the beginning of whichever episode it is.
typedef struct dc_cursor {
  uint32_t episode;
  int32_t hand;
  int32_t next;
} dc_cursor;

enum {
  DC_SPECTATOR = -1,  // sees what is public
  DC_OMNISCIENT = -2  // sees every card
};

// What has happened since a cursor, as a seat or one of the above saw it: a JSON list (docs/events.md). since: NULL is
// the beginning. now: becomes the present; may be NULL and may be `since`. DC_USAGE on a cursor of another episode or
// of a hand whose events were not kept.
DC_API dc_status dc_env_events(const dc_env* env, int32_t viewer, const dc_cursor* since, char** json, dc_cursor* now);

// ---- Many tables

typedef struct dc_vector_env dc_vector_env;

// Buffers of the caller, which the library writes and never copies. counts: elements. For N tables of a game with P
// players, S floats an observation and F statistics, row e being table e's:
typedef struct dc_batch {
  float* observations;  // [N * S] of the player to act
  size_t observations_count;
  uint64_t* legal;  // [N] masks of the player to act
  size_t legal_count;
  float* rewards;  // [N * P] of the last step
  size_t rewards_count;
  int8_t* current_players;  // [N] who is to act
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

// num_envs: 1 or more; threads: 1 to 1024, which change no result; max_steps as of dc_env_open().
DC_API dc_status dc_vector_env_open(const dc_game* game, int32_t num_envs, int32_t threads, int64_t max_steps,
                                    dc_vector_env** envs);
DC_API void dc_vector_env_free(dc_vector_env* envs);
// Deals every table anew and fills the buffers. DC_USAGE when one has another size.
DC_API dc_status dc_vector_env_reset(dc_vector_env* envs, uint64_t seed, const dc_batch* batch);
// actions: [count = N]. DC_ILLEGAL_ACTION, before any table moves, when one is not legal.
DC_API dc_status dc_vector_env_step(dc_vector_env* envs, const int32_t* actions, size_t count, const dc_batch* batch);
// At all tables since the reset.
DC_API dc_status dc_vector_env_hands_finished(const dc_vector_env* envs, int64_t* hands);
// Everything that decides the future. Loading it into tables of the same game, number and max_steps fills the buffers
// as a reset does. DC_CHECKPOINT on anything else.
DC_API dc_status dc_vector_env_save(const dc_vector_env* envs, void** bytes, size_t* size);
DC_API dc_status dc_vector_env_load(dc_vector_env* envs, const void* bytes, size_t size, const dc_batch* batch);

// ---- Agents

typedef struct dc_agents dc_agents;  // a kind of agents, loaded once
typedef struct dc_agent dc_agent;    // one of them, at one seat of one table at a time

// By spec: "random", "rule", "default", "search[simulations=1000]", a path of a run folder, file of weights or mixture.
// DC_USAGE naming what exists, DC_CHECKPOINT, DC_FILE.
DC_API dc_status dc_agents_open(const dc_game* game, const char* spec, dc_agents** agents);
DC_API void dc_agents_free(dc_agents* agents);

// An agent of the caller's own. Functions that return int: 0 is success; anything else is a failure of the agent, as is
// a decision that is not legal. They must not throw. A match calls those of different agents in several threads at
// once.
typedef struct dc_agent_functions {
  void* (*open)(
      void* context);          // a fresh agent; NULL is a failure. Without this function agents are the context itself
  void (*close)(void* agent);  // may be missing
  int (*reset)(void* agent, int32_t seat, uint64_t seed);  // before an episode; may be missing
  int (*act)(void* agent, const dc_observation* observation, dc_decision* decision);
  // A JSON list of events (docs/events.md) as the seat saw them: before every decision and at the end of every hand
  // those since the last call. May be missing: then it hears nothing.
  int (*hear)(void* agent, const char* events);
  void* context;  // may be NULL
} dc_agent_functions;

// name: what results call it. The functions are copied; what they use must live until all handles made of `agents` are
// released.
DC_API dc_status dc_agents_from_functions(const dc_game* game, const char* name, const dc_agent_functions* functions,
                                          dc_agents** agents);

DC_API dc_status dc_agent_open(const dc_agents* agents, dc_agent** agent);
DC_API void dc_agent_free(dc_agent* agent);
// Before the first decision of an episode. The same seed and observations give the same decisions.
DC_API dc_status dc_agent_reset(dc_agent* agent, int32_t seat, uint64_t seed);
// The observation is one that dc_env_observe() or a vector environment of the same game made for the agent's seat,
// which is to act. DC_USAGE before dc_agent_reset(). decision: a legal one.
DC_API dc_status dc_agent_act(dc_agent* agent, const dc_observation* observation, dc_decision* decision);
// The probability of every action: [count = num_actions], 0 for those not legal. known: 0 when the agent has no such
// thing; probabilities are then left alone.
DC_API dc_status dc_agent_policy(dc_agent* agent, const dc_observation* observation, double* probabilities,
                                 size_t count, int32_t* known);
// The expected return from here for the seat, in the game's unit. known: as above.
DC_API dc_status dc_agent_value(dc_agent* agent, const dc_observation* observation, double* value, int32_t* known);
// hears: 1 when dc_agent_hear() must be called before every decision and at the end of every hand.
DC_API dc_status dc_agent_hears(dc_agent* agent, int32_t* hears);
// Tells the agent what its seat has seen at the table since the cursor, and moves the cursor on. What a failing agent
// has heard it has heard.
DC_API dc_status dc_agent_hear(dc_agent* agent, const dc_env* env, dc_cursor* cursor);

// ---- Inputs of networks
// For programs with networks of their own: docs/weights.md says how the shipped networks take them.

// Names of the input features, the facts that networks are told beside the observation; count is 0 in games that have
// none. names: one block for dc_free().
DC_API dc_status dc_game_feature_names(const dc_game* game, char*** names, size_t* count);
// observations: [num_observations, observation_size], of seats to act. features: [num_observations, names]; count: its
// numbers. DC_USAGE when one is no observation of the game.
DC_API dc_status dc_features(const dc_game* game, const float* observations, size_t num_observations, float* features,
                             size_t count);
// OFC and 7-Hand Poker: every choice of the turn of the seat to act, for networks that value the positions after them.
// {"size": features there are, "choices": [{"actions": [...], "text": "...", "rows": [[active features]...]}...]} with
// a row for each opponent in the game (OFC) or a single one; no choices in Fantasyland. DC_USAGE in other games.
DC_API dc_status dc_afterstates(const dc_game* game, const dc_observation* observation, char** json);

// ---- Matches

typedef struct dc_match_options {
  int64_t deals;       // 1 or more
  int64_t first_deal;  // deal d is dealt from seed and d; 0 or more
  uint64_t seed;
  double move_time;   // seconds a decision may take; 0: as many as it likes
  int32_t duplicate;  // 1: every deal once in every seating
  int32_t threads;    // 0: one a processor; changes no result
  int32_t num_envs;   // tables side by side in a thread; 0: as many as the agents like; changes no result
  int32_t strict;     // 1: ends with DC_FAILURE at the first failure of an agent
  // Both may be missing; called in any thread, progress never in two at once. stop: anything but 0 ends the match
  // early.
  void (*progress)(void* context, int64_t deals_done);
  int (*stop)(void* context);
  void* context;
} dc_match_options;

// 1000 deals, seed 0, duplicate, one thread, no functions.
DC_API dc_status dc_match_options_init(dc_match_options* options);
// agents: [count = players], opened for this game. options: NULL for those above. json: what `dealer match --json`
// prints (docs/cli.md). Agents that fail lose the hand, which the result counts; one of which no decision could be
// played ends the match with DC_FAILURE.
DC_API dc_status dc_play_match(const dc_game* game, const dc_agents* const* agents, size_t count,
                               const dc_match_options* options, char** json);

// ---- Hands of cards

typedef struct dc_evaluator dc_evaluator;

DC_API dc_status dc_deck_names(char*** names, size_t* count);
DC_API dc_status dc_ranking_names(char*** names, size_t* count);
// By name or path, with options: "standard_52[jokers=1]", "high". ranking: NULL for the one played with this deck.
// DC_USAGE on unknown names, DC_CONFIG on bad files and where the two do not fit.
DC_API dc_status dc_evaluator_open(const char* deck, const char* ranking, dc_evaluator** evaluator);
DC_API void dc_evaluator_free(dc_evaluator* evaluator);
DC_API dc_status dc_evaluator_num_cards(const dc_evaluator* evaluator, int32_t* cards);
DC_API dc_status dc_evaluator_card_text(const dc_evaluator* evaluator, uint8_t card, const char** text);
// "As Kd" or "AsKd": cards in the order given. cards: [capacity]. DC_PARSE on no card of the deck and on one given
// twice; DC_USAGE when they are more than the capacity.
DC_API dc_status dc_evaluator_parse_cards(const dc_evaluator* evaluator, const char* text, uint8_t* cards,
                                          size_t capacity, size_t* count);

typedef struct dc_hand {
  const char* code;      // of the category: "P1"
  const char* category;  // its name: "one pair"
  int32_t index;         // its place in the order, from 0, weak to strong
  int32_t qualifies;     // 0: such hands win nothing (the low half of high-low split)
  uint32_t value;        // higher is stronger, equal ties
} dc_hand;

// 1 to 7 different cards; of six and seven the best five. Values of hands of the same number of cards compare; five,
// six and seven count as the same.
DC_API dc_status dc_evaluate(const dc_evaluator* evaluator, const uint8_t* cards, size_t count, dc_hand* hand);
// In words: "two pair, kings and eights".
DC_API dc_status dc_evaluator_hand_name(const dc_evaluator* evaluator, const uint8_t* cards, size_t count, char** name);
// Many hands at once: cards [num_hands * hand_size], hand after hand, hand_size 5 or 7; values [num_hands].
DC_API dc_status dc_evaluate_many(const dc_evaluator* evaluator, int32_t hand_size, const uint8_t* cards,
                                  size_t num_hands, uint32_t* values);
// What a value of a hand of hand_size (1 to 7) cards stands for. DC_USAGE on one that no such hand has.
DC_API dc_status dc_evaluator_describe(const dc_evaluator* evaluator, uint32_t value, int32_t hand_size, dc_hand* hand);

// ---- Fantasyland (docs/rules/ofc.md)

typedef struct dc_setting {
  uint8_t front[3], middle[5], back[5], discards[4];  // cards of the game, high to low
  int32_t num_discards;
  int32_t royalties;
  int32_t stays;  // 1: in Fantasyland for another hand
  double value;   // royalties, and stay_value if it stays
} dc_setting;

// The best setting of 13 to 17 different cards by the rules of a game of Open-Face Chinese. stay_value: points that
// staying is worth; finite. DC_USAGE on another game or number of cards.
DC_API dc_status dc_fantasyland(const dc_game* game, const uint8_t* cards, size_t count, double stay_value,
                                dc_setting* setting);
// Cards as text; the setting as `dealer ofc fantasyland` prints it: {front, middle, back, discard, royalties, stays,
// value}.
DC_API dc_status dc_fantasyland_json(const dc_game* game, const char* cards, double stay_value, char** json);

#ifdef __cplusplus
}
#endif

#endif  // DEALERS_CHOICE_H
