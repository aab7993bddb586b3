#include "env/games/ofc/state.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "env/cards/shuffle.h"

namespace dealer::ofc {
namespace {

constexpr std::array<Card, kCards> kNewDeck = [] {
  std::array<Card, kCards> deck{};
  for (std::size_t i = 0; i < kCards; ++i) deck[i] = static_cast<Card>(i);
  return deck;
}();

void order(Card& a, Card& b) {
  const Card low = std::min(a, b), high = std::max(a, b);
  a = low;
  b = high;
}

void sort3(Card* c) {
  order(c[0], c[1]);
  order(c[1], c[2]);
  order(c[0], c[1]);
}

void sort5(Card* c) {
  order(c[0], c[1]);
  order(c[3], c[4]);
  order(c[2], c[4]);
  order(c[2], c[3]);
  order(c[1], c[4]);
  order(c[0], c[3]);
  order(c[0], c[2]);
  order(c[1], c[3]);
  order(c[1], c[2]);
}

}  // namespace

void State::deal_hand() {
  RandomStream rng(seed_, static_cast<std::uint64_t>(hands_finished_));
  std::array<Card, kCards> deck = kNewDeck;
  const auto players = static_cast<std::size_t>(rules_->players);
  shuffle_first(std::span<Card>(deck), players * kMaxHand, rng);
  for (std::size_t s = 0; s < players; ++s) {
    std::copy_n(deck.begin() + s * kMaxHand, kMaxHand, card_[s].begin());
    sort_turns(static_cast<Seat>(s), 0);
  }
  board_ = {};
  slot_ = {};
  discard_ = {};
  moved_ = {};
  placed_ = {};
  open_.fill(7);
  street_ = 0;
  turns_left_ = static_cast<std::int8_t>(acting_players());
  start_turn(next_acting(dealer_));
}

// Turns that begin with the seat's card `from` or later.
void State::sort_turns(Seat seat, int from) {
  auto& cards = card_[at(seat)];
  if (in_fantasyland(seat)) {
    if (from == 0) std::sort(cards.begin(), cards.begin() + fantasyland_[at(seat)]);
    return;
  }
  if (from == 0) sort5(cards.data());
  for (std::size_t i = std::max<std::size_t>(5, static_cast<std::size_t>(from)); i < kMaxHand; i += 3) sort3(&cards[i]);
}

int State::unseen_cards() const {
  int left = kCards;
  for (Seat seat = 0; seat < rules_->players; ++seat) left -= received(seat);
  return left;
}

void State::resample_future(RandomStream& rng) {
  seed_ = rng.bits64();
  CardSet left = kFullDeck;
  for (Seat seat = 0; seat < rules_->players; ++seat)
    for (int i = 0; i < received(seat); ++i) left &= ~bit(card_[at(seat)][static_cast<std::size_t>(i)]);
  std::array<Card, kCards> deck{};
  std::size_t count = 0, next = 0;
  for_each(left, [&](Card card) { deck[count++] = card; });
  shuffle_first(std::span(deck).first(count), count, rng);
  for (Seat seat = 0; seat < rules_->players; ++seat) {
    for (std::size_t i = static_cast<std::size_t>(received(seat)); i < kMaxHand; ++i) card_[at(seat)][i] = deck[next++];
    sort_turns(seat, received(seat));
  }
}

int State::live_players() const {
  int live = 0;
  for (int seat = 0; seat < rules_->players; ++seat) live += out_[at(seat)] ? 0 : 1;
  return live;
}

Seat State::next_live(Seat seat) const {
  do seat = seat + 1 == rules_->players ? 0 : seat + 1;
  while (out_[at(seat)]);
  return seat;
}

int State::acting_players() const {
  int acting = 0;
  for (int seat = 0; seat < rules_->players; ++seat) acting += acts(seat) ? 1 : 0;
  return acting;
}

Seat State::next_acting(Seat seat) const {
  do seat = seat + 1 == rules_->players ? 0 : seat + 1;
  while (!acts(seat));
  return seat;
}

// Number of cards dealt to the seat so far.
int State::dealt(Seat seat) const {
  if (in_fantasyland(seat)) return fantasyland_[at(seat)];
  return kDealtCards[static_cast<std::size_t>(std::min<int>(street_, kStreets - 1))];
}

bool State::turn_complete(Seat seat) const { return moved_[at(seat)] == dealt(seat); }

void State::start_turn(Seat seat) {
  const auto s = at(seat);
  turn_ = static_cast<std::int8_t>(seat);
  const int discards = in_fantasyland(seat) ? fantasyland_[s] - kBoardCards : (street_ > 0 ? 1 : 0);
  discards_left_ = static_cast<std::uint8_t>(discards);
  places_left_ = static_cast<std::uint8_t>(dealt(seat) - moved_[s] - discards);
  legal_ = static_cast<std::uint8_t>((discards > 0 ? 1U << kToDiscard : 0U) | open_[s]);
}

void State::move_next_card(Seat seat, Action to) {
  const auto s = at(seat);
  const Card card = card_[s][moved_[s]];
  if (to == kToDiscard) {
    discard_[s][static_cast<std::size_t>(discarded(seat))] = card;
  } else {
    const auto row = static_cast<std::size_t>(to);
    CardSet& cards = board_[s].row[row];
    cards |= bit(card);
    if (size(cards) == kRowSize[row]) open_[s] = static_cast<std::uint8_t>(open_[s] & ~(1U << row));
    slot_[s][placed_[s]++] = static_cast<std::uint8_t>(to * kCards + card);
  }
  ++moved_[s];
}

void State::play_card(Action action) {
  move_next_card(turn_, action);
  const bool discards = action == kToDiscard;
  discards_left_ = static_cast<std::uint8_t>(discards_left_ - (discards ? 1 : 0));
  places_left_ = static_cast<std::uint8_t>(places_left_ - (discards ? 0 : 1));
  legal_ = static_cast<std::uint8_t>((discards_left_ > 0 ? 1U << kToDiscard : 0U) |
                                     (places_left_ > 0 ? open_[at(turn_)] : 0U));
}

void State::apply(Action action) {
  apply_and_hold(action);
  if (hand_over() && !episode_over()) deal_next();
}

void State::next_hand() {
  reward_ = {};
  deal_next();
}

void State::apply_and_hold(Action action) {
  reward_ = {};
  play_card(action);
  while ((legal_ & (legal_ - 1)) == 0) {
    if (legal_ == 0) {
      next_turn();
      return;
    }
    play_card(std::countr_zero(legal_));
  }
}

void State::next_turn() {
  if (--turns_left_ > 0) {
    start_turn(next_acting(turn_));
    return;
  }
  ++street_;
  turns_left_ = static_cast<std::int8_t>(street_ == kStreets ? 0 : acting_players());
  if (turns_left_ == 0)
    finish_hand();
  else
    start_turn(next_acting(dealer_));
}

int State::multiplier() const {
  if (rules_->episode != Episode::kMatch || rules_->multiplier_every == 0) return 1;
  return 1 + (hands_finished_ - (hand_over() ? 1 : 0)) / rules_->multiplier_every;
}

State::Points State::settle(const Points& net, const Points& before) const {
  if (rules_->episode != Episode::kMatch) return net;
  Points won{};
  std::int64_t pot = 0;
  for (std::size_t s = 0; s < kMaxSeats; ++s) {
    const std::int64_t pays = std::clamp<std::int64_t>(-net[s], 0, before[s]);
    won[s] = -pays;
    pot += pays;
  }
  Seat seat = dealer_;
  for (int i = 0; i < rules_->players; ++i) {
    seat = seat + 1 == rules_->players ? 0 : seat + 1;
    if (net[at(seat)] <= 0) continue;
    won[at(seat)] = std::min(net[at(seat)], pot);
    pot -= won[at(seat)];
  }
  return won;
}

HandRecord State::compare_boards(Points& net) const {
  HandRecord record{};
  record.dealer = dealer_;
  std::array<BoardValue, kMaxSeats> value;
  for (int seat = 0; seat < rules_->players; ++seat) {
    if (!board_[at(seat)].complete()) continue;
    BoardValue& v = value[at(seat)];
    v = evaluate(board_[at(seat)], rules_->scoring);
    record.played[seat] = true;
    record.board[seat] = board_[at(seat)];
    record.royalties[seat] = v.total();
    record.foul[seat] = v.foul;
    record.fantasyland[seat] = fantasyland_[at(seat)];
    record.next[seat] = in_fantasyland(seat) ? v.stays : v.fantasyland;
  }
  net = {};
  const int factor = multiplier();
  for (int a = 0; a < rules_->players; ++a) {
    for (int b = a + 1; b < rules_->players; ++b) {
      if (!record.played[a] || !record.played[b]) continue;
      const PairScore pair = pair_score(value[at(a)], value[at(b)], rules_->scoring.bonus);
      const std::int64_t points = std::int64_t{factor} * pair.total();
      net[at(a)] += points;
      net[at(b)] -= points;
      const int scoop = (pair.scoop > 0) - (pair.scoop < 0);
      record.scoops[a] = static_cast<std::int8_t>(record.scoops[a] + scoop);
      record.scoops[b] = static_cast<std::int8_t>(record.scoops[b] - scoop);
    }
  }
  return record;
}

void State::finish_hand() {
  const bool match = rules_->episode == Episode::kMatch;
  Points net, before{};
  last_ = compare_boards(net);
  std::copy(points_.begin(), points_.end(), before.begin());
  const Points won = settle(net, before);
  for (std::size_t s = 0; s < kMaxSeats; ++s) {
    last_.points[s] = reward_[s] = static_cast<std::int32_t>(won[s]);
    return_[s] += won[s];
    if (match) points_[s] += reward_[s];
  }
  for (int seat = 0; match && seat < rules_->players; ++seat) out_[at(seat)] = points_[at(seat)] == 0;
  ++hands_finished_;
  turn_ = kTerminal;
  street_ = kStreets;
}

void State::deal_next() {
  move_button();
  deal_hand();
}

// Sets the players in Fantasyland in the next hand, and its dealer.
void State::move_button() {
  // A player who is out does not enter, whatever the board.
  bool stay_button = false;
  for (int seat = 0; seat < rules_->players; ++seat) {
    fantasyland_[at(seat)] = out_[at(seat)] ? std::uint8_t{0} : last_.next[seat];
    stay_button |= in_fantasyland(seat);
  }
  if (!stay_button || out_[at(dealer_)]) dealer_ = static_cast<std::int8_t>(next_live(dealer_));
}

bool State::episode_over() const {
  switch (rules_->episode) {
    case Episode::kHand:
      return true;
    case Episode::kChain:
      return std::none_of(last_.next, last_.next + rules_->players, [](std::uint8_t next) { return next != 0; });
    case Episode::kMatch:
      break;
  }
  const int live = live_players();
  return rules_->is_tournament() || live < 2 || (rules_->first_out_ends && live < rules_->players) ||
         (rules_->match_hands > 0 && hands_finished_ >= rules_->match_hands);
}

CardSet State::hand(Seat seat) const {
  CardSet cards = 0;
  if (turn_ == kTerminal || out_[at(seat)]) return cards;
  for (int i = moved_[at(seat)]; i < dealt(seat); ++i) cards |= bit(card_[at(seat)][static_cast<std::size_t>(i)]);
  return cards;
}

CardSet State::discards(Seat seat) const {
  CardSet cards = 0;
  for (int i = 0; i < discarded(seat); ++i) cards |= bit(discard_[at(seat)][static_cast<std::size_t>(i)]);
  return cards;
}

// Number of the owner's placed cards that the observer sees: the others' only once their turn is over, a Fantasyland
// player's only at the showdown. A Fantasyland player sees no boards before setting its own hand.
int State::shown(Seat owner, Seat observer) const {
  if (owner == observer || turn_ == kTerminal) return placed_[at(owner)];
  if (in_fantasyland(owner) || (in_fantasyland(observer) && !turn_complete(observer))) return 0;
  if (owner == turn_) return street_ == 0 ? 0 : kPlacedCards[static_cast<std::size_t>(street_ - 1)];
  return placed_[at(owner)];
}

View State::view(Seat seat) const {
  View view;
  view.players = rules_->players;
  view.me = seat;
  for (int rel = 0; rel < rules_->players; ++rel) {
    const Seat owner = (seat + rel) % rules_->players;
    const auto r = at(rel);
    view.fantasyland[r] = fantasyland_[at(owner)];
    view.out[r] = out_[at(owner)];
    const int count = shown(owner, seat);
    if (count == placed_[at(owner)]) {
      view.board[r] = board_[at(owner)];
      continue;
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      const int slot = slot_[at(owner)][i];
      view.board[r].row[static_cast<std::size_t>(slot / kCards)] |= bit(static_cast<Card>(slot % kCards));
    }
  }
  view.discards = discards(seat);
  view.hand = hand(seat);
  view.dealer = (dealer_ - seat + rules_->players) % rules_->players;
  view.turn = turn_ == kTerminal ? -1 : (turn_ - seat + rules_->players) % rules_->players;
  view.street = std::min<int>(street_, kStreets - 1);
  view.places_left = turn_ == seat ? places_left_ : 0;
  view.discards_left = turn_ == seat ? discards_left_ : 0;
  return view;
}

Statistics State::statistics(Seat seat) const {
  const auto s = at(seat);
  const double played = last_.played[s] ? 1 : 0;
  const double normal = last_.played[s] && last_.fantasyland[s] == 0 ? 1 : 0;
  const double fantasyland = played - normal;
  const auto when = [](bool condition) { return condition ? 1.0 : 0.0; };
  const bool anybody = std::any_of(std::begin(last_.fantasyland), std::end(last_.fantasyland), std::identity());
  const double against = normal * when(anybody);
  return {{"foul_rate", when(last_.foul[s]) * normal, normal},
          {"foul_rate_vs_fantasyland", when(last_.foul[s]) * against, against},
          {"fantasyland_rate", when(last_.next[s] != 0) * normal, normal},
          {"fantasyland_stay_rate", when(last_.next[s] != 0) * fantasyland, fantasyland},
          {"fantasyland_hands", fantasyland, played},
          {"royalties", static_cast<double>(last_.royalties[s]), played},
          {"royalties_normal", normal * last_.royalties[s], normal},
          {"royalties_fantasyland", fantasyland * last_.royalties[s], fantasyland},
          {"scoops", std::max<double>(0, last_.scoops[s]), played},
          {"scooped", std::max<double>(0, -last_.scoops[s]), played}};
}

}  // namespace dealer::ofc
