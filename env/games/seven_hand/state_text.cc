// A state for people and for programs, as one seat may see it.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "env/games/seven_hand/state.h"

namespace dealer::seven_hand {
namespace {

nlohmann::json cards_json(CardSet cards) {
  auto list = nlohmann::json::array();
  for_each(cards, [&](Card card) { list.insert(list.begin(), dealer::to_string(card)); });
  return list;
}

// "nothing", "3 cards in turn 2", "Kd Ks in turn 2"
std::string lying(CardSet cards, int count, int turn) {
  if (count == 0) return "nothing";
  const std::string what =
      cards != 0 ? dealer::to_string(cards) : fmt::format("{} card{}", count, count == 1 ? "" : "s");
  return fmt::format("{} in turn {}", what, turn);
}

}  // namespace

Choice State::choice(Action action) const {
  Choice choice{action, fmt::format("action {}", action), "lay", {}, {}};
  if (action < 0 || action >= kActions) return choice;
  if (action >= kFirstChip) {
    choice.text = fmt::format("chip {}", action - kFirstChip + 1);
    choice.kind = "name";
  } else if (action == kStop) {
    choice.text = "stop";
    choice.kind = "stop";
    for_each(picked_, [&](Card card) { choice.cards.push_back(card); });
  } else {
    choice.text = dealer::to_string(static_cast<Card>(action));
    choice.cards = {static_cast<CardId>(action)};
  }
  return choice;
}

std::string State::to_string(Seat seat) const {
  const View seen = view(seat);
  const auto name = [&](int side) { return side == 0 ? seat : 1 - seat; };
  std::string text = fmt::format("hand {}, ", hand_number() + 1);
  if (hand_over())
    text += fmt::format("over, seat 0 {:+}\n", reward_);
  else
    text += fmt::format("turn {} of seat {}, seat {} {}\n", turns_ / kSeats + 1, static_cast<int>(mover_),
                        static_cast<int>(to_act_), naming_ ? "names the chip" : "lays cards");
  for (std::size_t c = 0; c < kChips; ++c) {
    text += fmt::format("chip {}", c + 1);
    if (seen.owner[c] == kNobody) text += ", taken by nobody";
    if (seen.owner[c] >= 0) text += fmt::format(", taken by seat {}", name(seen.owner[c]));
    text += fmt::format(": you {}; seat {} {}\n", lying(seen.cards[0][c], seen.count[0][c], seen.turn[0][c]), 1 - seat,
                        lying(seen.cards[1][c], seen.count[1][c], seen.turn[1][c]));
  }
  text += fmt::format("hand {}\n", dealer::to_string(seen.hand));
  if (seen.picked != 0) text += fmt::format("laid now {}\n", dealer::to_string(seen.picked));
  if (seen.pending > 0) text += fmt::format("{} wait for their chip\n", seen.pending);
  text += fmt::format("seat {} holds {}, stock {}\n", 1 - seat, seen.hand_size[1], seen.stock);
  return text;
}

nlohmann::json State::table_json(Seat seat) const {
  const View seen = view(seat);
  nlohmann::json json = {{"street", std::min(turns_ / kSeats, kTurns - 1)},
                         {"dealer", static_cast<int>(dealer_)},
                         {"mover", hand_over() ? nlohmann::json(nullptr) : nlohmann::json(static_cast<int>(mover_))},
                         {"naming", naming_},
                         {"pending", seen.pending},
                         {"stock", seen.stock},
                         {"chips", nlohmann::json::array()},
                         {"players", nlohmann::json::array()}};
  for (std::size_t c = 0; c < kChips; ++c) {
    const auto side = [&](std::size_t s) {
      return nlohmann::json{
          {"cards", cards_json(seen.cards[s][c])}, {"card_count", seen.count[s][c]}, {"turn", seen.turn[s][c]}};
    };
    const std::size_t first = seat == 0 ? 0 : 1;
    json["chips"].push_back({{"chip", c + 1},
                             {"taken_by", seen.owner[c] < 0 ? nlohmann::json(nullptr)
                                                            : nlohmann::json(seen.owner[c] == 0 ? seat : 1 - seat)},
                             {"tied", seen.owner[c] == kNobody},
                             {"laid", nlohmann::json::array({side(first), side(1 - first)})}});
  }
  for (Seat owner = 0; owner < kSeats; ++owner) {
    const bool own = owner == seat;
    json["players"].push_back({{"seat", owner},
                               {"chips", chips(owner)},
                               {"cards", cards_json(own ? seen.hand : 0)},
                               {"card_count", seen.hand_size[own ? 0 : 1]},
                               {"picked", cards_json(own ? seen.picked : 0)}});
  }
  return json;
}

}  // namespace dealer::seven_hand
