#include "env/core/event.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <nlohmann/json.hpp>

#include "env/core/error.h"
#include "env/core/game.h"
#include "env/core/json_fields.h"
#include "env/core/json_writer.h"

namespace dealer {
namespace {

using Kind = Event::Kind;
using Json = nlohmann::json;

constexpr std::array<std::string_view, 2> kHalves = {"high", "low"};

// The JSON fields of each kind of event, in order, used for writing and reading.
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

// For untrusted input: every number must be in the range possible for an event of the game.
class FieldReader {
 public:
  FieldReader(const Game& game, const JsonFields& json) : game_(game), json_(json) {}

  bool has(std::string_view name, bool) const { return !json_.is_null(name); }
  template <std::integral T>
  void field(std::string_view name, T& value) const {
    if (json_.is_null(name) && kOptional.contains(name) && name != "hand") return;
    value = static_cast<T>(json_.whole(name, 0, most(name)));
  }
  void field(std::string_view name, bool& value) const { value = json_.flag(name); }
  void field(std::string_view name, std::string& value) const {
    if (!json_.is_null(name) || !kOptional.contains(name)) value = json_.text(name);
  }
  void field(std::string_view name, std::vector<std::int64_t>& values) const {
    json_.each(name, [&](const Json& entry, const std::string& path) {
      const auto number = whole_number(entry, name == "net" ? -kMostChips : 0, kMostChips);
      if (!number) refuse(path, entry, "a whole number of chips or points");
      values.push_back(*number);
    });
    if (values.size() != static_cast<std::size_t>(game_.players()))
      throw ParseError(
          fmt::format("{} has {} numbers; expected {}, one a seat", json_.path(name), values.size(), game_.players()));
  }
  void seat(std::string_view name, Seat& seat) const {
    seat = json_.is_null(name) && json_.has(name) ? -1 : static_cast<Seat>(json_.whole(name, 0, game_.players() - 1));
  }
  void seats(std::string_view name, std::uint16_t& seats) const {
    if (json_.is_null(name)) return;
    json_.each(name, [&](const Json& entry, const std::string& path) {
      const auto seat = whole_number(entry, 0, game_.players() - 1);
      if (!seat) refuse(path, entry, fmt::format("a seat, 0 to {}", game_.players() - 1));
      seats = static_cast<std::uint16_t>(seats | 1U << *seat);
    });
  }
  void cards(std::string_view name, std::vector<CardId>& cards) const {
    if (json_.is_null(name) && kOptional.contains(name)) return;
    json_.each(name, [&](const Json& entry, const std::string& path) {
      const std::optional<CardId> card =
          entry.is_string() ? card_of(entry.get_ref<const std::string&>()) : std::nullopt;
      if (!card) refuse(path, entry, fmt::format("a card of '{}', as '{}'", game_.spec(), game_.card_to_string(0)));
      cards.push_back(*card);
    });
  }
  void faces(Event& event) const {
    cards("cards", event.cards);
    field("count", event.count);
    if (event.cards.size() > static_cast<std::size_t>(event.count)) json_.refuse("count", "as many as cards or more");
    if (json_.is_null("places")) return;
    json_.each("places", [&](const Json& entry, const std::string& path) {
      event.places.push_back(word_of(entry, path, event_words().places));
    });
    if (event.places.size() != event.cards.size())
      throw ParseError(fmt::format("{} has {} words; expected {}, one a card", json_.path("places"),
                                   event.places.size(), event.cards.size()));
  }
  void half(std::string_view& half) const {
    if (json_.is_null("half")) return;
    json_.text("half");
    half = word_of(json_.text("half"), json_.path("half"), kHalves);
  }

 private:
  static constexpr std::int64_t kMostChips = std::int64_t{1} << 31;
  static constexpr int kMostStreets = 64, kMostHands = 1 << 30, kMostSlots = 64;
  // Optional fields: hosts with another engine may omit them. `hand`: the name of a hand, not the index of
  // one.
  struct Optional {
    static constexpr std::array<std::string_view, 4> kNames = {"hand", "taken_out", "odd_chips", "pot"};
    bool contains(std::string_view name) const { return std::find(kNames.begin(), kNames.end(), name) != kNames.end(); }
  };
  static constexpr Optional kOptional{};

  [[noreturn]] static void refuse(const std::string& path, const Json& value, const std::string& expected) {
    throw ParseError(fmt::format("{} is {}; expected {}", path, shown_json(value), expected));
  }
  std::int64_t most(std::string_view name) const {
    if (name == "street") return kMostStreets;
    if (name == "hand") return kMostHands;
    if (name == "count") return game_.num_cards();
    if (name == "pot") return game_.players();
    if (name == event_words().slot) return kMostSlots;
    return kMostChips - 1;
  }
  std::optional<CardId> card_of(const std::string& text) const {
    for (int card = 0; card < game_.num_cards(); ++card)
      if (game_.card_to_string(static_cast<CardId>(card)) == text) return static_cast<CardId>(card);
    return std::nullopt;
  }
  // Interns one of a few words for the lifetime of the program.
  static std::string_view word_of(const Json& value, const std::string& path, std::span<const std::string_view> words) {
    for (const std::string_view word : words)
      if (value == word) return word;
    refuse(path, value, fmt::format("one of {}", fmt::join(words, ", ")));
  }

  const Game& game_;
  const JsonFields& json_;
};

void read_kind(const JsonFields& json, Event& event) {
  const std::string& name = json.text("event");
  std::string known;
  const auto is = [&](std::string_view other) {
    known += fmt::format("{}{}", known.empty() ? "" : ", ", other);
    return name == other;
  };
  for (int kind = 0; kind <= static_cast<int>(Kind::kMatchEnded); ++kind) {
    event.kind = static_cast<Kind>(kind);
    if (event.kind != Kind::kOwn && is(name_of(event))) return;
  }
  for (const EventWords::Own& own : event_words().own) {
    if (!is(own.name)) continue;
    event.kind = Kind::kOwn;
    event.what = name;
    return;
  }
  json.refuse("event", "one of " + known);
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

Event& add_event(std::vector<Event>& out, Event::Kind kind, Seat seat, int street, int hand) {
  Event& event = out.emplace_back();
  event.kind = kind;
  event.seat = seat;
  event.street = street;
  event.hand = hand;
  return event;
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
  const JsonFields fields(json, "");
  Event event;
  read_kind(fields, event);
  FieldReader reader(game, fields);
  each_field(reader, event);
  return event;
}

}  // namespace dealer
