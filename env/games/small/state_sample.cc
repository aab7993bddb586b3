// A whole state that agrees with what one seat has observed: what it cannot know is dealt at random.
#include <algorithm>

#include "env/cards/shuffle.h"
#include "env/core/error.h"
#include "env/games/small/state.h"

namespace dealer::small {
namespace {

[[noreturn]] void refuse(const char* what) { throw UsageError(std::string("no observation of this game: ") + what); }

CardSet read_cards(std::span<const float> observation, int offset, int cards) {
  CardSet set = 0;
  if (offset < 0) return set;
  for (int card = 0; card < cards; ++card) {
    const float value = observation[static_cast<std::size_t>(offset + card)];
    if (value == 1)
      set |= bit(static_cast<Card>(card));
    else if (value != 0)
      refuse("a card is neither there nor not there");
  }
  return set;
}

// Takes `count` random cards out of a set.
CardSet take(CardSet& from, int count, RandomStream& rng) {
  if (count < 0 || count > size(from)) refuse("the cards do not add up");
  CardSet taken = 0;
  for (; count > 0; --count) {
    CardSet rest = from;
    for (auto skip = rng.below(static_cast<std::uint32_t>(size(from))); skip > 0; --skip) rest &= rest - 1;
    taken |= bit(lowest(rest));
    from &= ~bit(lowest(rest));
  }
  return taken;
}

}  // namespace

// What the observer sees, and how the other's cards are dealt so that they agree.
struct State::Reader {
  const Rules& rules;
  Seat me;
  CardSet hand, board, discarded, drawn, shown;

  Reader(const Rules& r, std::span<const float> observation) : rules(r), me(0) {
    const Parts& part = rules.parts();
    if (observation.size() != static_cast<std::size_t>(part.size)) refuse("wrong number of numbers");
    const auto read = [&](int offset) { return read_cards(observation, offset, part.cards); };
    hand = read(part.hand), board = read(part.board), shown = read(part.shown);
    discarded = read(part.discarded), drawn = read(part.drawn);
    me = observation[static_cast<std::size_t>(part.seat)] == 1 ? 0 : 1;
  }

  // Gives the other player a hand, cards discarded and cards drawn, all deals that agree being equally likely.
  // Returns the cards left over.
  CardSet fill(State& state, const Node& where, RandomStream& rng) const {
    const auto m = static_cast<std::size_t>(me);
    const int size_of_hand = rules.options().hand;
    state.dealt_[m] = hand;
    state.discarded_[m] = discarded;
    state.drawn_[m] = drawn;
    if (size(hand) != size_of_hand || size(discarded) != where.discarded[m] ||
        size(drawn) != (where.drawn[m] ? where.discarded[m] : 0) || size(board) != (where.board ? 1 : 0) ||
        size(shown) != (where.kind == Kind::kShowdown ? size_of_hand : 0) || (discarded & ~hand) != 0)
      refuse("the cards do not fit the course of the hand");
    // Cards drawn by the second player from what the first has discarded.
    const int stock = rules.options().cards() - kSeats * size_of_hand - where.discarded[0];
    const int recycled = where.drawn[1] ? std::max(0, where.discarded[1] - stock) : 0;
    CardSet unseen = rules.deck() & ~(hand | drawn | board | shown);
    if ((hand & drawn) != 0 || (board & (hand | shown)) != 0) refuse("a card lies in two places");
    me == 0 ? fill_second(state, where, unseen, recycled, rng) : fill_first(state, where, unseen, recycled, rng);
    return unseen;
  }

