// A state for people and for programs, as one seat may see it.
#include <fmt/format.h>

#include <array>

#include "env/games/ofc/state.h"

namespace dealer::ofc {
namespace {

constexpr std::array<const char*, 4> kPlaceNames = {"front", "middle", "back", "discard"};

std::string row_text(CardSet cards, int capacity) {
  std::string text = to_string(cards);
  for (int i = size(cards); i < capacity; ++i) text += text.empty() ? "--" : " --";
  return text;
}

nlohmann::json board_json(const Board& board) {
  nlohmann::json json;
  for (std::size_t row = 0; row < kRows; ++row) json[std::string(kRowNames[row])] = to_string(board.row[row]);
  return json;
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

// [PLACEHOLDER]
void State::events(std::vector<Event>&) const {}

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
  nlohmann::json json = {
      {"seat", seat},
      {"hand_number", hands_finished_ + (turn_ == kTerminal ? 0 : 1)},
      {"street", seen.street},
      {"dealer", static_cast<int>(dealer_)},
      {"to_act", turn_ == kTerminal ? nlohmann::json(nullptr) : nlohmann::json(static_cast<int>(turn_))},
      {"hand", dealer::to_string(seen.hand)},
      {"discards", dealer::to_string(seen.discards)},
      {"places_left", seen.places_left},
      {"discards_left", seen.discards_left}};
  for (Seat owner = 0; owner < seen.players; ++owner) {
    const int rel = (owner - seat + seen.players) % seen.players;
    nlohmann::json player = {{"board", board_json(seen.board[rel])}, {"fantasyland", seen.fantasyland[at(rel)]}};
    if (rules_->episode == Episode::kMatch) {
      player["points"] = points_[at(owner)];
      player["out"] = seen.out[at(rel)];
    }
    json["players"].push_back(player);
  }
  if (hands_finished_ > 0) {
    nlohmann::json last;
    for (Seat owner = 0; owner < seen.players; ++owner) {
      if (!last_.played[owner]) continue;
      last.push_back({{"seat", owner},
                      {"board", board_json(last_.board[owner])},
                      {"points", last_.points[owner]},
                      {"royalties", last_.royalties[owner]},
                      {"foul", last_.foul[owner]},
                      {"fantasyland", last_.next[owner]}});
    }
    json["last_hand"] = last;
  }
  return json;
}

}  // namespace dealer::ofc
