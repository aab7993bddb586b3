#include "env/core/event.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <nlohmann/json.hpp>

#include "env/core/error.h"
#include "env/core/game.h"
#include "env/core/json_writer.h"

namespace dealer {
namespace {

using Kind = Event::Kind;
using Json = nlohmann::json;

constexpr std::array<std::string_view, 2> kHalves = {"high", "low"};
constexpr std::size_t kShown = 40;  // of a wrong text in a message

// What an event of each kind has in its JSON, in order, for whoever writes it and whoever reads it.
template <class Io, class E>
void each_field(Io& io, E& event) {
  if (event.kind != Kind::kHandBegun && event.kind != Kind::kHandEnded && event.kind != Kind::kMatchEnded) {
    io.seat("seat", event.seat);
    io.field("street", event.street);
  }
  const auto slot = [&] {
    if (io.has(event_words().slot, event.slot != 0)) io.field(event_words().slot, event.slot);
  };
  switch (event.kind) {
    case Kind::kHandBegun:
      io.field("hand", event.hand);
      io.seat("dealer", event.seat);
      io.field("stacks", event.values);
      io.seats(event_words().seats, event.seats);
      io.cards("taken_out", event.cards);
      break;
    case Kind::kHandEnded:
      io.field("hand", event.hand);
      io.field("net", event.values);
      io.field("odd_chips", event.amount);
      break;
    case Kind::kMatchEnded:
      io.field("net", event.values);
      io.seats("winners", event.seats);
      break;
    case Kind::kPosted:
      io.field("what", event.what);
      io.field("amount", event.amount);
      io.field("all_in", event.all_in);
      break;
    case Kind::kDealt:
      io.field("what", event.what);
      io.faces(event);
      break;
    case Kind::kActed:
      io.field("action", event.what);
      io.field("amount", event.amount);
      io.field("total", event.total);
      io.field("all_in", event.all_in);
      break;
    case Kind::kDiscarded:
    case Kind::kDrew:
    case Kind::kPlaced:
      io.faces(event);
      break;
    case Kind::kReturned:
      io.field("amount", event.amount);
      break;
    case Kind::kShown:
      io.faces(event);
      io.field("hand", event.what);
      slot();
      break;
    case Kind::kOwn:
      if (io.has("cards", event.count > 0)) io.faces(event);
      slot();
      break;
    case Kind::kMucked:
      io.field("count", event.count);
      break;
    case Kind::kWon:
      io.field("amount", event.amount);
      io.field("pot", event.pot);
      io.half(event.half);
      io.field("hand", event.what);
      slot();
  }
}

class FieldWriter {
 public:
  FieldWriter(const Game& game, JsonWriter& json) : game_(game), json_(json) {}

  static bool has(std::string_view, bool here) { return here; }
  template <class T>
  void field(std::string_view name, const T& value) {
    json_.member(name, value);
  }
  void field(std::string_view name, const std::vector<std::int64_t>& values) { json_.array(name, values); }
  void seat(std::string_view name, Seat seat) { seat < 0 ? json_.member(name, nullptr) : json_.member(name, seat); }
  void seats(std::string_view name, std::uint16_t seats) {
    json_.begin_array(name);
    for (unsigned rest = seats; rest != 0; rest &= rest - 1) json_.value(std::countr_zero(rest));
    json_.end_array();
  }
  void cards(std::string_view name, const std::vector<CardId>& cards) {
    json_.array(name, cards, [&](CardId card) { return game_.card_to_string(card); });
  }
  void faces(const Event& event) {
    cards("cards", event.cards);
    field("count", event.count);
    if (!event.places.empty()) json_.array("places", event.places);
  }
  void half(std::string_view half) { half.empty() ? json_.member("half", nullptr) : json_.member("half", half); }

 private:
  const Game& game_;
  JsonWriter& json_;
};

class FieldReader {
 public:
  FieldReader(const Game& game, const Json& json) : game_(game), json_(json) {}

  bool has(std::string_view name, bool) const { return json_.contains(name); }
  template <class T>
  void field(std::string_view name, T& value) const {
    json_.at(name).get_to(value);
  }
  void seat(std::string_view name, Seat& seat) const {
    seat = json_.at(name).is_null() ? -1 : json_.at(name).get<Seat>();
  }
  void seats(std::string_view name, std::uint16_t& seats) const {
    for (const Json& seat : json_.at(name))
      seats = static_cast<std::uint16_t>(seats | 1U << (seat.get<unsigned>() % 16));
  }
  void cards(std::string_view name, std::vector<CardId>& cards) const {
    for (const Json& card : json_.at(name)) cards.push_back(card_of(card.get<std::string>()));
  }
  void faces(Event& event) const {
    cards("cards", event.cards);
    field("count", event.count);
    if (!json_.contains("places")) return;
    for (const Json& place : json_.at("places"))
      event.places.push_back(word_of(place.get<std::string>(), event_words().places));
  }
  void half(std::string_view& half) const {
    if (const Json& word = json_.at("half"); !word.is_null()) half = word_of(word.get<std::string>(), kHalves);
  }

 private:
  CardId card_of(const std::string& text) const {
    for (int card = 0; card < game_.num_cards(); ++card)
      if (game_.card_to_string(static_cast<CardId>(card)) == text) return static_cast<CardId>(card);
    throw ParseError(fmt::format("there is no card '{}' in '{}'", text.substr(0, kShown), game_.spec()));
  }
  // One of a few words that live as long as the program.
  static std::string_view word_of(const std::string& text, std::span<const std::string_view> words) {
    for (const std::string_view word : words)
      if (word == text) return word;
    throw ParseError(fmt::format("event: '{}' is not expected here", text.substr(0, kShown)));
  }

  const Game& game_;
  const Json& json_;
};

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
  json.begin_object();
  json.member("event", name_of(event));
  FieldWriter writer(game, json);
  each_field(writer, event);
  json.end_object();
}

Json to_json(const Event& event, const Game& game) {
  std::string text;
  JsonWriter json(text);
  write_json(event, game, json);
  return Json::parse(text);
}

Event event_from_json(const Json& json, const Game& game) {
  try {
    Event event;
    read_kind(json.at("event").get<std::string>(), event);
    const FieldReader reader(game, json);
    each_field(reader, event);
    return event;
  } catch (const nlohmann::json::exception& error) {
    throw ParseError(fmt::format("malformed event: {}", error.what()));
  }
}

}  // namespace dealer
