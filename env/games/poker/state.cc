#include "env/games/poker/state.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "env/cards/shuffle.h"
#include "env/core/error.h"
#include "env/games/poker/flow.h"

namespace dealer::poker {
namespace {

// Hand h of an episode is dealt from stream h of its seed; these are for what is drawn besides.
constexpr std::uint64_t kMixStream = ~std::uint64_t{0};
constexpr std::uint64_t kReshuffleStream = std::uint64_t{1} << 40;
constexpr std::uint64_t kReshufflesOfAHand = 64;

}  // namespace

CardId State::FromStock::operator()(Seat seat, int, bool) const {
  if (state.next_ == state.stock_) state.reshuffle(seat);
  return state.deck_[state.next_++];
}

void State::begin_match(const Rules& rules, std::uint64_t seed) {
  rules_ = &rules;
  seed_ = seed;
  return_ = {};
  reward_ = net_ = payout_ = {};
  discard_pile_ = odd_chips_ = 0;
  hands_finished_ = 0;
  ended_ = 0;
  chips_ = {};
  std::fill_n(chips_.begin(), rules.players, rules.stack);
  in_ = static_cast<SeatSet>((1U << rules.players) - 1);
  taken_out_ = {};
  if (!rules.random_mix()) return;
  RandomStream rng(seed, kMixStream);
  for (std::size_t rank = 0; rank < rules.deck->ranks().size(); ++rank)
    taken_out_[rank] = static_cast<std::uint8_t>(rng.below(Deck::kReplaceable));
}

void State::reset_and_hold(const Rules& rules, std::uint64_t seed) {
  begin_match(rules, seed);
  RandomStream rng(seed, 0);
  dealer_ = static_cast<std::int8_t>(rng.below(static_cast<std::uint32_t>(rules.players)));
  deal_hand(rng);
}

void State::reset(const Rules& rules, std::uint64_t seed) {
  reset_and_hold(rules, seed);
  go_on_to_decision();
  ended_ = 0;
}

void State::lay_out_deck() {
  stock_ = static_cast<std::uint8_t>(rules_->deck->cards_in_play());
  next_ = 0;
  reshuffles_ = 0;
  if (!rules_->random_mix()) {
    deck_ = rules_->new_deck;
    return;
  }
  const Deck& deck = *rules_->deck;
  std::size_t count = 0;
  deck_ = {};
  for (int i = 0; i < deck.size(); ++i) {
    const auto id = static_cast<CardId>(i);
    const DeckCard& card = deck.card(id);
    const bool out = !card.transparent && card.suit >= 0 && taken_out_[at(card.rank)] == card.suit;
    if (!out) deck_[count++] = id;
  }
}

// Clears what the hand before has left and takes antes and blinds.
void State::begin_hand() {
  std::fill_n(event_.begin(), events_, std::uint8_t{0});
  std::fill_n(amount_.begin(), bets_made_, Chips{0});
  round_begin_ = {};
  events_ = bets_made_ = 0;
  vpip_ = pfr_ = to_draw_ = 0;
  street_ = -1;
  rounds_begun_ = 0;
  drawing_ = 0;
  hand_over_ = 0;
  cards_ = {};
  lay_out_deck();
  bets_.start(rules_->bets, chips_.data(), in_, dealer_);
}

void State::deal_hand(RandomStream& rng) {
  begin_hand();
  shuffle_first(std::span(deck_).first(stock_), at(rules_->shuffled), rng);
  const FromStock deal{*this};
  go_on(deal);
  while (turn_ >= 0 && (legal_ & (legal_ - 1)) == 0) act(std::countr_zero(legal_), 0, deal);
}

// What lies about is shuffled again: all but the hands still in and what the seat that draws has just discarded.
void State::reshuffle(Seat drawing) {
  std::array<std::uint64_t, kMaxDeckCards / 64> held{};
  const auto hold = [&](CardId card) { held[card / 64] |= std::uint64_t{1} << (card % 64); };
  for (Seat seat = 0; seat < rules_->players; ++seat)
    if (bets_.is_live(seat))
      for (const CardId card : cards(seat)) hold(card);
  const Discarded& own = cards_.discarded[at(draw_of_street())][at(drawing)];
  for (int i = 0; i < own.count; ++i) hold(own.card[at(i)]);
  const std::uint8_t before = reshuffles_;
  lay_out_deck();
  reshuffles_ = static_cast<std::uint8_t>(before + 1);
  const auto end = std::remove_if(deck_.begin(), deck_.begin() + stock_,
                                  [&](CardId card) { return (held[card / 64] >> (card % 64) & 1) != 0; });
  stock_ = static_cast<std::uint8_t>(end - deck_.begin());
  std::fill(end, deck_.end(), CardId{0});
  RandomStream rng(seed_, kReshuffleStream + static_cast<std::uint64_t>(hands_finished_) * kReshufflesOfAHand + before);
  shuffle_first(std::span(deck_).first(stock_), stock_, rng);
}

std::span<const CardId> State::showing(Seat seat) const {
  const std::size_t up = std::min<std::size_t>(cards_.count[at(seat)], 6) - 2;
  return std::span(cards_.hand[at(seat)]).subspan(2, up);
}

// Who opens the round, or the next to the left that can bet.
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
  round_begin_[at(street.round)] = events_;
  rounds_begun_ = static_cast<std::int8_t>(street.round + 1);
  bets_.open_round(rules_->bets, street.round, opener());
  turn_ = static_cast<std::int8_t>(bets_.to_act());
  if (turn_ < 0) return false;
  legal_ = bet_mask();
  return true;
}

