#include "frontends/bot/observed_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "env/core/error.h"
#include "env/core/json_fields.h"
#include "env/games/visit.h"

namespace dealer {
namespace {

using Json = nlohmann::json;
using Kind = Event::Kind;

// More than any hand has: ten players, every raise and card.
constexpr std::size_t kMostEvents = 4096;

// Cards in any order, each with its place.
std::vector<std::string> card_words(const Event& event, const Game& game) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < event.cards.size(); ++i)
    words.push_back(game.card_to_string(event.cards[i]) +
                    (i < event.places.size() ? fmt::format(" {}", event.places[i]) : ""));
  std::sort(words.begin(), words.end());
  return words;
}

std::string shown_value(const Json& value) {
  if (!value.is_array()) return shown_json(value);
  std::vector<std::string> items;
  for (const Json& item : value) items.push_back(item.is_string() ? item.get<std::string>() : shown_json(item));
  return items.empty() ? "an empty list" : fmt::format("[{}]", fmt::join(items, ", "));
}

[[noreturn]] void refuse(std::size_t index, const Event& sent, const std::string& field, const std::string& expected,
                         const Game& game) {
  const Json json = to_json(sent, game);
  const auto value = json.find(field);
  throw ParseError(fmt::format("event {} of the hand ('{}'): {} is {}; expected {}", index, name_of(sent), field,
                               value == json.end() ? "missing" : shown_value(*value), expected));
}

}  // namespace

ObservedTable::ObservedTable(GamePtr game) : game_(std::move(game)), env_(game_->new_env()) {}

void ObservedTable::begin(Seat viewer) {
  hand_ = {};
  hand_.viewer = viewer;
  since_.clear();
}

void ObservedTable::on_events(std::vector<Event> events) {
  for (Event& event : events) {
    if (event.kind == Kind::kHandBegun) hand_.events.clear();
    if (event.kind == Kind::kHandEnded) hand_.won_before += event.values[static_cast<std::size_t>(hand_.viewer)];
    if (hand_.events.empty() && event.kind != Kind::kHandBegun)
      throw ParseError(fmt::format("the first event of a hand is '{}'; expected hand_begun", name_of(event)));
    if (hand_.events.size() == kMostEvents)
      throw ParseError(fmt::format("a hand has more than {} events", kMostEvents));
    since_.clear();
    hand_.events.push_back(std::move(event));
  }
}

Env& ObservedTable::table() {
  if (hand_.events.empty())
    throw ParseError("there have been no events of this hand; without numbers they say what has happened");
  try {
    Observation seen;
    seen.player = hand_.viewer;
    seen.data = visit(*game_, [&](const auto& game) { return observe_hand(game.rules(), hand_); });
    env_->sample_state(seen, 0);
  } catch (const ObservedHandError& error) {
    refuse(error.event(), hand_.events[error.event()], error.field(), error.what(), *game_);
  } catch (const UsageError& error) {
    // Impossible events give an invalid observation.
    const std::string_view what = error.what();
    const std::size_t colon = what.find(": ");
    throw ParseError(fmt::format("the events of the hand cannot have happened: {}",
                                 what.substr(colon == std::string_view::npos ? 0 : colon + 2)));
  }
  compare(env_->events(hand_.viewer));
  for (const Decision& decision : since_) env_->step(decision);
  if (const Seat turn = env_->current_player(); turn != hand_.viewer)
    throw ParseError(turn == kTerminal ? std::string("the hand is over")
                                       : fmt::format("seat {} is to act, not seat {}", turn, hand_.viewer));
  return *env_;
}

// Compares field by field; names of hands are up to the host.
void ObservedTable::compare(const std::vector<Event>& ours) const {
  const std::vector<Event>& sent = hand_.events;
  for (std::size_t i = 0; i < std::max(sent.size(), ours.size()); ++i) {
    if (i == sent.size())
      throw ParseError(fmt::format("the events of the hand end with {}, '{}'; expected '{}' next", i - 1,
                                   name_of(sent.back()), name_of(ours[i])));
    if (i == ours.size())
      refuse(i, sent[i], "event", fmt::format("none: seat {} is to act", env_->current_player()), *game_);
    const Json mine = to_json(ours[i], *game_), theirs = to_json(sent[i], *game_);
    if (mine["event"] != theirs["event"]) refuse(i, sent[i], "event", shown_value(mine["event"]), *game_);
    if (card_words(ours[i], *game_) != card_words(sent[i], *game_))
      refuse(i, sent[i], mine.contains("cards") ? "cards" : "taken_out",
             fmt::format("[{}]", fmt::join(card_words(ours[i], *game_), ", ")), *game_);
    for (const auto& [key, value] : mine.items()) {
      if (key == "cards" || key == "places" || key == "taken_out") continue;
      if (key == "hand" && value.is_string()) continue;
      if (theirs.value(key, Json()) != value) refuse(i, sent[i], key, shown_value(value), *game_);
    }
  }
}

}  // namespace dealer
