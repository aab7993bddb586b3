#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/core/game.h"

// The bot protocol: JSON lines between a host, who runs a game, and a bot, who decides. docs/bot-protocol.md is the
// description; here is what the host writes and reads.
namespace dealer::remote {

inline constexpr int kProtocol = 1;
// Longest line that a host takes from a bot, and that a bot takes from a host.
inline constexpr std::size_t kMaxBotLine = std::size_t{64} << 10;
inline constexpr std::size_t kMaxHostLine = std::size_t{1} << 20;
// Tables that one connection can have.
inline constexpr int kMaxTables = 256;

// What a bot's hello says of it.
struct BotHello {
  std::string name;
  int tables = 1;        // that it can play at once
  bool events = true;    // whether it is told events
  bool numbers = false;  // whether requests have the observation as numbers
};

// Lines, each with its line break, appended to `out`.
void write_hello(const Game& game, std::string& out);
void write_begin(int table, Seat seat, std::uint64_t seed, std::string& out);
void write_events(int table, std::span<const Event> events, const Game& game, std::string& out);
void write_bye(std::string_view reason, std::string& out);
// What the bot did wrong, for its author. id 0: no request.
void write_error(std::string_view kind, std::string_view message, std::uint64_t id, std::string& out);

struct Request {
  std::uint64_t id = 0;
  int table = 0;
  double deadline = 0;  // seconds; 0: none
  bool numbers = false;
};
// `env`: a position that the observer cannot tell from the real one, the observer to act.
void write_request(const Request& request, const Observation& observation, const Env& env, std::string& out);

// The `type` of a message; empty where the line is none.
std::string type_of(std::string_view line);
// The bot's hello: precondition: the line is of that type. Throws AgentError (kMalformed) saying what is wrong with it.
BotHello read_hello(std::string_view line);

// Why the other side says goodbye, and what it calls an error, quoted.
std::string read_bye(std::string_view line);
std::string read_error(std::string_view line);

// A message of a bot during a match.
struct Answer {
  bool is_answer = false;  // else a line that is no answer: `problem` says why
  bool attempted = false;  // no answer, but meant to be one: it lacks the id of its request, or says not that it is one
  std::uint64_t id = 0;
  bool decided = false;  // else `problem` says what is wrong with the answer to this id
  bool by_text = false;
  std::string text;   // to be looked up among the legal choices
  Decision decision;  // unless by_text
  std::string problem;
};
Answer read_answer(std::string_view line);

// The choice with that text, an amount of the range included: "raise to 250". False: there is none.
bool find_decision(std::span<const Choice> choices, std::string_view text, Decision& decision);

// A line as it may be shown to people: shortened, control characters replaced.
std::string quote_line(std::string_view line, std::size_t longest = 80);

}  // namespace dealer::remote