std::uint64_t State::bet_mask() const {
  std::uint64_t mask = 1U << kCall | (bets_.may_fold(rules_->bets) ? 1U << kFold : 0U);
  if (bets_.range().low == 0) return mask;
  Chips previous = 0;
  for (std::size_t offer = 0; offer < rules_->bets.offers.size(); ++offer) {
    // Offers ascend, so that equal amounts are neighbours; the first of them stands for the amount.
    const Chips total = bets_.offered(rules_->bets, offer);
    mask |= std::uint64_t{total != previous} << (kFirstBet + offer);
    previous = total;
  }
  return mask;
}

Chips State::total_of(Action action) const {
  return drawing_ == 0 && action >= kFirstBet ? bets_.offered(rules_->bets, at(action - kFirstBet)) : 0;
}

void State::remember(Kind kind, Chips total) {
  event_[events_++] = static_cast<std::uint8_t>(kind << 4 | turn_);
  if (kind == kBet) amount_[bets_made_++] = total;
  if (rounds_begun_ != 1 || kind == kFolded) return;
  const SeatSet me = betting::bit(turn_);
  if (kind == kBet) pfr_ = static_cast<SeatSet>(pfr_ | me);
  if (kind == kBet || (bets_.to_call() > 0 && !bets_.bring_in_due())) vpip_ = static_cast<SeatSet>(vpip_ | me);
}

void State::apply_and_hold(Action action) {
  ended_ = 0;
  play(action, total_of(action), FromStock{*this});
}

void State::apply(Action action) {
  apply_and_hold(action);
  if (hand_over_ != 0) go_on_to_decision();
}

// Hands that ended are followed by the next, as long as nobody has anything to decide in them.
void State::go_on_to_decision() {
  while (hand_over_ != 0 && !match_over()) deal_next();
}

AmountRange State::amount_range() const {
  if (turn_ < 0 || drawing_ != 0) return {};
  const betting::Bets::Range range = bets_.range();
  return {range.low, range.high, 1};
}

void State::bet_to_and_hold(Amount total) {
  ended_ = 0;
  play(kFirstBet, total, FromStock{*this});
}

void State::bet_to(Amount total) {
  bet_to_and_hold(total);
  if (hand_over_ != 0) go_on_to_decision();
}

bool State::match_over() const {
  if (rules_->episode == Episode::kHand) return true;
  if (rules_->match_hands > 0 && hands_finished_ >= rules_->match_hands) return true;
  int with_chips = 0;
  for (Seat seat = 0; seat < rules_->players; ++seat) with_chips += bets_.stack(seat) + payout_[at(seat)] > 0 ? 1 : 0;
  return with_chips < 2;
}

void State::next_hand() {
  ended_ = 0;
  deal_next();
}

void State::deal_next() {
  in_ = 0;
  for (Seat seat = 0; seat < rules_->players; ++seat) {
    chips_[at(seat)] = bets_.stack(seat) + payout_[at(seat)];
    if (chips_[at(seat)] > 0) in_ = static_cast<SeatSet>(in_ | betting::bit(seat));
  }
  do dealer_ = static_cast<std::int8_t>(left_of_dealer());
  while (is_out(dealer_));
  RandomStream rng(seed_, static_cast<std::uint64_t>(hands_finished_));
  deal_hand(rng);
}

}  // namespace dealer::poker
