// A state as text and JSON, as one seat may see it.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "env/core/json_writer.h"
#include "env/games/seven_hand/state.h"

namespace dealer::seven_hand {
namespace {

void write_cards(JsonWriter& json, std::string_view name, CardSet cards) {
  std::vector<Card> list;
  for_each(cards, [&](Card card) { list.push_back(card); });
  std::reverse(list.begin(), list.end());
  json.begin_array(name);
  for (const Card card : list) json.value(dealer::to_string(card));
  json.end_array();
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
    if (seen.owner[c] == kNobody) text += seen.ties_count ? ", taken by both" : ", taken by nobody";
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

void State::write_table(JsonWriter& json, Seat seat) const {
  const View seen = view(seat);
  const auto seat_or_null = [&](std::string_view name, bool there, Seat who) {
    json.key(name);
    if (there)
      json.value(who);
    else
      json.value(nullptr);
  };
  json.begin_object();
  json.member("street", std::min(turns_ / kSeats, kTurns - 1));
  json.member("dealer", static_cast<int>(dealer_));
  seat_or_null("mover", !hand_over(), mover_);
  json.member("naming", naming_);
  json.member("pending", seen.pending);
  json.member("stock", seen.stock);
  json.member("ties_count", seen.ties_count);
  json.begin_array("chips");
  for (std::size_t c = 0; c < kChips; ++c) {
    json.begin_object();
    json.member("chip", c + 1);
    seat_or_null("taken_by", seen.owner[c] >= 0, seen.owner[c] == 0 ? seat : 1 - seat);
    json.member("tied", seen.owner[c] == kNobody);
    json.begin_array("laid");
    for (Seat owner = 0; owner < kSeats; ++owner) {
      const std::size_t side = owner == seat ? 0 : 1;
      json.begin_object();
      write_cards(json, "cards", seen.cards[side][c]);
      json.member("card_count", seen.count[side][c]);
      json.member("turn", seen.turn[side][c]);
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
  json.begin_array("players");
  for (Seat owner = 0; owner < kSeats; ++owner) {
    const bool own = owner == seat;
    json.begin_object();
    json.member("seat", owner);
    json.member("chips", chips(owner));
    write_cards(json, "cards", own ? seen.hand : 0);
    json.member("card_count", seen.hand_size[own ? 0 : 1]);
    write_cards(json, "picked", own ? seen.picked : 0);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace dealer::seven_hand
