#include "env/games/poker/state.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "env/cards/shuffle.h"
#include "env/core/env_text.h"
#include "env/core/error.h"
#include "env/games/poker/flow.h"

namespace dealer::poker {
namespace {

// Hand h of an episode is dealt from stream h of its seed; these streams are for other draws.
constexpr std::uint64_t kMixStream = ~std::uint64_t{0};
constexpr std::uint64_t kReshuffleStream = std::uint64_t{1} << 40;
constexpr std::uint64_t kReshufflesOfAHand = 64;

void check_start(const GameRules& rules, const TableStart& start) {
  check_table_start(start, rules.players, rules.tournament_chips, "chips", "tournament_chips");
  const bool privileged = std::any_of(start.privileges.begin(), start.privileges.end(), [](int p) { return p != 0; });
  if (start.dealer >= rules.players || privileged)
    throw UsageError(
        fmt::format("a hand of a tournament begins with dealer {} and privileges {}; expected seats 0 to {} "
                    "and no privileges",
                    start.dealer, fmt::join(start.privileges, ", "), rules.players - 1));
}

}  // namespace

void State::begin_match(const Rules& rules, std::uint64_t seed) {
  rules_ = &rules;
  seed_ = seed;
  clear_rewards();
  hands_finished_ = 0;
  in_ = static_cast<SeatSet>((1U << rules.players) - 1);
  if (!rules.random_mix()) return;
  RandomStream rng(seed, kMixStream);
  for (int rank = packing().taken_out; rank < packing().orbits; ++rank)
    bytes_[at(rank)] = static_cast<std::uint8_t>(rng.below(Deck::kReplaceable));
}

void State::reset_and_hold(const Rules& rules, std::uint64_t seed) {
  begin_match(rules, seed);
  RandomStream rng(seed, 0);
  dealer_ = static_cast<std::int8_t>(rng.below(static_cast<std::uint32_t>(rules.players)));
  std::array<Chips, kMaxSeats> chips{};
  std::fill_n(chips.begin(), rules.players, rules.stack);
  deal_hand(chips.data(), rng);
}

void State::start_from(const Rules& rules, std::uint64_t seed, const TableStart& start) {
  check_start(rules, start);
  begin_match(rules, start.match_seed);
  seed_ = seed;
  RandomStream rng(seed, 0);
  const auto drawn = static_cast<int>(rng.below(static_cast<std::uint32_t>(rules.players)));
  dealer_ = static_cast<std::int8_t>(start.dealer < 0 ? drawn : start.dealer);
  std::array<Chips, kMaxSeats> chips{};
  for (Seat seat = 0; seat < rules.players; ++seat) chips[at(seat)] = static_cast<Chips>(start.chips[at(seat)]);
  deal_hand(chips.data(), rng);
}

TableStart State::carry_over() const {
  TableStart start;
  start.match_seed = seed_;
  for (Seat seat = 0; seat < rules_->players; ++seat) start.chips.push_back(bets_.stack(seat) + payout_[at(seat)]);
  start.dealer = dealer_;
  // In the middle of a hand all chips may be in the pot.
  for (Seat tried = 0; tried < rules_->players; ++tried) {
    start.dealer = start.dealer + 1 == rules_->players ? 0 : start.dealer + 1;
    if (start.chips[at(start.dealer)] > 0) break;
  }
  return start;
}

void State::reset(const Rules& rules, std::uint64_t seed) {
  reset_and_hold(rules, seed);
  go_on_to_decision();
  clear_rewards();
}

// Writes the cards of this match; returns their number. There must be room for kMaxDeckCards.
std::size_t State::in_play(CardId* out) const {
  if (!rules_->random_mix()) {
    std::copy_n(rules_->new_deck.begin(), kMaxDeckCards, out);
    return at(rules_->deck->cards_in_play());
  }
  const std::uint8_t* const taken_out = suits_taken_out().data();
  std::size_t count = 0;
  CardId card = 0;
  for (const Replaceable& replaceable : rules_->replaceable) {
    out[count] = card++;
    count += taken_out[replaceable.rank] != replaceable.suit ? 1 : 0;
  }
  return count;
}

// All cards except the suits taken out for the whole match. In blocks of constant length, each of which is one store.
void State::clear_packed() {
  constexpr int kBlock = 64;
  static_assert((kPackedBytes - kWordBytes + kBlock - 1) / kBlock * kBlock <= kPackedBytes);
  if (rules_->random_mix()) {
    std::fill_n(bytes_.begin(), packing().taken_out, std::uint8_t{0});
    std::fill(bytes_.begin() + packing().orbits, bytes_.begin() + packing().size, std::uint8_t{0});
    return;
  }
  for (int i = 0; i < packing().size; i += kBlock) std::fill_n(bytes_.begin() + i, kBlock, std::uint8_t{0});
}

// Clears the previous hand's data and posts antes and blinds.
void State::begin_hand(const Chips* chips) {
  clear_packed();
  if (hand_over_ != 0) payout_ = {};
  round_begin_ = {};
  first_ = {};
  count_ = {};
  orbits_ = amounts_ = 0;
  position_ = 0;
  vpip_ = pfr_ = to_draw_ = 0;
  board_count_ = next_ = stock_ = reshuffles_ = 0;
  street_ = -1;
  rounds_begun_ = 0;
  drawing_ = 0;
  hand_over_ = 0;
  bets_.start(rules_->bets, chips, in_, dealer_);
}

// A stock that cannot run out is shuffled and stored only as far as it may be dealt.
void State::deal_hand(const Chips* chips, RandomStream& rng) {
  begin_hand(chips);
  std::array<CardId, kMaxDeckCards> deck;
  const std::size_t count = in_play(deck.data());
  draw_first(std::span(deck).first(count), at(rules_->shuffled), bytes_.data() + packing().stock, rng);
  stock_ = static_cast<std::uint8_t>(rules_->shuffled);
  const FromStock deal{*this};
  go_on(deal);
  while (turn_ >= 0 && (legal_ & (legal_ - 1)) == 0) act(std::countr_zero(legal_), 0, deal);
}

// The cards to reshuffle: all but the hands still in and the discards of the seat that draws.
std::size_t State::cards_to_reshuffle(Seat drawing, CardId* out) const {
  std::array<std::uint64_t, kMaxDeckCards / 64> held{};
  const auto hold = [&](CardId card) { held[card / 64] |= std::uint64_t{1} << (card % 64); };
  for (Seat seat = 0; seat < rules_->players; ++seat)
    if (bets_.is_live(seat))
      for (const CardId card : cards(seat)) hold(card);
  for (int i = 0; i < discard_count(draw_of_street(), drawing); ++i) hold(discarded(draw_of_street(), drawing, i).card);
  CardId* const end = out + in_play(out);
  return static_cast<std::size_t>(
      std::remove_if(out, end, [&](CardId card) { return (held[card / 64] >> (card % 64) & 1) != 0; }) - out);
}

void State::reshuffle(Seat drawing) {
  std::array<CardId, kMaxDeckCards> deck;
  const std::size_t count = cards_to_reshuffle(drawing, deck.data());
  RandomStream rng(seed_,
                   kReshuffleStream + static_cast<std::uint64_t>(hands_finished_) * kReshufflesOfAHand + reshuffles_);
  shuffle_first(std::span(deck).first(count), count, rng);
  std::copy_n(deck.begin(), count, bytes_.begin() + packing().stock);
  next_ = 0;
  stock_ = static_cast<std::uint8_t>(count);
  ++reshuffles_;
}

void State::resample_future(RandomStream& rng) {
  seed_ = rng.bits64();
  const std::span<std::uint8_t> left = std::span(bytes_).subspan(at(packing().stock + next_), at(stock_ - next_));
  if (left.empty()) return;
  std::array<CardId, kMaxDeckCards> deck;
  std::size_t count = left.size();
  if (reshuffles_ > 0) {
    std::copy(left.begin(), left.end(), deck.begin());
  } else {
    // The first stock holds no more cards than can be needed.
    std::array<bool, kMaxDeckCards> held{};
    for (const CardId card : board()) held[card] = true;
    for (Seat seat = 0; seat < rules_->players; ++seat) {
      for (const CardId card : cards(seat)) held[card] = true;
      for (int draw = 0; draw < rules_->draws; ++draw)
        for (int i = 0; i < discard_count(draw, seat); ++i) held[discarded(draw, seat, i).card] = true;
    }
    CardId* const end = deck.data() + in_play(deck.data());
    count = static_cast<std::size_t>(std::remove_if(deck.data(), end, [&](CardId card) { return held[card]; }) -
                                     deck.data());
  }
  draw_first(std::span(deck).first(count), left.size(), left.data(), rng);
}

std::span<const CardId> State::showing(Seat seat) const {
  return cards(seat).subspan(2, std::min<std::size_t>(count_[at(seat)], 6) - 2);
}

// Bytes without a card are 0, and remain so.
void State::exchange_cards(std::span<const CardId> by) {
  const auto exchange = [&](std::span<CardId> cards) {
    for (CardId& card : cards) card = by[card];
  };
  exchange(std::span(bytes_).subspan(at(packing().stock + next_), at(stock_ - next_)));
  exchange(std::span(bytes_).subspan(at(packing().board), board_count_));
  for (Seat seat = 0; seat < rules_->players; ++seat) {
    exchange(std::span(hand(seat), count_[at(seat)]));
    if (rules_->draws > 0 && count_[at(seat)] == rules_->hand_cards) sort_hand(seat);
  }
}

// The seat that opens the round, or the next to its left that can bet.
int State::opener() const {
  if (rules_->opens_left_of_dealer) return left_of_dealer();
  Seat seat = next_live(dealer_), best = seat;
  HandValue best_value = 0;
  for (int i = bets_.live_count(); i > 0; --i, seat = next_live(seat)) {
    const HandValue value = rules_->opening_value(street_, showing(seat));
    if (value <= best_value) continue;
    best_value = value;
    best = seat;
  }
  return best;
}

bool State::begin_betting(const Street& street) {
  if (!street.betting) return false;
  round_begin_[at(street.round)] = orbits_;
  rounds_begun_ = static_cast<std::int8_t>(street.round + 1);
  bets_.open_round(rules_->bets, street.round, opener());
  turn_ = static_cast<std::int8_t>(bets_.to_act());
  if (turn_ < 0) return false;
  first_[at(street.round)] = turn_;
  position_ = static_cast<std::int8_t>(rules_->players);
  legal_ = bet_mask();
  return true;
}

std::uint64_t State::bet_mask() const {
  std::uint64_t mask = 1U << kCall | (bets_.may_fold(rules_->bets) ? 1U << kFold : 0U);
  if (bets_.range().low == 0) return mask;
  Chips previous = 0;
  std::uint64_t action = std::uint64_t{1} << kFirstBet;
  for (const betting::Offer& offer : rules_->bets.offers) {
    // Offers ascend, so that equal amounts are neighbours; the first of them stands for the amount.
    const Chips total = bets_.offered(offer);
    mask |= total != previous ? action : 0;
    action <<= 1;
    previous = total;
  }
  return mask;
}

Chips State::total_of(Action action) const {
  return drawing_ == 0 && action >= kFirstBet ? bets_.offered(rules_->bets.offers[at(action - kFirstBet)]) : 0;
}

void State::clear_rewards() {
  if (rewarded_ != 0) reward_ = {};
  rewarded_ = 0;
}

void State::play(Action action, Chips total) {
  clear_rewards();
  const FromStock deal{*this};
  act(action, total, deal);
  while (turn_ >= 0 && (legal_ & (legal_ - 1)) == 0) act(std::countr_zero(legal_), 0, deal);
}

void State::apply_and_hold(Action action) { play(action, total_of(action)); }

void State::apply(Action action) {
  apply_and_hold(action);
  if (hand_over_ != 0) go_on_to_decision();
}

// A finished hand is followed by the next, until a seat has a decision.
void State::go_on_to_decision() {
  while (hand_over_ != 0 && !match_over()) deal_next();
}

AmountRange State::amount_range() const {
  if (turn_ < 0 || drawing_ != 0) return {};
  const betting::Bets::Range range = bets_.range();
  return {range.low, range.high, 1};
}

void State::bet_to_and_hold(Amount total) { play(kFirstBet, total); }

void State::bet_to(Amount total) {
  bet_to_and_hold(total);
  if (hand_over_ != 0) go_on_to_decision();
}

bool State::match_over() const {
  if (rules_->episode == Episode::kHand || rules_->is_tournament()) return true;
  if (rules_->match_hands > 0 && hands_finished_ >= rules_->match_hands) return true;
  int with_chips = 0;
  for (Seat seat = 0; seat < rules_->players; ++seat) with_chips += bets_.stack(seat) + payout_[at(seat)] > 0 ? 1 : 0;
  return with_chips < 2;
}

void State::next_hand() {
  clear_rewards();
  deal_next();
}

void State::deal_next() {
  std::array<Chips, kMaxSeats> chips{};
  in_ = 0;
  for (Seat seat = 0; seat < rules_->players; ++seat) {
    chips[at(seat)] = bets_.stack(seat) + payout_[at(seat)];
    if (chips[at(seat)] > 0) in_ = static_cast<SeatSet>(in_ | betting::bit(seat));
  }
  do dealer_ = static_cast<std::int8_t>(left_of_dealer());
  while (is_out(dealer_));
  RandomStream rng(seed_, static_cast<std::uint64_t>(hands_finished_));
  deal_hand(chips.data(), rng);
}

}  // namespace dealer::poker
