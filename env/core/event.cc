#include "env/core/event.h"

#include <bit>
#include <nlohmann/json.hpp>

#include "env/core/game.h"
#include "env/core/json_writer.h"

namespace dealer {
namespace {

void write_seats(JsonWriter& json, std::string_view name, std::uint16_t seats) {
  json.begin_array(name);
  for (unsigned rest = seats; rest != 0; rest &= rest - 1) json.value(std::countr_zero(rest));
  json.end_array();
}

void write_cards(JsonWriter& json, std::string_view name, const Event& event, const Game& game) {
  json.begin_array(name);
  for (const CardId card : event.cards) json.value(game.card_to_string(card));
  json.end_array();
}

void write_values(JsonWriter& json, std::string_view name, const std::vector<std::int64_t>& values) {
  json.begin_array(name);
  for (const std::int64_t value : values) json.value(value);
  json.end_array();
}

void write_seat(JsonWriter& json, std::string_view name, Seat seat) {
  json.key(name);
  if (seat < 0)
    json.value(nullptr);
  else
    json.value(seat);
}

}  // namespace

std::optional<Event> seen_by(const Event& event, Viewer viewer) {
  const bool learns = viewer == kOmniscient || (event.audience & viewer_bit(viewer)) != 0;
  if (!learns) return std::nullopt;
  Event seen = event;
  seen.audience = seen.faces = seen.open_to = kEverybody;
  seen.open = 0;
  if (viewer == kOmniscient || (event.faces & viewer_bit(viewer)) != 0) return seen;
  seen.cards.clear();
  seen.places.clear();
  if ((event.open_to & viewer_bit(viewer)) == 0) return seen;
  for (std::size_t i = 0; i < event.cards.size(); ++i) {
    if ((event.open >> i & 1) == 0) continue;
    seen.cards.push_back(event.cards[i]);
    if (!event.places.empty()) seen.places.push_back(event.places[i]);
  }
  return seen;
}

std::vector<Event> seen_by(std::span<const Event> events, Viewer viewer) {
  std::vector<Event> seen;
  for (const Event& event : events)
    if (std::optional<Event> one = seen_by(event, viewer)) seen.push_back(*std::move(one));
  return seen;
}

std::string_view name_of(const Event& event) {
  constexpr std::string_view kNames[] = {"hand_begun", "posted", "dealt",      "acted",      "discarded",
                                         "drew",       "placed", "",           "returned",   "shown",
                                         "mucked",     "won",    "hand_ended", "match_ended"};
  return event.kind == Event::Kind::kOwn ? event.what : kNames[static_cast<std::size_t>(event.kind)];
}

void write_json(const Event& event, const Game& game, JsonWriter& json) {
  using Kind = Event::Kind;
  json.begin_object();
  json.member("event", name_of(event));
  const auto cards = [&] {
    write_cards(json, "cards", event, game);
    json.member("count", event.count);
    if (event.places.empty()) return;
    json.begin_array("places");
    for (const std::string_view place : event.places) json.value(place);
    json.end_array();
  };
  const auto slot = [&] {
    if (event.slot != 0) json.member(event_words().slot, event.slot);
  };
  const bool of_table =
      event.kind == Kind::kHandBegun || event.kind == Kind::kHandEnded || event.kind == Kind::kMatchEnded;
  if (!of_table) {
    write_seat(json, "seat", event.seat);
    json.member("street", event.street);
  }
  switch (event.kind) {
    case Kind::kHandBegun:
      json.member("hand", event.hand);
      write_seat(json, "dealer", event.seat);
      write_values(json, "stacks", event.values);
      write_seats(json, event_words().seats, event.seats);
      write_cards(json, "taken_out", event, game);
      break;
    case Kind::kHandEnded:
      json.member("hand", event.hand);
      write_values(json, "net", event.values);
      json.member("odd_chips", event.amount);
      break;
    case Kind::kMatchEnded:
      write_values(json, "net", event.values);
      write_seats(json, "winners", event.seats);
      break;
    case Kind::kPosted:
      json.member("what", event.what);
      json.member("amount", event.amount);
      json.member("all_in", event.all_in);
      break;
    case Kind::kDealt:
      json.member("what", event.what);
      cards();
      break;
    case Kind::kActed:
      json.member("action", event.what);
      json.member("amount", event.amount);
      json.member("total", event.total);
      json.member("all_in", event.all_in);
      break;
    case Kind::kReturned:
      json.member("amount", event.amount);
      break;
    case Kind::kShown:
      cards();
      json.member("hand", event.what);
      slot();
      break;
    case Kind::kOwn:
      if (event.count > 0) cards();
      slot();
      break;
    case Kind::kMucked:
      json.member("count", event.count);
      break;
    case Kind::kWon:
      json.member("amount", event.amount);
      json.member("pot", event.pot);
      json.key("half");
      if (event.half.empty())
        json.value(nullptr);
      else
        json.value(event.half);
      json.member("hand", event.what);
      slot();
      break;
    default:
      cards();
  }
  json.end_object();
}

nlohmann::json to_json(const Event& event, const Game& game) {
  std::string text;
  JsonWriter json(text);
  write_json(event, game, json);
  return nlohmann::json::parse(text);
}

}  // namespace dealer
