// A whole state that agrees with what one seat has observed: what it cannot know is dealt at random.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "env/core/error.h"
#include "env/games/ofc/observation_parts.h"
#include "env/games/ofc/state.h"

namespace dealer::ofc {
namespace {

// A card of the current hand and where it went; kInHand while it is still to be placed.
struct Placed {
  int street;
  Card card;
  std::uint8_t where;
};
constexpr std::uint8_t kInHand = 4;

[[noreturn]] void refuse(const std::string& what) { throw UsageError("no observation of this game: " + what); }

bool by_deal(const Placed& a, const Placed& b) { return std::tie(a.street, a.card) < std::tie(b.street, b.card); }

}  // namespace

// The observation, sorted out by relative seat.
struct State::Reader {
  View view;
  std::array<std::vector<Placed>, kMaxSeats> placed;
  std::span<const float> data;

  Reader(const GameRules& rules, std::span<const float> observation)
      : view(decode(rules, observation)), data(observation) {
    const ObservationParts part(rules.players);
    for (int rel = 0; rel < rules.players; ++rel) {
      for (int row = 0; row < kRows; ++row)
        read(part.rows + (rel * kRows + row) * kCards, static_cast<std::uint8_t>(row), placed[at(rel)]);
    }
    read(part.discards, kToDiscard, placed[0]);
    const int street = view.fantasyland[0] ? 0 : view.street;
    for_each(view.hand, [&](Card card) { placed[0].push_back({street, card, kInHand}); });
    CardSet seen = 0;
    std::size_t count = 0;
    for (const auto& list : placed) {
      for (const Placed& p : list) seen |= bit(p.card);
      count += list.size();
    }
    if (static_cast<std::size_t>(size(seen)) != count) refuse("a card lies in two places");
  }

  void read(int offset, std::uint8_t where, std::vector<Placed>& list) const {
    for (int card = 0; card < kCards; ++card) {
      const float value = data[static_cast<std::size_t>(offset + card)];
      if (value == 0) continue;
      const float street = std::round(value * 5);
      if (!(street >= 1 && street <= 5)) refuse(fmt::format("{} is no street", static_cast<double>(value)));
      list.push_back({static_cast<int>(street) - 1, static_cast<Card>(card), where});
    }
  }

