// Samples states that agree with a seat's observation.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "env/cards/shuffle.h"
#include "env/core/at.h"
#include "env/games/poker/flow.h"
#include "env/games/poker/hidden_cards.h"
#include "env/games/poker/parts.h"
#include "env/games/poker/script.h"

namespace dealer::poker {

// The common part of all sampled states: one of them, in which only hidden data is rewritten.
class State::Sampler::Plan {
 public:
  Plan(const Rules& rules, std::span<const float> observation) : rules_(rules), view_(decode(rules, observation)) {
    check_chips();
    check_cards();
    RandomStream rng(0);
    HiddenCards cards;
    if (rules.draws > 0) {
      hidden_.emplace(rules, view_);
      if (!deal_somehow(rng, cards)) refuse_observation("no deal agrees with it");
    } else {
      find_slots();
    }
    base_ = play_script(rules, observed_script(cards));
    // The seats that show depend on the cards; nothing else does.
    compare(observation.first(at(rules.parts->showdown)));
    if (base_.hand_over()) find_mucked(rng);
    compare(observation);
  }

  State draw(RandomStream& rng) const {
    State state = base_;
    state.seed_ = rng.bits64();
    for (int tries = 0; tries < kTries; ++tries)
      if (deal(rng, state) && mucks_agree(state)) return state;
    return last_resort(rng, state);
  }

 private:
  static void require(bool possible) {
    if (!possible) refuse_observation("cards lie where they cannot");
  }

  void compare(std::span<const float> observation) const {
    std::vector<float> again(at(rules_.parts->size));
    base_.observe(view_.me, again.data());
    if (std::memcmp(again.data(), observation.data(), observation.size() * sizeof(float)) != 0)
      refuse_observation("its parts do not agree with each other");
  }

  void check_chips() const {
    std::int64_t total = 0;
    for (const View::Player& player : view_.player) {
      const Chips chips = player.stack + player.paid;
      if (rules_.fresh_stacks() ? chips != rules_.stack : (chips == 0) != player.out)
        refuse_observation(fmt::format("a player has {} chips", chips));
      total += chips;
    }
    const std::int64_t missing = rules_.all_chips() - total;
    if (missing < 0 || (missing > 0 && !rules_.is_tournament() && rules_.bets.odd_chips != betting::OddChips::kDiscard))
      refuse_observation("the chips do not add up");
  }

  // Checks the cards: as many as were dealt, all of this match, and in games without draws each in one place.
  void check_cards() {
    CardBits in_play, seen;
    for (const CardId card : rules_.deck->in_play(view_.taken_out)) in_play.set(card);
    const auto see = [&](CardId card) {
      require(in_play[card] && (rules_.draws > 0 || !seen[card]));
      seen.set(card);
    };
    for (const CardId card : view_.board) see(card);
    for (Seat seat = 0; seat < rules_.players; ++seat) {
      const View::Player& player = view_.player[at(seat)];
      const auto count = static_cast<int>(player.cards.size());
      require(count <= player.card_count && (seat != view_.me || count == player.card_count));
      for (const SeenCard& card : player.cards) see(card.card);
      for (const auto& discarded : player.discarded)
        for (const SeenCard& card : discarded) see(card.card);
      if (seat == view_.me || !player.showed) continue;
      require(static_cast<int>(player.shown.size()) == player.card_count);
      for (const CardId card : hidden_of(player))
        if (rules_.draws == 0) see(card);
      require(count + static_cast<int>(hidden_of(player).size()) == player.card_count);
    }
    for (const View::Player& player : view_.player)
      for (const CardId card : player.shown) seen.set(card);
    never_seen_ = in_play & ~seen;
  }

  // Cards shown at the end that were unseen before.
  static std::vector<CardId> hidden_of(const View::Player& player) {
    std::vector<CardId> hidden;
    for (const CardId card : player.shown)
      if (std::none_of(player.cards.begin(), player.cards.end(), [&](const SeenCard& c) { return c.card == card; }))
        hidden.push_back(card);
    return hidden;
  }

  static bool is_up(const View::Player& player, CardId card) {
    return std::find(player.up.begin(), player.up.end(), card) != player.up.end();
  }

