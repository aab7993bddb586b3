// A whole state that agrees with what one seat has observed: what it cannot know is dealt at random.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "env/cards/shuffle.h"
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
    std::size_t count = 0;
    for (const auto& list : placed) count += list.size();
    if (unseen().size() + count != kCards) refuse_observation("a card lies in two places");
  }

  void read(int offset, std::uint8_t where, std::vector<Placed>& list) const {
    for (int card = 0; card < kCards; ++card) {
      const float value = data[static_cast<std::size_t>(offset + card)];
      if (value == 0) continue;
      const float street = std::round(value * 5);
      if (!(street >= 1 && street <= 5)) refuse_observation(fmt::format("{} is no street", static_cast<double>(value)));
      list.push_back({static_cast<int>(street) - 1, static_cast<Card>(card), where});
    }
  }

  std::vector<Card> unseen() const {
    CardSet seen = 0;
    for (const auto& list : placed)
      for (const Placed& p : list) seen |= bit(p.card);
    std::vector<Card> cards;
    for_each(kFullDeck & ~seen, [&](Card card) { cards.push_back(card); });
    return cards;
  }
};

// Cards of one seat in the order of dealing. Completed turns are also played on the board; the current one is left to
// take_turns.
void State::fill_seat(Reader& reader, int rel, std::vector<Card>& unseen) {
  const Seat owner = (reader.view.me + rel) % rules_->players;
  const auto o = at(owner);
  const bool fantasyland = fantasyland_[o];
  std::vector<Placed>& cards = reader.placed[at(rel)];
  const auto draw = [&] {
    if (unseen.empty()) refuse_observation("too many cards are placed");
    const Card card = unseen.back();
    unseen.pop_back();
    return card;
  };
  std::array<int, kStreets> count{};
  for (const Placed& p : cards) ++count[static_cast<std::size_t>(p.street)];
  // What the others discarded is missing from their turns.
  if (fantasyland) {
    if (rel != 0 && !cards.empty())
      while (static_cast<int>(cards.size()) < rules_->fantasyland_cards) cards.push_back({0, draw(), kToDiscard});
    count[0] = static_cast<int>(cards.size());
  } else if (rel != 0) {
    for (int street = 1; street < kStreets; ++street)
      if (count[at(street)] == 2) {
        cards.push_back({street, draw(), kToDiscard});
        ++count[at(street)];
      }
  }
  int known = 0;
  for (int street = 0; street < (fantasyland ? 1 : kStreets); ++street) {
    const int full = fantasyland ? rules_->fantasyland_cards
                                 : kDealtCards[at(street)] - (street > 0 ? kDealtCards[at(street - 1)] : 0);
    if (count[at(street)] == 0) break;
    if (count[at(street)] != full)
      refuse_observation(fmt::format("street {} of a player has {} cards", street, count[at(street)]));
    known += full;
  }
  if (known != static_cast<int>(cards.size())) refuse_observation("cards are placed on streets that were not reached");
  std::sort(cards.begin(), cards.end(), by_deal);
  for (std::size_t i = 0; i < kMaxHand; ++i) card_[o][i] = i < cards.size() ? cards[i].card : draw();
  sort_turns(owner, known);
  const bool open_turn = std::any_of(cards.begin(), cards.end(), [](const Placed& p) { return p.where == kInHand; });
  for (const Placed& p : cards) {
    if (open_turn && p.street == cards.back().street) break;
    if (p.where == kInHand) refuse_observation("cards of a turn that is over are still in hand");
    if (p.where == kToDiscard && discarded(owner) == kMaxHand - kBoardCards)
      refuse_observation("too many cards are discarded");
    if (p.where == kToDiscard && discarded(owner) == (fantasyland ? rules_->fantasyland_cards - kBoardCards : p.street))
      refuse_observation("too many cards are discarded");
    if (p.where != kToDiscard && ((open_[o] >> p.where) & 1) == 0)
      refuse_observation(fmt::format("too many cards in the {}", kRowNames[p.where]));
    move_next_card(owner, p.where);
  }
}

