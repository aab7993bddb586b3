// What a seat may know, as numbers, and the way back to a view.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "env/core/error.h"
#include "env/games/ofc/observation_parts.h"
#include "env/games/ofc/state.h"

namespace dealer::ofc {
namespace {

// How a card's street is written down: by the number of cards placed, or discarded, before it.
constexpr float kStreetValue[kStreets] = {0.2F, 0.4F, 0.6F, 0.8F, 1.0F};
constexpr float kPlacedValue[kBoardCards] = {0.2F, 0.2F, 0.2F, 0.2F, 0.2F, 0.4F, 0.4F,
                                             0.6F, 0.6F, 0.8F, 0.8F, 1.0F, 1.0F};
constexpr float kDiscardValue[kMaxHand - kBoardCards] = {0.4F, 0.6F, 0.8F, 1.0F};
constexpr float kFantasylandValue[kBoardCards] = {0.2F, 0.2F, 0.2F, 0.2F, 0.2F, 0.2F, 0.2F,
                                                  0.2F, 0.2F, 0.2F, 0.2F, 0.2F, 0.2F};

int one_hot(std::span<const float> values, const char* name) {
  int found = -1;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == 0) continue;
    if (values[i] != 1 || found >= 0) refuse_observation(fmt::format("part '{}' is not one-hot", name));
    found = static_cast<int>(i);
  }
  return found;
}

}  // namespace

void refuse_observation(const std::string& what) { throw UsageError("no observation of this game: " + what); }

int count_of(float share, int scale) {
  if (!(share >= 0 && share <= 1)) refuse_observation(fmt::format("{} is no share", static_cast<double>(share)));
  return static_cast<int>(std::lround(share * static_cast<float>(scale)));
}

Layout State::layout(const Rules& rules) {
  const int n = rules.players;
  Layout layout;
  layout.add("rows", {n, kRows, kCards},
             "card in a row: (street + 1) / 5 of its placing, else 0; players from the observer leftwards; rows front, "
             "middle, back; cards 4 * rank + suit (2..A, s h d c)");
  layout.add("discards", {kCards}, "own discards: (street + 1) / 5, else 0");
  layout.add("hand", {kCards}, "1: own card still to be placed this turn");
  layout.add("next", {kCards}, "1: the card the next action places (the lowest in hand); nothing when not to act");
  layout.add("fantasyland", {n}, "1: the player is in Fantasyland this hand");
  layout.add("out", {n}, "1: the player is out of the match");
  layout.add("dealer", {n}, "one-hot: the dealer");
  layout.add("turn", {n}, "one-hot: the player to act; nothing at the end");
  layout.add("seat", {n}, "one-hot: absolute seat of the observer");
  layout.add("street", {5}, "one-hot: 0 the opening five cards, 1..4 three cards each");
  layout.add("places_left", {1}, "cards the observer has yet to place this turn / 13");
  layout.add("discards_left", {1}, "cards the observer has yet to discard this turn / 4");
  layout.add("points", {n}, "match: points / points of all players; else 0");
  layout.add("hands", {1}, "hands finished in this episode / 1024, at most 1");
  return layout;
}

void State::observe(Seat seat, float* out) const {
  const int n = rules_->players;
  const ObservationParts at_part(n);
  std::memset(out, 0, static_cast<std::size_t>(at_part.size) * sizeof(float));
  Seat owner = seat;
  for (int rel = 0; rel < n; ++rel) {
    const auto o = at(owner);
    out[at_part.fantasyland + rel] = fantasyland_[o] ? 1.0F : 0.0F;
    out[at_part.out + rel] = out_[o] ? 1.0F : 0.0F;
    if (owner == dealer_) out[at_part.dealer + rel] = 1;
    if (owner == turn_) out[at_part.turn + rel] = 1;
    if (rules_->episode == Episode::kMatch)
      out[at_part.points + rel] = static_cast<float>(points_[o]) / static_cast<float>(n * rules_->start_points);
    const float* value = fantasyland_[o] ? kFantasylandValue : kPlacedValue;
    float* rows = out + at_part.rows + rel * kRows * kCards;
    for (int i = 0, count = shown(owner, seat); i < count; ++i) rows[slot_[o][static_cast<std::size_t>(i)]] = value[i];
    owner = owner + 1 == n ? 0 : owner + 1;
  }
  const auto me = at(seat);
  const float* value = fantasyland_[me] ? kFantasylandValue : kDiscardValue;
  for (int i = 0, count = discarded(seat); i < count; ++i)
    out[at_part.discards + discard_[me][static_cast<std::size_t>(i)]] = value[i];
  if (turn_ != kTerminal && !out_[me]) {
    for (int i = moved_[me], count = dealt(seat); i < count; ++i)
      out[at_part.hand + card_[me][static_cast<std::size_t>(i)]] = 1;
  }
  if (turn_ == seat) {
    out[at_part.next + card_[me][moved_[me]]] = 1;
    out[at_part.places_left] = static_cast<float>(places_left_) / 13.0F;
    out[at_part.discards_left] = static_cast<float>(discards_left_) / 4.0F;
  }
  out[at_part.seat + seat] = 1;
  out[at_part.street + std::min<int>(street_, kStreets - 1)] = 1;
  out[at_part.hands] = static_cast<float>(std::min<int>(hands_finished_, kHandsScale)) / kHandsScale;
}

View State::decode(const Rules& rules, std::span<const float> observation) {
  const int n = rules.players;
  const ObservationParts part(n);
  if (observation.size() != static_cast<std::size_t>(part.size))
    refuse_observation(fmt::format("{} numbers, expected {}", observation.size(), part.size));
  const auto slice = [&](int offset, int count) {
    return observation.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(count));
  };
  const auto cards = [&](int offset) {
    CardSet set = 0;
    for (int c = 0; c < kCards; ++c)
      if (observation[static_cast<std::size_t>(offset + c)] != 0) set |= bit(static_cast<Card>(c));
    return set;
  };
  View view;
  view.players = n;
  view.me = one_hot(slice(part.seat, n), "seat");
  for (int rel = 0; rel < n; ++rel) {
    for (int row = 0; row < kRows; ++row)
      view.board[rel].row[static_cast<std::size_t>(row)] = cards(part.rows + (rel * kRows + row) * kCards);
    view.fantasyland[at(rel)] = observation[static_cast<std::size_t>(part.fantasyland + rel)] != 0;
    view.out[at(rel)] = observation[static_cast<std::size_t>(part.out + rel)] != 0;
  }
  view.discards = cards(part.discards);
  view.hand = cards(part.hand);
  view.dealer = one_hot(slice(part.dealer, n), "dealer");
  view.turn = one_hot(slice(part.turn, n), "turn");
  view.street = one_hot(slice(part.street, 5), "street");
  view.places_left = count_of(observation[static_cast<std::size_t>(part.places_left)], kBoardCards);
  view.discards_left = count_of(observation[static_cast<std::size_t>(part.discards_left)], kMaxHand - kBoardCards);
  if (view.me < 0 || view.dealer < 0 || view.street < 0)
    refuse_observation("part 'seat', 'dealer' or 'street' is empty");
  return view;
}

}  // namespace dealer::ofc