  // Down cards of others, in games without draws: the seen ones come first.
  void find_slots() {
    for (Seat seat = 0; seat < rules_.players; ++seat) {
      const View::Player& player = view_.player[at(seat)];
      if (seat == view_.me || player.out) continue;
      std::array<int, Script::kTimes> known{};
      for (const SeenCard& card : player.cards)
        if (!is_up(player, card.card)) ++known[at(card.when)];
      const std::size_t first = slots_.size();
      const auto add = [&](int begin, int end, int when) {
        require(begin + known[at(when)] <= end);
        for (int i = begin + known[at(when)]; i < end; ++i) slots_.push_back(at(seat * rules_.packing.hand + i));
      };
      add(0, 2, 0);
      if (rules_.procedure == Procedure::kStud) add(6, std::max(6, player.card_count), rules_.streets - 1);
      if (!player.showed) continue;
      Shown& shown = shown_.emplace_back();
      shown.slots.assign(slots_.begin() + static_cast<std::ptrdiff_t>(first), slots_.end());
      shown.cards = hidden_of(player);
      slots_.resize(first);
      require(shown.cards.size() == shown.slots.size());
    }
    for (std::size_t i = 0; i < never_seen_.size(); ++i)
      if (const auto card = static_cast<CardId>(i); never_seen_[i])
        (rules_.is_opaque(card) ? opaque_ : transparent_).push_back(card);
    require(opaque_.size() >= slots_.size());
  }

  // The hand with arbitrary cards in the hidden places.
  Script observed_script(const HiddenCards& hidden) const {
    Script script = script_of(rules_, view_);
    if (rules_.draws > 0) {
      add_hidden(hidden, script);
      return script;
    }
    const auto put = [&](std::size_t slot, CardId card) {
      const int i = static_cast<int>(slot) % rules_.packing.hand;
      script.player[slot / at(rules_.packing.hand)].down[at(i < 2 ? 0 : rules_.streets - 1)].push_back(card);
    };
    for (std::size_t i = 0; i < slots_.size(); ++i) put(slots_[i], opaque_[i]);
    for (const Shown& shown : shown_)
      for (std::size_t i = 0; i < shown.slots.size(); ++i) put(shown.slots[i], shown.cards[i]);
    return script;
  }

  // At the end the base state must show the same hands and pay the same seats.
  void find_mucked(RandomStream& rng) {
    for (Seat seat = 0; seat < rules_.players; ++seat) {
      if (view_.player[at(seat)].showed) showed_ = static_cast<SeatSet>(showed_ | betting::bit(seat));
      if (view_.player[at(seat)].mucked) mucked_ = static_cast<SeatSet>(mucked_ | betting::bit(seat));
    }
    if ((mucked_ >> view_.me & 1) != 0) mucked_ = static_cast<SeatSet>(mucked_ & ~betting::bit(view_.me));
    if (mucked_ != 0) {
      limit_ = base_.muck_limits(showed_);
      for (unsigned rest = mucked_; rest != 0; rest &= rest - 1)
        if (limit_[at(std::countr_zero(rest))] == 0) refuse_observation("a hand was mucked that beats what was shown");
      base_ = draw(rng);
    }
    base_.pay_out();
    for (Seat seat = 0; seat < rules_.players; ++seat) base_.reward_[at(seat)] = base_.net(seat);
  }

  bool mucks(const State& state, Seat seat) const {
    std::array<CardId, kHandCards> cards{};
    return rules_.high->evaluate(std::span(cards).first(state.final_cards(seat, cards.data()))) < limit_[at(seat)];
  }
  // True if the seats that mucked also muck with these cards. The other seats' hidden cards do not matter.
  bool mucks_agree(const State& state) const {
    for (unsigned rest = mucked_; rest != 0; rest &= rest - 1)
      if (!mucks(state, std::countr_zero(rest))) return false;
    return true;
  }

  // Writes hidden cards into the state; false when the sample must be retried.
  bool deal(RandomStream& rng, State& state) const {
    if (!hidden_) {
      deal_slots(rng, state);
      return true;
    }
    HiddenCards cards;
    if (!hidden_->draw(rng, cards)) return false;
    write(cards, state);
    return true;
  }

