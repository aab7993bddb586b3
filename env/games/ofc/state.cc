#include "env/games/ofc/state.h"

#include <algorithm>
#include <utility>

#include "env/games/ofc/observation_parts.h"

namespace dealer::ofc {
namespace {

// The stream of a seed from which the first dealer is drawn; hand h is dealt from stream h.
constexpr std::uint64_t kDealerStream = ~std::uint64_t{0};

void order(Card& a, Card& b) {
  const Card low = std::min(a, b), high = std::max(a, b);
  a = low;
  b = high;
}

}  // namespace

void State::reset(const Rules& rules, std::uint64_t seed) {
  RandomStream rng(seed, kDealerStream);
  deal(rules, seed, {}, static_cast<int>(rng.below(static_cast<std::uint32_t>(rules.players))));
}

void State::deal(const Rules& rules, std::uint64_t seed, const std::array<bool, kMaxSeats>& fantasyland, int dealer) {
  rules_ = &rules;
  seed_ = seed;
  fantasyland_ = fantasyland;
  out_ = {};
  dealer_ = static_cast<std::int8_t>(dealer);
  hands_finished_ = 0;
  reward_ = {};
  return_ = {};
  last_ = {};
  points_ = {};
  for (int seat = 0; seat < rules.players; ++seat)
    points_[at(seat)] = rules.episode == Episode::kMatch ? rules.start_points : 0;
  deal_hand();
}

void State::deal_hand() {
  RandomStream rng(seed_, static_cast<std::uint64_t>(hands_finished_));
  std::array<Card, kCards> deck;
  for (std::size_t i = 0; i < kCards; ++i) deck[i] = static_cast<Card>(i);
  std::uint32_t next = 0;
  for (int seat = 0; seat < rules_->players; ++seat) {
    auto& cards = card_[at(seat)];
    for (std::size_t i = 0; i < kMaxHand; ++i, ++next) {
      std::swap(deck[next], deck[next + rng.below(kCards - next)]);
      cards[i] = deck[next];
    }
    if (fantasyland_[at(seat)]) {
      std::sort(cards.begin(), cards.begin() + rules_->fantasyland_cards);
    } else {
      std::sort(cards.begin(), cards.begin() + 5);
      for (std::size_t i = 5; i < kMaxHand; i += 3) {
        order(cards[i], cards[i + 1]);
        order(cards[i + 1], cards[i + 2]);
        order(cards[i], cards[i + 1]);
      }
    }
  }
  board_ = {};
  where_ = {};
  moved_ = {};
  fill_ = {};
  street_ = 0;
  turns_left_ = static_cast<std::int8_t>(live_players());
  start_turn(next_live(dealer_));
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

// Cards the seat has been given so far.
int State::dealt(Seat seat) const {
  if (fantasyland_[at(seat)]) return rules_->fantasyland_cards;
  return kDealtCards[static_cast<std::size_t>(std::min<int>(street_, 4))];
}

bool State::turn_complete(Seat seat) const { return moved_[at(seat)] == dealt(seat); }

void State::start_turn(Seat seat) {
  turn_ = static_cast<std::int8_t>(seat);
  const int cards = dealt(seat) - moved_[at(seat)];
  const int discards = fantasyland_[at(seat)] ? rules_->fantasyland_cards - kBoardCards : (street_ > 0 ? 1 : 0);
  places_left_ = static_cast<std::uint8_t>(cards - discards);
  discards_left_ = static_cast<std::uint8_t>(discards);
  legal_ = 7;
  if (street_ > 0 || fantasyland_[at(seat)]) {
    legal_ = discards > 0 ? 8 : 0;
    for (std::size_t row = 0; row < 3; ++row)
      legal_ |= fill_[at(seat)][row] < kRowSize[row] ? std::uint64_t{1} << row : 0;
  }
}

void State::place(Seat seat, Action action) {
  const auto s = at(seat);
  const std::size_t index = moved_[s]++;
  where_[s][index] = static_cast<std::uint8_t>(action);
  if (action == kToDiscard) {
    --discards_left_;
  } else {
    const auto row = static_cast<std::size_t>(action);
    board_[s].row[row] |= bit(card_[s][index]);
    ++fill_[s][row];
    --places_left_;
  }
  legal_ = discards_left_ > 0 ? 8 : 0;
  if (places_left_ > 0) {
    for (std::size_t row = 0; row < 3; ++row) legal_ |= fill_[s][row] < kRowSize[row] ? std::uint64_t{1} << row : 0;
  }
}

void State::apply(Action action) {
  const Seat seat = turn_;
  reward_ = {};
  place(seat, action);
  while (places_left_ + discards_left_ > 0) {
    if ((legal_ & (legal_ - 1)) != 0) return;
    place(seat, std::countr_zero(legal_));
  }
  next_turn();
}

void State::next_turn() {
  if (--turns_left_ > 0) {
    Seat seat = next_live(turn_);
    while (street_ > 0 && fantasyland_[at(seat)]) seat = next_live(seat);
    start_turn(seat);
    return;
  }
  int normal = 0;
  for (int seat = 0; seat < rules_->players; ++seat) normal += out_[at(seat)] || fantasyland_[at(seat)] ? 0 : 1;
  ++street_;
  if (street_ == 5 || normal == 0) {
    finish_hand();
    return;
  }
  turns_left_ = static_cast<std::int8_t>(normal);
  Seat seat = next_live(dealer_);
  while (fantasyland_[at(seat)]) seat = next_live(seat);
  start_turn(seat);
}

int State::multiplier() const {
  if (rules_->episode != Episode::kMatch || rules_->multiplier_every == 0) return 1;
  return 1 + hands_finished_ / rules_->multiplier_every;
}

// Pays what each seat won or lost; in a match nobody pays more than they have (docs/rules, section 3).
void State::settle(const std::array<int, kMaxSeats>& net) {
  if (rules_->episode != Episode::kMatch) {
    for (int seat = 0; seat < rules_->players; ++seat) reward_[at(seat)] = net[at(seat)];
  } else {
    int paid = 0;
    for (int seat = 0; seat < rules_->players; ++seat) {
      if (net[at(seat)] >= 0) continue;
      const int pays = std::min(-net[at(seat)], points_[at(seat)]);
      reward_[at(seat)] = -pays;
      paid += pays;
    }
    Seat seat = dealer_;
    for (int i = 0; i < rules_->players; ++i) {
      seat = seat + 1 == rules_->players ? 0 : seat + 1;
      if (net[at(seat)] <= 0) continue;
      reward_[at(seat)] = std::min(net[at(seat)], paid);
      paid -= reward_[at(seat)];
    }
  }
  for (int seat = 0; seat < rules_->players; ++seat) {
    points_[at(seat)] += reward_[at(seat)];
    return_[at(seat)] += reward_[at(seat)];
    last_.points[seat] = reward_[at(seat)];
  }
}

void State::finish_hand() {
  std::array<BoardValue, kMaxSeats> value;
  std::array<int, kMaxSeats> net{};
  last_ = {};
  bool stay_button = false;
  for (int seat = 0; seat < rules_->players; ++seat) {
    if (out_[at(seat)]) continue;
    BoardValue& v = value[at(seat)];
    v = evaluate(board_[at(seat)], rules_->scoring);
    last_.played[seat] = true;
    last_.board[seat] = board_[at(seat)];
    last_.royalties[seat] = static_cast<std::int16_t>(v.total());
    last_.foul[seat] = v.foul;
    last_.fantasyland[seat] = fantasyland_[at(seat)];
    last_.next[seat] = fantasyland_[at(seat)] ? v.stays : v.fantasyland;
    stay_button |= last_.next[seat];
  }
  const int factor = multiplier();
  for (int a = 0; a < rules_->players; ++a) {
    for (int b = a + 1; b < rules_->players; ++b) {
      if (out_[at(a)] || out_[at(b)]) continue;
      const PairScore pair = pair_score(value[at(a)], value[at(b)], rules_->scoring.bonus);
      const int points = factor * pair.total();
      net[at(a)] += points;
      net[at(b)] -= points;
      const int scoop = (pair.scoop > 0) - (pair.scoop < 0);
      last_.scoops[a] = static_cast<std::int8_t>(last_.scoops[a] + scoop);
      last_.scoops[b] = static_cast<std::int8_t>(last_.scoops[b] - scoop);
    }
  }
  settle(net);
  ++hands_finished_;
  turn_ = kTerminal;
  legal_ = 0;
  places_left_ = discards_left_ = 0;
  if (rules_->episode == Episode::kMatch) {
    for (int seat = 0; seat < rules_->players; ++seat) out_[at(seat)] = points_[at(seat)] == 0;
  }
  if (episode_over()) return;
  for (int seat = 0; seat < rules_->players; ++seat) fantasyland_[at(seat)] = last_.next[seat] && !out_[at(seat)];
  if (!stay_button || out_[at(dealer_)]) dealer_ = static_cast<std::int8_t>(next_live(dealer_));
  deal_hand();
}

bool State::episode_over() const {
  switch (rules_->episode) {
    case Episode::kHand:
      return true;
    case Episode::kChain:
      return !std::any_of(last_.next, last_.next + rules_->players, [](bool next) { return next; });
    case Episode::kMatch:
      break;
  }
  const int live = live_players();
  return live < 2 || (rules_->first_out_ends && live < rules_->players) ||
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
  for (std::size_t i = 0; i < moved_[at(seat)]; ++i)
    if (where_[at(seat)][i] == kToDiscard) cards |= bit(card_[at(seat)][i]);
  return cards;
}

// How many of the owner's moves the observer may see: the others' only once their turn is over, those of a player in
// Fantasyland only at the showdown.
int State::shown(Seat owner, Seat observer) const {
  const int moved = moved_[at(owner)];
  if (owner == observer || turn_ == kTerminal) return moved;
  if (fantasyland_[at(owner)]) return 0;
  if (owner == turn_) return street_ == 0 ? 0 : kDealtCards[static_cast<std::size_t>(street_ - 1)];
  return moved;
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
    if (out_[at(owner)]) continue;
    const auto count = static_cast<std::size_t>(shown(owner, seat));
    if (count == moved_[at(owner)]) {
      view.board[r] = board_[at(owner)];
    } else {
      for (std::size_t i = 0; i < count; ++i)
        if (where_[at(owner)][i] != kToDiscard) view.board[r].row[where_[at(owner)][i]] |= bit(card_[at(owner)][i]);
    }
  }
  view.discards = discards(seat);
  view.hand = hand(seat);
  view.dealer = (dealer_ - seat + rules_->players) % rules_->players;
  view.turn = turn_ == kTerminal ? -1 : (turn_ - seat + rules_->players) % rules_->players;
  view.street = std::min<int>(street_, 4);
  view.places_left = turn_ == seat ? places_left_ : 0;
  view.discards_left = turn_ == seat ? discards_left_ : 0;
  return view;
}

std::vector<Statistic> State::statistics(Seat seat) const {
  const auto s = at(seat);
  const double played = last_.played[s] ? 1 : 0;
  const double normal = last_.played[s] && !last_.fantasyland[s] ? 1 : 0;
  const double fantasyland = played - normal;
  const auto when = [](bool condition) { return condition ? 1.0 : 0.0; };
  return {{"foul_rate", when(last_.foul[s] && !last_.fantasyland[s]), normal},
          {"fantasyland_rate", when(last_.next[s] && !last_.fantasyland[s]), normal},
          {"fantasyland_stay_rate", when(last_.next[s] && last_.fantasyland[s]), fantasyland},
          {"fantasyland_hands", fantasyland, played},
          {"royalties", static_cast<double>(last_.royalties[s]), played},
          {"royalties_normal", normal * last_.royalties[s], normal},
          {"royalties_fantasyland", fantasyland * last_.royalties[s], fantasyland},
          {"scoops", std::max<double>(0, last_.scoops[s]), played},
          {"scooped", std::max<double>(0, -last_.scoops[s]), played}};
}

}  // namespace dealer::ofc