// Sorts the cards of the turns that begin with the card `known` or later.
void State::sort_turns(Seat owner, int known) {
  const auto sort = [&](int begin, int end) {
    if (begin >= known) std::sort(card_[at(owner)].begin() + begin, card_[at(owner)].begin() + end);
  };
  if (fantasyland_[at(owner)]) {
    sort(0, rules_->fantasyland_cards);
    return;
  }
  for (int begin = 0; const int end : kDealtCards) {
    sort(begin, end);
    begin = end;
  }
}

// Brings the turn to where it stands: what others did unseen, in Fantasyland or before an observer who is there, is
// done at random; own cards of this turn are replayed.
void State::take_turns(const Reader& reader, RandomStream& rng) {
  const View& view = reader.view;
  const Seat turn = (view.me + view.turn) % rules_->players;
  if (!acts(turn)) refuse_observation("the player to act does not act on this street");
  std::vector<Seat> order;  // who acts on this street
  for (Seat seat = dealer_; static_cast<int>(order.size()) < acting_players();)
    order.push_back(seat = next_acting(seat));
  const auto position = std::find(order.begin(), order.end(), turn);
  for (Seat other = 0; other < rules_->players; ++other) {
    const bool has_acted = street_ > 0 || std::find(order.begin(), position, other) != position;
    if (out_[at(other)] || !has_acted || moved_[at(other)] != 0) continue;
    start_turn(other);
    while (legal_ != 0) {
      unsigned mask = legal_;
      for (auto pick = rng.below(static_cast<std::uint32_t>(std::popcount(mask))); pick > 0; --pick) mask &= mask - 1;
      play_card(std::countr_zero(mask));
    }
  }
  turns_left_ = static_cast<std::int8_t>(order.end() - position);
  start_turn(turn);
  if (view.turn != 0) return;
  const std::vector<Placed>& own = reader.placed[0];
  if (static_cast<int>(own.size()) != dealt(turn))
    refuse_observation("the player to act has not got the cards of this street");
  const auto open = std::count_if(own.begin(), own.end(), [](const Placed& p) { return p.where == kInHand; });
  const int done = dealt(turn) - moved_[at(turn)] - static_cast<int>(open);
  for (int i = 0; i < done; ++i) {
    const Action action = own[moved_[at(turn)]].where;
    if (((legal_ >> action) & 1) == 0) refuse_observation("cards of this turn lie where they may not");
    play_card(action);
  }
  if (places_left_ != view.places_left || discards_left_ != view.discards_left)
    refuse_observation("the turn does not add up");
}

State::Sampler::Sampler(const Rules& rules, std::span<const float> observation)
    : rules_(&rules), observation_(observation.begin(), observation.end()) {
  RandomStream rng(0);
  draw(rng);
}

State State::sample_state(const Rules& rules, std::span<const float> observation, RandomStream& rng) {
  Reader reader(rules, observation);
  const View& view = reader.view;
  const int n = rules.players;
  State state;
  state.rules_ = &rules;
  state.seed_ = rng.bits64();
  state.dealer_ = static_cast<std::int8_t>((view.me + view.dealer) % n);
  state.street_ = static_cast<std::int8_t>(view.street);
  state.open_.fill(7);
  const ObservationParts part(n);
  state.hands_finished_ = count_of(reader.data[at(part.hands)], kHandsScale);
  for (int rel = 0; rel < n; ++rel) {
    const auto o = at((view.me + rel) % n);
    state.fantasyland_[o] = view.fantasyland[at(rel)];
    state.out_[o] = view.out[at(rel)];
    if (rules.episode != Episode::kMatch) continue;
    state.points_[o] = count_of(reader.data[at(part.points + rel)], n * rules.start_points);
    state.return_[o] = state.points_[o] - rules.start_points;
  }
  if (view.turn >= 0 && (state.live_players() < 2 || view.out[at(view.turn)]))
    refuse_observation("the player to act is out");
  std::vector<Card> unseen = reader.unseen();
  shuffle_first(std::span<Card>(unseen), unseen.size(), rng);
  for (int rel = 0; rel < n; ++rel) state.fill_seat(reader, rel, unseen);
  if (view.turn < 0)
    state.street_ = kStreets;
  else
    state.take_turns(reader, rng);
  if (!state.valid()) refuse_observation("the position cannot occur");
  return state;
}

}  // namespace dealer::ofc
