#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "env/core/game.h"

// The bot protocol: JSON lines between a host, which runs a game, and a bot, which decides. Specified in
// docs/bot-protocol.md; this is the host's side.
namespace dealer::remote {

inline constexpr int kProtocol = 1;
// The maximum length of a line from a bot, and of a line from a host.
inline constexpr std::size_t kMaxBotLine = std::size_t{64} << 10;
inline constexpr std::size_t kMaxHostLine = std::size_t{1} << 20;
// The maximum number of tables per connection.
inline constexpr int kMaxTables = 256;

// The contents of a bot's hello.
struct BotHello {
  std::string name;
  int tables = 1;        // number of tables that it can play at once
  bool events = true;    // true if it observes events
  bool numbers = false;  // true if requests include the observation as numbers
};

// Appends lines, each with its line break, to `out`.
void write_hello(const Game& game, std::string& out);
void write_begin(int table, Seat seat, std::uint64_t seed, std::string& out);
void write_events(int table, std::span<const Event> events, const Game& game, std::string& out);
void write_bye(std::string_view reason, std::string& out);
// Reports the bot's mistake to its author. id 0: no request.
void write_error(std::string_view kind, std::string_view message, std::uint64_t id, std::string& out);

struct Request {
  std::uint64_t id = 0;
  int table = 0;
  double deadline = 0;  // seconds; 0: none
  bool numbers = false;
};
// `env`: a position that the observer cannot distinguish from the real one, with the observer to act.
void write_request(const Request& request, const Observation& observation, const Env& env, std::string& out);

// The `type` of a message; empty if the line is not a message.
std::string type_of(std::string_view line);
// The bot's hello. Precondition: the line has that type. Throws AgentError (kMalformed) with the reason.
BotHello read_hello(std::string_view line);

// The other side's reason for its goodbye, and its error message, both quoted.
std::string read_bye(std::string_view line);
std::string read_error(std::string_view line);

// A message from a bot during a match.
struct Answer {
  bool is_answer = false;  // otherwise not a valid answer: `problem` says why
  bool attempted = false;  // not an answer, but meant to be one: no request id, or not marked as an answer
  std::uint64_t id = 0;
  bool decided = false;  // otherwise `problem` says what is wrong with the answer to this id
  bool by_text = false;
  std::string text;   // to be looked up among the legal choices
  Decision decision;  // unless by_text
  std::string problem;
};
Answer read_answer(std::string_view line);

// Finds the choice with that text, or an amount of the range: "raise to 250". Returns false if there is none.
bool find_decision(std::span<const Choice> choices, std::string_view text, Decision& decision);

}  // namespace dealer::remote
