// A seat's observation as numbers, and complete states that agree with it: unknown cards are drawn at random.
#include <algorithm>
#include <cstring>

#include "env/cards/shuffle.h"
#include "env/core/env_text.h"
#include "env/games/small/state.h"

namespace dealer::small {
namespace {

// A call of memcpy() is slower than the copy itself. Every observation has at least 16 numbers.
void copy_row(const float* from, int size, float* to) {
  constexpr int kBlock = 16;
  const auto copy = [&](int at) { std::memcpy(to + at, from + at, kBlock * sizeof(float)); };
  for (int at = 0; at + kBlock < size; at += kBlock) copy(at);
  copy(size - kBlock);
}

// Moves `count` random cards from a set to the result; the set must hold that many.
CardSet take(CardSet& from, int count, RandomStream& rng) {
  CardSet taken = 0;
  for (; count > 0; --count) {
    CardSet rest = from;
    for (auto skip = rng.below(static_cast<std::uint32_t>(size(from))); skip > 0; --skip) rest &= rest - 1;
    taken |= rest & (0 - rest);
    from &= ~taken;
  }
  return taken;
}

}  // namespace

ObservationSpec State::observation_spec(const Rules& rules) {
  const Options& options = rules.options();
  const int cards = options.cards();
  const bool leduc = options.variant == Variant::kLeduc, draw = options.variant == Variant::kDraw;
  ObservationSpec spec;
  spec.add("hand", {cards}, "1: own card as dealt at the start; cards suits * rank + suit, lowest rank first");
  if (leduc) spec.add("board", {cards}, "1: the card on the board; all 0 before it is dealt");
  if (draw) {
    spec.add("discarded", {cards}, "1: own card discarded");
    spec.add("drawn", {cards}, "1: own card drawn for one discarded");
    spec.add("next", {cards}, "1: the card that keep or discard is about; nothing otherwise");
  }
  spec.add("shown", {cards}, "1: card in the other player's hand at the showdown");
  spec.add("betting", {options.rounds, rules.parts().moves, kBettingMoves},
           "moves of each betting round in order, one-hot: fold, check or call, bet or raise");
  if (draw)
    spec.add("draws", {kSeats, options.hand + 1},
             "one-hot: how many cards the player has drawn, observer first; all 0 before the draw");
  spec.add("paid", {kSeats}, "chips in the pot / the most one player can put in, observer first");
  spec.add("turn", {kSeats}, "one-hot: the player to act, observer first; all 0 at the end");
  spec.add("seat", {kSeats}, "one-hot: seat of the observer; seat 0 acts first");
  return spec;
}

void State::observe(Seat seat, float* out) const {
  const Parts& part = rules_->parts();
  copy_row(rules_->tree().row(node_, seat), part.size, out);
  const auto write = [out](int offset, CardSet cards) { for_each(cards, [=](Card card) { out[offset + card] = 1; }); };
  const Node& where = node();
  write(part.hand, dealt_[at(seat)]);
  switch (rules_->options().variant) {
    case Variant::kKuhn:
      break;
    case Variant::kLeduc:
      out[part.board + board()] = where.board ? 1.0F : 0.0F;
      break;
    case Variant::kDraw:
      write(part.discarded, discarded_[at(seat)]);
      write(part.drawn, drawn_[at(seat)]);
      if (where.kind == Kind::kDraw && turn_ == seat) out[part.next + next_card()] = 1;
  }
  if (where.kind == Kind::kShowdown) write(part.shown, shown(seat));
}

State::Sampler::Sampler(const Rules& rules, std::span<const float> observation) : rules_(&rules) {
  if (observation.size() != static_cast<std::size_t>(rules.parts().size)) refuse_observation("wrong number of numbers");
  read_cards(observation);
  find_node(observation);
  check_cards();
  // Final check: an inconsistency that the earlier checks missed shows as a different observation.
  RandomStream rng(0);
  const State state = draw(rng);
  std::vector<float> again(observation.size());
  state.observe(me_, again.data());
  if (!state.valid() || !std::equal(again.begin(), again.end(), observation.begin()))
    refuse_observation("nothing of the kind can happen");
}

void State::Sampler::read_cards(std::span<const float> observation) {
  const Parts& part = rules_->parts();
  const auto read = [&](int offset) {
    CardSet set = 0;
    for (int card = 0; card < part.cards && offset >= 0; ++card) {
      const float value = observation[at(offset + card)];
      if (value == 1)
        set |= bit(static_cast<Card>(card));
      else if (value != 0)
        refuse_observation("a card is neither there nor not there");
    }
    return set;
  };
  hand_ = read(part.hand), board_ = read(part.board), shown_ = read(part.shown);
  discarded_ = read(part.discarded), drawn_ = read(part.drawn), next_ = read(part.next);
  me_ = observation[static_cast<std::size_t>(part.seat)] == 1 ? 0 : 1;
  unseen_ = rules_->deck() & ~(hand_ | drawn_ | board_ | shown_);
}

void State::Sampler::find_node(std::span<const float> observation) {
  const Tree& tree = rules_->tree();
  const auto found = tree.find(me_, observation.subspan(static_cast<std::size_t>(rules_->parts().history)));
  if (found.empty()) refuse_observation("the betting or drawing cannot have gone like that");
  node_ = found.front();
  // Only decisions about single cards give histories that look alike.
  const Node& first = tree.node(node_);
  if (first.kind != Kind::kDraw) return;
  other_draws_ = first.seat != me_;
  for (const std::uint16_t index : found)
    draw_node_[tree.node(index).step][tree.node(index).discarded[first.seat]] = index;
  if (other_draws_) return;
  const auto decided = static_cast<std::size_t>(size(hand_ & (next_ - 1)));
  const auto discarded = static_cast<std::size_t>(size(discarded_));
  if (size(next_) != 1 || decided >= kMaxHand || discarded > decided || draw_node_[decided][discarded] == 0)
    refuse_observation("the card to keep or discard does not fit the hand");
  node_ = draw_node_[decided][discarded];
}

void State::Sampler::check_cards() const {
  const Node& where = rules_->tree().node(node_);
  const int each = rules_->options().hand;
  if (size(hand_) != each || size(discarded_) != where.discarded[at(me_)] ||
      size(drawn_) != (where.drawn[at(me_)] ? where.discarded[at(me_)] : 0) || size(board_) != (where.board ? 1 : 0) ||
      size(shown_) != (where.kind == Kind::kShowdown ? each : 0) || (discarded_ & ~hand_) != 0)
    refuse_observation("the cards contradict the history of the hand");
  // A card discarded by the first player may come back in the hand of the second.
  const CardSet back = me_ == 0 ? shown_ & discarded_ : 0;
  if ((hand_ & drawn_) != 0 || (board_ & (hand_ | shown_)) != 0 || (shown_ & ~back & (hand_ | drawn_)) != 0)
    refuse_observation("a card lies in two places");
  if (me_ == 0 && shown_ != 0 && size(back) != rules_->recycled(where))
    refuse_observation("cards are shown that the other player cannot have");
}

State State::Sampler::draw(RandomStream& rng) {
  State state;
  state.rules_ = rules_;
  state.walked_ = 0;
  state.seed_ = rng.bits64();
  state.dealt_[at(me_)] = hand_;
  state.discarded_[at(me_)] = discarded_;
  state.drawn_[at(me_)] = drawn_;
  state.node_ = node_;
  const CardSet rest = me_ == 0 ? fill_second(state, rng) : fill_first(state, rng);
  const std::uint16_t node = other_draws_ ? enter_draw(state, rng) : node_;
  order_deck(state, rest, rng);
  if (rules_->options().variant != Variant::kDraw)
    state.winner_ = rules_->winner(state.dealt_[0], state.dealt_[1], state.board());
  state.enter(node);
  return state;
}

// Deals the other player a hand, discards and drawn cards; returns the cards left over. Every choice of these sets
// corresponds to the same number of deck orders, so all sets that agree are equally likely.
CardSet State::Sampler::fill_second(State& state, RandomStream& rng) const {
  const Node& where = state.node();
  const int recycled = rules_->recycled(where), drawn = where.drawn[1] ? where.discarded[1] : 0;
  CardSet unseen = unseen_;
  if (shown_ == 0) {
    CardSet dealt = state.dealt_[1] = take(unseen, rules_->options().hand, rng);
    CardSet own = discarded_;
    state.discarded_[1] = take(dealt, drawn, rng);
    state.drawn_[1] = take(own, recycled, rng) | take(unseen, drawn - recycled, rng);
    return unseen;
  }
  CardSet kept = shown_ & ~discarded_;
  state.drawn_[1] = (shown_ & discarded_) | take(kept, drawn - recycled, rng);
  state.discarded_[1] = take(unseen, drawn, rng);
  state.dealt_[1] = state.discarded_[1] | kept;
  return unseen;
}

CardSet State::Sampler::fill_first(State& state, RandomStream& rng) const {
  const Node& where = state.node();
  const int recycled = rules_->recycled(where), drawn = where.drawn[0] ? where.discarded[0] : 0;
  CardSet unseen = unseen_, own = drawn_;
  state.discarded_[0] = take(own, recycled, rng) | take(unseen, drawn - recycled, rng);
  CardSet kept = shown_ != 0 ? shown_ : take(unseen, rules_->options().hand, rng);
  state.drawn_[0] = take(kept, drawn, rng);
  state.dealt_[0] = state.discarded_[0] | kept;
  return unseen;
}

// The progress of the other player: any of its decisions, the earlier ones made either way.
std::uint16_t State::Sampler::enter_draw(State& state, RandomStream& rng) const {
  const std::size_t other = at(1 - me_);
  const std::uint32_t step = rng.below(static_cast<std::uint32_t>(rules_->options().hand));
  CardSet rest = state.dealt_[other];
  for (std::uint32_t i = 0; i < step; ++i, rest &= rest - 1)
    if (rng.below(2) != 0) state.discarded_[other] |= bit(lowest(rest));
  return draw_node_[step][static_cast<std::size_t>(size(state.discarded_[other]))];
}

// A deck that deals these cards, in a random order: hands, the board or the drawn cards in the order of drawing, the
// rest.
void State::Sampler::order_deck(State& state, CardSet rest, RandomStream& rng) const {
  std::array<Card, kCards> cards{};
  std::size_t count = 0;
  const auto append = [&](CardSet set, int wanted) {
    const std::size_t begin = count;
    for_each(set, [&](Card card) { cards[count++] = card; });
    if (count - begin > 1)
      shuffle_first(std::span(cards).subspan(begin, count - begin), static_cast<std::size_t>(wanted), rng);
  };
  const auto append_all = [&](CardSet set) { append(set, size(set)); };
  append_all(state.dealt_[0]);
  // Discards of the first player that were drawn again were dealt before its other discards.
  if (const CardSet recycled = state.dealt_[0] & state.drawn_[1]; recycled != 0) {
    const std::size_t hand = count;
    append_all(recycled);
    append_all(state.discarded_[0] & ~recycled);
    for (std::size_t i = 0, next = hand; i < hand; ++i)
      if ((state.discarded_[0] & bit(cards[i])) != 0) cards[i] = cards[next++];
    count = hand;
  }
  append_all(state.dealt_[1]);
  append_all(state.drawn_[0]);
  append_all(state.drawn_[1] & ~state.discarded_[0]);
  append_all(board_);
  const int wanted = rules_->dealt() - static_cast<int>(count);
  append(rest, std::max(0, wanted));
  std::copy_n(cards.begin(), rules_->dealt(), state.deck_.begin());
}

}  // namespace dealer::small
