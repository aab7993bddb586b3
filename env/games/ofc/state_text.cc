// A state for people and for programs, as one seat may see it.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "env/games/ofc/state.h"

namespace dealer::ofc {
namespace {

constexpr std::array<const char*, 4> kPlaceNames = {"front", "middle", "back", "discard"};

std::string row_text(CardSet cards, int capacity) {
  std::string text = to_string(cards);
  for (int i = size(cards); i < capacity; ++i) text += text.empty() ? "--" : " --";
  return text;
}

nlohmann::json cards_json(CardSet cards) {
  auto list = nlohmann::json::array();
  for_each(cards, [&](Card card) { list.push_back(to_string(card)); });
  return list;
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

nlohmann::json State::table_json(Seat seat) const {
  const View seen = view(seat);
  nlohmann::json json = {{"street", seen.street},
                         {"dealer", static_cast<int>(dealer_)},
                         {"players", nlohmann::json::array()},
                         {"places_left", seen.places_left},
                         {"discards_left", seen.discards_left}};
  for (Seat owner = 0; owner < seen.players; ++owner) {
    const int rel = (owner - seat + seen.players) % seen.players;
    nlohmann::json rows;
    for (std::size_t row = 0; row < kRows; ++row)
      rows[std::string(kRowNames[row])] = cards_json(seen.board[rel].row[row]);
    json["players"].push_back({{"seat", owner},
                               {"points", points_[at(owner)]},
                               {"out", seen.out[at(rel)]},
                               {"fantasyland", seen.fantasyland[at(rel)]},
                               {"rows", rows},
                               {"cards", cards_json(rel == 0 ? seen.hand : 0)},
                               {"card_count", rel == 0 ? size(seen.hand) : cards_held(owner)},
                               {"discarded", cards_json(rel == 0 ? seen.discards : 0)}});
  }
  return json;
}

// The cards somebody else holds, as everybody can count them: nobody sees how far a turn is.
int State::cards_held(Seat seat) const {
  if (turn_ == kTerminal || out_[at(seat)] || turn_complete(seat)) return 0;
  return dealt(seat) - (street_ == 0 ? 0 : kDealtCards[at(street_ - 1)]);
}

}  // namespace dealer::ofc
