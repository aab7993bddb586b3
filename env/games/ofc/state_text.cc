// A state for people and for programs, as one seat may see it.
#include <fmt/format.h>

#include <array>

#include "env/core/json_writer.h"
#include "env/games/ofc/state.h"

namespace dealer::ofc {
namespace {

std::string row_text(CardSet cards, int capacity) {
  std::string text = to_string(cards);
  for (int i = size(cards); i < capacity; ++i) text += text.empty() ? "--" : " --";
  return text;
}

void write_cards(JsonWriter& json, std::string_view name, CardSet cards) {
  json.begin_array(name);
  for_each(cards, [&](Card card) { json.value(to_string(card)); });
  json.end_array();
}

}  // namespace

Choice State::choice(Action action) const {
  Choice choice{action, fmt::format("action {}", action), "place", {}, {}};
  if (action < 0 || action >= kPlaces) return choice;
  choice.text = kPlaceNames[static_cast<std::size_t>(action)];
  if (action == kToDiscard) choice.kind = "discard";
  if (turn_ != kTerminal) choice.cards = {card_[at(turn_)][moved_[at(turn_)]]};
  return choice;
}

std::string State::to_string(Seat seat) const {
  const View seen = view(seat);
  std::string text =
      fmt::format("hand {}, street {}, {}\n", hands_finished_ + (turn_ == kTerminal ? 0 : 1), seen.street,
                  turn_ == kTerminal ? std::string("over") : fmt::format("seat {} to act", static_cast<int>(turn_)));
  for (int rel = 0; rel < seen.players; ++rel) {
    const Seat owner = (seat + rel) % seen.players;
    text += fmt::format("seat {}{}{}{}\n", owner, rel == 0 ? " (you)" : "", seen.dealer == rel ? ", dealer" : "",
                        seen.out[at(rel)]           ? ", out"
                        : seen.fantasyland[at(rel)] ? ", in Fantasyland"
                                                    : "");
    if (rules_->episode == Episode::kMatch) text += fmt::format("  points {}\n", points_[at(owner)]);
    for (std::size_t row = 0; row < kRows; ++row)
      text += fmt::format("  {:<7} {}\n", kRowNames[row], row_text(seen.board[rel].row[row], kRowSize[row]));
  }
  if (seen.discards != 0) text += fmt::format("discarded {}\n", dealer::to_string(seen.discards));
  if (seen.hand != 0) text += fmt::format("in hand {}\n", dealer::to_string(seen.hand));
  if (seen.turn == 0) text += fmt::format("place {}\n", dealer::to_string(lowest(seen.hand)));
  return text;
}

void State::write_table(JsonWriter& json, Seat seat) const {
  const View seen = view(seat);
  json.begin_object();
  json.member("street", seen.street);
  json.member("dealer", static_cast<int>(dealer_));
  json.member("places_left", seen.places_left);
  json.member("discards_left", seen.discards_left);
  json.begin_array("players");
  for (Seat owner = 0; owner < seen.players; ++owner) {
    const int rel = (owner - seat + seen.players) % seen.players;
    json.begin_object();
    json.member("seat", owner);
    json.member("points", points_[at(owner)]);
    json.member("out", seen.out[at(rel)]);
    json.member("fantasyland", seen.fantasyland[at(rel)]);
    json.begin_object("rows");
    for (std::size_t row = 0; row < kRows; ++row) write_cards(json, kRowNames[row], seen.board[rel].row[row]);
    json.end_object();
    write_cards(json, "cards", rel == 0 ? seen.hand : 0);
    json.member("card_count", rel == 0 ? size(seen.hand) : cards_held(owner));
    write_cards(json, "discarded", rel == 0 ? seen.discards : 0);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

// The cards somebody else holds, as everybody can count them: nobody sees how far a turn is.
int State::cards_held(Seat seat) const {
  if (turn_ == kTerminal || out_[at(seat)] || turn_complete(seat)) return 0;
  return dealt(seat) - (street_ == 0 ? 0 : kDealtCards[at(street_ - 1)]);
}

}  // namespace dealer::ofc