  float at_part(int offset, int index) const { return data[static_cast<std::size_t>(offset + index)]; }
};

// Cards of one seat in the order of dealing. Completed turns are also played on the board; the current one is left to
// take_turns.
void State::fill_seat(const Reader& reader, int rel, std::vector<Card>& unseen) {
  const Seat owner = (reader.view.me + rel) % rules_->players;
  const auto o = at(owner);
  const bool fantasyland = fantasyland_[o];
  std::vector<Placed> cards = reader.placed[at(rel)];
  const auto draw = [&] {
    if (unseen.empty()) refuse("too many cards are placed");
    const Card card = unseen.back();
    unseen.pop_back();
    return card;
  };
  std::array<int, 5> count{};
  for (const Placed& p : cards) ++count[static_cast<std::size_t>(p.street)];
  // What the others threw away is missing from their turns.
  if (fantasyland) {
    if (rel != 0 && !cards.empty())
      while (static_cast<int>(cards.size()) < rules_->fantasyland_cards) cards.push_back({0, draw(), kToDiscard});
    count[0] = static_cast<int>(cards.size());
  } else if (rel != 0) {
    for (int street = 1; street < 5; ++street)
      if (count[at(street)] == 2) {
        cards.push_back({street, draw(), kToDiscard});
        ++count[at(street)];
      }
  }
  std::size_t known = 0;
  const int turns = fantasyland ? 1 : 5;
  for (int street = 0; street < turns; ++street) {
    const int full = fantasyland ? rules_->fantasyland_cards
                                 : kDealtCards[at(street)] - (street > 0 ? kDealtCards[at(street - 1)] : 0);
    if (count[at(street)] == 0) break;
    if (count[at(street)] != full) refuse(fmt::format("street {} of a player has {} cards", street, count[at(street)]));
    known += static_cast<std::size_t>(full);
  }
  if (known != cards.size() || known > kMaxHand) refuse("cards are placed on streets that were not reached");
  std::sort(cards.begin(), cards.end(), by_deal);
  const bool open_turn = std::any_of(cards.begin(), cards.end(), [](const Placed& p) { return p.where == kInHand; });
  const int open_street = open_turn ? cards.back().street : 5;
  for (std::size_t i = 0; i < known; ++i) {
    card_[o][i] = cards[i].card;
    where_[o][i] = cards[i].where == kInHand ? std::uint8_t{0} : cards[i].where;
    if (cards[i].street == open_street && !fantasyland) continue;
    if (open_turn && fantasyland) continue;
    ++moved_[o];
    if (cards[i].where == kToDiscard) continue;
    board_[o].row[cards[i].where] |= bit(cards[i].card);
    ++fill_[o][cards[i].where];
  }
  for (std::size_t i = known; i < kMaxHand; ++i) card_[o][i] = draw();
  const auto sort_cards = [&](std::size_t begin, std::size_t end) {
    std::sort(card_[o].begin() + static_cast<std::ptrdiff_t>(begin),
              card_[o].begin() + static_cast<std::ptrdiff_t>(end));
  };
  if (fantasyland) {
    if (known == 0) sort_cards(0, static_cast<std::size_t>(rules_->fantasyland_cards));
  } else {
    std::size_t begin = 0;
    for (const int end : kDealtCards) {
      if (begin >= known) sort_cards(begin, static_cast<std::size_t>(end));
      begin = static_cast<std::size_t>(end);
    }
  }
  for (std::size_t row = 0; row < kRows; ++row)
    if (fill_[o][row] > kRowSize[row]) refuse(fmt::format("too many cards in the {}", kRowNames[row]));
}

// Brings the turn to where it stands: hidden Fantasyland boards are set at random, own cards of this turn replayed.
void State::take_turns(const Reader& reader, RandomStream& rng) {
  const View& view = reader.view;
  const Seat turn = (view.me + view.turn) % rules_->players;
  std::vector<Seat> order;  // who acts on this street
  Seat seat = next_live(dealer_);
  for (int i = 0; i < live_players(); ++i, seat = next_live(seat))
    if (street_ == 0 || !fantasyland_[at(seat)]) order.push_back(seat);
  const auto position = std::find(order.begin(), order.end(), turn);
  if (position == order.end()) refuse("the player to act does not act on this street");
  for (Seat other = 0; other < rules_->players; ++other) {
    const bool has_acted = street_ > 0 || std::find(order.begin(), position, other) != position;
    if (out_[at(other)] || !fantasyland_[at(other)] || !has_acted || moved_[at(other)] != 0) continue;
    start_turn(other);
    while (places_left_ + discards_left_ > 0) {
      std::uint64_t mask = legal_;
      for (auto pick = rng.below(static_cast<std::uint32_t>(std::popcount(mask))); pick > 0; --pick) mask &= mask - 1;
      place(other, std::countr_zero(mask));
    }
  }
  turns_left_ = static_cast<std::int8_t>(order.end() - position);
  const std::vector<Placed>& own = reader.placed[0];
  start_turn(turn);
  if (view.turn != 0) return;
  const auto open = std::count_if(own.begin(), own.end(), [](const Placed& p) { return p.where == kInHand; });
  const int done = dealt(turn) - moved_[at(turn)] - static_cast<int>(open);
  for (int i = 0; i < done; ++i) {
    const Action action = where_[at(turn)][moved_[at(turn)]];
    if (((legal_ >> action) & 1) == 0) refuse("cards of this turn lie where they may not");
    place(turn, action);
  }
  if (places_left_ != view.places_left || discards_left_ != view.discards_left) refuse("the turn does not add up");
}

State State::sample_state(const Rules& rules, std::span<const float> observation, RandomStream& rng) {
  const Reader reader(rules, observation);
  const View& view = reader.view;
  const ObservationParts part(rules.players);
  const int n = rules.players;
  State state;
  state.rules_ = &rules;
  state.seed_ = (std::uint64_t{rng()} << 32) | rng();
  state.dealer_ = static_cast<std::int8_t>((view.me + view.dealer) % n);
  state.hands_finished_ = static_cast<std::int32_t>(std::lround(reader.at_part(part.hands, 0) * kHandsScale));
  for (int rel = 0; rel < n; ++rel) {
    const auto o = at((view.me + rel) % n);
    state.fantasyland_[o] = view.fantasyland[at(rel)];
    state.out_[o] = view.out[at(rel)];
    if (rules.episode == Episode::kMatch)
      state.points_[o] = static_cast<std::int32_t>(
          std::lround(reader.at_part(part.points, rel) * static_cast<float>(n * rules.start_points)));
  }
  if (view.turn >= 0 && (state.live_players() < 2 || view.out[at(view.turn)])) refuse("the player to act is out");
  CardSet seen = 0;
  for (const auto& list : reader.placed)
    for (const Placed& p : list) seen |= bit(p.card);
  std::vector<Card> unseen;
  for_each(kFullDeck & ~seen, [&](Card card) { unseen.push_back(card); });
  for (std::size_t i = unseen.size(); i > 1; --i)
    std::swap(unseen[i - 1], unseen[rng.below(static_cast<std::uint32_t>(i))]);
  state.street_ = static_cast<std::int8_t>(view.street);
  for (int rel = 0; rel < n; ++rel) state.fill_seat(reader, rel, unseen);
  if (view.turn < 0) {
    state.street_ = 5;
    return state;
  }
  state.take_turns(reader, rng);
  return state;
}

}  // namespace dealer::ofc
