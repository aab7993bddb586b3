#include "env/core/event.h"

#include <bit>
#include <nlohmann/json.hpp>

#include "env/core/game.h"

namespace dealer {
namespace {

nlohmann::json seats_json(std::uint16_t seats) {
  auto list = nlohmann::json::array();
  for (unsigned rest = seats; rest != 0; rest &= rest - 1) list.push_back(std::countr_zero(rest));
  return list;
}

nlohmann::json cards_json(const Event& event, const Game& game) {
  auto list = nlohmann::json::array();
  for (const CardId card : event.cards) list.push_back(game.card_to_string(card));
  return list;
}

nlohmann::json places_json(const Event& event) {
  auto list = nlohmann::json::array();
  for (const std::string_view place : event.places) list.push_back(std::string(place));
  return list;
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

std::string_view name_of(Event::Kind kind) {
  constexpr std::string_view kNames[] = {"hand_begun", "posted", "dealt", "acted",      "discarded",
                                         "drew",       "placed", "laid",  "named",      "returned",
                                         "shown",      "mucked", "won",   "hand_ended", "match_ended"};
  return kNames[static_cast<std::size_t>(kind)];
}

nlohmann::json to_json(const Event& event, const Game& game) {
  using Kind = Event::Kind;
  nlohmann::json json = {{"event", std::string(name_of(event.kind))}};
  const auto cards = [&] {
    json["cards"] = cards_json(event, game);
    json["count"] = event.count;
    if (!event.places.empty()) json["places"] = places_json(event);
  };
  switch (event.kind) {
    case Kind::kHandBegun:
      json["hand"] = event.hand;
      json["dealer"] = event.seat < 0 ? nlohmann::json(nullptr) : nlohmann::json(event.seat);
      json["stacks"] = event.values;
      json["fantasyland"] = seats_json(event.seats);
      json["taken_out"] = cards_json(event, game);
      return json;
    case Kind::kHandEnded:
      json["hand"] = event.hand;
      json["net"] = event.values;
      json["odd_chips"] = event.amount;
      return json;
    case Kind::kMatchEnded:
      json["net"] = event.values;
      json["winners"] = seats_json(event.seats);
      return json;
    default:
      break;
  }
  json["seat"] = event.seat < 0 ? nlohmann::json(nullptr) : nlohmann::json(event.seat);
  json["street"] = event.street;
  switch (event.kind) {
    case Kind::kPosted:
      json["what"] = event.what;
      json["amount"] = event.amount;
      json["all_in"] = event.all_in;
      break;
    case Kind::kDealt:
      json["what"] = event.what;
      cards();
      break;
    case Kind::kActed:
      json["action"] = event.what;
      json["amount"] = event.amount;
      json["total"] = event.total;
      json["all_in"] = event.all_in;
      break;
    case Kind::kReturned:
      json["amount"] = event.amount;
      break;
    case Kind::kShown:
      cards();
      json["hand"] = event.what;
      if (event.chip != 0) json["chip"] = event.chip;
      break;
    case Kind::kNamed:
      json["chip"] = event.chip;
      break;
    case Kind::kMucked:
      json["count"] = event.count;
      break;
    case Kind::kWon:
      json["amount"] = event.amount;
      json["pot"] = event.pot;
      json["half"] = event.half.empty() ? nlohmann::json(nullptr) : nlohmann::json(std::string(event.half));
      json["hand"] = event.what;
      if (event.chip != 0) json["chip"] = event.chip;
      break;
    default:
      cards();
  }
  return json;
}

}  // namespace dealer
