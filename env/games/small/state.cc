#include "env/games/small/state.h"

#include <algorithm>

#include "env/cards/shuffle.h"

namespace dealer::small {

State State::start(const Rules& rules) {
  State state;
  state.rules_ = &rules;
  return state;
}

void State::reset(const Rules& rules, std::uint64_t seed) {
  rules_ = &rules;
  seed_ = seed;
  Deal space;
  const Deal& deal = rules.deal(seed, space);
  deck_ = deal.cards;
  winner_ = deal.winner;
  dealt_ = {};
  const auto hand = static_cast<std::size_t>(rules.options().hand);
  for (std::size_t i = 0; i < hand; ++i) {
    dealt_[0] |= bit(deal.cards[i]);
    dealt_[1] |= bit(deal.cards[hand + i]);
  }
  discarded_ = drawn_ = {};
  walked_ = 0;
  enter(rules.tree().first_decision());
}

// In the order of the deck.
int State::known() const {
  const Node& where = node();
  const int drawn =
      (where.drawn[0] ? where.discarded[0] : 0) + (where.drawn[1] ? where.discarded[1] - rules_->recycled(where) : 0);
  return kSeats * rules_->options().hand + (where.board ? 1 : 0) + drawn;
}

int State::unseen_cards() const { return std::max(0, rules_->dealt() - known()); }

void State::resample_future(RandomStream& rng) {
  seed_ = rng.bits64();
  if (unseen_cards() == 0) return;
  const auto known = static_cast<std::size_t>(this->known()), all = static_cast<std::size_t>(rules_->dealt());
  CardSet left = rules_->deck();
  for (std::size_t i = 0; i < known; ++i) left &= ~bit(deck_[i]);
  std::array<Card, kCards> cards{};
  std::size_t count = 0;
  for_each(left, [&](Card card) { cards[count++] = card; });
  shuffle_first(std::span(cards).first(count), all - known, rng);
  std::copy_n(cards.begin(), all - known, deck_.begin() + static_cast<std::ptrdiff_t>(known));
  if (rules_->options().variant != Variant::kDraw) winner_ = rules_->winner(hand(0), hand(1), board());
}

void State::apply_to_cards(Action action) {
  const Node& from = node();
  if (from.turn == kChance) {
    give(action);
    return enter(from.next[1][0]);
  }
  const std::uint16_t next = from.next[walked_][static_cast<std::size_t>(action)];
  if (action == kDiscard) discarded_[from.seat] |= bit(next_card());
  const Node& to = rules_->tree().node(next);
  if (to.kind != Kind::kDealDraw || walked_ != 0) return enter(next);
  drawn_[to.seat] = drawn_from_deck(to.seat);
  enter(to.next[0][0]);
}

void State::give(Action number) {
  const Node& where = node();
  const ChanceMove from = chance_move();
  const CardSet cards = numbered_set(number, from.count + size(from.certain));
  if (where.kind == Kind::kDealBoard)
    deck_[kSeats] = lowest(cards);
  else
    (where.kind == Kind::kDealHand ? dealt_ : drawn_)[where.seat] = cards;
}

// Number of cards in the stock when seat 1 draws.
int State::stock_left() const { return rules_->options().cards() - kSeats * rules_->options().hand - discard_count(0); }

// The cards the seat draws: from the top of the stock, then, for the second player, the first player's discards in the
// order of the deal. That order is random and appears in no observation.
CardSet State::drawn_from_deck(Seat seat) const {
  const auto hand = static_cast<std::size_t>(rules_->options().hand);
  int wanted = discard_count(seat);
  int stock = seat == 0 ? wanted : stock_left();
  std::size_t from = kSeats * hand + static_cast<std::size_t>(seat == 0 ? 0 : discard_count(0));
  CardSet cards = 0;
  for (; wanted > 0 && stock > 0; --wanted, --stock) cards |= bit(deck_[from++]);
  for (std::size_t i = 0; wanted > 0 && i < hand; ++i) {
    if ((discarded_[0] & bit(deck_[i])) == 0) continue;
    cards |= bit(deck_[i]);
    --wanted;
  }
  return cards;
}

State::ChanceMove State::chance_move() const {
  const Node& where = node();
  const CardSet stock = rules_->deck() & ~(dealt_[0] | dealt_[1] | drawn_[0] | drawn_[1]);
  switch (where.kind) {
    case Kind::kDealHand:
      return {0, stock, rules_->options().hand};
    case Kind::kDealBoard:
      return {0, stock, 1};
    default:
      break;
  }
  const int wanted = discard_count(where.seat);
  if (wanted <= size(stock)) return {0, stock, wanted};
  return {stock, discarded_[0], wanted - size(stock)};
}

std::vector<ChanceOutcome> State::chance_outcomes() const {
  std::vector<ChanceOutcome> outcomes;
  if (turn_ != kChance) return outcomes;
  const ChanceMove from = chance_move();
  std::vector<CardSet> sets = {0};
  for (int i = 0; i < from.count; ++i) {
    std::vector<CardSet> larger;
    for (const CardSet set : sets)
      for_each(from.among, [&](Card card) {
        if (bit(card) > set) larger.push_back(set | bit(card));
      });
    sets.swap(larger);
  }
  for (const CardSet set : sets)
    outcomes.push_back({set_number(set | from.certain), 1 / static_cast<double>(sets.size())});
  return outcomes;
}

// The lowest card in hand not yet decided upon: only for a player who decides about its cards one by one.
Card State::next_card() const {
  CardSet cards = dealt_[node().seat];
  for (int step = node().step; step > 0; --step) cards &= cards - 1;
  return lowest(cards);
}

CardSet State::shown(Seat seat) const { return node().kind == Kind::kShowdown ? hand(1 - seat) : 0; }

Statistics State::statistics(Seat seat) const {
  const bool showdown = node().kind == Kind::kShowdown;
  const auto when = [](bool condition) { return condition ? 1.0 : 0.0; };
  return {{"showdown_rate", when(showdown), 1},
          {"fold_rate", when(!showdown && node().seat == seat), 1},
          {"showdown_win_rate", when(showdown && return_of(seat) > 0), when(showdown)}};
}

// Checks that a state read from bytes can occur. Everything except the deck, the discarded cards and the node follows
// from these. The seed is unused once the cards are dealt, so any is valid.
bool State::valid() const {
  if (walked_ != 0 || node_ >= rules_->tree().nodes().size()) return false;
  const Node& where = node();
  if (where.turn == kChance || turn_ != where.turn || legal_ != where.legal) return false;
  const auto count = static_cast<std::size_t>(rules_->dealt()), each = static_cast<std::size_t>(rules_->options().hand);
  CardSet cards = 0;
  std::array<CardSet, kSeats> dealt{};
  for (std::size_t i = 0; i < deck_.size(); ++i) {
    if (i >= count ? deck_[i] != 0 : deck_[i] >= rules_->options().cards() || (cards & bit(deck_[i])) != 0)
      return false;
    if (i < count) cards |= bit(deck_[i]);
    if (i < kSeats * each) dealt[i / each] |= bit(deck_[i]);
  }
  if (dealt != dealt_) return false;
  for (Seat seat = 0; seat < kSeats; ++seat) {
    if ((discarded_[at(seat)] & ~dealt_[at(seat)]) != 0 || discard_count(seat) != where.discarded[at(seat)])
      return false;
    if (drawn_[at(seat)] != (where.drawn[at(seat)] ? drawn_from_deck(seat) : 0)) return false;
  }
  // In the middle of a draw only cards decided upon are discarded.
  if (where.kind == Kind::kDraw && (discarded_[where.seat] & ~(bit(next_card()) - 1)) != 0) return false;
  const bool draw = rules_->options().variant == Variant::kDraw;
  if (winner_ != (draw && where.kind != Kind::kShowdown ? 0 : rules_->winner(hand(0), hand(1), board()))) return false;
  return gain_ == where.gain + winner_ * where.stake;
}

}  // namespace dealer::small