  void deal_slots(RandomStream& rng, State& state) const {
    std::array<CardId, kMaxDeckCards> pool;
    std::copy(opaque_.begin(), opaque_.end(), pool.begin());
    std::size_t count = opaque_.size();
    const std::size_t hidden = slots_.size(), left = at(state.stock_ - state.next_);
    const bool at_once = transparent_.empty();
    shuffle_first(std::span(pool).first(count), at_once ? hidden + left : hidden, rng);
    for (std::size_t i = 0; i < hidden; ++i) state.bytes_[slots_[i]] = pool[i];
    if (!at_once) {
      count = static_cast<std::size_t>(
          std::copy(transparent_.begin(), transparent_.end(), pool.begin() + static_cast<std::ptrdiff_t>(count)) -
          pool.begin());
      shuffle_first(std::span(pool).subspan(hidden, count - hidden), left, rng);
    }
    std::copy_n(pool.begin() + static_cast<std::ptrdiff_t>(hidden), left,
                state.bytes_.begin() + rules_.packing.stock + state.next_);
    for (const Shown& shown : shown_) {
      std::array<CardId, kHandCards> cards{};
      std::copy(shown.cards.begin(), shown.cards.end(), cards.begin());
      shuffle_first(std::span(cards).first(shown.cards.size()), shown.cards.size(), rng);
      for (std::size_t i = 0; i < shown.slots.size(); ++i) state.bytes_[shown.slots[i]] = cards[i];
    }
  }

  struct Pile;
  void write(const HiddenCards& hidden, State& state) const;
  void sort(State& state) const;
  bool deal_somehow(RandomStream& rng, HiddenCards& cards) const {
    for (int tries = 0; tries < kTries; ++tries)
      if (hidden_->draw(rng, cards, true)) return true;
    return false;
  }
  State last_resort(RandomStream& rng, State& state) const;
  bool muck(Seat seat, CardBits& free, RandomStream& rng, State& state) const;

  const Rules& rules_;
  View view_;
  State base_;
  SeatSet showed_ = 0, mucked_ = 0;  // mucked: other seats
  std::array<HandValue, kMaxSeats> limit_{};
  std::optional<HiddenDeal> hidden_;  // for draw games
  // Other games: bytes of the state with hidden cards. Those of a shown hand are permuted among
  // themselves.
  struct Shown {
    std::vector<std::size_t> slots;
    std::vector<CardId> cards;
  };
  std::vector<std::size_t> slots_;
  std::vector<Shown> shown_;
  std::vector<CardId> opaque_, transparent_;  // never seen; for games without draws
  CardBits never_seen_;
};

// A hand or a discard, in the sorted order of a state.
struct State::Sampler::Plan::Pile {
  std::array<std::uint16_t, kDrawHand> key;  // card << kWhenBits | when
  std::size_t count = 0;
  void add(CardId card, int when) {
    const auto added = static_cast<std::uint16_t>(card << kWhenBits | when);
    std::size_t i = count++;
    for (; i > 0 && key[i - 1] > added; --i) key[i] = key[i - 1];
    key[i] = added;
  }