  void fill_second(State& state, const Node& where, CardSet& unseen, int recycled, RandomStream& rng) const {
    const int k = where.drawn[1] ? where.discarded[1] : 0;
    if (size(discarded & shown) != (shown == 0 ? 0 : recycled) || ((hand & ~discarded) & shown) != 0 || (drawn & shown) != 0)
      refuse("cards are shown that the other player cannot have");
    CardSet from_stock = shown & ~discarded;
    if (shown == 0) {
      CardSet own_discarded = discarded;
      state.dealt_[1] = take(unseen, rules.options().hand, rng);
      CardSet dealt = state.dealt_[1];
      state.discarded_[1] = take(dealt, k, rng);
      state.drawn_[1] = take(own_discarded, recycled, rng) | take(unseen, k - recycled, rng);
      return;
    }
    const CardSet drawn_stock = take(from_stock, k - recycled, rng);
    state.drawn_[1] = drawn_stock | (shown & discarded);
    state.discarded_[1] = take(unseen, k, rng);
    state.dealt_[1] = state.discarded_[1] | from_stock;
  }

  void fill_first(State& state, const Node& where, CardSet& unseen, int recycled, RandomStream& rng) const {
    const int k = where.drawn[0] ? where.discarded[0] : 0;
    if ((shown & (hand | drawn)) != 0) refuse("cards are shown that the other player cannot have");
    CardSet own_drawn = drawn;
    const CardSet known = take(own_drawn, recycled, rng);
    if (recycled > k) refuse("the cards do not add up");
    if (shown == 0) {
      const CardSet discarded_too = take(unseen, k - recycled, rng);
      state.discarded_[0] = known | discarded_too;
      state.dealt_[0] = state.discarded_[0] | take(unseen, rules.options().hand - k, rng);
      state.drawn_[0] = take(unseen, k, rng);
      return;
    }
    CardSet kept = shown;
    state.drawn_[0] = take(kept, k, rng);
    state.discarded_[0] = known | take(unseen, k - recycled, rng);
    state.dealt_[0] = state.discarded_[0] | kept;
  }
};

// The deck that deals these cards: hands, the board or what was drawn in the order of drawing, the rest.
void State::order_deck(CardSet board, CardSet rest, RandomStream& rng) {
  std::array<Card, kCards> cards{};
  std::size_t count = 0;
  const auto append = [&](CardSet set) {
    const std::size_t begin = count;
    for_each(set, [&](Card card) { cards[count++] = card; });
    shuffle_first(std::span(cards).subspan(begin, count - begin), count - begin, rng);
  };
  // Of its cards discarded, those of the first player that were drawn again were dealt before the others.
  append(dealt_[0] & drawn_[1]);
  append(dealt_[0] & ~drawn_[1]);
  append(dealt_[1]);
  append(drawn_[0]);
  append(drawn_[1] & ~discarded_[0]);
  append(board);
  append(rest);
  deck_ = {};
  std::copy_n(cards.begin(), rules_->dealt(), deck_.begin());
}

State::Sampler::Sampler(const Rules& rules, std::span<const float> observation)
    : rules_(&rules), observation_(observation.begin(), observation.end()) {
  RandomStream rng(0);
  draw(rng);
}

State State::sample_state(const Rules& rules, std::span<const float> observation, RandomStream& rng) {
  const Reader reader(rules, observation);
  const Parts& part = rules.parts();
  std::vector<float> again(observation.size());
  for (const std::uint16_t node :
       rules.tree().find(reader.me, observation.subspan(static_cast<std::size_t>(part.course)))) {
    const Node& where = rules.tree().node(node);
    if (where.discarded[static_cast<std::size_t>(reader.me)] != size(reader.discarded)) continue;
    State state;
    state.rules_ = &rules;
    state.seed_ = rng.bits64();
    state.walked_ = 0;
    state.node_ = node;
    const CardSet rest = reader.fill(state, where, rng);
    state.order_deck(reader.board, rest, rng);
    if (rules.options().variant != Variant::kDraw)
      state.winner_ = rules.winner(state.dealt_[0], state.dealt_[1], state.board());
    state.enter(node);
    state.observe(reader.me, again.data());
    if (state.valid() && std::equal(again.begin(), again.end(), observation.begin())) return state;
  }
  refuse("nothing of the kind can happen");
}

}  // namespace dealer::small
