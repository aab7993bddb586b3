#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "env/core/error.h"
#include "env/core/event.h"
#include "env/core/game.h"

namespace dealer {
namespace {

using Kind = Event::Kind;
using Json = nlohmann::json;

constexpr std::size_t kShown = 40;  // of a wrong text in a message

CardId card_of(const std::string& text, const Game& game) {
  for (int card = 0; card < game.num_cards(); ++card)
    if (game.card_to_string(static_cast<CardId>(card)) == text) return static_cast<CardId>(card);
  throw ParseError(fmt::format("there is no card '{}' in '{}'", text.substr(0, kShown), game.spec()));
}

// One of a few words that live as long as the program.
std::string_view word_of(const std::string& text, std::span<const std::string_view> words) {
  for (const std::string_view word : words)
    if (word == text) return word;
  throw ParseError(fmt::format("event: '{}' is not expected here", text.substr(0, kShown)));
}

std::uint16_t seats_of(const Json& list) {
  unsigned seats = 0;
  for (const Json& seat : list) seats |= 1U << (seat.get<unsigned>() % 16);
  return static_cast<std::uint16_t>(seats);
}

Seat seat_of(const Json& seat) { return seat.is_null() ? -1 : seat.get<Seat>(); }

void read_cards(const Json& json, const char* key, const Game& game, Event& event) {
  for (const Json& card : json.at(key)) event.cards.push_back(card_of(card.get<std::string>(), game));
}

void read_kind(const std::string& name, Event& event) {
  const auto& own = event_words().own;
  if (std::any_of(own.begin(), own.end(), [&](const EventWords::Own& known) { return known.name == name; })) {
    event.kind = Kind::kOwn;
    event.what = name;
    return;
  }
  for (int kind = 0; kind <= static_cast<int>(Kind::kMatchEnded); ++kind) {
    event.kind = static_cast<Kind>(kind);
    if (event.kind != Kind::kOwn && name_of(event) == name) return;
  }
  throw ParseError(fmt::format("there is no event '{}'", name.substr(0, kShown)));
}

void read_table_event(const Json& json, const Game& game, Event& event) {
  if (event.kind != Kind::kMatchEnded) event.hand = json.at("hand").get<int>();
  event.values = json.at(event.kind == Kind::kHandBegun ? "stacks" : "net").get<std::vector<std::int64_t>>();
  if (event.kind == Kind::kHandBegun) {
    event.seat = seat_of(json.at("dealer"));
    event.seats = seats_of(json.at(event_words().seats));
    read_cards(json, "taken_out", game, event);
  } else if (event.kind == Kind::kHandEnded) {
    event.amount = json.at("odd_chips").get<Amount>();
  } else {
    event.seats = seats_of(json.at("winners"));
  }
}

void read_seat_event(const Json& json, const Game& game, Event& event) {
  constexpr std::array<std::string_view, 2> kHalves = {"high", "low"};
  event.seat = seat_of(json.at("seat"));
  event.street = json.at("street").get<int>();
  if (json.contains("cards")) read_cards(json, "cards", game, event);
  if (json.contains("places"))
    for (const Json& place : json.at("places"))
      event.places.push_back(word_of(place.get<std::string>(), event_words().places));
  event.count = json.value("count", 0);
  event.amount = json.value("amount", 0);
  event.total = json.value("total", 0);
  event.all_in = json.value("all_in", false);
  event.slot = json.value(event_words().slot, 0);
  event.pot = json.value("pot", 0);
  for (const char* key : {"what", "action", "hand"})
    if (json.contains(key)) event.what = json.at(key).get<std::string>();
  if (json.contains("half") && !json.at("half").is_null())
    event.half = word_of(json.at("half").get<std::string>(), kHalves);
}

}  // namespace

Event event_from_json(const Json& json, const Game& game) {
  try {
    Event event;
    read_kind(json.at("event").get<std::string>(), event);
    if (event.kind == Kind::kHandBegun || event.kind == Kind::kHandEnded || event.kind == Kind::kMatchEnded)
      read_table_event(json, game, event);
    else
      read_seat_event(json, game, event);
    return event;
  } catch (const nlohmann::json::exception& error) {
    throw ParseError(fmt::format("malformed event: {}", error.what()));
  }
}

}  // namespace dealer
