#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/core/decision.h"

namespace dealer {

class Game;
class JsonWriter;

// The viewer of events: a seat, or one of these.
using Viewer = int;
inline constexpr Viewer kSpectator = -1;   // sees what is public
inline constexpr Viewer kOmniscient = -2;  // sees every card

// One bit a seat, one for the spectator.
using ViewerSet = std::uint16_t;
inline constexpr ViewerSet kEverybody = 0xffff;
constexpr ViewerSet viewer_bit(Viewer viewer) {
  return static_cast<ViewerSet>(1U << (viewer == kSpectator ? 15 : viewer));
}

// An event at a table. Plain data; each kind uses the fields listed with it, the others keep the defaults below. Seats
// are absolute. docs/events.md describes the kinds and their JSON.
struct Event {
  enum class Kind : std::uint8_t {
    kHandBegun,   // hand, seat (the dealer, or -1), values (chips or points of each seat; 0: out), seats (those
                  // with a privilege of the game in this hand), cards (taken out of the deck for this match)
    kPosted,      // seat, what (ante, small_blind, big_blind, bring_in), amount, all_in
    kDealt,       // seat (-1: the board), cards, count, what (down, up, board)
    kActed,       // seat, what (fold, check, call, bet, raise, complete), amount, total, all_in
    kDiscarded,   // seat, cards, count
    kDrew,        // seat, cards, count
    kPlaced,      // seat, cards with places, count
    kOwn,         // specific to this game: seat, what (its name), cards and count, or slot
    kReturned,    // seat, amount: unmatched chips are returned
    kShown,       // seat, cards (with places, of a board), count, what (the hand's name), slot
    kMucked,      // seat, count
    kWon,         // seat, amount, pot, half (high, low or nothing), what (the hand's name; nothing without a showdown);
                  // or a slot
    kHandEnded,   // hand, values (chips or points won or lost, by seat), amount (odd chips off the table)
    kMatchEnded,  // values (chips or points won or lost in the whole episode), seats (with the most); not for single
                  // hands
  };

  Kind kind = Kind::kHandBegun;
  Seat seat = -1;
  int street = 0;
  int hand = 0;                          // of the episode, from 0
  std::vector<CardId> cards;             // those visible to the viewer
  std::vector<std::string_view> places;  // of each card, as words of the game
  int count = 0;                         // of the cards, seen or not
  Amount amount = 0;                     // paid, returned or won
  Amount total = 0;                      // bet by the seat in this round so far
  int pot = 0;                           // 0: the original pot, then the side pots
  int slot = 0;                          // of the lines played for separately, from 1; 0: none
  bool all_in = false;
  std::string what;
  std::string_view half;
  std::vector<std::int64_t> values;
  std::uint16_t seats = 0;  // a bit a seat

  // Seats that see the event at all, that see all its cards, and that see the face-up ones (bit i: cards[i]).
  ViewerSet audience = kEverybody;
  ViewerSet faces = kEverybody;
  ViewerSet open_to = kEverybody;
  std::uint32_t open = 0;

  friend bool operator==(const Event&, const Event&) = default;
};

// The event as seen by the viewer (with audience and faces set to all), or nothing if the viewer cannot see it.
std::optional<Event> seen_by(const Event& event, Viewer viewer);
std::vector<Event> seen_by(std::span<const Event> events, Viewer viewer);

// Names of a game's own fields in the JSON of events. A word has one meaning in all games.
struct EventWords {
  struct Own {
    std::string_view name;  // of the event: "peeked"
    std::string_view verb;  // for people: "peek"
  };
  std::string_view seats;  // field of kHandBegun; in the JSON of all games
  std::string_view slot;   // field
  std::vector<Own> own;    // kOwn
  std::vector<std::string_view> places;
};
// The event words of all registered games (env/core/registry.h).
const EventWords& event_words();

Event& add_event(std::vector<Event>& out, Event::Kind kind, Seat seat, int street, int hand = 0);
// "hand_begun", "posted", ...: the kind's name in JSON.
std::string_view name_of(const Event& event);
// An object with "event" and the fields of the kind: docs/events.md.
nlohmann::json to_json(const Event& event, const Game& game);
// The same as text.
void write_json(const Event& event, const Game& game, JsonWriter& json);
// Inverse of to_json(), with the viewer's view. Throws ParseError on anything else.
Event event_from_json(const nlohmann::json& json, const Game& game);

// A place in the events of an episode. Made by Env::cursor(); the default is the beginning of the episode.
struct EventCursor {
  std::uint32_t episode = 0;  // 0: any episode
  std::int32_t hand = 0;
  std::int32_t next = 0;  // index of the next event of the hand
  friend bool operator==(const EventCursor&, const EventCursor&) = default;
};

}  // namespace dealer