  // Writes the cards to their place; returns the times when they came, in the encoding of a state.
  int write(State& state, int place) const {
    int times = 0;
    for (std::size_t i = 0; i < count; ++i) {
      state.bytes_[at(place) + i] = static_cast<CardId>(key[i] >> kWhenBits);
      times |= (key[i] & ((1 << kWhenBits) - 1)) << (kWhenBits * i);
    }
    return times;
  }
  void write_hand(State& state, Seat seat) const {
    state.set_word(state.packing().when + 2 * seat, write(state, seat * state.packing().hand));
  }
  void write_discard(State& state, int draw, Seat seat) const {
    const int place = state.discard_at(draw, seat), number = static_cast<int>(count) + 1;
    state.set_word(place + kDrawHand, write(state, place) | number << kDiscardCount);
  }
};

// Hands and discards of the others, and the stock.
void State::Sampler::Plan::write(const HiddenCards& hidden, State& state) const {
  std::array<std::array<Pile, kMaxDraws + 1>, kMaxSeats> pile;  // by draw; the last is the hand
  for (Seat seat = 0; seat < rules_.players; ++seat) {
    const View::Player& seen = view_.player[at(seat)];
    if (seat == view_.me) continue;
    for (const SeenCard& card : seen.cards) pile[at(seat)][kMaxDraws].add(card.card, card.when);
    for (std::size_t draw = 0; draw < at(rules_.draws); ++draw)
      for (const SeenCard& card : seen.discarded[draw]) pile[at(seat)][draw].add(card.card, card.when);
  }
  for (const HiddenPlace& place : std::span(hidden.place).first(at(hidden.places)))
    pile[at(place.seat)][at(place.discarded < 0 ? kMaxDraws : place.discarded)].add(place.card, place.when);
  for (Seat seat = 0; seat < rules_.players; ++seat) {
    if (seat == view_.me || view_.player[at(seat)].out) continue;
    pile[at(seat)][kMaxDraws].write_hand(state, seat);
    for (int draw = 0; draw < rules_.draws; ++draw)
      if (pile[at(seat)][at(draw)].count > 0) pile[at(seat)][at(draw)].write_discard(state, draw, seat);
  }
  std::copy_n(hidden.left.begin(), state.stock_ - state.next_,
              state.bytes_.begin() + rules_.packing.stock + state.next_);
}

void State::Sampler::Plan::sort(State& state) const {
  for (Seat seat = 0; seat < rules_.players; ++seat) {
    Pile hand;
    for (std::size_t i = 0; i < state.cards(seat).size(); ++i) hand.add(state.cards(seat)[i], state.when(seat, i));
    hand.write_hand(state, seat);
    for (int draw = 0; draw < rules_.draws; ++draw) {
      Pile gone;
      for (int i = 0; i < state.discard_count(draw, seat); ++i)
        gone.add(state.discarded(draw, seat, i).card, state.discarded(draw, seat, i).when);
      if (gone.count > 0) gone.write_discard(state, draw, seat);
    }
  }
}

// Fallback where deals that agree are too rare: any possible one, in which then each mucked hand in turn
// gets new cards until it loses. Cards that the observer has never seen may change places wherever they
// are.
State State::Sampler::Plan::last_resort(RandomStream& rng, State& state) const {
  constexpr int kRounds = 100;
  for (int round = 0; round < kRounds; ++round) {
    HiddenCards cards;
    if (!hidden_)
      deal_slots(rng, state);
    else if (deal_somehow(rng, cards))
      write(cards, state);
    else
      break;
    CardBits free = never_seen_;
    for (const CardId card : rules_.transparent) free.reset(card);
    bool found = true;
    for (unsigned rest = mucked_; rest != 0 && found; rest &= rest - 1)
      found = muck(std::countr_zero(rest), free, rng, state);
    if (!found) continue;
    if (hidden_) sort(state);
    return state;
  }
  refuse_observation("no deal agrees with it");
}

// Gives a seat cards with which it mucks, and removes them from the free cards.
bool State::Sampler::Plan::muck(Seat seat, CardBits& free, RandomStream& rng, State& state) const {
  const auto exchange = [&](CardId a, CardId b) {
    const auto change = [&](CardId& card) { card = card == a ? b : card == b ? a : card; };
    // Bytes without a card are 0, and remain so.
    for (int i = state.next_; i < state.stock_; ++i) change(state.bytes_[at(rules_.packing.stock + i)]);
    for (Seat other = 0; other < rules_.players; ++other) {
      for (CardId& card : std::span(state.hand(other), state.count_[at(other)])) change(card);
      for (int draw = 0; draw < rules_.draws; ++draw)
        for (int i = 0; i < state.discard_count(draw, other); ++i)
          change(state.bytes_[at(state.discard_at(draw, other) + i)]);
    }
  };
  std::array<CardId, kMaxDeckCards> pool;
  std::size_t count = 0;
  for (std::size_t card = 0; card < free.size(); ++card)
    if (free[card]) pool[count++] = static_cast<CardId>(card);
  const CardId* const hand = state.hand(seat);
  const std::size_t cards = state.cards(seat).size();
  for (int tries = 0; tries < kTries && !mucks(state, seat); ++tries)
    for (std::size_t i = 0; i < cards; ++i)
      if (free[hand[i]]) exchange(hand[i], pool[rng.below(static_cast<std::uint32_t>(count))]);
  for (std::size_t i = 0; i < cards; ++i) free.reset(hand[i]);
  return mucks(state, seat);
}

State::Sampler::Sampler(const Rules& rules, std::span<const float> observation)
    : plan_(std::make_shared<const Plan>(rules, observation)) {}

State State::Sampler::draw(RandomStream& rng) const { return plan_->draw(rng); }

}  // namespace dealer::poker
